//! TPL and TEX: known pixels in every format, what headers say, what is damaged, and no byte left unread.

use crate::kit;
use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Content, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NoFiles, OpenContext,
        charpipe::encode::{Block, Texture, encode_block, encode_tex, encode_tpl},
        coverage,
        gx::encode::TextureFormat,
    },
    scene::{Image, Picture},
};
use std::sync::{Arc, atomic::AtomicBool};

type Opened = (Box<dyn Document>, Vec<(&'static str, String)>);

fn open(name: &str, bytes: Vec<u8>) -> Opened {
    let mut diagnostics = Diagnostics::new(50);
    let resolver = Arc::new(NoFiles);
    let mut cx = OpenContext {
        file: name,
        resolver,
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::from(bytes), &mut cx).unwrap();
    (document, told(diagnostics))
}

fn told(diagnostics: Diagnostics) -> Vec<(&'static str, String)> {
    diagnostics.finish().into_iter().map(|d| (d.code, d.message.clone())).collect()
}

fn textures(document: &dyn Document) -> Vec<EntryId> {
    document.outline().entries().iter().filter(|e| e.class == "Texture").map(|e| e.id).collect()
}

fn load(document: &dyn Document, entry: EntryId, limits: Limits) -> Result<(Arc<Picture>, Vec<String>), String> {
    let mut diagnostics = Diagnostics::new(50);
    let mut cx = LoadContext {
        file: "made",
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &AtomicBool::new(false),
    };
    match document.load(entry, &mut cx).map_err(|error| error.to_string())? {
        Asset::Picture(picture) => Ok((picture, told(diagnostics).into_iter().map(|(_, message)| message).collect())),
        _ => panic!("no picture"),
    }
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
        let (document, found) = open(file, bytes);
        assert_eq!(found.iter().filter(|(code, _)| code.contains("texture")).count(), 0, "{file}: {found:?}");
        let entries = textures(document.as_ref());
        assert_eq!(entries.len(), cases().len());
        for (entry, (_, palette_format, [left, right], name)) in entries.into_iter().zip(cases()) {
            let about = format!("{file} {name} {palette_format}");
            assert_eq!(document.outline().get(entry).unwrap().content, Content::Image);
            let (picture, problems) = load(document.as_ref(), entry, Limits::default()).unwrap();
            assert_eq!(problems, Vec::<String>::new(), "{about}");
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
        let coverage = coverage::coverage(document.as_ref());
        let unread: Vec<_> =
            coverage.unread.iter().filter(|s| document.outline().get(s.entry).unwrap().name != "GPL").collect();
        assert!(unread.is_empty() && coverage.doubled.is_empty(), "{file}: {unread:?} {:?}", coverage.doubled);
    }
}

#[test]
fn a_header_s_own_settings_are_told() {
    let texture = Texture { wrap: [0, 2], min_filter: 5, lod_bias: -0.75, ..made().remove(0) };
    let (document, _) = open("made.tpl", encode_tpl(std::slice::from_ref(&texture)));
    let (picture, _) = load(document.as_ref(), textures(document.as_ref())[0], Limits::default()).unwrap();
    let fact = |name: &str| picture.facts.iter().find(|(n, _)| n == name).unwrap().1.clone();
    assert_eq!((fact("Wrap S, T"), fact("LOD bias")), ("CLAMP, MIRROR".to_owned(), "-0.75".to_owned()));
    assert_eq!((fact("Images"), fact("LOD")), ("2".to_owned(), "0 to 1".to_owned()));
    let (document, _) = open("made.model", block_of(encode_tex(&[texture])));
    let (picture, _) = load(document.as_ref(), textures(document.as_ref())[0], Limits::default()).unwrap();
    assert_eq!(picture.facts[0], ("Smaller".to_owned(), "LIN_MIP_LIN".to_owned()));
}

#[test]
fn the_corpus_s_textures() {
    let Some(folder) = kit::corpus().map(|corpus| corpus.join("charpipe")) else { return };
    for name in ["arm_sdk.tpl", "arm_full.model", "arm_sdk.model", "arm_min.model"] {
        let (document, _) = open(name, std::fs::read(folder.join(name)).unwrap());
        let entries = textures(document.as_ref());
        assert_eq!(entries.len(), 2, "{name}");
        let (checks, _) = load(document.as_ref(), entries[0], Limits::default()).unwrap();
        let image = checks.image().unwrap();
        // 0xC9E2: 25 of 31, 15 of 63, 2 of 31.
        assert_eq!((image.width, image.height, pixel(image, 0, 0)), (8, 8, [206, 60, 16, 255]), "{name}");
        assert_eq!(pixel(image, 4, 0), [255; 4], "{name}");
        let (blocks, problems) = load(document.as_ref(), entries[1], Limits::default()).unwrap();
        assert_eq!((blocks.forms[0].name.as_str(), problems.len()), ("CMPR", 0), "{name}");
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
    let damages: [(&str, usize, u32, &str); 7] = [
        ("its header outside", 12 + 8, 0xFFFF_FFF0, "charpipe.bad-texture"),
        ("no height", SECOND, 8, "charpipe.bad-texture"),
        ("no width", SECOND, 8 << 16, "charpipe.bad-texture"),
        ("too large for its bytes", SECOND, 0xFFFF_FFFF, ""),
        ("no format", SECOND + 4, 7, "charpipe.unknown-texture-code"),
        ("a format beyond a byte", SECOND + 4, 0x0100_0004, "charpipe.unknown-texture-code"),
        ("its pixels outside", SECOND + 8, 0x7FFF_FFFF, "charpipe.bad-texture"),
    ];
    for (what, at, word, code) in damages {
        let mut bytes = three();
        put(&mut bytes, at, word);
        let (document, found) = open("made.tpl", bytes);
        let codes: Vec<_> = found.iter().map(|(code, _)| *code).filter(|code| !code.is_empty()).collect();
        assert_eq!(codes, [code].into_iter().filter(|c| !c.is_empty()).collect::<Vec<_>>(), "{what}: {found:?}");
        assert!(found.iter().all(|(_, message)| message.starts_with("texture 1: ")), "{what}: {found:?}");
        let entries = textures(document.as_ref());
        assert!(load(document.as_ref(), entries[1], Limits::default()).is_err(), "{what}");
        for other in [entries[0], entries[2]] {
            let (picture, problems) = load(document.as_ref(), other, Limits::default()).unwrap();
            assert_eq!((problems.len(), picture.image().unwrap().width), (0, 8), "{what}");
        }
        assert!(coverage::coverage(document.as_ref()).doubled.is_empty(), "{what}");
    }
}

#[test]
fn what_is_partly_there_is_shown_as_far_as_it_goes() {
    let mut bytes = three();
    bytes.truncate(bytes.len() - 32);
    let (document, _) = open("made.tpl", bytes);
    let (picture, problems) = load(document.as_ref(), textures(document.as_ref())[2], Limits::default()).unwrap();
    assert_eq!(problems, ["texture 2: the last 32 bytes of its image 0 are missing"]);
    assert_eq!(pixel(picture.image().unwrap(), 7, 7), [0; 4]);
    assert_eq!(pixel(picture.image().unwrap(), 0, 0)[3], 255);
}

#[test]
fn huge_counts_are_said_and_cost_nothing() {
    let mut tpl = three();
    put(&mut tpl, 4, 0xFFFF_FFFF);
    let (document, found) = open("made.tpl", tpl);
    assert!(found.iter().any(|(code, _)| *code == "charpipe.bad-texture-table"), "{found:?}");
    let (picture, _) = load(document.as_ref(), textures(document.as_ref())[0], Limits::default()).unwrap();
    assert_eq!(picture.image().unwrap().width, 8);
    let mut tex = encode_tex(&made()[..2]);
    tex[..2].copy_from_slice(&[0xFF, 0xFF]);
    let (document, found) = open("made.model", block_of(tex));
    assert!(found.iter().any(|(code, _)| *code == "charpipe.bad-texture-table"), "{found:?}");
    assert!(load(document.as_ref(), textures(document.as_ref())[0], Limits::default()).is_ok());
    // A table at the very end, or in the header.
    for table in [0, 4, 0x7FFF_FFFF] {
        let mut bytes = three();
        put(&mut bytes, 8, table);
        let (document, found) = open("made.tpl", bytes);
        assert_eq!((found[0].0, textures(document.as_ref()).len()), ("charpipe.bad-texture-table", 0));
    }
}

#[test]
fn limits_hold_and_any_cut_opens() {
    let bytes = encode_tpl(&made());
    let (document, _) = open("made.tpl", bytes.clone());
    for limits in [Limits { image_side: 15, ..Limits::default() }, Limits { decoded_bytes: 1000, ..Limits::default() }]
    {
        for entry in textures(document.as_ref()) {
            assert!(load(document.as_ref(), entry, limits).is_err());
        }
    }
    for cut in (12..bytes.len()).step_by(7) {
        let (document, _) = open("made.tpl", bytes[..cut].to_vec());
        for entry in textures(document.as_ref()) {
            let _ = load(document.as_ref(), entry, Limits::default());
        }
        assert!(coverage::coverage(document.as_ref()).doubled.is_empty(), "{cut}");
    }
}

/// Two entries of the table may lead to the same header, and two headers to the same pixels.
#[test]
fn shared_headers_and_pixels_are_claimed_once() {
    let mut bytes = three();
    let first = u32::from_be_bytes(bytes[12..16].try_into().unwrap());
    put(&mut bytes, 12 + 8, first);
    let pixels = u32::from_be_bytes(bytes[first as usize + 8..][..4].try_into().unwrap());
    put(&mut bytes, SECOND + 0x24 + 8, pixels);
    let (document, found) = open("made.tpl", bytes);
    assert_eq!(found, []);
    assert!(coverage::coverage(document.as_ref()).doubled.is_empty());
    for entry in textures(document.as_ref()) {
        let (picture, _) = load(document.as_ref(), entry, Limits::default()).unwrap();
        assert_eq!(picture.image().unwrap().rgba.len(), 256);
    }
}
