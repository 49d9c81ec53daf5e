//! A clip's channels as lines: what each is called, what it looks like, and its value at a frame.

use crate::{
    scene::{
        Channel, Clip, ClipJoint, ClipMaterial, FileAxes, HermiteKey, Interpolation, KeyRule, KeyTimes, Keys, SrtPart,
        Target, Unit,
    },
    ui::widgets::pose_card::degrees,
};
use std::{ops::Range, sync::Arc};

/// What of a channel's value a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Number,
    /// Of a vector.
    Axis(u8),
    /// Of a scale.
    Scale(u8),
    /// x, y, z or w of a quaternion.
    Component(u8),
    /// Degrees about X, Y or Z; the rotation is Rz · Ry · Rx.
    Euler(u8),
    /// Number of a whole frame.
    Frame,
}

/// Colours that lines have, by place in [`crate::ui::transport::curves::colors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hue {
    Red,
    Green,
    Blue,
    LightRed,
    LightGreen,
    LightBlue,
    DeepRed,
    DeepGreen,
    DeepBlue,
    Orange,
    Lime,
    Violet,
    Pink,
    Yellow,
    Cyan,
    Grey,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Line {
    /// Into [`Clip::channels`].
    channel: usize,
    part: Part,
    /// The axes that the values of rotations, vectors and scales are in.
    axes: FileAxes,
    pub name: String,
    pub hue: Hue,
    /// What is written behind its values: `°`.
    pub unit: &'static str,
    /// What a key's number is multiplied with.
    factor: f32,
    pub key_count: usize,
    /// Its values are numbers of things, or yes and no.
    pub whole: bool,
    /// Least and greatest value.
    pub range: (f32, f32),
}

/// Lines of one joint, texture matrix, colour or the like.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    /// Into [`Lines::list`].
    pub lines: Range<usize>,
}

/// All lines of a clip.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    pub groups: Vec<Group>,
    pub list: Vec<Line>,
}

/// A key of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPoint {
    pub frame: f32,
    pub value: f32,
    /// Value a frame on the left and on the right; `None` where the file has no tangents.
    pub tangents: Option<(f32, f32)>,
}

const AXES: [&str; 3] = ["X", "Y", "Z"];

const PARTS: [&str; 4] = ["Red", "Green", "Blue", "Alpha"];

/// X is red, Y green and Z blue: rotations plainly, translations lighter, scales deeper.
const ROTATION_HUES: [Hue; 4] = [Hue::Red, Hue::Green, Hue::Blue, Hue::Grey];

const TRANSLATION_HUES: [Hue; 3] = [Hue::LightRed, Hue::LightGreen, Hue::LightBlue];

const SCALE_HUES: [Hue; 3] = [Hue::DeepRed, Hue::DeepGreen, Hue::DeepBlue];

/// For lines that stand for themselves, one after the other.
const SERIES: [Hue; 8] = [Hue::Orange, Hue::Cyan, Hue::Violet, Hue::Lime, Hue::Pink, Hue::Yellow, Hue::Blue, Hue::Red];

/// Channels of a clip that have lines; more of them nobody looks through.
const MAX_CHANNELS: usize = 8_192;

/// Keys of one group that are listed.
const MAX_KEYS: usize = 20_000;

/// Frames at which the extent of a line is looked for between its keys.
const SAMPLES: usize = 128;

/// Frames at which any of some lines has a key, ascending.
pub fn key_frames(clip: &Clip, lines: &[Line]) -> Arc<[f32]> {
    let last = clip.last_frame();
    let mut frames: Vec<f32> = Vec::new();
    for line in lines {
        frames.extend(line.keys(clip, 0.0, last).map(|key| key.frame).take(MAX_KEYS));
        frames.sort_by(f32::total_cmp);
        frames.dedup();
        frames.truncate(MAX_KEYS);
    }
    frames.into()
}

fn of<T: Copy>(list: &[T], index: usize) -> Option<T> {
    list.get(index).copied()
}

