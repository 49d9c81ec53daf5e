//! Lines on the device: those of one picture, and those that stay from picture to picture; normals of vertices and
//! skeletons as lines.

use super::{
    GpuContext, GpuError, Item, ItemLook, Mark, ViewSettings, billboards,
    buffers::GrowableBuffer,
    layouts::{Bone, Dot, LineData},
};
use crate::scene::{Aabb, Mesh, bone_bodies, skinning};
use glam::Vec3;
use std::sync::Arc;

/// A line over a picture's surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// In the world.
    pub ends: [Vec3; 2],
    /// Gamma-space RGBA.
    pub color: [u8; 4],
    /// Width in pixels.
    pub width_px: f32,
    /// Nothing hides it.
    pub over: bool,
}

impl Line {
    /// The edges of a box.
    pub fn around(bounds: &Aabb, like: Self) -> [Self; 12] {
        let corners = bounds.corners();
        // Corners that differ in one direction only.
        [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)]
            .map(|(a, b)| Self { ends: [corners[a], corners[b]], ..like })
    }

    pub(super) fn data(&self) -> LineData {
        // What is nowhere is drawn as a point at the origin.
        let [from, to] = if self.ends.iter().all(|e| e.is_finite()) { self.ends } else { [Vec3::ZERO; 2] };
        LineData { from: from.to_array(), color: self.color, to: to.to_array(), width: self.width_px }
    }
}

/// The lines of one picture.
pub(super) struct LineBuffers(Lines);

/// Lines that stay from picture to picture. They belong to a level, and go with it.
#[derive(Default)]
pub(super) struct KeptLines {
    kept: Vec<Kept>,
    writes: u64,
}

/// Lines that surfaces hide, and after them those that nothing hides.
struct Lines {
    buffer: GrowableBuffer,
    counts: [u32; 2],
}

struct Kept {
    lines: Lines,
    /// What is there. Held, so that its address stays its own.
    of: Arc<[Line]>,
}

impl LineBuffers {
    pub fn new() -> Self {
        Self(Lines::new())
    }

    /// Puts the lines of a picture on the device. Says how many there are that surfaces hide, and that nothing hides.
    pub fn write(&mut self, context: &GpuContext, lines: [&[Line]; 2]) -> Result<[u32; 2], GpuError> {
        self.0.write(context, lines)?;
        Ok(self.0.counts)
    }

    /// Draws those that surfaces hide, or those that nothing hides.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        self.0.draw(pass, over);
    }
}

impl KeptLines {
    /// Puts on the device those that are others than in the last picture, and takes off it those that are there no longer.
    pub fn write(&mut self, context: &GpuContext, wanted: &[Arc<[Line]>]) -> Result<(), GpuError> {
        let mut known = std::mem::take(&mut self.kept).into_iter();
        for lines in wanted {
            let kept = match known.next() {
                Some(kept) if Arc::ptr_eq(&kept.of, lines) => kept,
                other => {
                    let mut written = other.map_or_else(Lines::new, |other| other.lines);
                    written.write(context, [lines, &[]])?;
                    self.writes = self.writes.wrapping_add(1);
                    Kept { lines: written, of: lines.clone() }
                }
            };
            self.kept.push(kept);
        }
        Ok(())
    }

    /// How often lines were put on the device.
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// How many there are that surfaces hide, and that nothing hides.
    pub fn counts(&self) -> [u32; 2] {
        let counts = self.kept.iter().map(|kept| kept.lines.counts);
        counts.fold([0; 2], |[a, b], [c, d]| [a.saturating_add(c), b.saturating_add(d)])
    }

    /// Draws those that surfaces hide, or those that nothing hides.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        for Kept { lines, .. } in &self.kept {
            lines.draw(pass, over);
        }
    }
}

impl Lines {
    fn new() -> Self {
        Self { buffer: GrowableBuffer::new("lines", wgpu::BufferUsages::VERTEX), counts: [0; 2] }
    }

    fn write(&mut self, context: &GpuContext, lines: [&[Line]; 2]) -> Result<(), GpuError> {
        self.counts = [0; 2];
        let of = |over: bool| lines.into_iter().flatten().filter(move |line| line.over == over).map(Line::data);
        let mut data: Vec<LineData> = of(false).collect();
        let hidden = data.len();
        data.extend(of(true));
        self.buffer.write(context, bytemuck::cast_slice(&data), u64::MAX)?;
        self.counts = [hidden as u32, (data.len() - hidden) as u32];
        Ok(())
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        let Self { buffer, counts: [hidden, in_front] } = self;
        let range = if over { *hidden..hidden.saturating_add(*in_front) } else { 0..*hidden };
        if let Some(buffer) = buffer.buffer.as_ref().filter(|_| !range.is_empty()) {
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..4, range);
        }
    }
}

