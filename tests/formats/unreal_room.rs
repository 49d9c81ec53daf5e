//! Pictures that there is no room for, once others have taken what is allowed: counted by texture, whatever sizes each has.

use crate::{
    kit::open::{Loading, Opened, codes, open},
    unreal_meshes::tetrahedron,
    unreal_textures::{add, p8, writer},
};
use bonebox::{
    bytes::Limits,
    formats::{
        Asset,
        unreal::encode::{Export, MeshData, Ref, write_mesh},
    },
};

/// Bytes of a picture of 64 × 64; its six smaller sizes take less than half of that.
const WHOLE: u64 = 64 * 64 * 4;

/// Three textures of seven sizes each, and a mesh with one of them on each of its sides.
fn package() -> Opened {
    let (mut package, palette) = writer(69);
    let skins = [0, 1, 2].map(|number| add(&mut package, &format!("Skin{number}"), &p8(64, 64, palette)));
    let mut mesh = MeshData { textures: skins.to_vec(), ..tetrahedron() };
    for (number, side) in mesh.triangles.iter_mut().enumerate() {
        side.texture = number.min(2) as i32;
    }
    let class = package.class("Engine", "Mesh");
    let _: Ref = package.add(&Export::new(class, "Tetra"), |out| write_mesh(out, &mesh));
    open("made.utx", package.finish())
}

/// What an entry is within so many bytes, and what is said.
fn within(decoded_bytes: u64, file: &Opened, name: &str) -> (Asset, Vec<String>) {
    let limits = Limits { decoded_bytes, ..Limits::default() };
    let loading = Loading { limits, ..Loading::default() };
    let (asset, found) = loading.load(file.document.as_ref(), file.entry(name));
    assert!(codes(&found).iter().all(|code| *code == "unreal.picture-too-large"), "{found:?}");
    (asset.unwrap(), found.into_iter().map(|found| found.message).collect())
}

#[test]
fn skins_of_a_mesh_are_counted_and_not_their_sizes() {
    let file = package();
    // The second and the third are refused in all their sizes, or are there in the third one.
    for (room, sides, missing) in [
        (WHOLE, [Some(64), None, None], 2),
        (WHOLE + 2 * 16 * 16 * 4, [Some(64), Some(16), Some(16)], 0),
        (3 * WHOLE, [Some(64); 3], 0),
    ] {
        let (Asset::Model(model), said) = within(room, &file, "Tetra") else { panic!("no model") };
        let images: Vec<u32> = model.images.iter().map(|image| image.width).collect();
        assert_eq!(images, sides.into_iter().flatten().collect::<Vec<_>>(), "{room}");
        let refused = "2 images are not decoded, or not in all sizes: the memory limit for images is reached";
        assert_eq!(said, if room < 3 * WHOLE { vec![refused] } else { Vec::new() }, "{room}");
        let wanted = [1, 2].map(|number| {
            format!(
                "the texture Skin{number} is not shown: it has no pixels, or the memory limit for images is reached"
            )
        });
        assert_eq!(model.missing, wanted[..missing], "{room}");
    }
}

#[test]
fn sizes_of_one_texture_are_one_picture() {
    let file = package();
    for (room, sides) in [(WHOLE, &[64][..]), (WHOLE + 16 * 16 * 4, &[64, 16]), (2 * WHOLE, &[64, 32, 16, 8, 4, 2, 1])]
    {
        let (Asset::Picture(picture), said) = within(room, &file, "Skin0") else { panic!("no picture") };
        let widths: Vec<u32> = picture.form().unwrap().mips.iter().map(|mip| mip.width).collect();
        assert_eq!(widths, sides, "{room}");
        let refused = "1 image is not decoded, or not in all sizes: the memory limit for images is reached";
        assert_eq!(said, if room < 2 * WHOLE { vec![refused] } else { Vec::new() }, "{room}");
    }
}
