//! Tries the disputed readings of what comes before the heights, and scores them (formats/visitor.md §1.7).

use super::{
    blue::{Follower, Verdict},
    grid::{self, Grid},
    layout::{Layout, read_bool16},
    roads::{RoadNets, read_nets},
    strings::{self, Strings},
    types::{self, ObjectType, read_type},
};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::field_reader::{Fault, FieldReader},
};

/// Where object types are announced, in bytes.
pub const TYPES_AT: u64 = 44;

/// Ways to read the object types that are tried on: a hostile file has as many equal ones as it has room for.
const MAX_TRIALS: usize = 16;

/// What a person wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub strings: Option<Strings>,
    pub trailing_ids: Option<bool>,
    pub flags: Option<bool>,
    /// Colours begin with blue.
    pub bgra: bool,
}

/// The object types by one reading.
#[derive(Clone, Debug)]
pub struct Types {
    /// Where their number is, in bytes.
    pub at: u64,
    pub announced: u32,
    pub list: Vec<ObjectType>,
    /// Where the last one that can be read ends.
    pub end: u64,
    /// Why there are fewer than announced.
    pub fault: Option<Fault>,
}

/// One way to read the object types.
#[derive(Clone, Debug)]
pub struct TypesTrial {
    pub strings: Strings,
    pub trailing_ids: bool,
    pub types: Types,
}

/// One way to read what follows the object types.
#[derive(Clone, Debug)]
pub struct RoadsTrial {
    /// Which of the [`Survey::types`].
    pub types: usize,
    pub layout: Layout,
    /// The two numbers on the older game: where they are, and whether both say that there is nothing.
    pub flags: Option<Flags>,
    pub roads: Result<RoadNets, Fault>,
    /// Where it follows the road nets.
    pub grid: Option<Grid>,
    pub score: i32,
}

/// The two numbers on the older game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub no_terrains: bool,
    pub no_forests: bool,
    /// Where each begins, and where both end.
    pub at: [u64; 3],
}

/// All that was tried.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    pub types: Vec<TypesTrial>,
    pub roads: Vec<RoadsTrial>,
    /// Into `roads`.
    pub best: Option<usize>,
}

/// Reads the types that `at` announces, as far as they can be read.
fn read_types(source: &Source, at: u64, layout: &Layout) -> Option<Types> {
    let mut r = FieldReader::new(source, at..u64::MAX, Endian::Little);
    let announced = r.u32("TypeCount").ok()?;
    let mut types = Types { at, announced, list: Vec::new(), end: r.offset(), fault: None };
    for _ in 0..announced {
        if r.left() as u64 <= types::SMALLEST {
            types.fault = Some(r.fault("the file ends too early"));
            break;
        }
        let next = types.list.len().saturating_add(1) as u64;
        let is_last = next >= u64::from(announced);
        let read = match read_type(&mut r.fork(), layout, None) {
            Ok(one) => Ok(one),
            Err(fault) => read_unknown(&r, layout, is_last).ok_or(fault),
        };
        match read.and_then(|one| r.seek(one.range.end).map(|()| one)) {
            Ok(one) => {
                types.end = r.offset();
                types.list.push(one);
            }
            Err(fault) => {
                types.fault = Some(fault);
                break;
            }
        }
    }
    Some(types)
}

/// A type of an unknown class: of the sizes that known ones have, the one behind which the next type begins.
fn read_unknown(r: &FieldReader<'_>, layout: &Layout, is_last: bool) -> Option<ObjectType> {
    types::INFO_SIZES.into_iter().find_map(|size| {
        let one = read_type(&mut r.fork(), layout, Some(size)).ok()?;
        let end = usize::try_from(one.range.end).ok()?;
        let goes_on = is_last || is_model_at(r.source().as_slice(), end, layout.strings);
        (goes_on && one.marker <= 1).then_some(one)
    })
}

