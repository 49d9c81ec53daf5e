//! A combined material as a function of what reaches a pixel, on the chip's own arithmetic and without lamps.

use super::samples::{SamplePoint, Samples};
use crate::scene::{
    Image, Model,
    gx::{
        AlphaCompare, Constants, CoordTransform, Light, LightRig, LitVertex, MaterialState, Pixel, TevMaterial,
        Texture, TexturedVertex, Wrap, channel_colors, coord_sizes, sample, shade_pixel, texture_coords,
    },
};
use glam::Vec3;
use std::sync::Arc;

/// What a texture coordinate depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordSource {
    /// It is the same everywhere.
    Fixed,
    /// An affine function of a set of texture coordinates (before it is divided).
    Uv(usize),
    /// Positions, normals or colours of vertices.
    Vertex,
}

/// A map that stages read at one coordinate.
#[derive(Clone, Copy, Debug)]
pub struct MapRead {
    /// Map slot in the evaluator's material.
    pub map: u8,
    /// Map slot in the file's material.
    pub slot: u8,
    /// `None` reads at (0, 0).
    pub coord: Option<u8>,
    pub source: CoordSource,
}

/// A material whose colour can be asked for anywhere.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// Every alpha passes; where a map is read at coordinates that depend on different things, each has a map slot of its own.
    material: TevMaterial,
    maps: [Option<Arc<Texture>>; 8],
    transforms: [CoordTransform; 10],
    lights: [Light; 8],
    pub constants: Constants,
    pub reads: Vec<MapRead>,
}

impl Evaluator {
    pub fn new(model: &Model, tev: &TevMaterial, samples: &Samples) -> Self {
        let state = MaterialState::of(tev);
        let view = samples.points.first().map(|point| point.vertex.view_from_point).unwrap_or_default();
        let mut out = Self {
            material: TevMaterial { alpha_compare: AlphaCompare::default(), ..tev.clone() },
            maps: tev.textures.map(|texture| model.textures.get(texture? as usize).cloned()),
            transforms: std::array::from_fn(|slot| CoordTransform::of_slot(tev, &state, slot as u8, &view)),
            lights: LightRig::new(&view, Vec3::ZERO, 1.0).lights(tev),
            constants: Constants::of(&state),
            reads: Vec::new(),
        };
        out.reads = out.found_reads(samples);
        out.separate();
        out
    }

    pub fn material(&self) -> &TevMaterial {
        &self.material
    }

    pub fn map(&self, map: u8) -> Option<&Texture> {
        self.maps.get(usize::from(map))?.as_deref()
    }

    /// What both channels hand over at a point, without lamps.
    pub fn raster(&self, constants: &Constants, point: &SamplePoint) -> [[u8; 4]; 2] {
        let vertex = LitVertex { position: Vec3::ZERO, normal: Vec3::ZERO, colors: point.colors };
        channel_colors(&self.material, &constants.material_colors, &self.lights, false, &vertex)
    }

    /// All texture coordinates of a vertex, whose colours are those of the channels.
    pub fn coords(&self, vertex: &TexturedVertex) -> [[f32; 3]; 8] {
        texture_coords(&self.material, &self.transforms, &self.lights, vertex)
    }

    /// The colour of a vertex, whose colours are those of the channels.
    pub fn shade(&self, constants: &Constants, vertex: &TexturedVertex) -> [u8; 4] {
        self.pixel(constants, vertex.colors, self.coords(vertex))
    }

    pub fn pixel(&self, constants: &Constants, colors: [[u8; 4]; 2], coords: [[f32; 3]; 8]) -> [u8; 4] {
        let maps = self.maps.each_ref().map(Option::as_deref);
        let pixel = Pixel { colors, coords, position: Vec3::ZERO };
        shade_pixel(&self.material, constants, &maps, None, &pixel).unwrap_or_default()
    }

    /// Texels that a coordinate of 1 stands for, by coordinate.
    pub fn sizes(&self) -> [[u32; 2]; 8] {
        coord_sizes(&self.material, |map| {
            let (width, height) = self.map(map).map_or((1, 1), Texture::size);
            [width, height]
        })
    }

    /// The texel that a read finds at such coordinates.
    pub fn texel(&self, read: &MapRead, coords: &[[f32; 3]; 8], sizes: &[[u32; 2]; 8]) -> [u8; 4] {
        let Some(texture) = self.map(read.map) else { return [255; 4] };
        let at = read.coord.map(usize::from).and_then(|coord| coords.get(coord).zip(sizes.get(coord)));
        let Some(([s, t, q], [width, height])) = at else { return sample(texture, [0.0; 2]) };
        let q = if *q == 0.0 { 1.0 } else { *q };
        sample(texture, [s / q * *width as f32, t / q * *height as f32])
    }

    /// Gives one colour to every map that is read at coordinates of this source, the mean of what is read there: the maps and their
    /// colours. Maps that are read elsewhere too, and could not be separated, stay.
    pub fn flatten(&mut self, source: CoordSource, points: &[SamplePoint]) -> Vec<(u8, [u8; 4])> {
        let sizes = self.sizes();
        let mut means = Vec::new();
        for read in self.reads.iter().filter(|read| read.source == source) {
            if self.reads.iter().all(|other| other.map != read.map || other.source == source) {
                let texels = points.iter().map(|p| (self.texel(read, &self.coords(&p.vertex), &sizes), p.weight));
                means.push((read.map, mean(texels)));
            }
        }
        for (map, color) in &means {
            self.fill(*map, *color);
        }
        means
    }

