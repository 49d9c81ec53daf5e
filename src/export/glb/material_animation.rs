//! Clips of materials and of what is seen, as far as glTF can say them with `KHR_animation_pointer`: whether meshes are seen, the
//! transform of a base colour's texture, and constants that are a factor of the base colour.

use super::{
    BoundClip, ClipOrigin,
    animation_writer::{Empty, Writer, WrittenModel},
    base_color::FactorSource,
    buffers::Builder,
    curve::Track,
    flip_book::FlipBook,
    lods::MeshNodes,
    moments::{self, LOOKS},
    pointers::{Pointer, TexturePart},
    srgb,
    variant_mappings::WrittenMaterial,
};
use crate::bytes::numbers::counted;
use crate::{
    export::ExportError,
    scene::{
        BoundTarget, Frame, Layer, MaterialIndex, MeshIndex, Target, evaluate, exact,
        gx::{MaterialState, TextureSrt},
    },
};
use glam::{Vec2, Vec4};
use gltf_json::{
    self as json, Index,
    material::{AlphaCutoff, AlphaMode},
    validation::Checked::Valid,
};
use std::collections::BTreeSet;

/// How far a texture matrix may be from a scale, a rotation and an offset.
const SKEWED: f32 = 1e-3;

/// Something that a clip changes of a material or a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Driven {
    Mesh(MeshIndex),
    /// A texture-matrix slot.
    Matrix(MaterialIndex, u8),
    /// A texture-map slot.
    Texture(MaterialIndex, u8),
    Constant(MaterialIndex, Constant),
}

/// [`FactorSource`], in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Constant {
    Register(u8),
    Konst(u8),
    MaterialColor(u8),
}

/// Writes a clip as an animation of what of it glTF can say; the rest is noted in one line.
pub fn write(
    builder: &mut Builder,
    written: &WrittenModel<'_>,
    bound: &BoundClip<'_>,
    origin: Option<&ClipOrigin>,
) -> Result<(), ExportError> {
    let materials = written.materials;
    let driven = driven(bound);
    let mut said = Vec::new();
    let mut unsaid = Vec::new();
    let (mut with_factor, mut of_lit) = (BTreeSet::new(), BTreeSet::new());
    for of_clip in driven {
        match of_clip {
            Driven::Mesh(mesh) => {
                // What has nothing to draw is not seen either way.
                let nodes = written.mesh_nodes.get(mesh.as_usize()).and_then(Option::as_ref);
                said.extend(nodes.into_iter().flat_map(MeshNodes::all).map(|node| Said::Visible(mesh, node)));
            }
            Driven::Matrix(material, slot) => match materials.get(material.0).map(|found| (found.base, found.index)) {
                Some((base, index)) if base.matrix_slot() == Some(slot) && keeps_its_texture(written, material) => {
                    said.push(Said::Matrix(material, slot, index));
                }
                _ => unsaid.push(of_clip),
            },
            Driven::Texture(material, slot) => match flip_book(builder, written, material, slot)? {
                Some(index) => said.push(Said::Flip(material, slot, index)),
                None => unsaid.push(of_clip),
            },
            Driven::Constant(material, constant) => match materials.get(material.0) {
                Some(found) if is_factor(found, constant) => {
                    if !may_change(builder, found) {
                        of_lit.insert(material);
                    } else if with_factor.insert(material) {
                        said.push(Said::Factor(material, found.index));
                    }
                }
                _ => unsaid.push(of_clip),
            },
        }
    }
    let mut writer = Writer::new(builder, bound.clip, written.options);
    let lost = write_said(&mut writer, written, bound, &said)?;
    if lost.skew {
        let several = "have skewed texture matrices, which are exported without the skew";
        writer.note("skewed texture matrices are exported without the skew", several);
    }
    if lost.textures {
        let several = "use textures that differ in size from the default textures, which are omitted";
        writer.note("textures that differ in size from the default textures are omitted", several);
    }
    if !of_lit.is_empty() {
        let names = names(written, of_lit.iter());
        let several = "change colours of lit materials with a texture or vertex colours, which are omitted because Blender 5.0 cannot \
                       open files with them";
        writer.note(&format!("colours of lit materials with a texture or vertex colours ({names}) are omitted: Blender 5.0 cannot open files with them"), several);
    }
    if !unsaid.is_empty() {
        let several =
            "change textures, texture matrices or colours in ways that glTF does not support, which are omitted";
        writer.note(&unsaid_of(written, &unsaid), several);
    }
    writer.finish(if unsaid.is_empty() && of_lit.is_empty() { Empty::Nothing } else { Empty::Said }, origin);
    Ok(())
}

