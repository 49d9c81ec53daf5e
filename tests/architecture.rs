//! The import rules and the other rules of the source's shape.

#[allow(dead_code)]
#[path = "kit/files.rs"]
mod files;
#[allow(dead_code)]
#[path = "kit/modules.rs"]
mod modules;
#[path = "kit/numbers.rs"]
mod numbers;

use std::{fs, path::Path};

/// Modules and what each may use of the crate (`src/lib.rs` says why).
const ALLOWED: &[(&str, &[&str])] = &[
    ("bytes", &[]),
    ("files", &[]),
    ("scene", &[]),
    ("jobs", &["bytes"]),
    ("formats", &["bytes", "scene"]),
    ("library", &["bytes", "files", "scene", "formats"]),
    ("export", &["bytes", "files", "formats", "scene"]),
    ("gpu", &["scene"]),
    ("audio", &["scene"]),
    ("cli", &["bytes", "scene", "formats", "library", "export", "gpu", "audio", "jobs"]),
    ("ui", &["bytes", "files", "scene", "formats", "library", "export", "gpu", "audio", "jobs"]),
];

/// Folders of `formats` that every family may use.
const SHARED_BY_FAMILIES: &[&str] = &["gx", "archive", "coverage", "picture", "tracker", "wave"];

/// The rooms of the window: folders and files of `ui` that show one thing each. They know shared widgets, commands and the state, and
/// not each other.
const ROOMS: &[&str] = &["library", "stage", "transport", "inspector", "log", "export"];

/// Folders in which no modules use each other in a circle, nor in the folders below them. `*` is every folder there.
const WITHOUT_CIRCLES: &[&str] =
    &["ui", "formats/*", "gpu", "scene", "library", "export", "cli", "jobs", "bytes", "audio"];

/// Maximum number of methods of `Document`. Data that only some documents have is a capability.
const MAX_DOCUMENT_METHODS: usize = 12;

/// Maximum number of fields of the types of the window that contain others. These figures may only fall.
const MAX_FIELDS: &[(&str, usize)] = &[("State", 15), ("Stage", 7), ("Core", 10)];

/// Maximum number of methods of the window's `State`, and of blocks that contain them. These figures may only fall.
const MAX_STATE_METHODS: usize = 56;
const MAX_STATE_BLOCKS: usize = 8;

/// Maximum number of source files, and of source files that are shorter than [`SHORT_FILE`]. These figures may only fall.
const MAX_FILES: usize = 1118;
const MAX_SHORT_FILES: usize = 37;
/// A number of lines.
const SHORT_FILE: usize = 40;

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files::files_below(&root)
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .map(|p| {
            let name = p.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            // Words in comments and documentation are no imports.
            let text = fs::read_to_string(&p).unwrap();
            let code = text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
            (name, code)
        })
        .collect()
}

