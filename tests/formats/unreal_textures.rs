//! Textures, palettes and fonts of packages: the corpus against what is expected of it, and packages made here.

use crate::kit::{
    Noise,
    open::{Loading, Opened, Opening, codes, open, picture_in},
    sha1::sha1,
    unreal::{Whole, package, packages, quiet_asset},
};
use bonebox::{
    bytes::Source,
    formats::{
        Asset, FileRequest, FoundFile, LoadOptions, Resolver,
        unreal::encode::{
            CompressedMips, Export, Mip, PackageWriter, Properties, Ref, TextureData, encode_dxt1, mip_sizes,
            write_palette, write_properties, write_texture,
        },
    },
    scene::{Image, Picture, StoredPixels},
};
use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    sync::Arc,
};

/// Files that exist in the test alone.
#[derive(Default)]
struct Made(HashMap<String, Vec<u8>>);

impl Resolver for Made {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let bytes = self.0.get(&request.stem.to_lowercase())?;
        let name = format!("{}.utx", request.stem);
        Some(FoundFile { path: PathBuf::from(&name), name, source: Source::from(bytes.clone()) })
    }
}

fn opened(package: PackageWriter) -> Opened {
    open("made.utx", package.finish())
}

/// A picture and the codes of what was found on the way.
fn picture(file: &Opened, path: &str) -> (Arc<Picture>, Vec<&'static str>) {
    let (asset, found) = file.load(file.entry(path));
    (picture_in(asset.unwrap()), codes(&found))
}

/// Indices of a picture whose neighbours all differ.
fn indices(width: u32, height: u32) -> Vec<u8> {
    (0..width * height).map(|i| (i % width + i / width * 7) as u8).collect()
}

pub fn p8(width: u32, height: u32, palette: Ref) -> TextureData {
    let mips = mip_sizes(width, height)
        .into_iter()
        .map(|(width, height)| Mip { width, height, bytes: indices(width, height) })
        .collect();
    TextureData { palette, mips, ..TextureData::default() }
}

fn rainbow() -> Vec<[u8; 3]> {
    (0..=255_u8).map(|i| [i, 255 - i, i / 3]).collect()
}

/// A writer with a palette, called Rainbow.
pub fn writer(version: u16) -> (PackageWriter, Ref) {
    let mut package = PackageWriter::new(version, 0);
    let class = package.class("Engine", "Palette");
    let palette = package.add(&Export::new(class, "Rainbow"), |out| write_palette(out, &rainbow()));
    (package, palette)
}

pub fn add(package: &mut PackageWriter, name: &str, texture: &TextureData) -> Ref {
    let class = package.class("Engine", "Texture");
    package.add(&Export::new(class, name), |out| write_texture(out, texture))
}

#[test]
fn textures_of_the_corpus_are_as_expected() {
    let packages = packages();
    if packages.is_empty() {
        return;
    }
    let (mut textures, mut hashes, mut palettes) = (0, 0, 0);
    for (file, expected) in packages {
        let name = &file.name;
        for export in expected["exports"].as_array().unwrap() {
            let (path, class) = (export["path"].as_str().unwrap(), export["class"].as_str().unwrap_or_default());
            if !matches!(class, "Texture" | "Palette") {
                continue;
            }
            let entries = file.document.outline().entries().iter();
            let entry = entries
                .filter(|e| e.path() == path && e.class == class)
                .find(|e| e.offset == export["offset"].as_u64().unwrap() && e.size == export["size"].as_u64().unwrap());
            let entry = entry.unwrap_or_else(|| panic!("{name}: no {class} {path}"));
            match quiet_asset(&file, entry.id) {
                Asset::Palette(palette) => {
                    assert_eq!(palette.colors.len(), 256);
                    palettes += 1;
                }
                Asset::Picture(picture) => {
                    textures += 1;
                    let form = picture.forms.iter().find(|f| f.name == "P8").unwrap();
                    let StoredPixels::Indices(stored) = &form.stored else { panic!("{path}: {:?}", form.stored) };
                    let mips: Vec<serde_json::Value> = form
                        .mips
                        .iter()
                        .zip(stored)
                        .map(|(image, bytes)| serde_json::json!([image.width, image.height, bytes.len()]))
                        .collect();
                    assert_eq!(mips, *export["mips"].as_array().unwrap(), "{name}: {path}");
                    let rgb: Vec<u8> = form.mips[0].rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
                    assert_eq!(sha1(&rgb), export["rgb_sha1"].as_str().unwrap(), "{name}: {path}");
                    hashes += 1;
                }
                other => panic!("{name}: {path}: {other:?}"),
            }
        }
    }
    assert_eq!((textures, hashes), (26, 26));
    assert_eq!(palettes, 31);
}

