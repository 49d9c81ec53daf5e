//! Every JSON document that the program prints is as its schema says (docs/schema), of samples and of damaged copies of them.

use crate::{
    args,
    kit::{
        self,
        program::{bonebox, command, status, stderr, text},
    },
    schemas::{Schemas, documents},
};
use bonebox::formats::{
    FORMATS,
    unreal::encode::{Export, PackageWriter, Properties, write_properties},
};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(Schemas::read);

/// The samples, those in folders too.
fn samples() -> Vec<PathBuf> {
    kit::files_below(&kit::samples())
}

/// Copies of the samples, each cut in its middle and each with noise in it.
fn damaged(folder: &Path) -> Vec<PathBuf> {
    let damage = |path: &PathBuf| {
        let whole = fs::read(path).unwrap();
        let name = text(path.as_path()).rsplit(['/', '\\']).next().unwrap();
        let (cut, noisy) = (folder.join(format!("cut_{name}")), folder.join(format!("noisy_{name}")));
        fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
        let mut bytes = whole;
        let third = bytes.len() / 3;
        for byte in bytes.iter_mut().skip(third).take(16) {
            *byte ^= 0xa5;
        }
        fs::write(&noisy, &bytes).unwrap();
        [cut, noisy]
    };
    samples().iter().flat_map(damage).collect()
}

/// Runs the program: what it printed, `None` for nothing, which is for failures alone.
#[track_caller]
fn printed(arguments: impl AsRef<[OsString]>, index: &Path) -> Option<Vec<u8>> {
    let arguments = arguments.as_ref();
    let output = command(arguments).env("BONEBOX_COLLECTIONS", index).output().unwrap();
    assert!(status(&output) <= 2, "{arguments:?}: {}", stderr(&output));
    let is_empty = output.stdout.is_empty();
    assert!(!is_empty || status(&output) != 0, "{arguments:?} prints nothing");
    (!is_empty).then_some(output.stdout)
}

/// Holds what the program prints to a schema.
#[track_caller]
fn hold(schema: &str, arguments: Vec<OsString>) -> Option<Value> {
    let document = serde_json::from_slice(&printed(&arguments, Path::new("no-index"))?).unwrap();
    SCHEMAS.assert_fits(schema, &document, &format!("{arguments:?}"));
    Some(document)
}

/// Of a model or of a clip: the document says which.
#[track_caller]
fn hold_pose(arguments: Vec<OsString>) -> Option<Value> {
    let document: Value = serde_json::from_slice(&printed(&arguments, Path::new("no-index"))?).unwrap();
    let schema = if document["model"].is_null() { "pose-clip" } else { "pose" };
    SCHEMAS.assert_fits(schema, &document, &format!("{arguments:?}"));
    Some(document)
}

/// All that is said of one file: whether it opens, and how often it was posed.
fn hold_file(path: &Path) -> (bool, usize) {
    let listed = hold("list", args!["list", path, "--json"]);
    hold("inspect", args!["inspect", path, "--json"]);
    hold("verify", args!["verify", path, "--json"]).expect("it says of every file what is wrong");
    hold("list-files", args!["list", path, "--files", "--json"]);
    let posed = usize::from(hold_pose(args!["pose", path, "--json"]).is_some());
    (listed.is_some(), posed)
}

/// One entry of each kind in a file.
fn kinds(listed: &Value) -> Vec<&Value> {
    let mut seen = BTreeSet::new();
    let entries = listed["entries"].as_array().unwrap().iter();
    entries
        .filter(|entry| seen.insert(["role", "class", "content"].map(|key| entry[key].as_str().unwrap().to_owned())))
        .collect()
}

