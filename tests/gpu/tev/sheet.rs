//! A picture of squares, drawn by the device and worked out on the CPU.

use crate::kit::{
    Noise,
    device::{open, pixel},
};
use bonebox::{
    gpu::{
        Background, ContextOptions, GpuContext, GxLights, GxSettings, Item, RenderTarget, SceneRenderer, ViewSettings,
    },
    scene::{
        Frame, Image, Influence, Material, MaterialKind, Mesh, Model, Run, Skin, Surface,
        camera::OrbitCamera,
        gx::{
            self, BlendFactor, BlendKind, BlendMode, Combiner, Compare, Constants, CoordTransform, CullMode, Filter,
            Light, LightRig, LitVertex, LogicOp, MaterialState, Pixel, TevMaterial, TevStage, TexGen, Texture,
            TexturedVertex, Wrap, ZMode,
        },
    },
};
use glam::{Affine3A, Vec2, Vec3};
use std::sync::Arc;

/// Pixels along a square.
pub const CELL: u32 = 8;
const COLUMNS: u32 = 32;
/// Fewer and the eye would be near the picture.
const LEAST_ROWS: u32 = 8;

/// What a corner of a square has besides its place.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// Before the plane of the picture, in view space; the eye is [`Sheet::eye_distance`] before it.
    pub height: f32,
    /// As the file has them: in the space of the square's matrix.
    pub normal: Option<Vec3>,
    pub tangents: Option<[Vec3; 2]>,
    pub colors: [Option<[u8; 4]>; 2],
    pub uvs: [Option<Vec2>; 8],
    pub slots: Option<[u8; 8]>,
}

/// One material on one square.
#[derive(Clone, Debug)]
pub struct Layer {
    pub material: TevMaterial,
    /// By map slot.
    pub textures: [Option<Arc<Texture>>; 8],
    /// Top left, bottom left, bottom right, top right.
    pub corners: [Corner; 4],
    /// Into [`Sheet::matrices`].
    pub matrix: usize,
}

/// Layers drawn over each other on one square.
pub struct Case {
    pub name: String,
    pub layers: Vec<Layer>,
}

/// The cases of one picture and how they are seen.
pub struct Sheet {
    pub cases: Vec<Case>,
    /// World (before the item's own matrix) from the space of the points; none: they lie in it.
    pub matrices: Vec<Affine3A>,
    pub world_from_model: Affine3A,
    pub yaw: f32,
    pub pitch: f32,
    pub lights: GxLights,
    pub perspective: bool,
    pub skin_on_cpu: bool,
    /// Squares that the picture has room for.
    pub room: usize,
}

/// What a comparison found.
pub struct Outcome {
    pub cases: usize,
    /// Pixels that were compared.
    pub pixels: usize,
    pub largest: u8,
}

impl Corner {
    /// Texture coordinates 0..1 over the square in set 0, facing the viewer.
    pub fn plain() -> [Self; 4] {
        [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(|(s, t)| {
            let mut uvs = [None; 8];
            uvs[0] = Some(Vec2::new(s, t));
            Self { height: 0.0, normal: Some(Vec3::Z), tangents: None, colors: [None; 2], uvs, slots: None }
        })
    }
}

impl Layer {
    pub fn new(material: TevMaterial) -> Self {
        Self { material, textures: std::array::from_fn(|_| None), corners: Corner::plain(), matrix: 0 }
    }

    pub fn texture(mut self, slot: usize, texture: &Arc<Texture>) -> Self {
        self.textures[slot] = Some(texture.clone());
        self
    }

