//! The joints, materials and shapes that a clip drives at a moment, as `pose` prints them.
//!
//! Numbers are in the file's own space and in its own convention: a rotation is what the file's keys say. In an ActorX
//! animation that is the *conjugate* of the bone's rotation, as on every bone but the root; a model at hand decides
//! which of its bones is the root and reads that one's keys as they are, so `pose MODEL --clip …` is what states true
//! rotations.

use super::{
    Failure,
    output::{plain, stdout},
    posing::{ClockArgs, Moment, NamedClip, seek},
};
use crate::scene::{
    self, Binding, Clip, ClipValues, FileAxes, Frame, LoopMode, MaterialValues, MeshIndex, Model, Player, PoseOptions,
    Target, gx::MaterialState, skinning::rows,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    sync::Arc,
};

/// A material; of a model everything that can be animated, of a clip alone what it drives.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct MaterialPose {
    pub name: String,
    /// By slot; two rows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub texture_matrices: BTreeMap<u8, [f32; 6]>,
    /// By slot, into the model's textures.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub textures: BTreeMap<u8, u32>,
    /// C0 to C2.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub registers: BTreeMap<String, [f32; 4]>,
    /// K0 to K3.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub konst: BTreeMap<String, [f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<[f32; 4]>,
}

/// A mesh of the model, by its place.
#[derive(Debug, PartialEq, Serialize)]
pub struct ShapePose {
    pub index: u32,
    pub visible: bool,
}

impl MaterialPose {
    fn of_state(name: &str, state: Option<&MaterialState>) -> Self {
        let Some(state) = state else { return Self { name: name.to_owned(), ..Self::default() } };
        Self {
            name: name.to_owned(),
            texture_matrices: slots(&state.texture_srt).map(|(slot, m)| (slot, tidy(m))).collect(),
            textures: slots(&state.textures).collect(),
            registers: named("C", (0..).zip(state.registers)),
            konst: named("K", (0..).zip(state.konst)),
            color: state.material_colors.first().copied().map(tidy),
        }
    }

    /// The values of a material that a clip animates.
    pub fn of_values(values: MaterialValues) -> Self {
        Self {
            name: values.name,
            texture_matrices: values.texture_srt.into_iter().map(|(slot, m)| (slot, tidy(m))).collect(),
            textures: values.textures.into_iter().collect(),
            registers: named("C", values.registers),
            konst: named("K", values.konst),
            color: values.color.map(tidy),
        }
    }
}

fn slots<T: Copy>(slots: &[Option<T>]) -> impl Iterator<Item = (u8, T)> + '_ {
    (0_u8..).zip(slots).filter_map(|(slot, value)| Some((slot, (*value)?)))
}

fn named(letter: &str, colors: impl IntoIterator<Item = (u8, [f32; 4])>) -> BTreeMap<String, [f32; 4]> {
    colors.into_iter().map(|(index, color)| (format!("{letter}{index}"), tidy(color))).collect()
}

/// All materials of a model.
pub fn materials(model: &Model, frame: &Frame) -> Vec<MaterialPose> {
    let states = frame.materials.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    model.materials.iter().zip(states).map(|(material, state)| MaterialPose::of_state(&material.name, state)).collect()
}

/// Visibility of the meshes of a model with GX materials; empty for other models.
pub fn shapes(model: &Model, frame: &Frame) -> Vec<ShapePose> {
    if model.materials.iter().all(|m| m.tev().is_none()) {
        return Vec::new();
    }
    (0..).zip(&frame.visible).map(|(index, visible)| ShapePose { index, visible: *visible }).collect()
}

/// A number as JSON has it: no negative zero; what is not finite becomes `null`.
pub fn tidy<const N: usize>(values: [f32; N]) -> [f32; N] {
    values.map(|v| v + 0.0)
}

#[derive(Serialize)]
pub struct MorphWeight<'a> {
    pub name: &'a str,
    pub weight: f32,
}

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
