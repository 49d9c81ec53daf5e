//! `export --all`: each thing once, under its own name, of the kinds that are asked for, and what is said at the end.

use crate::kit::{
    self,
    program::{command, export, status, stderr, stdout, text},
};
use bonebox::formats::unreal::encode::{
    ClassData, Export, LevelData, Mip, ModelData, PackageWriter, Poly, Properties, Ref, StateData, StructData,
    TextureData, write_class, write_level, write_model, write_music, write_palette, write_polys, write_sound,
    write_text_buffer, write_texture,
};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Output,
};

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// The files of a folder without the manifest, with `/`, in order.
fn names(folder: &Path) -> Vec<String> {
    let relative = |path: PathBuf| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    let mut names: Vec<String> = kit::files_below(folder).into_iter().map(relative).collect();
    names.retain(|name| name != "manifest.json");
    names.sort();
    names
}

/// A package that is written to and exported.
struct Made {
    folder: tempfile::TempDir,
}

impl Made {
    fn new(package: PackageWriter) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Made.u"), package.finish()).unwrap();
        Self { folder }
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("Made.u")
    }

    fn all(&self, to: &str, more: &[&str]) -> (Output, PathBuf) {
        let target = self.folder.path().join(to);
        let output = export(&[&[text(&self.source()), "--all", "-o", text(&target)], more].concat());
        (output, target)
    }

    /// The files that such an export writes; it has to succeed.
    fn names(&self, to: &str, more: &[&str]) -> Vec<String> {
        let (output, target) = self.all(to, more);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        names(&target)
    }

    /// One entry: the status and what is said.
    fn one(&self, entry: &str, to: &str) -> (i32, String, PathBuf) {
        let target = self.folder.path().join(to);
        let output = export(&[text(&self.source()), entry, "-o", text(&target)]);
        (status(&output), stderr(&output).to_owned(), target)
    }
}

fn palette(package: &mut PackageWriter, name: &str) -> Ref {
    let class = package.class("Engine", "Palette");
    let colors: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, 0, 255 - i]).collect();
    package.add(&Export::new(class, name), |out| write_palette(out, &colors))
}

fn texture(package: &mut PackageWriter, name: &str, palette: Ref) -> Ref {
    let class = package.class("Engine", "Texture");
    let mips = vec![Mip { width: 2, height: 2, bytes: vec![1, 2, 3, 4] }];
    package.add(&Export::new(class, name), |out| {
        write_texture(out, &TextureData { palette, mips, ..TextureData::default() })
    })
}

fn sound(package: &mut PackageWriter, name: &str, bytes: &[u8]) {
    let class = package.class("Engine", "Sound");
    package.add(&Export::new(class, name), |out| write_sound(out, &Properties::new(), "WAV", bytes));
}

fn text_buffer(package: &mut PackageWriter, name: &str, inside: Ref, content: &str) -> Ref {
    let class = package.class("Core", "TextBuffer");
    package.add(&Export::new(class, name).inside(inside), |out| write_text_buffer(out, content))
}

/// A square.
fn polys() -> Vec<Poly> {
    vec![Poly {
        normal: [0.0, 0.0, 1.0],
        texture_u: [1.0, 0.0, 0.0],
        texture_v: [0.0, 1.0, 0.0],
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 64.0, 0.0], [64.0, 64.0, 0.0], [64.0, 0.0, 0.0]],
        item: "None".to_owned(),
        ..Poly::default()
    }]
}

fn brush(package: &mut PackageWriter, number: usize, polys: &[Poly]) -> Ref {
    let class = package.class("Engine", "Polys");
    let polys = package.add(&Export::new(class, &format!("Polys{number}")), |out| write_polys(out, polys));
    let class = package.class("Engine", "Model");
    let model = ModelData { polys, root_outside: true, ..ModelData::default() };
    package.add(&Export::new(class, &format!("Model{number}")), |out| write_model(out, &model))
}

/// A class with its source and one default of each of two objects.
fn class(package: &mut PackageWriter, name: &str, source: &str, defaults: Properties) -> Ref {
    let class = package.export(&Export::new(Ref::NULL, name));
    let script_text = text_buffer(package, "ScriptText", class, source);
    let data = StructData { script_text, friendly_name: name.to_owned(), ..StructData::default() };
    let facts = ClassData { defaults, config_name: "None".to_owned(), ..ClassData::default() };
    package.write(class, |out| write_class(out, &data, &StateData::default(), &facts));
    class
}

