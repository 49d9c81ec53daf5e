//! Shaders put together, and their numbers.

use super::fragment::write_fragment;
use super::key::{MeshTraits, ProgramKey, Scene};
use super::vertex::{write_varying, write_vertex};
use crate::gpu::shaders::shader_source;
use crate::scene::{Mesh, gx::TevMaterial};
use std::collections::HashMap;
use std::sync::Arc;

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

/// Keys by number: what is drawn names them so.
#[derive(Default)]
pub struct Programs {
    numbers: HashMap<Arc<ProgramKey>, u32>,
    keys: Vec<Arc<ProgramKey>>,
}

impl Programs {
    /// The number of a key, the same for equal ones.
    pub fn number(&mut self, key: ProgramKey) -> u32 {
        let key = Arc::new(key);
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    pub fn key(&self, number: u32) -> Option<Arc<ProgramKey>> {
        self.keys.get(number as usize).cloned()
    }
}