    pub fn case(self, name: impl Into<String>) -> Case {
        Case { name: name.into(), layers: vec![self] }
    }
}

/// Opaque, from both sides, without depth, with texture coordinate 0 as the vertices have it.
pub fn material(stages: Vec<TevStage>) -> TevMaterial {
    TevMaterial {
        stages,
        cull: CullMode::None,
        blend: BlendMode {
            kind: BlendKind::None,
            source: BlendFactor::One,
            destination: BlendFactor::Zero,
            logic: LogicOp::Clear,
        },
        z_mode: ZMode { test: false, compare: Compare::Always, write: false },
        texgens: vec![TexGen { kind: 1, source: 4, matrix: 60 }],
        ..TevMaterial::default()
    }
}

/// A stage that hands on one colour input and one alpha input; texture 0 and channel 0 are there to be chosen.
pub fn passing(color: u8, alpha: u8) -> TevStage {
    TevStage {
        color: Combiner::adding([15, 15, 15, color]),
        alpha: Combiner::adding([7, 7, 7, alpha]),
        tex_coord: Some(0),
        texture: Some(0),
        channel: 4,
        ..TevStage::default()
    }
}

pub fn texture(
    width: u32,
    height: u32,
    filter: Filter,
    wrap: Wrap,
    texel: impl FnMut(u32, u32) -> [u8; 4],
) -> Arc<Texture> {
    let mut texel = texel;
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            rgba.extend(texel(x, y));
        }
    }
    let image = Image { name: "image".into(), width, height, rgba: rgba.into(), stored_as: "test".into() };
    Arc::new(Texture {
        name: "texture".into(),
        mips: vec![Arc::new(image)],
        wrap_s: wrap,
        wrap_t: wrap,
        min_filter: filter,
        mag_filter: filter,
        max_anisotropy: 1,
        ..Texture::default()
    })
}

/// One texel a pixel of a square, everything by chance.
pub fn noise(random: &mut Noise) -> Arc<Texture> {
    texture(CELL, CELL, Filter::Near, Wrap::Repeat, |_, _| random.color())
}

impl Sheet {
    pub fn new(cases: Vec<Case>) -> Self {
        Self { room: cases.len(), cases, ..Self::empty(0) }
    }

    /// For cases that depend on where they stand: as many as are pushed afterwards.
    pub fn empty(room: usize) -> Self {
        Self {
            cases: Vec::new(),
            room,
            matrices: Vec::new(),
            world_from_model: Affine3A::IDENTITY,
            yaw: 0.0,
            pitch: 0.0,
            lights: GxLights::File,
            perspective: false,
            skin_on_cpu: false,
        }
    }

    /// Pixels of the picture.
    fn size(&self) -> (u32, u32) {
        (COLUMNS * CELL, (self.room as u32).div_ceil(COLUMNS).max(LEAST_ROWS) * CELL)
    }

    /// From the eye to the plane of the picture, where a pixel is one unit.
    pub fn eye_distance(&self) -> f32 {
        self.size().1 as f32 / 2.0
    }

    fn camera(&self) -> OrbitCamera {
        OrbitCamera {
            focus: Vec3::new(3.0, -2.0, 5.0),
            yaw: self.yaw,
            pitch: self.pitch,
            distance: self.eye_distance(),
            fov_y: std::f32::consts::FRAC_PI_2,
            orthographic: !self.perspective,
            extent: 1000.0,
        }
    }

    pub fn view_from_world(&self) -> Affine3A {
        Affine3A::from_mat4(self.camera().view_from_world())
    }

    pub fn view_from_point(&self, layer: &Layer) -> Affine3A {
        let matrix = self.matrices.get(layer.matrix).copied().unwrap_or(Affine3A::IDENTITY);
        self.view_from_world() * self.world_from_model * matrix
    }

    /// A place of the picture, in pixels from its top left corner, at a height: in view space.
    fn place(&self, x: f32, y: f32, height: f32) -> Vec3 {
        let (width, tall) = self.size();
        let away = self.eye_distance() - height;
        let nearer = if self.perspective { away / self.eye_distance() } else { 1.0 };
        Vec3::new((x - width as f32 / 2.0) * nearer, (tall as f32 / 2.0 - y) * nearer, -away)
    }

    /// The corners of a case's square, drawn already or to come, in the space of a layer's matrix.
    pub fn points(&self, case: usize, layer: &Layer) -> [Vec3; 4] {
        let point_from_view = self.view_from_point(layer).inverse();
        let (left, top) = origin(case);
        let mut points = [Vec3::ZERO; 4];
        for (point, (corner, (x, y))) in
            points.iter_mut().zip(layer.corners.iter().zip([(0, 0), (0, 1), (1, 1), (1, 0)]))
        {
            let place = self.place((left + x * CELL) as f32, (top + y * CELL) as f32, corner.height);
            *point = point_from_view.transform_point3(place);
        }
        points
    }

