//! A model on a graphics device, for pictures of it.

use crate::{
    gpu::{Background, GpuContext, GpuError, GpuModel, Item, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        Aabb, Frame, Image, Model, Player,
        camera::{OrbitCamera, ViewDirection},
        skinning::skinned_points,
    },
};
use glam::Affine3A;
use std::sync::Arc;

/// A device with a model on it.
pub struct Studio {
    renderer: SceneRenderer,
    target: RenderTarget,
    model: GpuModel,
    context: Arc<GpuContext>,
}

impl Studio {
    pub fn open(model: &Arc<Model>, (width, height): (u32, u32)) -> Result<Self, GpuError> {
        let context = GpuContext::headless()?;
        let mut renderer = SceneRenderer::new(context.clone())?;
        // A picture that is kept is worth four samples on any device.
        let target = RenderTarget::new(&context, width, height, 4)?;
        let model = renderer.upload(model)?;
        Ok(Self { renderer, target, model, context })
    }

    /// Puts another model in the place of the one that is there.
    pub fn replace(&mut self, model: &Arc<Model>) -> Result<(), GpuError> {
        self.model = self.renderer.upload(model)?;
        Ok(())
    }

    pub fn picture(&mut self, view: &ViewSettings, pose: &Frame) -> Result<Image, GpuError> {
        let item = Item { model: &self.model, frame: pose, world_from_model: Affine3A::IDENTITY };
        self.renderer.render(&mut self.target, view, &[item])?;
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the picture".to_owned(), message }),
            None => Ok(picture),
        }
    }
}

/// One camera for all pictures: it sees the model in every pose, at the distance that `frame` gives it ([`OrbitCamera::frame`], or
/// [`OrbitCamera::frame_closely`] where it does not turn). `aspect` is the pictures' width by their height.
pub fn view_of(
    model: &Model,
    poses: impl Iterator<Item = Player>,
    from: Option<ViewDirection>,
    frame: fn(&mut OrbitCamera, &Aabb, f32),
    background: Background,
    aspect: f32,
) -> ViewSettings {
    let mut pose = Frame::default();
    let bounds = poses.filter_map(|player| {
        player.evaluate(model, &mut pose);
        posed_bounds(model, &pose)
    });
    let bounds = bounds.reduce(Aabb::union).unwrap_or_else(|| model.bounds());
    let mut camera = OrbitCamera::default();
    camera.look_from(from.unwrap_or(ViewDirection::Iso));
    frame(&mut camera, &bounds, aspect);
    ViewSettings {
        camera,
        skeleton: model.triangle_count() == 0,
        grid: false,
        shadow: background != Background::Transparent,
        background,
        floor_y: bounds.min.y,
        ..ViewSettings::default()
    }
}

/// The box around the points that are drawn; around the joints where nothing is.
fn posed_bounds(model: &Model, pose: &Frame) -> Option<Aabb> {
    let drawn = model.meshes.iter().filter_map(|mesh| {
        let points = skinned_points(model, mesh, pose);
        let vertices = mesh.indices.iter().filter_map(|v| mesh.vertex_points.get(*v as usize));
        Aabb::of(vertices.filter_map(|p| points.get(*p as usize).copied()))
    });
    let joints = pose.world_from_joint.iter().map(|m| m.translation.into());
    drawn.reduce(Aabb::union).or_else(|| Aabb::of(joints))
}
