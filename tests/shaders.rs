//! Every shader, imports in place, is valid WGSL.

use bonebox::gpu::{SHADERS, shader_source};
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Only imported by others, and not whole without them.
const PARTS: &[&str] = &["color.wgsl", "globals.wgsl", "octahedron.wgsl", "posed.wgsl", "skin.wgsl", "surface.wgsl"];

#[test]
fn every_shader_is_valid() {
    let mut used: Vec<&str> = Vec::new();
    for (name, text) in SHADERS {
        used.extend(text.lines().filter_map(|line| line.strip_prefix("//#import ")).map(str::trim));
        if PARTS.contains(name) {
            continue;
        }
        let source = shader_source(name).unwrap_or_else(|| panic!("{name} imports what does not exist"));
        let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)));
        assert!(!module.entry_points.is_empty(), "{name} has no entry point");
        Validator::new(ValidationFlags::all(), Capabilities::default())
            .validate(&module)
            .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&source)));
    }
    for part in PARTS {
        assert!(used.contains(part), "{part} is imported by nobody");
    }
}

#[test]
fn every_file_of_the_folder_is_known() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".wgsl"))
        .collect();
    files.sort();
    let known: Vec<&str> = SHADERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(known, files);
}

#[test]
fn imports_come_once() {
    let source = shader_source("surface_skinned.wgsl").unwrap();
    assert_eq!(source.matches("struct Globals").count(), 1);
    assert!(!source.contains("//#import"));
    assert_eq!(shader_source("no such file"), None);
}
