//! Script classes as texts: source, disassembly, default properties.

use super::{
    declaration::{self, Body},
    declared::{Declared, DeclaredKind, declared},
    defaults,
    disassembly::{Listing, disassemble},
    remembered::Remembered,
    source::{Block, declaration_lines, note_lines},
    structure::{StructFacts, members_with_code, read_class, read_function, read_state, read_struct},
    text_buffer::{Lines, language, read_ext_string, read_text_buffer},
};
use crate::{
    formats::unreal::{
        class_fields::{behind_header, property_of, read_struct_start},
        header::Object,
        info::is_known,
        kind::Kind,
        object::{Fault, ObjectReader},
        package::Package,
        tables::{ObjectRef, Pointee},
    },
    scene::{Language, LineEnd, Text, TextPart},
};
use std::{
    ops::Range,
    sync::{Arc, PoisonError},
};

/// An object of one of the script classes as text. The reader stands behind the object's header.
///
/// # Errors
/// Where nothing of it can be read.
pub fn load(object: &Object<'_>, reader: &mut ObjectReader<'_>) -> Result<Text, Fault> {
    let (package, export) = (object.package, object.export);
    let mut line_end = LineEnd::default();
    let declared = |text: String| vec![part("Declaration", Language::UnrealScript, text)];
    let parts = match object.kind {
        Kind::TextBuffer => {
            let Lines { text, end, original } = Lines::of(read_text_buffer(reader)?);
            line_end = end;
            vec![TextPart { original, ..part("Text", language(package, export), text) }]
        }
        Kind::ExtString => {
            let Lines { text, end, original } = Lines::of(read_ext_string(reader)?);
            line_end = end;
            vec![TextPart { original, ..part("Text", Language::Plain, text) }]
        }
        Kind::Const => declared(declaration::constant(package, export)?),
        Kind::Enum => declared(declaration::enumeration(package, export)?),
        Kind::Property => declared(property(package, export).ok_or_else(|| reader.fault("not a property"))?),
        Kind::Struct => {
            let mut parts = declared(declaration::structure(package, export)?);
            add_code(&read_struct(reader)?, &mut parts);
            parts
        }
        Kind::Function => {
            let (base, _) = read_function(reader)?;
            let words = ["function", "event", "operator", "preoperator", "postoperator"];
            let source = class_source(package, export);
            let mut parts = match own_lines(&source, &base, &words) {
                Some(lines) => vec![part("Source", Language::UnrealScript, lines.to_owned())],
                None => declared(declaration::function(package, export, Body::None)?),
            };
            let shown = Shown::of(source.as_deref(), own_lines(&source, &base, &words));
            let mut code = Listing::default();
            function_code(package, export, "", &shown, &mut code);
            add(&mut parts, code);
            parts
        }
        Kind::State => {
            let (base, _) = read_state(reader)?;
            let source = class_source(package, export);
            let mut parts = match own_lines(&source, &base, &["state"]) {
                Some(lines) => vec![part("Source", Language::UnrealScript, lines.to_owned())],
                None => declared(declaration::state(package, export, Body::None)?),
            };
            let shown = Shown::of(source.as_deref(), own_lines(&source, &base, &["state"]));
            let mut code = Listing::default();
            state_code(package, export, &shown, &mut code);
            add(&mut parts, code);
            parts
        }
        _ => {
            let (parts, end) = class(package, export, reader)?;
            line_end = end;
            parts
        }
    };
    Ok(Text { name: object.name(), parts, line_end })
}

fn part(title: &str, language: Language, text: String) -> TextPart {
    TextPart::new(title, language, text)
}

fn add(parts: &mut Vec<TextPart>, code: Listing) {
    if !code.is_empty() {
        let Listing { text, marks, .. } = code;
        parts.push(TextPart { marks, ..part("Disassembly", Language::Disassembly, text) });
    }
}

fn add_code(base: &StructFacts, parts: &mut Vec<TextPart>) {
    let mut code = Listing::default();
    disassemble(&base.script, "", &mut code);
    if let Some(fault) = &base.fault {
        code.line(&format!("// {fault}"));
    }
    add(parts, code);
}

/// A property where it is declared: a variable of a class, or a parameter or local variable of a function.
pub fn property(package: &Arc<Package>, export: usize) -> Option<String> {
    let facts = property_of(package, export)?;
    let outer = package.export(export).map_or(ObjectRef::NONE, |e| e.outer);
    let owner = package.object_name(outer).unwrap_or_default();
    Some(declaration::variable(package, export, &facts, owner))
}

