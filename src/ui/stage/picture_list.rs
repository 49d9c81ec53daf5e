//! Which pictures of the open files are listed, and in which order.

use crate::{
    formats::{Content, Entry, EntryId},
    library::OpenFile,
    ui::{
        query::{EntryQuery, Query},
        state::{FileId, Place, State, folder_name},
    },
};
use std::{cmp::Ordering, collections::HashSet};

/// Pictures that are held against the filters at most.
const MAX_PICTURES: usize = 200_000;

/// Pictures by the longer of their sides, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sizes {
    #[default]
    Any,
    /// Up to 64.
    Small,
    /// Over 64, up to 256.
    Middle,
    /// Over 256.
    Large,
}

impl Sizes {
    pub const ALL: [Self; 4] = [Self::Any, Self::Small, Self::Middle, Self::Large];

    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "Any size",
            Self::Small => "Up to 64 px",
            Self::Middle => "65 to 256 px",
            Self::Large => "Over 256 px",
        }
    }

    fn holds(self, longer: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Small => longer <= 64,
            Self::Middle => (65..=256).contains(&longer),
            Self::Large => longer > 256,
        }
    }
}

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the files were opened and have them.
    #[default]
    File,
    Name,
    /// The largest first; those whose size is not known yet last.
    Size,
    Class,
}

impl Order {
    pub const ALL: [Self; 4] = [Self::File, Self::Name, Self::Size, Self::Class];

    pub fn name(self) -> &'static str {
        match self {
            Self::File => "By package",
            Self::Name => "By name",
            Self::Size => "By size",
            Self::Class => "By class",
        }
    }
}

/// What is listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    pub filter: String,
    /// Palettes in the place of pictures.
    pub palettes: bool,
    pub file: Option<FileId>,
    /// What pictures lie in, within their files.
    pub group: Option<String>,
    pub class: Option<String>,
    pub sizes: Sizes,
    /// Those that the model or the level which was looked at has on it.
    pub in_use: bool,
    pub order: Order,
}

impl Choice {
    /// Whether sizes of all pictures have to be known.
    pub fn wants_sizes(&self) -> bool {
        self.sizes != Sizes::Any || self.order == Order::Size
    }
}

/// The pictures that are listed, with what the filters offer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureList {
    pub places: Vec<Place>,
    /// Pictures of all open files.
    pub all: usize,
    pub groups: Vec<String>,
    pub classes: Vec<String>,
}

/// What an entry is called: the file's name for the file itself.
pub fn name_of<'a>(file: &'a OpenFile, entry: &'a Entry) -> &'a str {
    if entry.id == EntryId::FILE || entry.name.is_empty() { &file.name } else { &entry.name }
}

/// What an entry lies in, by its path; empty for one that lies in its file.
fn group_of(entry: &Entry) -> String {
    let path = entry.path();
    path.strip_suffix(&*entry.name).map(|group| group.trim_end_matches(['.', '/'])).unwrap_or_default().to_owned()
}

impl PictureList {
    pub fn of(state: &State, choice: &Choice) -> Self {
        let content = if choice.palettes { Content::Palette } else { Content::Image };
        let query = Query::of(&choice.filter);
        let in_use = state.stages.front.history.pictures.as_ref().filter(|_| choice.in_use);
        let (mut groups, mut classes) = (HashSet::new(), HashSet::new());
        let mut list = Self::default();
        let mut found: Vec<(Place, &OpenFile, &Entry)> = Vec::new();
        for opened in &state.core.library.files {
            let file = opened.file.as_ref();
            let folder = folder_name(&file.path);
            let mut asked = EntryQuery::new(&query, file.document.outline(), &file.name, &folder);
            for entry in file.document.outline().with_content(content) {
                list.all += 1;
                if list.all > MAX_PICTURES || choice.file.is_some_and(|file| file != opened.id) {
                    continue;
                }
                let place = Place { file: opened.id, entry: entry.id };
                let group = group_of(entry);
                let lies_in = choice.group.as_ref().is_none_or(|wanted| *wanted == group);
                let is_class = choice.class.as_ref().is_none_or(|wanted| **wanted == *entry.class);
                if !group.is_empty() {
                    groups.insert(group);
                }
                classes.insert(entry.class.to_string());
                let size = || state.thumbnails.size_of(place).map_or(0, |(width, height)| width.max(height));
                let fits = lies_in
                    && is_class
                    && (choice.sizes == Sizes::Any || size() > 0 && choice.sizes.holds(size()))
                    && in_use.is_none_or(|used| used.has(&file.name, &entry.path()));
                // A file that is a picture has no path in itself.
                let is_asked = |asked: &mut EntryQuery<'_>| match entry.id {
                    EntryId::FILE => asked.finds(entry),
                    _ => asked.finds_path(entry),
                };
                if fits && is_asked(&mut asked) {
                    found.push((place, file, entry));
                }
            }
        }
        let name = |(_, file, entry): &(Place, &OpenFile, &Entry)| name_of(file, entry).to_lowercase();
        match choice.order {
            Order::File => {}
            Order::Name => found.sort_by_cached_key(name),
            Order::Class => found.sort_by_cached_key(|of| (of.2.class.to_string(), name(of))),
            Order::Size => found.sort_by(|a, b| by_size(state, a.0, b.0)),
        }
        list.places = found.into_iter().map(|(place, ..)| place).collect();
        list.groups = sorted(groups);
        list.classes = sorted(classes);
        list
    }
}

fn by_size(state: &State, a: Place, b: Place) -> Ordering {
    let pixels = |place| state.thumbnails.size_of(place).map_or(0, |(w, h)| u64::from(w) * u64::from(h));
    pixels(b).cmp(&pixels(a))
}

fn sorted(names: HashSet<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_by_key(|name| name.to_lowercase());
    names
}