    pub fn model(&self) -> Model {
        let mut model = Model::empty("sheet");
        let mut known: Vec<Arc<Texture>> = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            for layer in &case.layers {
                let mut material = layer.material.clone();
                for (slot, texture) in material.textures.iter_mut().zip(&layer.textures) {
                    *slot = texture.as_ref().map(|texture| {
                        let at = known.iter().position(|k| Arc::ptr_eq(k, texture));
                        at.unwrap_or_else(|| {
                            known.push(texture.clone());
                            known.len() - 1
                        }) as u32
                    });
                }
                let mut mesh = self.mesh(self.points(index, layer), layer);
                mesh.surfaces[0].material = model.materials.len() as u32;
                model.meshes.push(mesh);
                model.materials.push(Material { name: case.name.clone(), kind: MaterialKind::Tev(Box::new(material)) });
            }
        }
        model.images = known.iter().map(|texture| texture.mips[0].clone()).collect();
        model.textures = known;
        model
    }

    fn mesh(&self, points: [Vec3; 4], layer: &Layer) -> Mesh {
        let corners = &layer.corners;
        let all = |present: bool, of: &dyn Fn(&Corner) -> [u8; 4]| -> Vec<[u8; 4]> {
            if present { corners.iter().map(of).collect() } else { Vec::new() }
        };
        let [first, ..] = corners;
        let sets = first.uvs.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let set = |index: usize| corners.iter().filter_map(|corner| corner.uvs[index]).collect();
        let run = |index: u32| Run { first: index, count: 1 };
        let influence = Influence { joint: layer.matrix as u32, weight: 1.0 };
        Mesh {
            points: points.to_vec(),
            skin: (!self.matrices.is_empty()).then(|| Skin {
                runs: (0..4).map(run).collect(),
                influences: vec![influence; 4],
                ..Skin::default()
            }),
            vertex_points: (0..4).collect(),
            vertex_sources: (0..4).collect(),
            normals: corners.iter().filter_map(|corner| corner.normal).collect(),
            uv_sets: (0..sets).map(set).collect(),
            colors: all(first.colors[0].is_some(), &|corner| corner.colors[0].unwrap()),
            second_colors: all(first.colors[1].is_some(), &|corner| corner.colors[1].unwrap()),
            tangents: corners.iter().filter_map(|corner| corner.tangents).collect(),
            texture_matrix_slots: corners.iter().filter_map(|corner| corner.slots).collect(),
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
            ..Mesh::default()
        }
    }

    fn view(&self) -> ViewSettings {
        ViewSettings {
            camera: self.camera(),
            grid: false,
            shadow: false,
            background: Background::Color([0; 3]),
            gx: GxSettings { lights: self.lights, fog: true, ..GxSettings::default() },
            ..ViewSettings::default()
        }
    }

    /// The lamps of the default rig, or the file's.
    pub fn rig(&self, model: &Model) -> LightRig {
        let bounds = model.bounds();
        let center = self.world_from_model.transform_point3(bounds.center());
        let rig = LightRig::new(&self.view_from_world(), center, bounds.diagonal() / 2.0);
        LightRig { file_lights: self.lights == GxLights::File, ..rig }
    }

    /// What the vertices of a layer hand to the pixels.
    pub fn shaded_corners(&self, layer: &Layer, points: [Vec3; 4], lights: &[Light; 8]) -> [Pixel; 4] {
        let (view_from_world, view_from_point) = (self.view_from_world(), self.view_from_point(layer));
        let state = MaterialState::of(&layer.material);
        let constants = Constants::of(&state);
        let slots =
            std::array::from_fn(|slot| CoordTransform::of_slot(&layer.material, &state, slot as u8, &view_from_world));
        let mut corner = 0;
        points.map(|point| {
            let own = &layer.corners[corner];
            corner += 1;
            let position = view_from_point.transform_point3(point);
            let normal = gx::lit_normal(&layer.material, own.normal, own.tangents.is_some(), &view_from_point);
            let lit = LitVertex { position, normal, colors: own.colors };
            let lighting = self.lights != GxLights::Off;
            let colors = gx::channel_colors(&layer.material, &constants.material_colors, lights, lighting, &lit);
            let vertex = TexturedVertex {
                position: point,
                normal: own.normal,
                tangents: own.tangents,
                uvs: own.uvs,
                slots: own.slots.unwrap_or([0xFF; 8]),
                view_from_point,
                colors,
            };
            Pixel { colors, coords: gx::texture_coords(&layer.material, &slots, lights, &vertex), position }
        })
    }

    /// Colour and opacity that the CPU expects of each pixel of a case, row by row.
    fn expected(&self, model: &Model, index: usize) -> Vec<[u8; 4]> {
        let case = &self.cases[index];
        let rig = self.rig(model);
        let mut pixels = vec![[0, 0, 0, 255]; (CELL * CELL) as usize];
        for layer in &case.layers {
            let constants = Constants::of(&MaterialState::of(&layer.material));
            let corners = self.shaded_corners(layer, self.points(index, layer), &rig.lights(&layer.material));
            let maps: [Option<&Texture>; 8] = std::array::from_fn(|slot| layer.textures[slot].as_deref());
            for (at, behind) in pixels.iter_mut().enumerate() {
                let place = |at: u32| (at as f32 + 0.5) / CELL as f32;
                let pixel = between(&corners, place(at as u32 % CELL), place(at as u32 / CELL), self.perspective);
                let fog = Some(&layer.material.fog);
                if let Some(color) = gx::shade_pixel(&layer.material, &constants, &maps, fog, &pixel) {
                    *behind = layer.material.blend.apply(color, *behind);
                }
            }
        }
        pixels
    }

    /// Draws the sheet and holds every pixel to the CPU: at most `tolerance` between them. `None` without a device.
    pub fn compare(&self, tolerance: u8) -> Option<Outcome> {
        let context = open(ContextOptions { software: true, skin_on_cpu: self.skin_on_cpu })?;
        let model = self.model();
        let (width, height) = self.size();
        let drawn = self.draw(&context, &model, width, height);
        let mut outcome = Outcome { cases: self.cases.len(), pixels: 0, largest: 0 };
        let mut wrong = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            let (left, top) = origin(index);
            let mut worst = (0, String::new());
            for (at, expected) in (0..).zip(self.expected(&model, index)) {
                let (x, y) = (at % CELL, at / CELL);
                let seen = pixel(&drawn, left + x, top + y);
                let apart = (0..3).map(|i| seen[i].abs_diff(expected[i])).max().unwrap_or(0);
                outcome.pixels += 1;
                outcome.largest = outcome.largest.max(apart);
                if apart > worst.0 {
                    worst = (apart, format!("{}: at {x}, {y} drawn {seen:?}, expected {expected:?}", case.name));
                }
            }
            if worst.0 > tolerance {
                wrong.push(worst.1);
            }
        }
        let shown = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
        assert!(wrong.is_empty(), "{} of {} cases differ:\n{shown}", wrong.len(), outcome.cases);
        let name = std::thread::current().name().unwrap_or("?").to_owned();
        println!("{name}: {} cases, {} pixels, at most {} apart", outcome.cases, outcome.pixels, outcome.largest);
        Some(outcome)
    }

    fn draw(&self, context: &Arc<GpuContext>, model: &Model, width: u32, height: u32) -> Image {
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let mut frame = Frame::bind(model);
        frame.world_from_bind = self.matrices.clone();
        let uploaded = renderer.upload(&Arc::new(model.clone())).unwrap();
        let mut target = RenderTarget::new(context, width, height, 1).unwrap();
        let items = [Item { model: &uploaded, frame: &frame, world_from_model: self.world_from_model }];
        renderer.render(&mut target, &self.view(), &items).unwrap();
        let picture = target.read().unwrap();
        assert_eq!(context.take_errors(), Vec::<String>::new());
        picture
    }
}