/// The parts of a class, and how the lines of its source end.
fn class(
    package: &Arc<Package>,
    export: usize,
    reader: &mut ObjectReader<'_>,
) -> Result<(Vec<TextPart>, LineEnd), Fault> {
    let mut start = reader.fork();
    let read = read_class(reader, export);
    if !is_known(reader.version()) && (read.is_err() || reader.left() > 0) {
        return foreign_class(package, &mut start);
    }
    let (base, facts) = read?;
    let mut parts = Vec::new();
    let lines = source(package, base.script_text);
    let text = lines.as_ref().map(|lines| lines.text.as_str());
    let shown = Shown::of(text, text);
    let code = class_code(package, export, &base, &shown);
    let line_end = lines.as_ref().map(|lines| lines.end).unwrap_or_default();
    match lines {
        Some(Lines { text, original, .. }) => {
            parts.push(TextPart { original, ..part("Source", Language::UnrealScript, text) });
        }
        None => {
            let text = declaration::class(package, export, &base, facts.as_ref(), Body::Comments);
            parts.push(part("Declarations", Language::UnrealScript, text));
        }
    }
    add(&mut parts, code);
    let own = ObjectRef::export(export);
    if let Some(facts) = &facts {
        let block = defaults::block(package, own, &facts.defaults);
        parts.push(part("Default properties", Language::UnrealScript, block));
    }
    if let Some(all) = defaults::effective(package, own) {
        parts.push(part("All defaults", Language::Disassembly, all));
    }
    Ok((parts, line_end))
}

/// What a class of another engine shows: its source. The rest of it lies elsewhere than here.
fn foreign_class(package: &Arc<Package>, reader: &mut ObjectReader<'_>) -> Result<(Vec<TextPart>, LineEnd), Fault> {
    let (script_text, ..) = read_struct_start(reader)?;
    let missing = || reader.fault("the class is from a different engine, and the package does not contain its source");
    let Lines { text, end, original } = source(package, script_text).ok_or_else(missing)?;
    Ok((vec![TextPart { original, ..part("Source", Language::UnrealScript, text) }], end))
}

/// Whether a class has its source in the package. The reader stands behind its header.
pub fn has_source(reader: &mut ObjectReader<'_>) -> bool {
    let package = reader.package();
    read_struct_start(reader).is_ok_and(|(script_text, ..)| source(package, script_text).is_some())
}

/// The text that the class was compiled from, where the package still has it.
fn source(package: &Arc<Package>, script_text: ObjectRef) -> Option<Lines> {
    let Pointee::Export(export) = script_text.pointee() else { return None };
    if !package.class_name(script_text).eq_ignore_ascii_case("TextBuffer") {
        return None;
    }
    let text = behind_header(package, export).and_then(|mut reader| read_text_buffer(&mut reader)).ok()?;
    (!text.trim().is_empty()).then(|| Lines::of(text))
}

/// The source of the class that something lies in.
pub fn class_source(package: &Arc<Package>, export: usize) -> Option<Arc<str>> {
    source_of_class(package, class_of(package, export)?)
}

/// The class that an export is, or lies in.
pub fn class_of(package: &Package, export: usize) -> Option<usize> {
    let is_class = |object: &ObjectRef| package.class_name(*object).eq_ignore_ascii_case("Class");
    match package.outers(ObjectRef::export(export)).find(is_class)?.pointee() {
        Pointee::Export(class) => Some(class),
        _ => None,
    }
}

/// The lines of a function or state in the source of its class.
fn own_lines<'a>(source: &'a Option<Arc<str>>, base: &StructFacts, words: &[&str]) -> Option<&'a str> {
    declaration_lines(source.as_deref()?, &base.friendly_name, base.line, words)
}

/// The source that is shown beside a disassembly.
#[derive(Default)]
struct Shown<'a> {
    source: Option<&'a str>,
    declared: Vec<Declared<'a>>,
    /// The lines of it that show.
    lines: Range<u32>,
}

impl<'a> Shown<'a> {
    /// `part` is a piece of the source.
    fn of(source: Option<&'a str>, part: Option<&'a str>) -> Self {
        let (Some(source), Some(part)) = (source, part) else { return Self::default() };
        let before = (part.as_ptr() as usize).saturating_sub(source.as_ptr() as usize);
        let breaks = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        let from = u32::try_from(breaks(source.as_bytes().get(..before).unwrap_or_default())).unwrap_or(u32::MAX);
        let count = u32::try_from(breaks(part.as_bytes())).unwrap_or(u32::MAX).saturating_add(1);
        Self { source: Some(source), declared: declared(source), lines: from..from.saturating_add(count) }
    }

