//! Unreal's compressed packages, and archives of Bohemia's games, made in code.

use sha1::Digest as _;

/// `bone bone .........` in `a.u`: compressed with runs in both places.
pub fn uz() -> Vec<u8> {
    vec![
        0x2E, 0x16, 0x00, 0x00, 0x04, 0x61, 0x2E, 0x75, 0x00, 0x1D, 0x00, 0x00, 0x00, 0x01, 0xDC, 0x1B, 0x08, 0x01,
        0x2B, 0x6B, 0xC0, 0xC1, 0x16, 0x88, 0xE4, 0xC2, 0x2D, 0x4B, 0x96, 0x53, 0xDE, 0x28, 0xAE, 0xF5, 0x85, 0xB1,
        0x01,
    ]
}

/// What [`uz`] unpacks to.
pub const BONES: &[u8] = b"bone bone .........";

/// Chunks of `size` bytes.
pub fn uz2(plain: &[u8], size: usize) -> Vec<u8> {
    let chunk = |plain: &[u8]| {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, plain).unwrap();
        let packed = packed.finish().unwrap();
        [&(packed.len() as u32).to_le_bytes()[..], &(plain.len() as u32).to_le_bytes(), &packed].concat()
    };
    plain.chunks(size).flat_map(chunk).collect()
}

/// The method of a packed member.
const PACKED: u32 = 0x4370_7273;

/// Members by their names, every second one of them packed; with a prefix and the hash.
pub fn pbo(members: &[(&str, &[u8])]) -> Vec<u8> {
    let header =
        |name: &str, numbers: [u32; 5]| [name.as_bytes(), &[0], numbers.map(u32::to_le_bytes).as_flattened()].concat();
    let packed = |bytes: &[u8]| {
        let sum = bonebox::formats::lzss::sums(bytes).0;
        [bonebox::formats::lzss::encode(bytes), sum.to_le_bytes().to_vec()].concat()
    };
    let mut file = header("", [0x5665_7273, 0, 0, 0, 0]);
    file.extend(b"prefix\0bone\0\0");
    let mut data = Vec::new();
    for (at, (name, bytes)) in members.iter().enumerate() {
        let is_packed = at % 2 == 1;
        let stored = if is_packed { packed(bytes) } else { bytes.to_vec() };
        let method = if is_packed { PACKED } else { 0 };
        file.extend(header(name, [method, bytes.len() as u32, 0, 0x6000_0000, stored.len() as u32]));
        data.extend(stored);
    }
    file.extend(header("", [0; 5]));
    file.extend(data);
    let hash = sha1::Sha1::digest(&file);
    file.push(0);
    file.extend(hash);
    file
}