#[test]
fn what_is_said_of_samples_and_their_entries_fits() {
    let counts: Vec<[usize; 2]> = samples()
        .par_iter()
        .map(|path| {
            let (_, mut posed) = hold_file(path);
            let Some(listed) = hold("list", args!["list", path, "--json"]) else { return [0, posed] };
            let kinds = kinds(&listed);
            for entry in &kinds {
                let id = format!("#{}", entry["id"]);
                hold("inspect", args!["inspect", path, id, "--json"]).expect("what is listed has fields");
                if ["model", "clip"].contains(&entry["content"].as_str().unwrap()) {
                    posed += usize::from(hold_pose(args!["pose", path, id, "--json"]).is_some());
                }
            }
            [kinds.len(), posed]
        })
        .collect();
    let [kinds, posed] = [0, 1].map(|which| counts.iter().map(|count| count[which]).sum::<usize>());
    assert!(kinds > 100 && posed > 20, "{kinds} kinds of entries, {posed} poses");
    let [model, clip] = ["Ossie.psk", "Ossie.psa::Walk"].map(|name| kit::samples().join(name));
    let walks = hold_pose(args!["pose", model, "--clip", clip, "--time", "0.5", "--json"]).unwrap();
    assert_eq!(walks["clips"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_said_of_damaged_files_and_of_folders_fits() {
    let folder = tempfile::tempdir().unwrap();
    let opened = damaged(folder.path()).par_iter().filter(|path| hold_file(path).0).count();
    assert!(opened > 30, "only {opened} open");
    for folder in [folder.path(), &kit::samples()] {
        hold("list-folder", args!["list", folder, "--json"]).unwrap();
        hold("verify", args!["verify", folder, "--json"]).unwrap();
    }
    for name in ["BonePack.umod", "BoneDisc.gcm", "Bonebox.szs"] {
        hold("list-folder", args!["list", kit::samples().join(name), "--all", "--json"]).unwrap();
    }
}

#[test]
fn findings_that_are_alike_are_folded() {
    let folder = tempfile::tempdir().unwrap();
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "TextBuffer");
    let count = 12_000;
    for number in 0..count {
        package.add(&Export::new(class, &format!("Text{number}")), |out| {
            write_properties(out, &Properties::new());
            out.bytes(&[0x7f]);
        });
    }
    let path = folder.path().join("damaged.u");
    fs::write(&path, package.finish()).unwrap();
    let report = || hold("verify", args!["verify", &path, "--json"]).unwrap();
    let printed = report();
    assert_eq!(printed, report(), "which are listed does not depend on threads");
    let file = &printed["files"][0];
    for code in ["unreal.bad-object", "bonebox.cannot-read"] {
        let found = file["diagnostics"].as_array().unwrap().iter().filter(|row| row["code"] == code);
        let (listed, more): (Vec<&Value>, Vec<&Value>) = found.partition(|row| row["more"].is_null());
        let entries: Vec<&str> = listed.iter().map(|row| row["entry"].as_str().unwrap()).collect();
        assert_eq!(entries, (0..10).map(|number| format!("Text{number}")).collect::<Vec<_>>(), "{code}");
        assert_eq!((more.len(), &more[0]["more"], &more[0]["severity"]), (1, &json!(count - 10), &json!("error")));
        assert!(more[0]["entry"].is_null() && more[0]["offset"].is_null());
    }
    let unread = file["unread"].as_array().unwrap();
    assert_eq!(unread.len(), 10_001);
    assert_eq!((&unread[10_000]["more"], &unread[10_000]["size"]), (&json!(2000), &json!(2000)));
    let output = bonebox(args!["verify", &path]);
    assert_eq!(status(&output), 1);
    assert!(String::from_utf8_lossy(&output.stdout).contains("2,000 bytes in 2,000 more ranges, the first at offset"));
}

/// What differs in what an entry shows; empty for none.
fn content(difference: &Value) -> String {
    difference["shown"]["content"].as_str().unwrap_or_default().to_owned()
}

/// Copies of samples with another word in a script and another rate of a clip: sample, copy, entry.
fn other_script_and_clip(folder: &Path) -> [(PathBuf, PathBuf, &'static str); 2] {
    let changed = |name: &str, find: &[u8], skip: usize, put: &[u8]| {
        let (path, other) = (kit::samples().join(name), folder.join(format!("other_{name}")));
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.windows(find.len()).position(|bytes| bytes == find).unwrap() + skip;
        bytes[at..at + put.len()].copy_from_slice(put);
        fs::write(&other, bytes).unwrap();
        (path, other)
    };
    let (script, other_script) = changed("Bonebox.u", b"class OssieBox", 0, b"clasz");
    // AnimRate of the record that begins with the clip's name.
    let (clip, other_clip) = changed("Ossie.psa", b"Walk\0", 152, &12.5_f32.to_le_bytes());
    [(script, other_script, "OssieBox.ScriptText"), (clip, other_clip, "Walk")]
}

#[test]
fn differences_fit() {
    let folder = tempfile::tempdir().unwrap();
    damaged(folder.path());
    let contents: Vec<String> = samples()
        .par_iter()
        .flat_map_iter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let other = folder.path().join(format!("noisy_{name}"));
            let both = |more: &[&str]| -> Vec<OsString> {
                let mut arguments = args!["diff", path, other, "--json"];
                arguments.extend(more.iter().map(OsString::from));
                arguments
            };
            let Some(printed) = printed(both(&[]), Path::new("no-index")) else { return Vec::new() };
            let document: Value = serde_json::from_slice(&printed).unwrap();
            let schema = if document.get("files").is_some() { "diff-files" } else { "diff" };
            SCHEMAS.assert_fits(schema, &document, name);
            hold(schema, both(&["--brief"]));
            let changed = document["entries"].as_array().into_iter().flatten();
            let ids = changed.filter_map(|entry| entry["left"]["id"].as_u64()).filter(|id| *id > 0);
            let held = ids.take(6).filter_map(|id| hold("diff-entry", both(&["--entry", &format!("#{id}")])));
            held.map(|held| content(&held)).collect()
        })
        .collect();
    assert!(contents.len() > 10, "only {} entries differ", contents.len());
    let mut contents = BTreeSet::from_iter(contents);
    for (path, other, entry) in other_script_and_clip(folder.path()) {
        contents.insert(content(&hold("diff-entry", args!["diff", path, other, "--entry", entry, "--json"]).unwrap()));
    }
    assert_eq!(contents, BTreeSet::from(["", "clip", "image", "model", "text"].map(str::to_owned)));
    hold("diff-files", args!["diff", kit::samples(), folder.path(), "--json"]).unwrap();
    let same = kit::samples().join("Ossie.psk");
    assert_eq!(hold("diff", args!["diff", same, same, "--json"]).unwrap()["equalBytes"], true);
}

fn is_filled(list: &Value) -> bool {
    list.as_array().is_some_and(|list| !list.is_empty())
}

#[test]
fn collections_fit() {
    let folder = tempfile::tempdir().unwrap();
    let (index, bad) = (folder.path().join("index"), folder.path().join("bad"));
    fs::create_dir(&bad).unwrap();
    damaged(&bad);
    let samples = kit::samples();
    let hold = |schema: &str, arguments: Vec<OsString>| {
        let printed = printed(&arguments, &index).unwrap_or_else(|| panic!("{arguments:?} prints nothing"));
        let document: Value = serde_json::from_slice(&printed).unwrap();
        SCHEMAS.assert_fits(schema, &document, &format!("{arguments:?}"));
        document
    };
    for folder in [&samples, &bad] {
        hold("index", args!["index", folder, "--name", "mine", "--json"]);
        let lines = printed(args!["index", folder, "--format", "jsonl"], &index).unwrap();
        let mut kinds = BTreeSet::new();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line: Value = serde_json::from_slice(line).unwrap();
            SCHEMAS.assert_fits("index-lines", &line, "a line");
            kinds.insert(line["kind"].as_str().unwrap().to_owned());
        }
        assert_eq!(kinds, BTreeSet::from(["file", "entry", "import"].map(str::to_owned)));
    }
    assert_eq!(hold("index-list", args!["index", "--list", "--json"])["collections"][0]["name"], "mine");
    for words in ["o", "type:texture", "type:sound", "type:script", "bones>1", "o bonse>3"] {
        let found = hold("find", args!["find", samples, words, "--json"]);
        assert!(is_filled(&found["found"]), "{words}");
        assert_eq!(is_filled(&found["problems"]), words.contains("bonse"), "{words}");
    }
    for (words, is_odd) in [("text:class", false), ("text:class bonse>3", true)] {
        let found = hold("find-text", args!["find", samples, words, "--json"]);
        assert!(is_filled(&found["found"]) && is_filled(&found["problems"]) == is_odd, "{words}: {found:.500}");
    }
    for (schema, option, thing) in [
        ("find-uses", "--uses", "BoneboxFX.utx"),
        ("find-needs", "--needs", "BoneRoom.unr"),
        ("find-fits", "--clips-for", "Ossie.psk"),
        ("find-fits", "--models-for", "Ossie.psa::Walk"),
    ] {
        let found = hold(schema, args!["find", samples, option, thing, "--json"]);
        assert!(is_filled(&found), "{option}");
    }
    let same = hold("find-duplicates", args!["find", samples, "--duplicates", "--json"]);
    assert!(is_filled(&same["files"]) && is_filled(&same["entries"]), "{same:.500}");
}

