//! What names in scripts mean, and which bytes and lines belong together, on the project's own package and on made ones.

use crate::kit::{samples, unreal::code_package};
use bonebox::{
    formats::{Asset, EntryId, Meaning, NamePlace},
    library::{OpenFile, OpenOptions},
    scene::Text,
};
use std::{path::Path, sync::Arc};

fn open(path: &Path) -> OpenFile {
    OpenOptions::new().open(path).unwrap()
}

fn entry(file: &OpenFile, path: &str) -> EntryId {
    file.document.outline().find(path).unwrap_or_else(|| panic!("{path}")).id
}

fn text(file: &OpenFile, path: &str) -> Arc<Text> {
    match file.load_asset(entry(file, path)).unwrap() {
        Asset::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

/// What a word means in the first line of a text's part that has `line`.
fn meaning(file: &OpenFile, path: &str, part: usize, line: &str, word: &str) -> Option<Meaning> {
    let text = text(file, path);
    let part_text = &text.parts[part];
    let (number, found) =
        part_text.text.lines().enumerate().find(|(_, text)| text.contains(line)).unwrap_or_else(|| {
            panic!("{line} is not in {}", part_text.text);
        });
    let column = found.find(line).unwrap() + line.find(word).unwrap() + 1;
    let owner = part_text.marks.iter().find(|mark| mark.line == number as u32).map(|mark| mark.entry.into());
    let place = NamePlace { part, line: number as u32, text: found, column, owner };
    file.document.ask(EntryId::FILE, |can, _| can.code?.meaning(entry(file, path), &place))
}

/// The path of what is defined, the line of the class's source that says so, and what is said.
fn defined(file: &OpenFile, class: &str, meaning: Option<Meaning>) -> (String, String, String) {
    let Some(Meaning::Defined(definition)) = meaning else { panic!("{meaning:?}") };
    assert_eq!(definition.file, None);
    assert_eq!(definition.shown, entry(file, class));
    let source = text(file, class).parts[0].text.clone();
    let line = source.lines().nth(definition.line.unwrap() as usize).unwrap().trim().to_owned();
    (file.entry(definition.entry).unwrap().path().into_owned(), line, definition.says)
}

#[test]
fn names_of_the_sample_lead_to_their_definitions() {
    let file = open(&samples().join("Bonebox.u"));
    let class = "BoneCreature";
    for (line, word, path, declared) in [
        ("Barks = Barks + 1;", "Barks", "BoneCreature.Barks", "var int Barks;"),
        (
            "if( InMood == MOOD_Happy )",
            "InMood",
            "BoneCreature.TailSpeed.InMood",
            "function float TailSpeed( EMood InMood )",
        ),
        ("if( InMood == MOOD_Happy )", "MOOD_Happy", "BoneCreature.EMood", "MOOD_Happy"),
        ("function float TailSpeed( EMood InMood )", "EMood", "BoneCreature.EMood", "enum EMood"),
        (
            "Tricks[Index].Seconds",
            "Seconds",
            "BoneCreature.Trick.Seconds",
            "var() float Seconds;    // How fast it goes.",
        ),
        ("if( Index >= MaxTricks )", "Index", "BoneCreature.Perform.Index", "function Perform( int Index )"),
        ("if( Index >= MaxTricks )", "MaxTricks", "BoneCreature.MaxTricks", "const MaxTricks = 4;"),
        ("TailSpeed( Mood )", "TailSpeed", "BoneCreature.TailSpeed", "function float TailSpeed( EMood InMood )"),
        ("TailSpeed( Mood )", "Mood", "BoneCreature.Mood", "var() EMood Mood;"),
        ("GotoState( 'Happy' );", "Happy", "BoneCreature.Happy", "state Happy"),
        ("event Bump( Actor Other ) {}", "Other", "BoneCreature.Happy.Bump.Other", "event Bump( Actor Other ) {}"),
        ("var() Trick Tricks[4];", "Trick", "BoneCreature.Trick", "struct Trick"),
        ("class BoneCreature", "BoneCreature", "BoneCreature", "class BoneCreature expands Decoration;"),
    ] {
        let (found, at, _) = defined(&file, class, meaning(&file, class, 0, line, word));
        assert_eq!((found.as_str(), at.as_str()), (path, declared), "{word} in {line}");
    }
    // In disassembly too: what is local is known by the function that the line belongs to.
    let (found, ..) = defined(&file, class, meaning(&file, class, 1, "Barks = Barks", "Barks"));
    assert_eq!(found, "BoneCreature.Barks");
    let (found, _, says) = defined(&file, class, meaning(&file, class, 1, "int(InMood)", "InMood"));
    assert_eq!(found, "BoneCreature.TailSpeed.InMood");
    assert!(says.contains("EMood InMood") && says.ends_with("BoneCreature in package Bonebox"), "{says}");
}

#[test]
fn what_the_game_has_built_in_and_what_is_missing_is_said() {
    let file = open(&samples().join("Bonebox.u"));
    let of = |line: &str, word: &str| meaning(&file, "BoneCreature", 0, line, word);
    assert_eq!(of("sound Bark;", "sound"), Some(Meaning::BuiltIn("Engine.Sound".into())));
    let missing = |name: &str| Some(Meaning::Unknown { name: name.into(), missing: vec!["Engine".into()] });
    assert_eq!(of("expands Decoration", "Decoration"), missing("Decoration"));
    assert_eq!(of("PlayAnim( Tricks", "PlayAnim"), missing("PlayAnim"));
    for (line, word) in
        [("// A friend!", "friend"), ("\"Woof!\"", "Woof"), ("return WagSpeed;", "return"), ("4.0", "4")]
    {
        assert_eq!(of(line, word), None, "{word} in {line}");
    }
}

#[test]
fn definitions_are_found_in_packages_beside() {
    let folder = tempfile::tempdir().unwrap();
    let engine: &[(&str, &str, &str)] =
        &[("Actor", "", "class Actor;\r\n"), ("Pawn", "Actor", "// The pawn.\r\nclass Pawn extends Actor;\r\n")];
    let game: &[(&str, &str, &str)] =
        &[("Hero", "Engine.Pawn", "class Hero extends Pawn;\r\nPawn P; Actor A; Super.X();\r\n")];
    std::fs::write(folder.path().join("Engine.u"), code_package(engine)).unwrap();
    std::fs::write(folder.path().join("Game.u"), code_package(game)).unwrap();
    let file = open(&folder.path().join("Game.u"));
    let Some(Meaning::Defined(found)) = meaning(&file, "Hero", 0, "Pawn P", "Pawn") else { panic!() };
    let engine = open(&folder.path().join("Engine.u"));
    assert_eq!(found.file.as_deref(), Some(engine.path.as_path()));
    assert_eq!((found.entry, found.shown, found.line), (entry(&engine, "Pawn"), entry(&engine, "Pawn"), Some(1)));
    assert_eq!(found.says, "class Pawn extends Actor\nin package Engine");
    // A class that nothing here imports is found where what it extends lies.
    let Some(Meaning::Defined(found)) = meaning(&file, "Hero", 0, "Actor A", "Actor") else { panic!() };
    assert_eq!(found.entry, entry(&engine, "Actor"));
    assert_eq!(meaning(&file, "Hero", 0, "Super.X", "X"), Some(Meaning::Unknown { name: "X".into(), missing: vec![] }));
}

#[test]
fn classes_in_circles_and_without_end_give_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let bad: &[(&str, &str, &str)] =
        &[("A", "B", "class A; Nothing X; Super.Y(); A.B.C.D.E;\n"), ("B", "A", ""), ("C", "#999", "X Y;\n")];
    let path = folder.path().join("Bad.u");
    std::fs::write(&path, code_package(bad)).unwrap();
    let file = open(&path);
    for (class, line, word) in
        [("A", "Nothing X", "Nothing"), ("A", "Super.Y", "Y"), ("A", "D.E", "E"), ("C", "X Y", "X")]
    {
        let found = meaning(&file, class, 0, line, word);
        assert!(matches!(found, Some(Meaning::Unknown { .. })), "{word}: {found:?}");
    }
    // Places that are none.
    let place = |line, text, column| NamePlace { part: 7, line, text, column, owner: Some(EntryId(999)) };
    for entry in [EntryId(0), EntryId(1), EntryId(999)] {
        for place in [place(u32::MAX, "A", usize::MAX), place(0, "", 0)] {
            let _ = file.document.ask(EntryId::FILE, |can, _| can.code?.meaning(entry, &place));
        }
    }
}

#[test]
fn lines_of_the_disassembly_stand_for_bytes_and_lines_of_the_source() {
    let file = open(&samples().join("Bonebox.u"));
    let class = text(&file, "BoneCreature");
    let [source, code] = [0, 1].map(|part| class.parts[part].text.lines().collect::<Vec<_>>());
    let marks = &class.parts[1].marks;
    assert!(marks.len() > 15 && class.parts[0].marks.is_empty());
    for mark in marks {
        let owner = file.entry(mark.entry.into()).unwrap();
        assert!(owner.offset <= mark.bytes.start && mark.bytes.end <= owner.offset + owner.size, "{mark:?}");
        assert!(mark.bytes.start < mark.bytes.end && mark.source_lines.end as usize <= source.len(), "{mark:?}");
        assert!(code[mark.line as usize].trim_start().len() > 6, "{}", code[mark.line as usize]);
    }
    // Statements whose names stand on one line alone are that line's.
    for (statement, line) in [
        ("PlayAnim(Tricks[Index].Sequence", "\tPlayAnim( Tricks[Index].Sequence, Tricks[Index].Seconds );"),
        ("Barks = Barks + 1", "\tBarks = Barks + 1;"),
        ("PlaySound(Bark)", "\t\tPlaySound( Bark );"),
        ("LoopAnim('Walk'", "\tLoopAnim( 'Walk', TailSpeed( Mood ) );"),
        ("FinishAnim()", "\tFinishAnim();"),
    ] {
        let mark = marks.iter().find(|mark| code[mark.line as usize].contains(statement)).unwrap();
        let lines: Vec<&str> = mark.source_lines.clone().map(|line| source[line as usize]).collect();
        assert_eq!(lines, [line], "{statement}");
    }
    // Others lie between their neighbours, in the lines of their own function.
    let block = |name: &str| {
        let first = source.iter().position(|line| line.contains(name)).unwrap();
        first..first + source[first..].iter().position(|line| *line == "}").unwrap() + 1
    };
    for mark in marks.iter().filter(|mark| file.entry(mark.entry.into()).unwrap().path() == "BoneCreature.Perform") {
        let lines = block("function Perform");
        let inside = lines.start <= mark.source_lines.start as usize && mark.source_lines.end as usize <= lines.end;
        assert!(inside && !mark.source_lines.is_empty(), "{mark:?} {lines:?}");
    }
    // Shown by itself, a function counts lines from its own first one.
    let function = text(&file, "BoneCreature.Perform");
    let own: Vec<&str> = function.parts[0].text.lines().collect();
    let mark = function.parts[1].marks.iter().find(|mark| mark.source_lines.len() == 1).unwrap();
    assert!(own[mark.source_lines.start as usize].contains("PlayAnim"), "{mark:?} {own:?}");
    let whole = marks.iter().find(|other| other.bytes == mark.bytes).unwrap();
    assert_eq!(source[whole.source_lines.start as usize], own[mark.source_lines.start as usize]);
}
