//! Matrices beside those of the frame: of meshes that turn towards the camera, and what the selected joint has in each.

use super::{Shading, ViewSettings};
use crate::scene::{Billboard, DrawMatrix, Frame, Model};
use glam::Affine3A;
use std::borrow::Cow;
use std::collections::HashMap;

/// Whether vertices are moved by matrices that were blended of joints before.
pub(super) fn has_draw_matrices(model: &Model) -> bool {
    !draw_matrices(model).is_empty()
}

fn draw_matrices(model: &Model) -> &[DrawMatrix] {
    model.skeleton.as_ref().map_or(&[], |skeleton| &skeleton.draw_matrices)
}

/// The matrices of a model that turn towards the camera: they come after the frame's own.
#[derive(Clone, Debug, Default)]
pub(super) struct Turned {
    /// How many matrices a frame of the model has.
    own: u32,
    places: HashMap<(Billboard, u32), u32>,
    list: Vec<(Billboard, u32)>,
}

impl Turned {
    pub fn new(model: &Model) -> Self {
        let own = draw_matrices(model).len();
        let own = if own > 0 { own } else { model.joint_count() };
        let mut out = Self { own: own as u32, ..Self::default() };
        for mesh in model.meshes.iter().filter(|mesh| mesh.billboard != Billboard::None) {
            for influence in mesh.skin.iter().flat_map(|skin| &skin.influences) {
                let key = (mesh.billboard, influence.joint);
                if influence.joint < out.own && !out.places.contains_key(&key) {
                    out.places.insert(key, out.own + out.list.len() as u32);
                    out.list.push(key);
                }
            }
        }
        out
    }

    /// Where the matrix lies that moves vertices of such a mesh.
    pub fn matrix_of(&self, billboard: Billboard, joint: u32) -> u32 {
        self.places.get(&(billboard, joint)).copied().unwrap_or(joint)
    }

    /// All matrices of an item: the frame's, and after them those that turn.
    pub fn matrices<'a>(
        &self,
        frame: &'a Frame,
        world_from_model: Affine3A,
        view: &ViewSettings,
    ) -> Cow<'a, [Affine3A]> {
        if self.list.is_empty() {
            return Cow::Borrowed(&frame.world_from_bind);
        }
        let mut out = frame.world_from_bind.clone();
        out.resize(self.own as usize, Affine3A::IDENTITY);
        let view_from_model = view_from_model(world_from_model, view);
        for (billboard, joint) in &self.list {
            let matrix = out.get(*joint as usize).copied().unwrap_or_default();
            out.push(billboard.turned(matrix, &view_from_model));
        }
        Cow::Owned(out)
    }

    /// What the selected joint has in each of those matrices; `None` where influences name joints, or nothing asks.
    pub fn shares(&self, model: &Model, view: &ViewSettings) -> Option<Vec<f32>> {
        if view.shading != Shading::Weights || !has_draw_matrices(model) {
            return None;
        }
        let turned = self.list.iter().map(|(_, joint)| *joint);
        Some((0..self.own).chain(turned).map(|joint| share(model, joint, view)).collect())
    }
}

/// How much of the matrix that an influence names comes from the selected joint.
pub(super) fn share(model: &Model, influence_joint: u32, view: &ViewSettings) -> f32 {
    let Some(selected) = view.selected_joint else { return 0.0 };
    if !has_draw_matrices(model) {
        return f32::from(u8::from(influence_joint == selected));
    }
    let matrix = draw_matrices(model).get(influence_joint as usize);
    let terms = matrix.into_iter().flat_map(|matrix| &matrix.terms);
    terms.filter(|term| term.joint == selected).map(|term| term.weight).sum()
}

/// A frame as a mesh of this kind is moved by it.
pub(super) fn turned_frame<'a>(
    billboard: Billboard,
    frame: &'a Frame,
    world_from_model: Affine3A,
    view: &ViewSettings,
) -> Cow<'a, Frame> {
    if billboard == Billboard::None {
        return Cow::Borrowed(frame);
    }
    let view_from_model = view_from_model(world_from_model, view);
    let mut frame = frame.clone();
    for matrix in &mut frame.world_from_bind {
        *matrix = billboard.turned(*matrix, &view_from_model);
    }
    Cow::Owned(frame)
}

fn view_from_model(world_from_model: Affine3A, view: &ViewSettings) -> Affine3A {
    Affine3A::from_mat4(view.camera.view_from_world()) * world_from_model
}
