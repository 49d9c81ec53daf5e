//! The nodes of a clip, worked out at moments close to each other.

use super::{
    BoundClip, GlbOptions,
    nodes::usable,
    rig::{Axes, Rig},
};
use crate::{
    export::ExportError,
    scene::{BoundTarget, Clip, ClipEnd, Frame, JointIndex, KeyTimes, Layer, Model, Transform, evaluate},
};

/// Moments of one clip at most.
const MAX_MOMENTS: usize = 1 << 16;
/// Moments times nodes at most.
const MAX_NODE_MOMENTS: usize = 1 << 20;
/// Frames between an own key and a moment of the steady rate that is left out beside it.
const BESIDE: f32 = 1e-3;

/// Ways that one way is divided into at a time.
const MAX_PIECES: f32 = 8.0;
/// The shortest way that ways are divided into, in frames.
const SHORTEST: f32 = 1.0 / 64.0;

/// Where in the way from one moment to the next it is looked: at its start, at a third, in the middle, at two thirds, and right
/// before its end.
pub const LOOKS: usize = 5;

/// Transforms of nodes at moments and between them.
pub struct Moments {
    /// Frames, ascending: at least one.
    pub frames: Vec<f32>,
    /// By way from moment to moment, then by look, then by node; then by node at the last moment.
    transforms: Vec<Transform>,
    nodes: usize,
}

impl Moments {
    /// Between two moments.
    pub fn way(&self, way: usize, node: usize) -> [Transform; LOOKS] {
        std::array::from_fn(|look| self.transforms[(way * LOOKS + look) * self.nodes + node])
    }

    pub fn last(&self, node: usize) -> Transform {
        self.transforms[self.ways() * LOOKS * self.nodes + node]
    }

    pub fn ways(&self) -> usize {
        self.frames.len() - 1
    }
}

/// Frames a second that a clip is written with.
pub fn rate_of(clip: &Clip, options: &GlbOptions) -> f32 {
    let own = clip.usable_rate();
    let assumed = options.assumed_rate_hz.filter(|_| clip.rate_is_assumed);
    assumed.filter(|rate| Clip::is_rate(*rate, clip.frame_count as f32)).unwrap_or(own)
}

/// Frames that a clip plays.
pub fn played_frames(clip: &Clip) -> f32 {
    match clip.end {
        ClipEnd::Duration => clip.frame_count as f32,
        ClipEnd::Length(frames) => frames.max(0.0),
        ClipEnd::LastFrame if clip.blends_across_seam => clip.frame_count as f32,
        ClipEnd::LastFrame => clip.last_frame(),
    }
}

/// How many moments a clip has: those of a steady rate, and at most.
fn counts(clip: &Clip, nodes: usize, options: &GlbOptions) -> (usize, usize) {
    let rate_hz = rate_of(clip, options);
    let keys_hz = options.rate_hz.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(rate_hz);
    let most = (MAX_NODE_MOMENTS / nodes.max(1)).clamp(2, MAX_MOMENTS);
    // What rounds to a whole number of steps is that many.
    let steady = (played_frames(clip) / rate_hz * keys_hz - BESIDE).ceil() as usize;
    (steady.min(most - 1), most)
}

/// Bytes that the keys of a clip take, about, when they are worked out here.
pub fn bytes(bound: &BoundClip<'_>, rig: &Rig, options: &GlbOptions) -> usize {
    let (steady, most) = counts(bound.clip, rig.nodes.len(), options);
    let own: usize = bound.clip.channels.iter().map(|channel| channel.sampler.keys.len()).sum();
    let moments = steady.saturating_add(1).saturating_add(own).min(most);
    let driven: usize = bound.binding.joints().len().max(bound.binding.channels().len());
    let helpers = rig.nodes.len() - rig.joint_count();
    let nodes = if rig.is_plain() { driven.min(rig.nodes.len()) } else { driven.saturating_add(helpers) };
    // A translation, a rotation and a scale of each, and the time once.
    moments.saturating_mul(nodes.saturating_mul(40).saturating_add(4))
}

/// Joints that a clip drives.
pub fn driven(bound: &BoundClip<'_>, joints: usize) -> Vec<bool> {
    let mut driven = vec![false; joints];
    let of_channels = bound.binding.channels().iter().filter_map(|channel| match channel.target {
        BoundTarget::Joint(joint) => Some(joint),
        _ => None,
    });
    let whole = bound.binding.joints().iter().map(|joint| joint.joint);
    for joint in of_channels.chain(whole).chain(bound.binding.relative().iter().copied()) {
        if let Some(driven) = driven.get_mut(joint.as_usize()) {
            *driven = true;
        }
    }
    driven
}

/// Works out a clip's poses at `frames` and between them.
///
/// # Errors
/// When a joint is sheared in a way that its nodes cannot show.
pub fn moments(played: &Model, rig: &Rig, bound: &BoundClip<'_>, frames: Vec<f32>) -> Result<Moments, ExportError> {
    let clip = bound.clip;
    let nodes = rig.nodes.len();
    let goes_round = clip.channels.iter().any(|channel| channel.sampler.cycle.is_some());
    let mut moments = Moments { transforms: Vec::with_capacity(frames.len() * LOOKS * nodes), nodes, frames };
    let (mut frame, mut pose, mut axes) = (Frame::default(), Vec::new(), rig.axes());
    let mut look = |moment: f32, axes: &mut Axes, out: &mut Vec<Transform>| {
        let layer = Layer { clip, binding: bound.binding, frame: moment, looping: clip.blends_across_seam };
        evaluate(played, &[layer], &[], &mut frame);
        rig.pose(&frame, axes, &mut pose).map_err(|joint| sheared(played, clip, joint))?;
        out.extend(pose.iter().map(usable));
        Ok::<(), ExportError>(())
    };
    for pair in moments.frames.windows(2) {
        for moment in looks(pair[0], pair[1], goes_round) {
            look(moment, &mut axes, &mut moments.transforms)?;
        }
    }
    let last = moments.frames.last().copied().unwrap_or_default();
    look(last, &mut axes, &mut moments.transforms)?;
    Ok(moments)
}

