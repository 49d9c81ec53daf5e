//! A material's entry: numbers of records in the chunk's tables (formats/j3d-materials.md §7.0a, §7.0b).

use super::tables::{Kind, Version};
use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader, enumerated},
};

/// One entry; several materials may share it. 0xFFFF stands for nothing, in fields of one byte too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialEntry {
    /// 1 opaque, 2 alpha-tested edge, 4 translucent.
    pub mode: u8,
    /// Index of the cull mode.
    pub cull: u16,
    /// Index of the number of colour channels.
    pub channel_count: u16,
    /// Index of the number of texture generators.
    pub texgen_count: u16,
    /// Index of the number of TEV stages.
    pub stage_count: u16,
    /// Index of the Z-compare location.
    pub z_before_texture: u16,
    /// Index of the Z mode.
    pub z_mode: u16,
    /// Index of the dither flag.
    pub dither: u16,
    /// Indices of material colours 0 and 1.
    pub material_colors: [u16; 2],
    /// Indices of the channel controls of colour 0, alpha 0, colour 1 and alpha 1.
    pub channels: [u16; 4],
    /// Indices of ambient colours 0 and 1; absent in MAT2.
    pub ambient_colors: [u16; 2],
    /// Indices of lights 0 to 7; absent in MAT2.
    pub lights: [u16; 8],
    /// Indices of texture generators 0 to 7.
    pub texgens: [u16; 8],
    /// Indices of post texture generators 0 to 7; the games ignore them (formats/j3d-materials.md §7.1d).
    pub post_texgens: [u16; 8],
    /// Indices of texture matrices 0 to 9; the games never load 8 and 9.
    pub texture_matrices: [u16; 10],
    /// Indices of post matrices 0 to 19; the games ignore them (formats/j3d-materials.md §7.1d).
    pub post_matrices: [u16; 20],
    /// Into the texture-number table.
    pub textures: [u16; 8],
    /// Indices of konst colours K0 to K3.
    pub konst: [u16; 4],
    /// The selectors themselves; 0xFF for none.
    pub konst_color_selectors: [u8; 16],
    /// The alpha selectors themselves; 0xFF for none.
    pub konst_alpha_selectors: [u8; 16],
    /// Index of the TEV order of each stage.
    pub tev_orders: [u16; 16],
    /// Indices of TEV colours C0, C1, C2 and an unused fourth.
    pub tev_colors: [u16; 4],
    /// Index of the combiners of each TEV stage.
    pub tev_stages: [u16; 16],
    /// Index of the swap mode of each TEV stage.
    pub swap_modes: [u16; 16],
    /// Indices of swap tables 0 to 3.
    pub swap_tables: [u16; 4],
    /// Index of the fog.
    pub fog: u16,
    /// Index of the alpha compare.
    pub alpha_compare: u16,
    /// Index of the blend mode.
    pub blend: u16,
    /// Index of the NBT scale.
    pub nbt_scale: u16,
}

/// No record.
pub const ABSENT: u16 = 0xFFFF;

fn index_u8(r: &mut FieldReader<'_>, name: &'static str) -> Result<u16, Fault> {
    let value = r.named_u8(name, |index| (index == 0xFF).then_some("none"))?;
    Ok(if value == 0xFF { ABSENT } else { value.into() })
}

fn index_u16(r: &mut FieldReader<'_>, name: &'static str) -> Result<u16, Fault> {
    r.named_u16(name, |index| (index == ABSENT).then_some("none"))
}

/// `N` numbers of which most are mostly absent: as text, one that is absent a dash.
fn indices<const N: usize>(r: &mut FieldReader<'_>, name: &'static str) -> Result<[u16; N], Fault> {
    let at = r.offset();
    let mut values = [ABSENT; N];
    for value in &mut values {
        *value = r.raw().u16()?;
    }
    r.record(name, format!("u16[{N}]"), at, || match values {
        _ if values.iter().all(|v| *v == ABSENT) => enumerated(-1, Some("none")),
        _ => Value::Ints(values.iter().map(|v| if *v == ABSENT { -1 } else { i64::from(*v) }).collect()),
    });
    Ok(values)
}