#[test]
fn compressed_mips_of_the_corpus_show_the_same_picture() {
    for (name, format, expected) in [("KillConfirmed.u", "DXT5", 5), ("ItemSpawnerWeapon.u", "DXT1", 1)] {
        let Some((file, _)) = package(name) else { return };
        let mut found = 0;
        for entry in file.document.outline().entries().iter().filter(|e| e.class == "Texture") {
            let picture = picture_in(file.load(entry.id).0.unwrap());
            let Some(form) = picture.forms.iter().find(|f| f.name == format) else { continue };
            found += 1;
            assert_eq!(picture.form().unwrap().name, format);
            assert!(matches!(&form.stored, StoredPixels::Blocks { mips, .. } if mips.len() == form.mips.len()));
            let plain = &picture.forms.iter().find(|f| f.name == "P8").unwrap().mips[0];
            let compressed = &form.mips[0];
            assert_eq!((plain.width, plain.height), (compressed.width, compressed.height));
            // Compressed from the same source: on the whole the colours agree where both are seen.
            let (mut sum, mut count) = (0_u64, 0_u64);
            for (a, b) in plain.rgba.chunks_exact(4).zip(compressed.rgba.chunks_exact(4)) {
                if a[3] == 255 && b[3] == 255 {
                    sum += (0..3).map(|i| u64::from(a[i].abs_diff(b[i]))).sum::<u64>();
                    count += 3;
                }
            }
            assert!(count > 0 && sum / count < 16, "{}: {sum} over {count}", entry.path());
        }
        assert_eq!(found, expected, "{format}");
    }
}

#[test]
fn a_made_texture_has_its_pixels_at_every_version() {
    for version in [55, 61, 62, 63, 64, 66, 68, 69, 83, 99] {
        let (mut package, palette) = writer(version);
        let mut texture = p8(16, 4, palette);
        texture.properties = Properties::new().bool("bMasked", true).int("UClamp", 12);
        add(&mut package, "Wall", &texture);
        let file = opened(package);
        let (picture, codes) = picture(&file, "Wall");
        assert_eq!(codes, [""; 0], "version {version}");
        assert!(picture.masked);
        assert_eq!(picture.used, Some((12, 4)));
        assert_eq!(picture.palette.as_ref().unwrap().name, "Rainbow");
        let form = picture.form().unwrap();
        assert_eq!((form.name.as_str(), form.mips.len()), ("P8", 5));
        let rainbow = rainbow();
        for image in &form.mips {
            let expected: Vec<u8> = indices(image.width, image.height)
                .iter()
                .flat_map(|i| {
                    let [r, g, b] = rainbow[usize::from(*i)];
                    [r, g, b, if *i == 0 { 0 } else { 255 }]
                })
                .collect();
            assert_eq!(*image.rgba, *expected, "version {version}, {image:?}");
        }
        file.assert_read();
    }
}