impl Lines {
    /// `real`: degrees instead of the file's own numbers, turns about axes instead of quaternions. `joints`: what the clip's
    /// joints are called in the model that it plays on; its own names where there are none. `axes`: those that vectors, quaternions
    /// and scales are shown in; the file's own if not `real`. What is keyed axis by axis, and angles, keep the axes of their keys.
    pub fn new(clip: &Clip, real: bool, axes: FileAxes, joints: &[String]) -> Self {
        let axes = if real { axes } else { FileAxes(clip.file_from_scene) };
        let joints = if joints.is_empty() { &clip.joints } else { joints };
        let mut lines = Self::default();
        // Channels of one group need not stand together (ActorX has them by kind).
        let mut places: Vec<(String, Vec<Line>)> = Vec::new();
        for (index, channel) in clip.channels.iter().take(MAX_CHANNELS).enumerate() {
            let group = group_name(clip, joints, &channel.target);
            let new = lines_of(index, channel, (real, axes), places.last().map_or(0, |(_, l)| l.len()));
            match places.iter_mut().rev().take(64).find(|(name, _)| *name == group) {
                Some((_, list)) => list.extend(new),
                None => places.push((group, new)),
            }
        }
        for (name, mut list) in places {
            // Files have them axis by axis; together they read better by what they are.
            list.sort_by_key(|line| line.rank(clip));
            let start = lines.list.len();
            lines.list.extend(list);
            lines.groups.push(Group { name, lines: start..lines.list.len() });
        }
        for index in 0..lines.list.len() {
            let range = extent(clip, &lines.list[index]);
            lines.list[index].range = range;
        }
        lines
    }

    /// The group that a line is in.
    pub fn group_of(&self, line: usize) -> Option<&Group> {
        let after = self.groups.partition_point(|g| g.lines.start <= line);
        after.checked_sub(1).and_then(|g| self.groups.get(g))
    }
}

fn named(list: &[String], index: u32, what: &str) -> String {
    list.get(index as usize).cloned().unwrap_or_else(|| format!("{what} {index}"))
}

fn group_name(clip: &Clip, joints: &[String], target: &Target) -> String {
    let material = |index: ClipMaterial| named(&clip.materials, index.0, "material");
    match target {
        Target::JointTranslation(joint)
        | Target::JointRotation(joint)
        | Target::JointScale(joint)
        | Target::JointMatrix(joint)
        | Target::JointScaleAxis { joint, .. }
        | Target::JointEulerAxis { joint, .. }
        | Target::JointTranslationAxis { joint, .. } => named(joints, joint.0, "joint"),
        Target::TextureSrt { group, .. } => match clip.texture_groups.get(*group as usize) {
            Some(group) => format!("{} · texture matrix {}", material(group.material), group.slot),
            None => format!("texture matrix {group}"),
        },
        Target::TextureSlot { material: m, .. } => material(*m),
        Target::Register { material: m, register, .. } => format!("{} · C{register}", material(*m)),
        Target::Konst { material: m, konst, .. } => format!("{} · K{konst}", material(*m)),
        Target::MaterialColor { material: m, .. } => material(*m),
        Target::Visibility { .. } => "Shapes".to_owned(),
        Target::ClusterWeight { .. } => "Clusters".to_owned(),
        Target::VertexColor { group, set, .. } => format!("colour set {set} · group {group}"),
        Target::MorphWeight(_) => "Morphs".to_owned(),
        Target::VertexFrames { mesh, .. } => match mesh.is_empty() {
            true => "Vertices".to_owned(),
            false => mesh.to_string(),
        },
    }
}

