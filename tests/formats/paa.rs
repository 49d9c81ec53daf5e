//! Textures of Bohemia's games: made files, damage, and what the corpus expects of each.

use crate::kit::{
    self,
    damages::each_damage,
    open::{Loading, Opened, Opening, open, open_whole, picture_in, refusal},
    paa::{Paa, RED_AND_BLUE, lzss, rich},
    sha1::sha1,
};
use bonebox::{
    bytes::{Limits, Source},
    formats::{Content, EntryId, LoadOptions, Role, paa},
    scene::{BlockKind, Image, Picture, StoredPixels},
};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

fn picture(opened: &Opened) -> Arc<Picture> {
    picture_in(opened.asset(EntryId::FILE))
}

fn first_pixels(picture: &Picture, count: usize) -> &[u8] {
    &picture.image().unwrap().rgba[..count * 4]
}

#[test]
fn mips_are_decoded_and_every_byte_has_a_name() {
    let opened = open_whole("bone_co.paa", rich());
    let file = opened.document.outline().get(EntryId::FILE).unwrap();
    assert_eq!((file.content, file.role, &*file.class), (Content::Image, Role::Texture, "PAA texture"));
    let header = opened.document.ask(EntryId::FILE, |can, entry| can.facts?.texture_header(entry)).unwrap();
    assert_eq!((header.width, header.height, &*header.pixel_format, header.image_count), (8, 8, "DXT1", 2));
    let picture = picture(&opened);
    let form = picture.form().unwrap();
    let sizes: Vec<_> = form.mips.iter().map(|mip| (mip.width, mip.height, mip.rgba[0])).collect();
    assert_eq!((sizes, form.name.as_str(), picture.name.as_str()), (vec![(8, 8, 255), (4, 4, 255)], "DXT1", "bone_co"));
    assert!(matches!(&form.stored, StoredPixels::Blocks { kind: BlockKind::Bc1, mips } if *mips[1] == RED_AND_BLUE));
    // Cut out, as FLAG says; alpha counts for nothing else.
    assert_eq!((picture.masked, form.has_alpha), (true, false));
    let fact = |name: &str| picture.facts.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    assert_eq!((fact("Usage"), fact("Alpha"), fact("Channels")), (Some("colour"), Some("cutout"), None));
    assert_eq!(fact("Average colour"), Some("10 20 30 255"));
    let options = LoadOptions { first_image_only: true, ..LoadOptions::default() };
    let (first, _) = Loading { name: "a.paa", options, ..Loading::default() }.load(&*opened.document, EntryId::FILE);
    let first = picture_in(first.unwrap());
    assert_eq!((first.form().unwrap().mips.len(), first.forms.len()), (1, 1));
}

#[test]
fn channels_that_travel_in_others_are_shown_and_kept() {
    let pixel = 0x4B8C_u16.to_le_bytes().repeat(4);
    let file = Paa::of(0x4444).tag(b"SWIZ", &[5, 4, 2, 3]).palette(&[]).mip(2, 2, &pixel).end();
    let picture = picture(&open_whole("bone_nohq.paa", file));
    // Stored: alpha 44h, red BBh, green 88h, blue CCh.
    assert_eq!(first_pixels(&picture, 1), [255 - 0x44, 0x88, 0xCC, 255 - 0xBB]);
    let stored = &picture.forms[1];
    assert_eq!(
        (stored.name.as_str(), &stored.mips[0].rgba[..4]),
        ("ARGB4444 as stored", &[0xBB, 0x88, 0xCC, 0x44][..])
    );
    let file = Paa::of(0xFF01).tag(b"SWIZ", &[5, 4, 2, 3]).palette(&[]).mip(4, 4, &RED_AND_BLUE).end();
    let picture = self::picture(&open_whole("a.paa", file));
    assert_eq!(first_pixels(&picture, 1), [0, 0, 0, 0], "255 − alpha, green, blue, 255 − red");
    assert!(matches!(picture.forms[0].stored, StoredPixels::Decoded));
    assert!(matches!(picture.forms[1].stored, StoredPixels::Blocks { .. }));
}

