//! Pictures of what a combined material makes of its texture coordinates.

use super::{
    alpha::AlphaPlan,
    evaluator::Evaluator,
    tile::{Corners, Tile, UvTransform},
};
use crate::{export::glb::sampler::SamplerKey, scene::Image};
use rayon::prelude::*;

/// A picture that is still to be made.
#[derive(Clone, Debug)]
pub struct Bake {
    pub evaluator: Evaluator,
    /// What the channels hand over.
    pub raster: [[u8; 4]; 2],
    pub corners: Corners,
    pub tile: Tile,
    /// From texture coordinates to the picture.
    pub transform: UvTransform,
    pub alpha: AlphaPlan,
    /// Its texels are not mixed.
    pub nearest: bool,
}

impl Bake {
    /// How the picture is read.
    pub fn sampler(&self) -> SamplerKey {
        SamplerKey::new(self.tile.wrap, self.nearest)
    }

    /// The colour at the middle of every texel, of so many across and down, by the chip's arithmetic; rows are made on all cores.
    pub fn image(&self, name: &str, [width, height]: [u32; 2]) -> Image {
        let Tile { origin, size, .. } = self.tile;
        let mut rgba = vec![0_u8; width as usize * height as usize * 4];
        let count = self.evaluator.material().texgens.len().min(8);
        let [zero, one_u, one_v] = self.corners;
        rgba.par_chunks_exact_mut(width as usize * 4).enumerate().for_each(|(row, texels)| {
            let v = origin.y + (row as f32 + 0.5) / height as f32 * size.y;
            let mut coords = zero;
            for (column, texel) in texels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let u = origin.x + (column as f32 + 0.5) / width as f32 * size.x;
                for index in 0..count {
                    for part in 0..3 {
                        let start = zero[index][part];
                        let along = one_u[index][part] - start;
                        let across = one_v[index][part] - start;
                        coords[index][part] = start + u * along + v * across;
                    }
                }
                let color = self.evaluator.pixel(&self.evaluator.constants, self.raster, coords);
                *texel = self.alpha.written(color);
            }
        });
        Image { name: name.to_owned(), width, height, rgba: rgba.into(), stored_as: "baked".to_owned() }
    }
}
