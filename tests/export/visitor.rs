//! Visitor projects through the command line: what `list`, `inspect` and `verify` say of each good file, and what its exports hold
//! when they are read back, against the values that are expected of it.

use crate::{
    args,
    kit::{
        program::{self, bonebox, json, stderr, stdout},
        read_back::{ReadBack, khronos_validate},
        terrain::{read_asc, read_geotiff, read_png16, read_separated, read_xyz},
        visitor::{expected, path},
    },
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

const GOOD: [&str; 12] = [
    "tiny60",
    "tiny59",
    "tiny60_exclusive",
    "tiny60_publishedliteral",
    "tiny60_ignorenets",
    "tiny60_nocell",
    "rect60_64x32",
    "xroad_opaque",
    "layers3",
    "empty_project",
    "nan_heights",
    "future61",
];

/// A project and what is expected of it.
struct Project {
    name: &'static str,
    path: PathBuf,
    wanted: Value,
    folder: tempfile::TempDir,
}

/// The good files.
fn projects() -> impl Iterator<Item = Project> {
    GOOD.into_iter().map(|name| Project {
        name,
        path: path(name),
        wanted: expected(name),
        folder: tempfile::tempdir().unwrap(),
    })
}

impl Project {
    /// Whether its values are known: those of a version that nobody knows are not.
    fn is_described(&self) -> bool {
        self.wanted.get("grid").is_some()
    }

    fn has_holes(&self) -> bool {
        self.wanted.get("nan_cells").is_some()
    }

    fn json(&self, verb: &str) -> Value {
        json(args![verb, &self.path, "--json"])
    }

    /// Exports the landscape and yields the file.
    fn export(&self, file: &str, more: &[&str]) -> PathBuf {
        let target = self.folder.path().join(file);
        let mut arguments = args!["export", &self.path, "-o", &target];
        arguments.extend(more.iter().map(Into::into));
        let output = bonebox(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}: {}", self.name, stderr(&output));
        assert_eq!(stdout(&output).trim(), target.display().to_string());
        target
    }

    fn text(&self, file: &str, more: &[&str]) -> String {
        std::fs::read_to_string(self.export(file, more)).unwrap()
    }

    fn grid(&self, key: &str) -> f64 {
        self.wanted["grid"][key].as_f64().unwrap()
    }

    /// Samples from west to east, and from south to north.
    fn size(&self) -> [usize; 2] {
        [self.grid("x") as usize, self.grid("z") as usize]
    }
}

fn close(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-5 * wanted.abs().max(1.0)
}

#[test]
fn inspect_says_how_the_file_was_read() {
    for project in projects() {
        let (found, wanted, name) = (project.json("inspect"), &project.wanted, project.name);
        assert_eq!(found["entry"], Value::Null);
        if !project.is_described() {
            assert!(found["reading"]["strings"].is_string() && found["terrain"]["x"].is_u64(), "{name}");
            continue;
        }
        let reading = &found["reading"];
        let flags = if wanted["extra_shorts"].as_bool().unwrap() { "present" } else { "absent" };
        assert_eq!((&reading["strings"], reading["flags"].as_str()), (&wanted["string_mode"], Some(flags)), "{name}");
        assert_eq!(reading["transform"], wanted["objects"]["layout"], "{name}");
        assert_eq!(reading["blue"], wanted["blue_count"].to_string(), "{name}");
        assert_eq!(reading["cell"], "10", "{name}");
        let card = &found["terrain"];
        let number = |key: &str| card[key].as_f64().unwrap_or_else(|| panic!("{name}: {key}: {card}"));
        for key in ["x", "z", "cell", "min", "max"] {
            assert_eq!(number(key) as f32, project.grid(key) as f32, "{name}: {key}");
        }
        if !project.has_holes() {
            assert!(close(number("mean"), project.grid("mean")), "{name}: {card}");
            assert_eq!(card["sha256"], wanted["grid"]["sha256"], "{name}");
        }
        for (section, offset) in wanted["section_offsets"].as_object().unwrap() {
            assert_eq!(&found["sections"][section], offset, "{name}: {section}");
        }
        // For people the same is said in words.
        let text = bonebox(args!["inspect", &project.path]);
        let text = stdout(&text);
        for words in [format!("strings={}", reading["strings"].as_str().unwrap()), "samples, 10 m apart".to_owned()] {
            assert!(text.contains(&words), "{name}: {words}: {text:.2000}");
        }
    }
}

#[test]
fn list_and_verify_leave_nothing_out() {
    for project in projects() {
        let (list, name) = (project.json("list"), project.name);
        let entries = list["entries"].as_array().unwrap();
        let of_class = |class: &str| entries.iter().filter(|e| e["class"] == class).count();
        let landscapes: Vec<&Value> = entries.iter().filter(|e| e["content"] == "terrain").collect();
        assert_eq!((landscapes.len(), &landscapes[0]["path"]), (1, &"Terrain".into()), "{name}");
        let report = project.json("verify");
        assert_eq!(report["files"][0]["unread"], serde_json::json!([]), "{name}");
        if !project.is_described() {
            continue;
        }
        let count = |key: &str| project.wanted[key].as_array().unwrap().len();
        assert_eq!(of_class("ObjectType"), count("object_types"), "{name}");
        assert_eq!(of_class("Layer"), count("layers"), "{name}");
        assert_eq!(of_class("Background"), count("backgrounds"), "{name}");
        let nets = project.wanted["road_nets"]["nets"].as_array().map_or(0, Vec::len);
        assert_eq!(of_class("RoadNet"), nets, "{name}");
        let errors = report["files"][0]["diagnostics"].as_array().unwrap().iter().filter(|d| d["severity"] == "error");
        assert_eq!(errors.count(), 0, "{name}: {report}");
    }
}

#[test]
fn exported_heights_are_the_projects() {
    for project in projects().filter(Project::is_described) {
        let name = project.name;
        let asc = read_asc(&project.text("heights.asc", &["--easting", "200000"]));
        let [columns, rows] = project.size();
        assert_eq!(
            ([asc.columns, asc.rows], asc.origin, asc.cell),
            ([columns, rows], [200_000.0, 0.0], 10.0),
            "{name}"
        );
        let at = |column: usize, row: usize| asc.heights[row * columns + column];
        assert_eq!(at(0, 0), project.grid("sw") as f32, "{name}");
        assert_eq!(at(columns - 1, 0), project.grid("se") as f32, "{name}");
        assert_eq!(at(0, rows - 1), project.grid("nw") as f32, "{name}");
        let highest = &project.wanted["grid"]["max_at"];
        let highest = [0, 1].map(|i| highest[i].as_u64().unwrap() as usize);
        assert_eq!(at(highest[0], highest[1]), project.grid("max") as f32, "{name}");
        let holes = asc.heights.iter().filter(|h| h.is_nan()).count();
        if project.has_holes() {
            assert!(holes > 0, "{name}");
        } else {
            let bytes: Vec<u8> = asc.heights.iter().flat_map(|h| h.to_le_bytes()).collect();
            let hash: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(hash, project.wanted["grid"]["sha256"].as_str().unwrap(), "{name}: the file's own bytes");
        }

        let tiff = read_geotiff(&std::fs::read(project.export("heights.tif", &["--easting", "200000"])).unwrap());
        assert_eq!(([tiff.columns, tiff.rows], tiff.origin, tiff.cell), ([columns, rows], asc.origin, 10.0), "{name}");
        assert!(tiff.heights.iter().zip(&asc.heights).all(|(t, a)| t == a || t.is_nan() && a.is_nan()), "{name}");

        let points = read_xyz(&project.text("heights.xyz", &[]));
        assert_eq!(points.len(), asc.heights.len() - holes, "{name}");
        for (east, north, height) in points {
            assert_eq!(at((east / 10.0) as usize, (north / 10.0) as usize), height, "{name}: {east} {north}");
        }

        // The ending says which picture is meant.
        let picture = read_png16(&std::fs::read(project.export("heights.png", &[])).unwrap());
        assert_eq!([picture.columns, picture.rows], [columns, rows], "{name}");
        let step = picture.number("Metres per step");
        for (found, wanted) in picture.heights().iter().zip(&asc.heights) {
            let near = |found: f64| (found - f64::from(*wanted)).abs() <= step * 0.500_01;
            assert!(found.map_or(wanted.is_nan(), near), "{name}: {found:?} {wanted}");
        }
    }
}

#[test]
fn exported_objects_are_the_projects() {
    for project in projects().filter(Project::is_described) {
        let (name, wanted) = (project.name, &project.wanted["objects"]);
        let rows = read_separated(&project.text("objects.csv", &[]), ',');
        let column = |name: &str| rows[0].iter().position(|c| c == name).unwrap();
        let objects = &rows[1..];
        assert_eq!(objects.len() as u64, wanted["present"].as_u64().unwrap(), "{name}");
        let mut per_type: BTreeMap<&str, u64> = BTreeMap::new();
        objects.iter().for_each(|row| *per_type.entry(&row[column("type_id")]).or_default() += 1);
        assert_eq!(serde_json::to_value(per_type).unwrap(), wanted["per_type"], "{name}");
        let types = project.wanted["object_types"].as_array().unwrap();
        for row in objects {
            let id = row[column("type_id")].parse().ok();
            let of = types.iter().find(|t| t["type_id"].as_u64() == id).unwrap();
            assert_eq!(
                (&of["model"], &of["name"]),
                (&row[column("model")].as_str().into(), &row[column("type")].as_str().into())
            );
        }
        let visitor = read_separated(&project.text("objects.txt", &["--format", "visitor-list"]), ';');
        let shifted = ["--format", "terrain-builder-list", "--easting", "200000"];
        let builder = read_separated(&project.text("builder.txt", &shifted), ';');
        assert_eq!((visitor.len(), builder.len()), (objects.len(), objects.len()), "{name}");
        for sample in wanted["samples"].as_array().unwrap_or(&Vec::new()) {
            let index =
                objects.iter().position(|row| row[column("slot")].parse().ok() == sample["index"].as_u64()).unwrap();
            let (row, visitor, builder) = (&objects[index], &visitor[index], &builder[index]);
            let is = |text: &str, wanted: f64| close(text.parse().unwrap(), wanted);
            let number = |key: &str| sample[key].as_f64().unwrap();
            for (found, key) in
                [("id", "id"), ("x", "x"), ("y", "y"), ("z", "z"), ("scale", "scale"), ("type_id", "type_id")]
            {
                assert!(is(&row[column(found)], number(key)), "{name}: {sample}: {row:?}");
            }
            assert!(is(&row[column("above_ground")], number("rel")), "{name}: {sample}: {row:?}");
            assert_eq!(row[column("name")], sample["name"].as_str().unwrap(), "{name}");
            let heading = |text: &str| {
                let away = (text.parse::<f64>().unwrap() - number("heading_deg")).rem_euclid(360.0);
                away.min(360.0 - away) < 0.01
            };
            assert!(heading(&row[column("heading_degrees")]), "{name}: {sample}: {row:?}");
            // The lists: the same, each in its own words.
            assert_eq!(visitor[0], row[column("model")]);
            let file = row[column("model")].rsplit('\\').next().unwrap();
            assert_eq!(Some(builder[0].as_str()), file.strip_suffix(".p3d"));
            for (list, places) in
                [(visitor, [(1, "x"), (2, "z"), (3, "scale")]), (builder, [(2, "z"), (6, "scale"), (7, "rel")])]
            {
                for (place, key) in places {
                    assert!(is(&list[place], number(key)), "{name}: {key}: {sample}: {list:?}");
                }
            }
            assert!((builder[1].parse::<f64>().unwrap() - 200_000.0 - number("x")).abs() < 1e-3, "{name}: {builder:?}");
            assert!(heading(&visitor[4]) && heading(&builder[3]), "{name}: {visitor:?} {builder:?}");
            assert!(builder[4].parse::<f64>().unwrap().abs() < 0.01 && builder[5].parse::<f64>().unwrap().abs() < 0.01);
        }
    }
}

#[test]
fn exported_scenes_are_the_projects() {
    let mut files = Vec::new();
    // The files lie in the projects' folders.
    let projects: Vec<Project> = projects().filter(Project::is_described).collect();
    for project in &projects {
        let name = project.name;
        // Into a folder: the file is called like the project.
        let out = project.folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        let output = bonebox(args!["export", &project.path, "-o", &out]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let path = out.join(format!("{name}.glb"));
        let file = ReadBack::new(&std::fs::read(&path).unwrap());
        files.push(path);
        let ground = file.document.nodes().find(|n| n.name() == Some("Ground")).unwrap();
        let primitive = ground.mesh().unwrap().primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(&file.blob));
        let found: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        let points = read_xyz(&project.text("heights.xyz", &[]));
        assert_eq!(found.len(), points.len(), "{name}");
        for ([x, y, z], (east, north, height)) in found.iter().zip(points) {
            assert_eq!((f64::from(*x), *y, f64::from(-z)), (east, height, north), "{name}");
        }
        let [columns, rows] = project.size();
        if !project.has_holes() {
            assert_eq!(primitive.indices().unwrap().count(), (columns - 1) * (rows - 1) * 6, "{name}");
        }
        let objects = file.document.nodes().find(|n| n.name() == Some("Objects"));
        let count = objects.map_or(0, |o| o.children().count());
        assert_eq!(count as u64, project.wanted["objects"]["present"].as_u64().unwrap(), "{name}");
    }
    khronos_validate(&files);
    // A coarser ground keeps the edge.
    let coarse = ReadBack::new(&std::fs::read(projects[0].export("coarse.glb", &["--step", "10"])).unwrap());
    let ground = coarse.document.nodes().find(|n| n.name() == Some("Ground")).unwrap();
    let bounds = ground.mesh().unwrap().primitives().next().unwrap().bounding_box();
    assert_eq!((bounds.max[0], bounds.min[2]), (630.0, -630.0));
    assert_eq!(coarse.document.accessors().next().unwrap().count(), 8 * 8);
}

#[test]
fn everything_goes_into_a_folder_under_the_projects_names() {
    for project in projects() {
        let out = project.folder.path().join("all");
        let output = bonebox(args!["export", &project.path, "--all", "-o", &out]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", project.name, stderr(&output));
        let manifest: Value = serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
        assert_eq!(manifest["failed"], serde_json::json!([]), "{}", project.name);
        assert!(out.join(format!("{}.glb", project.name)).is_file(), "{manifest}");
    }
}

#[test]
fn a_person_may_say_how_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = path("tiny60");
    let said = json(args!["inspect", &path, "--json", "--reading", "cell=25", "--reading", "rows=north-first"]);
    assert_eq!((&said["reading"]["cell"], &said["terrain"]["cell"]), (&"25".into(), &25.0.into()));
    assert_eq!(said["reading"]["rows"], "north-first");
    let text = bonebox(args!["inspect", &path, "--reading", "cell=25"]);
    assert!(stdout(&text).contains("cell=25 (set with --reading)"), "{:.2000}", stdout(&text));
    let heights = |more: &[&str], file: &str| {
        let target = folder.path().join(file);
        let mut arguments = args!["export", &path, "-o", &target];
        arguments.extend(more.iter().map(Into::into));
        let output = bonebox(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        read_asc(&std::fs::read_to_string(target).unwrap())
    };
    let (plain, turned) =
        (heights(&[], "a.asc"), heights(&["--reading", "cell=25", "--reading", "rows=north-first"], "b.asc"));
    assert_eq!((plain.cell, turned.cell), (10.0, 25.0));
    let last = plain.heights.len() - plain.columns;
    assert_eq!(plain.heights[..plain.columns], turned.heights[last..], "the first row is the north one now");
    for verb in ["list", "verify"] {
        let output = bonebox(args![verb, &path, "--reading", "cell=25", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn what_is_no_reading_is_wrong_usage_and_says_what_there_is() {
    let path = path("tiny60");
    for (answer, words) in [
        ("colour=red", "strings, "),
        ("strings=sideways", "strings=exclusive"),
        ("cell=0", "any positive number"),
        ("cell=wide", "any positive number"),
    ] {
        for verb in ["list", "inspect", "verify"] {
            let output = bonebox(args![verb, &path, "--reading", answer]);
            assert_eq!(output.status.code(), Some(2), "{verb} {answer}: {}", stderr(&output));
            assert!(stderr(&output).contains(words) && output.stdout.is_empty(), "{}", stderr(&output));
        }
    }
    // In a folder it is said of the files that have it.
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(&path, folder.path().join("a.pew")).unwrap();
    let mesh = program::Made::new();
    std::fs::copy(mesh.path("sheet.psk"), folder.path().join("b.psk")).unwrap();
    for (answer, code) in [("cell=25", 0), ("cell=wide", 2)] {
        let output = bonebox(args!["verify", folder.path(), "--reading", answer]);
        assert_eq!(output.status.code(), Some(code), "{answer}: {}", stderr(&output));
        let out = folder.path().join(format!("out {code}"));
        let output = bonebox(args!["export", folder.path(), "--all", "--reading", answer, "-o", &out]);
        assert_eq!(output.status.code(), Some(code), "{answer}: {}", stderr(&output));
    }
}

#[test]
fn an_ending_that_two_lists_share_asks_which() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("objects.txt");
    let output = bonebox(args!["export", path("tiny60"), "-o", &target]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("visitor-list") && said.contains("terrain-builder-list") && !target.exists(), "{said}");
}

#[test]
fn what_is_left_of_damaged_projects_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let export = |name: &str, target: &Path| bonebox(args!["export", path(name), "-o", target]);
    let target = folder.path().join("rows.asc");
    let output = export("bad_truncated_heights", &target);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let asc = read_asc(&std::fs::read_to_string(&target).unwrap());
    let there = asc.heights.iter().filter(|h| h.is_finite()).count();
    // 19 rows, and what is there of the next.
    assert_eq!((asc.columns, asc.rows, there), (64, 64, 19 * 64 + 34));
    assert!(stderr(&output).contains("[visitor.short-heights]"), "{}", stderr(&output));
    let target = folder.path().join("objects.csv");
    let output = export("bad_truncated_objects", &target);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // What stands in the eight slots that are whole; empty ones are left out.
    let slots: Vec<String> = read_separated(&std::fs::read_to_string(&target).unwrap(), ',')
        .into_iter()
        .skip(1)
        .map(|row| row[0].clone())
        .collect();
    assert!(!slots.is_empty() && slots.len() <= 8, "{slots:?}");
    assert!(stderr(&output).contains("8 of 40 objects can be read"), "{}", stderr(&output));
    for (name, why) in [
        ("bad_magic", "the file begins with “POSEX60\\x00” instead of POSEW and two digits"),
        ("bad_header_only", "the header ends too early: expected 48 bytes, found 20"),
    ] {
        let target = folder.path().join("nothing.asc");
        let output = export(name, &target);
        assert!(output.status.code() == Some(1) && !target.exists(), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(why) && stderr(&output).contains(name), "{name}: {}", stderr(&output));
    }
}
