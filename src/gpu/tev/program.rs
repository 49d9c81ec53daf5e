//! Shaders put together.

use super::fragment::write_fragment;
use super::vertex::{write_varying, write_vertex};
use crate::gpu::program_key::{MeshTraits, ProgramKey, Scene};
use crate::gpu::shaders::shader_source;
use crate::scene::{Mesh, gx::TevMaterial};

/// The shader of a key. `skins`: the device skins, rather than the CPU.
pub fn source_of(key: &ProgramKey, skins: bool) -> String {
    let mut out = shader_source(if skins { "tev_skinned.wgsl" } else { "tev_posed.wgsl" }).unwrap_or_default();
    write_varying(&mut out, key);
    write_vertex(&mut out, key);
    write_fragment(&mut out, key);
    out
}

/// The shader that draws a material on a mesh, for tests and for looking at. `skins`: the device skins, rather than the CPU.
pub fn tev_shader(material: &TevMaterial, mesh: &Mesh, lit: bool, fog: bool, skins: bool) -> String {
    source_of(&ProgramKey::new(material, MeshTraits::of(mesh), Scene { lit, fog }), skins)
}
