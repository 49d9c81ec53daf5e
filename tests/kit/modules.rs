//! The modules of the source, and which of them name items of which, as far as their text tells.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::Path,
};

/// A module by its path below the crate: `["gpu", "tev"]`.
pub type Name = Vec<String>;

/// Uses among the parts of one folder: for each part the others, with what it names of them.
pub type Uses = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// All modules that are files, without those that are built for tests alone.
pub struct Modules(BTreeMap<Name, Module>);

/// What one file says.
#[derive(Default)]
struct Module {
    words: Vec<String>,
    /// Names that `use` declarations bring in, with the path each stands for and whether they go out again.
    imports: Vec<Import>,
    test_children: BTreeSet<String>,
}

struct Import {
    name: String,
    path: Vec<String>,
    is_public: bool,
}

impl Modules {
    /// The modules below the folder `src`.
    pub fn read(src: &Path) -> Self {
        let mut modules = BTreeMap::new();
        for file in super::files::files_below(src).into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
            let inside = file.strip_prefix(src).unwrap().with_extension("");
            let mut name: Name = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            name.pop_if(|last| last == "mod");
            modules.insert(name, Module::read(&fs::read_to_string(&file).unwrap()));
        }
        Self::without_tests(modules)
    }

    fn without_tests(mut modules: BTreeMap<Name, Module>) -> Self {
        let mut tests: Vec<Name> = Vec::new();
        for (name, module) in &modules {
            for child in &module.test_children {
                tests.push([name.as_slice(), std::slice::from_ref(child)].concat());
                // A file of tests may lie beside its module, by `#[path]`.
                tests.push([&name[..name.len().saturating_sub(1)], std::slice::from_ref(child)].concat());
                tests.push([&name[..name.len().saturating_sub(1)], &[format!("{}_tests", last(name))]].concat());
            }
        }
        modules.retain(|name, _| !tests.contains(name));
        Self(modules)
    }

    /// Every module that has files below it, itself among them, at `root` or deeper.
    pub fn folders(&self, root: &[String]) -> Vec<Name> {
        let has_children = |name: &Name| self.0.keys().any(|other| other.len() > name.len() && other.starts_with(name));
        self.0.keys().filter(|name| name.starts_with(root) && has_children(name)).cloned().collect()
    }

    /// What the parts of `folder` use of each other. A part is a file or folder in it, or the folder's own file.
    pub fn uses_in(&self, folder: &[String]) -> Uses {
        let part = |name: &Name| name.get(folder.len()).cloned().unwrap_or_else(|| format!("{}/mod", last(folder)));
        let mut uses = Uses::new();
        for (user, module) in self.0.iter().filter(|(name, _)| name.starts_with(folder)) {
            for (used, item) in self.used_by(user, module) {
                if used.starts_with(folder) && part(user) != part(&used) {
                    uses.entry(part(user)).or_default().entry(part(&used)).or_default().insert(item);
                }
            }
        }
        uses
    }

    /// The modules whose items `module` names, each with the item.
    fn used_by(&self, name: &Name, module: &Module) -> Vec<(Name, String)> {
        let mut found = Vec::new();
        for import in &module.imports {
            let passed_on = import.is_public && module.words.iter().filter(|word| **word == import.name).count() < 2;
            if !passed_on {
                found.extend(self.item(name, &import.path, 0));
            }
        }
        for path in paths(&module.words) {
            let aliased = module.imports.iter().find(|import| import.name == path[0]);
            match aliased {
                Some(import) => found.extend(self.item(name, &[&import.path, &path[1..]].concat(), 0)),
                None => found.extend(self.item(name, &path, 0)),
            }
        }
        found
    }

    /// The module that has what `path`, written in `from`, names; through re-exports.
    fn item(&self, from: &Name, path: &[String], depth: usize) -> Option<(Name, String)> {
        let mut at: Name = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "super" | "self" => from.clone(),
            child if self.0.contains_key(&[from.as_slice(), &[child.to_owned()]].concat()) => from.clone(),
            _ => return None,
        };
        for (index, segment) in path.iter().enumerate() {
            match segment.as_str() {
                "crate" | "self" => continue,
                "super" => drop(at.pop()?),
                _ => {
                    let child = [at.as_slice(), std::slice::from_ref(segment)].concat();
                    if self.0.contains_key(&child) || self.0.keys().any(|name| name.starts_with(&child)) {
                        at = child;
                        continue;
                    }
                    let module = self.0.get(&at)?;
                    let passed = module.imports.iter().find(|import| import.name == *segment);
                    if let Some(import) = passed.filter(|_| depth < 8 && at != *from) {
                        return self.item(&at, &[&import.path, &path[index + 1..]].concat(), depth + 1);
                    }
                    // A name of no item here comes from where everything is passed on from.
                    let everything = module.imports.iter().filter(|import| import.name == "*" && depth < 8);
                    let gives = |name: &Name| {
                        self.0
                            .get(name)
                            .is_some_and(|m| m.defines(segment) || m.imports.iter().any(|i| i.name == *segment))
                    };
                    let mut giving = everything.filter(|_| !module.defines(segment)).filter_map(|import| {
                        let (giver, _) = self.item(&at, &import.path, depth + 1)?;
                        gives(&giver).then(|| [&import.path[..import.path.len() - 1], &path[index..]].concat())
                    });
                    if let Some(path) = giving.next().filter(|_| at != *from) {
                        return self.item(&at, &path, depth + 1);
                    }
                    return Some((at, segment.clone()));
                }
            }
        }
        // A folder as such is nothing to depend on: what is named of it is followed by itself.
        (!from.starts_with(&at)).then(|| (at, "self".to_owned()))
    }
}

