//! `.gltf` with its numbers and textures beside: the same as the GLB, and textures that several files share.

use crate::kit::{
    self,
    program::{export, status, stderr, stdout, text},
    read_back::khronos_validate,
};
use bonebox::formats::unreal::encode::{
    Export, Mip, ModelData, PackageWriter, Poly, Ref, TextureData, write_model, write_polys, write_texture,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name)
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// What a URI of a file leads to.
fn resolved(file: &Path, uri: &str) -> PathBuf {
    let name = percent_encoding::percent_decode_str(uri).decode_utf8().unwrap();
    file.parent().unwrap().join(&*name)
}

fn number(value: &Value, key: &str) -> usize {
    value.get(key).and_then(Value::as_u64).unwrap_or(0) as usize
}

fn bytes_of_view<'a>(root: &Value, bin: &'a [u8], view: &Value) -> &'a [u8] {
    let view = &root["bufferViews"][view.as_u64().unwrap() as usize];
    let start = number(view, "byteOffset");
    &bin[start..start + number(view, "byteLength")]
}

/// All that a file says, without saying where: its JSON, the numbers of each accessor and each picture.
fn contents(mut root: Value, bin: &[u8], picture: impl Fn(&Value) -> Vec<u8>) -> (Value, Vec<Vec<u8>>) {
    let mut parts: Vec<Vec<u8>> = root["images"].as_array().into_iter().flatten().map(picture).collect();
    let whole = root.clone();
    for accessor in root["accessors"].as_array_mut().into_iter().flatten() {
        let mut places = vec![accessor.clone()];
        if let Some(sparse) = accessor.get_mut("sparse") {
            places.extend([sparse["indices"].clone(), sparse["values"].clone()]);
            sparse["indices"]["bufferView"] = Value::Null;
            sparse["values"]["bufferView"] = Value::Null;
        }
        for place in places.iter().filter(|place| place.get("bufferView").is_some()) {
            parts.push(bytes_of_view(&whole, bin, &place["bufferView"])[number(place, "byteOffset")..].to_vec());
        }
        accessor["bufferView"] = Value::Null;
    }
    for image in root["images"].as_array_mut().into_iter().flatten() {
        image["uri"] = Value::Null;
        image["bufferView"] = Value::Null;
    }
    let root_object = root.as_object_mut().unwrap();
    root_object.remove("buffers");
    root_object.remove("bufferViews");
    (root, parts)
}

fn of_glb(path: &Path) -> (Value, Vec<Vec<u8>>) {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + word(12);
    let root: Value = serde_json::from_slice(&bytes[20..end]).unwrap();
    let bin = bytes.get(end + 8..).unwrap_or_default();
    contents(root.clone(), bin, |image| bytes_of_view(&root, bin, &image["bufferView"]).to_vec())
}

fn of_gltf(path: &Path) -> (Value, Vec<Vec<u8>>) {
    let root = json_of(path);
    let bin = resolved(path, root["buffers"][0]["uri"].as_str().unwrap());
    let bin = std::fs::read(bin).unwrap();
    assert_eq!(bin.len(), number(&root["buffers"][0], "byteLength"));
    contents(root, &bin, |image| std::fs::read(resolved(path, image["uri"].as_str().unwrap())).unwrap())
}

#[test]
fn it_says_what_the_glb_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, more) in [
        ("Ossie.psk", &["--scale", "0.01", "--up", "z"][..]),
        ("Helix.model", &[]),
        ("Bonebox.szs", &[]),
        ("BoneRoom.unr", &[]),
        ("marrow/oak.p3d", &[]),
    ] {
        let stem = name.rsplit('/').next().unwrap().split('.').next().unwrap();
        let [glb, gltf] = ["glb", "gltf"].map(|ending| folder.path().join(format!("{stem} é#.{ending}")));
        for path in [&glb, &gltf] {
            let done = export(&[&[text(&sample(name)), "-o", text(path)], more].concat());
            assert_eq!(status(&done), 0, "{name}: {}", stderr(&done));
            let written: Vec<&str> = stdout(&done).lines().collect();
            assert_eq!(written[0], text(path));
            assert!(written.iter().all(|path| Path::new(path).is_file()), "{written:?}");
        }
        let ((json, parts), (expected, of_glb)) = (of_gltf(&gltf), of_glb(&glb));
        assert_eq!(json, expected, "{name}");
        assert_eq!(parts, of_glb, "{name}");
        // Pictures have the names of their textures, in a folder of their own; a person can read the rest.
        let root = json_of(&gltf);
        for image in root["images"].as_array().into_iter().flatten() {
            let path = resolved(&gltf, image["uri"].as_str().unwrap());
            assert_eq!(path.parent().unwrap(), folder.path().join("textures"));
        }
        assert!(std::fs::read_to_string(&gltf).unwrap().contains("\n  \"asset\": {\n"));
        files.extend([glb, gltf]);
    }
    khronos_validate(&files);
}