/// Something that is written.
#[derive(Clone, Copy, Debug)]
enum Said {
    Visible(MeshIndex, Index<json::Node>),
    Matrix(MaterialIndex, u8, Index<json::Material>),
    Factor(MaterialIndex, Index<json::Material>),
    /// The pages of a flip-book.
    Flip(MaterialIndex, u8, Index<json::Material>),
}

/// What was met that cannot be written.
#[derive(Clone, Copy, Debug, Default)]
struct Lost {
    skew: bool,
    textures: bool,
}

/// Makes sure that a material has a flip-book of its textures, if it can have one, and says which material in the file it is.
fn flip_book(
    builder: &mut Builder,
    written: &WrittenModel<'_>,
    material: MaterialIndex,
    slot: u8,
) -> Result<Option<Index<json::Material>>, ExportError> {
    let Some(found) = written.materials.get(material.0) else { return Ok(None) };
    if let Some(known) = written.flip_books.borrow().get(&material.0) {
        return Ok(known.is_some().then_some(found.index));
    }
    let mut book = FlipBook::of(written.model, material.0, found, slot);
    if let Some(made) = &book {
        let rest = texture_at_rest(written, material, slot);
        if !rest.map_or(Ok(false), |rest| made.put(builder, written.model, found, rest))? {
            book = None;
        }
    }
    let index = book.is_some().then_some(found.index);
    written.flip_books.borrow_mut().insert(material.0, book);
    Ok(index)
}

/// Whether a material's texture is and stays what it is at rest: the transform of a flip-book shows its pages.
fn keeps_its_texture(written: &WrittenModel<'_>, material: MaterialIndex) -> bool {
    written.flip_books.borrow_mut().entry(material.0).or_insert(None).is_none()
}

fn texture_at_rest(written: &WrittenModel<'_>, material: MaterialIndex, slot: u8) -> Option<u32> {
    let tev = written.model.materials.get(material.as_usize())?.tev()?;
    tev.textures.get(usize::from(slot)).copied().flatten()
}

fn driven(bound: &BoundClip<'_>) -> BTreeSet<Driven> {
    let mut driven = BTreeSet::new();
    for channel in bound.binding.channels() {
        let Some(source) = bound.clip.channels.get(channel.channel as usize) else { continue };
        let of_clip = match (channel.target, &source.target) {
            (BoundTarget::Mesh(mesh), _) => Driven::Mesh(mesh),
            (BoundTarget::Material(material), Target::TextureSrt { group, .. }) => {
                let Some(group) = bound.clip.texture_groups.get(*group as usize) else { continue };
                Driven::Matrix(material, group.slot)
            }
            (BoundTarget::Material(material), Target::TextureSlot { slot, .. }) => Driven::Texture(material, *slot),
            (BoundTarget::Material(material), Target::Register { register, .. }) => {
                Driven::Constant(material, Constant::Register(*register))
            }
            (BoundTarget::Material(material), Target::Konst { konst, .. }) => {
                Driven::Constant(material, Constant::Konst(*konst))
            }
            (BoundTarget::Material(material), Target::MaterialColor { .. }) => {
                Driven::Constant(material, Constant::MaterialColor(0))
            }
            _ => continue,
        };
        driven.insert(of_clip);
    }
    driven
}