#[test]
fn both_forms_stand_side_by_side_and_one_alone_can_be_asked_for() {
    let (mut package, palette) = writer(69);
    let rgba: Vec<Mip> = [(8_u32, 8_u32), (4, 4)]
        .iter()
        .map(|(w, h)| Mip { width: *w, height: *h, bytes: [200, 40, 40, 255].repeat((w * h) as usize) })
        .collect();
    let texture = TextureData { compressed: Some(CompressedMips::dxt1(&rgba)), ..p8(8, 8, palette) };
    add(&mut package, "Both", &texture);
    let mut stripped = texture.clone();
    stripped.mips = vec![Mip { width: 8, height: 8, bytes: Vec::new() }];
    add(&mut package, "CompressedAlone", &stripped);
    let file = opened(package);
    let (both, _) = picture(&file, "Both");
    let names: Vec<(&str, usize)> = both.forms.iter().map(|f| (f.name.as_str(), f.mips.len())).collect();
    assert_eq!((names.as_slice(), both.preferred), ([("P8", 4), ("DXT1", 2)].as_slice(), 1));
    let StoredPixels::Blocks { mips, .. } = &both.forms[1].stored else { panic!("{:?}", both.forms[1]) };
    assert_eq!(*mips[0], encode_dxt1(8, 8, &rgba[0].bytes));
    let red = &both.forms[1].mips[0].rgba[..4];
    assert!(red[0].abs_diff(200) < 8 && red[1].abs_diff(40) < 8 && red[3] == 255, "{red:?}");
    let options = LoadOptions { first_image_only: true, ..LoadOptions::default() };
    let loading = Loading { name: &file.name, options, ..Loading::default() };
    let first = picture_in(loading.load(file.document.as_ref(), file.entry("Both")).0.unwrap());
    assert_eq!((first.forms.len(), first.forms[0].mips.len()), (1, 1));
    assert_eq!(first.image().unwrap().rgba, both.image().unwrap().rgba);
    let (alone, codes) = picture(&file, "CompressedAlone");
    assert_eq!((alone.image().unwrap().stored_as.as_str(), codes.len()), ("DXT1", 0));
}

#[test]
fn a_palette_is_missed_only_where_pixels_are_indices() {
    let (mut package, _) = writer(69);
    let rgba = [Mip { width: 8, height: 8, bytes: [200, 40, 40, 255].repeat(64) }];
    let both = TextureData { compressed: Some(CompressedMips::dxt1(&rgba)), ..p8(8, 8, Ref::NULL) };
    add(&mut package, "Both", &both);
    let mut stripped = both.clone();
    stripped.mips = vec![Mip { width: 8, height: 8, bytes: Vec::new() }];
    add(&mut package, "CompressedAlone", &stripped);
    let file = opened(package);
    assert_eq!(picture(&file, "Both").1, ["unreal.missing-palette"]);
    let (alone, codes) = picture(&file, "CompressedAlone");
    assert_eq!((alone.image().unwrap().stored_as.as_str(), codes), ("DXT1", vec![]));
}

#[test]
fn a_palette_in_another_package_is_found_and_a_missing_one_is_grey() {
    let (other, _) = writer(69);
    let other = other.finish();
    let mut package = PackageWriter::new(69, 0);
    let palette = package.external(("Engine", "Palette"), "Palettes", &["Rainbow"]);
    add(&mut package, "Wall", &p8(4, 4, palette));
    add(&mut package, "Bare", &p8(4, 4, Ref::NULL));
    let bytes = package.finish();
    let resolver = Arc::new(Made(HashMap::from([("palettes".to_owned(), other)])));
    let file = Opening { resolver, ..Opening::of("made.utx") }.open(bytes.clone()).unwrap();
    let (found, codes) = picture(&file, "Wall");
    assert_eq!((codes, &found.image().unwrap().rgba[4..8]), (vec![], [1, 254, 0, 255].as_slice()));
    let file = open("made.utx", bytes);
    let (grey, codes) = picture(&file, "Wall");
    assert_eq!(codes, ["unreal.missing-palette"]);
    assert_eq!(&grey.image().unwrap().rgba[4..8], [1, 1, 1, 255]);
    assert_eq!(picture(&file, "Bare").1, ["unreal.missing-palette"]);
}