#[test]
fn lists_of_what_was_exported_fit() {
    let folder = tempfile::tempdir().unwrap();
    let room = kit::samples().join("BoneRoom.unr");
    for (name, more) in [("whole", &[][..]), ("bounded", &["--max-output", "2K"])] {
        let target = folder.path().join(name);
        let mut arguments = args!["export", room, "--all", "-o", target];
        arguments.extend(more.iter().map(OsString::from));
        let done = bonebox(&arguments);
        assert_eq!(status(&done), i32::from(name == "bounded"), "{}", stderr(&done));
        let manifest: Value = serde_json::from_slice(&fs::read(target.join("manifest.json")).unwrap()).unwrap();
        SCHEMAS.assert_fits("manifest", &manifest, name);
        assert_eq!(manifest["failed"].as_array().unwrap().is_empty(), name == "whole");
    }
    let fields = folder.path().join("fields.json");
    let done = bonebox(args!["export", kit::samples().join("Ossie.psk"), "REFSKELT", "--format", "json", "-o", fields]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let exported: Value = serde_json::from_slice(&fs::read(&fields).unwrap()).unwrap();
    SCHEMAS.assert_fits("inspect", &exported, "fields as a file");
    assert_eq!(exported["entry"], "REFSKELT");
}

/// A whole document of some schemas: with one field more, one field less or another type it fits no longer.
#[test]
fn what_a_schema_does_not_say_does_not_fit() {
    let [psk, umod] = ["Ossie.psk", "BonePack.umod"].map(|name| kit::samples().join(name));
    let documents = [
        ("list", hold("list", args!["list", psk, "--json"])),
        ("list-files", hold("list-files", args!["list", umod, "--files", "--json"])),
        ("inspect", hold("inspect", args!["inspect", psk, "--json"])),
        ("verify", hold("verify", args!["verify", psk, "--json"])),
        ("pose", hold_pose(args!["pose", psk, "--json"])),
    ];
    for (schema, document) in documents {
        let document = document.unwrap();
        let keys: Vec<String> = document.as_object().unwrap().keys().cloned().collect();
        let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut changed = document.clone();
            change(changed.as_object_mut().unwrap());
            SCHEMAS.fits(schema, &changed)
        };
        assert!(changed(&|_| {}), "{schema}");
        assert!(!changed(&|map| drop(map.insert("more".to_owned(), Value::Null))), "{schema}: a field more");
        for key in &keys {
            assert!(!changed(&|map| drop(map.remove(key))), "{schema}: without {key}");
            assert!(!changed(&|map| map[key] = json!({"no": "such"})), "{schema}: another {key}");
        }
    }
    let mut inner = hold("list", args!["list", psk, "--json"]).unwrap();
    inner["entries"][3]["role"] = json!("no role");
    assert!(!SCHEMAS.fits("list", &inner));
}

