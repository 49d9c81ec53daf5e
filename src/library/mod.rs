//! The open documents and what they are to each other: reading files and folders, finding what a file refers to, which clip
//! fits which model and why, and a bounded cache of what was decoded.

mod cache;
mod classes;
mod clip_files;
#[cfg(feature = "collection")]
pub mod collection;
pub mod compare;
mod containers;
mod entry_moves;
mod expanding;
mod file;
mod folder;
mod kinship;
mod listings;
mod near_names;
mod pairing;
mod primary;
mod quarantine;
mod reading;
mod scripts;
mod shared_files;
mod stamp;
mod stored_file;
mod usage;
mod wishes;
pub mod words;
pub mod written_path;

pub use crate::files::{name_text, text_of};
pub use cache::AssetCache;
pub use classes::{ClassHome, ClassNode, ClassTree, ClassTrouble};
pub use clip_files::clip_files;
pub use clip_files::model_files;
pub use containers::read_head;
pub use containers::{has_lifted_limits, lift_limits, outermost, read_container_as, stated_size};
pub use entry_moves::EntryMoves;
pub use expanding::{expand, expand_containers};
pub use file::AssetKey;
pub use file::{Loaded, OpenFile, OpenOptions};
pub use folder::{FolderResolver, Neighbour, beside, neighbour};
pub use kinship::{Among, Found, Home, Kinship, Nearness, TELLING};
pub use near_names::suggestion;
pub use pairing::{
    ChosenClips, ClipChoice, ClipFit, ClipOf, best_first, clip_entries, clips_for, clips_named, companions_each,
    fits_for, model_for,
};
pub use primary::{is_code, primaries, primary};
pub use quarantine::{LEFT_ALONE, LeftAlone, Noted, Quarantine, Reading};
pub use reading::read_file;
pub use scripts::{ScriptMatch, ScriptQuery};
pub use usage::{Use, uses_of};