/// Whether the factor of a material's base colour may be animated. Blender's importer (5.0) ends at those of lit materials with a
/// texture or colours of vertices, and at those of unlit ones that are opaque. The latter get an alpha test that everything passes,
/// which looks the same.
fn may_change(builder: &mut Builder, written: &WrittenMaterial) -> bool {
    let Some(material) = builder.root.materials.get_mut(written.index.value()) else { return false };
    if material.extensions.as_ref().is_none_or(|extensions| extensions.unlit.is_none()) {
        let has_colors =
            written.vertex_colors.color.is_some() || written.vertex_colors.alpha.is_some() || written.front.is_some();
        return !has_colors && material.pbr_metallic_roughness.base_color_texture.is_none();
    }
    if material.alpha_mode == Valid(AlphaMode::Opaque) {
        material.alpha_mode = Valid(AlphaMode::Mask);
        material.alpha_cutoff = Some(AlphaCutoff(0.0));
    }
    true
}

fn is_factor(material: &WrittenMaterial, constant: Constant) -> bool {
    let source = match constant {
        Constant::Register(index) => FactorSource::Register(index),
        Constant::Konst(index) => FactorSource::Konst(index),
        Constant::MaterialColor(index) => FactorSource::MaterialColor(index),
    };
    material.factor.color.contains(&source) || material.factor.alpha.contains(&source)
}

/// What of a clip stays out, in words.
fn unsaid_of(written: &WrittenModel<'_>, unsaid: &[Driven]) -> String {
    let mut materials = BTreeSet::new();
    let (mut matrices, mut textures, mut constants) = (0_usize, 0_usize, 0_usize);
    for of_clip in unsaid {
        let (material, count) = match of_clip {
            Driven::Mesh(_) => continue,
            Driven::Matrix(material, _) => (material, &mut matrices),
            Driven::Texture(material, _) => (material, &mut textures),
            Driven::Constant(material, _) => (material, &mut constants),
        };
        *count += 1;
        materials.insert(*material);
    }
    let kinds = [(textures, "texture change"), (matrices, "texture matrix animation"), (constants, "colour animation")];
    let parts: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what)).collect();
    format!("{} ({}) omitted: not supported by glTF", parts.join(", "), names(written, materials.iter()))
}

/// Names of up to four materials.
fn names<'a>(written: &WrittenModel<'_>, materials: impl Iterator<Item = &'a MaterialIndex>) -> String {
    let name =
        |material: &MaterialIndex| written.model.materials.get(material.as_usize()).map(|found| found.name.as_str());
    materials.filter_map(name).collect::<BTreeSet<&str>>().into_iter().take(4).collect::<Vec<_>>().join(", ")
}

