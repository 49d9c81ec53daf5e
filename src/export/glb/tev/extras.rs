//! A combined material in full, as `extras.j3d` of its glTF material (CLI.md).

use super::plan::Plan;
use crate::{
    export::glb::base_color::{BaseColor, FactorSource},
    scene::{
        Model,
        gx::{Register, TevMaterial, TevStage, Wrap, names},
    },
};
use serde_json::{Value, json};

/// Characters of a name.
const MAX_NAME: usize = 128;

/// Everything that decides a pixel, by the chip's names; what has no name is its number. At most 16 stages, 8 textures, 8
/// generators and 10 matrices.
pub fn j3d(model: &Model, tev: &TevMaterial, plan: &Plan) -> Value {
    let name = |texture: Option<u32>| {
        let texture = model.textures.get(texture? as usize)?;
        Some(texture.name.chars().take(MAX_NAME).collect::<String>())
    };
    let textures: Vec<Value> = (0..8)
        .filter_map(|slot| {
            let index = tev.textures[slot];
            let texture = model.textures.get(index? as usize)?;
            let wrap = [texture.wrap_s, texture.wrap_t].map(|wrap| match wrap {
                Wrap::Clamp => "CLAMP",
                Wrap::Repeat => "REPEAT",
                Wrap::Mirror => "MIRROR",
            });
            Some(json!({ "slot": slot, "texture": index, "name": name(index), "wrap": wrap }))
        })
        .collect();
    let texgens = tev.texgens.iter().take(8).map(|texgen| {
        json!({
            "type": named(names::texgen_type, texgen.kind),
            "source": named(names::texgen_source, texgen.source),
            "matrix": named(names::texture_matrix, texgen.matrix),
        })
    });
    let matrices = (0..10).filter_map(|slot| {
        let matrix = tev.texture_matrices.get(slot).copied().flatten()?;
        Some(json!({
            "slot": slot,
            "mode": named(names::map_mode, matrix.map_mode.into()),
            "center": matrix.center.map(number),
            "scale": matrix.scale.map(number),
            "rotation": number(matrix.rotation),
            "translation": matrix.translation.map(number),
        }))
    });
    let channels = tev.channels.iter().take(usize::from(tev.channel_count.min(2)) * 2).map(|channel| {
        json!({
            "lit": channel.lit,
            "material": named(names::color_source, channel.material_from_vertex.into()),
            "ambient": named(names::color_source, channel.ambient_from_vertex.into()),
            "lights": channel.light_mask,
            "diffuse": named(names::diffuse, channel.diffuse.into()),
            "attenuation": named(names::attenuation, channel.attenuation.into()),
        })
    });
    let compare = tev.alpha_compare;
    let indirect = tev.indirect_orders.iter().take(4).map(|order| {
        json!({ "texCoord": order.tex_coord, "texture": order.texture, "scale": [order.scale_s, order.scale_t] })
    });
    json!({
        "baseColor": base_color(plan),
        "channels": channels.collect::<Value>(),
        "materialColors": tev.material_colors,
        "ambientColors": tev.ambient_colors,
        "texgens": texgens.collect::<Value>(),
        "textureMatrices": matrices.collect::<Value>(),
        "textures": textures,
        "registers": tev.registers,
        "konst": tev.konst,
        "swapTables": tev.swap_tables,
        "stages": tev.stages.iter().take(16).map(stage).collect::<Value>(),
        "indirect": indirect.collect::<Value>(),
        "alphaCompare": [
            named(names::compare, compare.compare0.into()),
            json!(compare.reference0),
            named(names::alpha_op, compare.op.into()),
            named(names::compare, compare.compare1.into()),
            json!(compare.reference1),
        ],
        "blend": {
            "type": named(names::blend_type, tev.blend.kind.into()),
            "source": named(names::source_factor, tev.blend.source.into()),
            "destination": named(names::destination_factor, tev.blend.destination.into()),
            "logic": named(names::logic_op, tev.blend.logic.into()),
        },
        "zMode": { "test": tev.z_mode.test, "compare": named(names::compare, tev.z_mode.compare.into()), "write": tev.z_mode.write },
        "cull": named(names::cull, tev.cull.into()),
        "translucent": tev.translucent,
    })
}

/// What of the material is in the base colour.
fn base_color(plan: &Plan) -> Value {
    let name = |source: &FactorSource| match source {
        FactorSource::Register(index) => format!("C{index}"),
        FactorSource::Konst(index) => format!("K{index}"),
        FactorSource::MaterialColor(index) => format!("MAT{index}"),
    };
    let names = |sources: &[FactorSource]| sources.iter().map(name).collect::<Value>();
    let factors = json!({ "color": names(&plan.sources.color), "alpha": names(&plan.sources.alpha) });
    match plan.base {
        BaseColor::Factor => json!({ "from": "color", "factors": factors }),
        BaseColor::Direct(direct) => json!({
            "from": "texture",
            "slot": direct.slot,
            "texgen": direct.texgen.map_or(json!("NULL"), |texgen| json!(texgen)),
            "textureMatrix": direct.matrix_slot.map_or(json!("IDENTITY"), |slot| json!(slot)),
            "factors": factors,
        }),
        BaseColor::Baked { .. } => json!({ "from": "picture" }),
    }
}

fn stage(stage: &TevStage) -> Value {
    let destination = |register: Register| named(names::register, u8::from(register) & 3);
    json!({
        "texCoord": stage.tex_coord.map_or(json!("NULL"), |coord| json!(coord)),
        "texture": stage.texture.map_or(json!("NULL"), |map| json!(map)),
        "raster": named(names::raster_channel, stage.channel),
        "swaps": { "raster": stage.raster_swap, "texture": stage.texture_swap },
        "konst": [named(names::konst, stage.konst_color), named(names::konst, stage.konst_alpha)],
        "color": {
            "inputs": stage.color.inputs.map(|input| named(names::color_input, input.into())),
            "op": named(names::combiner_op, stage.color.op.into()),
            "bias": named(names::combiner_bias, stage.color.bias.into()),
            "scale": named(names::combiner_scale, stage.color.scale.into()),
            "clamp": stage.color.clamp,
            "to": destination(stage.color.destination),
        },
        "alpha": {
            "inputs": stage.alpha.inputs.map(|input| named(names::alpha_input, input.into())),
            "op": named(names::combiner_op, stage.alpha.op.into()),
            "bias": named(names::combiner_bias, stage.alpha.bias.into()),
            "scale": named(names::combiner_scale, stage.alpha.scale.into()),
            "clamp": stage.alpha.clamp,
            "to": destination(stage.alpha.destination),
        },
    })
}

fn named(name: fn(u8) -> Option<&'static str>, code: u8) -> Value {
    name(code).filter(|name| !name.is_empty()).map_or(json!(code), |name| json!(name))
}

/// A number that JSON has: 0 for one that is not finite.
fn number(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
