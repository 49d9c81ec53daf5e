//! What documents say of the repository: sections that are cited, tests that are named, links.

#[allow(dead_code)]
#[path = "kit/files.rs"]
mod files;
#[path = "kit/words.rs"]
mod words;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Comments cite documents of this repository and their sections.
#[test]
fn every_document_and_section_that_a_comment_cites_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    let mut cited = 0;
    for folder in ["src", "tests", "benches", "examples", "fuzz/fuzz_targets", "shaders"] {
        for path in files::files_below(&root.join(folder)) {
            if path.extension().is_none_or(|e| e != "rs" && e != "wgsl") || path.ends_with("documents.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for (number, line) in text.lines().enumerate().filter(|(_, line)| line.contains(".md")) {
                for (document, section) in citations(line) {
                    cited += 1;
                    let place = format!("{}:{}", path.strip_prefix(root).unwrap().display(), number + 1);
                    let Ok(text) = fs::read_to_string(root.join("docs").join(&document)) else {
                        broken.push(format!("{place}: there is no docs/{document}"));
                        continue;
                    };
                    // A heading begins with its number: `### 6.7 Billboards`.
                    let begins = |line: &str| {
                        let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim_start());
                        let first = heading.and_then(|heading| heading.split_whitespace().next());
                        first.is_some_and(|first| first.trim_end_matches('.') == section)
                    };
                    if !section.is_empty() && !text.lines().any(begins) {
                        broken.push(format!("{place}: docs/{document} has no section {section}"));
                    }
                }
            }
        }
    }
    assert!(cited > 200, "only {cited} citations were found");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Documents that a line names, each with the section that follows (`formats/j3d.md §6.7`), if any.
fn citations(line: &str) -> Vec<(String, String)> {
    let ends = line.match_indices(".md").map(|(at, _)| at);
    let cited = ends.filter_map(|at| {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '/';
        let start = line[..at].rfind(|c| !name(c)).map_or(0, |before| before + 1);
        let document = format!("{}.md", line[start..at].trim_start_matches("docs/"));
        let rest = line[at + 3..].strip_prefix(" §").unwrap_or_default();
        let section: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
        (start < at).then(|| (document, section.trim_end_matches('.').to_owned()))
    });
    cited.collect()
}

/// The tests that the last cell of a row names: `module::test` in code quotes, each as its two parts.
fn named_tests(cell: &str) -> Vec<(&str, &str)> {
    cell.split('`').skip(1).step_by(2).filter_map(|quoted| quoted.split_once("::")).collect()
}

/// Whether a file of `tests/` belongs to what the guide calls this: a module of `ui`, or `window` or `cli` as a whole.
fn is_of(file: &str, module: &str) -> bool {
    let Some((executable, rest)) = file.strip_suffix(".rs").and_then(|file| file.split_once('/')) else { return false };
    match module {
        "window" | "cli" => executable == module,
        _ => executable == "ui" && rest.split('/').next() == Some(module),
    }
}