/// `before`: lines that the last group has already.
fn lines_of(index: usize, channel: &Channel, (real, file_axes): (bool, FileAxes), before: usize) -> Vec<Line> {
    let line = |part, name: String, hue, unit| Line {
        channel: index,
        part,
        axes: file_axes,
        name,
        hue,
        unit,
        factor: factor(channel.unit, real),
        key_count: channel.sampler.keys.len(),
        whole: matches!(channel.target, Target::TextureSlot { .. } | Target::Visibility { .. }),
        range: (0.0, 0.0),
    };
    let angle = if matches!(channel.unit, Unit::Angle16 { .. }) && real { "°" } else { "" };
    let axis = |what: &str, axis: u8, hues: &[Hue; 3], unit| {
        let at = usize::from(axis);
        line(Part::Number, format!("{what} {}", of(&AXES, at).unwrap_or("?")), of(hues, at).unwrap_or(Hue::Grey), unit)
    };
    let axes = |what: &str, hues: [Hue; 3], part: fn(u8) -> Part| -> Vec<Line> {
        let names = (0_u8..).zip(AXES).zip(hues);
        names.map(|((axis, name), hue)| line(part(axis), format!("{what} {name}"), hue, "")).collect()
    };
    let color = |part: u8| {
        let at = usize::from(part);
        let name = of(&PARTS, at).unwrap_or("?").to_owned();
        vec![line(Part::Number, name, of(&ROTATION_HUES, at).unwrap_or(Hue::Grey), "")]
    };
    let next = of(&SERIES, before % SERIES.len()).unwrap_or(Hue::Grey);
    let rotation_hues = [Hue::Red, Hue::Green, Hue::Blue];
    match &channel.target {
        Target::JointTranslation(_) => axes("Translation", TRANSLATION_HUES, Part::Axis),
        Target::JointScale(_) => axes("Scale", SCALE_HUES, Part::Scale),
        // Twelve numbers that mean nothing one by one.
        Target::JointMatrix(_) => Vec::new(),
        // Angles are what the file has.
        Target::JointRotation(_) if real || is_angles(&channel.sampler.keys) => (0_u8..3)
            .zip(AXES)
            .zip(rotation_hues)
            .map(|((axis, name), hue)| line(Part::Euler(axis), format!("Rotation {name}"), hue, "°"))
            .collect(),
        Target::JointRotation(_) => (0_u8..4)
            .zip(["x", "y", "z", "w"])
            .zip(ROTATION_HUES)
            .map(|((part, name), hue)| line(Part::Component(part), format!("Quaternion {name}"), hue, ""))
            .collect(),
        Target::JointScaleAxis { axis: a, .. } => vec![axis("Scale", *a, &SCALE_HUES, "")],
        Target::JointEulerAxis { axis: a, .. } => vec![axis("Rotation", *a, &rotation_hues, angle)],
        Target::JointTranslationAxis { axis: a, .. } => vec![axis("Translation", *a, &TRANSLATION_HUES, "")],
        Target::TextureSrt { part, .. } => {
            let (name, hue) = match part {
                SrtPart::ScaleS => ("Scale S", Hue::Pink),
                SrtPart::ScaleT => ("Scale T", Hue::Yellow),
                SrtPart::Rotation => ("Rotation", Hue::Blue),
                SrtPart::TranslationS => ("Translation S", Hue::Orange),
                SrtPart::TranslationT => ("Translation T", Hue::Lime),
            };
            vec![line(Part::Number, name.to_owned(), hue, if *part == SrtPart::Rotation { angle } else { "" })]
        }
        Target::TextureSlot { slot, .. } => vec![line(Part::Number, format!("Texture map {slot}"), next, "")],
        Target::Register { part, .. } | Target::Konst { part, .. } => color(*part),
        Target::MaterialColor { part, .. } | Target::VertexColor { part, .. } => color(*part),
        Target::Visibility { mesh } => vec![line(Part::Number, format!("Shape {mesh} visibility"), next, "")],
        Target::ClusterWeight { cluster } => vec![line(Part::Number, format!("Cluster {cluster} weight"), next, "")],
        Target::MorphWeight(name) => vec![line(Part::Number, name.clone(), next, "")],
        Target::VertexFrames { .. } => {
            vec![line(Part::Frame, "Vertex frame".to_owned(), next, "")]
        }
    }
}

fn is_angles(keys: &Keys) -> bool {
    matches!(keys, Keys::Euler(_) | Keys::EulerBezier(_))
}

