use crate::{
    bytes::{Cancel, Limits, Source},
    formats::{
        Asset, Content, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NO_OVERRIDES, NoFiles, OpenContext,
        OpenError, ReadError, Role, coverage::coverage, open,
    },
    scene::Picture,
};
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use std::sync::Arc;

fn opened(name: &str, bytes: Vec<u8>) -> Result<Box<dyn Document>, OpenError> {
    let mut diagnostics = Diagnostics::new(50);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &NO_OVERRIDES,
    };
    open(Source::from(bytes), &mut cx)
}

fn shown(document: &dyn Document) -> Result<Arc<Picture>, ReadError> {
    let cancel = Cancel::new();
    let mut diagnostics = Diagnostics::new(50);
    let mut cx = LoadContext {
        file: "wall.png",
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        options: LoadOptions::default(),
        cancel: &cancel,
    };
    match document.load(EntryId::FILE, &mut cx)? {
        Asset::Picture(picture) => Ok(picture),
        other => panic!("{other:?}"),
    }
}

/// 2 × 1: red, half-transparent blue.
fn a_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let rgba = [255, 0, 0, 255, 0, 0, 255, 128];
    PngEncoder::new(&mut bytes).write_image(&rgba, 2, 1, ExtendedColorType::Rgba8).unwrap();
    bytes
}

fn a_tga(width: u16, height: u16) -> Vec<u8> {
    let [w, h] = [width.to_le_bytes(), height.to_le_bytes()];
    let mut bytes = vec![2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, w[0], w[1], h[0], h[1], 24, 0x20];
    bytes.extend(b"id\x01\x02\x03\x04\x05\x06");
    bytes
}

#[test]
fn a_picture_file_is_one_image_and_every_byte_of_it_has_a_name() {
    let document = opened("wall.dat", a_png()).unwrap();
    let file = document.outline().get(EntryId::FILE).unwrap();
    assert_eq!((file.content, file.role, document.format().id), (Content::Image, Role::Texture, "png"));
    let picture = shown(&*document).unwrap();
    assert_eq!(
        (picture.name.as_str(), &*picture.image().unwrap().rgba),
        ("wall", [255, 0, 0, 255, 0, 0, 255, 128].as_slice())
    );
    assert!(picture.forms[0].has_alpha && picture.forms[0].name == "PNG RGBA 8");
    let read = coverage(&*document);
    assert_eq!((read.unread, read.doubled.len()), (Vec::new(), 0));
    let fields = document.fields(EntryId::FILE).unwrap().fields;
    let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
    assert_eq!(names.first().zip(names.last()), Some((&"Signature", &"IEND")));
    let tga = opened("wall.TGA", a_tga(2, 1)).unwrap();
    assert_eq!(&*shown(&*tga).unwrap().image().unwrap().rgba, [3, 2, 1, 255, 6, 5, 4, 255]);
    assert_eq!((coverage(&*tga).unread, coverage(&*tga).doubled.len()), (Vec::new(), 0));
}

#[test]
fn what_only_looks_like_a_picture_is_none() {
    assert!(opened("a.png", b"PK\x03\x04 a ZIP by another name".to_vec()).is_err());
    assert!(opened("a.txt", b"BMW is no bitmap, and neither is this".to_vec()).is_err());
    assert!(opened("a.dat", a_tga(2, 1)).is_err(), "its name must say it");
    assert!(opened("a.tga", b"#!/bin/sh and so on, no picture".to_vec()).is_err());
}

#[test]
fn sizes_of_nothing_and_of_too_much_open_and_say_why_nothing_is_shown() {
    for (width, height, why) in [(0, 0, "TGA"), (0, 7, "TGA"), (65_535, 65_535, "TGA")] {
        let document = opened("a.tga", a_tga(width, height)).unwrap();
        let error = shown(&*document).unwrap_err();
        assert!(error.message.contains(why) || error.message.contains("pixels"), "{error}");
        assert!(document.fields(EntryId::FILE).is_ok());
    }
    let mut header = a_png();
    header.splice(16..24, [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]);
    assert!(shown(&*opened("a.png", header).unwrap()).is_err());
    let mut dds = b"DDS \x7C\0\0\0".to_vec();
    dds.resize(128, 0);
    assert!(shown(&*opened("a.dds", dds.clone()).unwrap()).unwrap_err().message.contains("empty image"));
    dds[12..20].copy_from_slice(&[0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0]);
    assert!(shown(&*opened("a.dds", dds).unwrap()).unwrap_err().message.contains("over the limit"));
}

#[test]
fn cut_files_give_a_picture_or_an_error() {
    for (name, bytes) in [("a.png", a_png()), ("a.tga", a_tga(2, 1))] {
        for length in 0..bytes.len() {
            if let Ok(document) = opened(name, bytes[..length].to_vec()) {
                let _ = shown(&*document);
                assert!(document.fields(EntryId::FILE).is_ok());
            }
        }
    }
}
