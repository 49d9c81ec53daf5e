//! What applies to one material, out of all tables, for the inspector.

use super::{ABSENT, Kind, Mat3, MaterialEntry, records};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Children, Field, Value,
        field_reader::{FieldReader, enumerated},
    },
    scene::gx::names,
};
use std::borrow::Cow;

impl Mat3 {
    /// The material's entry and every record it names, in the order in which the chip works. All of them are bytes of the
    /// chunk's own fields, shown again.
    pub(super) fn material_fields(&self, source: &Source, material: usize) -> Vec<Field> {
        let Some(entry) = self.entry(material) else { return Vec::new() };
        let at = self.entry_range(material);
        let look = Look { mat3: self, source };
        let mut fields = vec![
            Field::new("Name", "string", Value::Text(self.name(material)), at.start, 0),
            Field::new("Entry", "u16", Value::UInt(self.remap.get(material).map_or(0, |e| u64::from(*e))), at.start, 0),
            Field::new("Mode", "u8", mode(entry.mode), at.start, 1),
        ];
        fields.extend(look.one(Kind::Cull, entry.cull, "CullMode"));
        fields.extend(look.colors(entry));
        fields.extend(look.channels(entry));
        fields.extend(look.list(Kind::Light, &entry.lights, "Lights", "Light"));
        fields.extend(look.texgens(entry));
        fields.extend(look.textures(entry));
        fields.extend(look.one(Kind::StageCount, entry.stage_count, "TevStageCount"));
        fields.extend(look.stages(entry, material));
        fields.extend(look.list(Kind::SwapTable, &entry.swap_tables, "SwapTables", "SwapTable"));
        fields.extend(look.indirect(material));
        fields.extend(look.one(Kind::AlphaCompare, entry.alpha_compare, "AlphaCompare"));
        fields.extend(look.one(Kind::Blend, entry.blend, "Blend"));
        fields.extend(look.one(Kind::ZMode, entry.z_mode, "ZMode"));
        fields.extend(look.one(Kind::ZBeforeTexture, entry.z_before_texture, "ZBeforeTexturing"));
        fields.extend(look.one(Kind::Dither, entry.dither, "Dither"));
        fields.extend(look.one(Kind::Fog, entry.fog, "Fog"));
        fields.extend(look.one(Kind::NbtScale, entry.nbt_scale, "NbtScale"));
        let mut r = FieldReader::new(source, at.clone(), Endian::Big).recording();
        if MaterialEntry::read(&mut r, self.version).is_ok() {
            let size = at.end.saturating_sub(at.start);
            fields.push(Field::group("EntryRecord", "MaterialInitData", at.start, size, r.into_fields()));
        }
        fields.into_iter().map(Field::mirrored).collect()
    }
}

fn mode(code: u8) -> Value {
    let name = match code {
        1 => Some("opaque"),
        2 => Some("alpha-tested"),
        4 => Some("translucent"),
        _ => None,
    };
    enumerated(code.into(), name)
}

/// Reads records of a chunk again.
struct Look<'a> {
    mat3: &'a Mat3,
    source: &'a Source,
}