#[test]
fn files_without_a_kind_are_what_their_names_say() {
    let palette = || Paa::default().palette(&[[1, 2, 3], [255, 0, 255]]);
    let numbers = [0, 1, 0, 0];
    let runs = [0, 0, 0, 1, 0x81, 0];
    let picture = picture(&open_whole("a.pac", palette().mip(2, 2, &runs).end()));
    assert_eq!(first_pixels(&picture, 2), [3, 2, 1, 255, 255, 0, 255, 0]);
    assert!(picture.masked && picture.palette.as_ref().unwrap().colors.len() == 2);
    assert!(matches!(&picture.forms[0].stored, StoredPixels::Indices(mips) if *mips[0] == numbers));
    // LZSS, with the sizes after a mark.
    let mut packed = palette();
    packed.0.extend([1234_u16, 8765].map(u16::to_le_bytes).as_flattened());
    let packed = packed.mip(2, 2, &lzss(&numbers)).end();
    assert_eq!(first_pixels(&self::picture(&open_whole("b.pac", packed)), 1), [3, 2, 1, 255]);
    assert!(refusal("a.paa", palette().mip(2, 2, &runs).end()).contains("not a valid .paa file"));
    let old = Paa::default().palette(&[]).mip(1, 2, &[0x34, 0x12, 0, 0]).end();
    assert_eq!(first_pixels(&self::picture(&open_whole("a.PAA", old.clone())), 1), [0x22, 0x33, 0x44, 0x11]);
    assert!(refusal("a.dat", old).contains("Bonebox does not support .dat files"));
    // With tags it is known by any name, and with a kind.
    let tagged = Paa::default().tag(b"AVGC", &[0; 4]).palette(&[]).mip(1, 1, &[0; 2]).end();
    assert_eq!(open("a.dat", tagged).document.format().id, "paa");
    let plain = Paa::of(0xFF01).palette(&[]).mip(4, 4, &RED_AND_BLUE).end();
    assert_eq!(open("a.dat", plain).document.format().id, "paa");
}

#[test]
fn a_mip_that_is_lost_leaves_the_others() {
    let cut = Paa::of(0xFF01).palette(&[]).mip(8, 8, &RED_AND_BLUE.repeat(4)).mip(4, 4, &RED_AND_BLUE).0;
    let opened = open("a.paa", &cut[..cut.len() - 1]).checked();
    assert_eq!(opened.codes(), ["paa.data-truncated"]);
    let (asset, found) = opened.load(EntryId::FILE);
    assert_eq!((picture_in(asset.unwrap()).forms[0].mips.len(), found.len()), (1, 0));
    // The first one is too large, and the second is shown.
    let large = Paa::of(0xFF01).palette(&[]).mip(0x7FFC, 0x7FFC, &[0; 8]).mip(4, 4, &RED_AND_BLUE).end();
    let (asset, found) = open("a.paa", large).load(EntryId::FILE);
    assert_eq!((picture_in(asset.unwrap()).image().unwrap().width, found[0].code), (4, "paa.bomb-size"));
    let none = Paa::of(0xFF01).palette(&[]).end();
    assert!(open("a.paa", none).load(EntryId::FILE).0.unwrap_err().message.contains("no mips"));
    assert!(
        refusal("a.paa", Paa::of(0xFF01).tag(b"AVGC", &[0; 4]).palette(&[[0; 3]; 257]).end()).contains("257 colours")
    );
}

#[test]
fn damaged_files_open_or_say_why_not() {
    let palette = Paa::default().palette(&[[1, 2, 3], [255, 0, 255]]).mip(2, 2, &[0, 0, 0, 1, 0x81, 0]).end();
    let old = Paa::of(0x1555).tag(b"SWIZ", &[5, 4, 2, 3]).palette(&[]).mip(4, 4, &lzss(&[9; 32])).end();
    for (name, whole) in [("a.paa", rich()), ("a.pac", palette), ("b.paa", old)] {
        each_damage(&whole, 7, &[u32::MAX, 0x7FFF_FFFF, 0xFFFC_7FFC], |damaged| {
            if let Ok(opened) = Opening::of(name).open(damaged) {
                let opened = opened.checked();
                let _ = opened.load(EntryId::FILE);
                assert!(opened.document.fields(EntryId::FILE).is_ok());
            }
        });
    }
}

#[test]
fn files_of_the_corpus_have_the_pixels_that_are_expected() {
    let Some(corpus) = kit::corpus() else { return };
    let files = kit::files_below(&corpus.join("containers/paa"));
    let mut count = 0;
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "json")) {
        check_file(&path.with_extension(""), &serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
        count += 1;
    }
    assert!(count >= 20, "only {count} files");
}

