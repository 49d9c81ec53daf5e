//! How a combined material is written: one of its textures as it is, one colour, or a picture of what it makes of them.

use super::{
    alpha::AlphaPlan,
    balance::{Difference, balance},
    evaluator::{CoordSource, Evaluator, mean},
    front::{self, Front},
    samples::{SamplePoint, Samples},
    tile::{Bake, Corners, Tile, UvTransform, divided},
    vertex_colors::{self, FoundColors},
};
use crate::{
    export::glb::{
        base_color::{BaseColor, DirectTexture, FactorSources, VertexColors},
        srgb,
    },
    scene::{
        Model,
        gx::{CullMode, SelectedMatrix, TevMaterial, Texture, TexturedVertex},
    },
};
use glam::{Affine2, Mat3, Vec2, Vec3};
use std::sync::Arc;

/// Places along each side of the coordinates in use that are looked at besides the points of meshes.
const GRID: usize = 20;
/// How far coordinates may be from an affine function of others, as a share of a texture.
const ALIKE: f32 = 1e-3;
/// A colour that changes by less from place to place is one colour.
const FLAT: f32 = 1.5;
/// How far a texture times a colour may be from what it stands for. The curve of sRGB is no pure power: products in linear light
/// are a little else than the chip's.
const PRODUCT: Difference = Difference { mean: 3.0, most: 12.0 };

/// A material as it is to be written.
pub struct Plan {
    pub base: BaseColor,
    pub picture: Picture,
    /// Colour and alpha that the picture is multiplied by, in gamma space, 0 to 1.
    pub factor: [f32; 4],
    pub sources: FactorSources,
    pub vertex_colors: VertexColors,
    /// Replaces the colours of vertices.
    pub front: Option<Arc<Front>>,
    pub alpha: AlphaPlan,
    /// Lamps shine on it.
    pub lit: bool,
    pub two_sided: bool,
    pub inside_out: bool,
    /// What is not written as it looks: clauses of one sentence.
    pub lost: Vec<Loss>,
}

/// Where the pixels of a plan come from.
pub enum Picture {
    None,
    /// A texture of the model, with its sampler and the transform of its coordinates.
    Texture {
        texture: Arc<Texture>,
        transform: UvTransform,
    },
    /// Materials that look the same share it.
    Bake(Arc<Bake>),
}

/// A material whose vertices' colours and whose textures on other coordinates have been seen to.
struct Surface<'a> {
    model: &'a Model,
    tev: &'a TevMaterial,
    evaluator: Evaluator,
    points: Vec<SamplePoint>,
    found: FoundColors,
    front: Option<Arc<Front>>,
    /// The one colour of a material that has a factor for each vertex.
    front_color: Option<[u8; 4]>,
    alpha: AlphaPlan,
    lost: Vec<Loss>,
}

/// `most`: texels of a side of a baked picture.
pub fn plan(model: &Model, tev: &TevMaterial, samples: &Samples, most: u32) -> Plan {
    let evaluator = Evaluator::new(model, tev, samples);
    let mut points = samples.points.clone();
    for point in &mut points {
        point.vertex.colors = evaluator.raster(&evaluator.constants, point);
    }
    let exact: Vec<[u8; 4]> = points.iter().map(|p| evaluator.shade(&evaluator.constants, &p.vertex)).collect();
    let alpha = AlphaPlan::of(tev, exact.iter().map(|[_, _, _, a]| *a));
    let found = vertex_colors::find(&evaluator, &points, &exact, alpha.counts());
    let own = points.clone();
    points.iter_mut().for_each(|point| point.vertex.colors = found.raster);
    let (front, front_color, lost) = (None, None, Vec::new());
    let mut surface = Surface { model, tev, evaluator, points, found, front, front_color, alpha, lost };
    if let Some(blend) = alpha.blend {
        let lost = format!("a blend mode that glTF does not support ({blend})");
        surface.lost.push(Loss::new(format!("it uses {lost}"), format!("use {lost}")));
    }
    let lit = surface.is_lit();
    surface.settle_vertices(&own, &exact);
    let main = surface.settle_sets();
    let (base, picture, factor) = surface.base(main.as_ref(), samples, most);
    let mut sources = match base {
        BaseColor::Baked { .. } => FactorSources::default(),
        BaseColor::Factor | BaseColor::Direct(_) => front::find(&surface.evaluator, &surface.points, &surface.found),
    };
    if !surface.alpha.counts() {
        sources.alpha.clear();
    }
    Plan {
        base,
        picture,
        factor,
        sources,
        vertex_colors: surface.found.colors,
        front: surface.front,
        alpha,
        lit,
        two_sided: tev.cull == CullMode::None,
        inside_out: tev.cull == CullMode::Front,
        lost: surface.lost,
    }
}

