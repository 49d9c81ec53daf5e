//! A clip that is exported alone, on bones: those of a model, without what hangs on them, or just those that the clip speaks of.

use crate::scene::{Clip, ClipValues, Joint, Model, PoseOptions, Skeleton, TargetKind, Transform};

/// The bones of a model, for animations alone.
pub fn bones_of(model: &Model) -> Model {
    Model { skeleton: model.skeleton.clone(), file_from_scene: model.file_from_scene, ..Model::empty(&model.name) }
}

/// The bones that a clip speaks of, each for itself: clips do not say what hangs on what. `None` for a clip that moves no bones.
pub fn bones_in(clip: &Clip) -> Option<Model> {
    if clip.kind() != TargetKind::Joints {
        return None;
    }
    let joint = |name: String, track| Joint { name, track, bind: Transform::IDENTITY, ..Joint::default() };
    let joints: Vec<Joint> = if clip.is_by_place() {
        let count = ClipValues::at(clip, 0.0, PoseOptions::default()).joints.len();
        (0..count).map(|place| joint(format!("joint {place}"), None)).collect()
    } else {
        let tracks = clip.tracks();
        let of = |(at, name): (usize, &String)| joint(name.clone(), tracks.get(at).map(|track| track.number));
        clip.joints.iter().enumerate().map(of).collect()
    };
    (!joints.is_empty()).then(|| Model {
        skeleton: Some(Skeleton::new(joints, Vec::new())),
        file_from_scene: clip.file_from_scene,
        ..Model::empty(&clip.name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Binding, BindingOptions, Channel, ClipJoint, JointAddressing, Keys, Sampler, Target, Unit};
    use glam::Vec3;

    #[test]
    fn a_clip_drives_the_bones_that_it_speaks_of() {
        let channel =
            |target, keys| Channel { target, sampler: Sampler::every_frame(keys), unit: Unit::Plain, muted: false };
        let target = Target::JointTranslationAxis { joint: ClipJoint(1), axis: 0 };
        let by_place = Clip {
            addressing: JointAddressing::ByPlace { driven: 3 },
            channels: vec![channel(target, Keys::Scalar(vec![1.0]))],
            ..Clip::default()
        };
        let by_name = Clip {
            joints: ["hip".to_owned(), "knee".to_owned()].into(),
            channels: vec![channel(Target::JointTranslation(ClipJoint(1)), Keys::Vec3(vec![Vec3::X]))],
            ..Clip::default()
        };
        for (clip, names) in [(by_place, &["joint 0", "joint 1", "joint 2"][..]), (by_name, &["hip", "knee"])] {
            let model = bones_in(&clip).unwrap();
            let found: Vec<&str> = model.skeleton.iter().flat_map(|s| s.joints()).map(|j| j.name.as_str()).collect();
            assert_eq!(found, names);
            assert!(Binding::new(&clip, &model, BindingOptions::default()).fit.any());
        }
        assert!(bones_in(&Clip::default()).is_none());
    }
}
