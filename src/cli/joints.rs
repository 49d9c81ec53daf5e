//! What a clip alone drives, at a moment.
//!
//! Numbers are in the file's own space and in its own convention: a rotation is what the file's keys say. In an ActorX
//! animation that is the *conjugate* of the bone's rotation, as on every bone but the root; a model at hand decides which
//! of its bones is the root and reads that one's keys as they are, so `pose MODEL --clip …` is what states true rotations.

use super::{
    Failure,
    driven::{MaterialPose, ShapePose},
    output::{plain, stdout},
    pose_values::{MorphWeight, tidy},
    posing::{ClockArgs, Moment, NamedClip, seek},
};
use crate::scene::{
    self, Binding, Clip, ClipValues, FileAxes, LoopMode, MeshIndex, Player, PoseOptions, Target, skinning::rows,
};
use serde::Serialize;
use std::{
    io::{self, Write as _},
    sync::Arc,
};

/// Values of a clip at one frame.
#[derive(Serialize)]
pub struct ClipPose {
    /// Always `null`, because the pose of a clip has no model.
    model: Option<String>,
    clips: Vec<String>,
    frame: f32,
    joints: Vec<JointValues>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<MaterialPose>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<ShapePose>,
    #[serde(serialize_with = "morphs")]
    morphs: Vec<(String, f32)>,
}

