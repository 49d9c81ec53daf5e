//! The models of what stands on a landscape, each once.

use crate::scene::{Image, Material, MaterialKind, Mesh, Model, Prop, PropBody, PropKind, Terrain};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Textures that are named.
const MAX_NAMED: usize = 10;

/// The finest levels of models, over one list of materials, without what is not to be seen.
pub struct Bodies {
    /// Materials and pictures of all of them; no meshes.
    pub materials: Model,
    pub list: Vec<Body>,
    /// Into the list, by type.
    of_kind: Vec<Option<usize>>,
}

/// The meshes of one model, on the materials of all.
pub struct Body {
    pub name: String,
    pub meshes: Vec<Mesh>,
}

impl Bodies {
    /// Those of types that some object has.
    pub fn of(terrain: &Terrain) -> Self {
        let used: HashSet<u32> = terrain.props.iter().map(|prop| prop.kind).collect();
        let mut bodies =
            Self { materials: Model::empty(&terrain.name), list: Vec::new(), of_kind: vec![None; terrain.kinds.len()] };
        let mut known: HashMap<*const PropBody, Option<usize>> = HashMap::new();
        let mut materials = SharedMaterials::default();
        for (index, kind) in (0..).zip(&terrain.kinds) {
            let Some(body) = kind.body.as_ref().filter(|_| used.contains(&index)) else { continue };
            let place = *known.entry(Arc::as_ptr(body)).or_insert_with(|| {
                let model = &body.levels.first()?.model;
                let meshes: Vec<Mesh> =
                    model.meshes.iter().map(|mesh| materials.mesh(&mut bodies.materials, model, mesh)).collect();
                let is_drawn = meshes.iter().any(|mesh| mesh.triangle_count() > 0);
                is_drawn.then(|| {
                    bodies.list.push(Body { name: model.name.clone(), meshes });
                    bodies.list.len() - 1
                })
            });
            bodies.of_kind[index as usize] = place;
        }
        bodies
    }

    /// Which model stands for the objects of a type; `None` for a box.
    pub fn index(&self, kind: u32) -> Option<usize> {
        self.of_kind.get(kind as usize).copied().flatten()
    }

    pub fn get(&self, kind: u32) -> Option<&Body> {
        self.list.get(self.index(kind)?)
    }

    /// One sentence about textures that the models name and that are in formats of the games.
    pub fn note(&self, notes: &mut Vec<String>) {
        let materials = self.materials.materials.iter().filter(|material| material.basic().image.is_none());
        let names: Vec<&str> = materials
            .map(|material| material.name.as_str())
            .filter(|name| name.contains('.') && !name.starts_with('#'))
            .collect();
        if names.is_empty() {
            return;
        }
        let named = names.iter().take(MAX_NAMED).map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ");
        let more = if names.len() > MAX_NAMED { " and others" } else { "" };
        notes.push(format!("textures of models are written as one colour each, as in the window: {named}{more}"));
    }
}

/// Where materials and pictures of models went.
#[derive(Default)]
struct SharedMaterials {
    images: HashMap<*const Image, u32>,
    /// By name.
    slots: HashMap<String, Vec<u32>>,
}

impl SharedMaterials {
    /// A mesh on the materials of `whole`, without its hidden surfaces.
    fn mesh(&mut self, whole: &mut Model, model: &Model, mesh: &Mesh) -> Mesh {
        let mut mesh = mesh.clone();
        mesh.surfaces.retain_mut(|surface| match model.materials.get(surface.material as usize) {
            Some(material) if material.basic().hidden => false,
            Some(material) => {
                surface.material = self.slot(whole, model, material);
                true
            }
            None => {
                surface.material = u32::MAX;
                true
            }
        });
        // Without surfaces all of it counts as one: there is nothing to draw when they were all hidden.
        if mesh.surfaces.is_empty() && !model.materials.is_empty() {
            mesh.indices.clear();
        }
        mesh
    }

    fn slot(&mut self, whole: &mut Model, model: &Model, material: &Material) -> u32 {
        let mut basic = material.basic();
        basic.image = basic.image.and_then(|image| model.images.get(image as usize)).map(|image| {
            *self.images.entry(Arc::as_ptr(image)).or_insert_with(|| {
                whole.images.push(image.clone());
                whole.images.len() as u32 - 1
            })
        });
        let material = Material { name: material.name.clone(), kind: MaterialKind::Basic(basic) };
        let slots = self.slots.entry(material.name.clone()).or_default();
        let same = |slot: &&u32| whole.materials.get(**slot as usize) == Some(&material);
        if let Some(known) = slots.iter().find(same) {
            return *known;
        }
        whole.materials.push(material);
        let slot = whole.materials.len() as u32 - 1;
        slots.push(slot);
        slot
    }
}

/// What an object is called: its own name, else its type's.
pub fn name_of<'a>(prop: &'a Prop, kind: &'a PropKind) -> &'a str {
    [prop.name.as_str(), kind.name.as_str()].into_iter().find(|name| !name.is_empty()).unwrap_or("object")
}
