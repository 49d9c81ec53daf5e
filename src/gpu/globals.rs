use super::{AXIS_COLORS, Background, RenderTarget, ViewSettings};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Quat, Vec3};

/// The uniform of one picture; mirrors `shaders/globals.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Globals {
    pub clip_from_world: [[f32; 4]; 4],
    pub view_from_world: [[f32; 4]; 4],
    pub eye: [f32; 4],
    pub forward: [f32; 4],
    pub focus: [f32; 4],
    pub key: [f32; 4],
    pub fill: [f32; 4],
    pub rim: [f32; 4],
    pub sky: [f32; 4],
    pub ground: [f32; 4],
    pub viewport: [f32; 4],
    pub background_top: [f32; 4],
    pub background_bottom: [f32; 4],
    pub accent: [f32; 4],
    pub floor: [f32; 4],
    pub shadow: [f32; 4],
    pub switches: [u32; 4],
    pub channel: [f32; 4],
    pub grade: [f32; 4],
    pub fog: [f32; 4],
    pub floor_axes: [[f32; 4]; 2],
}

/// Where a picture's shadow falls, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadowArea {
    pub center: Vec3,
    /// Half the size of the square.
    pub half: f32,
    /// Above the floor, where things cast none.
    pub height: f32,
}

fn with(v: Vec3, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

fn color([r, g, b]: [u8; 3], a: f32) -> [f32; 4] {
    [f32::from(r) / 255.0, f32::from(g) / 255.0, f32::from(b) / 255.0, a]
}

impl Globals {
    pub fn new(view: &ViewSettings, target: &RenderTarget, shadow: Option<ShadowArea>) -> Self {
        let (width, height) = target.size();
        let (width, height) = (width as f32, height as f32);
        let camera = &view.camera;
        let eye = view.eye();
        let forward = view.forward();
        // Lights turn with the camera about the vertical, and a part of the way with its pitch.
        let rig = Quat::from_rotation_y(camera.yaw) * Quat::from_rotation_x(-camera.pitch * view.light.follows);
        let light = |yaw: f32, pitch: f32, strength: f32| {
            let direction = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(-pitch) * Vec3::Z;
            with(view.turned(rig * direction), strength * view.light.intensity)
        };
        let ambient = view.light.ambient;
        let (top, bottom) = match view.background {
            Background::Gradient { top, bottom } => (color(top, 1.0), color(bottom, 1.0)),
            Background::Color(all) => (color(all, 1.0), color(all, 1.0)),
            Background::Transparent => ([0.0; 4], [0.0; 4]),
        };
        // Cells of a power of ten, about a twentieth of what is seen; as the camera leaves, the next power takes over.
        let span = (camera.distance * (camera.fov_y * 0.5).tan() * 0.34).max(1e-12).log10();
        let cell = 10f32.powf(span.floor());
        let area = shadow.unwrap_or(ShadowArea { center: Vec3::ZERO, half: 1.0, height: 1.0 });
        Self {
            clip_from_world: view.clip_from_world(width / height).to_cols_array_2d(),
            view_from_world: (camera.view_from_world() * Mat4::from(view.through.here_from_there)).to_cols_array_2d(),
            eye: with(eye, if camera.orthographic { 1.0 } else { 0.0 }),
            forward: with(forward, camera.distance),
            focus: with(camera.focus, 0.0),
            key: light(view.light.yaw, view.light.pitch, 0.62),
            fill: light(view.light.yaw + 1.9, 0.12, 0.2 * view.light.others),
            rim: light(view.light.yaw + std::f32::consts::PI + 0.35, 0.55, 0.38 * view.light.others),
            sky: [0.5 * ambient, 0.515 * ambient, 0.54 * ambient, f32::from(u8::from(view.light.ring))],
            ground: [0.3 * ambient, 0.285 * ambient, 0.275 * ambient, 0.0],
            viewport: [width, height, 1.0 / width, 1.0 / height],
            background_top: top,
            background_bottom: bottom,
            accent: color(view.accent, 1.0),
            floor: [view.floor_y, cell, camera.distance * 3.0, span.fract().rem_euclid(1.0)],
            shadow: [area.center.x, area.half, area.center.z, area.height],
            switches: [
                u32::from(view.textures),
                u32::from(view.vertex_colors),
                view.selected_joint.unwrap_or(u32::MAX),
                u32::from(view.selected_joint.is_some()),
            ],
            channel: view.channel.shares(),
            grade: [1.0 / if view.gamma > 0.0 { view.gamma } else { 1.0 }, 0.0, 0.0, 0.0],
            fog: [0.0; 4],
            floor_axes: view.floor_axes.map(|axis| color(AXIS_COLORS.get(axis).copied().unwrap_or_default(), 1.0)),
        }
    }

    /// The same picture seen from under the floor, for the shadow.
    pub fn seen_from_below(mut self, area: ShadowArea, floor_y: f32) -> Self {
        let (half, height) = (area.half.max(1e-6), area.height.max(1e-6));
        // x to the right, z down the picture; depth is not used.
        let scale = Mat4::from_cols_array_2d(&[
            [1.0 / half, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.5 / height, 0.0],
            [0.0, -1.0 / half, 0.0, 0.0],
            [0.0, 0.0, 0.25, 1.0],
        ]);
        let center = Vec3::new(area.center.x, floor_y, area.center.z);
        self.clip_from_world = (scale * Mat4::from_translation(-center)).to_cols_array_2d();
        self
    }
}