#[test]
fn each_thing_is_written_once() {
    let mut package = PackageWriter::new(69, 0);
    let colors = palette(&mut package, "Colors");
    texture(&mut package, "Wall", colors);
    texture(&mut package, "Floor", colors);
    palette(&mut package, "Alone");
    class(&mut package, "Thing", "class Thing extends Object;\r\n", Properties::new());
    brush(&mut package, 1, &polys());
    let level_model = brush(&mut package, 2, &polys());
    let level = package.class("Engine", "Level");
    let data = LevelData { model: level_model, ..LevelData::default() };
    package.add(&Export::new(level, "MyLevel"), |out| write_level(out, &data));
    let lone = package.class("Engine", "Polys");
    package.add(&Export::new(lone, "Lone"), |out| write_polys(out, &polys()));
    let made = Made::new(package);
    // The level of nothing fails. Brushes are written if they are named.
    let (output, target) = made.all("all", &[]);
    assert_eq!(names(&target), ["Alone.png", "Floor.png", "Thing.uc", "Wall.png"]);
    assert!(stderr(&output).contains("2 brushes skipped (--only brush"), "{}", stderr(&output));

    // What is not in another file that is written is written itself.
    assert_eq!(made.names("palettes", &["--only", "palette"]), ["Alone.png", "Colors.png"]);
    assert_eq!(made.names("brushes", &["--only", "brushes"]), ["Lone.glb", "Model1.glb", "Model2.glb"]);
}

/// Sizes of an export of a map with 500 brushes, without and with `--only brush`.
#[test]
fn a_map_of_500_brushes_writes_its_textures_alone() {
    let mut package = PackageWriter::new(69, 0);
    let colors = palette(&mut package, "Colors");
    texture(&mut package, "Wall", colors);
    for number in 0..500 {
        brush(&mut package, number, &polys());
    }
    let made = Made::new(package);
    let size = |folder: &Path| kit::files_below(folder).iter().map(|path| path.metadata().unwrap().len()).sum::<u64>();
    let (output, target) = made.all("all", &[]);
    assert_eq!(names(&target), ["Wall.png"]);
    assert!(stderr(&output).contains("500 brushes skipped"), "{}", stderr(&output));
    let (_, with_brushes) = made.all("brushes", &["--only", "brush"]);
    assert_eq!(names(&with_brushes).len(), 500);
    println!("500 brushes: {} bytes without, {} bytes with them", size(&target), size(&with_brushes));
    assert!(size(&target) * 100 < size(&with_brushes), "{} and {} bytes", size(&target), size(&with_brushes));
}

#[test]
fn parts_of_samples_are_in_their_models() {
    let sample = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name);
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str| {
        let target = folder.path().join(name);
        let done = export(&[text(&sample(name)), "--all", "-o", text(&target)]);
        assert_eq!(status(&done), 0, "{name}: {}", stderr(&done));
        names(&target)
    };
    let snail = written("Helix.model");
    assert_eq!(snail.iter().filter(|name| name.ends_with(".glb")).collect::<Vec<_>>(), ["Helix.glb"]);
    // The bones of an animation file are in each of its clips.
    assert_eq!(written("Ossie.psa"), ["ANIMINFO/Cheer.psa", "ANIMINFO/Idle.psa", "ANIMINFO/Walk.psa"]);
    let code = written("Bonebox.u");
    assert!(
        code.contains(&"OssieBox.uc".to_owned()) && !code.iter().any(|name| name.contains("ScriptText")),
        "{code:?}"
    );
    let room = written("BoneRoom.unr");
    assert!(room.contains(&"BoneRoom.glb".to_owned()) && !room.iter().any(|name| name.contains("Polys")), "{room:?}");
    let oak = written("marrow/oak.p3d");
    assert!(oak.contains(&"oak.glb".to_owned()) && oak.len() == 3 && !oak.iter().any(|n| n.contains("(2)")), "{oak:?}");
    let skins = written("BoneboxFX.utx");
    assert!(skins.contains(&"Skins/OssieBody.png".to_owned()), "{skins:?}");
    for other in ["Skins/OssieBodyPal.png", "Fonts/BoneFontPage0.png"] {
        assert!(!skins.contains(&other.to_owned()), "{other}");
    }
}

#[test]
fn names_that_several_classes_have_get_the_class() {
    for order in [[0, 1, 2], [2, 1, 0]] {
        let mut package = PackageWriter::new(69, 0);
        for kind in order {
            match kind {
                0 => drop(texture(&mut package, "Same", Ref::NULL)),
                1 => sound(&mut package, "SAME", &kit::sounds::looped_wav()),
                _ => drop(palette(&mut package, "same")),
            }
        }
        sound(&mut package, "Other", &kit::sounds::looped_wav());
        let made = Made::new(package);
        let wanted = ["Other.wav", "SAME.Sound.wav", "Same.Texture.png", "same.Palette.png"];
        assert_eq!(made.names("all", &[]), wanted, "whatever comes first");
        assert_eq!(made.names("some", &["--only", "texture"]), ["Same.Texture.png"], "whatever else is written");
    }
    // Equal classes have nothing but a number.
    let mut package = PackageWriter::new(69, 0);
    texture(&mut package, "Same", Ref::NULL);
    texture(&mut package, "same", Ref::NULL);
    assert_eq!(Made::new(package).names("all", &[]), ["Same.png", "same (2).png"]);
}

