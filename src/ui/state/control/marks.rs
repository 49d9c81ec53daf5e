//! Sockets and bounds of the shown model, and the lines that mark them.

use crate::{
    formats::Role,
    gpu::{AXIS_COLORS, Line, Shading},
    scene::{Aabb, HiddenParts, ModelPart, ModelPiece, skinning},
    ui::{
        place::Place,
        state::{core::Core, stage::Stage},
    },
};
use glam::Vec3;

/// Half the length of a socket's cross, as a share of the model's diagonal.
const CROSS: f32 = 0.012;

/// Half the size of what is shown around a socket, as a share of the model's diagonal.
const NEIGHBOURHOOD: f32 = 0.08;

/// A socket in the current pose.
#[derive(Clone, Debug, PartialEq)]
pub struct PosedSocket<'a> {
    /// Into [`crate::scene::Skeleton::sockets`].
    pub index: u32,
    pub name: &'a str,
    /// In the model.
    pub place: Vec3,
    /// Unit vectors in the model, along its own axes.
    pub axes: [Vec3; 3],
}

impl Stage {
    /// The sockets of the shown model, as they stand at this moment; those that lie nowhere are left out.
    pub fn sockets(&self) -> Vec<PosedSocket<'_>> {
        let Some(shown) = self.model() else { return Vec::new() };
        let model = &shown.model;
        let Some(skeleton) = &model.skeleton else { return Vec::new() };
        let scene_from_file = model.file_from_scene.matrix3.inverse();
        let posed = (0_u32..).zip(&skeleton.sockets).filter_map(|(index, socket)| {
            let own = socket.transform.to_affine();
            let matrix = match socket.joint {
                Some(joint) => *shown.playback.frame.world_from_joint.get(joint as usize)? * own,
                None => own,
            };
            let axes = Vec3::AXES.map(|axis| matrix.transform_vector3(scene_from_file * axis).normalize_or(axis));
            let place: Vec3 = matrix.translation.into();
            place.is_finite().then_some(PosedSocket { index, name: &socket.name, place, axes })
        });
        posed.collect()
    }

    /// The lines of the sockets in the world.
    fn socket_lines(&self, accent: [u8; 3]) -> Vec<Line> {
        let Some(shown) = self.model() else { return Vec::new() };
        let world = self.view.options.up_axis.world_from_model();
        let lines = |socket: PosedSocket<'_>| {
            let is_selected = shown.selected.socket == Some(socket.index);
            let reach = shown.bounds.diagonal() * CROSS * if is_selected { 1.8 } else { 1.0 };
            let middle = world.transform_point3(socket.place);
            let width_px = if is_selected { 3.0 } else { 2.0 };
            let along = socket.axes.map(|axis| world.transform_vector3(axis) * reach);
            let colors = AXIS_COLORS.map(|color| if is_selected { accent } else { color });
            std::array::from_fn::<Line, 3, _>(|axis| {
                let [r, g, b] = colors[axis];
                Line { ends: [middle - along[axis], middle + along[axis]], color: [r, g, b, 255], width_px, over: true }
            })
        };
        self.sockets().into_iter().flat_map(lines).collect()
    }

    /// A cross at the selected vertex, while weights are shown.
    fn vertex_lines(&self, accent: [u8; 3]) -> Vec<Line> {
        let Some((mesh, vertex)) = self.selected().vertex.filter(|_| self.view.options.shading == Shading::Weights)
        else {
            return Vec::new();
        };
        let Some(shown) = self.model() else { return Vec::new() };
        let Some(mesh) = shown.model.meshes.get(mesh.as_usize()) else { return Vec::new() };
        let points = skinning::skinned_points(&shown.model, mesh, &shown.playback.frame);
        let point = mesh.vertex_points.get(vertex as usize).and_then(|point| points.get(*point as usize));
        let Some(point) = point.filter(|point| point.is_finite()) else { return Vec::new() };
        let middle = self.view.options.up_axis.world_from_model().transform_point3(*point);
        let reach = shown.bounds.diagonal() * CROSS * 0.8;
        let [r, g, b] = accent;
        let line = |along: Vec3| Line {
            ends: [middle - along * reach, middle + along * reach],
            color: [r, g, b, 255],
            width_px: 2.5,
            over: true,
        };
        Vec3::AXES.map(line).to_vec()
    }

    /// What is drawn as lines over the picture of the stage in front, beside [`State::overlay_lines`].
    pub fn stage_marks(&self, core: &Core) -> Vec<Line> {
        let mut lines = self.tool_lines(core);
        lines.extend(self.map_marks(core));
        let accent = core.accent();
        if self.view.options.sockets {
            lines.extend(self.socket_lines(accent));
        }
        lines.extend(self.vertex_lines(accent));
        if self.view.options.bounds
            && let Some(bounds) = self.shown_bounds()
        {
            let [r, g, b] = accent;
            let like = Line { ends: [Vec3::ZERO; 2], color: [r, g, b, 200], width_px: 1.5, over: false };
            lines.extend(Line::around(&self.in_world(bounds), like));
        }
        lines
    }

    /// The box in the model of what is selected of it, as it stands at this moment, or else of what is shown of it.
    pub fn shown_bounds(&self) -> Option<Aabb> {
        let (shown, posed) = self.posed()?;
        match self.selected_piece() {
            Some(ModelPiece::Surfaces(part)) => shown.model.part_bounds(&part, &posed),
            Some(piece @ ModelPiece::Joint(_)) => {
                let others = HiddenParts::all_but(&shown.model, piece)?;
                let posed = crate::scene::PosedPickable { left_out: Some(&others), ..posed };
                shown.model.part_bounds(&ModelPart::default(), &posed)
            }
            None => shown.model.part_bounds(&ModelPart::default(), &posed),
        }
    }

    /// A box around the selected socket, in the model.
    pub(crate) fn socket_bounds(&self) -> Option<Aabb> {
        let selected = self.selected().socket?;
        let socket = self.sockets().into_iter().find(|socket| socket.index == selected)?;
        let around = self.model()?.bounds.diagonal() * NEIGHBOURHOOD;
        Some(Aabb { min: socket.place - around, max: socket.place + around })
    }

    /// The socket of the shown model that an entry is.
    pub fn socket_at(&self, core: &Core, place: Place) -> Option<u32> {
        let shown = self.model().filter(|shown| shown.place.file == place.file)?;
        let skeleton = shown.model.skeleton.as_ref()?;
        let entries = core.entries_of(shown, Role::Socket);
        // Sockets lie in a file as the skeleton counts them.
        let at = entries.iter().position(|entry| entry.id == place.entry)?;
        u32::try_from(at).ok().filter(|_| entries.len() == skeleton.sockets.len())
    }

    pub(crate) fn pick_socket(&mut self, core: &mut Core, socket: u32) {
        let Some(shown) = self.model() else { return };
        let count = shown.model.skeleton.as_ref().map_or(0, |skeleton| skeleton.sockets.len());
        if socket as usize >= count {
            return;
        }
        let entries = core.entries_of(shown, Role::Socket);
        let entry = entries.get(socket as usize).filter(|_| entries.len() == count);
        let place = entry.map(|entry| Place { file: shown.place.file, entry: entry.id });
        if let Some(place) = place {
            self.select(core, place);
        }
        self.select_in_model(|selected| {
            (selected.joint, selected.part, selected.socket) = (None, None, Some(socket));
        });
    }
}