fn texture(package: &mut PackageWriter, group: &str, name: &str, pixel: u8) -> Ref {
    let (class, group) = (package.class("Engine", "Texture"), package.group(group));
    let mips = vec![Mip { width: 2, height: 2, bytes: vec![pixel; 4] }];
    let palette = package.class("Engine", "Palette");
    let colors: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, 0, 255 - i]).collect();
    let palette = package.add(&Export::new(palette, &format!("{name}Palette")).inside(group), |out| {
        bonebox::formats::unreal::encode::write_palette(out, &colors);
    });
    package.add(&Export::new(class, name).inside(group), |out| {
        write_texture(out, &TextureData { palette, mips, ..TextureData::default() })
    })
}

fn brush(package: &mut PackageWriter, name: &str, texture: Ref) {
    let poly = Poly {
        normal: [0.0, 0.0, 1.0],
        texture_u: [1.0, 0.0, 0.0],
        texture_v: [0.0, 1.0, 0.0],
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 64.0, 0.0], [64.0, 64.0, 0.0], [64.0, 0.0, 0.0]],
        texture,
        item: "None".to_owned(),
        ..Poly::default()
    };
    let class = package.class("Engine", "Polys");
    let polys = package.add(&Export::new(class, &format!("{name}Polys")), |out| write_polys(out, &[poly]));
    let class = package.class("Engine", "Model");
    let model = ModelData { polys, root_outside: true, ..ModelData::default() };
    package.add(&Export::new(class, name), |out| write_model(out, &model));
}

/// Three brushes: two with one texture, one with another of the same name.
fn brushes() -> (tempfile::TempDir, PathBuf) {
    let mut package = PackageWriter::new(69, 0);
    let (rough, smooth) = (texture(&mut package, "Rough", "Wall", 10), texture(&mut package, "textures", "Wall", 200));
    for (name, texture) in [("One", rough), ("Two", rough), ("Three", smooth)] {
        brush(&mut package, name, texture);
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Made.u");
    std::fs::write(&source, package.finish()).unwrap();
    (folder, source)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let relative = |path: PathBuf| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    kit::files_below(folder).into_iter().map(relative).collect()
}

/// Of an entry of a manifest: its file and those that belong to it.
fn listed(manifest: &Value, entry: &str) -> (String, Vec<String>) {
    let items = manifest["exported"].as_array().unwrap();
    let item = items.iter().find(|item| item["entry"] == entry).unwrap();
    let also = item["also"].as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned());
    (item["path"].as_str().unwrap().to_owned(), also.collect())
}

