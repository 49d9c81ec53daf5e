//! What is left of a damaged file, and what is said of it.

use super::{
    exercise::promises::{check_entry, check_findings, check_model, check_refusal, check_unread},
    open::{Opened, Opening},
    read_back::ReadBack,
};
use bonebox::{
    export::glb::glb,
    formats::{Asset, Content, EntryId, ReadError, coverage::coverage},
    scene::{Clip, Keys, Model},
};
use std::{collections::BTreeSet, sync::Arc};

/// A damaged file, and what came of opening, checking and loading all of it.
pub struct Remains {
    /// With what was found on the way.
    pub file: Opened,
    /// What still shows as something.
    pub shown: Vec<(EntryId, Asset)>,
    /// Why the rest does not.
    pub refused: Vec<ReadError>,
}

impl Remains {
    /// Looks at all of a file, of which all must hold that is promised of any. `None` for one that does not open.
    #[track_caller]
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let mut file = match Opening::of(name).open(bytes) {
            Ok(file) => file.checked(),
            Err(error) => {
                check_refusal(name, &error);
                return None;
            }
        };
        let (mut shown, mut refused) = (Vec::new(), Vec::new());
        let entries = file.document.outline().entries().to_vec();
        for (index, entry) in entries.iter().enumerate() {
            check_entry(file.document.as_ref(), index, entry);
            if entry.content == Content::None {
                continue;
            }
            match file.load_adding(entry.id) {
                Ok(asset) => shown.push((entry.id, asset)),
                Err(error) => {
                    check_unread(entry, &error);
                    refused.push(error);
                }
            }
        }
        check_findings(file.document.as_ref(), &file.diagnostics);
        for (_, asset) in &shown {
            if let Asset::Model(model) = asset {
                check_model(model);
            }
        }
        Some(Self { file, shown, refused })
    }

    /// Each code that was reported.
    pub fn codes(&self) -> BTreeSet<&'static str> {
        self.file.codes().into_iter().collect()
    }

    /// The paths of all entries.
    pub fn paths(&self) -> Vec<String> {
        self.file.document.outline().entries().iter().map(|entry| entry.path().into_owned()).collect()
    }

    /// What an entry shows as, if it still does. Without a path: the file as a whole.
    pub fn asset(&self, path: &str) -> Option<&Asset> {
        let is_file = path.is_empty();
        let entry = if is_file { EntryId::FILE } else { self.file.document.outline().find(path)?.id };
        self.shown.iter().find(|(id, _)| *id == entry).map(|(_, asset)| asset)
    }

    /// Every model that still shows.
    pub fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.shown.iter().filter_map(|(_, asset)| match asset {
            Asset::Model(model) => Some(model),
            _ => None,
        })
    }

    /// Why what does not show does not.
    pub fn reasons(&self) -> Vec<String> {
        self.refused.iter().map(ToString::to_string).collect()
    }

    /// No byte is in two fields.
    #[track_caller]
    pub fn assert_read_once(&self) {
        assert_eq!(coverage(self.file.document.as_ref()).doubled, [], "{}", self.file.name);
    }

    /// Models are written so that another reader finds all parts of the file where they should be.
    #[track_caller]
    pub fn assert_exports(&self) {
        for model in self.models() {
            ReadBack::new(&glb(model, &[]).expect("it is not cancelled").bytes).assert_sound();
        }
    }
}

/// Where things are: points, corners and joints of a model.
pub fn shape(model: &Model) -> impl PartialEq + std::fmt::Debug + use<> {
    let meshes: Vec<_> =
        model.meshes.iter().map(|m| (m.points.clone(), m.vertex_points.clone(), m.indices.clone())).collect();
    let joints = model.skeleton.iter().flat_map(|s| s.joints());
    (meshes, joints.map(|joint| (joint.name.clone(), joint.parent, joint.bind)).collect::<Vec<_>>())
}

/// The keys of every channel of a clip.
pub fn keys(clip: &Clip) -> Vec<&Keys> {
    clip.channels.iter().map(|channel| &channel.sampler.keys).collect()
}