/// Works out the values at moments and writes them.
fn write_said(
    writer: &mut Writer<'_>,
    written: &WrittenModel<'_>,
    bound: &BoundClip<'_>,
    said: &[Said],
) -> Result<Lost, ExportError> {
    if said.is_empty() {
        return Ok(Lost::default());
    }
    let frames = moments::frames(bound.clip, said.len() * 3, written.options);
    writer.check(frames.len().saturating_mul(said.len()).saturating_mul(16))?;
    let mut pose = Frame::default();
    let mut lost = Lost::default();
    let books = written.flip_books.borrow();
    let mut angles = vec![0.0_f32; said.len()];
    let mut look = |moment: f32| -> Vec<[Vec4; 3]> {
        let layer = Layer { clip: bound.clip, binding: bound.binding, frame: moment, looping: false };
        evaluate(written.played, &[layer], &[], &mut pose);
        let state = |material: MaterialIndex| pose.materials.get(material.as_usize()).and_then(Option::as_ref);
        let of = |(said, angle): (&Said, &mut f32)| match *said {
            Said::Visible(mesh, _) => {
                let visible = pose.visible.get(mesh.as_usize()).copied().unwrap_or(true);
                [Vec4::splat(f32::from(u8::from(visible))), Vec4::ZERO, Vec4::ZERO]
            }
            Said::Matrix(material, slot, _) => {
                let srt = state(material).and_then(|state| state.texture_srt.get(usize::from(slot)).copied().flatten());
                let (parts, is_skewed) = parts(&srt.unwrap_or([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), *angle);
                lost.skew |= is_skewed;
                *angle = parts.1;
                [parts.0.extend(0.0).extend(0.0), Vec4::splat(parts.1), parts.2.extend(0.0).extend(0.0)]
            }
            Said::Factor(material, _) => {
                let rest = written.played.materials.get(material.as_usize()).and_then(|found| found.tev());
                let rest = rest.map(MaterialState::of);
                let factor = match (written.materials.get(material.0), state(material), rest) {
                    (Some(found), Some(state), Some(rest)) => {
                        factor(writer.base_color_factor(found.index), found, state, &rest)
                    }
                    _ => Vec4::ONE,
                };
                [factor, Vec4::ZERO, Vec4::ZERO]
            }
            Said::Flip(material, slot, _) => {
                let book = books.get(&material.0).and_then(Option::as_ref);
                let shown = state(material).and_then(|state| state.textures.get(usize::from(slot)).copied().flatten());
                let offset = book.zip(shown).and_then(|(book, texture)| book.offset(texture));
                lost.textures |= offset.is_none();
                let rest = || book?.offset(texture_at_rest(written, material, slot)?);
                let offset = offset.or_else(rest).unwrap_or_default();
                [offset.extend(0.0).extend(0.0), Vec4::ZERO, Vec4::ZERO]
            }
        };
        said.iter().zip(&mut angles).map(of).collect()
    };
    let mut ways: Vec<[Vec<[Vec4; 3]>; LOOKS]> = Vec::with_capacity(frames.len());
    for pair in frames.windows(2) {
        ways.push(moments::looks(pair[0], pair[1], false).map(&mut look));
    }
    let last = look(frames.last().copied().unwrap_or_default());
    for (at, said) in said.iter().enumerate() {
        let track = |part: usize| {
            let way = |way: &[Vec<[Vec4; 3]>; LOOKS]| std::array::from_fn(|look| way[look][at][part]);
            Track::vectors(ways.iter().map(way).collect(), last[at][part])
        };
        match *said {
            Said::Flip(_, _, material) => {
                let curve = track(0).stepped(&frames, writer.rate_hz());
                writer.numbers::<2>(Pointer::Texture(material, TexturePart::Offset), &curve)?;
            }
            Said::Visible(_, node) => {
                writer.flags(Pointer::Visible(node), &track(0).stepped(&frames, writer.rate_hz()))?
            }
            Said::Factor(_, material) => {
                writer.numbers::<4>(Pointer::Factor(material), &track(0).curve(&frames, writer.rate_hz()))?;
            }
            Said::Matrix(_, _, material) => {
                let rate_hz = writer.rate_hz();
                let curve = |part| track(part).curve(&frames, rate_hz);
                writer.numbers::<2>(Pointer::Texture(material, TexturePart::Offset), &curve(0))?;
                writer.numbers::<1>(Pointer::Texture(material, TexturePart::Rotation), &curve(1))?;
                writer.numbers::<2>(Pointer::Texture(material, TexturePart::Scale), &curve(2))?;
            }
        }
    }
    Ok(lost)
}

/// A texture matrix as offset, rotation and scale, applied from the last to the first, and whether it is anything else. The
/// rotation is the nearest to the one before.
fn parts(&[a, b, s, c, d, t]: &TextureSrt, before: f32) -> ((Vec2, f32, Vec2), bool) {
    let across = exact::hypot(a, c);
    // A positive angle turns u towards −v (KHR_texture_transform).
    let angle = if across > 1e-12 { exact::atan2(-c, a) } else { exact::atan2(b, d) };
    let turns = ((before - angle) / std::f32::consts::TAU).round();
    let angle = angle + turns * std::f32::consts::TAU;
    let (sin, cos) = exact::sin_cos(angle);
    let scale = Vec2::new(across, d * cos + b * sin);
    let away = (b - sin * scale.y).abs().max((d - cos * scale.y).abs());
    ((Vec2::new(s, t), angle, scale), away > SKEWED * scale.abs().max_element().max(1.0))
}

/// The factor of a base colour in a state: that at rest, times how much each constant that it follows has become.
fn factor(rest: [f32; 4], material: &WrittenMaterial, state: &MaterialState, at_rest: &MaterialState) -> Vec4 {
    let mut factor = Vec4::from(rest);
    let constant = |state: &MaterialState, source: &FactorSource| match source {
        FactorSource::Register(index) => state.registers.get(usize::from(*index)).copied(),
        FactorSource::Konst(index) => state.konst.get(usize::from(*index)).copied(),
        FactorSource::MaterialColor(index) => state.material_colors.get(usize::from(*index)).copied(),
    };
    for component in 0..4 {
        let sources = if component == 3 { &material.factor.alpha } else { &material.factor.color };
        if sources.is_empty() {
            continue;
        }
        let product = |state: &MaterialState| {
            let of = |source| constant(state, source).map_or(1.0, |color| (color[component] / 255.0).clamp(0.0, 1.0));
            sources.iter().map(of).product::<f32>()
        };
        let (now, then) = (product(state), product(at_rest));
        let shown = if component == 3 { factor[3] } else { srgb::gamma(factor[component]) };
        let shown = if then > 0.0 { (shown * now / then).clamp(0.0, 1.0) } else { now };
        factor[component] = if component == 3 { shown } else { srgb::linear(shown) };
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::glb::base_color::{BaseColor, FactorSources, VertexColors};

    /// What `KHR_texture_transform` says that its properties make of a coordinate.
    fn moved((offset, angle, scale): (Vec2, f32, Vec2), uv: Vec2) -> Vec2 {
        let (sin, cos) = angle.sin_cos();
        let scaled = uv * scale;
        offset + Vec2::new(cos * scaled.x + sin * scaled.y, -sin * scaled.x + cos * scaled.y)
    }

    #[test]
    fn texture_matrices_are_offset_rotation_and_scale() {
        for srt in [
            [1.0, 0.0, 0.25, 0.0, 1.0, -0.5],
            [0.0, 2.0, 0.0, -3.0, 0.0, 1.0],
            [0.6, -1.6, 0.1, 0.8, 1.2, 0.2],
            [2.0, 0.0, 0.0, 0.0, -1.0, 0.0],
            [0.0, 0.0, 0.5, 0.0, 1.0, 0.5],
        ] {
            let (found, is_skewed) = parts(&srt, 0.0);
            assert!(!is_skewed, "{srt:?}");
            let [a, b, s, c, d, t] = srt;
            for uv in [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::new(0.3, 0.7)] {
                let wanted = Vec2::new(a * uv.x + b * uv.y + s, c * uv.x + d * uv.y + t);
                assert!(moved(found, uv).abs_diff_eq(wanted, 1e-5), "{srt:?}: {found:?}");
            }
        }
        assert!(parts(&[1.0, 0.5, 0.0, 0.0, 1.0, 0.0], 0.0).1);
        // The angle goes on instead of coming back.
        assert!((parts(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 6.0).0.1 - std::f32::consts::TAU).abs() < 1e-5);
    }

    #[test]
    fn a_factor_follows_its_constants_in_gamma_space() {
        let material = WrittenMaterial {
            index: Index::new(0),
            base: BaseColor::Factor,
            factor: FactorSources { color: vec![FactorSource::Konst(1)], alpha: vec![FactorSource::Konst(1)] },
            vertex_colors: VertexColors::default(),
            front: None,
            inside_out: false,
        };
        let tev = crate::scene::gx::TevMaterial { konst: [[255, 255, 255, 200]; 4], ..Default::default() };
        let rest = MaterialState::of(&tev);
        let mut now = rest.clone();
        now.konst[1] = [128.0, 0.0, 255.0, 100.0];
        let found = factor([1.0, 1.0, 1.0, 0.5], &material, &now, &rest);
        // IEC 61966-2-1: 128 of 255 is 0.2158605 of linear light; alpha is linear already.
        let wanted = Vec4::new(0.215_860_5, 0.0, 1.0, 0.25);
        assert!(found.abs_diff_eq(wanted, 1e-5), "{found}");
    }
}