/// Every object that names its fields forbids others: otherwise a new field would need no schema.
fn open_objects(name: &str, schema: &Value, open: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            let is_schema = map.get("properties").is_some_and(Value::is_object);
            if is_schema && map.get("additionalProperties") != Some(&Value::Bool(false)) {
                open.push(format!("{name}: {schema:.80}"));
            }
            map.values().for_each(|inner| open_objects(name, inner, open));
        }
        Value::Array(items) => items.iter().for_each(|inner| open_objects(name, inner, open)),
        _ => {}
    }
}

#[test]
fn schemas_are_valid_closed_and_named_in_the_documentation() {
    let cli = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CLI.md")).unwrap();
    let documents = documents();
    assert_eq!(documents.len(), 22);
    let mut open = Vec::new();
    for (name, schema) in &documents {
        jsonschema::meta::validate(schema).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert!(schema["title"].is_string() && schema["description"].is_string(), "{name}");
        assert!(cli.contains(&format!("(schema/{name}.json)")), "CLI.md does not name {name}.json");
        open_objects(name, schema, &mut open);
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
    // What the program itself knows of what is listed there.
    let is_id = |id: &str| SCHEMAS.fits("list", &json!({"file": "a", "format": id, "size": 0, "entries": []}));
    assert!(FORMATS.iter().all(|format| is_id(format.info().id)) && !is_id("No Format"));
}
