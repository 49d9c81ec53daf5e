//! Display objects as entries of their own.

use super::{
    super::codes,
    claims::Claims,
    object::Reach,
    palette::{Gpl, object_fields},
    shape::{self, States},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Content, Field, LoadContext,
        field_reader::FieldReader,
        findings::Findings,
        structure::{Part, Structure},
    },
    scene::{BasicMaterial, Material, MaterialKind, Model},
};
use std::{any::Any, sync::Arc};

/// Bytes of a display object.
const OBJECT_SIZE: u64 = 0x18;

impl Structure for Gpl {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, place): (usize, &super::palette::Descriptor)| {
            let at = self.range.start.saturating_add(u64::from(place.object)).min(self.range.end);
            Part {
                name: self.name(index),
                class: "Mesh",
                range: at..at.saturating_add(OBJECT_SIZE).min(self.range.end),
                content: if self.objects.get(index).is_some_and(Option::is_some) {
                    Content::Model
                } else {
                    Content::None
                },
            }
        };
        self.places.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let r = FieldReader::new(source, self.range.clone(), Endian::Big);
        object_fields(&r, self, part, &mut Claims::default()).into_iter().map(Field::mirrored).collect()
    }

    fn load_part(
        &self,
        _: &Source,
        part: usize,
        _: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let mut states = States::default();
        let size = self.range.end.saturating_sub(self.range.start);
        let shape = shape::shape(self, part, None, &mut states, &mut Reach::of(size))?;
        let at = self.objects.get(part).and_then(Option::as_ref).map(|object| object.at);
        for fault in shape.faults {
            findings.add(&codes::BAD_LIST, at, fault);
        }
        let mut model = Model::empty(self.name(part));
        model.meshes.push(crate::scene::Mesh { name: self.name(part), ..shape.mesh });
        model.materials = plain_materials(states.list().len());
        Ok(Asset::Model(Arc::new(model)))
    }
}

/// Materials of nothing but light, one for each state.
pub fn plain_materials(count: usize) -> Vec<Material> {
    let material =
        |index| Material { name: format!("Material {index}"), kind: MaterialKind::Basic(BasicMaterial::default()) };
    (0..count.max(1)).map(material).collect()
}
