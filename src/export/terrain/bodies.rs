//! The models of what stands on a landscape, each once.

use crate::export::Notes;
use crate::{
    export::gathering::SharedMaterials,
    scene::{Mesh, Model, Prop, PropBody, PropKind, Terrain},
};
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
    pub fn note(&self, notes: &mut Notes) {
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
        notes.push(format!("textures of models are exported as one colour each: {named}{more}"));
    }
}

/// What an object is called: its own name, else its type's.
pub fn name_of<'a>(prop: &'a Prop, kind: &'a PropKind) -> &'a str {
    [prop.name.as_str(), kind.name.as_str()].into_iter().find(|name| !name.is_empty()).unwrap_or("object")
}