#[test]
fn classes_in_names_lead_out_of_no_folder() {
    let mut package = PackageWriter::new(69, 0);
    let long = "N".repeat(60);
    for name in ["../../evil", "CON", &long] {
        let class = package.class("Engine", "Texture");
        let data = TextureData { mips: vec![Mip { width: 1, height: 1, bytes: vec![1] }], ..TextureData::default() };
        package.add(&Export::new(class, name), |out| write_texture(out, &data));
        sound(&mut package, name, &kit::sounds::looped_wav());
    }
    let made = Made::new(package);
    let written = made.names("a/b/out", &[]);
    let wanted = [
        ".._.._evil.Sound.wav".to_owned(),
        ".._.._evil.Texture.png".to_owned(),
        format!("{long}.Sound.wav"),
        format!("{long}.Texture.png"),
        "_CON.Sound.wav".to_owned(),
        "_CON.Texture.png".to_owned(),
    ];
    assert_eq!(written, wanted);
    let outside = kit::files_below(made.folder.path())
        .into_iter()
        .filter(|path| !path.starts_with(made.folder.path().join("a/b/out")));
    assert_eq!(outside.collect::<Vec<_>>(), [made.source()]);
}

#[test]
fn kinds_are_chosen_and_left_out() {
    let mut package = PackageWriter::new(69, 0);
    texture(&mut package, "Wall", Ref::NULL);
    palette(&mut package, "Alone");
    sound(&mut package, "Bang", &kit::sounds::looped_wav());
    text_buffer(&mut package, "Read", Ref::NULL, "me");
    class(&mut package, "Thing", "class Thing;\n", Properties::new());
    brush(&mut package, 1, &polys());
    let made = Made::new(package);
    assert_eq!(made.names("a", &["--only", "texture,sound", "--only", "TEXT"]), ["Bang.wav", "Read.txt", "Wall.png"]);
    assert_eq!(made.names("b", &["--skip", "brush,palette,script"]), ["Bang.wav", "Read.txt", "Wall.png"]);
    assert_eq!(made.names("c", &["--only", "script,brush", "--skip", "brush"]), ["Thing.uc"]);
    let (output, _) = made.all("d", &["--only", "texture,mesh"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("mesh") && stderr(&output).contains("landscape, data"), "{}", stderr(&output));
    let alone =
        export(&[text(&made.source()), "Wall", "--only", "texture", "-o", text(&made.folder.path().join("x.png"))]);
    assert!(status(&alone) == 2 && stderr(&alone).contains("--all"), "{}", stderr(&alone));
}

#[test]
fn the_end_says_how_many_of_what_and_why_others_failed() {
    let mut package = PackageWriter::new(69, 0);
    for number in 0..9 {
        text_buffer(&mut package, &format!("Empty{number}"), Ref::NULL, "");
    }
    for number in 0..3 {
        sound(&mut package, &format!("Gone{number}"), b"");
    }
    for name in ["Wall", "Floor"] {
        texture(&mut package, name, Ref::NULL);
    }
    let made = Made::new(package);
    let (output, target) = made.all("out", &[]);
    assert_eq!(status(&output), 1);
    let said = stderr(&output);
    let lines: Vec<&str> =
        said.lines().filter(|line| !line.starts_with("info") && !line.starts_with("warning")).collect();
    assert_eq!(lines[0], "error: 12 entries failed:", "{said}");
    assert!(
        lines[1].starts_with("  9 entries failed with “")
            && lines[1].contains("no text")
            && lines[1].contains("Empty0"),
        "{said}"
    );
    assert!(
        lines[2].starts_with("  3 entries failed with “") && lines[2].contains("server") && lines.len() == 3,
        "{said}"
    );
    let printed = stdout(&output);
    assert!(printed.starts_with("2 of 14 entries exported") && printed.contains("\n2 textures\n"), "{printed}");
    let list = manifest(&target);
    assert_eq!(list["failed"].as_array().unwrap().len(), 12);
    assert_eq!(list["failed"][0]["cause"], list["failed"][8]["cause"]);
    assert_ne!(list["failed"][0]["cause"], list["failed"][9]["cause"]);
    assert_eq!((&list["exported"][0]["kind"], &list["failed"][9]["kind"]), (&"texture".into(), &"sound".into()));
}

#[test]
fn what_has_nothing_in_it_is_no_success() {
    let mut package = PackageWriter::new(69, 0);
    text_buffer(&mut package, "Blank", Ref::NULL, " \r\n ");
    sound(&mut package, "Gone", b"");
    let music = package.class("Engine", "Music");
    package.add(&Export::new(music, "Stripped"), |out| write_music(out, &Properties::new(), "it", b""));
    package.export(&Export::new(music, "Bare"));
    brush(&mut package, 7, &[]);
    let made = Made::new(package);
    for (entry, to, words) in [
        ("Blank", "a.txt", "no text"),
        ("Gone", "a.wav", "servers"),
        ("Gone", "a.bin", "servers"),
        ("Stripped", "a.bin", "the file contains no music data; packages for dedicated servers"),
        ("Stripped", "a.wav", "the file contains no music data"),
        ("Bare", "a.bin", "the file contains no music data"),
        ("Model7", "a.glb", "no triangles"),
        ("Polys7", "a.obj", "no triangles"),
        ("Polys7", "a.psk", "no triangles"),
    ] {
        let (code, said, target) = made.one(entry, to);
        assert!(code == 1 && said.contains(words), "{entry}: {said}");
        assert!(!target.exists(), "{entry}");
    }
    let (output, target) = made.all("all", &[]);
    assert_eq!((status(&output), names(&target)), (1, Vec::new()), "{}", stderr(&output));
    assert_eq!(manifest(&target)["failed"].as_array().unwrap().len(), 4);
    let (_, target) = made.all("brushes", &["--only", "brush"]);
    assert_eq!(manifest(&target)["failed"].as_array().unwrap().len(), 1, "the polygons are their model's");
}

#[test]
fn fields_are_what_inspect_prints() {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    for (number, (file, entry)) in [
        ("Ossie.psk", "PNTS0000"),
        ("Ossie.psa", "ANIMKEYS"),
        ("BoneRoom.unr", "MyLevel"),
        ("Bonebox.u", "OssieMesh"),
        ("Helix.model", "GPL"),
        ("MarrowIsle.pew", "#1"),
    ]
    .into_iter()
    .enumerate()
    {
        let (source, target) = (samples.join(file), folder.path().join(format!("{number}.json")));
        let done = export(&[text(&source), entry, "--format", "json", "-o", text(&target)]);
        assert_eq!(status(&done), 0, "{file}: {}", stderr(&done));
        // The file is called as it was typed.
        let printed = command(["inspect", file, entry, "--json", "--full"]).current_dir(&samples).output().unwrap();
        assert!(std::fs::read(&target).unwrap() == printed.stdout, "{file}: {entry}");
    }
}

#[test]
fn scripts_have_the_line_ends_of_the_package_and_full_names() {
    for (end, source) in [("\r\n", "class Thing;\r\nvar int A;\r\n"), ("\n", "class Thing;\nvar int A;\n")] {
        let mut package = PackageWriter::new(69, 0);
        let group = package.group("Skins");
        let texture_class = package.class("Engine", "Texture");
        let mips = vec![Mip { width: 1, height: 1, bytes: vec![1] }];
        let skin = package.add(&Export::new(texture_class, "Wall").inside(group), |out| {
            write_texture(out, &TextureData { mips, ..TextureData::default() });
        });
        let other = package.external(("Engine", "Texture"), "Walls", &["Bricks", "Red"]);
        let defaults = Properties::new().object("Skin", skin).object("Texture", other).int("A", 3);
        class(&mut package, "Thing", source, defaults);
        let made = Made::new(package);
        let (code, said, target) = made.one("Thing", "Thing.uc");
        assert_eq!(code, 0, "{said}");
        let written = String::from_utf8(std::fs::read(target).unwrap()).unwrap();
        let wanted = format!(
            "{source}{end}defaultproperties{end}{{{end}    Skin=Texture'Made.Skins.Wall'{end}    \
             Texture=Texture'Walls.Bricks.Red'{end}    A=3{end}}}{end}"
        );
        assert_eq!(written, wanted);
    }
    // A text whose lines end in several ways is as it is.
    let mut package = PackageWriter::new(69, 0);
    text_buffer(&mut package, "Mixed", Ref::NULL, "a\r\nb\nc\rd");
    let made = Made::new(package);
    let (code, said, target) = made.one("Mixed", "Mixed.txt");
    assert_eq!((code, std::fs::read(target).unwrap()), (0, b"a\r\nb\nc\rd".to_vec()), "{said}");
}