/// The moments of a clip: of a steady rate (the clip's own unless another is asked for), and of its own keys.
pub fn frames(clip: &Clip, nodes: usize, options: &GlbOptions) -> Vec<f32> {
    let (steady, most) = counts(clip, nodes, options);
    let end = played_frames(clip);
    let end = if end.is_finite() { end } else { 0.0 };
    let keys_hz = options.rate_hz.filter(|rate| rate.is_finite() && *rate > 0.0);
    let whole = keys_hz.map_or(1.0, |keys_hz| rate_of(clip, options) / keys_hz);
    // Fewer than the rate asks for are spread evenly.
    let step = if steady > 0 { whole.max(end / steady as f32) } else { 0.0 };
    let times = (0..=steady).map(|key| if key == steady { end } else { (key as f32 * step).min(end) }).collect();
    with_own_keys(clip, times, end, most)
}

/// Adds moments to ways whose error is above the limit; `None` if there are no such ways, or no room for more moments.
pub fn refined(frames: &[f32], errors: &[f32], limit: f32, nodes: usize) -> Option<Vec<f32>> {
    let most = (MAX_NODE_MOMENTS / nodes.max(1)).clamp(2, MAX_MOMENTS);
    let mut room = most.saturating_sub(frames.len());
    let mut all = Vec::with_capacity(frames.len());
    for (pair, error) in frames.windows(2).zip(errors) {
        let (from, to) = (pair[0], pair[1]);
        all.push(from);
        // The error of a cubic falls with the fourth power of its length.
        let pieces = (error / limit).sqrt().sqrt().ceil().clamp(1.0, MAX_PIECES).min(((to - from) / SHORTEST).floor());
        let more = (pieces as usize).saturating_sub(1).min(room);
        room -= more;
        all.extend((1..=more).map(|piece| from + (to - from) * piece as f32 / (more + 1) as f32));
    }
    all.extend(frames.last());
    tidy(&mut all);
    (all.len() > frames.len()).then_some(all)
}

/// Where it is looked between two moments. A track that goes round by itself shows its end where the next round begins.
pub fn looks(from: f32, to: f32, goes_round: bool) -> [f32; LOOKS] {
    let start = if goes_round && from > 0.0 { from.next_up() } else { from };
    let between = |share: f32| from + (to - from) * share;
    [start, between(1.0 / 3.0), between(0.5), between(2.0 / 3.0), to.next_down()].map(|moment| moment.clamp(from, to))
}

fn sheared(model: &Model, clip: &Clip, joint: JointIndex) -> ExportError {
    let joints = model.skeleton.as_ref().map(|skeleton| skeleton.joints()).unwrap_or_default();
    let name = joints.get(joint.as_usize()).map_or("", |joint| &joint.name);
    ExportError::Unsupported(format!(
        "the clip “{}” shears the joint “{name}” (index {}), which glTF does not support",
        clip.name, joint.0
    ))
}

/// Adds a clip's own keys to times up to `end`, in every round of tracks that go round.
fn with_own_keys(clip: &Clip, times: Vec<f32>, end: f32, most: usize) -> Vec<f32> {
    let mut own: Vec<f32> = Vec::new();
    for channel in &clip.channels {
        let sampler = &channel.sampler;
        let room = most.saturating_sub(times.len()).saturating_sub(own.len());
        let in_round = |frame: &f32| (0.0..=end).contains(frame);
        let keys = || -> Box<dyn Iterator<Item = f32> + '_> {
            match &sampler.times {
                KeyTimes::At(times) => Box::new(times.iter().copied().take(sampler.keys.len())),
                KeyTimes::EveryFrame => Box::new((0..sampler.keys.len()).map(|key| key as f32)),
            }
        };
        match sampler.cycle.filter(|length| length.is_finite() && *length > 0.0) {
            Some(length) => {
                let rounds = (0_u32..).map(|round| round as f32 * length).take_while(|start| *start <= end);
                let keys = rounds.flat_map(|start| {
                    let of_round = keys().filter(move |frame| (0.0..=length).contains(frame));
                    std::iter::once(start).chain(of_round.map(move |frame| start + frame))
                });
                own.extend(keys.filter(in_round).take(room));
            }
            None => own.extend(keys().filter(in_round).take(room)),
        }
        if own.len() > 4 * MAX_MOMENTS.min(most) {
            tidy(&mut own);
        }
    }
    tidy(&mut own);
    let is_own = |time: &f32| {
        let after = own.partition_point(|key| *key < *time);
        let near = |key: Option<&f32>| key.is_some_and(|key| (key - time).abs() < BESIDE);
        near(own.get(after)) || after > 0 && near(own.get(after - 1))
    };
    // The first and the last moment are those of the clip.
    let count = times.len();
    let steady = times.into_iter().enumerate().filter(|(at, time)| *at == 0 || *at + 1 == count || !is_own(time));
    let mut all: Vec<f32> = steady.map(|(_, time)| time).collect();
    all.extend(own);
    tidy(&mut all);
    all
}

fn tidy(times: &mut Vec<f32>) {
    times.sort_by(f32::total_cmp);
    times.dedup();
}
