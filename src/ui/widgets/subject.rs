//! The entry that the inspector is about.

use crate::{
    formats::{Diagnostic, Document, Entry, FieldTree, Hierarchy, ReadError},
    library::OpenFile,
    ui::{
        byte_search::ByteSearch,
        state::Place,
        widgets::{
            dependencies_card::DependenciesCard, skin_card::SkinCard, slot_card::SlotCard,
            statistics_card::StatisticsCard, surface::card::SurfaceCard, uses_card::UsesCard,
        },
    },
};
use glam::Affine3A;
use std::ops::Range;

/// The selected entry and what is known of it.
pub struct Subject<'a> {
    pub place: Place,
    /// File name without its folder.
    pub file_name: &'a str,
    pub document: &'a dyn Document,
    /// `None` for a document without a file.
    pub file: Option<&'a OpenFile>,
    /// Of the whole file.
    pub diagnostics: &'a [Diagnostic],
    /// Changes with the open files.
    pub revision: u64,
    /// The file is being read anew.
    pub is_reread: bool,
    /// Marked bytes.
    pub selected_bytes: Option<&'a Range<u64>>,
    /// What the bytes are searched for, where they can be.
    pub byte_search: Option<&'a ByteSearch>,
    /// Of the joint that the entry is, in the shown model at this moment.
    pub pose: Option<JointPose>,
    /// The material that the entry is.
    pub surface: Option<SurfaceCard<'a>>,
    /// The material of the model on show that is selected, where it has one texture.
    pub skin: Option<SkinCard>,
    /// The tree that the entry holds.
    pub hierarchy: Option<&'a Hierarchy>,
    /// How much there is of the shown model, when the entry is it or a piece of it.
    pub statistics: Option<&'a StatisticsCard>,
    /// The selected object of the landscape, when the entry lists the objects.
    pub slot: Option<&'a SlotCard>,
    /// What refers to the entry, once that was asked.
    pub uses: Option<UsesCard>,
    /// The other files that the file takes something from.
    pub dependencies: Option<DependenciesCard<'a>>,
}

/// Where a joint is, in the axes that are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    pub parent_from_joint: Affine3A,
    pub world_from_joint: Affine3A,
    /// Whether the scene's axes are shown; `None` if the file's are the same.
    pub scene_axes: Option<bool>,
}

impl<'a> Subject<'a> {
    pub fn entry(&self) -> Option<&'a Entry> {
        self.document.outline().get(self.place.entry)
    }

    /// What the entry is called: the file's name for the file itself.
    pub fn name(&self) -> &'a str {
        match self.entry() {
            Some(entry) if !entry.name.is_empty() => &entry.name,
            _ => self.file_name,
        }
    }
}

/// The fields of the entry that was asked for last, read once.
#[derive(Default)]
pub struct EntryFields {
    made_for: Option<(Place, u64)>,
    tree: Option<Result<FieldTree, ReadError>>,
}

impl EntryFields {
    /// Reads the fields unless they are those of the last call.
    pub fn of(&mut self, subject: &Subject<'_>) -> Result<&FieldTree, &ReadError> {
        let wanted = Some((subject.place, subject.revision));
        if self.made_for != wanted {
            self.made_for = wanted;
            self.tree = None;
        }
        let read = || {
            let _reading = subject.file.map(OpenFile::note);
            subject.document.fields(subject.place.entry)
        };
        self.tree.get_or_insert_with(read).as_ref()
    }
}
