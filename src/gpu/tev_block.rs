//! The uniform of a material with the chip's whole state.

use bytemuck::{Pod, Zeroable};

/// Rows of a matrix.
type Rows = [[f32; 4]; 3];

/// A lamp; mirrors `shaders/tev.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LampData {
    pub position: [f32; 4],
    pub direction: [f32; 4],
    pub color: [f32; 4],
    pub angle: [f32; 4],
    pub reach: [f32; 4],
}

/// The uniform of one material in one picture; mirrors `shaders/tev.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct TevBlock {
    pub registers: [[i32; 4]; 3],
    pub konst: [[i32; 4]; 4],
    pub material: [[i32; 4]; 2],
    pub ambient: [[i32; 4]; 2],
    pub lamps: [LampData; 8],
    pub texgens: [Rows; 8],
    pub slots: [Rows; 10],
    pub slot_steps: [[u32; 4]; 10],
    pub indirect: [[i32; 4]; 6],
    pub indirect_lookups: [[f32; 4]; 4],
    pub lookups: [[f32; 4]; 16],
    pub coords: [[f32; 4]; 8],
    pub maps: [[f32; 4]; 8],
    pub nbt_scale: [f32; 4],
    pub fog_color: [i32; 4],
    pub fog: [f32; 4],
}
