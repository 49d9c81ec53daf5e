//! `list`, `inspect`, `verify` and wrong usage, through the program itself.

use crate::{
    args,
    kit::{
        self,
        program::{Made, bonebox, clips, command, json, sheet, stderr, stdout},
    },
};
use bonebox::formats::{
    FORMATS,
    actorx::{encode_psa, encode_psk},
    unreal::encode::{Export, PackageWriter, write_text_buffer},
};
use serde_json::{Value, json as value};
use std::ffi::OsString;

/// The keys stand in this order in the text.
#[track_caller]
fn assert_order(text: &str, keys: &[&str]) {
    let mut rest = text;
    for key in keys {
        let quoted = format!("\"{key}\":");
        let at = rest.find(&quoted).unwrap_or_else(|| panic!("{quoted} is missing or out of order in {text:.300}"));
        rest = &rest[at + quoted.len()..];
    }
}

#[test]
fn wrong_usage_is_status_2_and_help_is_0() {
    let made = Made::new();
    let psk = made.path("sheet.psk");
    for wrong in [
        args!["list"],
        args!["list", psk, "more"],
        args!["inspect"],
        args!["verify"],
        args!["pose", psk, "--frame", "1", "--time", "1"],
        args!["pose", psk, "--frame", "nan"],
        args!["pose", psk, "--clip", "::Walk"],
        args!["pose", psk, "--translation", "sideways"],
        args!["render", psk],
        args!["render", psk, "-o", "a.jpg"],
        args!["render", psk, "-o", "a.png", "--size", "0x4"],
        args!["render", psk, "-o", "a.png", "--frames", "2"],
        args!["list", psk, "--reading", "strings"],
        args!["list", psk, "--reading", "strings=inclusive"],
        args!["inspect", psk, "--reading", "cell=5"],
        args!["verify", psk, "--reading", "cell=5"],
        args!["export", psk, "-o", "x.glb", "--step", "0"],
        args!["export", psk, "-o", "x.glb", "--easting", "nan"],
        args!["--no-such"],
    ] {
        let output = bonebox(&wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty() && stderr(&output).starts_with("error:"), "{wrong:?}");
    }
    for help in [args!["--help"], args!["--version"], args!["pose", "--help"]] {
        assert_eq!(bonebox(&help).status.code(), Some(0), "{help:?}");
    }
}

#[test]
fn what_cannot_be_opened_is_status_1_and_one_sentence() {
    let made = Made::new();
    std::fs::write(made.path("note.txt"), "no model").unwrap();
    std::fs::write(made.path("empty.psk"), "").unwrap();
    for name in ["note.txt", "empty.psk", "missing.psk"] {
        for verb in ["list", "inspect", "pose"] {
            let output = bonebox(args![verb, made.path(name)]);
            assert_eq!(output.status.code(), Some(1), "{verb} {name}");
            assert!(output.stdout.is_empty());
            let said = stderr(&output);
            assert!(said.starts_with("error: ") && said.contains(name) && said.lines().count() == 1, "{said}");
        }
    }
}

#[test]
fn list_prints_the_documented_shape() {
    let made = Made::new();
    let path = made.path("two.psa");
    let output = bonebox(args!["list", path, "--json"]);
    let text = stdout(&output);
    let keys = ["file", "format", "size", "entries", "id", "parent", "path", "class", "offset", "size", "content"];
    assert_order(text, &keys);
    let list: Value = serde_json::from_str(text).unwrap();
    assert_eq!(list["file"], value!(path.display().to_string()));
    assert_eq!(list["format"], "psa");
    assert_eq!(list["size"], value!(std::fs::metadata(&path).unwrap().len()));
    let entries = list["entries"].as_array().unwrap();
    let find = |path: &str| entries.iter().find(|e| e["path"] == path).unwrap_or_else(|| panic!("{path}"));
    let (chunk, bend) = (find("ANIMINFO"), find("ANIMINFO/Bend"));
    assert_eq!(chunk["parent"], Value::Null);
    assert_eq!(bend["parent"], chunk["id"]);
    assert_eq!((&bend["class"], &bend["content"]), (&value!("AnimInfo"), &value!("clip")));
    assert_eq!(bend["size"], 168);
    assert_eq!(bend["offset"], value!(chunk["offset"].as_u64().unwrap() + 32));

    let table = bonebox(args!["list", path]);
    let line = stdout(&table).lines().find(|l| l.ends_with(" ANIMINFO/Bend")).unwrap();
    assert!(line.contains("clip") && line.contains("AnimInfo"), "{line}");
}

