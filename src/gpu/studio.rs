//! Pictures on a graphics device of their own: of one model, or of one thing after the other.

use super::{
    Background, GpuContext, GpuError, GpuModel, Item, MapLayers, MapView, RenderTarget, SceneRenderer, ViewSettings,
};
use crate::scene::{
    Aabb, Frame, Image, Map, MapMoment, Model, Moments, Motion, Player, Terrain, TerrainView,
    camera::{OrbitCamera, ViewDirection},
    skinning::skinned_points,
};
use glam::{Affine3A, Vec3};
use std::{collections::BTreeSet, sync::Arc};

/// A device with a model on it.
pub struct Studio {
    renderer: SceneRenderer,
    target: RenderTarget,
    model: GpuModel,
    context: Arc<GpuContext>,
}

impl Studio {
    /// Opens a device without a window, and uploads a model. The size of the pictures is in pixels.
    ///
    /// # Errors
    /// Returns an error if there is no device, or if the size or the model is too large for the device.
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

    /// Draws the model in a pose.
    ///
    /// # Errors
    /// Returns an error if the device was lost or refuses the picture, or if the picture cannot be read back.
    pub fn picture(&mut self, view: &ViewSettings, pose: &Frame) -> Result<Image, GpuError> {
        let item = Item { model: &self.model, frame: pose, world_from_model: Affine3A::IDENTITY };
        self.renderer.render(&mut self.target, view, &[item])?;
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the image".to_owned(), message }),
            None => Ok(picture),
        }
    }
}

/// A device that makes pictures of one size, of one thing after the other.
pub struct PictureRoom {
    renderer: SceneRenderer,
    target: RenderTarget,
    context: Arc<GpuContext>,
}

impl PictureRoom {
    /// # Errors
    /// When there is no device that can draw.
    pub fn open((width, height): (u32, u32)) -> Result<Self, GpuError> {
        let context = GpuContext::headless()?;
        let renderer = SceneRenderer::new(context.clone())?;
        let target = RenderTarget::new(&context, width, height, 4)?;
        Ok(Self { renderer, target, context })
    }

    /// A model in a pose, seen from in front and above, with nothing around it.
    ///
    /// # Errors
    /// When the device does not take it.
    pub fn model(&mut self, model: &Arc<Model>, player: &Player) -> Result<Image, GpuError> {
        let pictures = self.moments(model, std::slice::from_ref(player))?;
        pictures
            .into_iter()
            .next()
            .ok_or_else(|| GpuError::Refused { what: "the image".to_owned(), message: "nothing was drawn".to_owned() })
    }

    /// The same in several poses, all seen from one place: what moves, moves in the pictures too.
    ///
    /// # Errors
    /// As [`PictureRoom::model`].
    pub fn moments(&mut self, model: &Arc<Model>, moments: &[Player]) -> Result<Vec<Image>, GpuError> {
        let uploaded = self.renderer.upload(model)?;
        let (frame, poses) = (OrbitCamera::frame_closely, moments.iter().cloned());
        let take = take_of(model, poses, None, frame, Background::Transparent, self.aspect());
        let mut pose = Frame::default();
        let mut pictures = Vec::with_capacity(moments.len());
        for player in moments {
            player.evaluate(model, &mut pose);
            let item = Item { model: &uploaded, frame: &pose, world_from_model: Affine3A::IDENTITY };
            self.renderer.render(&mut self.target, &take.at(&pose), &[item])?;
            pictures.push(self.read()?);
        }
        Ok(pictures)
    }

    /// A level from outside, as it is seen in the game: nothing that only its editor shows.
    ///
    /// # Errors
    /// As [`PictureRoom::model`].
    pub fn map(&mut self, map: &Arc<Map>) -> Result<Image, GpuError> {
        let mut uploaded = self.renderer.upload_map(map)?;
        let view = ViewSettings {
            camera: OrbitCamera::framing(&map.bounds(), ViewDirection::Iso, self.aspect()),
            grid: false,
            shadow: false,
            backface_culling: true,
            vertex_colors: false,
            background: Background::Transparent,
            ..ViewSettings::default()
        };
        let layers = MapLayers { sprites: false, ..MapLayers::default() };
        let (hidden, moment) = (BTreeSet::new(), MapMoment::default());
        let how = MapView { layers, hidden: &hidden, moment: &moment, lines: &[], overlay: &[], exact: true };
        self.renderer.render_map(&mut self.target, &view, &mut uploaded, &how)?;
        self.read()
    }