fn last(name: &[String]) -> &str {
    name.last().map_or("crate", String::as_str)
}

impl Module {
    fn read(text: &str) -> Self {
        let mut module = Self::default();
        let words = words(text);
        let mut at = 0;
        while let Some(word) = words.get(at) {
            if words[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"].map(str::to_owned)) {
                let end = end_of_item(&words, at + 7);
                if let [.., before, name, semicolon] = &words[..end]
                    && before == "mod"
                    && semicolon == ";"
                {
                    module.test_children.insert(name.clone());
                }
                at = end;
            } else if word == "use" {
                let end = at + words[at..].iter().position(|word| word == ";").unwrap_or(words.len() - at);
                let is_public = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
                for (path, alias) in tree(&words[at + 1..end]) {
                    let name = alias.unwrap_or_else(|| last(&path).to_owned());
                    module.imports.push(Import { name, path, is_public });
                }
                at = end;
            } else {
                module.words.push(word.clone());
                at += 1;
            }
        }
        // Names that only go out again are found once more here: each was imported.
        for import in &module.imports {
            module.words.extend([";".to_owned(), import.name.clone()]);
        }
        module
    }

    /// Whether an item called `name` is made here.
    fn defines(&self, name: &str) -> bool {
        let makes = ["struct", "enum", "fn", "const", "static", "trait", "type", "mod", "union"];
        self.words.windows(2).any(|pair| makes.contains(&pair[0].as_str()) && pair[1] == name)
    }
}

/// Where the item that begins at `at` ends.
fn end_of_item(words: &[String], at: usize) -> usize {
    let (mut depth, mut has_body) = (0_usize, false);
    for (index, word) in words.iter().enumerate().skip(at) {
        match word.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            "fn" | "mod" | "impl" | "struct" | "enum" if depth == 0 => has_body = true,
            _ => {}
        }
        if depth == 0 && (word == ";" || word == "}" && has_body) {
            return index + 1;
        }
    }
    words.len()
}

/// The paths of a `use` declaration, groups taken apart, each with its alias.
fn tree(words: &[String]) -> Vec<(Vec<String>, Option<String>)> {
    let mut prefix = Vec::new();
    for (index, word) in words.iter().enumerate() {
        match word.as_str() {
            "::" => {}
            "as" => return vec![(prefix, words.get(index + 1).cloned())],
            "{" => {
                let inside = &words[index + 1..words.len() - 1];
                let mut found = Vec::new();
                let (mut depth, mut start) = (0, 0);
                for (at, word) in inside.iter().map(String::as_str).chain([","]).enumerate() {
                    match word {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        "," if depth == 0 && start < at => {
                            found.extend(tree(&inside[start..at]));
                            start = at + 1;
                        }
                        _ => {}
                    }
                }
                // `{self}` is what stands before the group.
                let joined = |path: Vec<String>| match path.as_slice() {
                    [only] if only == "self" && !prefix.is_empty() => prefix.clone(),
                    _ => [prefix.clone(), path].concat(),
                };
                return found.into_iter().map(|(path, alias)| (joined(path), alias)).collect();
            }
            word => prefix.push(word.to_owned()),
        }
    }
    vec![(prefix, None)]
}

