//! One baked picture for all materials that look the same.

use super::{
    alpha::AlphaPlan,
    plan::{self, Picture, Plan},
    samples::Samples,
    tile::Bake,
};
use crate::{
    export::glb::base_color::{BaseColor, VertexColors},
    scene::{
        Image, Model,
        gx::{TevMaterial, Texture},
    },
};
use std::sync::Arc;

/// How much coarser a shared picture may be than a material's own, as a share of the own texels.
const COARSER: f32 = 0.01;

/// The inputs of a baked picture. Equal ones give the same colour at the same coordinates.
#[derive(PartialEq)]
struct Inputs {
    state: TevMaterial,
    raster: [[u8; 4]; 2],
    nearest: bool,
    alpha: AlphaPlan,
    base: BaseColor,
    vertex_colors: VertexColors,
}

/// Gives materials of equal inputs one picture over all coordinates that their meshes use, unless that is coarser or larger than
/// their own pictures.
pub fn share(model: &Model, plans: &mut [Option<Plan>], most: u32) {
    let textures = same_textures(model);
    let mut groups: Vec<(Inputs, Vec<usize>)> = Vec::new();
    for (index, (plan, material)) in plans.iter().zip(&model.materials).enumerate() {
        let Some(inputs) = plan.as_ref().zip(material.tev()).and_then(|(plan, tev)| Inputs::of(tev, plan, &textures))
        else {
            continue;
        };
        match groups.iter_mut().find(|(other, _)| *other == inputs) {
            Some((_, members)) => members.push(index),
            None => groups.push((inputs, vec![index])),
        }
    }
    groups.retain(|(_, members)| members.len() > 1);
    let mut group_of = vec![None; model.materials.len()];
    for (group, (_, members)) in groups.iter().enumerate() {
        members.iter().for_each(|member| group_of[*member] = Some(group));
    }
    let samples = Samples::of(model, groups.len(), |material| group_of.get(material).copied().flatten());
    for ((inputs, members), samples) in groups.iter().zip(&samples) {
        let Some(tev) = model.materials[members[0]].tev() else { continue };
        let shared = plan::plan(model, tev, samples, most);
        let Picture::Bake(bake) = &shared.picture else { continue };
        let own = || members.iter().filter_map(|member| bake_of(plans[*member].as_ref()?));
        if Inputs::of(tev, &shared, &textures).as_ref() == Some(inputs) && replaces(bake, own()) {
            for member in members {
                if let Some(plan) = &mut plans[*member] {
                    plan.picture = Picture::Bake(bake.clone());
                    plan.front.clone_from(&shared.front);
                }
            }
        }
    }
}

fn bake_of(plan: &Plan) -> Option<&Arc<Bake>> {
    match &plan.picture {
        Picture::Bake(bake) => Some(bake),
        Picture::None | Picture::Texture { .. } => None,
    }
}

/// True if a picture is as fine as each of these and not larger than all of them together.
fn replaces<'a>(shared: &Bake, own: impl Iterator<Item = &'a Arc<Bake>> + Clone) -> bool {
    let density = |bake: &Bake| {
        let [width, height] = bake.tile.texels.map(|side| side as f32);
        glam::Vec2::new(width, height) / bake.tile.size
    };
    let area = |bake: &Bake| bake.tile.texels.map(u64::from).iter().product::<u64>();
    let is_fine = own.clone().all(|own| density(shared).cmpge(density(own) * (1.0 - COARSER)).all());
    is_fine && area(shared) <= own.map(|own| area(own)).sum()
}

impl Inputs {
    /// The inputs of a plan's picture; `None` for a plan without a baked picture. `textures` are [`same_textures`].
    fn of(tev: &TevMaterial, plan: &Plan, textures: &[u32]) -> Option<Self> {
        let bake = bake_of(plan)?;
        let TevMaterial { cull, lights, z_mode, z_before_texture, fog, .. } = TevMaterial::default();
        let mut state = TevMaterial { cull, lights, z_mode, z_before_texture, fog, ..tev.clone() };
        let of_orders = tev.indirect_orders.iter().map(|order| order.texture);
        let read: Vec<u8> = tev.stages.iter().filter_map(|stage| stage.texture).chain(of_orders).collect();
        for (slot, texture) in (0_u8..).zip(&mut state.textures) {
            *texture = texture.filter(|_| read.contains(&slot));
            *texture = texture.map(|index| textures.get(index as usize).copied().unwrap_or(index));
        }
        let (raster, nearest) = (bake.raster, bake.nearest);
        Some(Self { state, raster, nearest, alpha: plan.alpha, base: plan.base, vertex_colors: plan.vertex_colors })
    }
}

/// The first texture that is like each of the model's textures except for its name.
fn same_textures(model: &Model) -> Vec<u32> {
    let mut first: Vec<u32> = Vec::with_capacity(model.textures.len());
    for (index, texture) in (0_u32..).zip(&model.textures) {
        let known = model.textures.iter().zip(&first).find(|(other, _)| is_same(other, texture));
        first.push(known.map_or(index, |(_, first)| *first));
    }
    first
}

fn is_same(a: &Arc<Texture>, b: &Arc<Texture>) -> bool {
    let way = |texture: &Texture| (texture.wrap_s, texture.wrap_t, texture.mag_filter);
    let pixels = |a: Option<&Arc<Image>>, b: Option<&Arc<Image>>| match (a, b) {
        (Some(a), Some(b)) => (a.width, a.height) == (b.width, b.height) && a.rgba == b.rgba,
        (a, b) => a.is_none() && b.is_none(),
    };
    Arc::ptr_eq(a, b) || way(a) == way(b) && pixels(a.mips.first(), b.mips.first())
}