    /// A landscape, overlooked.
    ///
    /// # Errors
    /// As [`PictureRoom::model`].
    pub fn terrain(&mut self, terrain: &Arc<Terrain>) -> Result<Image, GpuError> {
        let mut uploaded = self.renderer.upload_terrain(terrain)?;
        let view = ViewSettings {
            camera: OrbitCamera::overlooking(&terrain.bounds(), ViewDirection::Iso, self.aspect()),
            grid: false,
            shadow: false,
            background: Background::Transparent,
            ..ViewSettings::default()
        };
        let how = TerrainView { pictures: true, ..TerrainView::default() };
        self.renderer.render_terrain(&mut self.target, &view, &mut uploaded, &how, &[])?;
        self.read()
    }

    fn aspect(&self) -> f32 {
        let (width, height) = self.target.size();
        width as f32 / height.max(1) as f32
    }

    fn read(&mut self) -> Result<Image, GpuError> {
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the image".to_owned(), message }),
            None => Ok(picture),
        }
    }
}

/// How a model is seen in several poses.
#[derive(Clone, Debug)]
pub struct Take {
    /// The view of the first pose.
    pub view: ViewSettings,
    /// The joint that the camera goes along with, and where it is in the first pose.
    follows: Option<(u32, Vec3)>,
}

impl Take {
    /// The view of one of the poses.
    pub fn at(&self, pose: &Frame) -> ViewSettings {
        let mut view = self.view.clone();
        if let Some((joint, first)) = self.follows
            && let Some(place) = pose.place_of(joint)
        {
            view.camera.focus += place - first;
        }
        view
    }
}

/// One camera for all pictures: it sees the model in every pose, at the distance that `frame` gives it ([`OrbitCamera::frame`], or
/// [`OrbitCamera::frame_closely`] where it does not turn). A model that goes far in relation to its size takes the camera with it
/// ([`Motion`]). `aspect` is the pictures' width by their height.
pub fn take_of(
    model: &Model,
    poses: impl Iterator<Item = Player>,
    from: Option<ViewDirection>,
    frame: fn(&mut OrbitCamera, &Aabb, f32),
    background: Background,
    aspect: f32,
) -> Take {
    let mut pose = Frame::default();
    let mut first = None;
    let mut moments = Moments::default();
    for player in poses {
        player.evaluate(model, &mut pose);
        if let Some(bounds) = posed_bounds(model, &pose) {
            moments.add(bounds, &pose);
            first.get_or_insert_with(|| pose.clone());
        }
    }
    let motion = moments.motion().unwrap_or_else(|| Motion { bounds: model.bounds(), follows: None });
    let bounds = motion.bounds;
    let mut camera = OrbitCamera::default();
    camera.look_from(from.unwrap_or(ViewDirection::Iso));
    frame(&mut camera, &bounds, aspect);
    let view = ViewSettings {
        camera,
        skeleton: model.triangle_count() == 0,
        grid: false,
        shadow: background != Background::Transparent,
        background,
        floor_y: bounds.min.y,
        ..ViewSettings::default()
    };
    let follows = motion.follows.and_then(|joint| Some((joint, first?.place_of(joint)?)));
    Take { view, follows }
}

/// The box around the points that are drawn; around the joints where nothing is.
fn posed_bounds(model: &Model, pose: &Frame) -> Option<Aabb> {
    let drawn = model.meshes.iter().filter_map(|mesh| {
        let points = skinned_points(model, mesh, pose);
        let vertices =
            mesh.indices.iter().chain(mesh.lines.as_flattened()).filter_map(|v| mesh.vertex_points.get(*v as usize));
        Aabb::of(vertices.filter_map(|p| points.get(*p as usize).copied()))
    });
    let joints = pose.world_from_joint.iter().map(|m| m.translation.into());
    drawn.reduce(Aabb::union).or_else(|| Aabb::of(joints))
}