#[test]
fn a_texture_of_several_models_is_written_once() {
    let (folder, source) = brushes();
    let out = |name: &str| folder.path().join(name);
    let all = |to: &str, more: &[&str]| {
        let done = export(&[&[text(&source), "--all", "--format", "gltf", "-o", text(&out(to))], more].concat());
        (status(&done), stderr(&done).to_owned())
    };
    assert_eq!(all("out", &["--only", "brush"]), (0, String::new()));
    let written = names(&out("out"));
    let textures: Vec<&String> = written.iter().filter(|name| name.starts_with("textures/")).collect();
    assert!(textures.len() == 2 && textures.iter().all(|name| name.starts_with("textures/Wall.")), "{written:?}");
    let others: Vec<&str> = written.iter().filter(|name| !textures.contains(name)).map(String::as_str).collect();
    assert_eq!(others, ["One.bin", "One.gltf", "Three.bin", "Three.gltf", "Two.bin", "Two.gltf", "manifest.json"]);
    let manifest = json_of(&out("out").join("manifest.json"));
    let of = |name: &str| {
        let (path, also) = listed(&manifest, name);
        let file = out("out").join(&path);
        let uri = json_of(&file)["images"][0]["uri"].as_str().unwrap().to_owned();
        assert!(resolved(&file, &uri).is_file(), "{uri}");
        assert_eq!(also, [format!("{name}.bin"), uri.clone()]);
        uri
    };
    assert_eq!(of("One"), of("Two"));
    assert_ne!(of("One"), of("Three"));
    khronos_validate(&["One", "Two", "Three"].map(|name| out("out").join(format!("{name}.gltf"))));

    // The same names each time, and nothing is written twice.
    assert_eq!(all("again", &["--only", "brush"]).0, 0);
    assert_eq!(names(&out("again")), written);
    let before = std::fs::metadata(out("out").join(textures[0])).unwrap().modified().unwrap();
    assert_eq!(all("out", &["--only", "brush", "--resume"]), (0, String::new()));
    assert_eq!(all("out", &["--only", "brush", "--force"]), (0, String::new()));
    assert_eq!(std::fs::metadata(out("out").join(textures[0])).unwrap().modified().unwrap(), before);
    assert_eq!(names(&out("out")), written);

    // With the textures, their own files are referred to.
    assert_eq!(all("whole", &["--only", "brush,texture"]).0, 0);
    let whole = names(&out("whole"));
    let pictures: Vec<&str> = whole.iter().map(String::as_str).filter(|name| name.ends_with(".png")).collect();
    assert_eq!(pictures, ["Rough/Wall.png", "textures/Wall.png"]);
    let uri = |name: &str| json_of(&out("whole").join(name))["images"][0]["uri"].clone();
    assert_eq!(json!(["One.gltf", "Three.gltf"].map(uri)), json!(pictures));

    // A folder that is called so keeps its name.
    let game = folder.path().join("game/textures");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::copy(&source, game.join("Made.u")).unwrap();
    let to = out("game-out");
    let done = export(&[text(&out("game")), "--all", "--only", "brush", "--format", "gltf", "-o", text(&to)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let uri = json_of(&to.join("textures/Made.u/One.gltf"))["images"][0]["uri"].clone();
    assert!(uri.as_str().unwrap().starts_with("../../textures%20%282%29/Wall."), "{uri}");
}

#[test]
fn models_in_folders_refer_to_the_textures_of_the_run() {
    let (folder, source) = brushes();
    let games = folder.path().join("game");
    std::fs::create_dir(&games).unwrap();
    for name in ["a.u", "b.u"] {
        std::fs::copy(&source, games.join(name)).unwrap();
    }
    let target = folder.path().join("out");
    let done = export(&[text(&games), "--all", "--only", "brush", "--format", "gltf", "-o", text(&target)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let files = ["a.u/One.gltf", "b.u/One.gltf"].map(|name| target.join(name));
    let uris = files.clone().map(|file| json_of(&file)["images"][0]["uri"].clone());
    assert_eq!(uris[0], uris[1]);
    assert!(uris[0].as_str().unwrap().starts_with("../textures/Wall."), "{uris:?}");
    assert_eq!(names(&target.join("textures")).len(), 2);
    khronos_validate(&files);
}

/// A texture of 64 × 64 texels, which is not enlarged.
fn large_texture(package: &mut PackageWriter, group: &str, name: &str, first: u8, kept: usize) -> Ref {
    let (class, group) = (package.class("Engine", "Texture"), package.group(group));
    let palette = package.class("Engine", "Palette");
    let colors: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, 7, 255 - i]).collect();
    let palette = package.add(&Export::new(palette, &format!("{name}Palette")).inside(group), |out| {
        bonebox::formats::unreal::encode::write_palette(out, &colors);
    });
    let bytes: Vec<u8> = (0..4096_u32).map(|at| first.wrapping_add((at % 64) as u8)).take(kept).collect();
    package.add(&Export::new(class, name).inside(group), |out| {
        let mips = vec![Mip { width: 64, height: 64, bytes }];
        write_texture(out, &TextureData { palette, mips, ..TextureData::default() });
    })
}

/// The URIs of a GLB's pictures. None of them is in the file itself.
fn glb_uris(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let json = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let root: Value = serde_json::from_slice(&bytes[20..20 + json]).unwrap();
    let images = root["images"].as_array().cloned().unwrap_or_default();
    assert!(images.iter().all(|image| image.get("bufferView").is_none()), "{images:?}");
    images.iter().map(|image| image["uri"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn models_of_a_package_share_the_textures_that_are_written_themselves() {
    let mut package = PackageWriter::new(69, 0);
    let hostile = "50% \u{e4}/..";
    let wall = large_texture(&mut package, hostile, "Wall", 1, 4096);
    let other = large_texture(&mut package, "Other", "Wall", 90, 4096);
    let broken = large_texture(&mut package, "Other", "Broken", 0, 100);
    for (name, texture) in [("One", wall), ("Two", wall), ("Three", wall), ("Four", other), ("Five", broken)] {
        brush(&mut package, name, texture);
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, out) = (folder.path().join("Made.u"), |name: &str| folder.path().join(name));
    std::fs::write(&source, package.finish()).unwrap();
    let all = |to: &str, more: &[&str]| {
        export(&[&[text(&source), "--all", "-o", text(&out(to))], more].concat());
        names(&out(to))
    };
    let written = all("out", &["--only", "brush,texture"]);
    // By hand: texel x of a row is palette entry n = 1 + x, (n, 7, 255 - n); of the other texture 90 + x.
    let mut files = BTreeSet::new();
    for (name, first) in [("One", 1_u8), ("Two", 1), ("Three", 1), ("Four", 90)] {
        let glb = out("out").join(format!("{name}.glb"));
        let uris = glb_uris(&glb);
        let file = resolved(&glb, &uris[0]).canonicalize().unwrap();
        assert!(uris.len() == 1 && file.starts_with(out("out").canonicalize().unwrap()), "{uris:?}");
        assert!(!uris[0].contains(|c: char| c == ' ' || !c.is_ascii()), "{uris:?}");
        let pixels = image::open(&file).unwrap().into_rgba8();
        for (x, _, pixel) in pixels.enumerate_pixels() {
            let index = first + x as u8;
            assert_eq!(pixel.0, [index, 7, 255 - index, 255], "{name}");
        }
        files.insert(file);
    }
    assert_eq!(files.len(), 2, "two textures of one name");
    // They are the files of the textures themselves, and there are no others.
    assert!(!written.iter().any(|name| name.starts_with("textures/Wall")), "{written:?}");
    assert_eq!(written.iter().filter(|name| name.ends_with("Wall.png")).count(), 2, "{written:?}");
    // Of a texture that ends too early there is what could be read.
    assert!(written.contains("Five.glb") && written.contains("Other/Broken.png"), "{written:?}");
    let manifest = json_of(&out("out").join("manifest.json"));
    let (_, also) = listed(&manifest, "One");
    assert!(also.len() == 1 && out("out").join(&also[0]).is_file(), "{also:?}");

    // Without the textures' own files the models share those of the run.
    let shared = all("shared", &["--only", "brush"]);
    let of_run: Vec<&String> = shared.iter().filter(|name| name.ends_with(".png")).collect();
    assert_eq!(of_run.iter().filter(|name| name.starts_with("textures/Wall.")).count(), 2, "{of_run:?}");
    let uris = ["One", "Two", "Three"].map(|name| glb_uris(&out("shared").join(format!("{name}.glb"))));
    assert!(uris[0] == uris[1] && uris[1] == uris[2], "{uris:?}");

    // A file called as the shared folder stays.
    std::fs::create_dir(out("taken")).unwrap();
    std::fs::write(out("taken").join("textures"), "mine").unwrap();
    let taken = all("taken", &["--only", "brush"]);
    assert_eq!(std::fs::read(out("taken").join("textures")).unwrap(), b"mine");
    assert_eq!(taken.iter().filter(|name| name.starts_with("textures (2)/Wall.")).count(), 2, "{taken:?}");
    let uri = glb_uris(&out("taken").join("One.glb")).remove(0);
    assert!(uri.starts_with("textures%20%282%29/Wall."), "{uri}");

    // An interrupted export refers to the same files when it goes on.
    let before = std::fs::read(out("out").join("Two.glb")).unwrap();
    std::fs::remove_file(out("out").join("Two.glb")).unwrap();
    assert_eq!(all("out", &["--only", "brush,texture", "--resume"]), written);
    assert_eq!(std::fs::read(out("out").join("Two.glb")).unwrap(), before);

    // Each file is whole if it is asked for.
    let embedded = all("embedded", &["--only", "brush", "--embed"]);
    assert!(embedded.len() == 6 && !embedded.iter().any(|name| name.ends_with(".png")), "{embedded:?}");
    let single = out("single.glb");
    assert_eq!(status(&export(&[text(&source), "One", "-o", text(&single)])), 0);
    assert_eq!(std::fs::read(&single).unwrap(), std::fs::read(out("embedded").join("One.glb")).unwrap());
    let refused = export(&[text(&source), "--all", "--embed", "--format", "gltf", "-o", text(&out("no"))]);
    assert!(status(&refused) == 2 && stderr(&refused).contains("--embed"), "{}", stderr(&refused));
}

#[test]
fn going_on_looks_at_endings() {
    let (folder, source) = brushes();
    let target = folder.path().join("out");
    let run = |more: &[&str]| {
        let done = export(&[&[text(&source), "--all", "--only", "brush", "-o", text(&target)], more].concat());
        (status(&done), stderr(&done).to_owned())
    };
    assert_eq!(run(&[]), (0, String::new()));
    assert_eq!(run(&["--format", "gltf", "--resume"]), (0, String::new()));
    let written = names(&target);
    for name in ["One.glb", "One.gltf", "One.bin", "Three.gltf"] {
        assert!(written.contains(name), "{written:?}");
    }
    let manifest = json_of(&target.join("manifest.json"));
    assert_eq!(listed(&manifest, "One").0, "One.gltf");
    // A texture that is gone is missed.
    let (_, also) = listed(&manifest, "Three");
    std::fs::remove_file(target.join(also.last().unwrap())).unwrap();
    std::fs::remove_file(target.join("Three.gltf")).unwrap();
    std::fs::remove_file(target.join("Three.bin")).unwrap();
    assert_eq!(run(&["--format", "gltf", "--resume"]), (0, String::new()));
    assert_eq!(names(&target), written);
}

#[test]
fn all_of_it_is_written_or_nothing() {
    let (folder, source) = brushes();
    let target = folder.path().join("out");
    std::fs::create_dir(&target).unwrap();
    let run = |name: &str, more: &[&str]| {
        let done = export(&[&[text(&source), name, "-o", text(&target.join("x.gltf"))], more].concat());
        (status(&done), stderr(&done).to_owned())
    };
    for in_the_way in ["x.bin", "textures"] {
        std::fs::write(target.join(in_the_way), "mine").unwrap();
        let (status, said) = run("One", &[]);
        assert!(status == 1 && said.contains(in_the_way), "{status}: {said}");
        assert_eq!(names(&target), BTreeSet::from([in_the_way.to_owned()]));
        assert_eq!(std::fs::read(target.join(in_the_way)).unwrap(), b"mine");
        std::fs::remove_file(target.join(in_the_way)).unwrap();
    }
    assert_eq!(run("One", &[]).0, 0);
    assert_eq!(names(&target), ["textures/Wall.png", "x.bin", "x.gltf"].map(str::to_owned).into());
    let first = std::fs::read(target.join("textures/Wall.png")).unwrap();
    assert_eq!(run("Three", &[]).0, 1, "it is there already");
    // Another picture of the name is another model's.
    assert_eq!(run("Three", &["--force"]).0, 0);
    assert_eq!(std::fs::read(target.join("textures/Wall.png")).unwrap(), first);
    assert_eq!(json_of(&target.join("x.gltf"))["images"][0]["uri"], json!("textures/Wall%20%282%29.png"));
    // Without an ending that says it.
    let done = export(&[text(&source), "Two", "--format", "gltf", "-o", &format!("{}/", text(&target))]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    assert!(target.join("Two.gltf").is_file() && target.join("Two.bin").is_file());

    let refused = export(&[text(&source), "--all", "--format", "psk", "-o", text(&folder.path().join("no"))]);
    assert!(status(&refused) == 2 && stderr(&refused).contains("glb or gltf"), "{}", stderr(&refused));
}

#[test]
fn packages_of_textures_are_found_in_a_folder_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let [game, other] = ["game", "other"].map(|name| folder.path().join(name));
    for (path, pixel) in [(&game, 10), (&other, 200)] {
        std::fs::create_dir(path).unwrap();
        let mut package = PackageWriter::new(69, 0);
        texture(&mut package, "Rough", "Wall", pixel);
        std::fs::write(path.join("MadeTex.utx"), package.finish()).unwrap();
    }
    let mut package = PackageWriter::new(69, 0);
    let wall = package.external(("Engine", "Texture"), "MadeTex", &["Rough", "Wall"]);
    brush(&mut package, "One", wall);
    let source = game.join("Made.u");
    std::fs::write(&source, package.finish()).unwrap();
    let red = |more: &[&str]| {
        let to = folder.path().join("one.gltf");
        let done = export(&[&[text(&source), "One", "-o", text(&to), "--force"], more].concat());
        assert_eq!(status(&done), 0, "{}", stderr(&done));
        let uri = json_of(&to)["images"][0]["uri"].as_str().map(str::to_owned);
        uri.map(|uri| image::open(resolved(&to, &uri)).unwrap().to_rgba8().get_pixel(0, 0).0[0])
    };
    // Palettes rise in red. The package next to the file comes first.
    assert_eq!((red(&[]), red(&["--textures", text(&other)])), (Some(10), Some(10)));
    std::fs::remove_file(game.join("MadeTex.utx")).unwrap();
    // Chequers replace a missing texture: their dark squares.
    assert_eq!((red(&[]), red(&["--textures", text(&other)])), (Some(48), Some(200)));
}