/// The predicate for several materials with textures on other coordinates than the main ones.
const OTHER_SET: &str = "have textures with different texture coordinates, which are exported as their average colour";

/// Colours of vertices that are in no file: `FoundColors::raster` has their mean.
const MEAN: [&str; 2] =
    ["its vertex colours are exported as their average", "have vertex colours that are exported as their average"];
/// A sum or what is cut off at white, for example.
const NEAR: [&str; 2] =
    ["its vertex colours are exported as factors", "are approximated: their vertex colours are exported as factors"];
/// How far a factor of each vertex may be from the look, as a share of how far the mean is.
const NEARER: f32 = 0.75;

/// A difference between a written material and its look.
pub struct Loss {
    /// A sentence about the one material.
    pub one: String,
    /// The predicate of a sentence about several.
    pub several: String,
}

impl Loss {
    fn new(one: impl Into<String>, several: impl Into<String>) -> Self {
        Self { one: one.into(), several: several.into() }
    }
}

/// The set of texture coordinates that a base colour is over.
struct MainSet {
    set: usize,
    /// Sets that are an affine function of it.
    followers: Vec<(usize, Affine2)>,
}

impl MainSet {
    fn sets(&self) -> Vec<usize> {
        std::iter::once(self.set).chain(self.followers.iter().map(|(set, _)| *set)).collect()
    }
}

