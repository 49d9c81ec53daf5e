//! An animation of a file as it grows.

use super::{
    ClipOrigin, GlbOptions,
    buffers::{Bounds, Builder, Place},
    curve::Curve,
    flip_book::FlipBook,
    lods::MeshNodes,
    mesh::FrameTargets,
    moments,
    nodes::JointNodes,
    pointers::{self, Pointer, PointerChannel},
    rig::Rig,
    variant_mappings::WrittenMaterials,
};
use crate::{
    export::{ExportError, Note, NoteSubject},
    formats::file_name,
    scene::{Clip, ClipEnd, Model, TargetKind, Transform},
};
use glam::Vec4;
use gltf_json::{
    self as json, Index,
    animation::{self, Property},
    buffer::View,
    validation::Checked::Valid,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
};

/// A model in a file, which clips are written for.
#[derive(Clone, Copy)]
pub struct WrittenModel<'a> {
    /// As clips play on it.
    pub played: &'a Model,
    /// With every influence on a joint.
    pub model: &'a Model,
    pub rig: &'a Rig,
    /// The nodes of the rig in bind pose.
    pub rest: &'a [Transform],
    pub joints: &'a JointNodes,
    /// One for each mesh.
    pub mesh_nodes: &'a [Option<MeshNodes>],
    pub mesh_frames: &'a [FrameTargets],
    pub materials: &'a WrittenMaterials,
    /// By material, where a clip has asked; `None` for one that cannot have any.
    pub flip_books: &'a RefCell<BTreeMap<u32, Option<FlipBook>>>,
    pub options: &'a GlbOptions,
}

/// Why an animation may have no channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// The clip drives nothing of the model.
    Nothing,
    /// It shows the mesh, but nothing that differs from its rest.
    AtRest,
    /// A note has told already.
    Said,
}

/// An animation as it grows.
pub struct Writer<'a> {
    pub builder: &'a mut Builder,
    pub clip: &'a Clip,
    pub rate_hz: f32,
    /// Frames that a loop takes, when the last key leads back to the first.
    pub wrap: Option<f32>,
    pub view: Index<View>,
    /// Accessors of key times, by the bits of the times.
    inputs: HashMap<Vec<u32>, Index<json::Accessor>>,
    animation: json::Animation,
    pointers: Vec<(Index<animation::Sampler>, Pointer)>,
}

impl<'a> Writer<'a> {
    pub fn new(builder: &'a mut Builder, clip: &'a Clip, options: &GlbOptions) -> Self {
        let rate_hz = moments::rate_of(clip, options);
        if clip.usable_rate() != clip.rate_hz {
            let (name, said) = (&clip.name, clip.rate_hz);
            let text = format!(
                "the clip “{name}” has an invalid frame rate of {said}: exported with {rate_hz} frames per second"
            );
            builder.note(Note::on(NoteSubject::Clip, name, text, "have an invalid frame rate"));
        }
        let view = builder.open_view();
        Self {
            builder,
            clip,
            rate_hz,
            wrap: clip.blends_across_seam.then_some(clip.frame_count as f32),
            view,
            inputs: HashMap::new(),
            animation: json::Animation { name: Some(clip.name.clone()), ..empty_animation() },
            pointers: Vec::new(),
        }
    }

    pub fn rate_hz(&self) -> f32 {
        self.rate_hz
    }

    /// Adds a note on the clip; `several` is the predicate for several clips.
    pub fn note(&mut self, what: &str, several: &str) {
        let name = &self.clip.name;
        self.builder.note(Note::on(NoteSubject::Clip, name, format!("the clip “{name}”: {what}"), several));
    }

    pub fn check(&self, more: usize) -> Result<(), ExportError> {
        self.builder.check(more)
    }

    pub fn base_color_factor(&self, material: Index<json::Material>) -> [f32; 4] {
        let material = self.builder.root.materials.get(material.value());
        material.map_or([1.0; 4], |material| material.pbr_metallic_roughness.base_color_factor.0)
    }

    pub fn finish(mut self, empty: Empty, origin: Option<&ClipOrigin>) {
        self.builder.close_view(self.view);
        self.animation.extras = extras(self.clip, self.rate_hz, origin);
        if !self.animation.samplers.is_empty() {
            let (animation, first) = self.add();
            for (sampler, pointer) in self.pointers {
                let sampler = Index::new(first.saturating_add(sampler.value() as u32));
                self.builder.uses_extension(pointers::POINTER);
                pointer.extension().into_iter().for_each(|extension| self.builder.uses_extension(extension));
                self.builder.pointers.push(PointerChannel { animation, sampler, pointer });
            }
            return;
        }
        self.builder.root.buffer_views.pop();
        let name = &self.clip.name;
        match empty {
            Empty::Nothing => {
                let text = format!("the clip “{name}” does not move this model and is skipped");
                let several = "do not move this model and are skipped";
                self.builder.note(Note::on(NoteSubject::Clip, name, text, several));
            }
            Empty::AtRest => {
                let text = format!("the clip “{name}” contains only the rest pose and is skipped");
                let several = "contain only the rest pose and are skipped";
                self.builder.note(Note::on(NoteSubject::Clip, name, text, several));
            }
            Empty::Said => {}
        }
    }