    /// Gives a map one colour.
    pub fn fill(&mut self, map: u8, color: [u8; 4]) {
        if let Some(map) = self.maps.get_mut(usize::from(map)).filter(|map| map.is_some()) {
            *map = Some(Arc::new(solid(color)));
        }
    }

    /// Every map with the coordinate that it is read at, each pair once, in the order of the stages.
    fn found_reads(&self, samples: &Samples) -> Vec<MapRead> {
        let stages = self.material.stages.iter().filter_map(|stage| Some((stage.texture?, stage.tex_coord)));
        let orders = self.material.indirect_orders.iter().map(|order| (order.texture, Some(order.tex_coord)));
        let mut reads: Vec<MapRead> = Vec::new();
        for (map, coord) in stages.chain(orders).filter(|(map, _)| *map < 8) {
            if !reads.iter().any(|read| (read.map, read.coord) == (map, coord)) {
                let source = coord.map_or(CoordSource::Fixed, |coord| self.source_of(coord, samples));
                reads.push(MapRead { map, slot: map, coord, source });
            }
        }
        reads
    }

    fn source_of(&self, coord: u8, samples: &Samples) -> CoordSource {
        let mut coord = usize::from(coord);
        loop {
            let Some(texgen) = self.material.texgens.get(coord).filter(|_| coord < 8) else {
                return CoordSource::Fixed;
            };
            match (texgen.kind, texgen.source) {
                (0 | 1, 0..=3) => return CoordSource::Vertex,
                (0 | 1, 4..=11) => {
                    let set = usize::from(texgen.source - 4);
                    let has_set = samples.uv_bounds.get(set).is_some_and(Option::is_some);
                    return if has_set { CoordSource::Uv(set) } else { CoordSource::Fixed };
                }
                (2..=9, source) => {
                    if samples.points.iter().any(|point| point.vertex.tangents.is_some()) {
                        return CoordSource::Vertex;
                    }
                    match usize::from(source).checked_sub(12).filter(|earlier| *earlier < coord) {
                        Some(earlier) => coord = earlier,
                        None => return CoordSource::Fixed,
                    }
                }
                (0 | 1, _) => return CoordSource::Fixed,
                (_, source) => {
                    let raster = |point: &SamplePoint| {
                        let [first, second] = self.raster(&self.constants, point);
                        if source == 19 { first } else { second }
                    };
                    let mut colors = samples.points.iter().map(raster);
                    let first = colors.next();
                    return if colors.all(|color| Some(color) == first) {
                        CoordSource::Fixed
                    } else {
                        CoordSource::Vertex
                    };
                }
            }
        }
    }

    /// Gives every read a map slot of its own where maps are read at coordinates that depend on different things, as far as
    /// there are slots.
    fn separate(&mut self) {
        let mixed =
            |read: &MapRead| self.reads.iter().any(|other| other.map == read.map && other.source != read.source);
        if self.reads.len() > 8 || !self.reads.iter().any(mixed) {
            return;
        }
        let maps = std::mem::take(&mut self.maps);
        let new_map = |reads: &[MapRead], map: u8, coord: Option<u8>| {
            reads.iter().position(|read| (read.slot, read.coord) == (map, coord)).map_or(map, |place| place as u8)
        };
        for stage in &mut self.material.stages {
            stage.texture = stage.texture.map(|map| new_map(&self.reads, map, stage.tex_coord));
        }
        for order in &mut self.material.indirect_orders {
            order.texture = new_map(&self.reads, order.texture, Some(order.tex_coord));
        }
        for (place, read) in (0_u8..).zip(&mut self.reads) {
            if let Some(map) = self.maps.get_mut(usize::from(place)) {
                map.clone_from(maps.get(usize::from(read.slot)).unwrap_or(&None));
            }
            read.map = place;
        }
    }
}

/// The weighted mean of colours; white of none.
pub fn mean(colors: impl Iterator<Item = ([u8; 4], f32)>) -> [u8; 4] {
    exact_mean(colors).map(|part| part.round() as u8)
}

/// As [`mean`], not rounded.
pub fn exact_mean(colors: impl Iterator<Item = ([u8; 4], f32)>) -> [f32; 4] {
    let (mut sum, mut total) = ([0.0_f64; 4], 0.0_f64);
    for (color, weight) in colors {
        total += f64::from(weight);
        for (sum, value) in sum.iter_mut().zip(color) {
            *sum += f64::from(value) * f64::from(weight);
        }
    }
    if total > 0.0 { sum.map(|sum| (sum / total) as f32) } else { [255.0; 4] }
}

/// A texture of one texel.
fn solid(color: [u8; 4]) -> Texture {
    let image = Image { name: String::new(), width: 1, height: 1, rgba: color.into(), stored_as: String::new() };
    Texture { mips: vec![Arc::new(image)], wrap_s: Wrap::Clamp, wrap_t: Wrap::Clamp, ..Texture::default() }
}