fn factor(unit: Unit, real: bool) -> f32 {
    match unit {
        Unit::Angle16 { .. } if real => unit.real(1.0, false).to_degrees(),
        _ => 1.0,
    }
}

/// Where a looping clip's last key leads back to the first.
fn wrap(clip: &Clip) -> Option<f32> {
    clip.blends_across_seam.then_some(clip.frame_count as f32)
}

impl Line {
    fn channel<'a>(&self, clip: &'a Clip) -> Option<&'a Channel> {
        clip.channels.get(self.channel)
    }

    /// Its value at a frame.
    pub fn value(&self, clip: &Clip, frame: f32) -> Option<f32> {
        let sampler = &self.channel(clip)?.sampler;
        let wrap = wrap(clip);
        let value = match self.part {
            Part::Number => sampler.scalar(frame, wrap)? * self.factor,
            Part::Axis(axis) => of(&self.axes.vector(sampler.vec3(frame, wrap)?).to_array(), axis.into())?,
            Part::Scale(axis) => of(&self.axes.scale(sampler.vec3(frame, wrap)?).to_array(), axis.into())?,
            Part::Component(part) => {
                let stored = self.axes.stored_rotation(clip.key_rule, sampler.rotation(frame, wrap)?);
                of(&stored.to_array(), part.into())?
            }
            Part::Euler(axis) if is_angles(&sampler.keys) => {
                of(&sampler.degrees(frame, wrap)?.to_array(), axis.into())?
            }
            Part::Euler(axis) => {
                let key = sampler.rotation(frame, wrap)?;
                let is_inverse = clip.key_rule == KeyRule::InverseOnFirstJoint
                    && self.channel(clip)?.target == Target::JointRotation(ClipJoint(0));
                let rotation = if is_inverse { key.conjugate() } else { key };
                of(&degrees(self.axes.rotation(rotation)), axis.into())?
            }
            Part::Frame => {
                let span = sampler.span(frame, None)?;
                span.from as f32 + span.blend * (span.to as f32 - span.from as f32)
            }
        };
        value.is_finite().then_some(value)
    }

    /// Where it stands among the lines of its joint or matrix: translations, rotations, scales, each by axis.
    fn rank(&self, clip: &Clip) -> u8 {
        match self.channel(clip).map(|c| &c.target) {
            Some(Target::JointTranslationAxis { axis, .. }) => *axis,
            Some(Target::JointEulerAxis { axis, .. }) => axis.saturating_add(10),
            Some(Target::JointScaleAxis { axis, .. }) => axis.saturating_add(20),
            Some(Target::TextureSrt { part, .. }) => match part {
                SrtPart::TranslationS | SrtPart::TranslationT => 0,
                SrtPart::Rotation => 10,
                SrtPart::ScaleS | SrtPart::ScaleT => 20,
            },
            _ => 0,
        }
    }

    /// Whether it holds one value all the time, but for the last digits.
    pub fn is_still(&self) -> bool {
        let (low, high) = self.range;
        high - low <= 1e-5 * low.abs().max(high.abs()).max(1.0)
    }

    /// Whether values hold from key to key.
    pub fn steps(&self, clip: &Clip) -> bool {
        self.channel(clip).is_some_and(|c| c.sampler.interpolation == Interpolation::Step)
    }

    /// Degrees that jump from one end to the other.
    pub fn turns(&self) -> bool {
        matches!(self.part, Part::Euler(_))
    }

    /// Its keys from one frame to another.
    pub fn keys<'a>(&'a self, clip: &'a Clip, from: f32, to: f32) -> impl Iterator<Item = KeyPoint> + 'a {
        let sampler = self.channel(clip).map(|c| &c.sampler);
        let range = match sampler.map(|s| (&s.times, s.keys.len())) {
            None => 0..0,
            // A constant has no place in time.
            Some((KeyTimes::EveryFrame, count)) if count < 2 => 0..0,
            Some((KeyTimes::EveryFrame, count)) => {
                (from.max(0.0).floor() as usize).min(count)..(to.max(-1.0) + 1.0).ceil().max(0.0) as usize
            }
            Some((KeyTimes::At(times), count)) if times.is_sorted() => {
                times.partition_point(|t| *t < from)..times.partition_point(|t| *t <= to).min(count)
            }
            Some((_, count)) => 0..count,
        };
        let count = sampler.map_or(0, |s| s.keys.len());
        (range.start..range.end.min(count)).filter_map(move |key| {
            let sampler = sampler?;
            let frame = sampler.key_frame(key);
            let (value, tangents) = match &sampler.keys {
                Keys::Hermite(keys) => {
                    let HermiteKey { value, tangent_in, tangent_out } = *keys.get(key)?;
                    (value * self.factor, Some((tangent_in * self.factor, tangent_out * self.factor)))
                }
                Keys::Scalar(keys) => (keys.get(key)? * self.factor, None),
                _ => {
                    let slope = |slope: glam::Vec3| match self.part {
                        Part::Axis(axis) => of(&self.axes.vector(slope).to_array(), axis.into()),
                        Part::Scale(axis) => of(&self.axes.scale(slope).to_array(), axis.into()),
                        Part::Euler(axis) => of(&slope.to_array(), axis.into()),
                        _ => None,
                    };
                    let slopes = sampler.slopes(key).and_then(|(a, b)| slope(a).zip(slope(b)));
                    (self.value(clip, frame)?, slopes)
                }
            };
            (frame >= from && frame <= to && value.is_finite()).then_some(KeyPoint { frame, value, tangents })
        })
    }
}

