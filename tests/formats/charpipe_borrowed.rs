//! Low-detail models read the textures of the model that they stand for.

use crate::kit::{
    files::Files,
    open::{Loading, model_in, open},
};
use bonebox::{
    formats::{
        EntryId,
        charpipe::encode::{
            Actor, Block, Bone, Draw, Geometry, Layout, Mesh, Positions, PrimitiveKind, Quantization, Setting, State,
            Texture, UvSet, Vertex, Width, encode_act, encode_archive, encode_block, encode_gpl, encode_tex,
            encode_tpl,
        },
        gx::encode::TextureFormat,
    },
    scene::Model,
};
use std::sync::Arc;

/// A triangle with texture 1 on it.
fn gpl() -> Vec<u8> {
    let layout = Layout {
        position: Width::Index8,
        uvs: [[Width::Index8; 1].as_slice(), &[Width::None; 7]].concat().try_into().unwrap(),
        ..Layout::default()
    };
    let texture = Setting::Texture { index: 1, layer: 0, wrap: [1, 2], min_filter: 1, mag_filter: 0 };
    let corner = |index: u16| Vertex { position: index, uvs: [index, 0, 0, 0, 0, 0, 0, 0], ..Vertex::default() };
    let triangle = Draw::Primitive(PrimitiveKind::Triangles, (0..3).map(corner).collect());
    let mesh = Mesh {
        name: "mesh".to_owned(),
        positions: Positions::Plain {
            quantization: Quantization::FLOAT,
            components: 3,
            values: vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        },
        uv_sets: vec![UvSet {
            quantization: Quantization::FLOAT,
            components: 2,
            values: vec![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]],
            palette: String::new(),
        }],
        states: vec![
            State::set(texture),
            State::set(Setting::Layout(layout)),
            State::drawing(Setting::Tev(0xFFFF_FFF0), vec![triangle]),
        ],
        ..Mesh::default()
    };
    encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() })
}

fn textures(red: u8) -> Vec<Texture> {
    let texture = |color: [u8; 4]| Texture::new(TextureFormat::Rgba8, 4, 4, color.repeat(16));
    vec![texture([0; 4]), texture([red, 2, 3, 255])]
}

fn act(geometry: &str) -> Vec<u8> {
    let root = Bone { ..Bone::new(0, None, None) };
    encode_act(&Actor { bones: vec![root], geometry: geometry.to_owned(), ..Actor::default() })
}

fn block(geometry: &str, textures: &[Texture]) -> Vec<u8> {
    let act = if geometry.is_empty() { Vec::new() } else { act(geometry) };
    let tex = if textures.is_empty() { Vec::new() } else { encode_tex(textures) };
    encode_block(&Block { gpl: gpl(), act, tex, ..Block::default() })
}

/// The model of an entry, and what was told.
fn model(name: &str, bytes: Vec<u8>, entry: EntryId, files: Files) -> (Arc<Model>, Vec<String>) {
    let document = open(name, bytes).document;
    let (asset, found) = Loading { name, resolver: &files, ..Loading::default() }.load(document.as_ref(), entry);
    (model_in(asset.unwrap()), found.into_iter().map(|d| d.message).collect())
}

/// A low-detail model without textures, and the file that lends it its own.
pub fn without_textures() -> (Vec<u8>, Files) {
    (block("", &[]), Files(vec![("mario.model", block("", &textures(77)))]))
}

/// Of the only texture.
fn red(model: &Model) -> u8 {
    assert_eq!((model.textures.len(), model.images.len()), (1, 1));
    assert!(model.missing.iter().all(|missing| !missing.contains("textures")), "{:?}", model.missing);
    assert_eq!(model.materials[0].tev().unwrap().textures[0], Some(0));
    model.images[0].rgba[0]
}

#[test]
fn by_the_name_of_the_file() {
    let lends = || Files(vec![("mario.model", block("", &textures(77))), ("luigi.model", block("", &textures(88)))]);
    let (model, told) = model("L_Mario.model", block("", &[]), EntryId::FILE, lends());
    assert_eq!((red(&model), told), (77, vec!["the textures of mario.model are used".to_owned()]));
    assert_eq!(model.textures[0].name, "texture 1");
}

#[test]
fn loose_files_borrow_from_palettes_and_from_blocks() {
    let palette = || Files(vec![("arm.tpl", encode_tpl(&textures(55)))]);
    assert_eq!(red(&model("l_arm.gpl", gpl(), EntryId::FILE, palette()).0), 55);
    let game = || Files(vec![("arm", block("", &textures(66)))]);
    assert_eq!(red(&model("l_arm.gpl", gpl(), EntryId::FILE, game()).0), 66);
    // Its own come first.
    let both = Files(vec![("arm.tpl", encode_tpl(&textures(1))), ("l_arm.tpl", encode_tpl(&textures(9)))]);
    assert_eq!(red(&model("l_arm.gpl", gpl(), EntryId::FILE, both).0), 9);
}

#[test]
fn by_the_name_of_the_meshes_which_members_of_archives_have_alone() {
    let files = Files(vec![("peach.model", block("", &textures(33)))]);
    assert_eq!(red(&model("0017.model", block("L_peach.gpl", &[]), EntryId::FILE, files).0), 33);
    let members = [block("daisy.gpl", &textures(1)), block("L_peach.gpl", &[]), block("peach.gpl", &textures(44))];
    let archive = encode_archive(&members);
    let document = open("all.models", archive.as_slice()).document;
    let second = document.outline().entries().iter().filter(|e| e.class == "Model").nth(1).unwrap().id;
    let (model, told) = model("all.models", archive, second, Files(Vec::new()));
    assert_eq!((red(&model), told[0].as_str()), (44, "the textures of peach are used"));
}

#[test]
fn what_nobody_lends_is_said_and_the_vertices_colours_stay() {
    let missing = |name: &str, bytes: Vec<u8>, files: Files| {
        let (model, _) = model(name, bytes, EntryId::FILE, files);
        assert!(model.textures.is_empty() && model.images.is_empty());
        assert_eq!(model.materials[0].tev().unwrap().stages.len(), 1);
        assert_eq!(model.materials[0].tev().unwrap().texgens.len(), 0);
        model.missing.iter().filter(|missing| missing.contains("textures")).cloned().collect::<Vec<_>>()
    };
    let none = || Files(Vec::new());
    assert_eq!(
        missing("L_Mario.model", block("", &[]), none()),
        ["the textures are missing: no Mario.tpl or Mario.model was found next to L_Mario.model"]
    );
    assert_eq!(missing("arm.gpl", gpl(), none()), ["the textures are missing: no arm.tpl was found next to arm.gpl"]);
    assert_eq!(
        missing("prop.model", block("", &[]), none()),
        ["the model has no textures and does not refer to another model for them"]
    );
    // The partner has none either, or is something else.
    let empty = Files(vec![("mario.model", block("", &[])), ("mario.tpl", b"nothing".to_vec())]);
    assert_eq!(missing("L_Mario.model", block("", &[]), empty).len(), 1);
}

#[test]
fn a_texture_that_the_lender_does_not_have_is_said() {
    let files = Files(vec![("mario.model", block("", &textures(7)[..1]))]);
    let (model, told) = model("L_mario.model", block("", &[]), EntryId::FILE, files);
    assert!(model.textures.is_empty());
    assert!(told.contains(&"a primitive list uses texture 1, but the model has only 1 texture".to_owned()), "{told:?}");
}
