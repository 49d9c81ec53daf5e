//! The index of collections through the program: made, renewed, printed.

use crate::{
    args,
    kit::{
        self,
        containers::umod,
        program::{command, status, stderr, stdout},
    },
};
use bonebox::library::{LEFT_ALONE, Quarantine, collection::Store};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

/// A folder of files, with an index of its own.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn with(samples: &[&str]) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.files()).unwrap();
        for name in samples {
            fs::copy(kit::samples().join(name), place.files().join(name)).unwrap();
        }
        place
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("index/collections.redb")
    }

    fn run(&self, arguments: Vec<OsString>) -> Output {
        command(&arguments).env("BONEBOX_COLLECTIONS", self.store()).output().unwrap()
    }

    /// Renews the index: what was printed.
    fn index(&self) -> Value {
        let output = self.run(args!["index", self.files(), "--json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// Files that were read, were as before, and are gone.
fn counts(said: &Value) -> [u64; 3] {
    ["read", "kept", "gone"].map(|key| said[key].as_u64().unwrap())
}

/// The objects that `index --format jsonl` prints.
fn lines(paths: &[&Path]) -> Vec<Value> {
    let mut arguments = args!["index", "--format", "jsonl"];
    arguments.extend(paths.iter().map(OsString::from));
    let output = command(&arguments).output().unwrap();
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn entry<'a>(lines: &'a [Value], file: &str, path: &str) -> &'a Value {
    let is_it = |line: &&Value| {
        line["kind"] == "entry" && line["file"].as_str().unwrap().ends_with(file) && line["path"] == path
    };
    lines.iter().find(is_it).unwrap_or_else(|| panic!("{file} has no {path}"))
}

#[test]
fn lines_say_what_is_known_of_entries() {
    let names = ["Ossie.psk", "Ossie.psa", "BonePack.umod", "Bonebox.u", "Bonebox.szs"];
    let paths = names.map(|name| kit::samples().join(name));
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let lines = lines(&paths);
    let file = |name: &str| {
        let is_it = |line: &&Value| line["kind"] == "file" && line["file"].as_str().unwrap().ends_with(name);
        lines.iter().find(is_it).unwrap()
    };
    let psk = file("Ossie.psk");
    assert_eq!((psk["format"].as_str(), psk["size"].as_u64()), (Some("psk"), Some(266_772)));
    // The first half of what sha1sum says.
    let sum = kit::sha1::sha1(&fs::read(kit::samples().join("Ossie.psk")).unwrap());
    assert_eq!(psk["digest"].as_str(), sum.get(..16));

    let model = lines.iter().find(|line| line["content"] == "model" && line["file"] == psk["file"]).unwrap();
    let walk = entry(&lines, "Ossie.psa", "ANIMINFO/Walk");
    assert_eq!((walk["frames"].as_u64(), walk["joint_count"].as_u64()), (Some(24), model["joint_count"].as_u64()));
    assert_eq!(walk["joints"], model["joints"]);
    assert_eq!(model["joints"].as_array().unwrap().len() as u64, model["joint_count"].as_u64().unwrap());

    // A package in a mod, and what it takes from another one there.
    let banner = entry(&lines, "BonePack.umod/Textures/BonePackFX.utx", "Skins.Banner");
    assert_eq!((banner["width"].as_u64(), banner["height"].as_u64()), (Some(128), Some(128)));
    assert_eq!((banner["name"].as_str(), banner["class"].as_str()), (Some("Banner"), Some("Texture")));
    let imports: Vec<(&str, &str)> = lines
        .iter()
        .filter(|line| line["kind"] == "import" && line["file"].as_str().unwrap().ends_with("BonePack.u"))
        .filter(|line| line["built_in"] == false)
        .map(|line| (line["from"].as_str().unwrap(), line["path"].as_str().unwrap()))
        .collect();
    assert_eq!(imports, [("BonePackFX", "Skins.Banner"), ("BonePackFX", "Skins.Pole")]);

    let bark = entry(&lines, "Bonebox.u", "Sounds.Bark");
    assert!((0.05..2.0).contains(&bark["seconds"].as_f64().unwrap()), "{bark}");
    let script = lines.iter().find(|line| line["role"] == "script" && line["lines"].as_u64() > Some(3));
    assert!(script.is_some_and(|script| script["file"].as_str().unwrap().ends_with("Bonebox.u")), "{script:?}");
    let clip = entry(&lines, "Bonebox.szs", "Bonebox.arc/bck/lumo_swim.bck");
    assert!(clip.get("joints").is_none() && clip["joint_count"].as_u64() > Some(5), "{clip}");
}

#[test]
fn a_landscape_needs_the_models_of_its_objects() {
    let island = kit::samples().join("MarrowIsle.pew");
    let lines = lines(&[&island]);
    let imports = lines.iter().filter(|line| line["kind"] == "import");
    let named: BTreeSet<String> =
        imports.map(|line| line["from"].as_str().unwrap().rsplit('\\').next().unwrap().to_lowercase()).collect();
    let there = fs::read_dir(kit::samples().join("marrow")).unwrap();
    let there: BTreeSet<String> = there.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert!(there.is_subset(&named) && named.contains("marrowisle.png"), "{named:?}");

    // In a collection they are found, whatever folder of the game they are called by.
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let output = place.run(args!["find", kit::samples(), "--needs", "MarrowIsle.pew", "--json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let needs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let house = needs.as_array().unwrap().iter().find(|need| need["name"].as_str().unwrap().ends_with("house.p3d"));
    assert_eq!(house.unwrap()["file"].as_str(), Some("marrow/house.p3d"));
}

#[test]
fn only_what_changed_is_read_again() {
    let place = Place::with(&["Ossie.psk", "BonePack.umod", "BoneRoom.unr"]);
    fs::write(place.files().join("notes.txt"), "nothing that opens").unwrap();
    let said = place.index();
    assert_eq!(counts(&said), [4, 0, 0]);
    // The mod's two packages are files of their own, and so are its packed tune and what that is packed from.
    assert_eq!(said["files"].as_u64(), Some(7));
    let again = place.index();
    assert_eq!((counts(&again), &again["entries"]), ([0, 4, 0], &said["entries"]));

    // Moved: found again by its bytes. Gone: forgotten. Changed: read.
    let files = place.files();
    fs::create_dir(files.join("below")).unwrap();
    fs::rename(files.join("Ossie.psk"), files.join("below/Ossie.psk")).unwrap();
    fs::remove_file(files.join("BonePack.umod")).unwrap();
    fs::copy(kit::samples().join("Bonebox.u"), files.join("BoneRoom.unr")).unwrap();
    let said = place.index();
    assert_eq!((counts(&said), said["files"].as_u64()), ([2, 1, 2], Some(2)));
    let classes = place.run(args!["find", place.files(), "class:class", "--json"]);
    assert_eq!(status(&classes), 0, "{}", stderr(&classes));
    assert!(stdout(&classes).contains("BoneRoom.unr"), "{}", stdout(&classes));
}

#[test]
fn a_damaged_index_and_one_of_another_version_are_made_anew() {
    let place = Place::with(&["Ossie.psk", "Helix.model"]);
    let said = place.index();
    let whole = fs::read(place.store()).unwrap();
    let mut damages: Vec<Vec<u8>> =
        vec![Vec::new(), b"no index".to_vec(), whole[..whole.len() / 2].to_vec(), vec![0; 70_000]];
    // What begins as it should and then says nothing.
    let mut emptied = whole.clone();
    emptied[4096..].fill(0xA5);
    damages.push(emptied);
    for (number, damaged) in damages.into_iter().enumerate() {
        fs::write(place.store(), &damaged).unwrap();
        let again = place.index();
        assert_eq!((counts(&again), &again["entries"]), ([2, 0, 0], &said["entries"]), "damage {number}");
        assert_eq!(counts(&place.index()), [0, 2, 0], "damage {number}");
        // Put aside, not lost: the variable can name any file. redb fills an empty file itself.
        if !damaged.is_empty() {
            let aside = place.store().with_extension("redb.old");
            assert!(fs::metadata(&aside).is_ok_and(|found| found.len() > 0), "damage {number}");
            fs::remove_file(aside).unwrap();
        }
    }
}

#[test]
fn what_does_not_open_is_a_problem_and_the_rest_is_indexed() {
    let place = Place::with(&["Ossie.psk"]);
    let psk = fs::read(kit::samples().join("Ossie.psk")).unwrap();
    fs::write(place.files().join("short.psk"), &psk[..20]).unwrap();
    fs::write(place.files().join("bad.umod"), &umod(&[("a.psk", &psk, 0)])[40..]).unwrap();
    let said = place.index();
    let problems: Vec<&str> =
        said["problems"].as_array().unwrap().iter().map(|p| p["file"].as_str().unwrap()).collect();
    assert_eq!(problems.len(), 2, "{said}");
    assert!(
        problems.iter().any(|file| file.ends_with("short.psk"))
            && problems.iter().any(|file| file.ends_with("bad.umod"))
    );
    assert_eq!(said["files"].as_u64(), Some(3));
    let missing = place.run(args!["index", place.files().join("none")]);
    assert_eq!((status(&missing), stderr(&missing).contains("no such file or folder")), (1, true));
}

/// The problems of files that are left alone.
fn left_alone(said: &Value) -> Vec<PathBuf> {
    let problems = said["problems"].as_array().unwrap().iter();
    let of_it = problems.filter(|problem| problem["message"] == LEFT_ALONE);
    of_it.map(|problem| PathBuf::from(problem["file"].as_str().unwrap())).collect()
}

#[test]
fn a_file_that_ended_the_program_twice_is_not_read_again_until_it_is_named() {
    let place = Place::with(&["Ossie.psk", "Ossie.psa"]);
    let bad = place.files().join("Ossie.psk");
    for _ in 0..2 {
        let process = Quarantine::default();
        process.start(&Store::at(place.store()).journals());
        std::mem::forget(process.reading(&bad));
    }
    let said = place.index();
    assert_eq!((left_alone(&said), counts(&said)), (vec![bad.clone()], [2, 0, 0]));
    let again = place.index();
    assert_eq!((left_alone(&again), counts(&again)), (vec![bad.clone()], [0, 2, 0]));
    let found = place.run(args!["find", place.files(), "type:model", "--json"]);
    assert!(!stdout(&found).contains("Ossie.psk"), "{}", stdout(&found));
    assert_eq!(status(&place.run(args!["index", &bad])), 0);
    let found = place.run(args!["find", place.files(), "type:model", "--json"]);
    assert!(stdout(&found).contains("Ossie.psk"), "{}", stderr(&found));
    assert_eq!(left_alone(&place.index()), [""; 0].map(PathBuf::from));
}

#[test]
fn files_of_a_program_that_is_killed_once_are_read_again() {
    let place = Place::with(&["Ossie.psk"]);
    let journals = Store::at(place.store()).journals();
    let reading = || -> Option<String> {
        let listed = fs::read_dir(&journals).ok()?.flatten();
        listed.filter_map(|entry| fs::read_to_string(entry.path()).ok()).find(|text| text.contains("large"))
    };
    let killed = (0..50).find_map(|number| {
        // A package that takes a while to read, since all of it is summed.
        let large = place.files().join(format!("large{number}.u"));
        let mut file = fs::File::create(&large).unwrap();
        file.write_all(&[0xC1, 0x83, 0x2A, 0x9E]).unwrap();
        file.set_len(200 << 20).unwrap();
        let mut program = command(args!["index", place.files()]);
        let mut program = program.env("BONEBOX_COLLECTIONS", place.store()).stdout(Stdio::null()).spawn().unwrap();
        let mut was_reading = false;
        while !was_reading && program.try_wait().unwrap().is_none() {
            was_reading = reading().is_some();
        }
        program.kill().unwrap();
        program.wait().unwrap();
        // It may have come to its end in the meantime.
        was_reading.then(reading).flatten()
    });
    let journal = killed.unwrap();
    assert_eq!(left_alone(&place.index()), [""; 0].map(PathBuf::from), "{journal}");
    assert_eq!(fs::read_dir(&journals).unwrap().count(), 0);
}

/// File systems of macOS refuse such names.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn names_that_are_not_unicode_are_indexed_found_and_listed() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::with(&[]);
    // The last one is called as the first one is written.
    let names: [&[u8]; 4] = [b"a\xFF.psk", b"a\xFE.psk", b"b\xFF/a.psk", "a\u{FFFD}FF.psk".as_bytes()];
    for name in names {
        let path = place.files().join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(kit::samples().join("Ossie.psk"), path).unwrap();
    }
    let said = place.index();
    assert_eq!((counts(&said), said["problems"].as_array().map(Vec::len)), ([4, 0, 0], Some(0)), "{said}");
    assert_eq!(counts(&place.index()), [0, 4, 0]);

    let wanted = BTreeSet::from([
        "a\u{FFFD}FF.psk",
        "a\u{FFFD}FE.psk",
        "b\u{FFFD}FF/a.psk",
        "a\u{FFFD}EF\u{FFFD}BF\u{FFFD}BDFF.psk",
    ]);
    let json = |arguments: Vec<OsString>| -> Value {
        let output = place.run(arguments);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
    };
    let files = |list: &Value| -> BTreeSet<String> {
        list.as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect()
    };
    let found = json(args!["find", place.files(), "type:model", "--json"]);
    assert_eq!(files(&found["found"]), wanted.iter().map(|name| (*name).to_owned()).collect());
    let needs = place.run(args!["find", place.files(), "--needs", "a\u{FFFD}FE.psk", "--json"]);
    assert!(status(&needs) < 2, "{}", stderr(&needs));
    let listed = json(args!["list", place.files(), "--json"]).to_string();
    assert!(wanted.iter().all(|name| listed.contains(name)), "{listed}");

    // Renamed away, they are gone from the index.
    for name in &names[..2] {
        fs::remove_file(place.files().join(std::ffi::OsStr::from_bytes(name))).unwrap();
    }
    assert_eq!(counts(&place.index()), [0, 2, 2]);
}

/// File systems of macOS refuse such names.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn names_that_are_not_unicode_are_printed_apart() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::with(&["Ossie.psk"]);
    let model = place.files().join("Ossie.psk");
    for (name, text) in [(b"a\xFF", "/a\u{FFFD}FF"), (b"a\xFE", "/a\u{FFFD}FE")] {
        let path = place.files().join(std::ffi::OsStr::from_bytes(name));
        let [missing, glb] = ["psk", "glb"].map(|extension| path.with_extension(extension));
        for arguments in [
            args!["list", missing],
            args!["diff", missing, model],
            args!["index", missing],
            args!["index", "--format", "jsonl", missing],
            args!["export", missing, "--all", "-o", path],
        ] {
            let output = place.run(arguments.clone());
            assert!(stderr(&output).contains(&format!("{text}.psk: ")), "{arguments:?}: {}", stderr(&output));
        }
        let export = || place.run(args!["export", model, "-o", glb]);
        assert!(stdout(&export()).contains(&format!("{text}.glb")));
        let again = export();
        assert!(stderr(&again).contains(&format!("{text}.glb already exists")), "{}", stderr(&again));
    }
}

#[test]
fn collections_are_remembered_by_name() {
    let place = Place::with(&["Ossie.psk"]);
    let named = place.run(args!["index", place.files(), "--name", "Mine"]);
    assert_eq!((status(&named), stdout(&named).starts_with("1 file, ")), (0, true), "{}", stdout(&named));
    let listed: Value = serde_json::from_slice(&place.run(args!["index", "--list", "--json"]).stdout).unwrap();
    let collections = listed["collections"].as_array().unwrap();
    assert_eq!((collections.len(), collections[0]["name"].as_str()), (1, Some("Mine")));
    assert_eq!(collections[0]["roots"][0].as_str(), place.files().to_str());
    assert_eq!(status(&place.run(args!["index", "--forget", "Mine"])), 0);
    assert_eq!(stdout(&place.run(args!["index", "--list"])), "");
    assert_eq!(status(&place.run(args!["index", "--forget", "Mine"])), 1);
    assert_eq!(status(&place.run(args!["index"])), 2);
}

#[test]
fn every_file_of_the_corpus_is_indexed_twice_alike() {
    let Some(corpus) = kit::corpus() else { return };
    let folders = ["actorx", "j3d", "charpipe", "containers"].map(|name| corpus.join(name));
    let paths: Vec<OsString> = folders.iter().map(OsString::from).collect();
    let print = || {
        let mut arguments = args!["index", "--format", "jsonl"];
        arguments.extend(paths.clone());
        command(&arguments).output().unwrap()
    };
    let (first, second) = (print(), print());
    assert_eq!(first.stdout, second.stdout);
    let files = stdout(&first).lines().filter(|line| line.starts_with("{\"kind\":\"file\"")).count();
    assert!(files > 300, "{files} files: {}", stderr(&first));
}
