//! SHA-1, for comparing with what the corpus expects.

use sha1::Digest as _;

/// The SHA-1 of bytes in lower-case hexadecimal.
pub fn sha1(bytes: &[u8]) -> String {
    sha1::Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
