//! Display objects as entries of their own.

use super::{
    super::materials,
    palette::{Descriptor, Gpl},
    read::object_fields,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Content, Field, Role,
        claims::Claims,
        field_reader::FieldReader,
        structure::{Part, Structure},
    },
    scene::Material,
};
use std::any::Any;

/// Bytes of a display object.
const OBJECT_SIZE: u64 = 0x18;

impl Structure for Gpl {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, place): (usize, &Descriptor)| {
            let at = self.range.start.saturating_add(u64::from(place.object)).min(self.range.end);
            let can_show = self.shows.get(index) == Some(&true);
            Part {
                name: self.name(index),
                role: Role::Part,
                class: "Mesh",
                range: at..at.saturating_add(OBJECT_SIZE).min(self.range.end),
                content: if can_show { Content::Model } else { Content::None },
            }
        };
        self.places.iter().enumerate().map(part).chain(self.material_parts()).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        if let Some(material) = part.checked_sub(self.places.len()) {
            return self.material_fields(source, material);
        }
        let r = FieldReader::new(source, self.range.clone(), Endian::Big);
        object_fields(&r, self, part, &mut Claims::default()).into_iter().map(Field::mirrored).collect()
    }

    fn surface(&self, part: usize) -> Option<Material> {
        let material = part.checked_sub(self.places.len())?;
        self.drawn.get(material).map(|drawn| materials::surface(material, &drawn.state))
    }
}
