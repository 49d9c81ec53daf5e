//! What a row of the library stands for, and what it looks like.

use crate::ui::widgets::numbers::grouped;
use crate::{
    formats::{Entry, EntryId, Role},
    ui::{
        state::{LibraryRow, LibraryState, OpenedFile, Place, RowId, State, TextureTarget},
        theme::Palette,
        widgets::entry_icon,
    },
};
use egui::Color32;
use egui_phosphor::regular as icon;
use std::collections::HashSet;

/// A row with what is known of the rest of the window.
pub struct RowView<'a> {
    pub p: &'a Palette,
    pub state: &'a State,
    pub row: &'a LibraryRow,
    pub library: &'a LibraryState,
    pub selection: Option<Place>,
    pub playing: Option<Place>,
    pub shown: Option<Place>,
    /// The model that images can be put on.
    pub target: Option<&'a TextureTarget>,
    /// What of the open files has a star.
    pub starred: &'a HashSet<Place>,
    /// A model is on the stage, so another one can stand beside it.
    pub has_scene: bool,
}

/// What a row stands for.
pub enum Subject<'a> {
    /// With where it is.
    Folder(String),
    Group,
    Entry(&'a OpenedFile, &'a Entry),
}

/// What a row looks like.
pub struct Look<'a> {
    pub subject: Subject<'a>,
    pub name: String,
    pub sign: (&'static str, Color32),
}

impl<'a> RowView<'a> {
    pub fn look(&self) -> Option<Look<'a>> {
        let p = self.p;
        match self.row.id {
            RowId::Folder(folder) => {
                let (name, path) = self.library.folder(folder);
                let sign = if self.row.open { icon::FOLDER_OPEN } else { icon::FOLDER };
                let color = entry_icon::of_role(Role::Folder, p).1;
                let subject = Subject::Folder(path.display().to_string());
                Some(Look { subject, name, sign: (sign, color) })
            }
            RowId::Group { group, .. } => {
                let sign = entry_icon::of_role(group.role(), p);
                Some(Look { subject: Subject::Group, name: group.name().to_owned(), sign })
            }
            RowId::File(_) | RowId::Branch { .. } | RowId::Entry(_) => {
                let place = self.row.place()?;
                let opened = self.library.opened(place.file)?;
                let entry = opened.file.entry(place.entry)?;
                let (name, sign) = match place.entry {
                    EntryId::FILE => (&*opened.file.name, entry_icon::of_file(entry, opened.about, p)),
                    _ => (&*entry.name, entry_icon::of(entry, p)),
                };
                Some(Look { subject: Subject::Entry(opened, entry), name: name.to_owned(), sign })
            }
        }
    }

    pub fn is_selected(&self) -> bool {
        let is = |place: Option<Place>| place.is_some() && place == self.selection;
        match self.library.cursor().filter(|cursor| is(cursor.place())) {
            // Of several rows of one entry, the one that was gone to.
            Some(cursor) => cursor == self.row.id,
            None => is(self.row.place()),
        }
    }

    pub fn is_playing(&self) -> bool {
        self.playing.is_some() && self.playing == self.row.place()
    }

    pub fn is_starred(&self) -> bool {
        self.row.place().is_some_and(|place| self.starred.contains(&place))
    }

    pub fn is_shown(&self) -> bool {
        let Some(shown) = self.shown else { return false };
        self.row.id == RowId::File(shown.file) || self.row.place() == Some(shown)
    }

    /// What the row is called for screen readers.
    pub fn label(&self, look: &Look<'_>) -> String {
        match (&look.subject, self.row.count) {
            (Subject::Group, Some(count)) => format!("{} {}", look.name, grouped(count as usize)),
            _ if self.is_playing() => format!("{}, playing", look.name),
            _ if self.is_starred() => format!("{}, favourite", look.name),
            _ => look.name.clone(),
        }
    }
}
