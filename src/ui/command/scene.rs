//! What can be done to the models of a scene: several on one stage.

use crate::{
    gpu::Tint,
    scene::LoopMode,
    ui::{
        scene_member::{Attachment, SceneMember, SceneModelId},
        state::Place,
    },
};
use std::path::PathBuf;

/// One thing to do to the scene on the stage in front.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneCommand {
    /// Puts a model beside the one on the stage; on an empty stage it is the first.
    Add(Place),
    AddSelected,
    /// Opens files and puts their models beside the one on the stage.
    Drop(Vec<PathBuf>),
    /// Brings the model that was on the stage before back to it, and puts the other one beside it.
    Join {
        main: Place,
        added: Place,
    },
    Remove(SceneModelId),
    /// Leaves the main model alone on the stage.
    RemoveAll,
    Select(SceneMember),
    /// The stage is about this model from now on, and the one before stands beside it; `None`: the selected one.
    MakeMain(Option<SceneModelId>),
    SetVisible(SceneMember, bool),
    SetTint(SceneMember, Option<Tint>),
    SetGhost(SceneMember, bool),
    /// The same of the selected model.
    ToggleGhost,
    /// Plays a clip on one of the other models; `None`: its bind pose.
    Play(SceneModelId, Option<Place>),
    /// Looks for the clips that fit it again.
    FindClips(SceneModelId),
    /// A clock of its own, or that of the main model.
    SetOwnClock(SceneModelId, bool),
    /// While it has a clock of its own.
    SetPlaying(SceneModelId, bool),
    SetLoop(SceneModelId, LoopMode),
    /// Its bones stand where those of the main model do that have their names.
    SetFollows(SceneModelId, bool),
    /// Hangs it on a bone or a socket of another one, or sets it free.
    Attach(SceneModelId, Option<Attachment>),
    /// Hangs it on the selected bone of the main model; `None`: the selected model.
    AttachToSelectedBone(Option<SceneModelId>),
    /// Models that hang on nothing stand beside each other, or all in the same place.
    ToggleSideBySide,
    /// Unfolds the list of models, or folds it.
    ToggleList,
}
