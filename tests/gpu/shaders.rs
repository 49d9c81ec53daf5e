//! Every shader, imports in place, is valid WGSL.

use crate::kit::Noise;
use bonebox::{
    gpu::{SHADERS, shader_source, tev_shader},
    scene::{
        Mesh,
        gx::{
            AlphaCompare, BlendMode, ChannelControl, Combiner, Fog, IndirectOrder, IndirectStage, TevMaterial,
            TevStage, TexGen, TextureMatrix,
        },
    },
};
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Only imported by others, and not whole without them.
const PARTS: &[&str] = &[
    "color.wgsl",
    "globals.wgsl",
    "octahedron.wgsl",
    "posed.wgsl",
    "skin.wgsl",
    "surface.wgsl",
    "surface_level.wgsl",
    "terrain_data.wgsl",
    "tev.wgsl",
];

/// What generated shaders start with.
const PREFIXES: &[&str] = &["tev_posed.wgsl", "tev_skinned.wgsl"];

fn validate(name: &str, source: &str) {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(source)));
    assert!(!module.entry_points.is_empty(), "{name} has no entry point");
    Validator::new(ValidationFlags::all(), Capabilities::default())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(source)));
}

#[test]
fn every_shader_is_valid() {
    let mut used: Vec<&str> = Vec::new();
    for (name, text) in SHADERS {
        used.extend(text.lines().filter_map(|line| line.strip_prefix("//#import ")).map(str::trim));
        if PARTS.contains(name) || PREFIXES.contains(name) {
            continue;
        }
        let source = shader_source(name).unwrap_or_else(|| panic!("{name} imports what does not exist"));
        validate(name, &source);
    }
    for part in PARTS {
        assert!(used.contains(part), "{part} is imported by nobody");
    }
}

/// Anything that a file can hold, codes that do not exist too.
fn any_material(noise: &mut Noise) -> TevMaterial {
    let mut p = |limit: usize| noise.byte(limit);
    let mut material = TevMaterial { channel_count: p(3), ..TevMaterial::default() };
    for control in &mut material.channels {
        *control = ChannelControl {
            lit: p(2) == 1,
            material_from_vertex: p(2) == 1,
            ambient_from_vertex: p(2) == 1,
            light_mask: p(255),
            diffuse: p(4).into(),
            attenuation: p(5).into(),
        };
    }
    for _ in 0..p(9) {
        material.texgens.push(TexGen { kind: p(12), source: p(22), matrix: p(64) });
    }
    for matrix in &mut material.texture_matrices {
        *matrix = (p(2) == 1).then(|| TextureMatrix { map_mode: p(13).into(), ..TextureMatrix::default() });
    }
    for _ in 0..p(5) {
        material.indirect_orders.push(IndirectOrder { tex_coord: p(9), texture: p(9), scale_s: p(10), scale_t: p(10) });
    }
    for _ in 0..p(17) {
        let mut codes = |inputs: usize| {
            let inputs = [p(inputs), p(inputs), p(inputs), p(inputs)];
            (inputs, [p(17), p(5), p(5)], p(2) == 1, p(5))
        };
        let (of_color, of_alpha) = (codes(17), codes(9));
        let color = Combiner::of_codes(of_color.0, of_color.1, of_color.2, of_color.3);
        let alpha = Combiner::of_codes(of_alpha.0, of_alpha.1, of_alpha.2, of_alpha.3);
        let indirect = IndirectStage {
            stage: p(5),
            format: p(5),
            bias: p(9),
            matrix: p(13),
            wrap_s: p(8),
            wrap_t: p(8),
            add_previous: p(2) == 1,
            original_lod: p(2) == 1,
            alpha: p(5),
        };
        material.stages.push(TevStage {
            color,
            alpha,
            tex_coord: (p(4) > 0).then(|| p(9)),
            texture: (p(4) > 0).then(|| p(9)),
            channel: [0, 1, 2, 3, 4, 5, 6, 7, 8, 255][usize::from(p(10))],
            raster_swap: p(5),
            texture_swap: p(5),
            konst_color: p(34),
            konst_alpha: p(34),
            indirect,
        });
    }
    for table in &mut material.swap_tables {
        *table = [p(5), p(5), p(5), p(5)];
    }
    material.alpha_compare = AlphaCompare {
        compare0: p(9).into(),
        reference0: p(255),
        op: p(5).into(),
        compare1: p(9).into(),
        reference1: p(255),
    };
    material.blend =
        BlendMode { kind: p(5).into(), source: p(9).into(), destination: p(9).into(), logic: p(17).into() };
    material.fog = Fog { kind: p(16), adjusts_range: p(2) == 1, ..Fog::default() };
    material
}

#[test]
fn generated_shaders_are_valid() {
    let bare = Mesh { vertex_points: vec![0], ..Mesh::default() };
    let rich = Mesh {
        normals: vec![glam::Vec3::Y],
        colors: vec![[1, 2, 3, 4]],
        second_colors: vec![[1, 2, 3, 4]],
        tangents: vec![[glam::Vec3::X, glam::Vec3::Z]],
        texture_matrix_slots: vec![[255; 8]],
        ..bare.clone()
    };
    let mut noise = Noise::new(1);
    for number in 0..120 {
        let material = any_material(&mut noise);
        let (mesh, lit) = (if number % 2 == 0 { &bare } else { &rich }, number % 3 > 0);
        let source = tev_shader(&material, mesh, lit, number % 4 > 0, number % 5 > 0);
        validate(&format!("material {number}"), &source);
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
