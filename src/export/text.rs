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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::TextPart;

    fn part(title: &str, language: Language, text: &str) -> TextPart {
        TextPart { title: title.into(), language, text: text.into() }
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
