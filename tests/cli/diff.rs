//! `diff`: files made here, of which every difference is known, and damaged copies of samples.

use crate::{
    args,
    kit::{
        self,
        containers::{ZipMember, zip},
        program::{Made, bonebox, clips, sheet, status, stderr, stdout},
    },
};
use bonebox::formats::{
    actorx::{Psk, encode_psa, encode_psk},
    unreal::encode::{
        Export, Mip, PackageWriter, Properties, TextureData, write_palette, write_properties, write_text_buffer,
        write_texture,
    },
};
use serde_json::{Value, json as value};
use std::{path::Path, process::Output};

fn write(made: &Made, name: &str, bytes: impl AsRef<[u8]>) -> std::path::PathBuf {
    let path = made.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

fn diff(left: &Path, right: &Path, more: &[&str]) -> Output {
    let mut arguments = args!["diff", left, right];
    arguments.extend(more.iter().map(Into::into));
    bonebox(arguments)
}

/// The JSON document of two files that differ.
#[track_caller]
fn json(left: &Path, right: &Path, more: &[&str]) -> Value {
    let output = diff(left, right, &[more, &["--json"]].concat());
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn assert_same(left: &Path, right: &Path) {
    let output = diff(left, right, &[]);
    assert_eq!((status(&output), stdout(&output)), (0, ""), "{}: {}", left.display(), stderr(&output));
}

/// What a package is made with.
struct Package<'a> {
    /// Names that stand before all others: those of the objects move up.
    names: &'a [&'a str],
    scale: f32,
    wears: &'a str,
    source: &'a str,
    pixel: u8,
    /// An object that only some have.
    extra: Option<&'a str>,
    note: &'a str,
}

const USUAL: Package<'_> = Package {
    names: &[],
    scale: 1.0,
    wears: "Hat",
    source: "class Snail;\r\nvar int Slime;\r\nvar int Shell;\r\n",
    pixel: 1,
    extra: None,
    note: "Note",
};

impl Package<'_> {
    fn bytes(&self) -> Vec<u8> {
        let mut package = PackageWriter::new(69, 0);
        self.names.iter().for_each(|name| {
            package.name(name);
        });
        let text = package.class("Core", "TextBuffer");
        let class = package.class("Engine", "Info");
        if let Some(extra) = self.extra {
            package.add(&Export::new(text, extra), |out| write_text_buffer(out, "more"));
        }
        let hats = ["Hat", "Cap"].map(|name| {
            let properties = Properties::new().string("Title", name);
            package.add(&Export::new(class, name), |out| write_properties(out, &properties))
        });
        let worn = hats[usize::from(self.wears == "Cap")];
        let properties = Properties::new().float("DrawScale", self.scale).object("Wears", worn).name("Tag", "Snail");
        package.add(&Export::new(class, "Snail"), |out| write_properties(out, &properties));
        package.add(&Export::new(text, "Source"), |out| write_text_buffer(out, self.source));
        package.add(&Export::new(text, self.note), |out| write_text_buffer(out, "a note"));
        let palette = package.class("Engine", "Palette");
        let palette = package.add(&Export::new(palette, "Colours"), |out| {
            let colors: Vec<[u8; 3]> = (0..=255).map(|shade| [shade, 0, 0]).collect();
            write_palette(out, &colors);
        });
        let texture = package.class("Engine", "Texture");
        let mut bytes = vec![1; 16];
        bytes[5] = self.pixel;
        let data = TextureData {
            palette,
            mips: vec![Mip { width: 4, height: 4, bytes }],
            properties: Properties::new().object("Palette", palette).int("USize", 4).int("VSize", 4),
            ..TextureData::default()
        };
        package.add(&Export::new(texture, "Skin"), |out| write_texture(out, &data));
        package.finish()
    }
}