impl Surface<'_> {
    fn shade(&self, vertex: &TexturedVertex) -> [u8; 4] {
        self.evaluator.shade(&self.evaluator.constants, vertex)
    }

    fn shades(&self, evaluator: &Evaluator) -> Vec<[u8; 4]> {
        self.points.iter().map(|p| evaluator.shade(&evaluator.constants, &p.vertex)).collect()
    }

    /// How many of the four components count.
    fn channels(&self) -> std::ops::Range<usize> {
        if self.alpha.counts() { 0..4 } else { 0..3 }
    }

    fn difference(&self, a: &[[u8; 4]], b: &[[u8; 4]]) -> Difference {
        let floats = |color: &[u8; 4]| color.map(f32::from);
        Difference::of(a.iter().zip(b).map(|(a, b)| (floats(a), floats(b))), self.channels())
    }

    /// The colour of a channel that lamps shade counts.
    fn is_lit(&self) -> bool {
        let lit = |channel: usize| {
            channel < usize::from(self.tev.channel_count)
                && self.tev.channels.get(channel * 2).is_some_and(|control| control.is_shaded())
        };
        (0..2).filter(|channel| lit(*channel)).any(|channel| {
            self.points.iter().any(|point| {
                let at = |value: u8| {
                    let mut vertex = point.vertex;
                    vertex.colors[channel][..3].fill(value);
                    self.shade(&vertex)
                };
                [at(0), at(128)].iter().any(|color| color[..3] != at(255)[..3])
            })
        })
    }

    /// Writes what differs from vertex to vertex as a factor of each vertex where that is nearer to the look, with its mean
    /// elsewhere. `own` are the points with the colours of their channels.
    fn settle_vertices(&mut self, own: &[SamplePoint], exact: &[[u8; 4]]) {
        let look = self.evaluator.clone();
        // Colours of vertices have become one colour.
        for read in &mut self.evaluator.reads {
            let texgen = read.coord.and_then(|coord| self.tev.texgens.get(usize::from(coord)));
            if read.source == CoordSource::Vertex && texgen.is_some_and(|texgen| texgen.kind > 9) {
                read.source = CoordSource::Fixed;
            }
        }
        let names = self.names(CoordSource::Vertex);
        let several = "have reflected or projected textures, which are exported as their average colour";
        let reflected = self.settle(CoordSource::Vertex, "is reflected or projected", several);
        let (is_mean, is_reflected) = (self.found.is_mean, reflected.is_some());
        if !is_mean && !is_reflected {
            return;
        }
        let flat = self.own_difference(own, exact).mean;
        let front = Front::find(self.model, &look, own, exact, &self.found, &self.alpha, self.channels());
        let Some(choice) = front.filter(|choice| choice.away.mean <= NEARER * flat) else {
            let [one, several] = MEAN;
            self.lost.extend(is_mean.then(|| Loss::new(one, several)));
            self.lost.extend(reflected);
            return;
        };
        if is_reflected {
            let one = format!("its texture {names} is reflected or projected: exported as seen from the front");
            let several = "have reflected or projected textures, which are exported as seen from the front";
            self.lost.push(Loss::new(one, several));
        } else if choice.away.mean > FLAT {
            let [one, several] = NEAR;
            self.lost.push(Loss::new(one, several));
        }
        (self.evaluator, self.found.raster, self.front_color) = (choice.evaluator, choice.raster, choice.color);
        self.found.colors = VertexColors { color: None, alpha: None, full: 255 };
        self.points.iter_mut().for_each(|point| point.vertex.colors = choice.raster);
        self.front = Some(Arc::new(choice.front));
    }

    /// The difference between the `exact` colours of points and what is written with the colours of vertices.
    fn own_difference(&self, own: &[SamplePoint], exact: &[[u8; 4]]) -> Difference {
        let shades = self.shades(&self.evaluator);
        let pairs = own.iter().zip(exact).zip(&shades).map(|((point, exact), shade)| {
            let factor = self.found.colors.factor(&point.vertex.colors);
            (std::array::from_fn(|part| f32::from(shade[part]) * factor[part]), exact.map(f32::from))
        });
        Difference::of(pairs, self.channels())
    }

    /// Gives what is read at coordinates of this source its mean colour. Returns the loss, if it is seen.
    fn settle(&mut self, source: CoordSource, why: &str, several: &str) -> Option<Loss> {
        let names = self.names(source);
        if names.is_empty() {
            return None;
        }
        let before = self.shades(&self.evaluator);
        let flat = self.evaluator.flatten(source, &self.points);
        balance(&mut self.evaluator, &self.points, &flat, &before);
        let is_seen = self.difference(&before, &self.shades(&self.evaluator)).mean > FLAT;
        is_seen.then(|| Loss::new(format!("its texture {names} {why}: exported as its average colour"), several))
    }

    fn names(&self, source: CoordSource) -> String {
        let name = |slot: u8| {
            let texture = self.tev.textures.get(usize::from(slot)).copied().flatten()?;
            Some(format!("“{}”", self.model.textures.get(texture as usize)?.name))
        };
        let mut names: Vec<String> = self
            .evaluator
            .reads
            .iter()
            .filter(|read| read.source == source)
            .filter_map(|read| name(read.slot))
            .collect();
        names.dedup();
        names.join(", ")
    }

    /// The set of texture coordinates without which most would change; textures on others get their mean colour.
    fn settle_sets(&mut self) -> Option<MainSet> {
        let mut sets: Vec<usize> = Vec::new();
        for read in &self.evaluator.reads {
            if let CoordSource::Uv(set) = read.source
                && !sets.contains(&set)
            {
                sets.push(set);
            }
        }
        sets.sort_unstable();
        let mut main = *sets.first()?;
        if sets.len() > 1 {
            let shades = self.shades(&self.evaluator);
            let mut most = 0.0;
            for set in &sets {
                let mut without = self.evaluator.clone();
                let _ = without.flatten(CoordSource::Uv(*set), &self.points);
                let lost = self.difference(&shades, &self.shades(&without)).mean;
                if lost > most {
                    (main, most) = (*set, lost);
                }
            }
        }
        let mut followers = Vec::new();
        for set in sets.into_iter().filter(|set| *set != main) {
            match self.affine(main, set) {
                Some(affine) => followers.push((set, affine)),
                None => {
                    let why = format!("uses different texture coordinates (UV set {set} instead of {main})");
                    let lost = self.settle(CoordSource::Uv(set), &why, OTHER_SET);
                    self.lost.extend(lost);
                }
            }
        }
        Some(MainSet { set: main, followers })
    }

    /// The function from one set of coordinates to another, where there is one: fitted by least squares.
    fn affine(&self, from: usize, to: usize) -> Option<Affine2> {
        let pairs = || self.points.iter().filter_map(|p| p.vertex.uvs[from].zip(p.vertex.uvs[to]));
        let (mut squares, mut products) = (Mat3::ZERO, [Vec3::ZERO; 2]);
        for (a, b) in pairs() {
            let a = a.extend(1.0);
            squares += Mat3::from_cols(a * a.x, a * a.y, a * a.z);
            products[0] += a * b.x;
            products[1] += a * b.y;
        }
        if squares.determinant().abs() < 1e-9 {
            return None;
        }
        let [u, v] = products.map(|product| squares.inverse() * product);
        let affine = Affine2::from_cols(Vec2::new(u.x, v.x), Vec2::new(u.y, v.y), Vec2::new(u.z, v.z));
        let fits = pairs().all(|(a, b)| (affine.transform_point2(a) - b).abs().max_element() <= ALIKE);
        (fits && affine.is_finite()).then_some(affine)
    }

    fn base(&mut self, main: Option<&MainSet>, samples: &Samples, most: u32) -> (BaseColor, Picture, [f32; 4]) {
        let Some(main) = main.filter(|_| !self.alpha.hidden) else {
            let shades = self.front_color.map_or_else(|| self.shades(&self.evaluator), |color| vec![color]);
            return self.one_color(&shades);
        };
        let vertex = |uv: Vec2| self.vertex_at(main, uv);
        let corners = [Vec2::ZERO, Vec2::X, Vec2::Y].map(|uv| self.evaluator.coords(&vertex(uv)));
        let bounds = samples.uv_bounds.get(main.set).copied().flatten().unwrap_or([Vec2::ZERO, Vec2::ONE]);
        let mut probes: Vec<TexturedVertex> = self.points.iter().map(|point| point.vertex).collect();
        probes.extend(grid(bounds).into_iter().chain(self.extremes(&corners, bounds)).map(vertex));
        let shades: Vec<[u8; 4]> = probes.iter().map(|vertex| self.shade(vertex)).collect();
        let flat = |component: usize| {
            let values = shades.iter().map(|color| f32::from(color[component]));
            let (low, high) = values.fold((255.0_f32, 0.0_f32), |(low, high), value| (low.min(value), high.max(value)));
            high - low <= FLAT
        };
        if self.channels().all(flat) {
            return self.one_color(&shades);
        }
        if self.alpha.keeps()
            && let Some(direct) = self.direct(main, &corners, &probes, &shades)
        {
            return direct;
        }
        if let Some(moving) = self.moving(main, &corners, most) {
            return moving;
        }
        let tile = Tile::of(&self.evaluator, &corners, &main.sets(), bounds, most);
        if let Some([width, height]) = tile.wanted {
            let [now_width, now_height] = tile.texels;
            let one = format!(
                "its baked image ({now_width} × {now_height}) has a lower resolution than its textures ({width} × {height})"
            );
            self.lost.push(Loss::new(one, "have baked images with a lower resolution than their textures"));
        }
        let transform = UvTransform::of_tile(&tile);
        if !(transform.offset.is_finite() && transform.scale.is_finite()) {
            return self.one_color(&shades);
        }
        let nearest = self.is_nearest(main);
        let (evaluator, raster, alpha) = (self.evaluator.clone(), self.found.raster, self.alpha);
        let bake = Bake { evaluator, raster, corners, tile, transform, alpha, nearest };
        (BaseColor::Baked { uv_set: main.set as u32, matrix_slot: None }, Picture::Bake(Arc::new(bake)), [1.0; 4])
    }

    /// The colours of a material with one texture as a picture that takes the texture's place, and moves with its matrix.
    fn moving(&self, main: &MainSet, corners: &Corners, most: u32) -> Option<(BaseColor, Picture, [f32; 4])> {
        let mut reads = self.evaluator.reads.iter().filter_map(|read| {
            let texture = self.evaluator.map(read.map).filter(|texture| texture.size() != (1, 1));
            matches!(read.source, CoordSource::Uv(_)).then_some(texture.zip(Some(read))?)
        });
        let (texture, read) = reads.next().filter(|(_, read)| read.source == CoordSource::Uv(main.set))?;
        let coord = read.coord?;
        let (matrix_slot, size) = (self.matrix_slot(coord)?, *self.evaluator.sizes().get(usize::from(coord))?);
        let texels = <[u32; 2]>::from(texture.size());
        if reads.next().is_some() || size != texels || texels[0].max(texels[1]) > most {
            return None;
        }
        let transform = transform_of(corners, usize::from(coord), &size, texture)?;
        let mut whole = *corners;
        for (corner, at) in whole.iter_mut().zip([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]) {
            corner[usize::from(coord)] = at;
        }
        let wrap = [texture.wrap_s, texture.wrap_t];
        let bake = Bake {
            evaluator: self.evaluator.clone(),
            raster: self.found.raster,
            corners: whole,
            tile: Tile { origin: Vec2::ZERO, size: Vec2::ONE, texels, wrap, wanted: None },
            transform,
            alpha: self.alpha,
            nearest: self.is_nearest(main),
        };
        let base = BaseColor::Baked { uv_set: main.set as u32, matrix_slot: Some(matrix_slot) };
        Some((base, Picture::Bake(Arc::new(bake)), [1.0; 4]))
    }

    /// The slot of the matrix that a coordinate goes through.
    fn matrix_slot(&self, coord: u8) -> Option<u8> {
        let texgen = self.tev.texgens.get(usize::from(coord))?;
        let slot = self.points.first().and_then(|p| p.vertex.slots.get(usize::from(coord)).copied()).unwrap_or(0xFF);
        match SelectedMatrix::of(texgen.matrix, slot) {
            SelectedMatrix::Slot(slot) => Some(slot),
            SelectedMatrix::Identity | SelectedMatrix::Position => None,
        }
    }

    fn one_color(&self, shades: &[[u8; 4]]) -> (BaseColor, Picture, [f32; 4]) {
        let weights = self.points.iter().map(|point| point.weight);
        let color = self.alpha.written(mean(shades.iter().copied().zip(weights)));
        (BaseColor::Factor, Picture::None, color.map(|value| f32::from(value) / 255.0))
    }

    /// A vertex at a place of the main set.
    fn vertex_at(&self, main: &MainSet, uv: Vec2) -> TexturedVertex {
        let mut vertex = self.points.first().map(|point| point.vertex).unwrap_or(TexturedVertex {
            position: Vec3::ZERO,
            normal: None,
            tangents: None,
            uvs: [None; 8],
            slots: [0xFF; 8],
            view_from_point: glam::Affine3A::IDENTITY,
            colors: self.found.raster,
        });
        vertex.uvs[main.set] = Some(uv);
        for (set, affine) in &main.followers {
            vertex.uvs[*set] = Some(affine.transform_point2(uv));
        }
        vertex
    }

    fn is_nearest(&self, main: &MainSet) -> bool {
        let sets = main.sets();
        let of_main = |source: CoordSource| sets.iter().any(|set| source == CoordSource::Uv(*set));
        let mut textures = self
            .evaluator
            .reads
            .iter()
            .filter(|read| of_main(read.source))
            .filter_map(|read| self.evaluator.map(read.map));
        textures.all(|texture| !texture.mag_filter.is_linear())
    }

    /// Where the coordinates in use read the darkest and the brightest texels of each texture: small details are there.
    fn extremes(&self, corners: &Corners, bounds: [Vec2; 2]) -> Vec<Vec2> {
        let sizes = self.evaluator.sizes();
        let mut places = Vec::new();
        for read in &self.evaluator.reads {
            let (CoordSource::Uv(_), Some(coord)) = (read.source, read.coord.map(usize::from)) else { continue };
            let (Some(texture), Some([width, height])) = (self.evaluator.map(read.map), sizes.get(coord)) else {
                continue;
            };
            let [zero, u, v] = corners.map(|corner| divided(corner.get(coord).copied().unwrap_or_default()));
            let coord_from_uv = Affine2::from_cols(u - zero, v - zero, zero);
            if coord_from_uv.matrix2.determinant().abs() < 1e-9 {
                continue;
            }
            let uv_from_coord = coord_from_uv.inverse();
            for texel in extreme_texels(texture) {
                let uv = uv_from_coord.transform_point2(texel / Vec2::new(*width as f32, *height as f32));
                // The same texel of another repetition.
                let uv = uv + (bounds[0] - uv).ceil().max(Vec2::ZERO);
                let uv = uv - (uv - bounds[1]).ceil().max(Vec2::ZERO);
                if uv.cmpge(bounds[0]).all() && uv.cmple(bounds[1]).all() {
                    places.push(uv);
                }
            }
        }
        places
    }

    /// The texture that, times a colour, is what the material looks like.
    fn direct(
        &self,
        main: &MainSet,
        corners: &Corners,
        probes: &[TexturedVertex],
        shades: &[[u8; 4]],
    ) -> Option<(BaseColor, Picture, [f32; 4])> {
        let sizes = self.evaluator.sizes();
        let coords: Vec<[[f32; 3]; 8]> = probes.iter().map(|vertex| self.evaluator.coords(vertex)).collect();
        self.evaluator.reads.iter().filter(|read| read.source == CoordSource::Uv(main.set)).find_map(|read| {
            let coord = read.coord?;
            let texture = self.evaluator.map(read.map)?;
            let transform = transform_of(corners, usize::from(coord), sizes.get(usize::from(coord))?, texture)?;
            let texels: Vec<[u8; 4]> = coords.iter().map(|at| self.evaluator.texel(read, at, &sizes)).collect();
            let factor = factor_between(&texels, shades, self.channels())?;
            let matrix_slot = self.matrix_slot(coord);
            let direct = DirectTexture { slot: read.slot, texgen: Some(coord), matrix_slot, uv_set: main.set as u32 };
            let texture = self.tev.textures.get(usize::from(read.slot)).copied().flatten()?;
            let texture = self.model.textures.get(texture as usize)?.clone();
            Some((BaseColor::Direct(direct), Picture::Texture { texture, transform }, factor))
        })
    }
}

