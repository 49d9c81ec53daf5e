//! Materials of the GameCube's combiner as glTF's: what they look like without lamps becomes the base colour.

mod alpha;
mod balance;
mod evaluator;
mod extras;
mod front;
mod plan;
mod samples;
mod sharing;
mod tile;
mod vertex_colors;

pub use alpha::Mode;
pub use extras::j3d;
pub use front::Front;
pub use plan::{Loss, Picture, Plan};
pub use tile::Bake;
pub use tile::UvTransform;

use crate::scene::Model;
use rayon::prelude::*;
use samples::Samples;

/// Texels of a side of a baked picture, at most.
const MAX_SIDE: u32 = 1024;
/// Texels of all baked pictures of a file, at most.
const MAX_TEXELS: u64 = 1 << 24;

/// How each material is written; `None` for one that is not combined.
pub fn plans(model: &Model) -> Vec<Option<Plan>> {
    let count = model.materials.iter().filter(|material| material.tev().is_some()).count();
    if count == 0 {
        return model.materials.iter().map(|_| None).collect();
    }
    let most = most_of_a_side(count as u64);
    let tev_of = |material: usize| model.materials.get(material).and_then(|material| material.tev());
    let samples = Samples::of(model, model.materials.len(), |material| tev_of(material).map(|_| material));
    let plan = |(material, samples): (&crate::scene::Material, &Samples)| {
        material.tev().map(|tev| plan::plan(model, tev, samples, most))
    };
    let mut plans: Vec<Option<Plan>> = model.materials.par_iter().zip(&samples).map(plan).collect();
    sharing::share(model, &mut plans, most);
    plans
}

/// So many that all materials together keep to their bound.
fn most_of_a_side(materials: u64) -> u32 {
    let mut side = MAX_SIDE;
    while side > 16 && u64::from(side) * u64::from(side) * materials > MAX_TEXELS {
        side /= 2;
    }
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_materials_have_smaller_pictures() {
        assert_eq!([1, 16, 17, 64, 1000].map(most_of_a_side), [1024, 1024, 512, 512, 128]);
        assert_eq!(most_of_a_side(1 << 40), 16);
    }
}
