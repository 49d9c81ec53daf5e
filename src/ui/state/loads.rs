//! Entries that are being decoded for a stage, and what for.

use crate::{
    library::{AssetKey, Loaded},
    scene::{Binding, BindingOptions, Model},
    ui::{
        place::{FileId, Place, PlayMode},
        scene_member::SceneModelId,
    },
};
use std::sync::Arc;

/// Identifies a request. A number is used once only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket(pub u64);

/// The use of a decoded entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Replaces the content of the stage.
    Show,
    /// Plays on the model of the stage.
    Play(PlayMode),
    /// Is added to the scene, or replaces an older version of the model.
    SceneModel(SceneModelId),
    /// Plays on another model of the scene.
    SceneClip(SceneModelId),
}

impl Purpose {
    fn is_join(self) -> bool {
        self == Self::Play(PlayMode::Join)
    }

    /// Returns true if a clip for the model of the stage is requested.
    fn is_clip(self) -> bool {
        matches!(self, Self::Play(_))
    }

    fn is_scene(self) -> bool {
        matches!(self, Self::SceneModel(_) | Self::SceneClip(_))
    }
}

/// An entry that was requested and has not arrived.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub ticket: Ticket,
    /// The work that decodes the entry.
    pub work: u64,
    /// The version of the entry that is decoded.
    pub key: AssetKey,
    pub place: Place,
    pub purpose: Purpose,
}

impl Request {
    /// Returns true if a newer request replaces this one: a stage shows one entry, and a model has one main clip.
    fn is_replaced_by(&self, place: Place, purpose: Purpose) -> bool {
        if self.purpose.is_clip() && purpose.is_clip() {
            let both_join = self.purpose.is_join() && purpose.is_join();
            return self.purpose.is_join() == purpose.is_join() && (!both_join || self.place == place);
        }
        self.purpose == purpose
    }
}

/// The requests of a stage. The result of a request that is no longer in this list is dropped when it arrives.
#[derive(Default)]
pub(crate) struct Loads(Vec<Request>);

impl Loads {
    pub(crate) fn add(&mut self, request: Request) {
        self.0.push(request);
    }

    /// Removes the request that has a result; `None` if the result is outdated.
    pub(crate) fn take(&mut self, ticket: Ticket) -> Option<Request> {
        let at = self.0.iter().position(|request| request.ticket == ticket)?;
        Some(self.0.remove(at))
    }

    fn take_if(&mut self, is_meant: impl Fn(&Request) -> bool) -> Vec<Request> {
        self.0.extract_if(.., |request| is_meant(request)).collect()
    }

    /// Removes the requests that this new one replaces.
    pub(crate) fn take_replaced(&mut self, place: Place, purpose: Purpose) -> Vec<Request> {
        self.take_if(|request| request.is_replaced_by(place, purpose))
    }

    /// Removes the requests for entries of a file.
    pub(crate) fn take_of(&mut self, file: FileId) -> Vec<Request> {
        self.take_if(|request| request.place.file == file)
    }

    /// Removes the requests for clips of the stage's model.
    pub(crate) fn take_clips(&mut self) -> Vec<Request> {
        self.take_if(|request| request.purpose.is_clip())
    }

    /// Removes the requests for the other models of the scene.
    pub(crate) fn take_scene(&mut self) -> Vec<Request> {
        self.take_if(|request| request.purpose.is_scene())
    }

    /// Adds requests again that were removed.
    pub(crate) fn put_back(&mut self, requests: Vec<Request>) {
        self.0.extend(requests);
    }

    /// The entry that is going to be shown.
    pub(crate) fn shown(&self) -> Option<Place> {
        self.0.iter().find(|request| request.purpose == Purpose::Show).map(|request| request.place)
    }

    /// The work that decodes this version of an entry to show it.
    pub(crate) fn shows(&self, place: Place, key: &AssetKey) -> Option<u64> {
        let mut shown = self.0.iter().filter(|request| request.purpose == Purpose::Show);
        shown.find(|request| request.place == place && request.key == *key).map(|request| request.work)
    }

    pub(crate) fn forget_shown(&mut self) {
        self.0.retain(|request| request.purpose != Purpose::Show);
    }

    /// Forgets the clip that was going to replace the main one.
    pub(crate) fn forget_main_clip(&mut self) {
        self.0.retain(|request| !request.purpose.is_clip() || request.purpose.is_join());
    }

    /// The clip that is going to play on a model of the scene.
    pub(crate) fn scene_clip(&self, id: SceneModelId) -> Option<Place> {
        self.0.iter().find(|request| request.purpose == Purpose::SceneClip(id)).map(|request| request.place)
    }

    /// Forgets a model of the scene and its clip.
    pub(crate) fn forget_scene_model(&mut self, id: SceneModelId) {
        self.0.retain(|request| ![Purpose::SceneModel(id), Purpose::SceneClip(id)].contains(&request.purpose));
    }

    pub(crate) fn forget_scene_clip(&mut self, id: SceneModelId) {
        self.0.retain(|request| request.purpose != Purpose::SceneClip(id));
    }

    /// Models that are being decoded for the scene, including newer versions of models that are in it.
    pub(crate) fn scene_models(&self) -> impl Iterator<Item = SceneModelId> {
        self.0.iter().filter_map(|request| match request.purpose {
            Purpose::SceneModel(id) => Some(id),
            _ => None,
        })
    }

    /// Moves the requests for entries of a file that was reloaded. Requests for entries that no longer exist are returned.
    pub(crate) fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) -> Vec<Request> {
        let gone = self.take_if(|request| to(request.place).is_none());
        self.0.iter_mut().for_each(|request| request.place = to(request.place).unwrap_or(request.place));
        gone
    }
}

