//! Roughly what things hold in memory, in bytes.

use super::{
    Image, LiveKind, Map, MapActor, MapItem, MapNode, MapSurface, MapValue, Mesh, Model, Prop, PropBody, Terrain,
};
use std::{collections::HashMap, sync::Arc};

/// Bytes of some things of a type.
fn of<T>(things: &[T]) -> u64 {
    things.len().saturating_mul(size_of::<T>()) as u64
}

/// Bytes of images, each once however often it comes.
fn of_images<'a>(images: impl Iterator<Item = &'a Arc<Image>>) -> u64 {
    let each: HashMap<*const Image, u64> = images.map(|image| (Arc::as_ptr(image), image.weight())).collect();
    each.values().sum()
}

impl Mesh {
    /// Bytes that the points, vertices, triangles, lines, morphs and vertex frames take.
    pub fn weight(&self) -> u64 {
        let morphs: u64 = self.morphs.iter().map(|morph| (morph.deltas.len() as u64).saturating_mul(28)).sum();
        let of_a_vertex = (self.uv_sets.len() as u64).saturating_mul(8).saturating_add(32);
        let vertices = (self.vertex_points.len() as u64).saturating_mul(of_a_vertex);
        let frames = self.vertex_frames.as_ref().map_or(0, |frames| frames.weight());
        let lists = [of(&self.indices), of(&self.triangle_sources), of(&self.vertex_zones), of(&self.lines)];
        let points = (self.points.len() as u64).saturating_mul(32);
        [morphs, vertices, frames, points].iter().chain(&lists).sum()
    }
}

impl Model {
    /// Bytes that the meshes and images take; an image that occurs several times counts once.
    pub fn weight(&self) -> u64 {
        self.weight_of_meshes().saturating_add(of_images(self.images.iter()))
    }

    fn weight_of_meshes(&self) -> u64 {
        self.meshes.iter().map(Mesh::weight).sum()
    }
}

impl PropBody {
    /// Without the images, which models share.
    pub fn weight(&self) -> u64 {
        self.levels.iter().map(|level| level.model.weight_of_meshes()).sum()
    }
}

impl Terrain {
    /// Bytes that the heights, props, models and images take; an image that occurs several times counts once.
    pub fn weight(&self) -> u64 {
        let bodies = || self.kinds.iter().filter_map(|kind| kind.body.as_ref());
        let pictures = self.pictures.iter().filter_map(|picture| picture.image.as_ref());
        let of_bodies = bodies().flat_map(|body| &body.levels).flat_map(|level| &level.model.images);
        let meshes: u64 = bodies().map(|body| body.weight()).sum();
        [meshes, of(&self.grid.heights), of::<Prop>(&self.props), of_images(pictures.chain(of_bodies))].iter().sum()
    }
}

impl Map {
    /// Bytes that the models, images, lists and actors take; an image that occurs several times counts once.
    pub fn weight(&self) -> u64 {
        let meshes: u64 = self.models.iter().map(|model| model.weight_of_meshes()).sum();
        let of_models = self.models.iter().flat_map(|model| &model.images).chain(&self.card.screenshot);
        let live = self.live.iter().flat_map(|live| match &live.kind {
            LiveKind::FlipBook(book) => book.frames.as_slice(),
            LiveKind::Computed(_) => std::slice::from_ref(&live.still),
        });
        let programs = self.live.iter().map(|live| match &live.kind {
            LiveKind::FlipBook(_) => 0,
            LiveKind::Computed(program) => program.weight(),
        });
        let surfaces = self.surfaces.iter().map(|surface| {
            [&surface.texture, &surface.texture_path, &surface.traits].iter().map(|text| text.len() as u64).sum::<u64>()
        });
        let lists = [
            of::<MapItem>(&self.items),
            of::<MapSurface>(&self.surfaces),
            of::<MapActor>(&self.actors),
            of::<MapNode>(&self.tree.nodes),
            of(&self.lights),
            of(&self.movers),
            of(&self.zones),
            of(&self.windows),
            of(&self.paths),
        ];
        let keys = self.movers.iter().map(|mover| of(&mover.keys));
        let parts = [meshes, of_images(of_models.chain(live))].into_iter().chain(lists).chain(programs);
        parts.chain(surfaces).chain(keys).chain(self.actors.iter().map(of_actor)).sum()
    }
}

/// What an actor says of itself.
fn of_actor(actor: &MapActor) -> u64 {
    let texts = [&actor.name, &actor.class, &actor.tag, &actor.event].map(|text| text.len() as u64);
    let properties = actor.properties.iter().map(|(name, value)| {
        let more = match value {
            MapValue::Numbers(numbers) => of(numbers),
            MapValue::Text(text) => text.len() as u64,
            MapValue::Bool(_) | MapValue::Int(_) | MapValue::Float(_) => 0,
        };
        (name.len() as u64).saturating_add(more)
    });
    texts.into_iter().chain(properties).chain([of(&actor.properties), of(&actor.next)]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{FlipBook, LivePicture, MapMover, MapPath, MoverKey};

    fn image(side: u32) -> Arc<Image> {
        let rgba = vec![0; (side * side * 4) as usize].into();
        Arc::new(Image { name: String::new(), width: side, height: side, rgba, stored_as: String::new() })
    }

    fn model(images: &[&Arc<Image>]) -> Arc<Model> {
        let images = images.iter().map(|image| (*image).clone()).collect();
        Arc::new(Model { images, ..Model::empty("walls") })
    }

    #[test]
    fn a_map_holds_its_pictures_once_and_all_that_moves() {
        let (wall, flag) = (image(100), image(50));
        let frames = vec![flag.clone(), image(50), image(50)];
        let live = LivePicture { still: flag.clone(), kind: LiveKind::FlipBook(FlipBook { frames, rate_hz: 8.0 }) };
        let mut map = Map { models: vec![model(&[&wall, &flag]), model(&[&wall])], ..Map::default() };
        assert_eq!(map.weight(), 40_000 + 10_000);
        map.live.push(live);
        assert_eq!(map.weight(), 40_000 + 30_000);
        map.tree.nodes = vec![MapNode::default(); 1_000];
        map.paths = vec![MapPath::default(); 10];
        map.movers = vec![MapMover { keys: vec![MoverKey::default(); 8], seconds: 1.0, ..MapMover::default() }];
        map.surfaces = vec![MapSurface { texture: "Wall".to_owned(), ..MapSurface::default() }];
        map.actors = vec![MapActor { name: "Door".to_owned(), ..MapActor::default() }];
        let lists = of(&map.tree.nodes) + of(&map.paths) + of(&map.movers) + of(&map.surfaces) + of(&map.actors);
        assert_eq!(map.weight(), 70_000 + lists + of(&map.movers[0].keys) + 8);
        assert!(of(&map.tree.nodes) >= 32_000);
    }

    #[test]
    fn a_mesh_holds_what_it_is_made_of() {
        let mesh =
            Mesh { indices: vec![0; 30], triangle_sources: vec![0; 10], vertex_zones: vec![0; 7], ..Mesh::default() };
        assert_eq!(mesh.weight(), 120 + 40 + 7);
    }
}