fn check_file(path: &Path, json: &Value) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let expected: BTreeSet<&str> =
        json["diagnostics"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    let code = |code: &str| code.strip_prefix("paa.").unwrap().replacen('-', ".", 1);
    let bytes = fs::read(path).unwrap();
    assert_eq!(sha1(&bytes), json["sha1"].as_str().unwrap(), "{name}");
    let opened = match Opening::of(name).open(bytes.clone()) {
        Ok(opened) => opened.checked(),
        Err(error) => {
            assert_eq!(json["opens"], false, "{name}: {error}");
            let found = error.code.map_or("unknown.format".to_owned(), code);
            assert_eq!(BTreeSet::from([found.as_str()]), expected, "{name}: {error}");
            return;
        }
    };
    assert_eq!(json["opens"], true, "{name}");
    let found: Vec<String> = opened.codes().into_iter().map(code).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected, "{name}: {:?}", opened.diagnostics);
    let (asset, _) = opened.load(EntryId::FILE);
    if expected.is_empty() {
        opened.assert_read();
        check_structure(name, &bytes, json);
        check_picture(name, &picture_in(asset.unwrap()), json);
    } else if json["mips"].as_array().is_some_and(Vec::is_empty) {
        assert!(asset.is_err(), "{name}: {asset:?}");
    } else if name == "bad_second_mip.paa" {
        assert_eq!(picture_in(asset.unwrap()).forms[0].mips.len(), 1);
    }
}

/// Tags, and the mips as they are stored and unpacked.
fn check_structure(name: &str, bytes: &[u8], json: &Value) {
    let source = Source::from(bytes.to_vec());
    let file = paa::Paa::read(&source, name.ends_with(".pac")).unwrap();
    assert_eq!(file.kind.name(), json["type"].as_str().unwrap(), "{name}");
    let opened = open(name, bytes);
    let fields = opened.document.fields(EntryId::FILE).unwrap().fields;
    let tags: Vec<(&str, String)> = fields
        .iter()
        .filter(|field| field.kind == "tag")
        .map(|field| {
            let data = &bytes[field.offset as usize + 12..(field.offset + field.size) as usize];
            (&*field.name, data.iter().map(|byte| format!("{byte:02x}")).collect())
        })
        .collect();
    let expected = json["taggs"].as_array().unwrap().iter();
    let expected: Vec<_> =
        expected.map(|tag| (tag[0].as_str().unwrap(), tag[1].as_str().unwrap().to_owned())).collect();
    assert_eq!(tags, expected, "{name}");
    let mips = json["mips"].as_array().unwrap();
    assert_eq!(file.mips.len(), mips.len(), "{name}");
    for (mip, expected) in file.mips.iter().zip(mips) {
        let (raw, trouble) = file.unpack(mip, &source, &Limits::default()).unwrap();
        assert!(trouble.is_none(), "{name}: {trouble:?}");
        let number = |key: &str| expected[key].as_u64().unwrap();
        assert_eq!((u64::from(mip.width), u64::from(mip.height)), (number("width"), number("height")), "{name}");
        assert_eq!(mip.stored.end - mip.stored.start, number("stored"), "{name}");
        assert_eq!(
            (raw.len() as u64, sha1(&raw)),
            (number("raw_size"), expected["raw_sha1"].as_str().unwrap().to_owned()),
            "{name}"
        );
    }
}

/// The pixels in the channels that are stored, and those that are shown.
fn check_picture(name: &str, picture: &Picture, json: &Value) {
    let stored = picture.forms.last().unwrap();
    let tolerance = json["tolerance"].as_f64().unwrap();
    let mips = json["mips"].as_array().unwrap();
    assert_eq!(stored.mips.len(), mips.len(), "{name}");
    for (image, expected) in stored.mips.iter().zip(mips) {
        let place = format!("{name} {} × {}", image.width, image.height);
        assert_near(&probe(image), &expected["probe"], tolerance, &place);
        let count = f64::from(image.width * image.height);
        let mean = |channel| image.rgba.iter().skip(channel).step_by(4).map(|v| f64::from(*v)).sum::<f64>() / count;
        // Means are rounded to two places.
        assert_near(&[0, 1, 2, 3].map(mean), &expected["rgba_mean"], tolerance + 0.006, &place);
        if let Some(hash) = expected["rgba_sha1"].as_str() {
            assert_eq!(sha1(&image.rgba), hash, "{place}");
        }
    }
    assert_eq!(picture.forms.len(), if json["swizzled"] == true { 2 } else { 1 }, "{name}");
    if json["swizzled"] == true {
        let tolerance = json["unswizzled_tolerance"].as_f64().unwrap();
        assert_near(&probe(picture.image().unwrap()), &json["unswizzled_probe"], tolerance, name);
    }
}

/// The pixel of the middle row, a third of the way.
fn probe(image: &Image) -> [f64; 4] {
    let at = ((image.height / 2 * image.width + image.width / 3) * 4) as usize;
    std::array::from_fn(|channel| f64::from(image.rgba[at + channel]))
}

#[track_caller]
fn assert_near(found: &[f64; 4], expected: &Value, tolerance: f64, what: &str) {
    let expected: Vec<f64> = expected.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    let is_near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(is_near, "{what}: {found:?}, and {expected:?} are expected");
}
