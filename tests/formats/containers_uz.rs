//! Unreal's compressed packages, and archives of Bohemia's games: what the corpus expects of each.

use crate::kit::{
    self,
    containers_uz::{BONES, pbo, uz, uz2},
    open::{Opened, Opening, open_whole},
    sha1::sha1,
};
use bonebox::{
    bytes::{Cancel, Limits, Source},
    formats::{ContainerDocument, Diagnostics, EntryId, Role},
    library::OpenOptions,
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A member as it is found, or as it is expected.
type Member = (String, Option<(u64, String)>);

/// Files with what is expected of each.
fn expected(folder: &Path) -> Vec<(PathBuf, Value)> {
    let files = kit::files_below(folder);
    let json = files.iter().filter(|path| path.extension().is_some_and(|e| e == "json"));
    json.map(|path| (path.with_extension(""), serde_json::from_slice(&fs::read(path).unwrap()).unwrap())).collect()
}

/// `container.data-truncated` as `data.truncated`.
fn code_of(code: &str) -> String {
    code.strip_prefix("container.").unwrap_or(code).replacen('-', ".", 1)
}

/// A member's bytes, where none are missing.
fn unpack(container: &ContainerDocument, entry: EntryId) -> Option<Source> {
    let unpacked = container.unpack(entry, &Limits::default().members, Cancel::never()).ok()?;
    let is_cut = unpacked.troubles.iter().any(|trouble| trouble.code.id == "container.data-truncated");
    (!is_cut).then_some(unpacked.source)
}

/// The files in a container, in its order; without bytes where they cannot be unpacked.
fn members(opened: &Opened) -> Vec<Member> {
    let container = opened.document.container().unwrap();
    let files = opened.document.outline().entries().iter().filter(|entry| entry.role == Role::Member);
    let found = files.map(|entry| {
        assert!(container.is_file(entry.id));
        let bytes = unpack(container, entry.id);
        (entry.path().into_owned(), bytes.map(|bytes| (bytes.len() as u64, sha1(bytes.as_slice()))))
    });
    found.collect()
}

fn expected_members(json: &Value) -> Vec<Member> {
    let list = json["members"].as_array().unwrap();
    let member = |member: &Value| {
        let is_lost = ["damaged", "encrypted", "refused"].iter().any(|key| member[*key] == true);
        let whole = || (member["size"].as_u64().unwrap(), member["sha1"].as_str().unwrap().to_owned());
        (member["path"].as_str().unwrap().to_owned(), (!is_lost).then(whole))
    };
    list.iter().filter(|member| member["folder"] != true).map(member).collect()
}

#[test]
fn made_files_have_their_members_and_every_byte_has_a_name() {
    let text = b"class Bone { bone = 1; };".repeat(30);
    let only = |name: &str, bytes: Vec<u8>| members(&open_whole(name, bytes));
    let member = |path: &str, bytes: &[u8]| (path.to_owned(), Some((bytes.len() as u64, sha1(bytes))));
    assert_eq!(only("x.uz", uz()), [member("a.u", BONES)]);
    assert_eq!(only("Map.unr.uz2", uz2(&text, 100)), [member("Map.unr", &text)]);
    let archive = pbo(&[("config.cpp", &text), ("data\\bone.rvmat", &text)]);
    assert_eq!(only("bone.pbo", archive), [member("config.cpp", &text), member("data/bone.rvmat", &text)]);
}

#[test]
fn the_tune_in_the_sample_of_a_mod_is_the_sample_of_a_tune() {
    let tune = kit::samples().join("BonePack.umod/Music/BoneTune.umx.uz/BoneTune.umx");
    let file = OpenOptions::new().open(tune).unwrap();
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    let alone = fs::read(kit::samples().join("BoneTune.umx")).unwrap();
    assert_eq!(sha1(file.document.source().as_slice()), sha1(&alone));
}

#[test]
fn files_of_the_corpus_have_the_members_and_findings_that_are_expected() {
    let Some(corpus) = kit::corpus() else { return };
    let mut count = 0;
    for folder in ["uz", "pbo"] {
        for (path, json) in expected(&corpus.join("containers").join(folder)) {
            check_file(&path, &json);
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} files");
}

fn check_file(path: &Path, json: &Value) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let codes: BTreeSet<String> =
        json["diagnostics"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    let bytes = fs::read(path).unwrap();
    assert_eq!(sha1(&bytes), json["sha1"].as_str().unwrap(), "{name}");
    let opened = match Opening::of(name).open(bytes) {
        Ok(opened) => opened.checked(),
        Err(error) => {
            let code = error.code.map_or("unknown.format".to_owned(), code_of);
            assert_ne!(json["opens"], true, "{name}: {error}");
            assert_eq!(BTreeSet::from([code]), codes, "{name}: {error}");
            return;
        }
    };
    let found: BTreeSet<String> = opened.codes().into_iter().map(code_of).collect();
    assert_eq!(found, codes, "{name}: {:?}", opened.diagnostics);
    if json["format"].is_string() {
        assert_eq!(opened.document.format().id, json["format"].as_str().unwrap(), "{name}");
    }
    let members = members(&opened);
    if json["opens"] == false {
        // Its tables are read when it is opened, and its only member when that is wanted.
        assert!(members.iter().all(|(_, bytes)| bytes.is_none()), "{name}: {members:?}");
    } else if json["members"].is_array() {
        assert_eq!(members, expected_members(json), "{name}");
    }
    if codes.is_empty() {
        opened.assert_read();
    }
}

/// What members of a container have besides their bytes.
#[test]
fn members_say_how_they_are_stored_and_how_large_they_become() {
    let Some(corpus) = kit::corpus() else { return };
    let path = corpus.join("containers/pbo/marrow_packed.pbo");
    let opened = kit::open::open("marrow_packed.pbo", fs::read(path).unwrap());
    let container = opened.document.container().unwrap();
    let oak = opened.entry("marrow/oak.p3d");
    assert_eq!((container.method(oak), container.unpacked_size(oak)), (Some("LZSS"), Some(9819)));
    let picture = opened.entry("data/bone_co.paa");
    assert_eq!(container.method(picture), Some("stored"));
    assert!(container.unpack(EntryId::FILE, &Limits::default().members, Cancel::never()).is_err());
    let mut diagnostics = Diagnostics::new(9);
    opened.document.check(oak, &mut diagnostics);
    assert!(diagnostics.finish().is_empty());
}

#[test]
fn damaged_files_of_the_corpus_open_or_say_why_not() {
    let Some(corpus) = kit::corpus() else { return };
    for file in ["uz/runs_5678.uz", "uz/wide_name.uz", "pbo/bad_names.pbo"] {
        let bytes = fs::read(corpus.join("containers").join(file)).unwrap();
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        kit::damages::each_damage(&bytes, 18, &[u32::MAX, 0x7FFF_FFFF], |damaged| {
            if let Ok(opened) = Opening::of(name).open(damaged) {
                let opened = opened.checked();
                assert!(opened.document.fields(EntryId::FILE).is_ok());
                if opened.document.container().is_some() {
                    members(&opened);
                }
            }
        });
    }
}
