//! Models with their clips as glTF 2.0: binary, or as text with files beside.
//!
//! Everything a model has goes in: every influence of the skin, every clip with its own keys, morphs, sockets, all texture
//! coordinate sets, vertex colours, pictures as PNG, small ones larger ([`TextureSize`]).
//! Scene space is glTF space, so that no number is turned on the way unless another space is asked for ([`Output::space`]). The same
//! input gives the same bytes.

mod animation;
mod animation_writer;
mod base_color;
pub mod beside;
mod buffers;
mod container;
mod curve;
mod enlarged;
mod flip_book;
mod gradients;
mod lods;
mod map;
mod material;
mod material_animation;
mod mesh;
mod moments;
mod node_extension;
mod nodes;
mod options;
mod plain_skeleton;
mod pointers;
mod readable;
mod rig;
mod sampled;
mod sampler;
mod see_through;
mod skin;
mod space;
mod srgb;
mod terrain;
mod tev;
mod textures;
mod variant_mappings;
mod variants;

pub use beside::Beside;
pub use container::Glb;
pub use lods::CoarserModel;
pub use map::{map_glb, map_glb_with};
pub use options::Output;
pub use options::Room;
pub use options::{GlbOptions, LevelLights, Lods, OptionNames, TextureSize};
pub use rig::{BoundClip, ClipOrigin, ClipSource};
pub use terrain::{terrain_glb, terrain_glb_with};

use super::{ExportError, Note, NoteSubject, resolved_model};
use crate::scene::{Billboard, Frame, Model, Target, Transform};
use animation_writer::WrittenModel;
use buffers::Builder;
use glam::Affine3A;
use gltf_json as json;
use json::Index;
use mesh::FrameTargets;
use rig::{Driven, Rig};
use std::{borrow::Cow, collections::BTreeSet};

/// How far an axis of a joint may be from its place in bind pose before that is noted, as a share of its length.
const INEXACT: f32 = 1e-3;

/// Writes a model with clips as GLB.
///
/// A model without meshes becomes its skeleton with the clips; one without a skeleton a static mesh.
///
/// # Errors
/// When the file would be larger than `buffers::MAX_BYTES`, a picture cannot be encoded, or a joint is sheared in a way that no
/// nodes show.
pub fn glb(model: &Model, clips: &[BoundClip<'_>]) -> Result<Glb, ExportError> {
    glb_with(model, clips, &GlbOptions::default(), Room::all())
}

/// [`glb`] with clips that are loaded one after the other, in a file that has its bounds.
///
/// # Errors
/// As [`glb`], and when there is no room for the file.
pub fn glb_with<C: ClipSource + ?Sized>(
    model: &Model,
    clips: &C,
    options: &GlbOptions,
    output: impl Into<Output>,
) -> Result<Glb, ExportError> {
    glb_with_levels(model, &[], clips, options, output)
}

/// [`glb_with`] for a model whose coarser levels are models of their own, the finest first. They have no bones.
///
/// # Errors
/// As [`glb_with`].
pub fn glb_with_levels<C: ClipSource + ?Sized>(
    model: &Model,
    coarser: &[CoarserModel],
    clips: &C,
    options: &GlbOptions,
    output: impl Into<Output>,
) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(output);
    builder.texture_size = options.texture_size;
    let (worn, sets) = variants::worn(model, variants::sets_of(model, clips)?, options.wears_set);
    let model = worn.as_ref();
    let (gathered, coarser) = lods::gathered(model, coarser);
    let resolved = resolved_model::resolved(gathered.as_ref().unwrap_or(model));
    resolved.meshes.iter().filter_map(skin::note_of_sources).for_each(|note| builder.note(note));
    // Clips play on the model as it is, and are written for what it has become.
    let (named, played, model) = (model, gathered.as_ref().unwrap_or(model), resolved.as_ref());
    let played_frames = played_frames(model, clips)?;
    let rig = match &model.skeleton {
        Some(skeleton) => Rig::of(skeleton, &Driven::of(played, clips)?, options.plain_skeleton),
        None => Rig::default(),
    };
    let mut rest = Vec::new();
    rig.pose(&Frame::bind(played), &mut rig.axes(), &mut rest).map_err(|joint| {
        let name = rig.nodes.get(joint.as_usize()).map_or("", |node| &node.name);
        ExportError::Unsupported(format!(
            "the joint “{name}” (index {}) is sheared, which glTF does not support",
            joint.0
        ))
    })?;
    rest.iter_mut().for_each(|transform| *transform = nodes::usable(transform));
    let mut materials = material::write(&mut builder, model)?;
    variants::write(&mut builder, model, &sets, &mut materials)?;
    note_missing_textures(&mut builder, named);
    for mesh in model.meshes.iter().filter(|mesh| mesh.billboard != Billboard::None) {
        let text = format!("the mesh “{}” always faces the viewer, which glTF does not support", mesh.name);
        let several = "always face the viewer, which glTF does not support";
        builder.note(Note::on(NoteSubject::Mesh, &mesh.name, text, several));
    }
    let bind = options.bind_pose.then(|| played.skeleton.as_ref()?.world_from_joint_bind_pose()).flatten();
    let bind = bind.map(|worlds| placed(&mut builder, &rig, &worlds));
    let at_first = bind.as_ref().unwrap_or(&rest);
    let joints = nodes::write_joints(&mut builder, model, &rig, at_first);
    let mut roots = joints.roots.clone();
    let mut skin = None;
    if !joints.nodes.is_empty() {
        let needs_still = model.meshes.iter().any(skin::has_unmoved_point);
        skin = Some(skin::write(&mut builder, model, &joints, needs_still, &mut roots)?);
    }
    let mut mesh_nodes = Vec::new();
    let mut mesh_frames = Vec::new();
    for source in &model.meshes {
        let divided = gradients::divided(source, &materials);
        if matches!(divided, Cow::Owned(_)) {
            let why = "subdivided triangles, because other programs blend the colours between vertices in linear space";
            let text = format!("the mesh “{}” has {why}", source.name);
            builder.note(Note::on(NoteSubject::Mesh, &source.name, text, format!("have {why}")));
        }
        let source = divided.as_ref();
        let frames = FrameTargets::of(source, &played_frames);
        let levels = if options.lods == Lods::None { &[] } else { source.levels.as_slice() };
        let written = mesh::write_levels(&mut builder, source, levels, &materials, skin.as_ref(), &frames)?;
        mesh_frames.push(frames);
        let skin = skin.as_ref().filter(|_| source.skin.is_some()).map(|skin| skin.index);
        let nodes = lods::nodes(&mut builder, source, &written, skin);
        if nodes.is_none() {
            let text = format!("the mesh “{}” has no triangles and is omitted", source.name);
            let several = "have no triangles and are omitted";
            builder.note(Note::on(NoteSubject::Mesh, &source.name, text, several));
        }
        mesh_nodes.push(nodes);
    }
    for level in &coarser {
        lods::write_model(&mut builder, level, &materials, &mut mesh_nodes)?;
    }
    for nodes in mesh_nodes.iter().flatten() {
        roots.extend(lods::write(&mut builder, options.lods, nodes));
    }
    let written = WrittenModel {
        played,
        model,
        rig: &rig,
        rest: &rest,
        joints: &joints,
        mesh_nodes: &mesh_nodes,
        mesh_frames: &mesh_frames,
        materials: &materials,
        flip_books: &Default::default(),
        options,
    };
    let mut away = plain_skeleton::Away::of(played, &rig);
    for index in 0..clips.count() {
        let origin = clips.origin(index);
        clips.with(index, &mut |bound| {
            away.see(bound, options);
            animation::write(&mut builder, &written, bound, origin.as_ref())
        })?;
    }
    builder.notes.extend(away.note());
    sampled::write_rest_keys(&mut builder, &joints, &rest, at_first)?;
    let scene = json::Scene {
        extensions: None,
        extras: None,
        name: (!model.name.is_empty()).then(|| model.name.clone()),
        nodes: roots,
    };
    // A scene of nothing must not be there at all.
    if !scene.nodes.is_empty() {
        builder.root.scenes.push(scene);
        builder.root.scene = Some(Index::new(0));
    }
    builder.notes.extend(pointers::unplayed(&builder.pointers));
    container::finish(builder, options.names)
}

