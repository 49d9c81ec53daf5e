//! `find` over made packages, meshes and clips: names, texts, who uses what, which clips fit.

use crate::{
    args,
    kit::{
        containers::{ZipMember, zip},
        program::{clips, command, sheet, stderr, stdout},
    },
};
use bonebox::formats::{
    actorx::{encode_psa, encode_psk},
    unreal::encode::{Export, PackageWriter, write_text_buffer},
};
use serde_json::{Value, json};
use std::{ffi::OsString, fs, path::Path, process::Output};

/// A game: a package of texts, one that takes two things of it (one of them is elsewhere), one in a container, a mesh with clips.
struct Game {
    folder: tempfile::TempDir,
    index: tempfile::TempDir,
}

fn texts(names: &[(&str, &str)]) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "TextBuffer");
    for (name, text) in names {
        package.add(&Export::new(class, name), |out| write_text_buffer(out, text));
    }
    package.finish()
}

/// Takes texts of other packages.
fn user(takes: &[(&str, &str)]) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "TextBuffer");
    for (of, name) in takes {
        package.external(("Core", "TextBuffer"), of, &[name]);
    }
    package.add(&Export::new(class, "Own"), |out| write_text_buffer(out, "nothing"));
    package.finish()
}

impl Game {
    fn new() -> Self {
        let game = Self { folder: tempfile::tempdir().unwrap(), index: tempfile::tempdir().unwrap() };
        let write = |name: &str, bytes: Vec<u8>| {
            let path = game.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        write("System/Lines.u", texts(&[("Greeting", "first\r\nhello Pigeon\r\nPIGEON again"), ("Farewell", "bye")]));
        write("Other/Old.u", texts(&[("Gone", "was elsewhere")]));
        write("System/Shop.u", user(&[("Lines", "Greeting"), ("Lines", "Gone"), ("NoSuch", "Thing")]));
        let inner = texts(&[("Greeting", "another one")]);
        let map = user(&[("Lines", "Greeting")]);
        write(
            "Pack.zip",
            zip(&[ZipMember::deflated("System/Lines.u", &inner), ZipMember::stored("Maps/Hall.u", &map)]),
        );
        write("Models/sheet.psk", encode_psk(&sheet("Skin")));
        write("Models/sheet.psa", encode_psa(&clips(&["Bend"], ["Root", "Middle", "Tip"])));
        write("Far/stranger.psa", encode_psa(&clips(&["Roll"], ["Wheel", "Axle", "Cog"])));
        write("Far/also.psa", encode_psa(&clips(&["Bow"], ["Root", "Middle", "Tip"])));
        write("Copy/sheet.psk", encode_psk(&sheet("Skin")));
        game
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn find(&self, arguments: &[&str]) -> Output {
        let mut all: Vec<OsString> = args!["find", self.path()];
        all.extend(arguments.iter().map(OsString::from));
        command(all).env("BONEBOX_COLLECTIONS", self.index.path().join("index.redb")).output().unwrap()
    }

    #[track_caller]
    fn lines(&self, arguments: &[&str]) -> Vec<String> {
        let output = self.find(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        stdout(&output).lines().map(|line| line.replace('\\', "/")).collect()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.find(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {}", stderr(&output)))
    }
}

#[test]
fn entries_of_all_files_are_found_by_words_and_numbers() {
    let game = Game::new();
    let found = game.lines(&["greeting"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("System/Lines.u::Greeting  TextBuffer")), "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("Pack.zip/System/Lines.u::Greeting  TextBuffer")), "{found:?}");
    let found = game.lines(&["type:clip", "bones=3", "--limit", "1"]);
    assert!(matches!(&*found, [one] if one.contains("3 bones, 3 frames")), "{found:?}");
    let shape = game.json(&["bend", "type:clip"]);
    assert_eq!(shape["total"], 1);
    assert_eq!(shape["found"][0]["file"], "Models/sheet.psa");
    assert_eq!((&shape["found"][0]["bones"], &shape["found"][0]["frames"]), (&json!(3), &json!(3)));
    assert_eq!(game.lines(&["greeting -in:pack.zip"]).len(), 1, "words in one argument");
    assert_eq!(game.lines(&["greeting", "--", "-in:pack.zip"]).len(), 1);
}

#[test]
fn what_is_not_found_or_understood_is_told() {
    let game = Game::new();
    let nothing = game.find(&["nosuchname"]);
    assert_eq!((nothing.status.code(), stdout(&nothing)), (Some(1), ""));
    let odd = game.find(&["greeting", "bonse>3"]);
    assert_eq!(odd.status.code(), Some(0));
    assert!(stderr(&odd).contains("bonse>3: unknown property “bonse”"), "{}", stderr(&odd));
    assert_eq!(game.json(&["greeting", "bonse>3"])["problems"].as_array().map(Vec::len), Some(1));
    for wrong in [&[][..], &["type:"], &["a", "--duplicates"], &["--needs", "a", "--uses", "b"]] {
        let output = game.find(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", stderr(&output));
    }
    for (missing, said) in [
        (["--needs", "Nothing.u"], "no such file in the collection"),
        (["--uses", "Nothing"], "nothing in the collection is named"),
        (["--uses", "Shop.u::Nothing"], "no entry “Nothing”"),
        (["--needs", "Lines.u"], "several files match"),
        (["--clips-for", "Shop.u"], "contains no matching model"),
    ] {
        let output = game.find(&missing);
        assert_eq!(output.status.code(), Some(1), "{missing:?}");
        assert!(stderr(&output).contains(said), "{missing:?}: {}", stderr(&output));
    }
    let output = command(args!["find", "/no/such/place", "a"])
        .env("BONEBOX_COLLECTIONS", game.index.path().join("index.redb"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no such file, folder or collection"), "{}", stderr(&output));
}

#[test]
fn texts_are_found_by_their_lines() {
    let game = Game::new();
    assert_eq!(
        game.lines(&["text:pigeon"]),
        ["System/Lines.u::Greeting:2: hello Pigeon", "System/Lines.u::Greeting:3: PIGEON again"]
    );
    assert_eq!(game.lines(&["text:pigeon", "--limit", "1"]).len(), 1);
    let shape = game.json(&["text:\"another one\"", "in:pack.zip"]);
    assert_eq!((&shape["found"][0]["line"], &shape["found"][0]["text"]), (&json!(1), &json!("another one")));
    assert_eq!(game.find(&["text:pigeon", "in:pack.zip"]).status.code(), Some(1));
}

#[test]
fn who_uses_what_and_where_what_is_missing_lies() {
    let game = Game::new();
    assert_eq!(
        game.lines(&["--uses", "Pack.zip/System/Lines.u"]),
        ["Pack.zip/Maps/Hall.u  Lines.Greeting  TextBuffer"]
    );
    let users = game.lines(&["--uses", "greeting"]);
    assert_eq!(users.len(), 2, "{users:?}");
    let needs = game.json(&["--needs", "Shop.u"]);
    let of = |name: &str| needs.as_array().unwrap().iter().find(|need| need["name"] == name).unwrap().clone();
    assert_eq!((&of("Lines")["state"], &of("Lines")["file"]), (&json!("found"), &json!("System/Lines.u")));
    let entries = of("Lines")["entries"].clone();
    let entry = |path: &str| entries.as_array().unwrap().iter().find(|entry| entry["path"] == path).unwrap().clone();
    assert_eq!(entry("Greeting")["found"], true);
    assert_eq!((&entry("Gone")["found"], &entry("Gone")["elsewhere"]), (&json!(false), &json!(["Other/Old.u::Gone"])));
    assert_eq!(of("NoSuch")["state"], "missing");
    let text = game.lines(&["--needs", "Shop.u"]);
    assert!(text.iter().any(|line| line.contains("missing: Gone TextBuffer: found in Other/Old.u::Gone")), "{text:?}");
}

#[test]
fn copies_and_fitting_clips_are_found() {
    let game = Game::new();
    let same = game.json(&["--duplicates"]);
    assert_eq!(same["files"][0]["members"], json!(["Copy/sheet.psk", "Models/sheet.psk"]));
    assert_eq!(same["files"].as_array().map(Vec::len), Some(1));
    let fits = game.lines(&["--clips-for", "Models/sheet.psk"]);
    assert_eq!(fits.len(), 2, "{fits:?}");
    assert!(fits[0].starts_with("Models/sheet.psa::") && fits[0].contains("3 of 3 bones match"), "{fits:?}");
    assert!(fits[1].starts_with("Far/also.psa::"), "{fits:?}");
    let models = game.json(&["--models-for", "Far/also.psa"]);
    assert_eq!(models.as_array().map(Vec::len), Some(2));
    assert_eq!(models[0]["evidence"], "names");
}
