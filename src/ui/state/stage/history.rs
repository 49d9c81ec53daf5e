//! The subjects that a stage has shown, and how they were looked at.

use crate::{
    scene::camera::{FlyCamera, OrbitCamera},
    ui::{
        place::{FileId, Place, Subject},
        state::stage::{pictures_in_use::PicturesInUse, scene::StageScene, top_down::Tilt},
    },
};
use std::sync::Arc;

/// Steps that a stage remembers; the oldest go first.
const MAX_VISITS: usize = 500;

/// A step of a stage's history.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub(crate) subject: Subject,
    pub(crate) selection: Option<Place>,
}

/// How something was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(super) camera: OrbitCamera,
    pub(super) fly: Option<FlyCamera>,
    pub(super) top_down: Option<Tilt>,
    /// Hidden types and selected objects of a landscape.
    pub(super) hidden_kinds: Arc<[bool]>,
    pub(super) selected: Arc<[u32]>,
    /// The clip that played or was held; `None` for the bind pose.
    pub(crate) clip: Option<Place>,
    pub(crate) frame: f32,
    pub(crate) playing: bool,
    /// Clips that fit were known.
    pub(crate) has_clips: bool,
}

/// The steps of a stage, back and forward.
#[derive(Default)]
pub struct History {
    pub(crate) visits: Vec<Visit>,
    /// Index of the present step in `visits`.
    pub(crate) at: usize,
    /// How subjects were looked at when they were left, the last one first.
    pub(super) left: Vec<(Subject, Left)>,
    /// The scene of the model that was left last.
    pub(crate) scene: Option<(Place, StageScene)>,
    /// The pictures of the model or the level that was shown before all pictures.
    pub pictures: Option<PicturesInUse>,
    /// The present subject was shown by a step back or forward.
    pub(super) is_return: bool,
}

impl History {
    pub fn can_go_back(&self) -> bool {
        self.at > 0
    }

    pub fn can_go_forward(&self) -> bool {
        self.at + 1 < self.visits.len()
    }

    /// Adds a step for a selection, unless it is selected already.
    pub(crate) fn note_selection(&mut self, subject: Subject, place: Place) {
        if self.visits.get(self.at).is_none_or(|visit| visit.selection != Some(place)) {
            self.push(Visit { subject, selection: Some(place) });
        }
    }

    /// Whether the present step is about this.
    pub(crate) fn is_at(&self, subject: Subject) -> bool {
        self.visits.get(self.at).is_some_and(|visit| visit.subject == subject)
    }

    /// Adds a step for what is on the stage from now on. Selecting something and then showing it is one step.
    pub(crate) fn note_subject(&mut self, subject: Subject, selection: Option<Place>) {
        let subject_at = |at: usize| self.visits.get(at).map(|visit| visit.subject);
        let before = self.at.checked_sub(1).and_then(subject_at);
        let now = subject_at(self.at);
        // Nothing but the selection has changed in the last step.
        let only_selected = now == Some(Subject::Nothing) || before.is_some() && before == now;
        match self.visits.get_mut(self.at) {
            Some(visit) if visit.subject == subject => {}
            Some(visit) if only_selected && visit.selection == selection => visit.subject = subject,
            _ => self.push(Visit { subject, selection }),
        }
    }

    fn push(&mut self, visit: Visit) {
        self.visits.truncate(self.at + 1);
        self.visits.push(visit);
        if self.visits.len() > MAX_VISITS {
            self.visits.remove(0);
        }
        self.at = self.visits.len() - 1;
    }

    /// Forgets the steps in a file that is closed.
    pub(crate) fn forget_file(&mut self, file: FileId) {
        let gone =
            |visit: &Visit| visit.subject.file() == Some(file) || visit.selection.is_some_and(|p| p.file == file);
        self.visits.retain(|visit| !gone(visit));
        self.left.retain(|(subject, _)| subject.file() != Some(file));
        self.at = self.visits.len().saturating_sub(1);
    }

    /// Follows entries that have moved.
    pub(crate) fn move_places(&mut self, moved: impl Fn(&mut Place)) {
        let subject_moved = |subject: &mut Subject| {
            if let Subject::Entry(place) = subject {
                moved(place);
            }
        };
        for visit in &mut self.visits {
            visit.selection.iter_mut().for_each(&moved);
            subject_moved(&mut visit.subject);
        }
        for (subject, left) in &mut self.left {
            left.clip.iter_mut().for_each(&moved);
            subject_moved(subject);
        }
    }
}
