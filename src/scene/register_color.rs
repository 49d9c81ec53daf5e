use super::{Clip, Material, MaterialKind, Model, bound_parts::AnimatedColor};
use std::{str::FromStr, sync::Arc};

/// Names of the registers that can be set.
const NAMES: &str = "C0, C1, C2, K0, K1, K2 or K3";

/// A colour that a person gives a register of GX materials, as games do at run time. Animated registers keep their animation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterColor {
    /// The material's name; `None` for all materials.
    pub material: Option<String>,
    register: AnimatedColor,
    color: [u8; 4],
}

impl FromStr for RegisterColor {
    type Err = String;

    /// Reads `[MATERIAL:]NAME=RRGGBB[AA]`; the alpha is FF if it is missing.
    fn from_str(text: &str) -> Result<Self, String> {
        let shape = "expected [MATERIAL:]NAME=RRGGBB[AA]";
        let (place, digits) = text.rsplit_once('=').ok_or(shape)?;
        let (material, name) = match place.rsplit_once(':') {
            Some(("", _)) => return Err(shape.to_owned()),
            Some((material, name)) => (Some(material.to_owned()), name),
            None => (None, place),
        };
        let register = match name.to_ascii_uppercase().as_str() {
            "C0" => AnimatedColor::Register(0),
            "C1" => AnimatedColor::Register(1),
            "C2" => AnimatedColor::Register(2),
            "K0" => AnimatedColor::Konst(0),
            "K1" => AnimatedColor::Konst(1),
            "K2" => AnimatedColor::Konst(2),
            "K3" => AnimatedColor::Konst(3),
            _ => return Err(format!("“{name}” is not a colour register: expected {NAMES}")),
        };
        let digits = digits.strip_prefix('#').unwrap_or(digits);
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let color = match (number, digits.len()) {
            (Some(number), 6) => (number << 8) | 0xFF,
            (Some(number), 8) => number,
            _ => return Err(format!("“{digits}” is not a colour: expected RRGGBB or RRGGBBAA in hexadecimal digits")),
        };
        Ok(Self { material, register, color: color.to_be_bytes() })
    }
}

impl RegisterColor {
    /// Returns true if the material has registers and the colour is for it.
    pub fn is_for(&self, material: &Material) -> bool {
        material.tev().is_some() && self.material.as_ref().is_none_or(|name| *name == material.name)
    }

    fn set_in(&self, material: &mut Material) {
        if let (true, MaterialKind::Tev(tev)) = (self.is_for(material), &mut material.kind) {
            match self.register {
                AnimatedColor::Register(index) => {
                    let register = tev.registers.get_mut(usize::from(index));
                    register.into_iter().for_each(|register| *register = self.color.map(i16::from));
                }
                AnimatedColor::Konst(index) => {
                    tev.konst.get_mut(usize::from(index)).into_iter().for_each(|konst| *konst = self.color);
                }
                AnimatedColor::Material => {}
            }
        }
    }
}

/// Returns the model with the colours in the registers of its materials; a later colour replaces an earlier one.
pub fn with_registers(mut model: Arc<Model>, colors: &[RegisterColor]) -> Arc<Model> {
    if !colors.is_empty() {
        set_registers(&mut Arc::make_mut(&mut model).materials, colors);
    }
    model
}

/// Returns the clip with the colours in the registers of the materials that it brings.
pub fn clip_with_registers(mut clip: Arc<Clip>, colors: &[RegisterColor]) -> Arc<Clip> {
    if !colors.is_empty() && clip.material_set.is_some() {
        let set = Arc::make_mut(&mut clip).material_set.as_mut();
        set.into_iter().for_each(|set| set_registers(&mut Arc::make_mut(set).materials, colors));
    }
    clip
}

fn set_registers(materials: &mut [Material], colors: &[RegisterColor]) {
    for material in materials {
        colors.iter().for_each(|color| color.set_in(material));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BasicMaterial, MaterialSet, gx::TevMaterial};

    fn color(text: &str) -> RegisterColor {
        text.parse().unwrap()
    }

    #[test]
    fn colors_are_read_strictly() {
        let read = color("c2=#0a80FF");
        assert_eq!((read.material, read.register, read.color), (None, AnimatedColor::Register(2), [10, 128, 255, 255]));
        let read = color("a:b=c:K3=01020304");
        assert_eq!(read.material.as_deref(), Some("a:b=c"));
        assert_eq!((read.register, read.color), (AnimatedColor::Konst(3), [1, 2, 3, 4]));
        let error = |text: &str| text.parse::<RegisterColor>().unwrap_err();
        for name in ["C3", "K4", "PREV", ""] {
            assert_eq!(
                error(&format!("{name}=000000")),
                format!("“{name}” is not a colour register: expected C0, C1, C2, K0, K1, K2 or K3")
            );
        }
        for digits in ["", "12345", "1234567", "123456789", "+12345", "gg0000", "ä0000"] {
            assert!(error(&format!("C0={digits}")).contains("expected RRGGBB or RRGGBBAA"), "{digits}");
        }
        for shape in ["C0", ":C0=000000", ""] {
            assert_eq!(error(shape), "expected [MATERIAL:]NAME=RRGGBB[AA]");
        }
    }

    #[test]
    fn registers_of_all_or_of_named_materials_are_set_in_a_copy() {
        let tev = || MaterialKind::Tev(Box::default());
        let material = |name: &str, kind| Material { name: name.to_owned(), kind };
        let mut model = Model::empty("model");
        model.materials = vec![
            material("a", tev()),
            material("b", tev()),
            material("plain", MaterialKind::Basic(BasicMaterial::default())),
        ];
        let before = Arc::new(model);
        let colors = ["C1=01020304", "K0=050607", "b:C1=FF000080", "plain:C0=FFFFFF"].map(color);
        let after = with_registers(before.clone(), &colors);
        let default = TevMaterial::default();
        let registers = |material: usize| {
            let tev = after.materials[material].tev().unwrap();
            (tev.registers, tev.konst)
        };
        let white = [255; 4];
        let konst = [[5, 6, 7, 255], white, white, white];
        assert_eq!(registers(0), ([[0; 4], [1, 2, 3, 4], [0; 4]], konst));
        assert_eq!(registers(1), ([[0; 4], [255, 0, 0, 128], [0; 4]], konst));
        assert_eq!(after.materials[2], before.materials[2]);
        assert_eq!(before.materials[0].tev(), Some(&default), "the model itself is left alone");
        assert!(Arc::ptr_eq(&with_registers(before.clone(), &[]), &before));
        let set = MaterialSet { materials: before.materials.clone(), textures: None };
        let clip = Arc::new(Clip { material_set: Some(Arc::new(set)), ..Clip::default() });
        let clip = clip_with_registers(clip, &colors);
        assert_eq!(clip.material_set.as_ref().unwrap().materials, after.materials);
    }
}
