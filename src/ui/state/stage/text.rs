//! The text on a stage.

use crate::{
    scene::{LineMark, Text},
    ui::place::{Place, TextPlace},
};
use std::{ops::Range, sync::Arc};

/// What the text panel shows.
#[derive(Clone, Debug)]
pub struct TextStage {
    pub place: Place,
    pub text: Arc<Text>,
    /// Changes whenever another one is shown.
    pub generation: u64,
    pub caret: Option<TextPlace>,
    /// What a name means that was asked for.
    pub explained: Option<Explained>,
    pub wanted: Option<WantedLine>,
}

/// What is said of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    pub at: TextPlace,
    /// `None` while it is looked for, and where nothing is known.
    pub says: Option<String>,
}

/// A line that was gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedLine {
    pub part: usize,
    /// From 0.
    pub line: usize,
    /// Bytes of the line that are meant; none for the whole line.
    pub bytes: (usize, usize),
    /// Changes whenever a line is gone to.
    pub turn: u64,
}

impl TextStage {
    pub fn new(place: Place, text: Arc<Text>, generation: u64) -> Self {
        Self { place, text, generation, caret: None, explained: None, wanted: None }
    }

    /// A line of a part without its end.
    pub fn line(&self, part: usize, line: usize) -> Option<&str> {
        self.text.parts.get(part)?.text.split('\n').nth(line).map(|line| line.trim_end_matches('\r'))
    }

    /// The marks that a line has, or that were made from it: those that say so exactly before those that may have been.
    pub fn marks_at(&self, part: usize, line: usize) -> Vec<(usize, &LineMark)> {
        let Ok(line) = u32::try_from(line) else { return Vec::new() };
        let own = self.text.parts.get(part).map(|part| part.marks.as_slice()).unwrap_or_default();
        if !own.is_empty() || part > 0 {
            let from = own.partition_point(|mark| mark.line < line);
            return own.iter().skip(from).take_while(|mark| mark.line == line).map(|mark| (part, mark)).collect();
        }
        let all = || self.marks().filter(|(_, mark)| mark.source_lines.contains(&line));
        let exact: Vec<(usize, &LineMark)> = all().filter(|(_, mark)| mark.source_lines.len() == 1).collect();
        if exact.is_empty() { all().collect() } else { exact }
    }

    fn marks(&self) -> impl Iterator<Item = (usize, &LineMark)> {
        self.text.parts.iter().enumerate().flat_map(|(part, text)| text.marks.iter().map(move |mark| (part, mark)))
    }

    /// The marks to be shown while these bytes of the file are marked.
    pub fn lit(&self, bytes: Option<&Range<u64>>) -> Vec<(usize, &LineMark)> {
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else { return Vec::new() };
        if let Some(caret) = self.caret {
            let found = self.marks_at(caret.part, caret.line);
            if first_run(&found).is_some_and(|(_, run)| run == *bytes) {
                return found;
            }
        }
        self.marks().filter(|(_, mark)| mark.bytes.start < bytes.end && bytes.start < mark.bytes.end).collect()
    }
}

/// The entry and the bytes of the first marks that follow one another without a gap.
pub fn first_run(marks: &[(usize, &LineMark)]) -> Option<(crate::scene::SourceEntry, Range<u64>)> {
    let (_, first) = marks.first()?;
    let mut run = first.bytes.clone();
    for (_, mark) in marks.iter().skip(1) {
        if mark.entry != first.entry || mark.bytes.start != run.end {
            break;
        }
        run.end = mark.bytes.end;
    }
    Some((first.entry, run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::EntryId,
        scene::{Language, SourceEntry, TextPart},
        ui::place::FileId,
    };

    fn shown() -> TextStage {
        let mark = |line, bytes: Range<u64>, entry, source_lines| LineMark {
            line,
            bytes,
            entry: SourceEntry(entry),
            source_lines,
        };
        let marks = vec![
            mark(1, 100..110, 7, 2..3),
            mark(2, 110..112, 7, 2..5),
            mark(4, 112..120, 7, 2..3),
            mark(5, 120..121, 7, 4..5),
            mark(8, 300..310, 9, 0..0),
        ];
        let source = TextPart::new("Source", Language::UnrealScript, "a\nb\nc\nd\ne\n");
        let code =
            TextPart { marks, ..TextPart::new("Disassembly", Language::Disassembly, "h\n1\n2\nl\n4\n5\n\nh\n8\n") };
        let text = Text { name: "T".into(), parts: vec![source, code], ..Text::default() };
        TextStage::new(Place { file: FileId(1), entry: EntryId(3) }, Arc::new(text), 1)
    }

    fn bytes(marks: &[(usize, &LineMark)]) -> Vec<Range<u64>> {
        marks.iter().map(|(_, mark)| mark.bytes.clone()).collect()
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "one run of bytes is meant")]
    fn lines_and_bytes_lead_to_each_other() {
        let mut shown = shown();
        // A line of the source: the instructions that are surely its own.
        assert_eq!(bytes(&shown.marks_at(0, 2)), [100..110, 112..120]);
        assert_eq!(bytes(&shown.marks_at(0, 3)), [110..112]);
        assert_eq!(bytes(&shown.marks_at(0, 4)), [120..121]);
        assert!(shown.marks_at(0, 0).is_empty() && shown.marks_at(0, usize::MAX).is_empty());
        // A line of the disassembly: its own.
        assert_eq!(bytes(&shown.marks_at(1, 4)), [112..120]);
        assert!(shown.marks_at(1, 0).is_empty() && shown.marks_at(5, 1).is_empty());
        // Bytes: every instruction that has some of them.
        assert_eq!(bytes(&shown.lit(Some(&(111..113)))), [110..112, 112..120]);
        assert_eq!(bytes(&shown.lit(Some(&(305..306)))), [300..310]);
        assert!(shown.lit(None).is_empty() && shown.lit(Some(&(121..300))).is_empty());
        // What the caret stands for stays whole, also where it is in several pieces.
        shown.caret = Some(TextPlace { part: 0, line: 2, byte: 0 });
        let (entry, run) = first_run(&shown.marks_at(0, 2)).unwrap();
        assert_eq!((entry, run.clone()), (SourceEntry(7), 100..110));
        assert_eq!(bytes(&shown.lit(Some(&run))), [100..110, 112..120]);
        assert_eq!((shown.line(0, 4), shown.line(0, 9), shown.line(9, 0)), (Some("e"), None, None));
    }
}
