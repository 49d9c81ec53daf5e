//! Meshes that actors place in a level (formats/unreal.md §8.4, §9.4).

use super::{actor::Actor, faults::quietly, space, textures::Textures};
use crate::{
    formats::{
        LoadContext,
        unreal::{
            header::{Object, read_header},
            kind::kind_of,
            mesh,
            object::ObjectReader,
            package::{Found, Package},
            tables::ObjectRef,
        },
    },
    scene::{Image, MaterialKind, Mesh, Model},
};
use glam::{Affine3A, Mat3A, Vec3A};
use std::{collections::HashMap, sync::Arc};

/// Slots of an actor's own skins.
const SKINS: u32 = 8;

/// Where a mesh came from, and the pictures that an actor puts on it.
type Key = (usize, usize, Vec<(u32, usize)>);

/// Meshes of actors, each read once for every set of skins.
#[derive(Default)]
pub struct Meshes {
    known: HashMap<Key, Option<u32>>,
    read: HashMap<(usize, usize), Option<Arc<Model>>>,
    /// Bytes, about, of the copies with skins.
    copied: u64,
}

impl Meshes {
    /// The place in `models` of an actor's mesh with its skins. `None` where it has none that can be found and read.
    pub fn find(
        &mut self,
        actor: &Actor,
        models: &mut Vec<Arc<Model>>,
        textures: &mut Textures,
        cx: &mut LoadContext<'_>,
    ) -> Option<u32> {
        let found = actor.found("Mesh")?;
        let skins = skins(actor, textures, cx);
        let place = (Arc::as_ptr(&found.package) as usize, found.export);
        let key = (place.0, place.1, skins.iter().map(|(slot, image)| (*slot, Arc::as_ptr(image) as usize)).collect());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let plain = self.read.entry(place).or_insert_with(|| read(&found, textures, cx).map(Arc::new)).clone();
        let index = plain.map(|plain| {
            let size = plain.meshes.iter().map(copy_size).fold(0, u64::saturating_add);
            let total = self.copied.saturating_add(size);
            // Beyond what a document may decode to, meshes keep the skins of their own.
            let model = if skins.is_empty() || total > cx.limits.decoded_bytes {
                plain
            } else {
                self.copied = total;
                Arc::new(with_skins(&plain, &skins))
            };
            models.push(model);
            models.len().saturating_sub(1) as u32
        });
        self.known.insert(key, index);
        index
    }
}

/// The pictures that an actor puts on its mesh, by texture slot.
fn skins(actor: &Actor, textures: &mut Textures, cx: &mut LoadContext<'_>) -> Vec<(u32, Arc<Image>)> {
    let mut skins = Vec::new();
    for slot in 0..SKINS {
        let skin = actor.object_at("MultiSkins", slot).or_else(|| actor.object("Skin"));
        let image = skin.and_then(|(package, object)| {
            let texture = textures.find(&package, object, cx);
            texture.image.clone().filter(|_| texture.found)
        });
        skins.extend(image.map(|image| (slot, image)));
    }
    skins
}

/// What a copy of a mesh takes, about, in bytes.
fn copy_size(mesh: &Mesh) -> u64 {
    let levels = mesh.levels.iter().map(|level| level.indices.len()).fold(0, usize::saturating_add);
    let points = (mesh.points.len() as u64).saturating_mul(32);
    let vertices = (mesh.vertex_points.len() as u64).saturating_mul(32);
    let indices = (mesh.indices.len().saturating_add(levels) as u64).saturating_mul(6);
    points.saturating_add(vertices).saturating_add(indices)
}

/// Fills the slots that the mesh leaves to the actor.
fn with_skins(plain: &Model, skins: &[(u32, Arc<Image>)]) -> Model {
    let mut model = plain.clone();
    for (slot, image) in skins {
        let name = format!("Skin {slot}");
        let index = model.images.len() as u32;
        let mut used = false;
        for material in model.materials.iter_mut().filter(|material| material.name == name) {
            let MaterialKind::Basic(basic) = &mut material.kind else { continue };
            basic.image = Some(index);
            used = true;
        }
        if used {
            model.images.push(image.clone());
        }
    }
    model
}

/// What is wrong with a mesh is told where it is shown itself. Its textures are the level's, each there once.
fn read(found: &Found, textures: &mut Textures, cx: &LoadContext<'_>) -> Option<Model> {
    let (package, export) = (&found.package, found.export);
    let mut reader = ObjectReader::of_export(package, export);
    let header = read_header(&mut reader, export).ok()?;
    let object = Object { package, export, kind: kind_of(package, export), header };
    let mut find = |package: &Arc<Package>, texture: ObjectRef, cx: &mut LoadContext<'_>| {
        let texture = textures.skin(package, texture, cx)?;
        Some(mesh::Skin { name: texture.name.clone(), image: texture.image.clone() })
    };
    let mut model = quietly(cx, |cx| mesh::load_model(&object, &mut reader, &mut find, cx))?.ok()?;
    model.name = package.object_name(ObjectRef::export(export)).unwrap_or_default().to_owned();
    (!model.meshes.is_empty()).then_some(model)
}

/// Where an actor puts its mesh, in scene space on both sides; `None` when a number in it is not finite.
pub fn world_from_mesh(actor: &Actor, location: [f32; 3]) -> Option<Affine3A> {
    let swap = space::scene_from_unreal();
    let turn = swap * space::rotation(actor.rotation()) * swap;
    let pivot = actor.own.vector("PrePivot").unwrap_or_default();
    let world = Affine3A {
        matrix3: turn * Mat3A::from_diagonal(glam::Vec3::splat(actor.draw_scale())),
        translation: swap * (Vec3A::from(location) + Vec3A::from(pivot)),
    };
    world.is_finite().then_some(world)
}
