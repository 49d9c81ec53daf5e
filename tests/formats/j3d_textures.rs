//! TEX1 and BTI: known pixels, headers that share them, what is missing, and no byte left unread.

use crate::kit::{
    self, j3d,
    open::{Loading, Opened, clip_in, codes, open, open_whole, picture_in},
};
use bonebox::{
    bytes::Limits,
    formats::{Content, EntryId, coverage::coverage},
    scene::{Clip, Picture},
};
use std::sync::Arc;

fn picture(name: &str, bytes: Vec<u8>) -> Arc<Picture> {
    picture_in(open(name, bytes).asset(EntryId::FILE))
}

fn own(name: &str) -> Vec<u8> {
    std::fs::read(j3d::own().join(name)).unwrap()
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    let image = picture.image().unwrap();
    let at = ((y * image.width + x) * 4) as usize;
    image.rgba[at..at + 4].try_into().unwrap()
}

#[test]
fn textures_of_their_own_show_their_pixels_and_what_the_header_says() {
    let bytes = own("tex_grad.bti");
    let grad = picture("tex_grad.bti", bytes.clone());
    let image = grad.image().unwrap();
    assert_eq!((image.width, image.height, image.stored_as.as_str()), (16, 16, "I8"));
    // Tiles of 8 × 4, one after the other.
    for (x, y, at) in [(0, 0, 0), (1, 0, 1), (8, 0, 32), (0, 1, 8), (0, 4, 64), (15, 15, 255)] {
        let v = bytes[0x20 + at];
        assert_eq!(pixel(&grad, x, y), [v; 4], "{x} {y}");
    }
    let fact = |name: &str| grad.facts.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    assert_eq!(fact("Wrap S, T"), Some("REPEAT, REPEAT"));
    assert_eq!(fact("Min and mag filter"), Some("LINEAR, LINEAR"));

    let paletted = picture("tex_pal8.bti", own("tex_pal8.bti"));
    assert_eq!(paletted.form().unwrap().name, "C8");
    let colors = &paletted.palette.as_ref().unwrap().colors;
    let bytes = own("tex_pal8.bti");
    assert_eq!(colors.len(), 8);
    assert_eq!(pixel(&paletted, 3, 2), colors[usize::from(bytes[0x40 + 2 * 8 + 3])]);
    // RGB5A3, opaque: five bits each, replicated by hand.
    let word = u16::from_be_bytes([bytes[0x22], bytes[0x23]]);
    let five = |v: u16| ((v & 31) << 3 | (v & 31) >> 2) as u8;
    assert_eq!(colors[1], [five(word >> 10), five(word >> 5), five(word), 255]);
}

/// The clip of a whole file, on whose way nothing is found.
fn clip_of(opened: &Opened) -> Arc<Clip> {
    let (clip, found) = opened.load(EntryId::FILE);
    assert_eq!(found, []);
    clip_in(clip.unwrap())
}

#[test]
fn the_textures_of_a_material_set_are_entries_and_its_own() {
    let opened = open("arm.bmt", own("arm.bmt"));
    assert_eq!(opened.diagnostics, []);
    let names: Vec<_> = opened.document.outline().with_content(Content::Image).map(|e| e.path()).collect();
    assert_eq!(names, ["TEX1/grad", "TEX1/cmpr", "TEX1/rgb5a3", "TEX1/pal8"]);
    let clip = clip_of(&opened);
    let set = clip.material_set.as_ref().unwrap();
    assert_eq!((clip.name.as_str(), set.materials.len()), ("arm", 2));
    let textures = set.textures.as_ref().unwrap();
    // The same pixels as in files of their own.
    for (texture, name) in textures.iter().zip(["tex_grad.bti", "tex_cmpr.bti", "tex_rgb5a3.bti", "tex_pal8.bti"]) {
        assert_eq!(texture.mips[0].rgba, picture(name, own(name)).image().unwrap().rgba, "{name}");
    }
}

#[test]
fn every_byte_is_a_field_once() {
    let mut files: Vec<(String, Vec<u8>)> =
        ["arm.bmt", "tex_grad.bti", "tex_cmpr.bti", "tex_rgb5a3.bti", "tex_pal8.bti"]
            .map(|n| (n.to_owned(), own(n)))
            .into();
    if let Some(corpus) = kit::corpus_beside() {
        let bti =
            kit::files_below(&corpus.join("j3d/ddd")).into_iter().filter(|p| p.extension().is_some_and(|e| e == "bti"));
        files.extend(bti.map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&p).unwrap())));
        assert_eq!(files.len(), 10);
    }
    for (name, bytes) in files {
        let opened = open_whole(&name, bytes);
        let allowed = opened.document.format().opaque;
        let opaque = coverage(opened.document.as_ref()).opaque;
        assert!(opaque.iter().all(|span| allowed.iter().any(|(n, _)| *n == span.name)), "{name}");
        assert_eq!(opened.diagnostics, [], "{name}");
    }
}

/// The first header of arm.bmt's TEX1.
const FIRST: usize = 0x6E0 + 0x20;

#[test]
fn headers_may_share_pixels_and_have_none() {
    let mut bytes = own("arm.bmt");
    // The second header becomes the first, 0x20 bytes further on; the third has no pixels.
    let header: Vec<u8> = bytes[FIRST..FIRST + 0x20].to_vec();
    bytes[FIRST + 0x20..FIRST + 0x40].copy_from_slice(&header);
    bytes[FIRST + 0x3F] -= 0x20;
    bytes[FIRST + 0x5C..FIRST + 0x60].fill(0);
    let opened = open("arm.bmt", bytes);
    let clip = clip_of(&opened);
    let textures = clip.material_set.as_ref().unwrap().textures.clone().unwrap();
    assert_eq!(textures[0].mips[0].rgba, textures[1].mips[0].rgba);
    assert_eq!((textures[1].mips[0].name.as_str(), textures[2].mips.len()), ("cmpr", 0));
    assert_eq!(coverage(opened.document.as_ref()).doubled, []);
}

#[test]
fn what_cannot_be_decoded_is_said() {
    let whole = own("arm.bmt");
    let damaged = |change: &dyn Fn(&mut Vec<u8>), limits: Limits| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        let opened = open("arm.bmt", bytes);
        let loading = Loading { name: "arm.bmt", limits, ..Loading::default() };
        let (_, found) = loading.load(opened.document.as_ref(), EntryId::FILE);
        [opened.codes(), codes(&found)].concat()
    };
    let limits = Limits::default();
    assert_eq!(damaged(&|b| b[FIRST] = 7, limits), ["j3d.unknown-code", "j3d.bad-texture"]);
    assert_eq!(damaged(&|b| b[FIRST + 2] = 0xFF, limits), ["j3d.bad-texture"], "65,296 pixels wide");
    assert_eq!(damaged(&|b| b[FIRST + 0x1C] = 0x7F, limits), ["j3d.bad-texture"], "pixels outside the file");
    assert_eq!(damaged(&|b| b[FIRST + 0x6C] = 0x7F, limits), ["j3d.bad-texture"], "a palette outside the file");
    assert_eq!(
        damaged(&|_| (), Limits { decoded_bytes: 1500, ..limits }),
        ["j3d.bad-texture"; 2],
        "the second and the last"
    );
    assert_eq!(damaged(&|_| (), limits), [] as [&str; 0]);
}
