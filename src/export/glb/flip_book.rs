//! Changes of a texture as a flip-book. glTF animates where in a picture a texture is read, and not which picture it is: the model's
//! textures of one size stand in one picture, and the transform of the texture steps from one to the next.

use super::{
    base_color::{BaseColor, DirectTexture},
    beside::{PictureFile, pixel_hash},
    buffers::Builder,
    variant_mappings::WrittenMaterial,
};
use crate::{
    export::{ExportError, png},
    scene::{Image, Mesh, Model, Surface},
};
use glam::Vec2;
use gltf_json::{
    self as json, Index,
    extensions::texture::{TextureTransform, TextureTransformOffset, TextureTransformRotation, TextureTransformScale},
    texture::{MinFilter, WrappingMode},
    validation::Checked::Valid,
};
use std::sync::Arc;

/// Textures of a flip-book at most.
const MAX_TILES: usize = 256;
/// Pixels of its picture in one direction at most.
const MAX_SIDE: u32 = 4_096;
/// Pixels around each texture, as its edges are: what lies beside it must not be mixed in.
const MARGIN: u32 = 2;
/// How far coordinates may lie outside of a texture and count as in it.
const OUTSIDE: f32 = 0.01;

/// Textures of a model side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipBook {
    /// Into the model's textures.
    tiles: Vec<u32>,
    columns: u32,
    /// Pixels of each texture.
    size: (u32, u32),
}

impl FlipBook {
    /// Of the textures that a material may change to: those as large as the one it has at rest. `None` where a flip-book cannot
    /// show them: its coordinates leave the texture.
    pub fn of(model: &Model, material: u32, written: &WrittenMaterial, slot: u8) -> Option<Self> {
        let BaseColor::Direct(DirectTexture { slot: own, uv_set, .. }) = written.base else { return None };
        let rest = model.materials.get(material as usize)?.tev()?.textures.get(usize::from(slot)).copied().flatten()?;
        if own != slot || !model.meshes.iter().all(|mesh| stays_inside(mesh, material, uv_set)) {
            return None;
        }
        let size = model.textures.get(rest as usize)?.size();
        let is_alike = |index: &u32| {
            let texture = model.textures.get(*index as usize);
            texture.is_some_and(|texture| texture.size() == size && !texture.mips.is_empty())
        };
        let tiles: Vec<u32> = (0..model.textures.len() as u32).filter(is_alike).take(MAX_TILES).collect();
        let columns = (1..).find(|columns: &u32| columns * columns >= tiles.len() as u32)?;
        let book = Self { tiles, columns, size };
        let (width, height) = book.whole();
        (width <= MAX_SIDE && height <= MAX_SIDE && book.tiles.len() > 1).then_some(book)
    }

    fn rows(&self) -> u32 {
        (self.tiles.len() as u32).div_ceil(self.columns.max(1))
    }

    /// Pixels of the picture.
    fn whole(&self) -> (u32, u32) {
        let (width, height) = self.size;
        ((width + 2 * MARGIN) * self.columns, (height + 2 * MARGIN) * self.rows())
    }

    /// Where a texture's first pixel is.
    fn corner(&self, tile: usize) -> (u32, u32) {
        let (column, row) = (tile as u32 % self.columns, tile as u32 / self.columns);
        (column * (self.size.0 + 2 * MARGIN) + MARGIN, row * (self.size.1 + 2 * MARGIN) + MARGIN)
    }

    /// What is added to coordinates for a texture; `None` for one that is not in it.
    pub fn offset(&self, texture: u32) -> Option<Vec2> {
        let (x, y) = self.corner(self.tiles.iter().position(|tile| *tile == texture)?);
        let (width, height) = self.whole();
        Some(Vec2::new(x as f32 / width as f32, y as f32 / height as f32))
    }

    fn scale(&self) -> Vec2 {
        let ((width, height), whole) = (self.size, self.whole());
        Vec2::new(width as f32 / whole.0 as f32, height as f32 / whole.1 as f32)
    }

    fn picture(&self, model: &Model, name: &str) -> Image {
        let (width, height) = self.whole();
        let mut rgba = vec![0_u8; width as usize * height as usize * 4];
        for (tile, texture) in self.tiles.iter().enumerate() {
            let Some(image) = model.textures.get(*texture as usize).and_then(|texture| texture.mips.first()) else {
                continue;
            };
            let (left, top) = self.corner(tile);
            for y in 0..self.size.1 + 2 * MARGIN {
                for x in 0..self.size.0 + 2 * MARGIN {
                    let from = |at: u32, size: u32| at.saturating_sub(MARGIN).min(size - 1);
                    let source = (from(y, self.size.1) * image.width + from(x, self.size.0)) as usize * 4;
                    let target = ((top - MARGIN + y) * width + left - MARGIN + x) as usize * 4;
                    if let (Some(pixel), Some(place)) =
                        (image.rgba.get(source..source + 4), rgba.get_mut(target..target + 4))
                    {
                        place.copy_from_slice(pixel);
                    }
                }
            }
        }
        Image { name: format!("{name} flip-book"), width, height, rgba: Arc::from(rgba), stored_as: String::new() }
    }

