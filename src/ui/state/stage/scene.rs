//! The other models on the stage of a model: places, attachments, clips and clocks.

use crate::{
    formats::EntryId,
    library::OpenFile,
    scene::{Aabb, Frame, Model, Player, PoseLink},
    ui::{
        place::Place,
        scene_member::{Anchor, Attachment, SceneLook, SceneMember, SceneModelId},
        state::stage::{
            pending::{ReturningClip, ReturningModel},
            playback::ClipItem,
        },
    },
};
use glam::Affine3A;
use std::sync::{Arc, Weak};

/// Gap between models that are arranged side by side, as a share of the widest model.
const GAP: f32 = 0.15;

/// The main model of a scene.
#[derive(Clone, Copy)]
pub struct Leader<'a> {
    pub model: &'a Arc<Model>,
    pub generation: u64,
    /// Bounds of the rest pose, in scene space.
    pub bounds: Aabb,
}

/// A model of a scene, in addition to the main model.
#[derive(Clone)]
pub struct SceneModel {
    pub id: SceneModelId,
    pub place: Place,
    pub model: Arc<Model>,
    /// The file that the model was loaded from.
    pub(crate) source: Weak<OpenFile>,
    /// The model with the materials of the playing clip.
    drawn: Arc<Model>,
    /// Bounds of the bind pose, in the space of the model.
    pub bounds: Aabb,
    /// Changes when the model is reloaded.
    pub(crate) generation: u64,
    pub look: SceneLook,
    pub player: Player,
    /// The clip that plays or is paused.
    pub playing: Option<Place>,
    /// The clip of a restored view, while it is loaded.
    pub(crate) returning: Option<ReturningClip>,
    /// Clips that fit the model, the best first.
    pub clips: Vec<ClipItem>,
    /// Revision of the library at the search for clips.
    pub clips_revision: u64,
    /// True if the clock of the main model does not control the clip.
    pub own_clock: bool,
    /// True if its bones follow the bones of the main model with the same names.
    pub follows: bool,
    pub attached: Option<Attachment>,
    pub frame: Frame,
    /// Placement in the scene, relative to the main model. The up axis of the stage is not included.
    pub scene_from_model: Affine3A,
    pub(crate) link: Option<(u64, PoseLink)>,
}

impl SceneModel {
    pub(crate) fn new(
        id: SceneModelId,
        place: Place,
        model: Arc<Model>,
        source: Weak<OpenFile>,
        generation: u64,
    ) -> Self {
        let mut player = Player::default();
        player.morph_weights = vec![0.0; model.morph_names().len()];
        Self {
            id,
            place,
            bounds: model.bounds(),
            drawn: model.clone(),
            frame: Frame::bind(&model),
            model,
            source,
            generation,
            look: SceneLook::default(),
            player,
            playing: None,
            returning: None,
            clips: Vec::new(),
            clips_revision: 0,
            own_clock: false,
            follows: false,
            attached: None,
            scene_from_model: Affine3A::IDENTITY,
            link: None,
        }
    }

    /// The model with the materials of the playing clip.
    pub fn drawn(&self) -> &Arc<Model> {
        &self.drawn
    }

    /// Replaces the model with the version of the reloaded file.
    pub(crate) fn replace(&mut self, place: Place, model: Arc<Model>, source: Weak<OpenFile>, generation: u64) {
        self.bounds = model.bounds();
        self.source = source;
        self.player.morph_weights.resize(model.morph_names().len(), 0.0);
        (self.place, self.model, self.generation, self.link) = (place, model, generation, None);
        self.dress();
    }

    /// Updates the places after a file was reloaded.
    pub(crate) fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) {
        // A model that no longer exists is removed when the scene is refreshed.
        self.place = to(self.place).unwrap_or(Place { entry: EntryId::FILE, ..self.place });
        self.playing = self.playing.and_then(&to);
        self.clips.retain_mut(|item| to(item.place).inspect(|place| item.place = *place).is_some());
    }

    /// Applies the materials of the playing clip.
    pub(crate) fn dress(&mut self) {
        self.drawn = match self.player.material_set() {
            Some(set) => Arc::new(set.applied_to(&self.model)),
            None => self.model.clone(),
        };
    }

    pub(crate) fn stop_clip(&mut self) {
        self.player.clear();
        (self.playing, self.returning) = (None, None);
        self.dress();
    }

    /// Whether the model is animated by its own clock.
    pub(crate) fn is_moving(&self) -> bool {
        self.own_clock && self.look.visible && self.player.is_moving()
    }

    /// Links the bones to those of the main model with the same names.
    pub(crate) fn link_to(&mut self, leader: Leader<'_>) -> &PoseLink {
        let known = self.link.take().filter(|(generation, _)| *generation == leader.generation);
        let fresh = || (leader.generation, PoseLink::new(&self.model, leader.model));
        &self.link.insert(known.unwrap_or_else(fresh)).1
    }
}