/// Paths and states of the entries that differ, without the file itself: its counts and its name table are not the point.
fn states(found: &Value) -> Vec<(String, String)> {
    let entries = found["entries"].as_array().unwrap().iter();
    let path = |entry: &Value| {
        let side = if entry["left"].is_null() { &entry["right"] } else { &entry["left"] };
        side["path"].as_str().unwrap().to_owned()
    };
    let all = entries.map(|entry| (path(entry), entry["state"].as_str().unwrap().to_owned()));
    all.filter(|(path, _)| !path.is_empty()).collect()
}

/// File systems of macOS refuse such names.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn names_that_are_not_unicode_are_compared() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let made = Made::new();
    let [left, right] = ["left", "right"].map(|name| made.path(name));
    let write = |side: &Path, name: &[u8], text: &str| {
        let path = side.join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for (name, of_left, of_right) in [
        (&b"a\xFF.txt"[..], "one", "two"),
        (b"a\xFE.txt", "same", "same"),
        (b"b\xFF/c.txt", "one", "more"),
        // Called as the first one is written.
        ("a\u{FFFD}FF.txt".as_bytes(), "same", "same"),
    ] {
        write(&left, name, of_left);
        write(&right, name, of_right);
    }
    write(&right, b"n\xFF.txt", "new");
    let found = json(&left, &right, &[]);
    assert_eq!(found["problems"].as_array().map(Vec::len), Some(0), "{found}");
    let files = found["files"].as_array().unwrap();
    let of = |file: &Value| (file["state"].as_str().unwrap().to_owned(), file["right"].as_str().unwrap().to_owned());
    let wanted = [("changed", "a\u{FFFD}FF.txt"), ("changed", "b\u{FFFD}FF/c.txt"), ("added", "n\u{FFFD}FF.txt")];
    assert_eq!(files.iter().map(of).collect::<Vec<_>>(), wanted.map(|(state, file)| (state.into(), file.into())));
    assert_eq!(found["counts"]["same"], 2);
    assert_same(&left, &left);
}