#[test]
fn a_flip_book_follows_its_frames_and_stops_where_they_come_round() {
    let (mut package, palette) = writer(69);
    let class = package.class("Engine", "Texture");
    let frames: Vec<Ref> = (0..3).map(|i| package.export(&Export::new(class, &format!("Frame{i}")))).collect();
    for (i, frame) in frames.iter().enumerate() {
        let mut texture = p8(4, 4, palette);
        texture.mips = vec![Mip { width: 4, height: 4, bytes: vec![i as u8 + 1; 16] }];
        // The last leads back to the second: a loop without the first.
        let next = frames[if i == 2 { 1 } else { i + 1 }];
        texture.properties = Properties::new().object("AnimNext", next).float("MinFrameRate", 5.0);
        if i == 0 {
            texture.properties = texture.properties.float("MaxFrameRate", 12.5);
        }
        package.write(*frame, |out| write_texture(out, &texture));
    }
    let file = opened(package);
    let shades = |path: &str| {
        let (picture, codes) = picture(&file, path);
        assert_eq!(codes, [""; 0]);
        let book = picture.flip_book.clone().unwrap();
        (book.frames.iter().map(|image| image.rgba[0]).collect::<Vec<u8>>(), book.rate_hz)
    };
    assert_eq!(shades("Frame0"), (vec![1, 2, 3], 12.5));
    assert_eq!(shades("Frame1"), (vec![2, 3], 5.0));
}

#[test]
fn sizes_that_lie_and_data_that_ends_are_told_and_cost_nothing() {
    let (mut package, palette) = writer(69);
    let mut texture = |name: &str, width: u32, height: u32, bytes: usize| {
        let mips = vec![Mip { width, height, bytes: vec![1; bytes] }];
        add(&mut package, name, &TextureData { palette, mips, ..TextureData::default() });
    };
    texture("Short", 8, 8, 20);
    texture("Huge", u32::MAX, u32::MAX, 20);
    texture("Wide", 16_384, 16_384, 20);
    texture("None", 8, 8, 0);
    texture("Flat", 8, 0, 8);
    let odd = TextureData { palette, format: 19, mips: p8(4, 4, palette).mips, ..TextureData::default() };
    add(&mut package, "Odd", &odd);
    let file = opened(package);
    let (short, codes) = picture(&file, "Short");
    assert_eq!(codes, ["unreal.short-pixels"]);
    let rgba = &short.image().unwrap().rgba;
    assert_eq!((&rgba[19 * 4..20 * 4], &rgba[20 * 4..21 * 4]), ([1, 254, 0, 255].as_slice(), [0; 4].as_slice()));
    for (name, code) in [
        ("Huge", "unreal.picture-too-large"),
        ("Wide", "unreal.picture-too-large"),
        ("Odd", "unreal.unknown-pixel-format"),
    ] {
        let (picture, codes) = picture(&file, name);
        assert_eq!((codes, picture.image().is_none()), (vec![code], true), "{name}");
    }
    for name in ["None", "Flat"] {
        let (picture, codes) = picture(&file, name);
        assert_eq!((codes.len(), picture.image().is_none()), (0, true), "{name}");
    }
}

/// A font of one page with two characters.
fn font(version: u16) -> Vec<u8> {
    let (mut package, palette) = writer(version);
    let texture = p8(16, 8, palette);
    let page = add(&mut package, "FontPage", &texture);
    let class = package.class("Engine", "Font");
    let glyphs = [[0, 0, 8, 8], [8, 0, 6, 8]];
    package.add(&Export::new(class, "Small"), |out| {
        if version <= 63 {
            write_texture(out, &texture);
            out.array(&glyphs, |out, glyph| out.i32s(glyph));
            return;
        }
        write_properties(out, &Properties::new());
        out.array(&[page], |out, page| {
            out.object(*page);
            out.array(&glyphs, |out, glyph| out.i32s(glyph));
        });
        out.i32(128);
        if version == 69 {
            out.bytes(&[0; 5]);
        }
    });
    package.finish()
}

