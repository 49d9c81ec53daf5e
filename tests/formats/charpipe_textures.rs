//! TPL and TEX: known pixels in every format, what headers say, what is damaged, and no byte left unread.

use crate::kit::{
    self,
    open::{Loading, Opened, open, picture_in},
    remains::Remains,
};
use bonebox::{
    bytes::Limits,
    formats::{
        Content, Diagnostic, EntryId, ReadError,
        charpipe::encode::{Block, Texture, encode_block, encode_tex, encode_tpl},
        coverage::coverage,
        gx::encode::TextureFormat,
    },
    scene::{Image, Picture},
};
use std::sync::Arc;

fn textures(opened: &Opened) -> Vec<EntryId> {
    opened.document.outline().entries().iter().filter(|e| e.class == "Texture").map(|e| e.id).collect()
}

/// The picture of an entry within limits, and what was found on the way.
fn load_within(opened: &Opened, entry: EntryId, limits: Limits) -> (Result<Arc<Picture>, ReadError>, Vec<Diagnostic>) {
    let loading = Loading { name: &opened.name, limits, ..Loading::default() };
    let (asset, found) = loading.load(opened.document.as_ref(), entry);
    (asset.map(picture_in), found)
}

/// The picture of a texture that nothing is amiss with.
fn picture(opened: &Opened, index: usize) -> Arc<Picture> {
    let (picture, found) = load_within(opened, textures(opened)[index], Limits::default());
    assert_eq!(found, [], "{}", opened.name);
    picture.unwrap()
}

/// All that a picture shows.
fn pixels(picture: &Picture) -> Vec<&[u8]> {
    picture.forms.iter().flat_map(|form| &form.mips).map(|mip| &mip.rgba[..]).collect()
}

fn pixel(image: &Image, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * image.width + x) * 4) as usize;
    image.rgba[at..at + 4].try_into().unwrap()
}

/// A block of nothing but textures.
fn block_of(tex: Vec<u8>) -> Vec<u8> {
    let gpl = [12_012_000_u32, 0, 0, 0, 0x14].into_iter().flat_map(u32::to_be_bytes).collect();
    encode_block(&Block { gpl, tex, ..Block::default() })
}

/// Left and right half of a picture: what goes in and what must come out.
const GREY: [[u8; 4]; 2] = [[255; 4], [85, 85, 85, 85]];
const GREY_ALPHA: [[u8; 4]; 2] = [[255, 255, 255, 255], [85, 85, 85, 170]];
const OPAQUE: [[u8; 4]; 2] = [[255, 0, 0, 255], [0, 0, 255, 255]];
/// Three bits of alpha: 3 is 0b011_011_01.
const FEW_ALPHA: [[u8; 4]; 2] = [[255, 0, 255, 255], [85, 0, 255, 109]];
const ANY: [[u8; 4]; 2] = [[1, 2, 3, 4], [250, 251, 252, 253]];

fn cases() -> Vec<(TextureFormat, u8, [[u8; 4]; 2], &'static str)> {
    use TextureFormat as F;
    let mut cases = vec![
        (F::I4, 0, GREY, "I4"),
        (F::I8, 0, GREY, "I8"),
        (F::Ia4, 0, GREY_ALPHA, "IA4"),
        (F::Ia8, 0, GREY_ALPHA, "IA8"),
        (F::Rgb565, 0, OPAQUE, "RGB565"),
        (F::Rgb5a3, 0, FEW_ALPHA, "RGB5A3"),
        (F::Rgba8, 0, ANY, "RGBA8"),
        (F::Cmpr, 0, OPAQUE, "CMPR"),
    ];
    for (format, name) in [(F::C4, "C4"), (F::C8, "C8"), (F::C14x2, "C14X2")] {
        cases.extend([(format, 0, GREY_ALPHA, name), (format, 1, OPAQUE, name), (format, 2, FEW_ALPHA, name)]);
    }
    cases
}

fn made() -> Vec<Texture> {
    let texture = |(format, palette_format, [left, right], _): (TextureFormat, u8, [[u8; 4]; 2], &str)| {
        let rgba = (0..16 * 16).flat_map(|at| if at % 16 < 8 { left } else { right }).collect();
        Texture { levels: 2, palette_format, min_filter: 5, ..Texture::new(format, 16, 16, rgba) }
    };
    cases().into_iter().map(texture).collect()
}

