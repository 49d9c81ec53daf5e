//! At which frames a clip has keys.

use crate::scene::{BoundTarget, Channel, Clip, JointIndex, KeyTimes, PlayerLayer};
use std::sync::{Arc, Weak};

/// Frames that are kept at most.
const MAX_TICKS: usize = 20_000;

/// The keys of one bone of the model, in the frames of the clip that the timeline counts.
#[derive(Default)]
pub struct BoneKeys {
    of: Option<(Weak<Clip>, u32)>,
    frames: Arc<[f32]>,
}

impl BoneKeys {
    /// Ascending; none where no bone is selected or the clip does not move it.
    pub fn frames(&self) -> &Arc<[f32]> {
        &self.frames
    }

    /// Looks for the keys of a bone, unless they are known.
    pub(crate) fn note(&mut self, layer: Option<&PlayerLayer>, joint: Option<u32>) {
        let wanted = layer.zip(joint);
        let is_known = match (&self.of, wanted) {
            (Some((clip, of)), Some((layer, joint))) => {
                std::ptr::eq(clip.as_ptr(), Arc::as_ptr(&layer.clip)) && *of == joint
            }
            (None, None) => true,
            _ => false,
        };
        if is_known {
            return;
        }
        self.of = wanted.map(|(layer, joint)| (Arc::downgrade(&layer.clip), joint));
        self.frames = wanted.map(|(layer, joint)| keys_of_joint(layer, JointIndex(joint))).unwrap_or_default();
    }
}

fn keys_of_joint(layer: &PlayerLayer, joint: JointIndex) -> Arc<[f32]> {
    let bound = layer.binding.channels().iter().filter(|bound| bound.target == BoundTarget::Joint(joint));
    let channels = bound.filter_map(|bound| layer.clip.channels.get(bound.channel as usize));
    key_frames(&layer.clip, channels)
}

/// The frame after (`by` above 0) or before another; past the last it is the first, and the other way round.
pub fn next_key(frames: &[f32], now: f32, last: f32, by: i32) -> Option<f32> {
    /// Keys nearer than this are the one that is shown.
    const SAME: f32 = 1e-3;
    let mut inside = frames.iter().copied().filter(|frame| (0.0..=last).contains(frame));
    if by > 0 {
        let first = inside.clone().next();
        inside.find(|frame| *frame > now + SAME).or(first)
    } else {
        let end = inside.clone().next_back();
        inside.rfind(|frame| *frame < now - SAME).or(end)
    }
}

/// Frames at which channels of a clip have keys, ascending: all of them where a channel has one a frame.
pub fn key_frames<'a>(clip: &Clip, channels: impl IntoIterator<Item = &'a Channel>) -> Arc<[f32]> {
    let mut times: Vec<f32> = Vec::new();
    let mut seen: Vec<*const [f32]> = Vec::new();
    let mut every_frame = 0;
    for channel in channels {
        match &channel.sampler.times {
            KeyTimes::EveryFrame => every_frame = every_frame.max(channel.sampler.keys.len()),
            // Channels share their times: each list is looked at once.
            KeyTimes::At(at) => {
                let pointer = Arc::as_ptr(at);
                if !seen.contains(&pointer) && times.len() < MAX_TICKS {
                    seen.push(pointer);
                    // Shorter tracks than the clip go round.
                    let length = clip.last_frame();
                    let cycle = channel.sampler.cycle.filter(|c| *c >= 1.0 && *c < length).unwrap_or(f32::INFINITY);
                    for start in (0..MAX_TICKS).map(|round| if round > 0 { cycle * round as f32 } else { 0.0 }) {
                        if start > length || times.len() >= MAX_TICKS {
                            break;
                        }
                        times.extend(at.iter().filter(|t| t.is_finite() && **t <= cycle).map(|t| t + start));
                    }
                }
            }
        }
    }
    if every_frame > 1 {
        times.extend((0..every_frame.min(MAX_TICKS)).map(|k| k as f32));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times.truncate(MAX_TICKS);
    times.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        Binding, BindingOptions, ClipJoint, Joint, Keys, Model, Player, Sampler, Skeleton, Target, Unit,
    };
    use glam::Vec3;

    /// Two bones: the first with keys at 0, 4 and 9, the second with one a frame up to 3.
    fn playing() -> Player {
        let at = |frames: &[f32]| Sampler {
            times: KeyTimes::At(frames.to_vec().into()),
            ..Sampler::every_frame(Keys::Vec3(vec![Vec3::ZERO; frames.len()]))
        };
        let channel = |joint, sampler| Channel {
            target: Target::JointTranslation(ClipJoint(joint)),
            sampler,
            unit: Unit::Plain,
            muted: false,
        };
        let clip = Clip {
            frame_count: 10,
            rate_hz: 10.0,
            joints: ["hip".to_owned(), "knee".to_owned()].into(),
            channels: vec![
                channel(0, at(&[0.0, 4.0, 9.0])),
                channel(1, Sampler::every_frame(Keys::Vec3(vec![Vec3::ZERO; 4]))),
            ],
            ..Clip::default()
        };
        let joint = |name: &str| Joint { name: name.to_owned(), ..Joint::default() };
        let skeleton = Skeleton::new(vec![joint("hip"), joint("knee")], Vec::new());
        let model = Model { skeleton: Some(skeleton), ..Model::empty("legs") };
        let binding = Binding::new(
            &clip,
            &model,
            BindingOptions { translation: crate::scene::Translation::Clip, ..Default::default() },
        );
        let mut player = Player::default();
        player.set_clip(Arc::new(clip), Arc::new(binding));
        player
    }

    #[test]
    fn keys_of_a_bone_are_those_of_its_channels() {
        let player = playing();
        let mut keys = BoneKeys::default();
        keys.note(player.main(), Some(0));
        assert_eq!(**keys.frames(), [0.0, 4.0, 9.0]);
        keys.note(player.main(), Some(1));
        assert_eq!(**keys.frames(), [0.0, 1.0, 2.0, 3.0]);
        keys.note(player.main(), Some(7));
        assert!(keys.frames().is_empty(), "no such bone");
        keys.note(player.main(), None);
        assert!(keys.frames().is_empty());
        let all = player.clip().unwrap();
        assert_eq!(*key_frames(all, &all.channels), [0.0, 1.0, 2.0, 3.0, 4.0, 9.0]);
    }

    #[test]
    fn keys_come_after_each_other_and_round() {
        let frames = [0.0, 4.0, 9.0, 40.0];
        let next = |now| next_key(&frames, now, 9.0, 1);
        assert_eq!((next(0.0), next(3.9), next(4.0005), next(9.0)), (Some(4.0), Some(4.0), Some(9.0), Some(0.0)));
        let before = |now| next_key(&frames, now, 9.0, -1);
        assert_eq!((before(9.0), before(4.2), before(4.0), before(0.0)), (Some(4.0), Some(4.0), Some(0.0), Some(9.0)));
        assert_eq!(next_key(&[], 1.0, 9.0, 1), None);
    }
}
