//! How groups and tables of a WIA or RVZ file are compressed (formats/containers.md §8.4).

use super::packed;
use crate::{
    bytes::MemberLimits,
    formats::containers::{codes, contents::Trouble, output::Cost},
};
use std::io::Read;

/// A way to compress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    Stored,
    /// Zeros are left out.
    Purge,
    Bzip2,
    /// Its properties, and the bytes that it copies from.
    Lzma {
        properties: u8,
        dictionary: u32,
    },
    Lzma2 {
        dictionary: u32,
    },
    Zstd,
}

/// The least that a decoder of LZMA copies from, in bytes.
const SMALLEST_DICTIONARY: u32 = 4096;

impl Method {
    pub fn name(number: u32) -> Option<&'static str> {
        Some(match number {
            0 => "none",
            1 => "purge",
            2 => "bzip2",
            3 => "LZMA",
            4 => "LZMA2",
            5 => "zstd",
            _ => return None,
        })
    }

    /// The way with a number; `coder` are the bytes that say more.
    ///
    /// # Errors
    /// When there is none, or the bytes say nothing that there is.
    pub fn of(number: u32, coder: &[u8], is_rvz: bool) -> Result<Self, Trouble> {
        let unknown = |message: String| Trouble::new(&codes::METHOD, 0, message);
        Ok(match (number, coder) {
            (0, _) => Self::Stored,
            (1, _) if !is_rvz => Self::Purge,
            (2, _) => Self::Bzip2,
            (3, [properties, size @ ..]) => {
                let size =
                    *size.first_chunk().ok_or_else(|| unknown("the LZMA dictionary size is missing".to_owned()))?;
                Self::Lzma { properties: *properties, dictionary: u32::from_le_bytes(size) }
            }
            (4, [size, ..]) => Self::Lzma2 {
                dictionary: lzma2_dictionary(*size)
                    .ok_or_else(|| unknown(format!("invalid LZMA2 dictionary size {size}")))?,
            },
            (3 | 4, []) => return Err(unknown("the LZMA properties are missing".to_owned())),
            (5, _) if is_rvz => Self::Zstd,
            (other, _) => {
                let name = Self::name(other).map_or_else(|| other.to_string(), str::to_owned);
                return Err(unknown(format!("compression method {name} is not supported in this format")));
            }
        })
    }

    /// The work of decoding.
    pub fn cost(&self) -> Cost {
        match self {
            Self::Stored | Self::Purge => Cost::STORED,
            Self::Bzip2 => Cost::BZIP2,
            Self::Lzma { .. } | Self::Lzma2 { .. } => Cost::LZMA,
            Self::Zstd => Cost::ZSTD,
        }
    }

    pub fn is_stored(&self) -> bool {
        *self == Self::Stored
    }

    /// What stored bytes give: exactly `size` bytes. Further ones are not looked at.
    ///
    /// # Errors
    /// When they are damaged, or give fewer.
    pub fn decode(&self, stored: Vec<u8>, size: u64, limits: &MemberLimits) -> Result<Vec<u8>, Trouble> {
        // What is copied from is never more than what was decoded.
        let dictionary = |stated: u32| stated.min(u32::try_from(size).unwrap_or(u32::MAX).max(SMALLEST_DICTIONARY));
        let decoded = match self {
            Self::Stored => Ok(stored),
            Self::Purge => return packed::decode(&stored, size),
            Self::Bzip2 => read(bzip2::read::BzDecoder::new(&*stored), size),
            Self::Lzma { properties, dictionary: stated } => {
                lzma_rust2::LzmaReader::new_with_props(&*stored, size, *properties, dictionary(*stated), None)
                    .and_then(|decoder| read(decoder, size))
            }
            Self::Lzma2 { dictionary: stated } => {
                read(lzma_rust2::Lzma2Reader::new(&*stored, dictionary(*stated), None), size)
            }
            Self::Zstd => {
                let decoder = ruzstd::decoding::StreamingDecoder::new_with_max_window_size(&*stored, limits.dictionary);
                decoder.map_err(std::io::Error::other).and_then(|decoder| read(decoder, size))
            }
        };
        let mut decoded = decoded
            .map_err(|error| Trouble::new(&codes::DECODE, 0, format!("the data cannot be decompressed: {error}")))?;
        let there = decoded.len() as u64;
        if there < size {
            let message = format!("the data decompresses to {there} bytes instead of {size}");
            return Err(Trouble::new(&codes::DECODE, 0, message));
        }
        decoded.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        Ok(decoded)
    }
}