/// The models of a stage in addition to the main model, and how all of them are shown.
#[derive(Clone, Default)]
pub struct StageScene {
    /// Appearance of the main model.
    pub main: SceneLook,
    pub models: Vec<SceneModel>,
    /// The selected model; `None` for the main model.
    pub selected: Option<SceneModelId>,
    /// True if models that are not attached are arranged side by side.
    pub side_by_side: bool,
    pub list_is_open: bool,
    /// Models of a restored scene that are being loaded.
    pub(crate) returning: Vec<ReturningModel>,
    /// Attachments in a restored scene, until both models are loaded.
    pub(crate) attaching: Vec<(SceneModelId, Attachment)>,
    /// Revision of the playback that the poses were computed for.
    pub(crate) posed: Option<u64>,
}

impl StageScene {
    pub fn model(&self, id: SceneModelId) -> Option<&SceneModel> {
        self.models.iter().find(|model| model.id == id)
    }

    pub(crate) fn model_mut(&mut self, id: SceneModelId) -> Option<&mut SceneModel> {
        self.models.iter_mut().find(|model| model.id == id)
    }

    pub fn look_of(&self, member: SceneMember) -> Option<&SceneLook> {
        match member {
            SceneMember::Main => Some(&self.main),
            SceneMember::Other(id) => self.model(id).map(|model| &model.look),
        }
    }

    pub(crate) fn look_mut(&mut self, member: SceneMember) -> Option<&mut SceneLook> {
        match member {
            SceneMember::Main => Some(&mut self.main),
            SceneMember::Other(id) => self.model_mut(id).map(|model| &mut model.look),
        }
    }

    pub fn selected_member(&self) -> SceneMember {
        self.selected.map_or(SceneMember::Main, SceneMember::Other)
    }

    /// Whether a model is attached to another, directly or through other models.
    pub(crate) fn hangs_on(&self, what: SceneMember, on: SceneModelId) -> bool {
        let above = |member: &SceneMember| match member {
            SceneMember::Main => None,
            SceneMember::Other(id) => self.model(*id)?.attached.as_ref().map(|attached| attached.to),
        };
        let way = std::iter::successors(Some(what), above).take(self.models.len().saturating_add(1));
        way.into_iter().any(|member| member == SceneMember::Other(on))
    }

    /// Detaches models from models that were removed.
    pub(crate) fn let_go(&mut self) {
        let left: Vec<SceneModelId> = self.models.iter().map(|model| model.id).collect();
        for model in &mut self.models {
            let is_gone = |to: &SceneMember| matches!(to, SceneMember::Other(id) if !left.contains(id));
            model.attached.take_if(|attached| is_gone(&attached.to));
        }
        self.selected.take_if(|id| !left.contains(id));
        self.changed();
    }

    /// Forgets a model that could not be loaded.
    pub(crate) fn forget_waiting(&mut self, id: SceneModelId) {
        self.returning.retain(|returning| returning.id != id);
        self.attaching.retain(|(model, to)| *model != id && to.to != SceneMember::Other(id));
    }

    /// Removes all models except the main one.
    pub(crate) fn remove_all(&mut self) {
        self.models.clear();
        self.returning.clear();
        self.attaching.clear();
        self.let_go();
    }

    /// Inserts a model, in the order of the requests.
    pub(crate) fn insert(&mut self, model: SceneModel) {
        let at = self.models.iter().position(|known| known.id.0 > model.id.0).unwrap_or(self.models.len());
        self.models.insert(at, model);
    }

    /// Finds the bones and sockets of attachments by name after a model was reloaded.
    pub(crate) fn find_anchors(&mut self, on: SceneMember, model: &Model) {
        for attached in self.models.iter_mut().filter_map(|other| other.attached.as_mut()) {
            if attached.to == on && name_of(model, attached.anchor) != Some(&attached.name) {
                let found = anchor_named(model, attached.anchor, &attached.name);
                let gone = match attached.anchor {
                    Anchor::Joint(_) => Anchor::Joint(u32::MAX),
                    Anchor::Socket(_) => Anchor::Socket(u32::MAX),
                };
                attached.anchor = found.unwrap_or(gone);
            }
        }
        self.changed();
    }

