//! What was found, in sections: by class, or by the file that it lies in.

use crate::{
    files::{name_text, text_of},
    library::collection::{Catalog, Row},
    ui::{
        theme,
        widgets::{numbers::grouped, put::put_text, rows},
    },
};
use egui::{
    Align, FontId, Sense, Ui, WidgetInfo, WidgetType,
    text::{LayoutJob, TextFormat},
};

/// Height of a section's name, in points.
pub const HEADER: f32 = 32.0;

/// What sections are made by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    #[default]
    None,
    Class,
    /// The file that it lies in.
    Package,
}

pub const GROUPINGS: [(Grouping, &str); 3] =
    [(Grouping::None, "none"), (Grouping::Class, "class"), (Grouping::Package, "package")];

/// Some results under one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    /// What is said after the title: where it lies.
    pub place: String,
    /// How many there are. Those of the first section come first.
    pub count: usize,
}

/// Brings results of one section together, sections in order of their names; within one the order stays. Nothing without grouping.
pub fn group<'a>(
    order: &mut [usize],
    by: Grouping,
    catalog: &'a Catalog,
    row: impl Fn(usize) -> Option<Row<'a>>,
) -> Vec<Section> {
    let path = |of: &Row<'a>| catalog.file(of.file).map(|file| file.path.as_path());
    match by {
        Grouping::None => return Vec::new(),
        Grouping::Class => order.sort_by_cached_key(|index| row(*index).map(|row| row.class.to_lowercase())),
        // Files are in the order of their paths.
        Grouping::Package => order.sort_by_key(|index| row(*index).map(|row| row.file)),
    }
    let mut sections: Vec<Section> = Vec::new();
    let mut last: Option<Row<'a>> = None;
    for of in order.iter().map(|index| row(*index)) {
        let is_same = match (&last, &of) {
            (Some(last), Some(of)) if by == Grouping::Class => last.class.eq_ignore_ascii_case(of.class),
            (Some(last), Some(of)) => last.file == of.file,
            (last, of) => last.is_none() && of.is_none(),
        };
        if let Some(section) = sections.last_mut().filter(|_| is_same) {
            section.count = section.count.saturating_add(1);
            continue;
        }
        let text = |path: Option<&std::path::Path>| path.map(|path| text_of(path).into_owned()).unwrap_or_default();
        let (title, place) = match &of {
            Some(row) if by == Grouping::Class => (row.class.to_owned(), String::new()),
            Some(row) => {
                let path = path(row);
                let name = path.map(|path| name_text(path).into_owned());
                (name.unwrap_or_default(), text(path.and_then(|path| path.parent())))
            }
            None => Default::default(),
        };
        sections.push(Section { title, place, count: 1 });
        last = of;
    }
    sections
}

/// Draws the name of a section.
pub fn header(ui: &Ui, row: &rows::Row<'_>, section: &Section) {
    let p = theme::palette(ui);
    let count = grouped(section.count);
    let label = format!("Section {}, {count}", section.title);
    let info = || WidgetInfo::labeled(WidgetType::Label, true, label.as_str());
    let response = row.interact(ui, Sense::hover(), info);
    let small = FontId::proportional(theme::SMALL);
    let mut job = LayoutJob::default();
    job.append(&section.title, 0.0, TextFormat::simple(FontId::proportional(theme::BODY), p.strong));
    job.append(&count, 8.0, TextFormat::simple(small.clone(), p.accent));
    if !section.place.is_empty() {
        job.append(&section.place, 12.0, TextFormat::simple(small, p.weak));
    }
    // The name is closer to the rows below it.
    put_text(ui, row.span(12.0, 12.0).with_min_y(row.rect.bottom() - 26.0), Align::Min, p.strong, job);
    if !section.place.is_empty() {
        response.on_hover_text(format!("{} in {}", section.title, section.place));
    }
}
