//! What PolyFlags and textures make of a mesh's surfaces (§8.4).
//!
//! Whether a surface is masked is said by its PolyFlags alone: skins are commonly imported as masked although they are
//! drawn whole (§5.3).

use super::super::{package::Package, poly_flags::INVISIBLE, tables::ObjectRef};
use crate::{
    formats::{
        LoadContext,
        unreal::poly_flags::{ENVIRONMENT, FLAT, MASKED, MODULATED, NO_SMOOTH, TRANSLUCENT, TWO_SIDED, UNLIT},
    },
    scene::{BasicMaterial, Blend, Image, Material, MaterialIndex, MaterialKind, MissingTexture, Model},
};
use std::{collections::HashMap, sync::Arc};

/// The surface that PolyFlags describe.
fn basic(poly_flags: u32) -> BasicMaterial {
    let is = |flag: u32| poly_flags & flag != 0;
    BasicMaterial {
        blend: if is(0x4) {
            Blend::Translucent
        } else if is(0x40) {
            Blend::Modulated
        } else if is(0x2) {
            Blend::Masked
        } else {
            Blend::Opaque
        },
        two_sided: is(0x100),
        unlit: is(0x40_0000),
        environment: is(0x10),
        hidden: is(0x1),
        ..BasicMaterial::default()
    }
}

/// A texture as a mesh needs it.
pub struct Skin {
    pub name: String,
    /// `None` where it has no pixels of its own, or there is no room for them.
    pub image: Option<Arc<Image>>,
}

/// Looks up the texture that a package refers to; `None` where it is not found.
pub type FindSkin<'a> = dyn FnMut(&Arc<Package>, ObjectRef, &mut LoadContext<'_>) -> Option<Skin> + 'a;

/// A texture slot of a mesh; without a name where it is empty.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    pub name: String,
    /// Of the model.
    pub image: Option<u32>,
    /// The path of a texture that was not found.
    pub missing: Option<String>,
}

/// Makes materials, one for each pair of flags and texture slot.
pub struct Materials<'a> {
    slots: Vec<Slot>,
    known: HashMap<(u32, i32), u32>,
    model: &'a mut Model,
}

impl<'a> Materials<'a> {
    /// Finds the textures of all slots; what is missing is noted on the model.
    pub fn new(
        package: &Arc<Package>,
        textures: &[ObjectRef],
        model: &'a mut Model,
        find: &mut FindSkin<'_>,
        cx: &mut LoadContext<'_>,
    ) -> Self {
        let mut images: HashMap<ObjectRef, Slot> = HashMap::new();
        let mut slots = Vec::with_capacity(textures.len());
        for texture in textures {
            if texture.is_none() {
                slots.push(Slot::default());
                continue;
            }
            let slot =
                images.entry(*texture).or_insert_with(|| slot(package, *texture, model, find(package, *texture, cx)));
            slots.push(slot.clone());
        }
        Self::of_slots(slots, model)
    }

    /// With textures that were found already: the model has their images.
    pub fn of_slots(slots: Vec<Slot>, model: &'a mut Model) -> Self {
        Self { slots, known: HashMap::new(), model }
    }

    /// The material of a surface; into [`Model::materials`].
    pub fn index(&mut self, poly_flags: u32, texture: i32) -> u32 {
        if let Some(known) = self.known.get(&(poly_flags, texture)) {
            return *known;
        }
        let slot = usize::try_from(texture).ok().and_then(|t| self.slots.get(t)).cloned().unwrap_or_default();
        let name = if slot.name.is_empty() { format!("Skin {texture}") } else { slot.name };
        let material = BasicMaterial { image: slot.image, ..basic(poly_flags) };
        let index = self.model.materials.len() as u32;
        if let Some(path) = slot.missing {
            let package = path.split_once('.').map(|(package, _)| package.to_owned());
            let missing = MissingTexture { material: MaterialIndex(index), object: path, package, near: String::new() };
            self.model.missing_textures.push(missing);
        }
        self.model.materials.push(Material { name, kind: MaterialKind::Basic(material) });
        self.known.insert((poly_flags, texture), index);
        index
    }

    /// A material that is never drawn.
    pub fn hidden(&mut self, name: &str) -> u32 {
        let index = self.model.materials.len() as u32;
        let material = BasicMaterial { two_sided: true, hidden: true, ..BasicMaterial::default() };
        self.model.materials.push(Material { name: name.to_owned(), kind: MaterialKind::Basic(material) });
        index
    }

    /// Notes slots without a texture that surfaces use, hidden ones aside: the game takes an actor's skin there.
    pub fn note_empty_slots(self) {
        let mut empty: Vec<i32> = self
            .known
            .keys()
            .filter(|(flags, texture)| {
                let slot = usize::try_from(*texture).ok().and_then(|t| self.slots.get(t));
                flags & INVISIBLE == 0 && slot.is_none_or(|slot| slot.name.is_empty())
            })
            .map(|(_, texture)| *texture)
            .collect();
        empty.sort_unstable();
        empty.dedup();
        for slot in empty {
            self.model.missing.push(format!("texture slot {slot} is empty: the actor provides the texture"));
        }
    }
}