    /// A copy for drawing, without lists of clips and without models that are being loaded.
    pub(in crate::ui) fn to_draw(&self) -> Self {
        let mut copy = self.clone();
        copy.models.iter_mut().for_each(|model| model.clips.clear());
        copy.returning.clear();
        copy.attaching.clear();
        copy
    }

    /// Marks all poses as outdated.
    pub(crate) fn changed(&mut self) {
        self.posed = None;
    }

    /// X coordinates of the models that are not attached: 0, or side by side to the right of the main model.
    pub(crate) fn free_places(&self, main: &Aabb) -> Vec<f32> {
        let width = |bounds: &Aabb| Some(bounds.max.x - bounds.min.x).filter(|width| width.is_finite()).unwrap_or(0.0);
        let widest = self.models.iter().map(|model| width(&model.bounds)).fold(width(main), f32::max);
        let gap = widest * GAP;
        let mut right = main.max.x;
        let mut places = Vec::with_capacity(self.models.len());
        for model in &self.models {
            let place = right + gap - model.bounds.min.x;
            if !self.side_by_side || model.attached.is_some() || !place.is_finite() {
                places.push(0.0);
                continue;
            }
            right += gap + width(&model.bounds);
            places.push(place);
        }
        places
    }

    /// Whether the pose of a model is needed: it is visible, or another model is attached to it.
    pub(crate) fn is_needed(&self, model: &SceneModel) -> bool {
        let carries = |other: &SceneModel| {
            other.attached.as_ref().is_some_and(|attached| attached.to == SceneMember::Other(model.id))
        };
        model.look.visible || self.models.iter().any(carries)
    }
}

/// The bones and sockets of a model to which another model can be attached; sockets first.
pub fn anchors(model: &Model) -> impl Iterator<Item = (Anchor, &str)> {
    let skeleton = model.skeleton.iter();
    let sockets = skeleton.clone().flat_map(|skeleton| (0_u32..).zip(&skeleton.sockets));
    let joints = skeleton.flat_map(|skeleton| (0_u32..).zip(skeleton.joints()));
    let sockets = sockets.map(|(index, socket)| (Anchor::Socket(index), socket.name.as_str()));
    sockets.chain(joints.map(|(index, joint)| (Anchor::Joint(index), joint.name.as_str())))
}

/// The bone or socket with this name: the given one if its name is unchanged, else the first one of its kind.
pub(crate) fn anchor_named(model: &Model, anchor: Anchor, name: &str) -> Option<Anchor> {
    if name_of(model, anchor) == Some(name) {
        return Some(anchor);
    }
    let is_socket = |anchor: &Anchor| matches!(anchor, Anchor::Socket(_));
    let mut found = anchors(model).filter(|(other, _)| is_socket(other) == is_socket(&anchor));
    found.find(|(_, other)| *other == name).map(|(found, _)| found)
}

/// Name of a bone or socket; `None` if it does not exist.
pub fn name_of(model: &Model, anchor: Anchor) -> Option<&str> {
    let skeleton = model.skeleton.as_ref()?;
    match anchor {
        Anchor::Joint(joint) => skeleton.joints().get(joint as usize).map(|joint| joint.name.as_str()),
        Anchor::Socket(socket) => skeleton.sockets.get(socket as usize).map(|socket| socket.name.as_str()),
    }
}

/// Placement of a bone or socket in the current pose, in the space of the model. `None` if it does not exist or is not finite.
pub(crate) fn place_of(model: &Model, frame: &Frame, anchor: Anchor) -> Option<Affine3A> {
    let joint = |joint: u32| frame.world_from_joint.get(joint as usize).copied();
    let place = match anchor {
        Anchor::Joint(index) => joint(index)?,
        Anchor::Socket(index) => {
            let socket = model.skeleton.as_ref()?.sockets.get(index as usize)?;
            let on = match socket.joint {
                Some(index) => joint(index)?,
                None => Affine3A::IDENTITY,
            };
            on * socket.transform.to_affine()
        }
    };
    place.is_finite().then_some(place)
}