/// What a decoder gives, up to `most` bytes.
fn read(decoder: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    decoder.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// 2 or 3 times a power of two, by one number; 40 is the most that there is.
fn lzma2_dictionary(size: u8) -> Option<u32> {
    let mantissa = 2 | u32::from(size & 1);
    match size {
        0..40 => mantissa.checked_shl(u32::from(size >> 1).checked_add(11)?),
        40 => Some(u32::MAX),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn decode(method: &Method, stored: &[u8], size: u64) -> Result<Vec<u8>, &'static str> {
        method.decode(stored.to_vec(), size, &MemberLimits::default()).map_err(|trouble| trouble.code.id)
    }

    #[test]
    fn numbers_and_properties_say_the_method() {
        let of = |number, coder: &[u8], is_rvz| Method::of(number, coder, is_rvz).map_err(|trouble| trouble.code.id);
        assert_eq!(of(0, &[], true), Ok(Method::Stored));
        assert_eq!(of(1, &[], false), Ok(Method::Purge));
        assert_eq!(of(3, &[0x5D, 0, 0, 0x80, 0], false), Ok(Method::Lzma { properties: 0x5D, dictionary: 0x80_0000 }));
        assert_eq!(of(4, &[0x16], true), Ok(Method::Lzma2 { dictionary: 8 << 20 }));
        assert_eq!(of(5, &[], true), Ok(Method::Zstd));
        for (number, coder, is_rvz) in [
            (1, &[][..], true),
            (5, &[], false),
            (6, &[], true),
            (3, &[], true),
            (3, &[1, 2], true),
            (4, &[], true),
            (4, &[41], true),
        ] {
            assert_eq!(of(number, coder, is_rvz), Err("container.method-unsupported"), "{number} {coder:?}");
        }
        assert_eq!(
            (lzma2_dictionary(0), lzma2_dictionary(1), lzma2_dictionary(39)),
            (Some(4096), Some(6144), Some(3 << 30))
        );
    }

    #[test]
    fn what_is_compressed_is_what_it_was() {
        let plain: Vec<u8> = (0..50_000_u32).map(|at| (at / 7 % 251) as u8).collect();
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        encoder.write_all(&plain).unwrap();
        let bzip2 = encoder.finish().unwrap();
        let zstd = ruzstd::encoding::compress_to_vec(&*plain, ruzstd::encoding::CompressionLevel::Fastest);
        for (method, stored) in [(Method::Bzip2, bzip2), (Method::Zstd, zstd), (Method::Stored, plain.clone())] {
            assert_eq!(decode(&method, &stored, 50_000).unwrap(), plain, "{method:?}");
            assert_eq!(decode(&method, &stored, 777).unwrap(), plain[..777], "{method:?}");
            assert_eq!(decode(&method, &stored, 50_001), Err("container.decode-failed"), "{method:?}");
            for cut in [0, 1, 5, stored.len() / 2] {
                assert_eq!(decode(&method, &stored[..cut], 50_000), Err("container.decode-failed"), "{method:?} {cut}");
            }
        }
    }

    #[test]
    fn noise_is_an_error_for_every_method() {
        let noise: Vec<u8> = (0..5000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let lzma = Method::Lzma { properties: 0x5D, dictionary: u32::MAX };
        for method in [Method::Purge, Method::Bzip2, lzma, Method::Lzma2 { dictionary: u32::MAX }, Method::Zstd] {
            assert!(decode(&method, &noise, 1 << 20).is_err(), "{method:?}");
        }
        assert!(decode(&Method::Lzma { properties: 255, dictionary: 0 }, &noise, 10).is_err());
    }
}
