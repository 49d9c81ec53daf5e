//! Models of landscapes in GLB, read back and held against the scene they came from.

use crate::{
    args,
    kit::{
        p3d::{made_box, model_bytes},
        program::{bonebox, stderr},
        read_back::{ReadBack, khronos_validate},
        terrain::*,
        visitor,
    },
};
use bonebox::{
    export::{ExportFormat, terrain::TerrainExport},
    scene::*,
};
use glam::Mat4;
use std::collections::BTreeMap;

const PLAIN: TerrainExport = TerrainExport { step: None, easting: 0.0 };
#[test]
fn a_glb_has_each_model_once_and_a_node_for_each_object() {
    let folder = tempfile::tempdir().unwrap();
    let island = Island::new(village());
    let (bytes, notes) = island.exported(ExportFormat::Glb, PLAIN);
    let path = folder.path().join("village.glb");
    std::fs::write(&path, &bytes).unwrap();
    khronos_validate(&[path]);
    let file = ReadBack::new(&bytes);
    file.assert_sound();
    let group = file.document.nodes().find(|n| n.name() == Some("Objects")).unwrap();
    let nodes: Vec<_> = group.children().collect();
    assert_eq!(nodes.len(), island.terrain.props.len());
    for (node, prop) in nodes.iter().zip(&island.terrain.props) {
        let found = Mat4::from_cols_array_2d(&node.transform().matrix());
        assert!(found.abs_diff_eq(Mat4::from(prop.world_from_prop), 1e-3), "{found}");
        let name = node.mesh().unwrap().name().map(str::to_owned);
        let wanted = if prop.kind < 2 { "ca\\house" } else { "type 3" };
        assert_eq!(name.as_deref(), Some(wanted));
    }
    let houses: Vec<_> = file.document.meshes().filter(|mesh| mesh.name() == Some("ca\\house")).collect();
    assert_eq!(houses.len(), 1, "two types share it");
    // What stands for another model is not followed and not drawn.
    let bounds = houses[0].primitives().map(|p| p.bounding_box()).collect::<Vec<_>>();
    assert_eq!(houses[0].primitives().count(), 3);
    let corners: usize = houses[0].primitives().map(|p| p.indices().unwrap().count()).sum();
    assert_eq!((corners, bounds[0].min), (36, [-1.0, 0.0, -2.0]));
    let mut colors = BTreeMap::new();
    for primitive in houses[0].primitives() {
        let reader = primitive.reader(|_| Some(&file.blob));
        let seen: Vec<[u16; 4]> = reader.read_colors(0).unwrap().into_rgba_u16().collect();
        let first = reader.read_indices().unwrap().into_u32().next().unwrap();
        colors.insert(primitive.material().name().unwrap().to_owned(), seen[first as usize]);
    }
    assert_eq!(
        colors.keys().map(String::as_str).collect::<Vec<_>>(),
        ["#(argb,8,8,3)color(0.2,0.4,1,1,CO)", "ca\\roof.paa", "ca\\wall.paa"]
    );
    assert_eq!(colors["#(argb,8,8,3)color(0.2,0.4,1,1,CO)"][2], u16::MAX, "the colour that the name says");
    // A box has its object's own colour.
    let own = nodes[2].mesh().unwrap().primitives().next().unwrap();
    let [r, g, b, _] = own.material().pbr_metallic_roughness().base_color_factor();
    assert!(r > 0.5 && g < 0.01 && b < 0.01, "{r} {g} {b}");
    assert_ne!(nodes[2].mesh().unwrap().index(), nodes[5].mesh().unwrap().index());
    for said in ["“ca\\wall.paa”", "Some of 2 models are shown as boxes: 1 not found"] {
        assert!(notes.iter().any(|note| note.contains(said)), "{said}: {notes:?}");
    }
    assert!(!notes.iter().any(|note| note.contains("#(argb")), "{notes:?}");
}

#[test]
fn no_object_is_left_out_however_many_there_are() {
    let mut terrain = village();
    let props: Vec<Prop> = (0..20_005).map(|i| Prop { slot: i, ..terrain.props[i as usize % 12].clone() }).collect();
    terrain.props = props;
    let file = ReadBack::new(&Island::new(terrain).exported(ExportFormat::Glb, PLAIN).0);
    let group = file.document.nodes().find(|n| n.name() == Some("Objects")).unwrap();
    assert_eq!(group.children().count(), 20_005);
    assert!(file.document.meshes().count() < 10);
}

#[test]
fn the_program_writes_the_models_beside_a_project() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.pew");
    std::fs::write(&path, visitor::tiny()).unwrap();
    let wanted = visitor::expected("tiny60");
    // The first type has a model, which is no P3D; the second has one.
    let models: Vec<&str> =
        wanted["object_types"].as_array().unwrap().iter().filter_map(|t| t["model"].as_str()).collect();
    for (index, model) in models.iter().take(2).enumerate() {
        let at = folder.path().join(model.replace('\\', "/"));
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, if index == 0 { b"no model".to_vec() } else { model_bytes(&[made_box(1.0, true)]) })
            .unwrap();
    }
    for ending in ["glb", "obj"] {
        let target = folder.path().join(format!("out.{ending}"));
        let output = bonebox(args!["export", &path, "-o", &target]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("are shown as boxes"), "{}", stderr(&output));
    }
    let file = ReadBack::new(&std::fs::read(folder.path().join("out.glb")).unwrap());
    let modelled = file.document.meshes().filter(|mesh| mesh.name() == Some(models[1])).count();
    assert_eq!(modelled, 1, "{:?}", file.document.meshes().map(|m| m.name().map(str::to_owned)).collect::<Vec<_>>());
}