    /// Adds the animation to the file, or to the one of the clips with the same stem that drive something else: `walk.bck` and
    /// `walk.btk` are one animation `walk`. Gives its number and that of the first sampler there.
    fn add(&mut self) -> (usize, u32) {
        let (kind, stem) = (self.clip.kind(), file_name::stem(&self.clip.name));
        let animation = std::mem::replace(&mut self.animation, empty_animation());
        let is_layer = |(known, kinds): &(String, Vec<TargetKind>)| *known == stem && !kinds.contains(&kind);
        let same = self.builder.clips.iter().position(is_layer).filter(|_| self.clip.joins_parts());
        let known =
            same.and_then(|at| Some((at, self.builder.clips.get_mut(at)?, self.builder.root.animations.get_mut(at)?)));
        let Some((at, (_, kinds), whole)) = known else {
            self.builder.clips.push((stem.to_owned(), vec![kind]));
            self.builder.root.animations.push(animation);
            return (self.builder.root.animations.len() - 1, 0);
        };
        kinds.push(kind);
        whole.name = Some(stem.to_owned());
        if kind == TargetKind::Joints {
            whole.extras = animation.extras;
        }
        let first = u32::try_from(whole.samplers.len()).unwrap_or(u32::MAX);
        whole.samplers.extend(animation.samplers);
        whole.channels.extend(animation.channels.into_iter().map(|channel| animation::Channel {
            sampler: Index::new(first.saturating_add(channel.sampler.value() as u32)),
            ..channel
        }));
        (at, first)
    }

    /// Keys of vectors of `N` numbers for what a pointer points to.
    pub fn numbers<const N: usize>(&mut self, pointer: Pointer, curve: &Curve) -> Result<(), ExportError> {
        let of = |value: &Vec4| std::array::from_fn(|part| value[part]);
        let values: Vec<[f32; N]> = curve.values.iter().map(of).collect();
        let output = self.builder.floats(&values, Place::Open(self.view), Bounds::No)?;
        self.point(pointer, curve, output)
    }

    /// Keys of what is or is not.
    pub fn flags(&mut self, pointer: Pointer, curve: &Curve) -> Result<(), ExportError> {
        let values: Vec<u8> = curve.values.iter().map(|value| u8::from(value.x >= 0.5)).collect();
        let output = self.builder.flags(&values, Place::Open(self.view))?;
        self.point(pointer, curve, output)
    }

    fn point(&mut self, pointer: Pointer, curve: &Curve, output: Index<json::Accessor>) -> Result<(), ExportError> {
        let input = self.times(&curve.times)?;
        let sampler = self.sampler(input, output, curve.interpolation);
        self.pointers.push((sampler, pointer));
        Ok(())
    }

    fn sampler(
        &mut self,
        input: Index<json::Accessor>,
        output: Index<json::Accessor>,
        interpolation: animation::Interpolation,
    ) -> Index<animation::Sampler> {
        let interpolation = Valid(interpolation);
        let sampler = animation::Sampler { extensions: None, extras: None, input, interpolation, output };
        Index::push(&mut self.animation.samplers, sampler)
    }

    /// Keys of a property of a node.
    pub fn curve(&mut self, node: Index<json::Node>, property: Property, curve: &Curve) -> Result<(), ExportError> {
        let place = Place::Open(self.view);
        let output = match property {
            Property::Rotation => {
                let values: Vec<[f32; 4]> = curve.values.iter().map(Vec4::to_array).collect();
                self.builder.floats(&values, place, Bounds::No)?
            }
            _ => {
                let values: Vec<[f32; 3]> = curve.values.iter().map(|value| value.truncate().to_array()).collect();
                self.builder.floats(&values, place, Bounds::No)?
            }
        };
        let input = self.times(&curve.times)?;
        self.push(node, property, input, output, curve.interpolation);
        Ok(())
    }

    /// A channel that a property of a node follows.
    pub fn push(
        &mut self,
        node: Index<json::Node>,
        path: Property,
        input: Index<json::Accessor>,
        output: Index<json::Accessor>,
        interpolation: animation::Interpolation,
    ) {
        let sampler = self.sampler(input, output, interpolation);
        let target = animation::Target { extensions: None, extras: None, node, path: Valid(path) };
        self.animation.channels.push(animation::Channel { sampler, target, extensions: None, extras: None });
    }

    /// Key times in seconds, ascending; channels with equal ones share them.
    pub fn times(&mut self, times: &[f32]) -> Result<Index<json::Accessor>, ExportError> {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.inputs.get(&key) {
            return Ok(*known);
        }
        let times: Vec<[f32; 1]> = times.iter().map(|time| [*time]).collect();
        let accessor = self.builder.floats(&times, Place::Open(self.view), Bounds::Yes)?;
        self.inputs.insert(key, accessor);
        Ok(accessor)
    }
}

fn empty_animation() -> json::Animation {
    json::Animation { extensions: None, extras: None, channels: Vec::new(), name: None, samplers: Vec::new() }
}

/// What an animation says of its clip: where it lies, and how long and how fast it plays.
fn extras(clip: &Clip, rate_hz: f32, origin: Option<&ClipOrigin>) -> json::Extras {
    let mut said = serde_json::Map::new();
    if let Some(origin) = origin {
        said.insert("file".to_owned(), origin.file.as_str().into());
        said.insert("entry".to_owned(), origin.entry.as_str().into());
    }
    // A loop leads from the last frame back to the first.
    let end = if clip.end == ClipEnd::LastFrame { clip.last_frame() } else { moments::played_frames(clip) };
    said.insert("frames".to_owned(), if end.is_finite() { end } else { 0.0 }.into());
    said.insert("rate_hz".to_owned(), rate_hz.into());
    json::extras::RawValue::from_string(serde_json::Value::Object(said).to_string()).ok()
}
