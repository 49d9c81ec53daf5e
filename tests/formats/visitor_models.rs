//! Models and pictures that landscapes find beside them, below their folder and below the folders of the settings.

use crate::kit::{
    p3d::{made_box, made_memory, model_bytes},
    paa, wrp,
};
use bonebox::{
    bytes::Cancel,
    formats::{
        Asset, Content, EntryId, LoadOptions,
        visitor::encode::{Background, Dialect, Object, ObjectClass, ObjectType, Project, encode_pew},
    },
    library,
    scene::{SizeSource, Terrain},
};
use glam::Vec3;
use image::ImageEncoder as _;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
    std::fs::write(folder.join(path), bytes).unwrap();
}

fn load(path: &Path, folders: &[PathBuf], cancel: &Cancel) -> Result<Arc<Terrain>, String> {
    let file = library::OpenOptions::new().folders(folders).open(path).map_err(|e| e.to_string())?;
    let entry = file.entries_with(Content::Terrain)[0];
    let loaded = file.load(entry, LoadOptions::default(), cancel).map_err(|e| e.to_string())?;
    match loaded.asset {
        Asset::Terrain(terrain) => Ok(terrain),
        _ => panic!("no landscape"),
    }
}

fn project(models: &[&str], backgrounds: Vec<Background>) -> Vec<u8> {
    let kind = |(model, id): (&&str, u32)| ObjectType {
        model: (*model).to_owned(),
        name: format!("type {id}"),
        class: ObjectClass::Natural,
        id,
        ..ObjectType::default()
    };
    let project = Project {
        types: models.iter().zip(1..).map(kind).collect(),
        columns: 16,
        rows: 16,
        heights: vec![5.0; 256],
        objects: (1..=models.len() as u32).map(|id| Some(Object::new(id, id, [20.0, 5.0, 30.0], 0.0, 1.0))).collect(),
        backgrounds,
        ..Project::default()
    };
    encode_pew(&project, &Dialect::default())
}

#[test]
fn types_take_their_models_and_sizes() {
    let (island, drive) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let models = [
        "P:\\ca\\plants\\smrk.p3d",
        "ca\\house.p3d",
        "\\ca\\binarised.p3d",
        "ca\\bad.p3d",
        "..\\..\\out.p3d",
        "ca\\none.p3d",
    ];
    write(island.path(), "island.pew", &project(&models, Vec::new()));
    write(island.path(), "House.p3d", &model_bytes(&[made_box(2.0, false), made_box(1.0, false)]));
    write(island.path(), "deep/ca/bad.p3d", &model_bytes(&[made_memory()]));
    write(drive.path(), "CA/Plants/Smrk.p3d", &model_bytes(&[made_box(1e13, true)]));
    write(drive.path(), "ca2/unused.p3d", b"");
    write(drive.path(), "CA/Binarised.P3D", &[b"ODOL".to_vec(), vec![7; 40]].concat());
    let terrain = load(&island.path().join("island.pew"), &[drive.path().to_owned()], Cancel::never()).unwrap();
    assert_eq!((terrain.kinds.len(), terrain.props.len()), (6, 6));
    let levels: Vec<usize> = terrain.kinds.iter().map(|k| k.body.as_ref().map_or(0, |b| b.levels.len())).collect();
    assert_eq!(levels, [1, 2, 0, 0, 0, 0]);
    assert_eq!((terrain.kinds[1].size, terrain.kinds[1].size_source), (Vec3::new(2.0, 3.0, 4.0), SizeSource::Model));
    assert_ne!(terrain.kinds[2].size_source, SizeSource::Model);
    let place = "in the file's folder, its subfolders or the search folders";
    let expected = format!("some models are shown as boxes: 2 not found {place}, 1 binarised (ODOL), 1 unreadable");
    let textures = format!("some model textures are shown as plain colours: 2 not found {place}");
    assert_eq!(terrain.missing, [expected, textures]);
    assert!(terrain.weight() > 1000);
    let stopped = load(&island.path().join("island.pew"), &[], &Cancel::cancelled()).unwrap_err();
    assert!(stopped.contains("cancelled"), "{stopped}");
}

#[test]
fn worlds_find_models_too_and_say_nothing_when_all_are_there() {
    let island = tempfile::tempdir().unwrap();
    write(island.path(), "island.wrp", &wrp::eight(&wrp::objects()));
    let bytes = model_bytes(&[made_box(1.0, false)]);
    for path in ["ca/plants/smrk.p3d", "house.p3d", "x/asf12.p3d"] {
        write(island.path(), path, &bytes);
    }
    for path in ["ca/roof.paa", "ca/Wall.paa"] {
        write(island.path(), path, &paa::rich());
    }
    let terrain = load(&island.path().join("island.wrp"), &[], Cancel::never()).unwrap();
    assert!(terrain.kinds.iter().all(|k| k.body.is_some()));
    assert_eq!(terrain.missing, [""; 0]);
}