/// The nodes in bind pose, with a note on joints that they cannot show.
fn placed(builder: &mut Builder, rig: &Rig, worlds: &[Affine3A]) -> Vec<Transform> {
    let mut nodes = rig.placed(worlds);
    nodes.iter_mut().for_each(|transform| *transform = nodes::usable(transform));
    let is_near = |(found, wanted): (&Affine3A, &Affine3A)| {
        let size = wanted.matrix3.to_cols_array().into_iter().fold(0.0_f32, |size, entry| size.max(entry.abs()));
        found.matrix3.abs_diff_eq(wanted.matrix3, INEXACT * size)
    };
    let away = rig.worlds(&nodes).iter().zip(worlds).filter(|pair| !is_near(*pair)).count();
    if away > 0 {
        let joints = if away == 1 { "1 joint is".to_owned() } else { format!("{away} joints are") };
        builder
            .note(format!("{joints} sheared in the bind pose and approximated, because glTF does not support shear"));
    }
    nodes
}

/// Names the materials that are written without their texture.
fn note_missing_textures(builder: &mut Builder, model: &Model) {
    let missing = model.materials_without_texture();
    for index in missing {
        let name = model.materials.get(index.as_usize()).map_or("", |material| material.name.as_str());
        let texture = model.missing_textures.iter().find(|texture| texture.material == index);
        let (text, several) = match texture {
            Some(texture) => (texture.sentence(name), texture.predicate_of_several()),
            None => (format!("the material “{name}” has no texture"), "have no texture".to_owned()),
        };
        builder.note(Note::on(NoteSubject::Material, name, text, several));
    }
}

/// The frames of vertices that any of the clips shows; nothing is loaded for models without them.
fn played_frames<C: ClipSource + ?Sized>(model: &Model, clips: &C) -> Result<BTreeSet<u32>, ExportError> {
    let mut played = BTreeSet::new();
    let most = model.meshes.iter().filter_map(|mesh| Some(mesh.vertex_frames.as_ref()?.frame_count())).max();
    let Some(most) = most else { return Ok(played) };
    for index in 0..clips.count() {
        clips.with(index, &mut |bound| {
            let channels = bound.binding.channels().iter().filter_map(|c| bound.clip.channels.get(c.channel as usize));
            for channel in channels {
                if let Target::VertexFrames { first, count, .. } = &channel.target {
                    played.extend((*first).min(most)..first.saturating_add(*count).min(most));
                }
            }
            Ok(())
        })?;
    }
    Ok(played)
}