    /// Puts it in the place of a material's texture, which it shows at first.
    pub fn put(
        &self,
        builder: &mut Builder,
        model: &Model,
        written: &WrittenMaterial,
        rest: u32,
    ) -> Result<bool, ExportError> {
        let at = written.index.value();
        let name = builder.root.materials.get(at).and_then(|material| material.name.clone()).unwrap_or_default();
        let found = builder.root.materials.get(at).and_then(|m| m.pbr_metallic_roughness.base_color_texture.as_ref());
        let (Some(info), Some(offset)) = (found.cloned(), self.offset(rest)) else { return Ok(false) };
        if info.extensions.is_some() {
            return Ok(false);
        }
        let picture = self.picture(model, &name);
        let file = PictureFile::Png(png(&picture)?);
        let source = builder.image(&picture.name, pixel_hash(&picture, true), file, None)?;
        let old = builder.root.textures.get(info.index.value()).and_then(|texture| texture.sampler);
        let old = old.and_then(|sampler| builder.root.samplers.get(sampler.value())).cloned().unwrap_or_default();
        let sampler = json::texture::Sampler {
            min_filter: Some(Valid(MinFilter::Linear)),
            wrap_s: Valid(WrappingMode::ClampToEdge),
            wrap_t: Valid(WrappingMode::ClampToEdge),
            ..old
        };
        let sampler = Some(Index::push(&mut builder.root.samplers, sampler));
        let texture = json::Texture { name: None, sampler, source, extensions: None, extras: None };
        let index = Index::push(&mut builder.root.textures, texture);
        let transform = TextureTransform {
            offset: TextureTransformOffset(offset.to_array()),
            rotation: TextureTransformRotation(0.0),
            scale: TextureTransformScale(self.scale().to_array()),
            tex_coord: Some(info.tex_coord),
            extras: None,
        };
        let extensions = Some(json::extensions::texture::Info { texture_transform: Some(transform) });
        if let Some(material) = builder.root.materials.get_mut(at) {
            material.pbr_metallic_roughness.base_color_texture =
                Some(json::texture::Info { index, extensions, ..info });
        }
        builder.uses_extension("KHR_texture_transform");
        Ok(true)
    }
}

/// Whether the corners that a mesh draws with a material stay inside the texture.
fn stays_inside(mesh: &Mesh, material: u32, uv_set: u32) -> bool {
    let inside = -OUTSIDE..=1.0 + OUTSIDE;
    let is_of = |surface: &&Surface| surface.material == material;
    let mut surfaces = mesh.surfaces.iter().filter(is_of).peekable();
    let mut line_surfaces = mesh.line_surfaces.iter().filter(is_of).peekable();
    let Some(uvs) = mesh.uv_sets.get(uv_set as usize) else {
        return surfaces.peek().is_none() && line_surfaces.peek().is_none();
    };
    let corners = surfaces.flat_map(|surface| mesh.corners_of(surface));
    let mut corners = corners.chain(line_surfaces.flat_map(|surface| mesh.lines_of(surface).as_flattened()));
    corners.all(|corner| uvs.get(*corner as usize).is_some_and(|uv| inside.contains(&uv.x) && inside.contains(&uv.y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        export::glb::base_color::{FactorSources, VertexColors},
        scene::{
            Material, MaterialKind, Surface,
            gx::{TevMaterial, Texture},
        },
    };

    /// A triangle with a material of texture 0; textures 0 and 2 are of 2 × 1 pixels, 1 is of one.
    fn model(uv: Vec2) -> Model {
        let texture = |width: u32, red: u8| {
            let rgba: Vec<u8> = (0..width).flat_map(|x| [red, x as u8, 0, 255]).collect();
            let image = Image { name: String::new(), width, height: 1, rgba: rgba.into(), stored_as: String::new() };
            Arc::new(Texture { mips: vec![Arc::new(image)], ..Texture::default() })
        };
        let mesh = Mesh {
            uv_sets: vec![vec![Vec2::ZERO, Vec2::ONE, uv]],
            indices: vec![0, 1, 2],
            surfaces: vec![Surface { first_index: 0, index_count: 3, material: 0 }],
            ..Mesh::default()
        };
        let mut tev = TevMaterial::default();
        tev.textures[0] = Some(0);
        Model {
            meshes: vec![mesh],
            materials: vec![Material { name: "face".into(), kind: MaterialKind::Tev(Box::new(tev)) }],
            textures: vec![texture(2, 10), texture(1, 20), texture(2, 30)],
            ..Model::empty("face")
        }
    }

    fn written() -> WrittenMaterial {
        WrittenMaterial {
            index: Index::new(0),
            base: BaseColor::Direct(DirectTexture { slot: 0, texgen: Some(0), matrix_slot: None, uv_set: 0 }),
            factor: FactorSources::default(),
            vertex_colors: VertexColors::default(),
            front: None,
            inside_out: false,
        }
    }

    #[test]
    fn textures_of_one_size_stand_beside_each_other_with_margins() {
        let model = model(Vec2::Y);
        let book = FlipBook::of(&model, 0, &written(), 0).unwrap();
        let picture = book.picture(&model, "face");
        assert_eq!((book.tiles.as_slice(), picture.width, picture.height), (&[0, 2][..], 12, 5));
        let pixel = |x: f32, y: f32| {
            let (x, y) = ((x * 12.0) as usize, (y * 5.0) as usize);
            [picture.rgba[(y * 12 + x) * 4], picture.rgba[(y * 12 + x) * 4 + 1]]
        };
        for (texture, red) in [(0, 10), (2, 30)] {
            let (offset, scale) = (book.offset(texture).unwrap(), book.scale());
            let at = |u: f32| pixel(offset.x + scale.x * u, offset.y + scale.y * 0.5);
            // Both pixels, and the margin on either side.
            assert_eq!([at(-0.25), at(0.25), at(0.75), at(1.25)], [[red, 0], [red, 0], [red, 1], [red, 1]]);
        }
        assert_eq!(book.offset(1), None);
    }

    #[test]
    fn what_repeats_has_no_flip_book() {
        assert_eq!(FlipBook::of(&model(Vec2::new(0.5, 3.0)), 0, &written(), 0), None);
        assert_eq!(FlipBook::of(&model(Vec2::Y), 0, &written(), 1), None, "another slot");
    }
}