fn slot(package: &Arc<Package>, texture: ObjectRef, model: &mut Model, found: Option<Skin>) -> Slot {
    let path = package.object_path(texture);
    let Some(found) = found else {
        model.missing.push(format!("the texture {path} was not found"));
        return Slot { name: path.clone(), missing: Some(path), ..Slot::default() };
    };
    let image = found.image.map(|image: Arc<Image>| {
        model.images.push(image);
        model.images.len().saturating_sub(1) as u32
    });
    if image.is_none() {
        let why = "it has no pixels, or the memory limit for images is reached";
        model.missing.push(format!("the texture {path} is not shown: {why}"));
    }
    Slot { name: found.name, image, missing: None }
}

/// The triangle that says where a weapon is held.
pub const PLACEHOLDER: u8 = 8;

/// What the low four bits of a type say, and the PolyFlags that come of it.
const KINDS: [(u8, u32, &str); 6] = [
    (0, 0, "Normal"),
    (1, TWO_SIDED, "TwoSided"),
    (2, TWO_SIDED | TRANSLUCENT, "Translucent"),
    (3, TWO_SIDED | MASKED, "Masked"),
    (4, TWO_SIDED | MODULATED, "Modulated"),
    (PLACEHOLDER, TWO_SIDED | INVISIBLE, "Placeholder"),
];

/// What the high four bits of a type say.
const EFFECTS: [(u8, u32, &str); 4] =
    [(0x10, UNLIT, "Unlit"), (0x20, FLAT, "Flat"), (0x40, ENVIRONMENT, "Environment"), (0x80, NO_SMOOTH, "NoSmooth")];

fn kind_of(surface: u8) -> Option<&'static (u8, u32, &'static str)> {
    KINDS.iter().find(|(kind, ..)| *kind == surface & 0xF)
}

fn effects_of(surface: u8) -> impl Iterator<Item = &'static (u8, u32, &'static str)> {
    EFFECTS.iter().filter(move |(bit, ..)| surface & bit != 0)
}

/// Whether the low four bits of a type say something that is known.
pub fn is_known_type(surface: u8) -> bool {
    kind_of(surface).is_some()
}

/// What a type says, in words: what it is where that is known, then its effects.
pub fn type_names(surface: u8) -> Vec<&'static str> {
    kind_of(surface).into_iter().chain(effects_of(surface)).map(|(.., name)| *name).collect()
}

/// The PolyFlags of a polygon of a type; those of a normal one where the type is not known.
pub fn poly_flags(surface: u8) -> u32 {
    let kind = kind_of(surface).map_or(0, |(_, flags, _)| *flags);
    effects_of(surface).fold(kind, |flags, (_, effect, _)| flags | effect)
}

/// The type that comes nearest to PolyFlags: as they are drawn, what adds light comes before what is cut out.
pub fn surface_type(flags: u32) -> u8 {
    let kind = match flags {
        _ if flags & INVISIBLE != 0 => PLACEHOLDER,
        _ if flags & TRANSLUCENT != 0 => 2,
        _ if flags & MODULATED != 0 => 4,
        _ if flags & MASKED != 0 => 3,
        _ if flags & TWO_SIDED != 0 => 1,
        _ => 0,
    };
    let effects = EFFECTS.iter().filter(|(_, effect, _)| flags & effect != 0);
    effects.fold(kind, |surface, (bit, ..)| surface | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_does_what_the_specification_says() {
        assert_eq!(basic(0), BasicMaterial::default());
        assert!(basic(0x1).hidden);
        assert_eq!(basic(0x2).blend, Blend::Masked);
        assert_eq!(basic(0x4).blend, Blend::Translucent);
        assert!(basic(0x10).environment);
        assert_eq!(basic(0x40).blend, Blend::Modulated);
        assert!(basic(0x100).two_sided);
        assert!(basic(0x40_0000).unlit);
        assert_eq!(basic(0x6).blend, Blend::Translucent, "translucent materials need no mask");
    }

    #[test]
    fn every_type_comes_back_from_its_flags() {
        for kind in [0, 1, 2, 3, 4, 8_u8] {
            for effects in (0..=0xF0_u8).step_by(0x10) {
                assert_eq!(surface_type(poly_flags(kind | effects)), kind | effects);
            }
        }
        assert_eq!(poly_flags(0x13), 0x40_0102);
        assert_eq!(poly_flags(0xE8), 0x4911);
        assert_eq!((poly_flags(5), poly_flags(0x27)), (0, 0x4000), "unknown types are read as normal");
        assert_eq!(type_names(0x93), ["Masked", "Unlit", "NoSmooth"]);
        assert_eq!((type_names(0x27), is_known_type(0x27), is_known_type(0xF8)), (vec!["Flat"], false, true));
    }

    #[test]
    fn flags_without_a_type_take_the_nearest() {
        // One side of what adds light, is cut out, or is both: the files know it with two sides alone.
        assert_eq!([0x4, 0x2, 0x6, 0x142].map(surface_type), [2, 3, 2, 4]);
        assert_eq!(surface_type(0x8000_0100), 1);
    }
}
