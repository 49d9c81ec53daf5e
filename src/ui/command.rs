//! Everything the window can do. Menus, keys, the palette, drops and tests all push the same commands.

mod actions;
mod ask;
mod bytes;
mod chosen_keys;
mod collection;
mod compare;
mod export;
mod key_names;
mod keys;
mod level;
mod library;
mod model;
mod other_words;
mod scene;
mod selection;
mod stage;
mod terrain;
mod window;

pub use actions::{ACTIONS, Action};
pub use ask::{Ask, Choice};
pub use bytes::{BytesCommand, CopyBytes};
pub use chosen_keys::{ChosenKeys, unfit};
pub use collection::{CollectionCommand, InCollection};
pub use compare::{CompareCommand, ComparedThing};
pub use export::{ExportCommand, LargeExport};
pub use key_names::{key_names, keys_text};
pub use keys::{
    Keyboard, Listening, STEERING, keys_now, keys_of, leave_list_keys, next_key, pressed, show_keys, with_fixed_keys,
    with_keys,
};
pub use level::LevelCommand;
pub use library::LibraryCommand;
pub use model::{LayerCommand, ModelCommand};
pub use other_words::other_words;
pub use scene::SceneCommand;
pub use selection::SelectionCommand;
pub use stage::{
    CameraCommand, PartsCommand, ScriptsCommand, SoundCommand, StageCommand, TextCommand, TransportCommand, ViewCommand,
};
pub use terrain::{CONTOUR_STEPS, EXAGGERATIONS, TerrainCommand};
pub use window::{KeyCommand, WindowCommand};

use crate::ui::state::StageId;

/// One thing to do, by what it is done to. What belongs to a stage is done to the one in front.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The open files.
    Library(LibraryCommand),
    /// What is selected.
    Selection(SelectionCommand),
    /// The bytes of what is selected.
    Bytes(BytesCommand),
    /// What the stages show.
    Stage(StageCommand),
    /// The time of what is on the stage.
    Transport(TransportCommand),
    Camera(CameraCommand),
    View(ViewCommand),
    /// The model on the stage and its clips.
    Model(ModelCommand),
    /// What is hidden of what is on the stage.
    Parts(PartsCommand),
    /// The models beside it.
    Scene(SceneCommand),
    /// The level on the stage.
    Level(LevelCommand),
    /// The landscape on the stage. Its wireframe and grid are those of the view.
    Terrain(TerrainCommand),
    /// The sound on the stage.
    Sound(SoundCommand),
    /// The text on the stage.
    Text(TextCommand),
    /// The search through all scripts.
    Scripts(ScriptsCommand),
    /// The collection.
    Collection(CollectionCommand),
    /// Two files side by side.
    Compare(CompareCommand),
    /// Something done to another stage than the one in front.
    OnStage(StageId, Box<Command>),
    Export(ExportCommand),
    /// The keys of actions.
    Keys(KeyCommand),
    Window(WindowCommand),
}