/// The names that follow `prefix` in `code`, groups in braces taken apart one level.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        match rest.strip_prefix('{') {
            None => names.push(word(rest)),
            Some(group) => {
                let (mut depth, mut start) = (0, true);
                for (index, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && c.is_alphabetic() => {
                            names.push(word(&group[index..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

#[test]
fn the_reader_of_imports_reads_groups() {
    let code = "use crate::{bytes::{Limits, Source}, scene::Clip};\nlet x = crate::gpu::y; mycrate::ui::z";
    assert_eq!(names_after(code, "crate::"), ["bytes", "scene", "gpu"]);
}

#[test]
fn modules_import_only_what_they_may() {
    let mut broken = Vec::new();
    for (file, code) in sources() {
        let Some((module, _)) = file.split_once('/') else { continue };
        let (_, allowed) =
            ALLOWED.iter().find(|(m, _)| *m == module).unwrap_or_else(|| panic!("no rule for src/{module}"));
        for name in names_after(&code, "crate::") {
            let is_module = ALLOWED.iter().any(|(m, _)| *m == name);
            if is_module && name != module && !allowed.contains(&name.as_str()) {
                broken.push(format!("src/{file} imports crate::{name}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn families_do_not_import_each_other() {
    let mut broken = Vec::new();
    let families: Vec<String> = sources()
        .iter()
        .filter_map(|(f, _)| f.strip_prefix("formats/")?.split_once('/').map(|(family, _)| family.to_owned()))
        .collect();
    for (file, code) in sources() {
        let Some((family, _)) = file.strip_prefix("formats/").and_then(|f| f.split_once('/')) else { continue };
        for prefix in ["crate::formats::", "super::super::", "super::"] {
            for name in names_after(&code, prefix) {
                let other = name != family && families.contains(&name);
                if other && !SHARED_BY_FAMILIES.contains(&name.as_str()) {
                    broken.push(format!("src/{file} imports formats::{name}"));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_document_has_few_methods() {
    let sources = sources();
    let (_, code) = sources.iter().find(|(file, _)| file == "formats/document.rs").unwrap();
    let body = code.split_once("pub trait Document").unwrap().1.split_once("\n}\n").unwrap().0;
    let methods = body.lines().filter(|line| line.trim_start().starts_with("fn ")).count();
    assert!((5..=MAX_DOCUMENT_METHODS).contains(&methods), "{methods}");
    // A container's own capabilities are not those of its members: other modules ask.
    let direct = |(file, code): &&(String, String)| !file.starts_with("formats/") && code.contains(".capabilities()");
    let direct: Vec<&String> = sources.iter().filter(direct).map(|(file, _)| file).collect();
    assert!(direct.is_empty(), "these modules do not use `Document::ask`: {direct:?}");
}

#[test]
fn modules_do_not_use_each_other_in_circles() {
    let modules = modules::Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut broken = Vec::new();
    let mut folders = 0;
    for root in WITHOUT_CIRCLES {
        let (path, only_below) = root.strip_suffix("/*").map_or((*root, false), |path| (path, true));
        let path: modules::Name = path.split('/').map(str::to_owned).collect();
        for folder in modules.folders(&path).into_iter().filter(|folder| !only_below || *folder != path) {
            folders += 1;
            let name = folder.join("/");
            let circles = modules::circles(&modules.uses_in(&folder));
            broken.extend(circles.iter().map(|circle| format!("src/{name}: {circle}")));
        }
    }
    assert!(folders > 40, "only {folders} folders were read");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn rooms_of_the_window_do_not_use_each_other() {
    let modules = modules::Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let uses = modules.uses_in(&["ui".to_owned()]);
    let mut broken = Vec::new();
    for room in ROOMS {
        let used = uses.get(*room).unwrap_or_else(|| panic!("no room src/ui/{room}"));
        assert!(used.contains_key("theme") || used.contains_key("widgets"), "what {room} uses was not read");
        let others = ROOMS.iter().filter(|other| *other != room);
        for other in others.filter_map(|other| used.get_key_value(*other)) {
            broken.push(format!("src/ui/{room} uses src/ui/{}: {:?}", other.0, other.1));
        }
    }
    // Nor do the shared parts know a room.
    for shared in ["widgets", "state", "command"] {
        let known = ROOMS.iter().filter_map(|room| uses.get(shared)?.get_key_value(*room));
        broken.extend(known.map(|(room, items)| format!("src/ui/{shared} uses src/ui/{room}: {items:?}")));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn circles_are_found() {
    let circles = |texts: &[(&str, &str)]| {
        let modules = modules::of_texts(texts);
        let first = |circle: String| circle.lines().next().unwrap_or_default().to_owned();
        modules::circles(&modules.uses_in(&["gpu".to_owned()])).into_iter().map(first).collect::<Vec<_>>()
    };
    let lists = ("gpu", "mod a; mod b; mod c; pub use a::A; pub(super) use c::*;");
    // By `use`, in a group and through a re-export; by a path in code; by everything that is passed on; by an alias.
    for (a, b) in [
        ("use super::{b::{B, D}, c};", "use crate::gpu::A;"),
        ("fn a() { super::b::go() }", "use super::a as other;"),
        ("use super::B;", "use super::c; fn b() { c::deep() }"),
        ("use super::b; fn a() { b::go() }", "fn b(x: &crate::gpu::A) {}"),
    ] {
        let c = ("gpu/c", "pub use super::b::B; fn deep() { super::a::go() }");
        let found = circles(&[lists, ("gpu/a", a), ("gpu/b", b), c]);
        assert_eq!(found.len(), 1, "{a} {b}: {found:?}");
    }
    assert_eq!(circles(&[lists, ("gpu/a", "use super::b::B;"), ("gpu/b", "use super::A;")]), ["a -> b -> a"]);
    // The folder's own file counts where it holds items and calls.
    let calls = ("gpu", "mod a; pub const SIZE: u32 = 1; fn go() { a::go() }");
    assert_eq!(circles(&[calls, ("gpu/a", "use super::SIZE;")]), ["a -> gpu/mod -> a"]);
    // A folder below is one part.
    let below = [("gpu/b", "mod x; mod y;"), ("gpu/b/x", "use super::super::a;"), ("gpu/b/y", "")];
    assert_eq!(circles(&[&[lists, ("gpu/a", "use super::b::y;")], &below[..]].concat()), ["a -> b -> a"]);
    // Tests, texts and comments are no uses.
    let tests =
        "// super::b::x\nfn a() { \"super::b::x\"; '\"'; '\\''; }\n#[cfg(test)] mod tests { use super::super::b; }";
    assert!(circles(&[lists, ("gpu/a", tests), ("gpu/b", "use super::a;")]).is_empty());
    let tests = ("gpu/a", "#[cfg(test)] mod tests;");
    assert!(circles(&[lists, tests, ("gpu/a/tests", "use super::super::b;"), ("gpu/b", "use super::a;")]).is_empty());
}

/// Where code decides by what a format calls an entry, or by the format itself: `entry.class == "Bone"`.
fn decisions_by_class(code: &str) -> Vec<String> {
    /// What the class and the formats' own strings are reached by.
    const NAMES: [&str; 5] = [".class", ".format().id", ".format().name", ".info().id", ".info().name"];
    const ASKING: [&str; 8] =
        ["==", "!=", ".eq(", ".eq_ignore_ascii_case(", ".contains(", ".starts_with(", ".ends_with(", ".cmp("];
    let words = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for name in NAMES {
        for (at, _) in words.match_indices(name) {
            let mut after = words[at + name.len()..].trim_start();
            if after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(') {
                continue;
            }
            for passed in [".as_ref()", ".as_str()", ".to_lowercase()", ".to_ascii_lowercase()"] {
                after = after.strip_prefix(passed).unwrap_or(after);
            }
            let after = after.trim_start_matches([')', ' ']);
            let is_literal = |rest: &str| rest.trim_start_matches([' ', '&', '*']).starts_with('"');
            let compared = ASKING.iter().any(|asking| after.strip_prefix(asking).is_some_and(is_literal));
            let statement = words[..at].rfind([';', '{', '}']).map_or(0, |start| start + 1);
            let before = words[statement..at].trim_start();
            // A class of another kind is an enum, and is matched as it is.
            let as_text = before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                && (before.contains("&*") || words[at + name.len()..].trim_start().starts_with(".as_"));
            let asked = before.rfind("match ").or(before.rfind("matches!("));
            let matched = asked.is_some_and(|asked| !before[asked..].contains(" =>")) && as_text;
            let swapped = before.contains("\" == ") || before.contains("\" != ");
            if compared || matched || swapped {
                found.push(words[statement..words.len().min(at + 60)].chars().take(120).collect());
            }
        }
    }
    found
}

#[test]
fn decisions_by_class_are_found() {
    let bad = [
        "entry.class == \"Bone\"",
        "if entry.class\n    .as_ref() != \"Bone\" {}",
        "matches!(&*entry.class, \"Bone\" | \"Joint\")",
        "match &*entry.class { \"INF1\" => 1, _ => 2 }",
        "match entry.class.as_ref() { _ => 2 }",
        "x.and_then(|e| e.class.contains(\"Mat\"))",
        "\"Bone\" == entry.class",
        "document.format().id == \"psk\"",
        "match outline.get(id).map(|entry| &*entry.class) { _ => 1 }",
    ];
    for code in bad {
        assert_eq!(decisions_by_class(code).len(), 1, "{code}");
    }
    let good = [
        "kind.class == class",
        "match kind.class { PropClass::Road => 1, _ => 2 }",
        "folds.entry(entry.class.clone())",
        "entry.role == Role::Bone",
        "let text = format!(\"{} is {}\", entry.class, x);",
        "classify(entry.classes == \"x\")",
    ];
    for code in good {
        assert!(decisions_by_class(code).is_empty(), "{code}");
    }
}

#[test]
fn only_formats_know_what_a_class_means() {
    let asks_by_role = ["ui/", "gpu/", "export/", "cli/", "library/"];
    let mut broken = Vec::new();
    for (file, code) in sources() {
        if asks_by_role.iter().any(|module| file.starts_with(module)) {
            broken.extend(decisions_by_class(&code).into_iter().map(|what| format!("src/{file}: {what}")));
        }
    }
    assert!(broken.is_empty(), "ask for the entry's role, or the document:\n{}", broken.join("\n"));
}

/// The lines between a line that is `start` and the next line that is `}`, for each time that they occur.
fn blocks<'a>(code: &'a str, start: &str) -> Vec<Vec<&'a str>> {
    let mut lines = code.lines();
    let mut found = Vec::new();
    while lines.by_ref().any(|line| line == start) {
        found.push(lines.by_ref().take_while(|line| *line != "}").collect());
    }
    found
}

/// Whether a line of a block begins a field or a method of it: a name behind `word` and four spaces, public or not.
fn declares(line: &str, word: &str) -> bool {
    let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with(' ')) else { return false };
    let public = line.strip_prefix("pub").map(|rest| match rest.strip_prefix('(').and_then(|r| r.split_once(") ")) {
        Some((_, rest)) => rest,
        None => rest.trim_start(),
    });
    let name = public.unwrap_or(line).trim_start_matches("const ").strip_prefix(word);
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && name.contains(['(', ':']))
}

#[test]
fn fields_and_methods_are_counted() {
    let code = "pub struct A {\n    pub a: B,\n    c: D,\n    pub(super) e: F<\n        G,\n    >,\n}\nimpl A {\n    fn a() {}\n\n    \
                pub const fn b(\n        c: D,\n    ) {\n    }\n}\nimpl A {\n    const C: D = 0;\n}\n";
    let fields = blocks(code, "pub struct A {").concat();
    assert_eq!(fields.iter().filter(|line| declares(line, "")).count(), 3);
    let methods = blocks(code, "impl A {");
    assert_eq!((methods.len(), methods.concat().iter().filter(|line| declares(line, "fn ")).count()), (2, 2));
}

#[test]
fn the_state_of_the_window_stays_divided() {
    let ui: Vec<(String, String)> = sources().into_iter().filter(|(file, _)| file.starts_with("ui/")).collect();
    for (name, most) in MAX_FIELDS {
        let start = format!("pub struct {name} {{");
        let found: Vec<_> = ui.iter().flat_map(|(_, code)| blocks(code, &start)).collect();
        let count = found.concat().iter().filter(|line| declares(line, "")).count();
        assert!(found.len() == 1 && count > 1 && count <= *most, "{name}: {count} fields, limit {most}");
    }
    let found: Vec<_> = ui.iter().flat_map(|(_, code)| blocks(code, "impl State {")).collect();
    let methods = found.concat().iter().filter(|line| declares(line, "fn ")).count();
    assert!(found.len() > 1 && found.len() <= MAX_STATE_BLOCKS, "{} blocks, limit {MAX_STATE_BLOCKS}", found.len());
    assert!(methods > 10 && methods <= MAX_STATE_METHODS, "{methods} methods, limit {MAX_STATE_METHODS}");
}

#[test]
fn source_files_are_few_and_not_short() {
    let lengths: Vec<usize> = sources().iter().map(|(_, code)| code.lines().count()).collect();
    let short = lengths.iter().filter(|lines| **lines < SHORT_FILE).count();
    assert!(lengths.len() > 500 && lengths.len() <= MAX_FILES, "{} files, limit {MAX_FILES}", lengths.len());
    assert!(short <= MAX_SHORT_FILES, "{short} files under {SHORT_FILE} lines, limit {MAX_SHORT_FILES}");
}

#[test]
fn lists_of_the_window_are_drawn_by_one_widget() {
    let sources = sources();
    let own = sources.iter().filter(|(file, code)| file.starts_with("ui/") && code.contains("show_rows"));
    assert_eq!(
        own.map(|(file, _)| file).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "use `Rows` of ui/widgets/rows.rs"
    );
    let widget = sources.iter().find(|(file, _)| file == "ui/widgets/rows.rs");
    assert!(widget.is_some_and(|(_, code)| code.contains("pub struct Rows")));
}

/// Arms of a `match` over a command that take whatever is left: a new command would do nothing, and nobody would notice.
fn wildcard_arms(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("match ") {
        let Some(open) = code[at..].find('{').map(|open| at + open) else { continue };
        let subject = code[at + 6..open].trim().trim_start_matches(['*', '&']);
        if !(subject == "command" || subject == "change" || subject.ends_with(".command")) {
            continue;
        }
        let mut depth = 0_usize;
        for line in code[open..].lines() {
            let arm = line.trim_start();
            let name: String = arm.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let is_name = name.starts_with(|c: char| c.is_lowercase() || c == '_');
            if depth == 1 && is_name && arm[name.len()..].trim_start().starts_with("=>") {
                found.push(arm.to_owned());
            }
            depth += line.matches(['{', '(', '[']).count();
            depth = depth.saturating_sub(line.matches(['}', ')', ']']).count());
            if depth == 0 {
                break;
            }
        }
    }
    found
}

#[test]
fn wildcard_arms_are_found() {
    let bad =
        "match command {\n    C::A => {\n        match x {\n            _ => 1,\n        }\n    }\n    _ => {}\n}\n";
    assert_eq!(wildcard_arms(bad), ["_ => {}"]);
    assert_eq!(wildcard_arms("match command {\n    C::A(x) => 1,\n    other => self.view(other),\n}").len(), 1);
    assert!(
        wildcard_arms("match command {\n    C::A | C::B => 1,\n    C::C { a, .. } => 2,\n}\nmatch x {\n    _ => 3,\n}")
            .is_empty()
    );
}

#[test]
fn every_command_is_matched_by_its_name() {
    let mut broken = Vec::new();
    let mut matches = 0;
    for (file, code) in sources() {
        if file.starts_with("ui/") {
            matches += code.matches("match command {").count();
            // `State::is_on`: most commands have no option. Its own test finds options that it does not know.
            let is_known = |arm: &str| file == "ui/state/possible.rs" && arm == "_ => return None,";
            let arms = wildcard_arms(&code).into_iter().filter(|arm| !is_known(arm));
            broken.extend(arms.map(|arm| format!("src/{file}: {arm}")));
        }
    }
    assert!(matches >= 12, "only {matches} matches over commands were found");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn window_and_gpu_crates_stay_in_their_modules() {
    let mut broken = Vec::new();
    for (file, code) in sources() {
        let in_ui = file.starts_with("ui/");
        for name in ["egui", "eframe", "egui_dock", "egui_extras", "egui_notify", "egui_phosphor", "rfd"] {
            if !in_ui && code.contains(&format!("{name}::")) {
                broken.push(format!("src/{file} uses {name}"));
            }
        }
        let may_use_wgpu = file.starts_with("gpu/") || file == "ui/viewport_gpu.rs";
        let code = code.replace("egui_wgpu::", "");
        if !may_use_wgpu && names_after(&code, "wgpu::").iter().any(|n| !n.is_empty()) {
            broken.push(format!("src/{file} uses wgpu"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn files_are_named_after_what_they_do() {
    for (file, _) in sources() {
        for word in ["util", "utils", "helper", "helpers", "common", "misc"] {
            let named = file.split('/').any(|part| part.trim_end_matches(".rs") == word);
            assert!(!named, "src/{file} is named after nothing");
        }
    }
    let main = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).unwrap();
    assert!(main.lines().count() < 40, "src/main.rs does more than start");
}

#[test]
fn the_lock_file_holds_one_egui_and_one_wgpu() {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).unwrap();
    for name in ["egui", "wgpu", "naga", "glam", "winit", "image"] {
        let count = lock.matches(&format!("\nname = \"{name}\"\n")).count();
        assert_eq!(count, 1, "{name} is in Cargo.lock {count} times");
    }
}

#[test]
fn what_is_written_uses_no_functions_of_the_system() {
    let sources = sources();
    let written: Vec<_> = sources.iter().filter(|(file, _)| numbers::are_written(file)).collect();
    assert!(written.len() >= 500, "only {} files were looked at", written.len());
    for picture in numbers::FOR_PICTURES_ALONE {
        assert!(sources.iter().any(|(file, _)| file == picture), "there is no src/{picture}");
    }
    let broken: Vec<String> = written.into_iter().flat_map(|(file, code)| numbers::of_the_system(file, code)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn functions_of_the_system_are_found() {
    let calls = "fn a(x: f32) -> f32 { x.sin() + x.mul_add(x, x) }\n";
    assert_eq!(numbers::of_the_system("a.rs", calls).len(), 2);
    let behind = format!("#[cfg(test)]\nmod parts;\n#[cfg(test)]\nfn b() {{}}\n{calls}");
    assert_eq!(numbers::of_the_system("a.rs", &behind).len(), 2);
    assert!(numbers::of_the_system("a.rs", &format!("#[cfg(test)]\nmod tests {{\n{calls}}}\n")).is_empty());
    let files = ["scene/sampler/game.rs", "scene/camera.rs", "formats/x/encode/a.rs", "formats/x/tests.rs", "ui/a.rs"];
    assert_eq!(files.map(numbers::are_written), [true, false, false, false, false]);
}
