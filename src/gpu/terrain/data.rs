use crate::scene::{Aabb, Frustum, HeightRange, Terrain, TerrainTint, TerrainView, camera::OrbitCamera};
use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

/// Thickness of the block of earth under the deepest ground, as a share of the map's longer side.
const THICKNESS: f32 = 0.022;
/// Heights are drawn this many times as high at most.
const MAX_EXAGGERATION: f32 = 1000.0;

/// What the shaders know of a landscape; mirrors `Terrain` in `shaders/terrain_data.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct TerrainData {
    /// Last sample from west to east and from south to north, cell in metres, exaggeration.
    pub grid: [f32; 4],
    /// Lowest and highest ground in metres, foot of the walls in the scene, metres between contour lines.
    pub heights: [f32; 4],
    /// Texels of the relief in both directions and one over them.
    pub texels: [f32; 4],
    /// Tint, contours, wireframe, grid.
    pub switches: [u32; 4],
    /// Models stand for props nearer than x metres; y: pixels of a metre, one metre away.
    pub props: [f32; 4],
}

/// How high heights are drawn, held to what can be drawn.
pub(super) fn exaggeration(view: &TerrainView) -> f32 {
    if view.exaggeration.is_finite() { view.exaggeration.clamp(1e-3, MAX_EXAGGERATION) } else { 1.0 }
}

/// Height of the foot of the walls, in the scene.
pub(super) fn base(terrain: &Terrain, range: &HeightRange, exaggeration: f32) -> f32 {
    let side = terrain.grid.width().max(terrain.grid.depth());
    range.min * exaggeration - side * THICKNESS
}

impl TerrainData {
    pub fn new(terrain: &Terrain, range: &HeightRange, view: &TerrainView, seen: &Seen, body_reach: f32) -> Self {
        let grid = &terrain.grid;
        let (columns, rows) = (grid.columns.max(1) as f32, grid.rows.max(1) as f32);
        let tint = match view.tint {
            TerrainTint::Height => 0,
            TerrainTint::Slope => 1,
            TerrainTint::Plain => 2,
        };
        Self {
            grid: [columns - 1.0, rows - 1.0, grid.cell, seen.exaggeration],
            heights: [range.min, range.max, seen.base, view.contour_step(range)],
            texels: [columns, rows, 1.0 / columns, 1.0 / rows],
            switches: [tint, u32::from(view.contours), u32::from(view.wireframe), u32::from(view.grid)],
            props: [body_reach, seen.pixels, 0.0, 0.0],
        }
    }
}

/// From where a landscape is looked at, and how large things are in the picture.
pub(super) struct Seen {
    pub frustum: Frustum,
    pub eye: Vec3,
    pub orthographic: bool,
    /// What projections divide by, of a point.
    depth: Vec4,
    /// Pixels of a metre: one metre away, or anywhere for an orthographic camera.
    pub pixels: f32,
    pub exaggeration: f32,
    /// Height of the foot of the walls at the map's edge, in the scene.
    pub base: f32,
}

impl Seen {
    pub fn new(camera: &OrbitCamera, (width, height): (u32, u32), exaggeration: f32, base: f32) -> Self {
        let aspect = width as f32 / height as f32;
        let scale = camera.clip_from_view(aspect).y_axis.y;
        Self {
            frustum: Frustum::new(camera.clip_from_world(aspect)),
            eye: camera.eye(),
            orthographic: camera.orthographic,
            depth: camera.clip_from_world(aspect).row(3),
            pixels: scale * height as f32 * 0.5,
            exaggeration,
            base,
        }
    }

    /// Pixels of a length, where the box is nearest to the eye.
    pub fn pixels_of(&self, length: f32, bounds: &Aabb) -> f32 {
        let nearest = self.eye.clamp(bounds.min.min(bounds.max), bounds.max.max(bounds.min));
        self.pixels_at(length, nearest)
    }

    /// Metres along the line of sight; 1 for an orthographic camera.
    pub fn depth_of(&self, point: Vec3) -> f32 {
        self.depth.dot(point.extend(1.0))
    }

    /// Pixels of a length at a point.
    pub fn pixels_at(&self, length: f32, point: Vec3) -> f32 {
        let away = if self.orthographic { 1.0 } else { (point - self.eye).length().max(1e-6) };
        length * self.pixels / away
    }
}
