//! What is known of an entry besides its name.

use super::record::{self, About, JointSet};
use crate::{
    bytes::{Cancel, Limits},
    formats::{Asset, Content, Diagnostics, Document, Entry, EntryId, LoadContext, LoadOptions, NoFiles, Role, caught},
    scene::{JointAddressing, Sound, Text},
};
use std::{borrow::Cow, collections::HashMap};

/// A sound of more bytes is not decoded to learn how long it is.
const LARGEST_SOUND: u64 = 16 << 20;
/// A picture of more bytes is not decoded to learn its size, where no header tells.
const LARGEST_PICTURE: u64 = 64 << 20;
/// Joints of a model or clip whose names are kept.
const MAX_JOINTS: usize = 4096;

/// Learns of entries of one document.
pub struct Details<'a> {
    name: &'a str,
    document: &'a dyn Document,
    limits: &'a Limits,
    cancel: &'a Cancel,
    sets: HashMap<Vec<String>, u32>,
    names: Vec<Vec<Cow<'static, str>>>,
}

impl<'a> Details<'a> {
    pub fn new(name: &'a str, document: &'a dyn Document, limits: &'a Limits, cancel: &'a Cancel) -> Self {
        Self { name, document, limits, cancel, sets: HashMap::new(), names: Vec::new() }
    }

    /// The lists of joints' names that the answers speak of.
    pub fn joint_sets(self) -> Vec<Vec<Cow<'static, str>>> {
        self.names
    }

    /// The start of the SHA-1 of an entry's bytes; 0 where they cannot be read.
    pub fn digest(&self, entry: &Entry) -> u64 {
        self.document.bytes(entry.id).ok().and_then(|bytes| record::digest(&bytes).ok()).unwrap_or(0)
    }

    /// Returns the properties of an entry, and its text if it has one.
    pub fn of(&mut self, entry: &Entry) -> (About, Option<String>) {
        match (entry.role, entry.content) {
            (Role::Model | Role::Skeleton, Content::Model) => (self.model(entry.id), None),
            (Role::Clip | Role::SurfaceClip, Content::Clip) => (self.clip(entry.id), None),
            (Role::Texture, _) | (_, Content::Image) => (self.picture(entry), None),
            (_, Content::Sound) if entry.size <= LARGEST_SOUND => match self.load(entry.id) {
                Some(Asset::Sound(sound)) => (of_sound(&sound), None),
                _ => (About::Nothing, None),
            },
            // A class's text has its source, which is an entry of its own, and its disassembly.
            (Role::Script | Role::Text, Content::Text) => match self.load(entry.id) {
                Some(Asset::Text(text)) => of_text(&text),
                _ => (About::Nothing, None),
            },
            _ => (About::Nothing, None),
        }
    }

    fn load(&self, entry: EntryId) -> Option<Asset> {
        let options = LoadOptions { first_image_only: true, without_light: true, ..LoadOptions::default() };
        let mut diagnostics = Diagnostics::new(0);
        let mut cx = LoadContext {
            file: self.name,
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits: *self.limits,
            options,
            cancel: self.cancel,
        };
        caught(|| self.document.load(entry, &mut cx)).ok()?.ok()
    }

    fn model(&mut self, entry: EntryId) -> About {
        let Some(Asset::Model(model)) = self.load(entry) else { return About::Nothing };
        let joints = model.skeleton.iter().flat_map(|skeleton| skeleton.joints());
        let names = joints.map(|joint| joint.name.clone());
        About::Model {
            joints: self.set(names),
            joint_count: model.joint_count() as u32,
            vertices: model.meshes.iter().map(|mesh| mesh.points.len()).sum::<usize>() as u32,
            triangles: model.triangle_count() as u32,
        }
    }

    fn clip(&mut self, entry: EntryId) -> About {
        let Some(Asset::Clip(clip)) = self.load(entry) else { return About::Nothing };
        let by_name = clip.addressing == JointAddressing::ByName;
        let joints = if by_name { self.set(clip.joints.iter().cloned()) } else { None };
        let joint_count = clip.joints.len() as u32;
        About::Clip { joints, joint_count, frames: clip.frame_count, rate_hz: clip.rate_hz }
    }

    fn picture(&self, entry: &Entry) -> About {
        if let Some((width, height)) = self.document.ask(entry.id, |can, entry| can.facts?.picture_size(entry)) {
            return About::Picture { width, height };
        }
        if entry.content != Content::Image || entry.size > LARGEST_PICTURE {
            return About::Nothing;
        }
        let (width, height) = match self.load(entry.id) {
            Some(Asset::Image(image)) => (image.width, image.height),
            Some(Asset::Picture(picture)) => {
                match picture.forms.get(picture.preferred).and_then(|form| form.mips.first()) {
                    Some(image) => (image.width, image.height),
                    None => return About::Nothing,
                }
            }
            _ => return About::Nothing,
        };
        About::Picture { width, height }
    }

    fn set(&mut self, names: impl Iterator<Item = String>) -> Option<JointSet> {
        let names: Vec<String> = names.take(MAX_JOINTS).collect();
        if names.is_empty() {
            return None;
        }
        if let Some(known) = self.sets.get(&names) {
            return Some(JointSet(*known));
        }
        let number = self.names.len() as u32;
        self.names.push(names.iter().cloned().map(Cow::Owned).collect());
        self.sets.insert(names, number);
        Some(JointSet(number))
    }
}

fn of_sound(sound: &Sound) -> About {
    sound.pcm.as_ref().map_or(About::Nothing, |pcm| {
        let frames = pcm.samples.len() / usize::from(pcm.channels.max(1));
        About::Sound { duration_secs: frames as f32 / pcm.rate_hz.max(1) as f32 }
    })
}

fn of_text(text: &Text) -> (About, Option<String>) {
    let Some(first) = text.parts.first() else { return (About::Nothing, None) };
    let lines = first.text.lines().count() as u32;
    (About::Text { lines }, Some(first.text.clone()))
}