impl MaterialEntry {
    /// Reads one entry at the reader's position. MAT2 entries get absent ambient colours and lights.
    ///
    /// # Errors
    /// Returns an error if the data ends before the entry does.
    pub fn read(r: &mut FieldReader<'_>, version: Version) -> Result<Self, Fault> {
        let full = version == Version::Mat3;
        let mode = r.named_u8("Mode", |code| match code {
            1 => Some("opaque"),
            2 => Some("alpha-tested"),
            4 => Some("translucent"),
            _ => None,
        })?;
        let entry = Self {
            mode,
            cull: index_u8(r, "CullMode")?,
            channel_count: index_u8(r, "ChannelCount")?,
            texgen_count: index_u8(r, "TexgenCount")?,
            stage_count: index_u8(r, "TevStageCount")?,
            z_before_texture: index_u8(r, "ZCompareLocation")?,
            z_mode: index_u8(r, "ZMode")?,
            dither: index_u8(r, "Dither")?,
            material_colors: indices(r, "MaterialColors")?,
            channels: indices(r, "Channels")?,
            ambient_colors: if full { indices(r, "AmbientColors")? } else { [ABSENT; 2] },
            lights: if full { indices(r, "Lights")? } else { [ABSENT; 8] },
            texgens: indices(r, "Texgens")?,
            post_texgens: indices(r, "PostTexgens")?,
            texture_matrices: indices(r, "TextureMatrices")?,
            post_matrices: indices(r, "PostMatrices")?,
            textures: indices(r, "Textures")?,
            konst: indices(r, "KonstColors")?,
            konst_color_selectors: r.u8s("KonstColorSelectors")?,
            konst_alpha_selectors: r.u8s("KonstAlphaSelectors")?,
            tev_orders: indices(r, "TevOrders")?,
            tev_colors: indices(r, "TevColors")?,
            tev_stages: indices(r, "TevStages")?,
            swap_modes: indices(r, "SwapModes")?,
            swap_tables: indices(r, "SwapTables")?,
            fog: {
                r.bytes("Unused", "u16[12]", 24, Value::Raw)?;
                index_u16(r, "Fog")?
            },
            alpha_compare: index_u16(r, "AlphaCompare")?,
            blend: index_u16(r, "Blend")?,
            nbt_scale: index_u16(r, "NbtScale")?,
        };
        Ok(entry)
    }

    /// Every record that the entry names.
    pub fn references(&self, mut visit: impl FnMut(Kind, u16)) {
        let mut each = |kind: Kind, list: &[u16]| list.iter().filter(|i| **i != ABSENT).for_each(|i| visit(kind, *i));
        each(Kind::Cull, &[self.cull]);
        each(Kind::ChannelCount, &[self.channel_count]);
        each(Kind::TexGenCount, &[self.texgen_count]);
        each(Kind::StageCount, &[self.stage_count]);
        each(Kind::ZBeforeTexture, &[self.z_before_texture]);
        each(Kind::ZMode, &[self.z_mode]);
        each(Kind::Dither, &[self.dither]);
        each(Kind::MaterialColor, &self.material_colors);
        each(Kind::Channel, &self.channels);
        each(Kind::AmbientColor, &self.ambient_colors);
        each(Kind::Light, &self.lights);
        each(Kind::TexGen, &self.texgens);
        each(Kind::PostTexGen, &self.post_texgens);
        each(Kind::TextureMatrix, &self.texture_matrices);
        each(Kind::PostMatrix, &self.post_matrices);
        each(Kind::TextureNumber, &self.textures);
        each(Kind::Konst, &self.konst);
        each(Kind::TevOrder, &self.tev_orders);
        each(Kind::TevColor, &self.tev_colors);
        each(Kind::TevStage, &self.tev_stages);
        each(Kind::SwapMode, &self.swap_modes);
        each(Kind::SwapTable, &self.swap_tables);
        each(Kind::Fog, &[self.fog]);
        each(Kind::AlphaCompare, &[self.alpha_compare]);
        each(Kind::Blend, &[self.blend]);
        each(Kind::NbtScale, &[self.nbt_scale]);
    }
}
