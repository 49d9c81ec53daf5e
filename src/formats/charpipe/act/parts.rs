//! Bones as entries of their own.

use super::{
    actor::{Act, Bone, name},
    control, read,
    user_data::{BONE_SIZE, HEADER_SIZE},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Content, Field, Role,
        field_reader::FieldReader,
        structure::{Part, Structure},
    },
};
use std::any::Any;

impl Structure for Act {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |bone: &Bone| Part {
            name: name(bone.id),
            role: Role::Bone,
            class: "Bone",
            range: bone.at..bone.at.saturating_add(BONE_SIZE),
            content: Content::None,
        };
        self.bones.iter().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some(bone) = self.bones.get(part) else { return Vec::new() };
        let mut r = FieldReader::new(source, 0..source.len() as u64, Endian::Big).recording();
        // Both were read once without a fault.
        if r.seek(bone.at).is_ok() {
            let _ = read::read_bone(&mut r, &self.ids);
        }
        let start = self.bones.first().map_or(0, |first| first.at.saturating_sub(HEADER_SIZE));
        if bone.control_offset != 0 && r.seek(start.saturating_add(u64::from(bone.control_offset))).is_ok() {
            let _ = r.group("Control", "Control", control::read);
        }
        r.into_fields().into_iter().map(Field::mirrored).collect()
    }
}
