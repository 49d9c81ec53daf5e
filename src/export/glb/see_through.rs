//! Pictures of what adds to the picture behind it, or darkens it: glTF blends by alpha alone.

use crate::scene::{Blend, Image, MaterialKind, Model};
use std::{collections::HashMap, sync::Arc};

/// Gives the pictures of translucent and modulated materials the alpha with which blending as usual comes near: what is added has
/// that of its brightest component, so that colour times alpha is what is added; what darkens is black with the alpha that darkens
/// as much.
pub fn give_alpha(model: &mut Model) {
    let mut made: HashMap<(u32, Blend), u32> = HashMap::new();
    for material in &mut model.materials {
        let MaterialKind::Basic(basic) = &mut material.kind else { continue };
        let written: fn([u8; 4]) -> [u8; 4] = match basic.blend {
            Blend::Translucent => added,
            Blend::Modulated => multiplied,
            Blend::Opaque | Blend::Masked | Blend::Alpha => continue,
        };
        let Some((index, image)) = basic.image.and_then(|at| Some((at, model.images.get(at as usize)?.clone()))) else {
            continue;
        };
        let place = *made.entry((index, basic.blend)).or_insert_with(|| {
            let rgba = image.rgba.as_chunks::<4>().0.iter().flat_map(|texel| written(*texel)).collect();
            let image = Image { rgba, ..Image::clone(&image) };
            model.images.push(Arc::new(image));
            model.images.len() as u32 - 1
        });
        basic.image = Some(place);
    }
}

/// Nothing is added where the texel is cut out.
fn added([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let brightest = r.max(g).max(b);
    let full = |c: u8| if brightest == 0 { 0 } else { (u32::from(c) * 255 / u32::from(brightest)) as u8 };
    [full(r), full(g), full(b), if a == 0 { 0 } else { brightest }]
}

/// The game multiplies by twice the texel: what is brighter than half would brighten and is left clear.
fn multiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let mean = (u32::from(r) + u32::from(g) + u32::from(b)) / 3;
    [0, 0, 0, if a == 0 { 0 } else { 255 - (mean * 2).min(255) as u8 }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BasicMaterial, Material};

    #[test]
    fn blending_by_alpha_comes_near() {
        // Over a grey of 0.4: what the game makes of each texel, and what alpha makes of it.
        let behind = 0.4_f32;
        for texel in [[0, 0, 0, 255], [255, 255, 255, 255], [128, 128, 128, 255], [200, 100, 0, 255]] {
            let [r, g, b, alpha] = added(texel).map(|c| f32::from(c) / 255.0);
            for (channel, (color, own)) in [r, g, b].into_iter().zip(texel).enumerate() {
                let own = f32::from(own) / 255.0;
                let (game, here) = (own + behind * (1.0 - own), color * alpha + behind * (1.0 - alpha));
                let most = if texel[0] == texel[1] { 0.01 } else { behind };
                assert!((game - here).abs() < most, "{texel:?}, channel {channel}: {game} {here}");
            }
        }
        assert_eq!([0, 64, 128, 200].map(|c| multiplied([c, c, c, 255])[3]), [255, 127, 0, 0]);
        assert_eq!((added([9, 9, 9, 0])[3], multiplied([9, 9, 9, 0])[3]), (0, 0));
    }

    #[test]
    fn a_picture_is_made_once_for_each_way_of_blending() {
        let image = |name: &str| {
            let (name, rgba, stored_as) = (name.to_owned(), [8, 4, 0, 255].into(), String::new());
            Arc::new(Image { name, width: 1, height: 1, rgba, stored_as })
        };
        let material = |blend| Material {
            name: "m".into(),
            kind: MaterialKind::Basic(BasicMaterial { image: Some(0), blend, ..BasicMaterial::default() }),
        };
        let blends = [Blend::Translucent, Blend::Masked, Blend::Translucent, Blend::Modulated];
        let mut model =
            Model { materials: blends.map(material).to_vec(), images: vec![image("flame")], ..Model::empty("fire") };
        give_alpha(&mut model);
        let images: Vec<_> = model.materials.iter().map(|material| material.basic().image).collect();
        assert_eq!(images, [Some(1), Some(0), Some(1), Some(2)]);
        assert_eq!((&*model.images[0].rgba, &*model.images[1].rgba), (&[8, 4, 0, 255][..], &[255, 127, 0, 8][..]));
    }
}
