//! The model on a stage.

use crate::{
    formats::EntryId,
    scene::{Aabb, JointIndex, MeshIndex, Model, ModelPart},
    ui::{
        place::Place,
        state::stage::{
            curves::Curves,
            parts::ModelParts,
            playback::{PlaySettings, Playback},
            scene::{Leader, SceneModel, StageScene},
            textures::StageTextures,
        },
    },
};
use std::sync::Arc;

/// A model, the clips that play on it, and the other models of its scene.
pub struct ModelStage {
    pub place: Place,
    pub model: Arc<Model>,
    /// Bounds of the rest pose, in scene space.
    pub bounds: Aabb,
    /// [`Model::list_counts`].
    pub list_counts: Option<[usize; 5]>,
    /// Bounds of the bind pose, if it differs from the rest pose ([`Model::pose_difference`]).
    pub bind_bounds: Option<Aabb>,
    /// Changes with each model, so that cached data of the previous model is not used.
    pub generation: u64,
    pub playback: Playback,
    /// Curves of one of the clips.
    pub curves: Curves,
    pub scene: StageScene,
    pub selected: ModelSelection,
    pub parts: ModelParts,
    /// Images that replace textures of the model.
    pub textures: StageTextures,
}

impl ModelStage {
    /// The model as it is shown first, at rest.
    pub(crate) fn new(place: Place, model: Arc<Model>, generation: u64, settings: PlaySettings) -> Self {
        let bind_bounds = model.pose_difference().map(|difference| difference.bounds);
        Self {
            place,
            bounds: model.bounds(),
            list_counts: model.list_counts(),
            bind_bounds,
            generation,
            playback: Playback::new(settings, &model, bind_bounds.is_some()),
            model,
            curves: Curves::default(),
            scene: StageScene::default(),
            selected: ModelSelection::default(),
            parts: ModelParts::default(),
            textures: StageTextures::default(),
        }
    }

    /// Takes the scene, the selection, hidden parts, textures and curves from an earlier version of the model, and its player unless
    /// that version `failed` to load.
    pub(super) fn keep(&mut self, former: Self, failed: bool) {
        self.curves = former.curves;
        self.scene = former.scene;
        self.selected = former.selected;
        self.parts = former.parts;
        self.textures = former.textures;
        if failed {
            self.scene.changed();
        } else {
            self.playback = former.playback;
            self.playback.player.morph_weights.resize(self.model.morph_names().len(), 0.0);
        }
    }

    /// Computes the pose at the time of the player.
    pub(crate) fn pose(&mut self) {
        let playback = &mut self.playback;
        playback.player.evaluate(&self.model, &mut playback.frame);
        if let Some(fade) = &playback.fade {
            fade.apply(&self.model, playback.player.options, &mut playback.frame);
        }
        let set = playback.player.material_set();
        if let Some(worn) = self.textures.dress(&self.model, self.generation, set) {
            worn.follow(&mut playback.frame.materials);
        }
    }

    /// Computes the poses and placements of the other models of the scene, if anything has changed.
    pub(crate) fn pose_scene(&mut self) {
        let revision = self.playback.revision;
        if self.scene.models.is_empty() || self.scene.posed == Some(revision) {
            return;
        }
        self.scene.posed = Some(revision);
        let leader = Leader { model: &self.model, generation: self.generation, bounds: self.bounds };
        self.scene.pose(leader, &self.playback.frame, &self.playback.player);
    }

    /// Marks the poses of the scene as outdated.
    pub(crate) fn scene_changed(&mut self) {
        self.scene.changed();
        self.playback.revision += 1;
    }

    /// Compares the bones of the other models with those of this one.
    pub(crate) fn link_scene(&mut self) {
        let leader = Leader { model: &self.model, generation: self.generation, bounds: self.bounds };
        for model in &mut self.scene.models {
            model.link_to(leader);
        }
    }

    /// Number of bones that another model of the scene has in common with this one, and whether they are enough to follow its pose.
    pub fn shared_bones(&self, model: &SceneModel) -> (usize, bool) {
        match &model.link {
            Some((generation, link)) if *generation == self.generation => (link.matched(), link.fits()),
            _ => (0, false),
        }
    }

    /// Whether the pose of the model or of another one in its scene changes by itself.
    pub(crate) fn is_moving(&self) -> bool {
        self.playback.is_moving() || self.scene.models.iter().any(SceneModel::is_moving)
    }

    /// Updates the places after a file was reloaded. True if a clip that was playing no longer exists.
    pub(crate) fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) -> bool {
        let moved = |place: &mut Place| *place = to(*place).unwrap_or(Place { entry: EntryId::FILE, ..*place });
        moved(&mut self.place);
        self.textures.move_places(moved);
        for model in &mut self.scene.models {
            model.move_places(&to);
        }
        self.curves.shown.iter_mut().for_each(|shown| moved(&mut shown.place));
        self.playback.move_places(&to)
    }

    /// The shown model with the textures that replace its own; `None` if it has its own textures.
    pub fn worn(&self) -> Option<(u64, &Arc<Model>)> {
        self.textures.worn(self.generation)
    }
    /// Joints and weights of a vertex of a mesh, the largest weight first.
    pub fn vertex_joints(&self, mesh: MeshIndex, vertex: u32) -> Vec<(JointIndex, f32)> {
        let Some(mesh) = self.model.meshes.get(mesh.as_usize()) else { return Vec::new() };
        let point = mesh.vertex_points.get(vertex as usize);
        point.map(|point| mesh.joints_of_point(&self.model, *point as usize)).unwrap_or_default()
    }

    /// Maximum number of texture coordinate sets of a mesh.
    pub fn uv_set_count(&self) -> u32 {
        self.model.meshes.iter().map(|m| m.uv_sets.len() as u32).max().unwrap_or(0)
    }
}

/// The selection within a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelSelection {
    pub joint: Option<u32>,
    /// Surfaces, marked by an outline.
    pub part: Option<ModelPart>,
    pub socket: Option<u32>,
    /// A mesh, and a vertex of it with a list of weights.
    pub vertex: Option<(MeshIndex, u32)>,
}