/// Length of a line, as a share of its model's diagonal.
const LENGTH: f32 = 0.02;

const COLOR: [u8; 4] = [92, 204, 250, 255];

/// Most lines in one picture.
const MAX_LINES: usize = 200_000;

/// A line for every vertex that a drawn triangle uses.
pub(super) fn of(items: &[Item<'_>], view: &ViewSettings) -> Vec<Line> {
    let mut lines = Vec::new();
    for item in items {
        let model = item.model.model();
        let mut used = vec![false; item.model.vertex_count as usize];
        for vertex in &item.model.index_list {
            if let Some(used) = used.get_mut(*vertex as usize) {
                *used = true;
            }
        }
        let Some(bounds) = item.model.spheres.bounds(item.frame, item.world_from_model) else { continue };
        let length = bounds.diagonal() * LENGTH;
        let mut rest = used.as_slice();
        for (index, mesh) in model.meshes.iter().enumerate() {
            let (own, after) = rest.split_at(mesh.vertex_count().min(rest.len()));
            rest = after;
            let is_shown = item.frame.visible.get(index).copied().unwrap_or(true);
            if !is_shown || !own.contains(&true) {
                continue;
            }
            let frame = billboards::turned_frame(mesh.billboard, item.frame, item.world_from_model, view);
            let points = skinning::skinned_points(model, mesh, &frame);
            let mut normals = skinning::skinned_normals(model, mesh, &frame);
            if normals.len() != mesh.vertex_count() {
                normals = from_triangles(mesh, &points);
            }
            let vertices = own.iter().zip(&mesh.vertex_points).zip(&normals).filter(|((used, _), _)| **used);
            let room = MAX_LINES.saturating_sub(lines.len());
            lines.extend(vertices.take(room).filter_map(|((_, point), normal)| {
                let from = item.world_from_model.transform_point3(*points.get(*point as usize)?);
                let along = item.world_from_model.transform_vector3(*normal).normalize_or_zero();
                Some(Line { ends: [from, from + along * length], color: COLOR, width_px: 1.0, over: false })
            }));
        }
    }
    lines
}

/// Normals of vertices from the triangles around their points.
fn from_triangles(mesh: &Mesh, points: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; points.len()];
    let point_of = |vertex: u32| mesh.vertex_points.get(vertex as usize).map(|point| *point as usize);
    for corners in mesh.indices.chunks_exact(3) {
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| point_of(corners[i])) else { continue };
        let [Some(x), Some(y), Some(z)] = [a, b, c].map(|point| points.get(point)) else { continue };
        let across = (*y - *x).cross(*z - *x);
        for point in [a, b, c] {
            if let Some(sum) = sums.get_mut(point).filter(|_| across.is_finite()) {
                *sum += across;
            }
        }
    }
    let of = |point: &u32| sums.get(*point as usize).copied().unwrap_or_default().normalize_or_zero();
    mesh.vertex_points.iter().map(of).collect()
}

const SELECTED: u32 = 1;

/// Bones ([`bone_bodies`]) and joints of all items in world space; the selected joint is that of the items that are marked.
pub(super) fn gather(items: &[Item<'_>], looks: &[ItemLook], selected: Option<u32>) -> (Vec<Bone>, Vec<Dot>) {
    let (mut bones, mut dots) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let is_marked = looks.get(index).is_none_or(|look| look.mark == Mark::OfView);
        let selected = selected.filter(|_| is_marked);
        let Some(skeleton) = &item.model.model().skeleton else { continue };
        bones.extend(bone_bodies(skeleton, item.frame, item.world_from_model).iter().map(|body| Bone {
            head: body.head.to_array(),
            flags: flags(body.joint, selected),
            tail: body.tail.to_array(),
            radius: body.radius,
        }));
        let joints = (0..skeleton.joints().len() as u32).zip(&item.frame.world_from_joint);
        for (joint, matrix) in joints {
            let place = item.world_from_model.transform_point3(matrix.translation.into());
            if place.is_finite() {
                dots.push(Dot { position: place.to_array(), flags: flags(joint, selected) });
            }
        }
    }
    // The selected joint last: it lies over its neighbours.
    bones.sort_by_key(|bone| bone.flags);
    dots.sort_by_key(|dot| dot.flags);
    (bones, dots)
}

fn flags(joint: u32, selected: Option<u32>) -> u32 {
    if Some(joint) == selected { SELECTED } else { 0 }
}