/// Least and greatest value of a line inside its clip.
fn extent(clip: &Clip, line: &Line) -> (f32, f32) {
    let end = clip.frame_count as f32;
    let keys = line.keys(clip, 0.0, end).map(|k| k.value);
    let step = (end / SAMPLES as f32).max(1e-3);
    let between = (0..=SAMPLES).filter_map(|i| line.value(clip, i as f32 * step));
    let (low, high) = keys.chain(between).fold((f32::MAX, f32::MIN), |(l, h), v| (l.min(v), h.max(v)));
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{ClipEnd, Sampler};
    use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

    fn channel(target: Target, sampler: Sampler, unit: Unit) -> Channel {
        Channel { target, sampler, unit, muted: false }
    }

    fn keyed() -> Sampler {
        let key = |value, tangent| HermiteKey { value, tangent_in: tangent, tangent_out: tangent };
        Sampler {
            times: KeyTimes::At([0.0, 10.0].into()),
            keys: Keys::Hermite(vec![key(0.0, 0.0), key(4096.0, 0.0)]),
            interpolation: Interpolation::Hermite,
            cycle: None,
        }
    }

    fn clip(channels: Vec<Channel>) -> Clip {
        let joints = ["hip".to_owned(), "knee".to_owned()].into();
        Clip { frame_count: 10, joints, channels, end: ClipEnd::Duration, ..Clip::default() }
    }

    #[test]
    fn raw_numbers_become_degrees() {
        let target = Target::JointEulerAxis { joint: ClipJoint(1), axis: 2 };
        let clip = clip(vec![channel(target, keyed(), Unit::Angle16 { shift: 2 })]);
        let real = Lines::new(&clip, true, FileAxes::default(), &[]);
        assert_eq!((real.groups[0].name.as_str(), real.list[0].name.as_str()), ("knee", "Rotation Z"));
        assert!((real.list[0].value(&clip, 10.0).unwrap() - 90.0).abs() < 1e-3);
        assert!((real.list[0].range.1 - 90.0).abs() < 1e-3 && real.list[0].unit == "°");
        let raw = Lines::new(&clip, false, FileAxes::default(), &[]);
        assert_eq!((raw.list[0].value(&clip, 5.0), raw.list[0].unit), (Some(2048.0), ""));
        let keys: Vec<_> = raw.list[0].keys(&clip, 5.0, 20.0).collect();
        assert_eq!(keys, [KeyPoint { frame: 10.0, value: 4096.0, tangents: Some((0.0, 0.0)) }]);
    }

    #[test]
    fn quaternions_are_turns_or_components_and_one_joints_lines_stand_together() {
        let turn = Quat::from_rotation_z(0.5);
        let rotations = Sampler::every_frame(Keys::Rotation(vec![Quat::IDENTITY, turn]));
        let places = Sampler::every_frame(Keys::Vec3(vec![Vec3::ZERO, Vec3::Y]));
        let clip = clip(vec![
            channel(Target::JointRotation(ClipJoint(0)), rotations.clone(), Unit::Plain),
            channel(Target::JointRotation(ClipJoint(1)), rotations, Unit::Plain),
            channel(Target::JointTranslation(ClipJoint(0)), places, Unit::Plain),
        ]);
        let real = Lines::new(&clip, true, FileAxes::default(), &[]);
        assert_eq!(real.groups.iter().map(|g| g.lines.clone()).collect::<Vec<_>>(), [0..6, 6..9]);
        assert!((real.list[2].value(&clip, 1.0).unwrap() - 0.5_f32.to_degrees()).abs() < 1e-3);
        assert_eq!(real.list[4].value(&clip, 0.5), Some(0.5));
        assert_eq!(real.group_of(7).unwrap().name, "knee");
        assert_eq!(Lines::new(&clip, false, FileAxes::default(), &[]).list.len(), 4 + 3 + 4);
    }

    /// The first bone of ActorX stores its rotation, the others the inverse: the scene's keys are the inverse of all that is stored.
    #[test]
    fn the_root_turns_as_it_is_posed_and_raw_numbers_are_those_of_the_file() {
        // 60° about the scene's Y: sin 30° = 0.5.
        let turn = Quat::from_xyzw(0.0, 0.5, 0.0, 0.75_f32.sqrt());
        let rotations = Sampler::every_frame(Keys::Rotation(vec![turn]));
        let mut clip = clip(vec![
            channel(Target::JointRotation(ClipJoint(0)), rotations.clone(), Unit::Plain),
            channel(Target::JointRotation(ClipJoint(1)), rotations, Unit::Plain),
        ]);
        clip.key_rule = KeyRule::InverseOnFirstJoint;
        // The scene's (x, y, z) is the file's (x, −z, y): its Y is the file's Z.
        let matrix3 = Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::NEG_Y);
        clip.file_from_scene = Affine3A { matrix3, translation: Vec3A::ZERO };
        let file = FileAxes(clip.file_from_scene);
        let near = |lines: &Lines, line: usize, wanted: f32| {
            let value = lines.list[line].value(&clip, 0.0).unwrap();
            assert!((value - wanted).abs() < 1e-3, "{}: {value} is not {wanted}", lines.list[line].name);
        };
        let real = Lines::new(&clip, true, file, &[]);
        [(2, -60.0), (5, 60.0)].into_iter().for_each(|(line, wanted)| near(&real, line, wanted));
        let scene = Lines::new(&clip, true, FileAxes::default(), &[]);
        [(1, -60.0), (4, 60.0)].into_iter().for_each(|(line, wanted)| near(&scene, line, wanted));
        // x, y, z and w as stored, whichever axes are shown.
        for axes in [file, FileAxes::default()] {
            let raw = Lines::new(&clip, false, axes, &[]);
            for (line, wanted) in [0.0, 0.0, -0.5, 0.75_f32.sqrt()].into_iter().enumerate() {
                near(&raw, line, wanted);
                near(&raw, line + 4, wanted);
            }
        }
    }

    #[test]
    fn angles_are_what_they_are_and_curves_have_the_slopes_of_their_control_points() {
        use crate::scene::BezierKey;
        let at = |keys, interpolation| Sampler {
            times: KeyTimes::At([0.0, 4.0].into()),
            keys,
            interpolation,
            cycle: Some(8.0),
        };
        let euler = at(Keys::Euler(vec![Vec3::X * 350.0, Vec3::X * 30.0]), Interpolation::Linear);
        let key = |x| BezierKey { value: Vec3::Y * x, control_in: Vec3::Y * -4.0, control_out: Vec3::Y * 8.0 };
        let bezier = at(Keys::Bezier(vec![key(0.0), key(1.0)]), Interpolation::Bezier);
        let clip = clip(vec![
            channel(Target::JointRotation(ClipJoint(0)), euler, Unit::Plain),
            channel(Target::JointTranslation(ClipJoint(0)), bezier, Unit::Plain),
        ]);
        for real in [true, false] {
            let lines = Lines::new(&clip, real, FileAxes::default(), &["thigh".to_owned(), "shin".to_owned()]);
            assert_eq!((lines.list.len(), lines.groups[0].name.as_str()), (6, "thigh"));
            assert_eq!(lines.list[0].value(&clip, 3.0), Some(20.0));
            let keys: Vec<_> = lines.list[4].keys(&clip, 0.0, 8.0).map(|k| (k.value, k.tangents)).collect();
            assert_eq!(keys, [(0.0, Some((3.0, 6.0))), (1.0, Some((3.0, 6.0)))]);
        }
    }

    #[test]
    fn a_file_with_z_up_has_curves_of_its_own_axes() {
        use glam::{Affine3A, Mat3A, Vec3A};
        let file_from_scene =
            Affine3A::from_mat3(glam::Mat3::from(Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::new(0.0, -1.0, 0.0))));
        let every = |keys| Sampler::every_frame(keys);
        let mut clip = clip(vec![
            // (1, 2, 3), half a right angle about what points up, and scales of (4, 5, 6) of the file.
            channel(
                Target::JointTranslation(ClipJoint(0)),
                every(Keys::Vec3(vec![Vec3::new(1.0, 3.0, -2.0)])),
                Unit::Plain,
            ),
            channel(
                Target::JointRotation(ClipJoint(0)),
                every(Keys::Rotation(vec![Quat::from_rotation_y(45_f32.to_radians())])),
                Unit::Plain,
            ),
            channel(Target::JointScale(ClipJoint(0)), every(Keys::Vec3(vec![Vec3::new(4.0, 6.0, 5.0)])), Unit::Plain),
        ]);
        clip.file_from_scene = file_from_scene;
        let values = |axes| -> Vec<(Hue, f32)> {
            let lines = Lines::new(&clip, true, axes, &[]);
            lines.list.iter().map(|line| (line.hue, line.value(&clip, 0.0).unwrap().round())).collect()
        };
        let hues = TRANSLATION_HUES.into_iter().chain(ROTATION_HUES.into_iter().take(3)).chain(SCALE_HUES);
        let with_hues = |numbers: [f32; 9]| hues.clone().zip(numbers).collect::<Vec<_>>();
        assert_eq!(values(FileAxes(file_from_scene)), with_hues([1.0, 2.0, 3.0, 0.0, 0.0, 45.0, 4.0, 5.0, 6.0]));
        assert_eq!(values(FileAxes::default()), with_hues([1.0, 3.0, -2.0, 0.0, 45.0, 0.0, 4.0, 6.0, 5.0]));
    }

    #[test]
    fn constants_have_no_keys_in_time_and_nothing_panics_without_keys() {
        let constant = Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(Keys::Scalar(vec![3.0])) };
        let empty = Sampler::every_frame(Keys::Scalar(Vec::new()));
        let weight = |cluster| Target::ClusterWeight { cluster };
        let clip = clip(vec![channel(weight(0), constant, Unit::Plain), channel(weight(1), empty, Unit::Plain)]);
        let lines = Lines::new(&clip, true, FileAxes::default(), &[]);
        assert_eq!(lines.list[0].keys(&clip, -1e9, 1e9).count(), 0);
        assert_eq!((lines.list[0].value(&clip, 4.0), lines.list[0].range), (Some(3.0), (3.0, 3.0)));
        assert_eq!(lines.list[1].value(&clip, 4.0), None);
    }
}
