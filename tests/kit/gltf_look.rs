//! What a reader of glTF shows of a file without lamps, computed from the file alone: base colour times the colours of vertices,
//! in linear light, as a gamma-space colour.

use super::read_back::ReadBack;
use glam::Vec3;
use gltf::{
    material::AlphaMode,
    texture::{MagFilter, WrappingMode},
};
use image::RgbaImage;

/// A file whose pictures are decoded.
pub struct Look {
    pub back: ReadBack,
    images: Vec<RgbaImage>,
}

/// A triangle's material at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Gamma space.
    pub color: [f32; 3],
    /// 1 in opaque materials; what a mask cuts away is `None`.
    pub alpha: Option<f32>,
}

impl Look {
    pub fn new(bytes: &[u8]) -> Self {
        let back = ReadBack::new(bytes);
        back.assert_sound();
        let decode = |image: gltf::Image<'_>| {
            let gltf::image::Source::View { view, .. } = image.source() else { panic!("embedded") };
            let png = &back.blob[view.offset()..view.offset() + view.length()];
            image::load_from_memory(png).unwrap().to_rgba8()
        };
        let images = back.document.images().map(decode).collect();
        Self { back, images }
    }

    pub fn material(&self, index: usize) -> gltf::Material<'_> {
        self.back.document.materials().nth(index).unwrap()
    }

    /// The picture of a material's base colour.
    pub fn picture(&self, material: usize) -> Option<&RgbaImage> {
        let texture = self.material(material).pbr_metallic_roughness().base_color_texture()?;
        self.images.get(texture.texture().source().index())
    }

    /// What a material keeps beside what glTF has.
    pub fn extras(&self, material: usize) -> serde_json::Value {
        let material = self.material(material);
        material.extras().as_ref().map_or(serde_json::Value::Null, |text| serde_json::from_str(text.get()).unwrap())
    }

    /// A primitive at a place on one of its triangles.
    pub fn shown_at(&self, primitive: &gltf::Primitive<'_>, place: Vec3) -> Shown {
        let reader = primitive.reader(|_| Some(&self.back.blob));
        let positions: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let shares_of = |corners: &[u32; 3]| -> [f32; 3] {
            let [a, b, c] = corners.map(|corner| positions[corner as usize]);
            let normal = (b - a).cross(c - a);
            let share = |from: Vec3, to: Vec3| (to - from).cross(place - from).dot(normal) / normal.length_squared();
            [share(b, c), share(c, a), share(a, b)]
        };
        let outside = |shares: [f32; 3]| shares.into_iter().fold(0.0_f32, |most, share| most.max(-share));
        let all = indices.as_chunks::<3>().0.iter().map(shares_of).enumerate();
        let nearest = all.min_by(|a, b| outside(a.1).total_cmp(&outside(b.1)));
        let (triangle, shares) = nearest.unwrap();
        self.shown(primitive, triangle, shares)
    }

    /// A primitive at `shares` of the corners of its triangle `triangle`.
    pub fn shown(&self, primitive: &gltf::Primitive<'_>, triangle: usize, shares: [f32; 3]) -> Shown {
        let reader = primitive.reader(|_| Some(&self.back.blob));
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let corners: [usize; 3] = std::array::from_fn(|corner| indices[triangle * 3 + corner] as usize);
        let material = primitive.material();
        let pbr = material.pbr_metallic_roughness();
        let mut linear = pbr.base_color_factor();
        if let Some(info) = pbr.base_color_texture() {
            let transform = info.texture_transform();
            let set = transform.as_ref().and_then(|t| t.tex_coord()).unwrap_or(info.tex_coord());
            let uvs: Vec<[f32; 2]> = reader.read_tex_coords(set).expect("the set it names").into_f32().collect();
            let mut uv = [0.0; 2];
            for (corner, share) in corners.into_iter().zip(shares) {
                uv[0] += uvs[corner][0] * share;
                uv[1] += uvs[corner][1] * share;
            }
            if let Some(transform) = transform {
                assert_eq!(transform.rotation(), 0.0, "readers disagree about its direction");
                for ((uv, scale), offset) in uv.iter_mut().zip(transform.scale()).zip(transform.offset()) {
                    *uv = *uv * scale + offset;
                }
            }
            let image = &self.images[info.texture().source().index()];
            let texel = texel(image, &info.texture().sampler(), uv);
            for (out, value) in linear.iter_mut().zip(texel) {
                *out *= value;
            }
        }
        if let Some(colors) = reader.read_colors(0) {
            let colors: Vec<[f32; 4]> = colors.into_rgba_f32().collect();
            for (part, out) in linear.iter_mut().enumerate() {
                *out *=
                    corners.into_iter().zip(shares).map(|(corner, share)| colors[corner][part] * share).sum::<f32>();
            }
        }
        let [r, g, b, a] = linear;
        let alpha = match material.alpha_mode() {
            AlphaMode::Opaque => Some(1.0),
            AlphaMode::Mask => (a >= material.alpha_cutoff().unwrap_or(0.5)).then_some(1.0),
            AlphaMode::Blend => Some(a),
        };
        Shown { color: [r, g, b].map(|value| gamma(value) * 255.0), alpha }
    }
}

/// Linear red, green and blue, and alpha, mixed of four texels unless the sampler says nearest.
fn texel(image: &RgbaImage, sampler: &gltf::texture::Sampler<'_>, [u, v]: [f32; 2]) -> [f32; 4] {
    let (width, height) = image.dimensions();
    let wrapped = |place: f32, size: u32, wrap: WrappingMode| {
        let (place, size) = (place as i64, i64::from(size));
        (match wrap {
            WrappingMode::ClampToEdge => place.clamp(0, size - 1),
            WrappingMode::Repeat => place.rem_euclid(size),
            WrappingMode::MirroredRepeat => {
                let turn = place.rem_euclid(size * 2);
                if turn < size { turn } else { size * 2 - 1 - turn }
            }
        }) as u32
    };
    let at = |x: f32, y: f32| {
        let [r, g, b, a] = image.get_pixel(wrapped(x, width, sampler.wrap_s()), wrapped(y, height, sampler.wrap_t())).0;
        let [r, g, b] = [r, g, b].map(|value| linear(f32::from(value) / 255.0));
        [r, g, b, f32::from(a) / 255.0]
    };
    let (x, y) = (u * width as f32, v * height as f32);
    if sampler.mag_filter() == Some(MagFilter::Nearest) {
        return at(x.floor(), y.floor());
    }
    let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
    let (right, down) = (x - 0.5 - left, y - 0.5 - top);
    let corners = [
        (at(left, top), (1.0 - right) * (1.0 - down)),
        (at(left + 1.0, top), right * (1.0 - down)),
        (at(left, top + 1.0), (1.0 - right) * down),
        (at(left + 1.0, top + 1.0), right * down),
    ];
    std::array::from_fn(|part| corners.iter().map(|(color, share)| color[part] * share).sum())
}

fn linear(gamma: f32) -> f32 {
    if gamma <= 0.04045 { gamma / 12.92 } else { ((gamma + 0.055) / 1.055).powf(2.4) }
}

fn gamma(linear: f32) -> f32 {
    if linear <= 0.0031308 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}