fn combinations(wanted: &Wanted) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for strings in Strings::ALL {
        for trailing_ids in [false, true] {
            let is_wanted =
                wanted.strings.is_none_or(|w| w == strings) && wanted.trailing_ids.is_none_or(|w| w == trailing_ids);
            if is_wanted {
                layouts.push(Layout { strings, trailing_ids, bgra: wanted.bgra, ..Layout::default() });
            }
        }
    }
    layouts
}

impl TypesTrial {
    fn new(layout: &Layout, types: Types) -> Self {
        Self { strings: layout.strings, trailing_ids: layout.trailing_ids, types }
    }
}

impl Survey {
    /// Tries all that is wanted. `is_older`: the project has textures of the older game, whose records are not known.
    pub fn of(source: &Source, wanted: &Wanted, is_older: bool) -> Self {
        let mut survey = Self::default();
        let layouts = combinations(wanted);
        for layout in layouts.iter().filter(|_| !is_older) {
            let types = read_types(source, TYPES_AT, layout).filter(|types| types.fault.is_none());
            survey.types.extend(types.map(|types| TypesTrial::new(layout, types)));
        }
        if survey.types.is_empty() {
            survey.search(source, &layouts);
        }
        if survey.types.is_empty() {
            // None at all: what follows may be found without them.
            for layout in &layouts {
                let types = read_types(source, TYPES_AT, layout);
                survey.types.extend(types.map(|types| TypesTrial::new(layout, types)));
            }
        }
        survey.try_roads(source, wanted);
        survey
    }

    /// Looks for a number of types with a first one whose model is a `.p3d`; the place with the most types wins.
    fn search(&mut self, source: &Source, layouts: &[Layout]) {
        let bytes = source.as_slice();
        let mut most = 0_usize;
        let mut at = 8_usize;
        while at < bytes.len() {
            let mut next = at.saturating_add(1);
            for layout in layouts {
                if !is_model_at(bytes, at.saturating_add(4), layout.strings) {
                    continue;
                }
                let Some(types) = read_types(source, at as u64, layout) else { continue };
                let count = types.list.len();
                if count == 0 {
                    continue;
                }
                // What lies within a list is no list of its own.
                next = next.max(usize::try_from(types.end).unwrap_or(next));
                if count > most {
                    most = count;
                    self.types.clear();
                }
                if count == most && self.types.len() < MAX_TRIALS {
                    self.types.push(TypesTrial::new(layout, types));
                }
            }
            at = next;
        }
        if self.types.iter().any(|trial| trial.types.fault.is_none()) {
            self.types.retain(|trial| trial.types.fault.is_none());
        }
    }

    fn try_roads(&mut self, source: &Source, wanted: &Wanted) {
        for (index, trial) in self.types.iter().enumerate() {
            for flags in [true, false] {
                if wanted.flags.is_none_or(|w| w == flags) {
                    let layout = Layout { flags, bgra: wanted.bgra, ..Layout::default() };
                    self.roads.push(roads_trial(source, index, trial, layout));
                }
            }
        }
        let mut best: Option<(usize, i32)> = None;
        for (index, trial) in self.roads.iter().enumerate() {
            if best.is_none_or(|(_, score)| trial.score > score) {
                best = Some((index, trial.score));
            }
        }
        self.best = best.map(|(index, _)| index);
    }

    /// The reading that was chosen.
    pub fn chosen(&self) -> Option<&RoadsTrial> {
        self.roads.get(self.best?)
    }

    /// The best of the readings that `fits`.
    pub fn best_of(&self, fits: impl Fn(&RoadsTrial) -> bool) -> Option<&RoadsTrial> {
        self.roads.iter().filter(|trial| fits(trial)).max_by_key(|trial| trial.score)
    }
}

