//! The sections of the inspector, and which of them are folded.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A part of the inspector that folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// What is wrong with the entry, and with what lies in it.
    Problems,
    /// A material as it looks.
    Material,
    /// The selected object of a landscape.
    Object,
    /// Where a bone is at this moment.
    Pose,
    /// How much there is of a model.
    Statistics,
    /// What of a model belongs to what.
    Hierarchy,
    /// The typed fields.
    Properties,
    UsedBy,
    /// The other files that a file takes something from.
    Dependencies,
    /// How a file whose layout is disputed was read.
    Reading,
    Bytes,
}

impl Section {
    /// The heading of the section.
    pub fn name(self) -> &'static str {
        match self {
            Self::Problems => "Problems",
            Self::Material => "Material",
            Self::Object => "Object",
            Self::Pose => "Current pose",
            Self::Statistics => "Statistics",
            Self::Hierarchy => "Hierarchy",
            Self::Properties => "Properties",
            Self::UsedBy => "Used by",
            Self::Dependencies => "Dependencies",
            Self::Reading => "Reading",
            Self::Bytes => "Bytes",
        }
    }

    /// The name of the section in the settings.
    fn key(self) -> &'static str {
        match self {
            Self::Pose => "Pose at this moment",
            other => other.name(),
        }
    }
}

/// Which sections are open: all that nobody folded. Kept by name, so that settings of another version can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpenSections(BTreeMap<String, bool>);

impl OpenSections {
    pub fn is_open(&self, section: Section) -> bool {
        self.0.get(section.key()).copied().unwrap_or(true)
    }

    pub fn set(&mut self, section: Section, open: bool) {
        self.0.insert(section.key().to_owned(), open);
    }
}