/// Models that stand on a landscape have their textures, each decoded once for all of them; what is stored in several sizes is not
/// decoded at its largest.
#[test]
fn models_on_landscapes_have_their_textures() {
    let island = tempfile::tempdir().unwrap();
    let models = ["ca\\house.p3d", "ca\\shed.p3d"];
    write(island.path(), "island.pew", &project(&models, Vec::new()));
    for model in ["ca/house.p3d", "ca/shed.p3d"] {
        write(island.path(), model, &model_bytes(&[made_box(1.0, false), made_box(2.0, false)]));
    }
    write(island.path(), "ca/wall.paa", &paa::rich());
    write(island.path(), "ca/roof.paa", b"no picture");
    let file = island.path().join("island.pew");
    let terrain = load(&file, &[], Cancel::never()).unwrap();
    let levels = terrain.kinds.iter().flat_map(|kind| &kind.body.as_ref().unwrap().levels);
    let dressed: Vec<_> = levels.map(|level| &level.model).collect();
    assert_eq!(dressed.len(), 4);
    for model in &dressed {
        assert!(Arc::ptr_eq(&model.images[0], &dressed[0].images[0]) && model.images.len() == 1);
        let of = |name: &str| model.materials.iter().position(|material| material.name == name).unwrap();
        let (wall, roof) = (of("ca\\wall.paa"), of("ca\\roof.paa"));
        assert_eq!((model.materials[wall].basic().image, model.materials[roof].basic().image), (Some(0), None));
        // The colours that stand for textures are gone where those are drawn.
        let mesh = &model.meshes[0];
        let color = |material: usize| {
            let surface = mesh.surfaces.iter().find(|surface| surface.material as usize == material).unwrap();
            mesh.colors[mesh.indices[surface.first_index as usize] as usize]
        };
        assert!(color(wall) == [255; 4] && color(roof) != [255; 4]);
    }
    let picture = crate::kit::open::picture_in(crate::kit::open::open("wall.paa", paa::rich()).asset(EntryId::FILE));
    assert_eq!(dressed[0].images[0].rgba, picture.image().unwrap().rgba);
    // An image counts once, however many models have it.
    let bare = load(&file, &[], Cancel::never()).map(|whole| {
        let mut bare = (*whole).clone();
        for kind in &mut bare.kinds {
            let body = kind.body.as_mut().map(Arc::make_mut).unwrap();
            body.levels.iter_mut().for_each(|level| Arc::make_mut(&mut level.model).images.clear());
        }
        bare.weight()
    });
    assert_eq!(terrain.weight() - bare.unwrap(), dressed[0].images[0].weight());
}

#[test]
fn backgrounds_take_pictures_that_lie_beside_the_project() {
    let island = tempfile::tempdir().unwrap();
    let background = |file: &str| Background {
        file: file.to_owned(),
        name: "picture".to_owned(),
        offset: [0.0, 0.0],
        size: [100.0, 100.0],
        transparency: 0,
        visible: true,
    };
    let files = ["P:\\isle\\Map.bmp", "c:\\pictures\\other.bmp", "gone.bmp", "photo.jpg"];
    write(island.path(), "island.pew", &project(&["a.p3d"], files.iter().map(|f| background(f)).collect()));
    let rgb = [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9];
    let (mut bmp, mut png) = (Vec::new(), Vec::new());
    let kind = image::ExtendedColorType::Rgb8;
    image::codecs::bmp::BmpEncoder::new(&mut bmp).write_image(&rgb, 2, 2, kind).unwrap();
    image::codecs::png::PngEncoder::new(&mut png).write_image(&rgb, 2, 2, kind).unwrap();
    write(island.path(), "map.BMP", &bmp);
    write(island.path(), "pictures/other.png", &png);
    write(island.path(), "photo.jpg", &[0xFF, 0xD8, 0xFF, 0xE0, 0, 0]);
    let terrain = load(&island.path().join("island.pew"), &[], Cancel::never()).unwrap();
    let sides: Vec<Option<u32>> = terrain.pictures.iter().map(|p| p.image.as_ref().map(|i| i.width)).collect();
    assert_eq!(sides, [Some(2), Some(2), None, None]);
    assert_eq!(&terrain.pictures[0].image.as_ref().unwrap().rgba[..4], [255, 0, 0, 255]);
    let missing = &terrain.missing[1..];
    assert_eq!(missing[0], "the ground image “gone.bmp” was not found next to the project");
    assert!(missing[1].contains("JPEG") && missing.len() == 2, "{missing:?}");
}