#[test]
fn everything_that_is_expected_says_where_it_is_and_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("docs/GUIDE.md")).unwrap();
    let (_, table) = guide.split_once("## What is expected of a viewer").expect("the guide has the table");
    let tests: Vec<(String, String)> = files::files_below(&root.join("tests"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .map(|path| {
            let name = path.strip_prefix(root.join("tests")).unwrap().to_string_lossy().replace('\\', "/");
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    let is_test = |module: &str, test: &str| {
        let definition = format!("#[test]\nfn {test}(");
        tests.iter().any(|(file, text)| is_of(file, module) && text.contains(&definition))
    };
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| expected"));
    let mut wrong = Vec::new();
    let mut named = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [expected, place, test] = cells[..] else { panic!("not three cells: {row}") };
        let found = named_tests(test);
        named += found.len();
        let missing = found.iter().filter(|(module, test)| !is_test(module, test));
        wrong.extend(missing.map(|(module, test)| format!("{expected}: there is no test {module}::{test}")));
        // What is left out, or has no test, says why in brackets.
        let says_why = test.contains("– (") && test.ends_with(')');
        if found.is_empty() && !says_why {
            wrong.push(format!("{expected}: names no test, and does not say why"));
        }
        if place.is_empty() || (place == "–" && !says_why) {
            wrong.push(format!("{expected}: does not say where it is"));
        }
    }
    assert!(named >= 50, "only {named} tests are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where the links of a text lead, without those into the net. Pictures are links too.
fn links(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    let targets = lines.flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// What a heading is called in links: small letters, hyphens for spaces, nothing else but letters and digits.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_and_anchors_are_read() {
    let text = "see [a](b.md), [c](d.md#e-f)\n![p](../x.png) [n](https://n.example/y)\n```\n[no](no.md)\n```\n[z](#z)";
    assert_eq!(links(text), ["b.md", "d.md#e-f", "../x.png", "#z"]);
    assert_eq!(anchor("## Textures, palettes and fonts"), "textures-palettes-and-fonts");
    assert_eq!(anchor("### 6.7 Billboards"), "67-billboards");
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents: Vec<PathBuf> = ["README.md", "SECURITY.md", "CHANGELOG.md"]
        .into_iter()
        .map(|name| root.join(name))
        .chain(files::files_below(&root.join("docs")))
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    let mut checked = 0;
    let mut broken = Vec::new();
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        for link in links(&text) {
            checked += 1;
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { document.clone() } else { document.with_file_name(file) };
            let name = document.strip_prefix(root).unwrap().display();
            if !target.exists() {
                broken.push(format!("{name}: there is no {link}"));
            } else if !section.is_empty() {
                let text = fs::read_to_string(&target).unwrap();
                if !text.lines().any(|line| line.starts_with('#') && anchor(line) == section) {
                    broken.push(format!("{name}: {link} is no section"));
                }
            }
        }
    }
    assert!(checked > 100, "only {checked} links were found");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn strings_of_code_are_found() {
    let code = r##"
        //! Says none of it.
        /// Tells none of it.
        #[error("one two {three}")]
        enum A {}
        const B: &str = "a b"; // "c d e"
        fn f() { g('"', "four five \
            six", r#"seven "eight" nine"#) }
        #[cfg(test)]
        mod tests { const D: &str = "left out whole"; }
        #[cfg(test)]
        const E: &str = "left out too";
        const F: [&str; 1] = ["back in again"];
    "##;
    assert_eq!(words::strings(code), ["one two 0", "four five six", "seven \"eight\" nine", "back in again"]);
}

#[test]
fn habits_and_odd_beginnings_are_counted() {
    let mut count = words::Count::default();
    count.add("a", "It says what it is of: “none” lies beside it.");
    count.add("b", "The essays are offered, and there is nonetheless more.");
    count.add("c", "# What");
    assert_eq!((count.words(), count.with_habits.len(), count.with_odd_beginnings.len()), (20, 5, 1));
    assert_eq!((count.habits(), count.odd_beginnings()), (5.0 / 20.0 * 1e4, 1.0 / 3.0 * 1e2));
}

/// Strings and documents keep to docs/STYLE.md. The limits only fall: whoever mends many texts lowers them.
#[test]
fn strings_and_documents_are_in_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut strings, mut documents) = (words::Count::default(), words::Count::default());
    for path in files::files_below(&root.join("src")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs"))
    {
        let place = path.strip_prefix(root).unwrap().display().to_string();
        if !place.ends_with("tests.rs") {
            words::strings(&fs::read_to_string(path).unwrap()).iter().for_each(|text| strings.add(&place, text));
        }
    }
    let texts =
        fs::read_dir(root).unwrap().chain(fs::read_dir(root.join("docs")).unwrap()).map(|entry| entry.unwrap().path());
    for path in texts.filter(|path| path.extension().is_some_and(|e| e == "md") && !path.ends_with("STYLE.md")) {
        let text = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(root).unwrap().display().to_string();
        text.split("\n\n").for_each(|paragraph| documents.add(&place, paragraph));
    }
    assert!(
        strings.words() > 20_000 && documents.words() > 40_000,
        "{} and {} words",
        strings.words(),
        documents.words()
    );
    let mut wrong = Vec::new();
    for (of, count, most_habits, most_odd) in [("strings", strings, 2.0, 1.2), ("documents", documents, 1.0, 1.2)] {
        let (habits, odd) = (count.habits(), count.odd_beginnings());
        println!("{of}: {habits:.1} habits in 10,000 words, {odd:.1} odd beginnings in 100 texts");
        if habits > most_habits {
            wrong.push(format!("{habits:.1} habits in 10,000 words of {of}, at most {most_habits}:"));
            wrong.extend(count.with_habits);
        }
        if odd > most_odd {
            wrong.push(format!("{odd:.1} odd beginnings in 100 {of}, at most {most_odd}:"));
            wrong.extend(count.with_odd_beginnings);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The walks of docs/ARCHITECTURE.md through the source, and the maximum number of files of each.
const WALKS: &[(&str, usize)] =
    &[("A dropped model becomes an image:", 18), ("A key has an effect:", 6), ("A new export format is added:", 3)];

#[test]
fn the_walks_through_the_source_name_few_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let after = |text: &str, start: &str| text.split_once(start).map(|(_, rest)| rest.to_owned());
    let section = after(&text, "## Three walks").expect("a section on walks");
    let section = section.split("\n## ").next().unwrap();
    for (walk, most) in WALKS {
        let steps = after(section, walk).unwrap_or_else(|| panic!("there is no walk {walk}"));
        let steps = steps.trim_start().split("\n\n").next().unwrap();
        let quoted = steps.split('`').skip(1).step_by(2);
        let mut files: Vec<&str> = quoted.filter(|name| name.ends_with(".rs") || name.ends_with(".wgsl")).collect();
        files.sort_unstable();
        files.dedup();
        let missing = |file: &&&str| !root.join("src").join(file).is_file() && !root.join(file).is_file();
        assert_eq!(files.iter().filter(missing).collect::<Vec<_>>(), Vec::<&&str>::new(), "{walk} missing files");
        // The new file of an export has no name yet.
        let count = files.len() + usize::from(steps.contains("A new file"));
        assert!((2..=*most).contains(&count), "{walk} {count} files, limit {most}");
    }
}