/// The paths of two words and more: `super::tables::read`.
fn paths(words: &[String]) -> Vec<Vec<String>> {
    let is_name = |word: &String| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut end = at + 1;
        if is_name(&words[at]) && (at == 0 || words[at - 1] != "::") {
            while words.get(end).is_some_and(|word| word == "::") && words.get(end + 1).is_some_and(is_name) {
                end += 2;
            }
            if end > at + 1 {
                found.push(words[at..end].iter().filter(|word| *word != "::").cloned().collect());
            }
        }
        at = end;
    }
    found
}

/// The words and signs of Rust code, without comments, texts and lifetimes.
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let raw = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r').map(|r| r.trim_start_matches('#'));
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(after) = raw.filter(|after| after.starts_with('"')) {
            let begin = rest.len() - after.len();
            let close = format!("\"{}", "#".repeat(rest[..begin].matches('#').count()));
            after[1..].find(&close).map_or(rest.len(), |end| begin + 1 + end + close.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if first == '\'' {
            let inside = rest[1..].chars().next().unwrap_or(' ');
            match rest[1 + inside.len_utf8()..].find('\'') {
                Some(end) if inside == '\\' => {
                    // An escaped quote is inside.
                    let end = if rest[2..].starts_with('\'') { 1 } else { end };
                    1 + inside.len_utf8() + end + 1
                }
                Some(0) => 1 + inside.len_utf8() + 1,
                _ => 1 + rest[1..].find(|c| !is_name(c)).unwrap_or(rest.len() - 1),
            }
        } else if is_name(first) {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            found.push(rest[..end].to_owned());
            end
        } else if rest.starts_with("::") {
            found.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                found.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// The circles among `uses`, the shortest of each knot of parts that all lead to each other: `a -> b -> a`, and what each
/// names of the next.
pub fn circles(uses: &Uses) -> Vec<String> {
    let mut left: BTreeSet<&String> = uses.keys().collect();
    let mut found = Vec::new();
    while let Some(circle) = left.iter().filter_map(|part| way_back(uses, part)).min_by_key(Vec::len) {
        let reached = |from: &String| reach(uses, from);
        let knot: BTreeSet<String> =
            reached(&circle[0]).into_iter().filter(|part| reached(part).contains(&circle[0])).collect();
        let mut text = circle.join(" -> ");
        for part in &knot {
            for (used, items) in uses[part].iter().filter(|(used, _)| knot.contains(*used)) {
                let items = items.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                text.push_str(&format!("\n    {part} uses {items} of {used}"));
            }
        }
        left.retain(|part| !knot.contains(*part));
        found.push(text);
    }
    found
}

fn reach(uses: &Uses, from: &String) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(part) = next.pop() {
        next.extend(uses.get(part).into_iter().flat_map(BTreeMap::keys).filter(|used| seen.insert((*used).clone())));
    }
    seen
}

/// The shortest way from `part` to itself.
fn way_back(uses: &Uses, part: &String) -> Option<Vec<String>> {
    let mut ways = VecDeque::from([vec![part]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for used in uses.get(way[way.len() - 1]).into_iter().flat_map(BTreeMap::keys) {
            if used == part {
                return Some(way.into_iter().chain([used]).cloned().collect());
            }
            if seen.insert(used) {
                ways.push_back([way.as_slice(), &[used]].concat());
            }
        }
    }
    None
}

/// Modules of these texts, by their paths: `gpu/tev`.
pub fn of_texts(texts: &[(&str, &str)]) -> Modules {
    let name = |path: &str| path.split('/').map(str::to_owned).collect::<Name>();
    Modules::without_tests(texts.iter().map(|(path, text)| (name(path), Module::read(text))).collect())
}
