//! Texts as files.

use crate::bytes::numbers::grouped;
use crate::export::Notes;
use crate::scene::{Language, LineEnd, Text};

/// A text as UTF-8, its lines ended as in the file. As a script only what is script of it, else everything, with a heading before
/// each part of several.
pub fn text_file(text: &Text, script: bool) -> String {
    let end = text.line_end.text();
    let parts = || text.parts.iter().filter(|part| !script || part.language != Language::Disassembly);
    let headed = !script && parts().nth(1).is_some();
    let mut out = String::new();
    for part in parts() {
        if !out.is_empty() {
            if !out.ends_with(['\n', '\r']) {
                out.push_str(end);
            }
            out.push_str(end);
        }
        if headed {
            out.push_str(&format!("{}{end}{}{end}{end}", part.title, "=".repeat(part.title.chars().count())));
        }
        match &part.original {
            Some(original) => out.push_str(original),
            None if text.line_end == LineEnd::Lf => out.push_str(&part.text),
            None => out.push_str(&part.text.replace('\n', end)),
        }
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
pub fn note_nuls(count: usize, notes: &mut Notes) {
    match count {
        0 => {}
        1 => notes.push(format!("1 NUL character is replaced by “{DOT}”")),
        count => notes.push(format!("{} NUL characters are replaced by “{DOT}”", grouped(count))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_text_before_its_end() {
        let mut notes = Notes::default();
        for (text, wanted, count) in [("a\0b\0\n", "a·b·\n", 2), ("a·", "a·", 0), ("\0", "·", 1)] {
            let (written, found) = without_nuls(text.to_owned());
            assert_eq!((written.as_str(), found), (wanted, count));
            note_nuls(found, &mut notes);
        }
        assert_eq!(*notes, ["2 NUL characters are replaced by “·”", "1 NUL character is replaced by “·”"]);
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
            ..Text::default()
        };
        assert_eq!(text_file(&text, true), "class A;\n\ndefaultproperties\n{\n}\n");
        let all = text_file(&text, false);
        assert!(all.starts_with("Source\n======\n\nclass A;\n\nDisassembly\n"), "{all}");
    }

    #[test]
    fn a_single_text_is_written_as_it_is() {
        let parts = vec![part("Text", Language::Plain, "a\n\nb")];
        let text = Text { name: "Briefing".into(), parts, ..Text::default() };
        assert_eq!(text_file(&text, false), "a\n\nb");
        assert_eq!(text_file(&text, true), "a\n\nb");
    }

    #[test]
    fn lines_end_as_in_the_file() {
        let defaults = part("Default properties", Language::UnrealScript, "defaultproperties\n{\n}\n");
        let mut source = part("Source", Language::UnrealScript, "class A;\nvar int B;");
        let text = |source: &TextPart, line_end| {
            let parts = vec![source.clone(), defaults.clone()];
            text_file(&Text { name: "A".into(), parts, line_end }, true)
        };
        let written = text(&source, LineEnd::CrLf);
        assert_eq!(written, "class A;\r\nvar int B;\r\n\r\ndefaultproperties\r\n{\r\n}\r\n");
        assert_eq!(text(&source, LineEnd::Lf), written.replace("\r\n", "\n"));
        // Of lines that end in several ways each stays as it is.
        source.original = Some("class A;\nvar int B;\r\n".into());
        assert_eq!(text(&source, LineEnd::CrLf), "class A;\nvar int B;\r\n\r\ndefaultproperties\r\n{\r\n}\r\n");
    }
}