#[test]
fn inspect_finds_entries_by_path_number_and_last_name() {
    let made = Made::new();
    let path = made.path("two.psa");
    let list = json(args!["list", path, "--json"]);
    let entries = list["entries"].as_array().unwrap();
    let bow = entries.iter().find(|e| e["path"] == "ANIMINFO/Bow").unwrap();
    let number = format!("#{}", bow["id"]);
    for name in ["ANIMINFO/Bow", "animinfo/BOW", "bow", &number] {
        let found = json(args!["inspect", path, name, "--json"]);
        assert_eq!(found["entry"], "ANIMINFO/Bow", "{name}");
        assert_eq!((&found["offset"], &found["size"]), (&bow["offset"], &bow["size"]));
        let rate = found["fields"].as_array().unwrap().iter().find(|f| f["name"] == "AnimRate").unwrap();
        assert_eq!((&rate["type"], &rate["value"], &rate["size"]), (&value!("f32"), &value!(2.0), &value!(4)));
        assert_eq!(rate["offset"], value!(bow["offset"].as_u64().unwrap() + 152));
    }
    let output = bonebox(args!["inspect", path, "bow", "--json"]);
    assert_order(stdout(&output), &["file", "entry", "class", "offset", "size", "fields", "name", "type", "value"]);
    assert_eq!(json(args!["inspect", path, "--json"])["entry"], Value::Null);

    let missing = bonebox(args!["inspect", path, "Crawl"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("“Crawl”") && stderr(&missing).contains("ANIMINFO/Bow"), "{}", stderr(&missing));
    assert_eq!(bonebox(args!["inspect", path, "#999"]).status.code(), Some(1));
}

#[test]
fn long_tables_print_64_rows_unless_all_are_asked_for() {
    let made = Made::new();
    let path = made.path("sheet.psk");
    let points = |full: Vec<OsString>| {
        let mut args = args!["inspect", path, "PNTS0000", "--json"];
        args.extend(full);
        let found = json(args);
        found["fields"].as_array().unwrap().iter().find(|f| f["rows"] == 100).expect("a table of 100 rows").clone()
    };
    assert_eq!(points(vec![])["fields"].as_array().unwrap().len(), 64);
    let all = points(args!["--full"]);
    assert_eq!(all["fields"].as_array().unwrap().len(), 100);
    assert_eq!(all["fields"][99]["offset"], value!(all["offset"].as_u64().unwrap() + 99 * 12));
    let text = bonebox(args!["inspect", path, "PNTS0000"]);
    assert!(stdout(&text).contains("36 more rows"), "{}", stdout(&text));
}

#[test]
fn references_say_where_they_lead_and_whether_they_do() {
    let made = Made::new();
    let mut psk = sheet("Skin");
    psk.faces[1].material = 9;
    std::fs::write(made.path("astray.psk"), encode_psk(&psk)).unwrap();
    let found = json(args!["inspect", made.path("astray.psk"), "FACE0000", "--json"]);
    let table = found["fields"].as_array().unwrap().iter().find(|f| f["rows"].is_u64()).unwrap();
    let reference = |row: usize| {
        let fields = table["fields"][row]["fields"].as_array().unwrap();
        fields.iter().find(|f| f["value"]["ref"].is_string()).expect("a reference")["value"].clone()
    };
    assert_eq!(reference(0), value!({"ref": "MATT0000/Skin", "resolved": true}));
    assert_eq!(reference(1)["resolved"], false);
}

#[test]
fn verify_reports_each_file_in_order_and_fails_on_errors_only() {
    let made = Made::new();
    let good = json(args!["verify", made.path("two.psa"), made.path("sheet.psk"), "--json"]);
    let files = good["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    assert!(files[0]["file"].as_str().unwrap().ends_with("sheet.psk"), "sorted by path");
    for file in files {
        assert!(file["entries"].as_u64().unwrap() > 5);
        for list in ["opaque", "unread", "diagnostics"] {
            assert_eq!(file[list], value!([]), "{list} of {}", file["file"]);
        }
    }

    let whole = encode_psa(&clips(&["Bend"], ["Root", "Middle", "Tip"]));
    std::fs::write(made.path("cut.psa"), &whole[..whole.len() - 40]).unwrap();
    std::fs::write(made.path("none.psa"), "").unwrap();
    let output = bonebox(args!["verify", made.folder(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_order(stdout(&output), &["files", "file", "format", "entries", "opaque", "unread", "diagnostics"]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let files = report["files"].as_array().unwrap();
    let names: Vec<&str> =
        files.iter().map(|f| f["file"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap()).collect();
    assert_eq!(names, ["cut.psa", "none.psa", "sheet.psa", "sheet.psk", "stranger.psa", "two.psa"]);
    let (cut, none) = (&files[0], &files[1]);
    assert_eq!(cut["format"], "psa");
    assert!(cut["diagnostics"].as_array().unwrap().iter().any(|d| d["severity"] == "error"), "{cut}");
    assert_eq!(none["format"], Value::Null);
    assert_eq!(none["diagnostics"][0]["code"], "bonebox.cannot-open");
    assert_eq!(none["diagnostics"].as_array().unwrap().len(), 1);
}

#[test]
fn files_that_were_sent_as_texts_verify_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.bmd");
    let whole = std::fs::read(kit::data().join("j3d/arm_basic.bmd")).unwrap();
    let damaged = whole.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
    std::fs::write(&path, &damaged).unwrap();
    let output = bonebox(args!["verify", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("[bonebox.line-ends]") && stdout(&output).contains("line-ends=lf"));
    let output = bonebox(args!["verify", &path, "--reading", "line-ends=lf"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let exported = folder.path().join("arm.glb");
    let output = bonebox(args!["export", &path, "-o", &exported, "--reading", "line-ends=lf"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(exported.is_file() && std::fs::read(&path).unwrap() == damaged);
}

#[test]
fn verify_of_a_folder_without_anything_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let output = bonebox(args!["verify", folder.path()]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = format!("error: {}: contains no readable files\n", folder.path().display());
    assert_eq!((stdout(&output), stderr(&output)), ("", &*said));
}

#[test]
fn names_in_files_cannot_command_the_terminal() {
    let made = Made::new();
    std::fs::write(made.path("evil.psk"), encode_psk(&sheet("\u{1b}[2Jgone"))).unwrap();
    for verb in ["list", "inspect", "verify"] {
        let output = bonebox(args![verb, made.path("evil.psk")]);
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{verb}");
    }
    let list = bonebox(args!["list", made.path("evil.psk")]);
    assert!(stdout(&list).contains("\\u{1b}[2Jgone"), "{}", stdout(&list));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let made = Made::new();
    let mut psk = sheet("Skin");
    // More than a pipe holds.
    psk.points = (0..60_000).map(|i| [i as f32 + 0.125, 0.0, 0.0]).collect();
    std::fs::write(made.path("long.psk"), encode_psk(&psk)).unwrap();
    let mut child = command(args!["pose", made.path("long.psk"), "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!stderr(&output).contains("error"), "{}", stderr(&output));
}

#[test]
fn entries_that_overlap_in_the_file_are_no_fault_of_the_reader() {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "TextBuffer");
    for text in ["one", "two"] {
        package.add(&Export::new(class, text), |out| write_text_buffer(out, &text.repeat(20)));
    }
    let mut bytes = package.finish();
    // Where they begin, as compact indices of two bytes; the second one is put where the first one is.
    let start = |text: &str| bytes.windows(60).position(|w| w == text.repeat(20).as_bytes()).unwrap();
    let (one, two) = (start("one"), start("two"));
    let before = (two - one) - 61;
    let index = |value: usize| [0x40 | (value & 0x3F) as u8, (value >> 6) as u8];
    let stated = [index(two - one), index(two - before)].concat();
    let at = bytes.windows(4).position(|w| w == stated).unwrap();
    bytes[at + 2..at + 4].copy_from_slice(&index(one - before));
    let made = Made::new();
    std::fs::write(made.path("over.u"), bytes).unwrap();
    let output = bonebox(args!["verify", made.path("over.u"), "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = report["files"][0]["diagnostics"].as_array().unwrap();
    let overlaps: Vec<&Value> = found.iter().filter(|d| d["code"] == "bonebox.shared-bytes").collect();
    assert_eq!(overlaps.len(), 1, "{found:?}");
    assert_eq!(overlaps[0]["entry"], "two");
    assert_eq!(overlaps[0]["message"], "overlaps with “one” by 71 bytes");
    assert!(found.iter().all(|d| d["code"] != "bonebox.read-twice"), "{found:?}");
}

#[test]
fn verify_reads_every_byte_of_the_corpus() {
    let Some(corpus) = kit::corpus() else { return };
    let output = bonebox(args!["verify", corpus.join("actorx"), "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = report["files"].as_array().unwrap();
    assert!(files.len() >= 25, "{} files", files.len());
    for file in files {
        let name = file["file"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap();
        let codes: Vec<&str> =
            file["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
        assert!(!codes.contains(&"bonebox.fault") && !codes.contains(&"bonebox.read-twice"), "{name}: {codes:?}");
        let damaged = name.starts_with("bad_") || ["zero_bytes.psk", "empty.psk", "empty.psa"].contains(&name);
        if damaged {
            assert!(!codes.is_empty(), "{name} passes without a word");
        } else {
            assert_eq!(file["unread"], value!([]), "{name}");
            let info = FORMATS.iter().map(|f| f.info()).find(|f| file["format"] == f.id).unwrap();
            for span in file["opaque"].as_array().unwrap() {
                assert!(info.opaque.iter().any(|(known, _)| span["name"] == *known), "{name}: {span}");
            }
            let errors = file["diagnostics"].as_array().unwrap().iter().filter(|d| d["severity"] == "error");
            assert_eq!(errors.collect::<Vec<_>>(), Vec::<&Value>::new(), "{name}");
        }
    }
}
