//! The other models on the stage of a model: places, attachments, clips and clocks.

use crate::{
    formats::EntryId,
    library::OpenFile,
    scene::{Aabb, Frame, Model, Player, PoseLink},
    ui::{
        place::Place,
        scene_member::{Anchor, Attachment, SceneLook, SceneMember, SceneModelId},
        state::stage::{
            model::ModelStage,
            pending::{ReturningClip, ReturningModel},
            playback::ClipItem,
        },
    },
};
use glam::Affine3A;
use std::sync::{Arc, Weak};

/// Room between models that stand side by side, as a share of the widest.
const GAP: f32 = 0.15;

/// A model beside the main one.
#[derive(Clone)]
pub struct SceneModel {
    pub id: SceneModelId,
    pub place: Place,
    pub model: Arc<Model>,
    /// What it was read from.
    pub(crate) source: Weak<OpenFile>,
    /// With the materials of the clip that plays.
    drawn: Arc<Model>,
    /// In bind pose, in its own space.
    pub bounds: Aabb,
    /// Changes when the model is read anew.
    pub(crate) generation: u64,
    pub look: SceneLook,
    pub player: Player,
    /// The clip that plays or is held.
    pub playing: Option<Place>,
    /// The clip that played on it when it was looked at last, while it is being read.
    pub(crate) returning: Option<ReturningClip>,
    /// Clips that fit it, the best first.
    pub clips: Vec<ClipItem>,
    /// The library that they were looked for in.
    pub clips_revision: u64,
    /// It does not go by the main model's clock.
    pub own_clock: bool,
    /// Its bones stand where the main model has those of their names.
    pub follows: bool,
    pub attached: Option<Attachment>,
    pub frame: Frame,
    /// Where it stands in the scene; the main model is at the origin. How the stage is turned comes on top.
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

    /// The model as it is drawn.
    pub fn drawn(&self) -> &Arc<Model> {
        &self.drawn
    }

    /// The same model, as its file is now.
    pub(crate) fn replace(&mut self, place: Place, model: Arc<Model>, source: Weak<OpenFile>, generation: u64) {
        self.bounds = model.bounds();
        self.source = source;
        self.player.morph_weights.resize(model.morph_names().len(), 0.0);
        (self.place, self.model, self.generation, self.link) = (place, model, generation, None);
        self.dress();
    }

    /// Places in a file have moved; those that are gone are none.
    pub(crate) fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) {
        // A model that is gone is found to be so when it is read anew.
        self.place = to(self.place).unwrap_or(Place { entry: EntryId::FILE, ..self.place });
        self.playing = self.playing.and_then(&to);
        self.clips.retain_mut(|item| to(item.place).inspect(|place| item.place = *place).is_some());
    }

    /// Puts the materials on that its clip brings.
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

    /// Whether time changes what is seen of it, whatever the main model does.
    pub(crate) fn is_moving(&self) -> bool {
        self.own_clock && self.look.visible && self.player.is_moving()
    }

    /// How many of its bones a leader has too.
    pub(crate) fn link_to(&mut self, leader: &ModelStage) -> &PoseLink {
        let known = self.link.take().filter(|(generation, _)| *generation == leader.generation);
        let fresh = || (leader.generation, PoseLink::new(&self.model, &leader.model));
        &self.link.insert(known.unwrap_or_else(fresh)).1
    }
}

/// What stands on a stage beside its model, and how.
#[derive(Clone, Default)]
pub struct StageScene {
    /// How the main model is seen.
    pub main: SceneLook,
    pub models: Vec<SceneModel>,
    /// `None`: the main one.
    pub selected: Option<SceneModelId>,
    /// What hangs on nothing stands beside each other.
    pub side_by_side: bool,
    pub list_is_open: bool,
    /// Models of a restored scene that are being loaded.
    pub(crate) returning: Vec<ReturningModel>,
    /// What hung on what then, where not both are there yet.
    pub(crate) attaching: Vec<(SceneModelId, Attachment)>,
    /// The poses are of this revision of the player.
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

