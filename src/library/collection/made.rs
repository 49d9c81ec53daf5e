//! Catalogs for tests.

use super::{About, Catalog, CatalogBuilder, EntryRecord, ImportRecord, JointSet, Record};
use crate::formats::{Content, Role};
use std::{borrow::Cow, path::PathBuf};

/// A file of a made catalog.
pub struct Made {
    path: PathBuf,
    size: u64,
    digest: u64,
    record: Record<'static>,
}

/// A file that holds nothing yet.
pub fn file(path: &str, format: &str) -> Made {
    let made = Made { path: path.into(), size: 0, digest: 0, record: Record::default() };
    let mut made = made.entry("", "File", Role::File, Content::None);
    made.record.format = Cow::Owned(format.to_owned());
    made
}

impl Made {
    /// Adds an entry; its name is what follows the last slash of its path, or the last dot of one without.
    pub fn entry(mut self, path: &str, class: &str, role: Role, content: Content) -> Self {
        let class_at = self.record.classes.iter().position(|known| known == class).unwrap_or_else(|| {
            self.record.classes.push(Cow::Owned(class.to_owned()));
            self.record.classes.len() - 1
        });
        self.record.entries.push(EntryRecord {
            id: self.record.entries.len() as u32,
            path: Cow::Owned(path.to_owned()),
            name_start: path.rfind('/').or_else(|| path.rfind('.')).map_or(0, |at| at + 1) as u32,
            class: class_at as u32,
            role,
            content,
            size: 0,
            digest: 0,
            about: About::Nothing,
        });
        self
    }

    pub fn texture(self, path: &str, width: u32, height: u32) -> Self {
        self.entry(path, "Texture", Role::Texture, Content::Image).about(About::Picture { width, height })
    }

    pub fn model(self, path: &str, joints: &[&str]) -> Self {
        let (joints, joint_count) = (Some(joints).filter(|j| !j.is_empty()), joints.len() as u32);
        let mut made = self.entry(path, "SkeletalMesh", Role::Model, Content::Model);
        let joints = joints.map(|joints| made.joints(joints));
        made.about(About::Model { joints, joint_count, vertices: 100, triangles: 50 })
    }

    pub fn clip(self, path: &str, joints: &[&str], frames: u32) -> Self {
        let mut made = self.entry(path, "AnimInfo", Role::Clip, Content::Clip);
        let set = made.joints(joints);
        made.about(About::Clip { joints: Some(set), joint_count: joints.len() as u32, frames, rate_hz: 30.0 })
    }

    /// A clip that goes by place.
    pub fn counted_clip(self, path: &str, joint_count: u32) -> Self {
        let made = self.entry(path, "ANK1", Role::Clip, Content::Clip);
        made.about(About::Clip { joints: None, joint_count, frames: 10, rate_hz: 30.0 })
    }

    /// Adds a list of joints' names.
    pub fn joints(&mut self, names: &[&str]) -> JointSet {
        self.record.joint_sets.push(names.iter().map(|name| Cow::Owned((*name).to_owned())).collect());
        JointSet(self.record.joint_sets.len() as u32 - 1)
    }

    /// What is known of the entry that was added last.
    pub fn about(mut self, about: About) -> Self {
        self.record.entries.last_mut().unwrap().about = about;
        self
    }

    /// Size and digest of the entry that was added last; of the file, where that is the only one.
    pub fn bytes(mut self, size: u64, digest: u64) -> Self {
        if self.record.entries.len() == 1 {
            (self.size, self.digest) = (size, digest);
        }
        let last = self.record.entries.last_mut().unwrap();
        (last.size, last.digest) = (size, digest);
        self
    }

    /// What the file itself is.
    pub fn file_is(mut self, role: Role, content: Content) -> Self {
        if let Some(first) = self.record.entries.first_mut() {
            (first.role, first.content) = (role, content);
        }
        self
    }

    pub fn import(mut self, file: &str, path: &str, class: &str) -> Self {
        self.record.imports.push(ImportRecord {
            file: Cow::Owned(file.to_owned()),
            path: Cow::Owned(path.to_owned()),
            class: Cow::Owned(class.to_owned()),
            is_built_in: false,
        });
        self
    }

    /// The import that was added last needs no file.
    pub fn built_in(mut self) -> Self {
        self.record.imports.last_mut().unwrap().is_built_in = true;
        self
    }
}

pub fn catalog(files: impl IntoIterator<Item = Made>) -> Catalog {
    let mut builder = CatalogBuilder::default();
    for made in files {
        builder.add(made.path, made.size, None, made.digest, made.record);
    }
    builder.finish()
}