#[test]
fn fonts_have_their_pages_in_both_layouts() {
    for version in [61, 63, 64, 68, 69] {
        let file = open("made.utx", font(version));
        let Asset::Font(font) = quiet_asset(&file, file.entry("Small")) else { panic!("version {version}") };
        assert_eq!(font.characters_per_page, if version <= 63 { 2 } else { 128 });
        assert_eq!(font.pages.len(), 1);
        assert_eq!((font.pages[0].glyphs[1].x, font.pages[0].glyphs[1].width), (8, 6));
        assert_eq!(font.pages[0].image.as_ref().unwrap().width, 16, "version {version}");
        file.assert_read();
    }
}

/// The images of a picture or a font.
fn images(asset: &Asset) -> Vec<&Arc<Image>> {
    match asset {
        Asset::Picture(picture) => picture.forms.iter().flat_map(|form| &form.mips).collect(),
        Asset::Font(font) => font.pages.iter().filter_map(|page| page.image.as_ref()).collect(),
        Asset::Image(image) => vec![image],
        _ => Vec::new(),
    }
}

fn has_same_pixels(was: &Asset, is: &Asset) -> bool {
    let all = |asset| -> Vec<_> { images(asset).into_iter().map(|i| (i.width, i.height, i.rgba.clone())).collect() };
    std::mem::discriminant(was) == std::mem::discriminant(is) && all(was) == all(is)
}

#[test]
fn damaged_textures_and_fonts_are_read_or_refused() {
    let (mut package, palette) = writer(69);
    let rgba = Mip { width: 8, height: 8, bytes: vec![90; 256] };
    let texture = TextureData { compressed: Some(CompressedMips::dxt1(&[rgba])), ..p8(8, 8, palette) };
    let first = add(&mut package, "A", &texture);
    let next = TextureData { properties: Properties::new().object("AnimNext", first), ..texture };
    add(&mut package, "B", &next);
    let mut noise = Noise::new(5);
    let of_font = &[("FontPage", "Rainbow"), ("Small", "FontPage"), ("Small", "Rainbow")];
    for (whole, needs) in [
        (package.finish(), &[("A", "Rainbow"), ("B", "Rainbow"), ("B", "A")][..]),
        (font(69), of_font),
        (font(61), of_font),
    ] {
        let whole = Whole::of("made.utx", whole, needs);
        let (mut opened, mut partial, mut seen) = (0, 0, BTreeSet::new());
        for round in 0..3_000 {
            let mut bytes = whole.bytes().to_vec();
            for _ in 0..=noise.below(6) {
                let at = noise.below(bytes.len());
                bytes[at] = if noise.below(3) == 0 { 0xFF } else { noise.next() as u8 };
            }
            if round % 5 == 0 {
                bytes.truncate(noise.below(bytes.len()));
            }
            let Some(left) = whole.hold(&bytes, has_same_pixels) else { continue };
            for image in left.shown.iter().flat_map(|(_, asset)| images(asset)) {
                let pixels = u64::from(image.width) * u64::from(image.height);
                assert!(
                    image.rgba.len() as u64 == pixels * 4,
                    "round {round}: {} bytes of {pixels} pixels",
                    image.rgba.len()
                );
            }
            opened += 1;
            partial += usize::from(!left.refused.is_empty());
            seen.extend(left.codes());
        }
        assert!(opened > 2_500 && partial > 100, "{opened} of 3,000 open, {partial} with less in them");
        let wanted = [
            "unreal.bad-object",
            "unreal.bad-reference",
            "unreal.export-outside-file",
            "unreal.missing-palette",
            "unreal.picture-too-large",
            "unreal.short-pixels",
            "unreal.truncated-table",
        ];
        assert!(wanted.iter().all(|code| seen.contains(code)), "{seen:?}");
    }
}