#[test]
fn what_only_moved_or_has_other_numbers_is_the_same() {
    let made = Made::new();
    let left = write(&made, "left.u", USUAL.bytes());
    assert_same(&left, &left);
    // 80 names more: numbers of names and objects are longer, and all objects lie elsewhere.
    let names: Vec<String> = (0..80).map(|at| format!("Another{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let right = write(&made, "right.u", Package { names: &names, ..USUAL }.bytes());
    let found = json(&left, &right, &[]);
    assert_eq!(states(&found), [], "{found}");
    assert_eq!(found["entries"][0]["fields"][0]["path"], "NameCount");
    assert_eq!(found["counts"]["same"], 7, "{found}");
    let right = write(&made, "extra.u", Package { names: &names, extra: Some("Extra"), ..USUAL }.bytes());
    assert_eq!(states(&json(&left, &right, &[])), [("Extra".to_owned(), "added".to_owned())]);
    let output = diff(&left, &right, &[]);
    assert!(stdout(&output).contains("+ Extra (TextBuffer, "), "{}", stdout(&output));
    let back = diff(&right, &left, &[]);
    assert!(stdout(&back).contains("- Extra (TextBuffer, "), "{}", stdout(&back));
}

#[test]
fn fields_are_told_by_their_names_with_both_values() {
    let made = Made::new();
    let left = write(&made, "left.u", USUAL.bytes());
    let right = write(&made, "right.u", Package { scale: 2.0, wears: "Cap", ..USUAL }.bytes());
    let output = diff(&left, &right, &[]);
    let line = "~ Snail: Properties.DrawScale 1.0 → 2.0; 1 more field\n";
    assert!(stdout(&output).starts_with(line), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("1 changed; 7 entries identical\n"), "{}", stdout(&output));
    let brief = diff(&left, &right, &["--brief"]);
    assert!(stdout(&brief).starts_with("~ Snail\n") && status(&brief) == 1, "{}", stdout(&brief));

    let found = json(&left, &right, &[]);
    let snail = &found["entries"][0];
    assert_eq!((&snail["left"]["class"], &snail["differingFields"]), (&value!("Info"), &value!(2)));
    let row = |path: &str, left: &str, right: &str| {
        let [path, left, right] = [path, left, right].map(|text| value!(text));
        value!({"path": path, "state": "changed", "left": left, "right": right})
    };
    let rows = value!([row("Properties.DrawScale", "1.0", "2.0"), row("Properties.Wears", "→ Hat", "→ Cap")]);
    assert_eq!(snail["fields"], rows);
    let whole = json(&left, &right, &["--entry", "Snail"]);
    assert_eq!((&whole["state"], &whole["fields"]), (&value!("changed"), &rows));
    let same = diff(&left, &right, &["--entry", "Hat"]);
    assert_eq!((status(&same), stdout(&same)), (0, ""));
    let missing = diff(&left, &right, &["--entry", "Crab"]);
    assert!(status(&missing) == 2 && stderr(&missing).contains("“Crab”"), "{}", stderr(&missing));
}

#[test]
fn texts_are_told_by_line_and_pictures_by_pixel() {
    let made = Made::new();
    let left = write(&made, "left.u", USUAL.bytes());
    let source = "class Snail;\r\nvar float Slime;\r\nvar int Shell;\r\n";
    let right = write(&made, "right.u", Package { source, pixel: 201, ..USUAL }.bytes());
    let states = states(&json(&left, &right, &[]));
    assert_eq!(states, [("Source", "changed"), ("Skin", "changed")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let text = json(&left, &right, &["--entry", "Source"]);
    let lines = text["shown"]["parts"][0]["lines"].as_array().unwrap();
    let lines: Vec<(&str, &str)> =
        lines.iter().map(|line| (line["state"].as_str().unwrap(), line["text"].as_str().unwrap())).collect();
    let wanted = [
        ("same", "class Snail;"),
        ("gone", "var int Slime;"),
        ("added", "var float Slime;"),
        ("same", "var int Shell;"),
    ];
    assert_eq!(lines, wanted);
    let output = diff(&left, &right, &["--entry", "Source"]);
    assert!(stdout(&output).contains("\n  - var int Slime;\n  + var float Slime;\n"), "{}", stdout(&output));
    let picture = json(&left, &right, &["--entry", "Skin"]);
    let wanted = value!({"content": "image", "left": [4, 4], "right": [4, 4], "pixels": 1, "largest": 200});
    assert_eq!(picture["shown"], wanted);
}

#[test]
fn models_and_clips_are_told_by_what_they_have() {
    let made = Made::new();
    let mut psk = sheet("Skin");
    psk.points[7][1] = 3.0;
    let bent = write(&made, "bent.psk", encode_psk(&psk));
    let found = json(&made.path("sheet.psk"), &bent, &["--entry", "Mesh"]);
    let shown = &found["shown"];
    assert_eq!(shown["content"], "model", "{found}");
    let numbers = ["points", "triangles", "movedPoints"].map(|name| shown[name].clone());
    assert_eq!(numbers, [value!([100, 100]), value!([324, 324]), value!(1)]);
    // The scene is in the file's own units here.
    assert_eq!(shown["largestDistance"], 3.0);

    psk.points.pop();
    psk.bones[2].name = "End".to_owned();
    let other = write(&made, "other.psk", encode_psk(&psk));
    let found = json(&made.path("sheet.psk"), &other, &["--entry", "Mesh"]);
    let wanted = value!({"counts": [3, 3], "added": ["End"], "gone": ["Tip"]});
    assert_eq!(found["shown"]["joints"], wanted, "{found}");

    let mut psa = clips(&["Bend", "Bow"], ["Root", "Middle", "Tip"]);
    psa.sequences[1].rate_hz = 4.0;
    let faster = write(&made, "faster.psa", encode_psa(&psa));
    let found = json(&made.path("two.psa"), &faster, &[]);
    let entry = ("ANIMINFO/Bow".to_owned(), "changed".to_owned());
    assert!(states(&found).contains(&entry), "{found}");
    let found = json(&made.path("two.psa"), &faster, &["--entry", "ANIMINFO/Bow"]);
    assert_eq!(found["fields"][0]["path"], "AnimRate", "{found}");
    assert_eq!(found["shown"]["rates"], value!([2.0, 4.0]));
}

#[test]
fn floats_within_the_tolerance_and_both_signs_of_a_rotation_are_equal() {
    let made = Made::new();
    let left = made.path("sheet.psk");
    let changed = |name: &str, change: &dyn Fn(&mut Psk)| {
        let mut psk = sheet("Skin");
        change(&mut psk);
        write(&made, name, encode_psk(&psk))
    };
    let is_same = |right: &Path, tolerance: &[&str]| {
        let output = diff(&left, right, tolerance);
        assert!(status(&output) < 2, "{}", stderr(&output));
        status(&output) == 0
    };
    // The sheet's points are whole numbers: a quarter more is exact.
    let near = changed("near.psk", &|psk| psk.points[7][1] += 0.25);
    assert!(is_same(&near, &["--tolerance", "0.25"]));
    assert!(!is_same(&near, &["--tolerance", "0.125"]) && !is_same(&near, &[]));
    let found = json(&left, &near, &["--tolerance", "0.125"]);
    let found = states(&found);
    assert!(found.contains(&("Mesh".to_owned(), "changed".to_owned())), "{found:?}");
    assert!(found.iter().any(|(path, _)| path.contains("PNTS0000")), "{found:?}");
    // Both files with every point moved a little: no row takes another one's place.
    let all = changed("all.psk", &|psk| psk.points.iter_mut().for_each(|point| point[0] += 1.0));
    assert!(is_same(&all, &["--tolerance", "1"]) && !is_same(&all, &["--tolerance", "0.5"]));

    let flipped = changed("flipped.psk", &|psk| {
        psk.bones[1].rotation = psk.bones[1].rotation.map(|part| -part);
    });
    assert!(is_same(&flipped, &["--tolerance", "0"]) && !is_same(&flipped, &[]));
    // One part alone is another rotation.
    let turned = |name, w| changed(name, &|psk| psk.bones[1].rotation = [0.6, 0.0, 0.0, w]);
    let output = diff(&turned("turned.psk", 0.8), &turned("back.psk", -0.8), &["--tolerance", "0"]);
    assert_eq!(status(&output), 1, "{}", stdout(&output));
    // A vector has one sign.
    let mirrored = changed("mirrored.psk", &|psk| psk.bones[1].position = psk.bones[1].position.map(|part| -part));
    assert!(!is_same(&mirrored, &["--tolerance", "0"]));

    let counted = changed("counted.psk", &|psk| psk.bones[1].flags += 1);
    let output = diff(&left, &counted, &["--tolerance", "2"]);
    assert!(status(&output) == 1 && stdout(&output).contains("Flags 0 → 1"), "{}", stdout(&output));
    let undefined = changed("undefined.psk", &|psk| psk.bones[1].length = f32::NAN);
    assert!(!is_same(&undefined, &["--tolerance", "1e30"]));
    let also = changed("also.psk", &|psk| {
        psk.bones[1].length = f32::NAN;
        psk.points[7][1] += 0.25;
    });
    let output = diff(&undefined, &also, &["--tolerance", "0.25"]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
}

#[test]
fn a_row_that_is_put_in_is_one_row_more() {
    let made = Made::new();
    let mut psk = sheet("Skin");
    psk.points.insert(3, [9.0, 8.0, 7.0]);
    psk.points[50][2] = 5.0;
    let other = write(&made, "other.psk", encode_psk(&psk));
    let found = json(&made.path("sheet.psk"), &other, &["--entry", "PNTS0000"]);
    let rows = found["fields"].as_array().unwrap();
    let rows: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", row["state"].as_str().unwrap(), row["path"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, ["changed DataCount", "added Records.3", "changed Records.49"], "{found:#}");
}

#[test]
fn many_that_are_the_same_moved_one_by_one() {
    let made = Made::new();
    let package = |first: usize| {
        let mut package = PackageWriter::new(69, 0);
        (0..5000).for_each(|at| {
            package.name(&format!("Name{at}"));
        });
        let class = package.class("Core", "TextBuffer");
        for at in first..first + 2000 {
            package.add(&Export::new(class, &format!("Name{at}")), |out| write_text_buffer(out, "all say the same"));
        }
        package.finish()
    };
    let (left, right) = (write(&made, "left.u", package(0)), write(&made, "right.u", package(2000)));
    let found = json(&left, &right, &[]);
    assert_eq!(found["counts"]["moved"], 2000, "{}", found["counts"]);
    let entries = found["entries"].as_array().unwrap();
    let last = entries.iter().rfind(|entry| entry["state"] == "moved").unwrap();
    assert_eq!((&last["left"]["path"], &last["right"]["path"]), (&value!("Name1999"), &value!("Name3999")));
}

#[test]
fn what_has_another_name_and_the_same_bytes_moved() {
    let made = Made::new();
    let left = write(&made, "left.u", USUAL.bytes());
    let right = write(&made, "right.u", Package { note: "Memo", ..USUAL }.bytes());
    let found = json(&left, &right, &[]);
    assert_eq!(states(&found), [("Note".to_owned(), "moved".to_owned())], "{found}");
    let output = diff(&left, &right, &[]);
    assert!(stdout(&output).starts_with("> Note → Memo\n1 moved; "), "{}", stdout(&output));
}

#[test]
fn samples_are_the_same_as_themselves_and_not_as_their_first_half() {
    let made = Made::new();
    let mut files = 0;
    for sample in kit::files_below(&kit::samples()) {
        let name = sample.file_name().unwrap().to_string_lossy().into_owned();
        if status(&bonebox(args!["list", sample])) != 0 {
            continue;
        }
        assert_same(&sample, &sample);
        if std::fs::metadata(&sample).unwrap().len() > 1 << 20 || name.ends_with(".png") {
            continue;
        }
        let whole = std::fs::read(&sample).unwrap();
        let cut = write(&made, &name, &whole[..whole.len() / 2]);
        let output = diff(&sample, &cut, &[]);
        // Of some nothing opens any more.
        assert!([1, 2].contains(&status(&output)), "{name}: {}", stdout(&output));
        assert_eq!(stdout(&output).is_empty(), status(&output) == 2, "{name}");
        assert!(!stderr(&output).contains("internal error in Bonebox"), "{name}: {}", stderr(&output));
        files += usize::from(status(&output) == 1);
    }
    assert!(files >= 6, "only {files} samples open when they are cut");
}

#[test]
fn damaged_copies_are_told_of_without_a_fault() {
    let made = Made::new();
    let whole = USUAL.bytes();
    let left = write(&made, "left.u", &whole);
    for at in (0..whole.len()).step_by(97) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xA5;
        let right = write(&made, "right.u", &damaged);
        let output = diff(&left, &right, &["--json"]);
        let found = status(&output);
        assert!(found <= 2 && !stderr(&output).contains("internal error in Bonebox"), "{at}: {}", stderr(&output));
        assert_eq!(output.stdout.is_empty(), found == 2, "{at}");
    }
}

#[test]
fn folders_are_compared_file_by_file() {
    let made = Made::new();
    let sides = ["left", "right"].map(|side| made.path(side));
    for side in ["left", "right"] {
        write(&made, &format!("{side}/same.txt"), "same");
        write(&made, &format!("{side}/deep/changed.txt"), format!("in the {side}"));
    }
    assert_same(&sides[0], &sides[0]);
    write(&made, "left/old.txt", "it was here");
    write(&made, "right/new.txt", "it came here");
    write(&made, "left/here.bin", [7; 300]);
    write(&made, "right/deep/there.bin", [7; 300]);
    let output = diff(&sides[0], &sides[1], &[]);
    let wanted = "+ new.txt (12 bytes)\n~ deep/changed.txt (11 → 12 bytes)\n> here.bin → deep/there.bin\n\
                  - old.txt (11 bytes)\n1 changed, 1 added, 1 removed, 1 moved; 1 file identical\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!((status(&output), sorted(stdout(&output))), (1, sorted(wanted)));
    let found = json(&sides[0], &sides[1], &[]);
    assert_eq!(found["counts"], value!({"same": 1, "changed": 1, "added": 1, "gone": 1, "moved": 1}));
    let moved = found["files"].as_array().unwrap().iter().find(|file| file["state"] == "moved").unwrap();
    let wanted = value!({"state": "moved", "left": "here.bin", "right": "deep/there.bin", "leftSize": 300,
        "rightSize": 300});
    assert_eq!(*moved, wanted);
}

#[test]
fn containers_are_compared_by_what_is_in_them() {
    let made = Made::new();
    let deep = |text: &str| zip(&[ZipMember::stored("a.txt", b"a"), ZipMember::stored("b.txt", text.as_bytes())]);
    let left = zip(&[ZipMember::stored("deep.zip", &deep("old")), ZipMember::stored("x/same.txt", &[5; 99])]);
    let packed = zip(&[ZipMember::stored("deep.zip", &deep("old")), ZipMember::deflated("x/same.txt", &[5; 99])]);
    let right = zip(&[ZipMember::stored("deep.zip", &deep("newer")), ZipMember::stored("y/same.txt", &[5; 99])]);
    let [left, packed, right] = [("left.zip", left), ("packed.zip", packed), ("right.zip", right)]
        .map(|(name, bytes)| write(&made, name, bytes));
    assert_same(&left, &packed);
    let output = diff(&left, &right, &[]);
    let wanted = "~ deep.zip/b.txt (3 → 5 bytes)\n> x/same.txt → y/same.txt\n1 changed, 1 moved; 1 file identical\n";
    assert_eq!((status(&output), stdout(&output)), (1, wanted));
    // A folder of the same files, and a file in a container.
    write(&made, "out/x/same.txt", [5; 99]);
    write(&made, "out/deep.zip", deep("old"));
    assert_same(&left, &made.path("out"));
    let package = |scale| Package { scale, ..USUAL }.bytes();
    let pack = write(&made, "pack.zip", zip(&[ZipMember::deflated("System/Snail.u", &package(1.0))]));
    let alone = write(&made, "Snail.u", package(2.0));
    let output = diff(&pack.join("System/Snail.u"), &alone, &[]);
    assert!(stdout(&output).starts_with("~ Snail: Properties.DrawScale 1.0 → 2.0\n"), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_compared_is_status_2() {
    let made = Made::new();
    let psk = made.path("sheet.psk");
    let note = write(&made, "note.txt", "no model");
    for (arguments, said) in [
        (args!["diff", psk, made.path("missing.psk")], "missing.psk"),
        (args!["diff", note, psk], "note.txt"),
        (args!["diff", psk, made.folder()], "folder"),
        (args!["diff", made.folder(), made.folder(), "--entry", "x"], "--entry"),
        (args!["diff", psk], "required"),
        (args!["diff", psk, psk, "--brief", "--entry", "x"], "--brief"),
        (args!["diff", made.folder(), made.folder(), "--tolerance", "1"], "--tolerance works only with files"),
        (args!["diff", psk, psk, "--tolerance", "-1"], "at least 0"),
        (args!["diff", psk, psk, "--tolerance", "NaN"], "at least 0"),
    ] {
        let output = bonebox(&arguments);
        assert_eq!((status(&output), stdout(&output)), (2, ""), "{arguments:?}");
        assert!(stderr(&output).starts_with("error:") && stderr(&output).contains(said), "{}", stderr(&output));
    }
}