/// Places evenly over the coordinates in use.
fn grid([low, high]: [Vec2; 2]) -> Vec<Vec2> {
    let along = |step: usize| (step as f32 + 0.5) / GRID as f32;
    (0..GRID * GRID).map(|n| low + (high - low) * Vec2::new(along(n % GRID), along(n / GRID))).collect()
}

/// The middles of the texels with the least and the greatest red, green, blue and alpha.
fn extreme_texels(texture: &Texture) -> Vec<Vec2> {
    let Some(image) = texture.mips.first().filter(|image| image.width > 0) else { return Vec::new() };
    let mut found: [(usize, [u8; 4]); 8] = [(0, image.rgba.first_chunk().copied().unwrap_or([0; 4])); 8];
    for (place, texel) in image.rgba.as_chunks::<4>().0.iter().enumerate() {
        for component in 0..4 {
            if texel[component] < found[component].1[component] {
                found[component] = (place, *texel);
            }
            if texel[component] > found[component + 4].1[component] {
                found[component + 4] = (place, *texel);
            }
        }
    }
    let width = image.width as usize;
    found.iter().map(|(place, _)| Vec2::new((place % width) as f32, (place / width) as f32) + 0.5).collect()
}

/// What the coordinates of the main set go through before a texture is read, as far as `KHR_texture_transform` can say it. Never
/// a rotation: readers disagree about its direction.
fn transform_of(corners: &Corners, coord: usize, size: &[u32; 2], texture: &Texture) -> Option<UvTransform> {
    let at = corners.map(|corner| corner.get(coord).copied().unwrap_or_default());
    let [[_, _, q], ..] = at;
    if at.iter().any(|[_, _, other]| *other != q) {
        return None;
    }
    let [zero, u, v] = at.map(divided);
    let (width, height) = texture.size();
    // A coordinate has the texels of the last texture that is read with it.
    let share = Vec2::new(size[0] as f32 / width as f32, size[1] as f32 / height as f32);
    let (along_u, along_v, offset) = ((u - zero) * share, (v - zero) * share, zero * share);
    let tidy = |value: f32, to: f32| if (value - to).abs() < 1e-5 { to } else { value };
    if tidy(along_u.y, 0.0) != 0.0 || tidy(along_v.x, 0.0) != 0.0 {
        return None;
    }
    let scale = Vec2::new(tidy(along_u.x, 1.0), tidy(along_v.y, 1.0));
    let offset = Vec2::new(tidy(offset.x, 0.0), tidy(offset.y, 0.0));
    let usable = scale.is_finite() && offset.is_finite() && scale.x != 0.0 && scale.y != 0.0;
    usable.then_some(UvTransform { offset, scale })
}

