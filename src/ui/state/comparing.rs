//! What is held against each other, and what was found.

use crate::{
    library::{
        OpenFile,
        compare::{AssetDifference, Comparison, Counts, Fields, FilesComparison, State},
    },
    scene::{
        Aabb,
        camera::{OrbitCamera, ViewDirection},
    },
    ui::command::ComparedThing,
};
use std::sync::Arc;

/// A comparison; files stay as they were read when it began.
#[derive(Default)]
pub struct Comparing {
    /// The left side, until the right side is selected.
    pub first: Option<Target>,
    /// Both sides of the comparison.
    pub targets: Option<[Target; 2]>,
    /// The folders or containers, where that is what is compared; they stay while a pair of their files is looked at.
    pub folders: Option<ComparedFolders>,
    /// The files, once they are read.
    pub left: Option<Arc<OpenFile>>,
    pub right: Option<Arc<OpenFile>>,
    /// Number of the comparison. Results of earlier ones are dropped.
    pub turn: u64,
    /// The work that compares.
    pub work: Option<u64>,
    /// Why nothing was found.
    pub failure: Option<String>,
    pub found: Option<Arc<Comparison>>,
    /// The entries that are listed, by number, and how many there are of each kind.
    pub listed: Vec<usize>,
    pub counts: Counts,
    /// The entry that is shown, into [`Comparison::entries`].
    pub chosen: Option<usize>,
    /// The work that compares that entry.
    pub detail_work: Option<u64>,
    /// The details of the entry with this index.
    pub detail: Option<(usize, Arc<Detail>)>,
    /// True if identical entries are listed too.
    pub with_same: bool,
    /// The common camera of two models.
    pub camera: OrbitCamera,
    /// Width by height of the picture of a model.
    pub aspect: f32,
    /// The camera was moved by hand.
    pub is_camera_touched: bool,
}

/// Something to compare, with the file where it is open.
#[derive(Clone)]
pub struct Target {
    pub thing: ComparedThing,
    pub file: Option<Arc<OpenFile>>,
}

/// Names of two things; where they are alike, with as many of the folders above them as tell them apart.
pub fn names_apart(targets: &[Target; 2]) -> [String; 2] {
    let names = [&targets[0], &targets[1]].map(|target| target.thing.name());
    if names[0] != names[1] {
        return names;
    }
    let above = |target: &Target| -> Vec<String> {
        let folders = target.thing.path.ancestors().skip(1).filter_map(|folder| folder.file_name());
        folders.map(|name| name.to_string_lossy().into_owned()).collect()
    };
    let (left, right) = (above(&targets[0]), above(&targets[1]));
    let alike = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let [a, b] = names;
    [(a, left), (b, right)].map(|(name, above)| match above.get(alike) {
        None => name,
        Some(folder) if alike == 0 => format!("{folder}/{name}"),
        Some(folder) => format!("{folder}/…/{name}"),
    })
}

/// Two folders or containers.
#[derive(Clone)]
pub struct ComparedFolders {
    pub targets: [Target; 2],
    pub found: Arc<FilesComparison>,
    /// The files that are listed, by number, and how many there are of each kind.
    pub listed: Vec<usize>,
    pub counts: Counts,
    /// The file that was looked at last, into [`FilesComparison::files`].
    pub chosen: Option<usize>,
    /// A pair of its files is looked at.
    pub is_inside: bool,
}

/// One entry on both sides.
#[derive(Debug, Default)]
pub struct Detail {
    pub fields: Fields,
    pub shown: Option<AssetDifference>,
    /// The box around both, where they are models.
    pub bounds: Option<Aabb>,
}

impl Detail {
    pub fn of(fields: Fields, shown: Option<AssetDifference>) -> Self {
        let bounds = match &shown {
            Some(AssetDifference::Model { left, right, .. }) => Some(left.bounds().union(right.bounds())),
            _ => None,
        };
        Self { fields, shown, bounds }
    }
}

impl Comparing {
    /// Creates the state of the next comparison, with the options of this one.
    pub fn next(&self, turn: u64) -> Self {
        Self { turn, with_same: self.with_same, aspect: self.aspect, ..Self::default() }
    }

    /// Updates the list of differences.
    pub fn list(&mut self) {
        let with_same = self.with_same;
        let numbers = |states: &mut dyn Iterator<Item = State>| -> Vec<usize> {
            let listed = states.enumerate().filter(|(_, state)| with_same || *state != State::Same);
            listed.map(|(at, _)| at).collect()
        };
        if let Some(found) = &self.found {
            self.counts = found.counts();
            self.listed = numbers(&mut found.entries.iter().map(|pair| pair.state));
        }
        if let Some(folders) = &mut self.folders {
            folders.counts = folders.found.counts();
            folders.listed = numbers(&mut folders.found.files.iter().map(|pair| pair.state));
        }
    }

    /// The folders, while their files are listed.
    pub fn folders_in_front(&self) -> Option<&ComparedFolders> {
        self.folders.as_ref().filter(|folders| !folders.is_inside)
    }

    /// The box around both models of the entry that is shown.
    fn bounds(&self) -> Option<Aabb> {
        self.detail.as_ref()?.1.bounds
    }

    pub fn shows_models(&self) -> bool {
        self.bounds().is_some()
    }

    /// Brings both models into view; from where they are looked at first, with `anew`.
    pub fn frame_models(&mut self, anew: bool) {
        let Some(bounds) = self.bounds() else { return };
        if anew {
            self.camera = OrbitCamera::default();
            self.camera.look_from(ViewDirection::Iso);
            self.is_camera_touched = false;
        }
        let aspect = if self.aspect > 0.0 { self.aspect } else { 1.0 };
        self.camera.frame_closely(&bounds, aspect);
    }

    /// The pictures have another shape: models that nobody has turned yet fit into them again.
    pub fn set_aspect(&mut self, aspect: f32) {
        let changed = (self.aspect - aspect).abs() > 1e-3;
        self.aspect = aspect;
        if changed && !self.is_camera_touched {
            self.frame_models(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_one_name_are_told_apart_by_their_folders() {
        let names = |paths: [&str; 2]| {
            names_apart(&paths.map(|path| Target { thing: ComparedThing::whole(path.into()), file: None }))
        };
        assert_eq!(names(["/a/Old.u", "/a/New.u"]), ["Old.u", "New.u"]);
        assert_eq!(names(["/a/old/Game.u", "/a/new/Game.u"]), ["old/Game.u", "new/Game.u"]);
        assert_eq!(names(["/old/System/Game.u", "/new/System/Game.u"]), ["old/…/Game.u", "new/…/Game.u"]);
        assert_eq!(names(["/a/Game.u", "/a/Game.u"]), ["Game.u", "Game.u"]);
    }
}