fn morphs<S: serde::Serializer>(morphs: &[(String, f32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(morphs.iter().map(|(name, weight)| MorphWeight { name, weight: *weight }))
}

/// Values of a joint. Values without keys are `null`: a model keeps its bind pose there. Scales without keys are 1, but `null` in tracks.
#[derive(Serialize)]
struct JointValues {
    index: usize,
    name: String,
    scale: Option<[f32; 3]>,
    /// x, y, z, w.
    rotation: Option<[f32; 4]>,
    /// Rotation about X, Y and Z. Missing if the file contains no angles.
    #[serde(skip_serializing_if = "Option::is_none")]
    euler_radians: Option<[f32; 3]>,
    translation: Option<[f32; 3]>,
    /// Matrix that replaces scale, rotation and translation: 3×4, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<[f32; 12]>,
    /// True if the values are relative to the model's bind pose.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    relative: bool,
    #[serde(skip)]
    driven: bool,
    /// Channels with keys that the file marks as unused. A model keeps its bind pose in these channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_aside: Vec<&'static str>,
}

impl ClipPose {
    pub fn of(named: NamedClip, moment: Moment, clock: ClockArgs, options: PoseOptions) -> Self {
        let clip = named.clip;
        let mut player = Player::default();
        player.set_loop_mode(clip.default_loop);
        player.set_assumed_rate_hz(clock.fps);
        player.set_clip(clip.clone(), Arc::new(Binding::default()));
        seek(&mut player, moment);
        let frame = player.frame();
        let looping = player.loop_mode() == LoopMode::Loop && clip.blends_across_seam;
        let (mut joints, morphs) = values(&clip, frame, looping.then_some(clip.frame_count as f32));
        let driven = ClipValues::at(&clip, frame, options);
        joints.extend(driven.joints.iter().map(|joint| of_axes(&clip, joint)));
        let shape = |(mesh, visible): (MeshIndex, bool)| ShapePose { index: mesh.0, visible };
        Self {
            model: None,
            clips: vec![named.name],
            frame,
            joints,
            materials: driven.materials.into_iter().map(MaterialPose::of_values).collect(),
            shapes: driven.visible.into_iter().map(shape).collect(),
            morphs,
        }
    }
}

/// Returns the values of a joint with a separate track for each axis, in file space.
fn of_axes(clip: &Clip, values: &scene::JointValues) -> JointValues {
    let local = values.local;
    JointValues {
        index: values.joint.as_usize(),
        name: clip.joints.get(values.joint.as_usize()).cloned().unwrap_or_default(),
        scale: Some(tidy(local.scale.to_array())),
        rotation: Some(tidy(local.rotation.to_array())),
        euler_radians: Some(tidy(values.euler.to_array())),
        translation: Some(tidy(local.translation.to_array())),
        matrix: None,
        relative: false,
        driven: true,
        left_aside: Vec::new(),
    }
}

fn values(clip: &Clip, frame: f32, wrap: Option<f32>) -> (Vec<JointValues>, Vec<(String, f32)>) {
    let axes = FileAxes(clip.file_from_scene);
    let neutral = |(index, name): (usize, &String)| JointValues {
        index,
        name: name.clone(),
        scale: clip.tracks().is_empty().then_some([1.0; 3]),
        rotation: None,
        euler_radians: None,
        translation: None,
        matrix: None,
        relative: clip.tracks().get(index).is_some_and(|track| track.relative),
        driven: false,
        left_aside: Vec::new(),
    };
    let mut joints: Vec<JointValues> = clip.joints.iter().enumerate().map(neutral).collect();
    let mut morphs = Vec::new();
    for channel in &clip.channels {
        let sampler = &channel.sampler;
        let (joint, what) = match &channel.target {
            Target::MorphWeight(name) => {
                morphs.extend(sampler.scalar(frame, wrap).map(|weight| (name.clone(), weight + 0.0)));
                continue;
            }
            Target::VertexFrames { .. } => continue,
            Target::JointTranslation(joint) => (*joint, "translation"),
            Target::JointRotation(joint) => (*joint, "rotation"),
            Target::JointScale(joint) => (*joint, "scale"),
            Target::JointMatrix(joint) => (*joint, "matrix"),
            _ => continue,
        };
        let Some(values) = joints.get_mut(joint.as_usize()) else { continue };
        values.driven = true;
        match &channel.target {
            Target::JointTranslation(_) => {
                if let Some(value) = sampler.vec3(frame, wrap) {
                    values.translation = Some(tidy(axes.vector(value).to_array()));
                }
            }
            Target::JointRotation(_) => {
                if let Some(value) = sampler.rotation(frame, wrap) {
                    let stored = axes.stored_rotation(clip.key_rule, value);
                    values.rotation = Some(tidy(stored.to_array()));
                }
                let degrees = sampler.degrees(frame, wrap);
                values.euler_radians = degrees.map(|d| tidy((d * std::f32::consts::PI / 180.0).to_array()));
            }
            Target::JointMatrix(_) => {
                values.matrix = sampler.matrix(frame, wrap).map(|m| tidy(rows(&m)));
            }
            _ => {
                if let Some(value) = sampler.vec3(frame, wrap) {
                    values.scale = Some(tidy(axes.scale(value).to_array()));
                }
            }
        }
        if channel.muted {
            values.left_aside.push(what);
        }
    }
    joints.retain(|j| j.driven);
    (joints, morphs)
}

pub fn print(pose: &ClipPose) -> Result<(), Failure> {
    let mut out = stdout();
    for clip in &pose.clips {
        writeln!(out, "clip   {}", plain(clip))?;
    }
    writeln!(out, "frame  {}", pose.frame)?;
    if pose.joints.is_empty() {
        return print_others(pose, out);
    }
    let width = pose.joints.iter().map(|j| plain(&j.name).chars().count()).max().unwrap_or(0).max(4);
    writeln!(out, "{:>5} {:<width$} TRANSLATION; ROTATION x y z w; SCALE", "JOINT", "NAME")?;
    let list = |values: &[f32]| values.iter().map(|v| format!("{v:>11.5}")).collect::<String>();
    for joint in &pose.joints {
        let scale = joint.scale.filter(|scale| *scale != [1.0; 3]).map(|s| list(&s)).unwrap_or_default();
        let (name, index) = (plain(&joint.name), joint.index);
        let translation = joint.translation.map_or_else(|| "-".to_owned(), |t| list(&t));
        let rotation = joint.rotation.map_or_else(|| "-".to_owned(), |r| list(&r));
        if let Some(matrix) = &joint.matrix {
            writeln!(out, "{index:>5} {name:<width$} matrix:{}", list(matrix))?;
            continue;
        }
        writeln!(out, "{index:>5} {name:<width$} {translation} ;{rotation} ;{scale}")?;
    }
    print_others(pose, out)
}

fn print_others(pose: &ClipPose, mut out: impl io::Write) -> Result<(), Failure> {
    let list = |values: &[f32]| values.iter().map(|v| format!(" {v:.5}")).collect::<String>();
    for material in &pose.materials {
        writeln!(out, "material {}", plain(&material.name))?;
        for (slot, matrix) in &material.texture_matrices {
            writeln!(out, "  texture matrix {slot} ={}", list(matrix))?;
        }
        for (slot, texture) in &material.textures {
            writeln!(out, "  texture slot {slot} = texture {texture}")?;
        }
        for (name, color) in material.registers.iter().chain(&material.konst) {
            writeln!(out, "  {name} ={}", list(color))?;
        }
        if let Some(color) = &material.color {
            writeln!(out, "  colour ={}", list(color))?;
        }
    }
    for shape in &pose.shapes {
        writeln!(out, "shape {} is {}", shape.index, if shape.visible { "shown" } else { "hidden" })?;
    }
    for (name, weight) in &pose.morphs {
        writeln!(out, "morph {} = {weight}", plain(name))?;
    }
    Ok(out.flush()?)
}