/// The colour that texels have to be multiplied by, as glTF multiplies, to become these colours: fitted by least squares in linear
/// light. `None` where they are not a product, as far as one would see.
fn factor_between(texels: &[[u8; 4]], colors: &[[u8; 4]], channels: std::ops::Range<usize>) -> Option<[f32; 4]> {
    let linear = |color: &[u8; 4]| -> [f32; 4] {
        let [r, g, b, a] = color.map(|value| f32::from(value) / 255.0);
        [srgb::linear(r), srgb::linear(g), srgb::linear(b), a]
    };
    let pairs: Vec<([f32; 4], [f32; 4])> = texels.iter().map(linear).zip(colors.iter().map(linear)).collect();
    let mut factor = [1.0_f32; 4];
    for component in channels.clone() {
        let (mut products, mut squares) = (0.0, 0.0);
        for (texel, color) in &pairs {
            products += texel[component] * color[component];
            squares += texel[component] * texel[component];
        }
        let fitted = if squares > 0.0 { products / squares } else { 1.0 };
        if fitted > 1.02 {
            return None;
        }
        factor[component] = if fitted > 0.97 { 1.0 } else { fitted };
    }
    let multiplied = |(texel, _): &([f32; 4], [f32; 4])| -> [f32; 4] {
        let [r, g, b, a]: [f32; 4] = std::array::from_fn(|component| texel[component] * factor[component]);
        [srgb::gamma(r), srgb::gamma(g), srgb::gamma(b), a].map(|value| value * 255.0)
    };
    let shown = pairs.iter().map(multiplied).zip(colors.iter().map(|color| color.map(f32::from)));
    let away = Difference::of(shown, channels);
    if away.mean > PRODUCT.mean || away.most > PRODUCT.most {
        return None;
    }
    let [r, g, b, a] = factor;
    Some([srgb::gamma(r), srgb::gamma(g), srgb::gamma(b), a])
}