    /// Whether a model hangs on another, near or far.
    pub(crate) fn hangs_on(&self, what: SceneMember, on: SceneModelId) -> bool {
        let above = |member: &SceneMember| match member {
            SceneMember::Main => None,
            SceneMember::Other(id) => self.model(*id)?.attached.as_ref().map(|attached| attached.to),
        };
        let way = std::iter::successors(Some(what), above).take(self.models.len().saturating_add(1));
        way.into_iter().any(|member| member == SceneMember::Other(on))
    }

    /// What hung on models that are gone is free again.
    pub(crate) fn let_go(&mut self) {
        let left: Vec<SceneModelId> = self.models.iter().map(|model| model.id).collect();
        for model in &mut self.models {
            let is_gone = |to: &SceneMember| matches!(to, SceneMember::Other(id) if !left.contains(id));
            model.attached.take_if(|attached| is_gone(&attached.to));
        }
        self.selected.take_if(|id| !left.contains(id));
        self.changed();
    }

    /// A model that was being read does not come.
    pub(crate) fn forget_waiting(&mut self, id: SceneModelId) {
        self.returning.retain(|returning| returning.id != id);
        self.attaching.retain(|(model, to)| *model != id && to.to != SceneMember::Other(id));
    }

    /// Leaves the main model alone.
    pub(crate) fn remove_all(&mut self) {
        self.models.clear();
        self.returning.clear();
        self.attaching.clear();
        self.let_go();
    }

    /// Puts a model in, in the order in which they were asked for.
    pub(crate) fn insert(&mut self, model: SceneModel) {
        let at = self.models.iter().position(|known| known.id.0 > model.id.0).unwrap_or(self.models.len());
        self.models.insert(at, model);
    }

    /// A model was read anew: what hangs on it finds its place by name.
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

    /// A copy to draw: without the clips that could play and what is still on its way.
    pub(in crate::ui) fn to_draw(&self) -> Self {
        let mut copy = self.clone();
        copy.models.iter_mut().for_each(|model| model.clips.clear());
        copy.returning.clear();
        copy.attaching.clear();
        copy
    }

    /// Poses are worked out anew.
    pub(crate) fn changed(&mut self) {
        self.posed = None;
    }

    /// Where models that hang on nothing stand: all at the origin, or beside each other to the right of the main one.
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

    /// Whether the pose of a model is of use: it is seen, or something hangs on it.
    pub(crate) fn is_needed(&self, model: &SceneModel) -> bool {
        let carries = |other: &SceneModel| {
            other.attached.as_ref().is_some_and(|attached| attached.to == SceneMember::Other(model.id))
        };
        model.look.visible || self.models.iter().any(carries)
    }
}

/// The bones and sockets of a model that something can hang on; sockets first.
pub fn anchors(model: &Model) -> impl Iterator<Item = (Anchor, &str)> {
    let skeleton = model.skeleton.iter();
    let sockets = skeleton.clone().flat_map(|skeleton| (0_u32..).zip(&skeleton.sockets));
    let joints = skeleton.flat_map(|skeleton| (0_u32..).zip(skeleton.joints()));
    let sockets = sockets.map(|(index, socket)| (Anchor::Socket(index), socket.name.as_str()));
    sockets.chain(joints.map(|(index, joint)| (Anchor::Joint(index), joint.name.as_str())))
}

/// The place on a model that is called so: the same one where it still is, else the first of its kind.
pub(crate) fn anchor_named(model: &Model, anchor: Anchor, name: &str) -> Option<Anchor> {
    if name_of(model, anchor) == Some(name) {
        return Some(anchor);
    }
    let is_socket = |anchor: &Anchor| matches!(anchor, Anchor::Socket(_));
    let mut found = anchors(model).filter(|(other, _)| is_socket(other) == is_socket(&anchor));
    found.find(|(_, other)| *other == name).map(|(found, _)| found)
}

/// What a place on a model is called; `None` where it has none such.
pub fn name_of(model: &Model, anchor: Anchor) -> Option<&str> {
    let skeleton = model.skeleton.as_ref()?;
    match anchor {
        Anchor::Joint(joint) => skeleton.joints().get(joint as usize).map(|joint| joint.name.as_str()),
        Anchor::Socket(socket) => skeleton.sockets.get(socket as usize).map(|socket| socket.name.as_str()),
    }
}

/// Where a place on a posed model is, in the model's space; `None` where there is none such, or nowhere.
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