/// The model that a clip is bound to while it is decoded.
pub(crate) struct BindingTarget {
    pub model: Arc<Model>,
    pub options: BindingOptions,
}

/// The result of a request.
pub struct Arrival {
    pub(crate) ticket: Ticket,
    pub(crate) key: AssetKey,
    /// The decoded entry, or the reason for which it cannot be decoded.
    pub(crate) result: Result<Decoded, String>,
}

/// A decoded entry.
pub(crate) struct Decoded {
    pub loaded: Arc<Loaded>,
    /// The binding of a clip.
    pub binding: Option<Arc<Binding>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{EntryId, LoadOptions};

    fn place(entry: u32) -> Place {
        Place { file: FileId(entry / 10), entry: EntryId(entry) }
    }

    fn key() -> AssetKey {
        AssetKey { path: "a.bmd".into(), entry: EntryId(1), options: LoadOptions::default(), reading: 1 }
    }

    /// Adds requests as a stage does; the ticket of a request is its position.
    fn loads(requests: &[(u32, Purpose)]) -> Loads {
        let mut loads = Loads::default();
        for (number, (entry, purpose)) in (0..).zip(requests) {
            loads.take_replaced(place(*entry), *purpose);
            loads.add(Request {
                ticket: Ticket(number),
                work: number,
                key: key(),
                place: place(*entry),
                purpose: *purpose,
            });
        }
        loads
    }

    fn tickets(requests: &[Request]) -> Vec<u64> {
        requests.iter().map(|request| request.ticket.0).collect()
    }

    #[test]
    fn a_request_replaces_older_ones_with_the_same_use() {
        use PlayMode::{Again, Asked, Join};
        const SEVEN: SceneModelId = SceneModelId(7);
        const EIGHT: SceneModelId = SceneModelId(8);
        type Case = (&'static [(u32, Purpose)], &'static [u64]);
        let cases: [Case; 6] = [
            (&[(1, Purpose::Show), (2, Purpose::Show)], &[1]),
            (&[(1, Purpose::Play(Asked)), (2, Purpose::Play(Again))], &[1]),
            (&[(1, Purpose::Play(Join)), (2, Purpose::Play(Asked)), (3, Purpose::Play(Join))], &[0, 1, 2]),
            (&[(1, Purpose::Play(Join)), (1, Purpose::Play(Join))], &[1]),
            (&[(1, Purpose::SceneModel(SEVEN)), (1, Purpose::SceneModel(EIGHT))], &[0, 1]),
            (&[(1, Purpose::SceneClip(SEVEN)), (2, Purpose::SceneClip(SEVEN)), (2, Purpose::Show)], &[1, 2]),
        ];
        for (requests, left) in cases {
            assert_eq!(tickets(&loads(requests).0), left, "{requests:?}");
        }
    }

    #[test]
    fn only_the_result_of_a_current_request_is_accepted() {
        let mut loads = loads(&[(1, Purpose::Show), (2, Purpose::Show)]);
        assert!(loads.take(Ticket(0)).is_none(), "it was replaced");
        assert_eq!(loads.shown(), Some(place(2)));
        assert_eq!(loads.shows(place(2), &key()), Some(1));
        assert_eq!(loads.shows(place(2), &AssetKey { reading: 2, ..key() }), None, "another version of the file");
        assert_eq!(loads.shows(place(1), &key()), None);
        assert_eq!(loads.take(Ticket(1)).map(|request| request.place), Some(place(2)));
        assert!(loads.take(Ticket(1)).is_none(), "it arrived before");
        assert_eq!(loads.shown(), None);
    }

    #[test]
    fn requests_follow_the_entries_of_a_reloaded_file() {
        let mut loads =
            loads(&[(1, Purpose::Show), (12, Purpose::Play(PlayMode::Asked)), (13, Purpose::Play(PlayMode::Join))]);
        let to = |at: Place| match at.entry.0 {
            12 => None,
            13 => Some(place(15)),
            _ => Some(at),
        };
        assert_eq!(tickets(&loads.move_places(to)), [1]);
        assert_eq!(tickets(&loads.take_of(FileId(1))), [2]);
        assert_eq!(tickets(&loads.0), [0]);
    }

    #[test]
    fn clips_and_models_of_the_scene_are_forgotten_separately() {
        let id = SceneModelId(7);
        let all = [
            (1, Purpose::Show),
            (2, Purpose::Play(PlayMode::Asked)),
            (3, Purpose::Play(PlayMode::Join)),
            (4, Purpose::SceneModel(id)),
            (5, Purpose::SceneClip(id)),
            (6, Purpose::SceneClip(SceneModelId(8))),
        ];
        let left = |change: fn(&mut Loads)| {
            let mut loads = loads(&all);
            change(&mut loads);
            tickets(&loads.0)
        };
        assert_eq!(left(Loads::forget_shown), [1, 2, 3, 4, 5]);
        assert_eq!(left(Loads::forget_main_clip), [0, 2, 3, 4, 5]);
        assert_eq!(left(|loads| drop(loads.take_clips())), [0, 3, 4, 5]);
        assert_eq!(left(|loads| drop(loads.take_scene())), [0, 1, 2]);
        assert_eq!(left(|loads| loads.forget_scene_clip(SceneModelId(7))), [0, 1, 2, 3, 5]);
        assert_eq!(left(|loads| loads.forget_scene_model(SceneModelId(7))), [0, 1, 2, 5]);
    }
}
