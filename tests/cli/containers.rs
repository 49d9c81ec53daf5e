//! Containers through the program: listed, looked into by path, unpacked.

use crate::{
    args,
    kit::{
        self,
        containers::{ZipMember, expected_of, umod, zip},
        corpus,
        isos::iso,
        program::{bonebox, json, stderr, stdout},
        sha1::sha1,
    },
};
use serde_json::Value;
use std::{collections::BTreeMap, ffi::OsString, fs, path::Path};

/// Size and SHA-1 of a file.
type Summed = (Option<u64>, Option<String>);

/// Folders of the corpus with containers.
const FOLDERS: &[&str] = &["umod", "uz", "pbo", "zip", "iso", "disc", "nested"];

/// Size and SHA-1 of the files that `list --files` prints, and the codes of what is wrong with them.
fn files(path: &Path) -> (BTreeMap<String, Summed>, Vec<String>) {
    let output = bonebox(args!["list", path, "--files", "--json"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
    let mut codes = Vec::new();
    let mut files = BTreeMap::new();
    for file in printed["files"].as_array().unwrap() {
        let problems = file["problems"].as_array().into_iter().flatten();
        codes.extend(problems.map(|problem| problem["code"].as_str().unwrap().to_owned()));
        let sum = file["sha1"].as_str().map(str::to_owned);
        let path = file["path"].as_str().unwrap().to_owned();
        // A container that is not opened is listed again with why.
        files.entry(path).or_insert((file["size"].as_u64(), sum));
    }
    assert_eq!(output.status.code(), Some(i32::from(!codes.is_empty())), "{}", path.display());
    (files, codes)
}

#[test]
fn files_in_containers_of_the_corpus_have_the_expected_sizes_and_sums() {
    let Some(corpus) = corpus() else { return };
    let mut compared = 0;
    for folder in FOLDERS {
        for (path, expected) in expected_of(&corpus.join("containers").join(folder)) {
            if expected["opens"] != true {
                continue;
            }
            let name = path.display();
            let (found, codes) = files(&path);
            if path.ends_with("bad_deep.zip") {
                assert!(codes.contains(&"container.bomb-depth".to_owned()), "{codes:?}");
            }
            if path.ends_with("bad_wide_bomb.zip") {
                assert!(codes.iter().any(|code| code == "container.bomb-total"), "{codes:?}");
            }
            let members = expected["members"].as_array().into_iter().flatten().map(|member| (String::new(), member));
            let inner = expected["inner"].as_object().into_iter().flatten().flat_map(|(above, members)| {
                members.as_array().unwrap().iter().map(move |member| (format!("{above}/"), member))
            });
            for (above, member) in members.chain(inner) {
                let is_lost = ["damaged", "encrypted", "refused"].iter().any(|key| member[*key] == true);
                let Some(sum) = member["sha1"].as_str().filter(|_| !is_lost) else { continue };
                let path = format!("{above}{}", member["path"].as_str().unwrap());
                let wanted = (member["size"].as_u64(), Some(sum.to_owned()));
                assert_eq!(found.get(&path), Some(&wanted), "{name}: {path}");
                compared += 1;
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn a_path_leads_into_containers_and_what_lies_there_finds_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read(kit::samples().join(name)).unwrap();
    let inner = zip(&[
        ZipMember::deflated("models/Arm.psk", &fs::read(kit::data().join("actorx/syn_arm.psk")).unwrap()),
        ZipMember::stored("models/Arm.psa", &fs::read(kit::data().join("actorx/syn_arm.psa")).unwrap()),
    ]);
    let outer = umod(&[("Stuff\\inner.zip", &inner, 0), ("System\\Bonebox.u", &read("Bonebox.u"), 0)]);
    let file = folder.path().join("Pack.umod");
    fs::write(&file, outer).unwrap();

    let model = file.join("Stuff/inner.zip/models/Arm.psk");
    let listed = json(args!["list", model, "--json"]);
    assert_eq!((listed["format"].as_str(), listed["file"].as_str()), (Some("psk"), model.to_str()));
    // Without regard to case, as everywhere.
    let again = file.join("stuff/INNER.ZIP/Models/arm.psk");
    assert_eq!(json(args!["list", again, "--json"])["entries"], listed["entries"]);
    // Its clips lie beside it in the archive.
    let posed = bonebox(args!["pose", model, "--clip", "#1"]);
    let animated = folder.path().join("arm.glb");
    let output = bonebox(args!["export", model, "-o", animated]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stderr(&output), stderr(&posed));
    let glb = gltf::Gltf::open(&animated).unwrap();
    assert!(glb.animations().count() > 0);

    let package = file.join("System/Bonebox.u");
    assert_eq!(bonebox(args!["verify", package]).status.code(), Some(0));
    let missing = bonebox(args!["list", file.join("System/None.u")]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("cannot find “System/None.u” in Pack.umod"), "{}", stderr(&missing));
    let folder_of = bonebox(args!["list", file.join("System")]);
    assert!(stderr(&folder_of).contains("folder in a container"), "{}", stderr(&folder_of));
    let no_container = bonebox(args!["list", kit::samples().join("Bonebox.u").join("a")]);
    assert!(stderr(&no_container).contains("is not a container"), "{}", stderr(&no_container));
}

#[test]
fn members_are_unpacked_under_safe_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Pack.umod");
    let members: &[(&str, &[u8], u32)] =
        &[("..\\..\\evil.txt", b"evil", 0), ("Maps\\CON", b"con", 0), ("Maps\\a.txt", b"text", 0)];
    fs::write(&file, umod(members)).unwrap();
    let target = folder.path().join("out/here");
    let output = bonebox(args!["export", file, "--unpack", "-o", target]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut written: Vec<String> = kit::files_below(folder.path())
        .into_iter()
        .map(|path| path.strip_prefix(folder.path()).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    written.sort();
    let texts = written.iter().filter(|path| path.starts_with("out/here/") && !path.ends_with(".json"));
    assert_eq!(texts.collect::<Vec<_>>(), ["out/here/Maps/_CON", "out/here/Maps/a.txt", "out/here/_/_/evil.txt"]);
    assert!(written.iter().all(|path| path.starts_with("out/here/") || path == "Pack.umod"), "{written:?}");
    assert_eq!(sha1(&fs::read(target.join("_/_/evil.txt")).unwrap()), sha1(b"evil"));
}

#[test]
fn the_table_of_a_container_says_how_its_members_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.zip");
    let text = b"bones and bones and bones and bones";
    fs::write(&file, zip(&[ZipMember::stored("a/b.txt", b"b"), ZipMember::deflated("c.txt", text)])).unwrap();
    let output = bonebox(args!["list", file]);
    let table = stdout(&output);
    let packed = ZipMember::deflated("", text).stored.len();
    assert!(table.lines().any(|line| line.ends_with("a/")), "{table}");
    let row = table.lines().find(|line| line.ends_with("c.txt")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words, ["#3", &packed.to_string(), &text.len().to_string(), "Deflate", "c.txt"]);
    let failed = bonebox(args!["list", kit::samples().join("Bonebox.u"), "--files"]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(stderr(&failed).ends_with("Bonebox.u is not a container: --files works only with containers\n"));
}

#[test]
fn everything_in_a_folder_of_containers_is_listed_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let pack = kit::samples().join("BonePack.umod");
    for name in ["BonePack.umod", "BoneDisc.gcm", "Ossie_Eyes.png"] {
        fs::copy(kit::samples().join(name), folder.path().join(name)).unwrap();
    }
    let of = |listed: &Value| -> Vec<(String, String, bool)> {
        let files = listed["files"].as_array().unwrap().iter();
        let text = |file: &Value, key: &str| file[key].as_str().unwrap().to_owned();
        files.map(|file| (text(file, "path"), text(file, "format"), file["entries"].as_u64() > Some(0))).collect()
    };
    let file = |path: &str, format: &str| (path.to_owned(), format.to_owned(), true);
    let inside = json(args!["list", pack, "--all", "--json"]);
    let wanted = [
        file("Music/BoneTune.umx.uz/BoneTune.umx", "unreal"),
        file("System/BonePack.u", "unreal"),
        file("Textures/BonePackFX.utx", "unreal"),
    ];
    assert_eq!(of(&inside), wanted);
    let all = json(args!["list", folder.path(), "--json"]);
    let wanted = [
        file("BoneDisc.gcm/arm/arm.bmd", "bmd"),
        file("BoneDisc.gcm/arm/grow.bck", "bck"),
        file("BonePack.umod/Music/BoneTune.umx.uz/BoneTune.umx", "unreal"),
        file("BonePack.umod/System/BonePack.u", "unreal"),
        file("BonePack.umod/Textures/BonePackFX.utx", "unreal"),
    ];
    assert_eq!(of(&all), wanted);

    let out = folder.path().join("out");
    let output = bonebox(args!["export", pack, "--all", "-o", out]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mesh = out.join("System/BonePack.u/BonePack.glb");
    let written = fs::read(&mesh).unwrap_or_else(|error| panic!("{}: {error}: {}", mesh.display(), stdout(&output)));
    // The mod's own package of textures is found.
    let said = stderr(&output);
    assert!(written.starts_with(b"glTF") && said.lines().all(|line| line.starts_with("note: ")), "{said}");
    assert!(out.join("Textures/BonePackFX.utx/Skins/Banner.png").is_file(), "{}", stdout(&output));
    assert!(out.join("Music/BoneTune.umx.uz/BoneTune.umx/BoneTune.mod").is_file(), "{}", stdout(&output));
}

#[test]
fn paths_into_a_disc_go_by_the_names_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let disc = folder.path().join("game.iso");
    let model = fs::read(kit::data().join("actorx/syn_arm.psk")).unwrap();
    fs::write(&disc, iso("BONES", &[("Models/An arm.psk", &model)], true)).unwrap();
    let listed = |path: &Path, more: &[&str]| {
        let mut arguments = args!["list", path, "--all", "--json"];
        arguments.extend(more.iter().map(OsString::from));
        json(arguments)["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed(&disc, &[]), ["Models/An arm.psk"]);
    assert_eq!(listed(&disc, &["--reading", "tree=iso"]), ["MODELS/AN ARM.PSK"]);
    assert_eq!(listed(folder.path(), &["--reading", "tree=iso"]), ["game.iso/MODELS/AN ARM.PSK"]);
    let inside = json(args!["list", disc.join("MODELS/AN ARM.PSK"), "--json", "--reading", "tree=iso"]);
    assert_eq!(inside["format"], "psk");
    let out = folder.path().join("out");
    let output = bonebox(args!["export", disc, "--all", "-o", out, "--reading", "tree=iso"]);
    assert!(output.status.success() && out.join("MODELS/AN ARM.PSK/AN ARM.glb").is_file(), "{}", stdout(&output));
    let wrong = bonebox(args!["list", disc, "--reading", "tree=rock-ridge"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("tree=joliet, tree=iso"), "{}", stderr(&wrong));
}

#[test]
fn what_a_limit_refuses_is_read_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.zip");
    let zeros = vec![0; 33 << 20];
    fs::write(&file, zip(&[ZipMember::deflated("in/zeros", &zeros)])).unwrap();
    let refused = bonebox(args!["list", file, "--files", "--json"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stdout(&refused).contains("container.bomb-ratio"), "{}", stdout(&refused));
    let read = json(args!["list", file, "--files", "--json", "--past-limits"]);
    assert_eq!(read["files"][0]["size"], zeros.len());
    let out = folder.path().join("out");
    let failed = bonebox(args!["export", file, "--unpack", "-o", out]);
    assert!(!failed.status.success() && !out.join("in/zeros").exists());
    let out = folder.path().join("all");
    let output = bonebox(args!["export", file, "--unpack", "-o", out, "--past-limits"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::metadata(out.join("in/zeros")).unwrap().len(), zeros.len() as u64);
}