/// The top left pixel of a case.
fn origin(case: usize) -> (u32, u32) {
    (case as u32 % COLUMNS * CELL, case as u32 / COLUMNS * CELL)
}

/// What a pixel gets of the corners, by the triangle that it lies in.
fn between(corners: &[Pixel; 4], x: f32, y: f32, perspective: bool) -> Pixel {
    let [a, b, c, d] = corners;
    let (mut shares, three) = if y >= x { ([1.0 - y, y - x, x], [a, b, c]) } else { ([1.0 - x, y, x - y], [a, c, d]) };
    if perspective {
        for (share, corner) in shares.iter_mut().zip(three) {
            *share /= -corner.position.z;
        }
        let sum: f32 = shares.iter().sum();
        shares = shares.map(|share| share / sum);
    }
    let sum =
        |of: &dyn Fn(&Pixel) -> f32| three.iter().zip(shares).map(|(corner, share)| of(corner) * share).sum::<f32>();
    Pixel {
        colors: std::array::from_fn(|channel| {
            std::array::from_fn(|i| (sum(&|p| f32::from(p.colors[channel][i])) + 0.5).clamp(0.0, 255.0) as u8)
        }),
        coords: std::array::from_fn(|coord| std::array::from_fn(|i| sum(&|p| p.coords[coord][i]))),
        position: Vec3::from_array(std::array::from_fn(|i| sum(&|p| p.position[i]))),
    }
}