/// Whether a string lies at `at` that ends as models do.
fn is_model_at(bytes: &[u8], at: usize, strings: Strings) -> bool {
    let Some(length) = grid::read_u32(bytes, at).filter(|length| (5..=260).contains(length)) else { return false };
    let size = match strings {
        Strings::Inclusive => length,
        Strings::Exclusive => length.saturating_add(1),
    } as usize;
    let start = at.saturating_add(4);
    let text = bytes.get(start..start.saturating_add(size)).and_then(|text| text.split_last());
    let Some((0, text)) = text else { return false };
    text.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b".p3d")) && strings::is_printable(text)
}

/// Reads what follows the types, and scores how well that goes.
fn roads_trial(source: &Source, index: usize, trial: &TypesTrial, layout: Layout) -> RoadsTrial {
    let layout = Layout { strings: trial.strings, trailing_ids: trial.trailing_ids, ..layout };
    let mut r = FieldReader::new(source, trial.types.end..u64::MAX, Endian::Little);
    let mut flags = None;
    let roads = (|| {
        if layout.flags {
            flags = Some(read_flags(&mut r)?);
        }
        read_nets(&mut r, &layout)
    })();
    let mut score = 0_i32;
    let mut grid = None;
    match &roads {
        Ok(nets) => {
            if nets.crossroads == 0 {
                let at = usize::try_from(nets.range.end).unwrap_or(usize::MAX);
                grid = grid::grid_at(source.as_slice(), at, true, &mut 0);
            } else {
                score = score.saturating_add(4);
            }
        }
        Err(_) => score = score.saturating_sub(3),
    }
    if let Some(grid) = &grid {
        // What is cut off says less.
        score = score.saturating_add(if grid.is_whole() { 10 } else { 6 });
        let follower = Follower::new(source, &layout, &trial.types.list);
        let follows =
            |floats| matches!(follower.verdict_for(grid, floats), Verdict::Objects { .. } | Verdict::LayersAlone);
        // Where types say nothing of strings, objects do.
        if Follower::formulas(grid).into_iter().any(follows) {
            score = score.saturating_add(2);
        }
    }
    if flags.as_ref().is_some_and(|flags| flags.no_terrains && flags.no_forests) {
        score = score.saturating_add(1);
    }
    RoadsTrial { types: index, layout, flags, roads, grid, score }
}

/// Reads the two numbers on the older game.
///
/// # Errors
/// When something follows one of them, whose layout is not known.
pub fn read_flags(r: &mut FieldReader<'_>) -> Result<Flags, Fault> {
    let mut flags = Flags { at: [r.offset(); 3], ..Flags::default() };
    let [first, second, end] = &mut flags.at;
    *first = r.offset();
    flags.no_terrains = read_flag(r, "NoOfpTerrains", "OfpTerrainCount")?;
    *second = r.offset();
    flags.no_forests = read_flag(r, "NoOfpForests", "OfpForestCount")?;
    *end = r.offset();
    Ok(flags)
}

fn read_flag(r: &mut FieldReader<'_>, name: &'static str, count_name: &'static str) -> Result<bool, Fault> {
    let is_none = read_bool16(r, name)?;
    if !is_none {
        let at = r.offset();
        let count = r.u32(count_name)?;
        if count > 0 {
            let records = counted(count, "Operation Flashpoint record");
            let message = format!("the layout of {records} is unknown");
            return Err(Fault::new(at, message));
        }
    }
    Ok(is_none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_of_types_are_not_all_tried() {
        // One type of the first class, again and again, each behind a number that says one.
        let mut one = vec![1, 0, 0, 0, 6, 0, 0, 0];
        one.extend(b"a.p3d\0\x02\0\0\0b\0\x01\0\0\0");
        one.extend([0; 8 + 118 + 8]);
        let source = Source::from([vec![0; 48], one.repeat(400)].concat());
        let survey = Survey::of(&source, &Wanted::default(), true);
        assert_eq!((survey.types.len(), survey.roads.len()), (MAX_TRIALS, 2 * MAX_TRIALS));
        assert!(survey.types.iter().all(|trial| trial.types.list.len() == 1));
        assert_eq!(survey.types.first().map(|trial| trial.types.at), Some(48));
    }
}
