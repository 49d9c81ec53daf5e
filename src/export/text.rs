//! Texts as files.

use crate::scene::{Language, Text};

/// A text as UTF-8. As a script only what is script of it, else everything, with a heading before each part of several.
pub fn text_file(text: &Text, script: bool) -> String {
    let parts = || text.parts.iter().filter(|part| !script || part.language != Language::Disassembly);
    let headed = !script && parts().nth(1).is_some();
    let mut out = String::new();
    for part in parts() {
        if !out.is_empty() {
            if !out.ends_with('\n') {
                out.push('\n');
            }
            out.push('\n');
        }
        if headed {
            out.push_str(&format!("{}\n{}\n\n", part.title, "=".repeat(part.title.chars().count())));
        }
        out.push_str(&part.text);
    }
    out
}

/// What stands for a NUL, as in the window.
const DOT: &str = "·";

/// Text in which no NUL is left, and how many there were: programs take one for the end of the text.
pub fn without_nuls(text: String) -> (String, usize) {
    match text.matches('\0').count() {
        0 => (text, 0),
        count => (text.replace('\0', DOT), count),
    }
}

/// Says what became of NULs, where there were any.
pub fn note_nuls(count: usize, notes: &mut Vec<String>) {
    match count {
        0 => {}
        1 => notes.push(format!("1 NUL character is written as “{DOT}”")),
        count => notes.push(format!("{count} NUL characters are written as “{DOT}”")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_text_before_its_end() {
        let mut notes = Vec::new();
        for (text, wanted, count) in [("a\0b\0\n", "a·b·\n", 2), ("a·", "a·", 0), ("\0", "·", 1)] {
            let (written, found) = without_nuls(text.to_owned());
            assert_eq!((written.as_str(), found), (wanted, count));
            note_nuls(found, &mut notes);
        }
        assert_eq!(notes, ["2 NUL characters are written as “·”", "1 NUL character is written as “·”"]);
    }
    use crate::scene::TextPart;

    fn part(title: &str, language: Language, text: &str) -> TextPart {
        TextPart::new(title, language, text)
    }

    #[test]
    fn a_script_file_holds_the_source_and_the_defaults() {
        let text = Text {
            name: "A".into(),
            parts: vec![
                part("Source", Language::UnrealScript, "class A;"),
                part("Disassembly", Language::Disassembly, "  0000  Stop\n"),
                part("Default properties", Language::UnrealScript, "defaultproperties\n{\n}\n"),
            ],
        };
        assert_eq!(text_file(&text, true), "class A;\n\ndefaultproperties\n{\n}\n");
        let all = text_file(&text, false);
        assert!(all.starts_with("Source\n======\n\nclass A;\n\nDisassembly\n"), "{all}");
    }

    #[test]
    fn a_single_text_is_written_as_it_is() {
        let text = Text { name: "Briefing".into(), parts: vec![part("Text", Language::Plain, "a\n\nb")] };
        assert_eq!(text_file(&text, false), "a\n\nb");
        assert_eq!(text_file(&text, true), "a\n\nb");
    }
}
