//! Display objects as entries of their own.

use super::{
    super::{codes, materials},
    claims::Claims,
    object::Reach,
    palette::{Gpl, object_fields},
    shape,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Content, Field, LoadContext,
        field_reader::FieldReader,
        findings::Findings,
        structure::{Part, Structure},
    },
    scene::{Material, Model},
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
        let states = self.drawn_states();
        states.list().get(material).map(|state| materials::surface(material, state))
    }

    fn load_part(
        &self,
        _: &Source,
        part: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let mut states = self.drawn_states();
        let size = self.range.end.saturating_sub(self.range.start);
        let shape = shape::shape(self, part, None, &mut states, &mut Reach::of(size))?;
        let at = self.objects.get(part).and_then(Option::as_ref).map(|object| object.at);
        for fault in shape.faults {
            findings.add(&codes::BAD_LIST, at, fault);
        }
        let mut model = Model::empty(self.name(part));
        model.meshes.push(crate::scene::Mesh { name: self.name(part), ..shape.mesh });
        (model.materials, model.textures, model.images) = materials::of(states.list(), None, cx, findings);
        Ok(Asset::Model(Arc::new(model)))
    }
}