impl Look<'_> {
    /// One record; `None` where it is absent.
    fn one(&self, kind: Kind, index: u16, label: impl Into<Cow<'static, str>>) -> Option<Field> {
        let place = self.mat3.places.get(kind);
        if index == ABSENT || usize::from(index) >= place.count {
            return None;
        }
        let stride = kind.stride();
        let at = place.offset.saturating_add(stride.saturating_mul(u64::from(index)));
        let mut r = FieldReader::new(self.source, at..at.saturating_add(stride), Endian::Big).recording();
        kind.read_record(&mut r).ok()?;
        let mut fields = r.into_fields();
        if fields.len() == 1
            && let Some(mut field) = fields.pop()
        {
            field.name = label.into();
            return Some(field);
        }
        Some(Field::group(label, kind.record(), at, stride, fields))
    }

    /// The records of slots that have one, in a group.
    fn list(&self, kind: Kind, indices: &[u16], group: &'static str, label: &str) -> Option<Field> {
        let slots = indices.iter().enumerate();
        around(group, slots.filter_map(|(slot, index)| self.one(kind, *index, format!("{label} {slot}"))).collect())
    }

    fn colors(&self, entry: &MaterialEntry) -> Vec<Field> {
        let lists = [
            self.list(Kind::MaterialColor, &entry.material_colors, "MaterialColors", "MaterialColor"),
            self.list(Kind::AmbientColor, &entry.ambient_colors, "AmbientColors", "AmbientColor"),
            self.list(Kind::TevColor, entry.tev_colors.get(..3).unwrap_or_default(), "TevRegisters", "C"),
            self.list(Kind::Konst, &entry.konst, "KonstColors", "K"),
        ];
        let mut fields: Vec<Field> = lists.into_iter().flatten().collect();
        // C0 and K0 are written as one word.
        for field in &mut fields {
            if let Children::Fields(inside) = &mut field.children {
                for color in inside.iter_mut().filter(|f| f.name.starts_with("C ") || f.name.starts_with("K ")) {
                    color.name = color.name.replace(' ', "").into();
                }
            }
        }
        fields
    }

    fn channels(&self, entry: &MaterialEntry) -> Option<Field> {
        let count = self.one(Kind::ChannelCount, entry.channel_count, "ChannelCount");
        let names = ["Color0", "Alpha0", "Color1", "Alpha1"];
        let controls = entry.channels.iter().zip(names);
        let controls = controls.filter_map(|(index, name)| self.one(Kind::Channel, *index, name));
        around("Channels", count.into_iter().chain(controls).collect())
    }

    fn texgens(&self, entry: &MaterialEntry) -> Vec<Field> {
        let count = self.one(Kind::TexGenCount, entry.texgen_count, "TexgenCount");
        let lists = [
            self.list(Kind::TexGen, &entry.texgens, "Texgens", "Texgen"),
            self.list(Kind::PostTexGen, &entry.post_texgens, "PostTexgens", "PostTexgen"),
            self.list(Kind::TextureMatrix, &entry.texture_matrices, "TextureMatrices", "TextureMatrix"),
            self.list(Kind::PostMatrix, &entry.post_matrices, "PostMatrices", "PostMatrix"),
        ];
        count.into_iter().chain(lists.into_iter().flatten()).collect()
    }

    fn textures(&self, entry: &MaterialEntry) -> Option<Field> {
        self.list(Kind::TextureNumber, &entry.textures, "Textures", "Map")
    }

    fn stages(&self, entry: &MaterialEntry, material: usize) -> Option<Field> {
        let count = self.mat3.stage_count(entry).min(entry.tev_stages.len());
        let at = self.mat3.entry_range(material).start;
        let of = |list: &[u16; 16], index: usize| list.get(index).copied().unwrap_or(ABSENT);
        // Where the selectors are in the entry.
        let selectors = if self.mat3.version == super::Version::Mat3 { 0x9C } else { 0x88 };
        let stages = (0..count).map(|index| {
            let mut fields = Vec::new();
            fields.extend(self.one(Kind::TevOrder, of(&entry.tev_orders, index), "Order"));
            fields.extend(self.one(Kind::SwapMode, of(&entry.swap_modes, index), "SwapMode"));
            let lists = [
                ("KonstColorSelector", entry.konst_color_selectors, 0_u64),
                ("KonstAlphaSelector", entry.konst_alpha_selectors, 16),
            ];
            for (name, list, start) in lists {
                let code = list.get(index).copied().unwrap_or(0xFF);
                let offset = at.saturating_add(selectors).saturating_add(start).saturating_add(index as u64);
                fields.push(Field::new(name, "u8", enumerated(code.into(), names::konst(code)), offset, 1));
            }
            fields.extend(self.one(Kind::TevStage, of(&entry.tev_stages, index), "Combiner"));
            span(format!("Stage {index}"), "TevStage", fields)
        });
        around("TevStages", stages.collect())
    }

    fn indirect(&self, material: usize) -> Option<Field> {
        self.mat3.indirect(material)?;
        let size = records::stride::INDIRECT;
        let at = self.mat3.indirect_offset.saturating_add(size.saturating_mul(material as u64));
        let mut r = FieldReader::new(self.source, at..at.saturating_add(size), Endian::Big).recording();
        records::indirect(&mut r).ok()?;
        Some(Field::group("Indirect", "IndirectInitData", at, size, r.into_fields()))
    }
}

/// A group of records that lie in different places; `None` for none.
fn around(name: &'static str, fields: Vec<Field>) -> Option<Field> {
    (!fields.is_empty()).then(|| span(name, "", fields))
}

/// A group that covers its records where nothing lies between them, and no bytes otherwise.
fn span(name: impl Into<Cow<'static, str>>, kind: &'static str, fields: Vec<Field>) -> Field {
    let start = fields.iter().map(|f| f.offset).min().unwrap_or(0);
    let end = fields.iter().map(|f| f.offset.saturating_add(f.size)).max().unwrap_or(start);
    let size = end.saturating_sub(start);
    let inside = fields.iter().fold(0_u64, |sum, f| sum.saturating_add(f.size));
    Field::group(name, kind, start, if size <= inside { size } else { 0 }, fields)
}