    /// The block of a function or a state.
    fn block(&self, package: &Package, export: usize, base: &StructFacts, kind: DeclaredKind) -> Option<Block<'a>> {
        let outer = package.export(export).map_or(ObjectRef::NONE, |export| export.outer);
        let in_state = package.class_name(outer).eq_ignore_ascii_case("State");
        let state: Vec<&str> = in_state.then(|| package.object_name(outer)).flatten().into_iter().collect();
        let found = find_declared(&self.declared, kind, &base.friendly_name, &state)?;
        // Another one of the name is not what shows.
        if !self.lines.contains(&found.lines.start) {
            return None;
        }
        Some(Block {
            source: self.source?,
            lines: found.lines.start..found.lines.end.min(self.lines.end),
            stated: base.line.checked_sub(1),
            shown_from: self.lines.start,
        })
    }

    /// Says where in the source the statements come from that were listed last.
    fn note(&self, listed_before: usize, base: &StructFacts, block: Option<Block<'a>>, out: &mut Listing) {
        if let (Some(block), Some(marks)) = (block, out.marks.get_mut(listed_before..)) {
            note_lines(marks, &base.script, &block);
        }
    }
}

/// The declaration of a name that lies in these, the innermost first.
pub fn find_declared<'a, 'b>(
    declared: &'b [Declared<'a>],
    kind: DeclaredKind,
    name: &str,
    within: &[&str],
) -> Option<&'b Declared<'a>> {
    let around = |found: &Declared<'_>| found.within.and_then(|at| declared.get(at));
    let lies_there = |found: &&Declared<'_>| {
        // What something lies in comes before it: this ends.
        let mut outers = std::iter::successors(around(found), |outer| around(outer)).map(|outer| outer.name);
        within.iter().all(|wanted| outers.next().is_some_and(|outer| outer.eq_ignore_ascii_case(wanted)))
            && outers.next().is_none()
    };
    declared.iter().filter(|found| found.kind == kind && found.name.eq_ignore_ascii_case(name)).find(lies_there)
}

/// The text that a class was compiled from, kept for the functions and states that are looked for in it one after the other.
fn source_of_class(package: &Arc<Package>, class: usize) -> Option<Arc<str>> {
    let remembered = package.memory.of::<Remembered>();
    let kept = || remembered.source.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, text)) = &*kept()
        && *of == class
    {
        return text.clone();
    }
    let base = behind_header(package, class).and_then(|mut reader| read_struct(&mut reader));
    let text = base.ok().and_then(|base| source(package, base.script_text)).map(|lines| Arc::from(lines.text));
    *kept() = Some((class, text.clone()));
    text
}

/// The bytecode of everything in a class.
fn class_code(package: &Arc<Package>, export: usize, base: &StructFacts, shown: &Shown<'_>) -> Listing {
    let mut out = Listing::default();
    if !base.script.tokens.is_empty() {
        out.line("replication");
        disassemble(&base.script, "", &mut out);
    }
    if let Some(fault) = &base.fault {
        out.line(&format!("// {fault}"));
    }
    for child in members_with_code(package, export) {
        if out.is_full() {
            break;
        }
        let class = package.class_name(ObjectRef::export(child));
        if class.eq_ignore_ascii_case("Function") {
            function_code(package, child, "", shown, &mut out);
        } else if class.eq_ignore_ascii_case("State") {
            state_code(package, child, shown, &mut out);
        }
    }
    out
}

/// Nothing for a function without code of its own.
fn function_code(package: &Arc<Package>, export: usize, indent: &str, shown: &Shown<'_>, out: &mut Listing) {
    let read = behind_header(package, export).and_then(|mut reader| read_function(&mut reader));
    let Ok((base, facts)) = read else { return };
    if base.script.tokens.is_empty() && base.fault.is_none() {
        return;
    }
    let head = match facts {
        Some(facts) => declaration::signature(package, export, &facts),
        None => format!("function {}", package.object_name(ObjectRef::export(export)).unwrap_or("?")),
    };
    separate(out);
    out.line(&format!("{indent}{head}"));
    let listed = out.marks.len();
    disassemble(&base.script, indent, out);
    shown.note(listed, &base, shown.block(package, export, &base, DeclaredKind::Function), out);
    if let Some(fault) = &base.fault {
        out.line(&format!("{indent}  // {fault}"));
    }
}

fn separate(out: &mut Listing) {
    if !out.is_empty() {
        out.line("");
    }
}

/// The functions of a state, and its own code.
fn state_code(package: &Arc<Package>, export: usize, shown: &Shown<'_>, out: &mut Listing) {
    let read = behind_header(package, export).and_then(|mut reader| read_state(&mut reader));
    let Ok((base, facts)) = read else { return };
    separate(out);
    out.line(&declaration::state_head(package, export, facts.unwrap_or_default()));
    let listed = out.marks.len();
    disassemble(&base.script, "", out);
    shown.note(listed, &base, shown.block(package, export, &base, DeclaredKind::State), out);
    if let Some(fault) = &base.fault {
        out.line(&format!("  // {fault}"));
    }
    for child in members_with_code(package, export) {
        if out.is_full() {
            break;
        }
        if package.class_name(ObjectRef::export(child)).eq_ignore_ascii_case("Function") {
            function_code(package, child, "  ", shown, out);
        }
    }
}