#[test]
fn every_format_through_both_layouts() {
    for (file, bytes) in [("made.tpl", encode_tpl(&made())), ("made.model", block_of(encode_tex(&made())))] {
        let opened = open(file, bytes);
        let found: Vec<_> = opened.diagnostics.iter().filter(|d| d.code.contains("texture")).collect();
        assert!(found.is_empty(), "{file}: {found:?}");
        let entries = textures(&opened);
        assert_eq!(entries.len(), cases().len());
        for (index, (_, palette_format, [left, right], name)) in cases().into_iter().enumerate() {
            let about = format!("{file} {name} {palette_format}");
            assert_eq!(opened.document.outline().get(entries[index]).unwrap().content, Content::Image);
            let picture = picture(&opened, index);
            let [form] = picture.forms.as_slice() else { panic!("{about}") };
            let sizes: Vec<_> = form.mips.iter().map(|mip| (mip.width, mip.height)).collect();
            assert_eq!((form.name.as_str(), sizes), (name, vec![(16, 16), (8, 8)]), "{about}");
            for mip in &form.mips {
                let last = mip.width - 1;
                let seen = [pixel(mip, 0, 0), pixel(mip, last, 0), pixel(mip, last / 2, last), pixel(mip, last, last)];
                assert_eq!(seen, [left, right, left, right], "{about}");
            }
            assert_eq!(picture.palette.is_some(), name.starts_with('C') && name != "CMPR", "{about}");
        }
        let read = coverage(opened.document.as_ref());
        let is_known = |entry| opened.document.outline().get(entry).unwrap().name == "GPL";
        let unread: Vec<_> = read.unread.iter().filter(|s| !is_known(s.entry)).collect();
        assert!(unread.is_empty() && read.doubled.is_empty(), "{file}: {unread:?} {:?}", read.doubled);
    }
}

#[test]
fn a_header_s_own_settings_are_told() {
    let texture = Texture { wrap: [0, 2], min_filter: 5, lod_bias: -0.75, ..made().remove(0) };
    let loose = picture(&open("made.tpl", encode_tpl(std::slice::from_ref(&texture))), 0);
    let fact = |name: &str| loose.facts.iter().find(|(n, _)| n == name).unwrap().1.clone();
    assert_eq!((fact("Wrap S, T"), fact("LOD bias")), ("CLAMP, MIRROR".to_owned(), "-0.75".to_owned()));
    assert_eq!((fact("Mip levels"), fact("LOD")), ("2".to_owned(), "0 to 1".to_owned()));
    let packed = picture(&open("made.model", block_of(encode_tex(&[texture]))), 0);
    assert_eq!(packed.facts[0], ("Min filter".to_owned(), "LIN_MIP_LIN".to_owned()));
}

#[test]
fn the_corpus_s_textures() {
    for name in ["arm_sdk.tpl", "arm_full.model", "arm_sdk.model", "arm_min.model"] {
        let opened = open(name, std::fs::read(kit::data().join("charpipe").join(name)).unwrap());
        assert_eq!(textures(&opened).len(), 2, "{name}");
        let checks = picture(&opened, 0);
        let image = checks.image().unwrap();
        // 0xC9E2: 25 of 31, 15 of 63, 2 of 31.
        assert_eq!((image.width, image.height, pixel(image, 0, 0)), (8, 8, [206, 60, 16, 255]), "{name}");
        assert_eq!(pixel(image, 4, 0), [255; 4], "{name}");
        assert_eq!(picture(&opened, 1).forms[0].name, "CMPR", "{name}");
    }
}

/// A TPL of three RGB565 pictures; the table is at 12, the second header at `SECOND`.
fn three() -> Vec<u8> {
    let rgba = [10, 200, 90, 255].repeat(64);
    encode_tpl(&[1, 2, 3].map(|_| Texture::new(TextureFormat::Rgb565, 8, 8, rgba.clone())))
}
const SECOND: usize = 12 + 3 * 8 + 0x24;

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_be_bytes());
}

#[test]
fn damage_to_one_texture_is_said_of_it_and_leaves_the_others() {
    let bad = "charpipe.bad-texture";
    let unknown = "charpipe.unknown-texture-code";
    let damages: [(usize, u32, &str, &str); 7] = [
        (12 + 8, 0xFFFF_FFF0, bad, "20: the texture header is outside the section"),
        (SECOND, 8, bad, "72: empty image (8 × 0 pixels)"),
        (SECOND, 8 << 16, bad, "72: empty image (0 × 8 pixels)"),
        (SECOND, 0xFFFF_FFFF, "", "72: the image size of 65535 × 65535 pixels is over the limit"),
        (SECOND + 4, 7, unknown, "72: unknown texture format 7"),
        // Beyond a byte.
        (SECOND + 4, 0x0100_0004, unknown, "72: unknown texture format 255"),
        (SECOND + 8, 0x7FFF_FFFF, bad, "72: 8 × 8 pixels in RGB565 need 128 bytes, but only 0 bytes were found"),
    ];
    for (at, word, code, what) in damages {
        let mut bytes = three();
        put(&mut bytes, at, word);
        let opened = open("made.tpl", bytes);
        let expected: Vec<&str> = [code].into_iter().filter(|c| !c.is_empty()).collect();
        assert_eq!(opened.codes(), expected, "{what}: {:?}", opened.diagnostics);
        let of_it = opened.diagnostics.iter().all(|d| d.message.starts_with("texture 1: "));
        assert!(of_it, "{what}: {:?}", opened.diagnostics);
        let error = load_within(&opened, textures(&opened)[1], Limits::default()).0.unwrap_err();
        assert_eq!(error.to_string(), format!("texture 1: at offset {what}"));
        for other in [0, 2] {
            assert_eq!(picture(&opened, other).image().unwrap().width, 8, "{what}");
        }
        assert_eq!(coverage(opened.document.as_ref()).doubled, [], "{what}");
    }
}

