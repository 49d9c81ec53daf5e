//! Commands for the models of a scene.

use crate::{
    gpu::Tint,
    scene::LoopMode,
    ui::{
        scene_member::{Attachment, SceneMember, SceneModelId},
        state::Place,
    },
};
use std::path::PathBuf;

/// A command for the scene on the active stage.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneCommand {
    /// Adds a model to the scene. On an empty stage it becomes the main model.
    Add(Place),
    AddSelected,
    /// Opens files and adds their models to the scene.
    Drop(Vec<PathBuf>),
    /// Restores the previous main model of the stage, and adds the current one to its scene.
    Join {
        main: Place,
        added: Place,
    },
    Remove(SceneModelId),
    /// Removes all models except the main one.
    RemoveAll,
    Select(SceneMember),
    /// Makes a model the main one; the previous main model stays in the scene. `None` for the selected model.
    MakeMain(Option<SceneModelId>),
    SetVisible(SceneMember, bool),
    SetTint(SceneMember, Option<Tint>),
    SetGhost(SceneMember, bool),
    /// Toggles the translucency of the selected model.
    ToggleGhost,
    /// Plays a clip on an added model; `None` for its bind pose.
    Play(SceneModelId, Option<Place>),
    /// Searches again for clips that fit a model.
    FindClips(SceneModelId),
    /// Gives a model its own clock, or the clock of the main model.
    SetOwnClock(SceneModelId, bool),
    /// Plays or pauses a model with its own clock.
    SetPlaying(SceneModelId, bool),
    SetLoop(SceneModelId, LoopMode),
    /// Makes the bones of a model follow the bones of the main model with the same names.
    SetFollows(SceneModelId, bool),
    /// Attaches a model to a bone or socket of another model, or detaches it.
    Attach(SceneModelId, Option<Attachment>),
    /// Attaches a model to the selected bone of the main model; `None` for the selected model.
    AttachToSelectedBone(Option<SceneModelId>),
    /// Arranges models that are not attached side by side, or all at the origin.
    ToggleSideBySide,
    /// Expands or collapses the list of models.
    ToggleList,
}