#[test]
fn what_is_partly_there_is_shown_as_far_as_it_goes() {
    let mut bytes = three();
    bytes.truncate(bytes.len() - 32);
    let opened = open("made.tpl", bytes);
    let (picture, found) = load_within(&opened, textures(&opened)[2], Limits::default());
    let (picture, messages): (_, Vec<String>) = (picture.unwrap(), found.into_iter().map(|d| d.message).collect());
    assert_eq!(messages, ["texture 2: the last 32 bytes of image 0 are missing"]);
    assert_eq!(pixel(picture.image().unwrap(), 7, 7), [0; 4]);
    assert_eq!(pixel(picture.image().unwrap(), 0, 0)[3], 255);
}

#[test]
fn huge_counts_are_said_and_cost_nothing() {
    let mut tpl = three();
    put(&mut tpl, 4, 0xFFFF_FFFF);
    let opened = open("made.tpl", tpl);
    assert!(opened.codes().contains(&"charpipe.bad-texture-table"), "{:?}", opened.diagnostics);
    assert_eq!(picture(&opened, 0).image().unwrap().width, 8);
    let mut tex = encode_tex(&made()[..2]);
    tex[..2].copy_from_slice(&[0xFF, 0xFF]);
    let opened = open("made.model", block_of(tex));
    assert!(opened.codes().contains(&"charpipe.bad-texture-table"), "{:?}", opened.diagnostics);
    assert_eq!(picture(&opened, 0).image().unwrap().width, 16);
    // A table at the very end, or in the header.
    for table in [0, 4, 0x7FFF_FFFF] {
        let mut bytes = three();
        put(&mut bytes, 8, table);
        let opened = open("made.tpl", bytes);
        assert_eq!((opened.codes(), textures(&opened).len()), (vec!["charpipe.bad-texture-table"], 0), "{table}");
    }
}

#[test]
fn limits_hold_and_any_cut_opens() {
    let bytes = encode_tpl(&made());
    let opened = open("made.tpl", bytes.as_slice());
    for (limits, what) in [
        (Limits { image_side: 15, ..Limits::default() }, "the image size of 16 × 16 pixels is over the limit"),
        (
            Limits { decoded_bytes: 1000, ..Limits::default() },
            "the decoded textures of the file exceed the memory limit",
        ),
    ] {
        for entry in textures(&opened) {
            assert_eq!(load_within(&opened, entry, limits).0.unwrap_err().message, what);
        }
    }
    let wholes: Vec<Arc<Picture>> = (0..made().len()).map(|index| picture(&opened, index)).collect();
    // Header by header, then the palettes and pixels of one texture after the other.
    let mut shown_before = 0;
    for cut in (12..bytes.len()).step_by(7) {
        let left = Remains::of("made.tpl", &bytes[..cut]).unwrap();
        left.assert_read_once();
        // The first ones, more and more of them.
        let shown = left.shown.len();
        assert!(shown >= shown_before, "{cut}: {shown}");
        shown_before = shown;
        for ((entry, asset), whole) in left.shown.iter().zip(&wholes) {
            // A picture of which something is missing says so.
            let is_cut = left.file.diagnostics.iter().any(|d| d.entry == Some(*entry));
            assert!(is_cut || pixels(&picture_in(asset.clone())) == pixels(whole), "{cut}: {entry:?}");
        }
        for why in left.refused {
            let is_known = ["the texture header is outside the section", "the palette is outside the file", " found"]
                .iter()
                .any(|end| why.message.ends_with(end));
            assert!(is_known, "{cut}: {why}");
        }
    }
    assert_eq!(shown_before, wholes.len());
}

/// Two entries of the table may lead to the same header, and two headers to the same pixels.
#[test]
fn shared_headers_and_pixels_are_claimed_once() {
    let mut bytes = three();
    let first = u32::from_be_bytes(bytes[12..16].try_into().unwrap());
    put(&mut bytes, 12 + 8, first);
    let pixels = u32::from_be_bytes(bytes[first as usize + 8..][..4].try_into().unwrap());
    put(&mut bytes, SECOND + 0x24 + 8, pixels);
    let opened = open("made.tpl", bytes);
    assert_eq!(opened.diagnostics, []);
    assert_eq!(coverage(opened.document.as_ref()).doubled, []);
    for index in 0..3 {
        assert_eq!(picture(&opened, index).image().unwrap().rgba.len(), 256);
    }
}
