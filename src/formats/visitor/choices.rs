//! What was chosen, on what evidence, and what else it could have been: for people (formats/visitor.md §1.7).

use super::{
    blue::{BlueEnd, Follower, Verdict},
    codes,
    grid::Grid,
    ground::OnGround,
    layers::Layers,
    layout::{LayerNames, Layout, Placing},
    objects::Objects,
    placing::{Placement, TransformOrder},
    strings::Strings,
    survey::{RoadsTrial, Survey, TypesTrial, Wanted},
};
use crate::{
    bytes::numbers::grouped,
    formats::{Choice, Overrides, Rival, findings::Findings},
};

/// Everything that a person may want read otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllWanted {
    pub survey: Wanted,
    /// Floats.
    pub blue: Option<u64>,
    pub transform: Option<TransformOrder>,
    pub layers: Option<LayerNames>,
    /// Metres.
    pub cell: Option<f32>,
    pub north_first: Option<bool>,
    pub placing: Option<Placing>,
    /// The survey knows it too.
    pub bgra: Option<bool>,
    pub percent: Option<bool>,
}

const TYPE_IDS: [&str; 2] = ["none", "trailing"];
const FLAGS: [&str; 2] = ["absent", "present"];
const ROWS: [&str; 2] = ["south-first", "north-first"];
const PLACING: [&str; 2] = ["file", "ground"];
const COLORS: [&str; 2] = ["rgba", "bgra"];
const SIZE: [&str; 2] = ["one", "percent"];

/// The second of two words is yes.
fn yes(words: [&str; 2], value: &str) -> Option<bool> {
    words.iter().position(|word| *word == value).map(|index| index == 1)
}

impl AllWanted {
    /// Reads what is wanted; what names no reading is reported and left out.
    pub fn of(overrides: &Overrides, findings: &mut Findings) -> Self {
        let mut wanted = Self::default();
        for (id, value) in overrides {
            let text = value.as_str();
            let is_known = match id.as_str() {
                "strings" => set(&mut wanted.survey.strings, Strings::ALL.into_iter().find(|s| s.id() == text)),
                "type_ids" => set(&mut wanted.survey.trailing_ids, yes(TYPE_IDS, text)),
                "flags" => set(&mut wanted.survey.flags, yes(FLAGS, text)),
                "blue" => set(&mut wanted.blue, text.parse().ok()),
                "transform" => set(&mut wanted.transform, TransformOrder::ALL.into_iter().find(|o| o.id() == text)),
                "layers" => set(&mut wanted.layers, LayerNames::ALL.into_iter().find(|n| n.id() == text)),
                "cell" => set(&mut wanted.cell, text.parse().ok().filter(|cell| (1e-3..=1e6).contains(cell))),
                "rows" => set(&mut wanted.north_first, yes(ROWS, text)),
                "placing" => {
                    let ground = yes(PLACING, text);
                    set(&mut wanted.placing, ground.map(|g| if g { Placing::Ground } else { Placing::File }))
                }
                "colors" => set(&mut wanted.bgra, yes(COLORS, text)),
                "size" => set(&mut wanted.percent, yes(SIZE, text)),
                _ => false,
            };
            if !is_known {
                findings.add(&codes::BAD_OVERRIDE, None, format!("“{id}={value}” is not a valid reading option"));
            }
        }
        wanted.survey.bgra = wanted.bgra.unwrap_or(false);
        wanted
    }
}

fn set<T>(target: &mut Option<T>, value: Option<T>) -> bool {
    *target = value;
    target.is_some()
}

fn choice(id: &'static str, label: &'static str, value: &str, evidence: String, overridden: bool) -> Choice {
    let rivals = Vec::new();
    Choice { id, label, value: value.to_owned(), evidence, rivals, overridden, number: None }
}

fn rival(mut choice: Choice, value: &str, evidence: String) -> Choice {
    choice.rivals.push(Rival { value: value.to_owned(), evidence });
    choice
}

fn word(words: [&'static str; 2], second: bool) -> &'static str {
    let [no, yes] = words;
    if second { yes } else { no }
}

/// Types, and what follows them.
pub fn of_survey(survey: &Survey, chosen: &RoadsTrial, wanted: &Wanted) -> Vec<Choice> {
    let layout = chosen.layout;
    let types = |trial: &RoadsTrial| survey.types.get(trial.types);
    let sentence = |trial: Option<&RoadsTrial>, is_wanted: bool| match trial {
        Some(trial) => format!("{} {}", describe_types(types(trial)), describe_roads(trial)),
        None if is_wanted => "Not tried because a different value is set.".to_owned(),
        None => "The object types cannot be read with this layout.".to_owned(),
    };
    let other_strings = match layout.strings {
        Strings::Inclusive => Strings::Exclusive,
        Strings::Exclusive => Strings::Inclusive,
    };
    let is_wanted = wanted.strings.is_some();
    let strings = choice("strings", "String lengths", layout.strings.id(), sentence(Some(chosen), false), is_wanted);
    let best = survey.best_of(|trial| trial.layout.strings == other_strings);
    let strings = rival(strings, other_strings.id(), sentence(best, is_wanted));

    let is_wanted = wanted.trailing_ids.is_some();
    let value = word(TYPE_IDS, layout.trailing_ids);
    let ids = choice("type_ids", "ID after each object type", value, sentence(Some(chosen), false), is_wanted);
    let best = survey
        .best_of(|trial| trial.layout.trailing_ids != layout.trailing_ids && trial.layout.strings == layout.strings);
    let ids = rival(ids, word(TYPE_IDS, !layout.trailing_ids), sentence(best, is_wanted));

    let is_wanted = wanted.flags.is_some();
    let flags = choice(
        "flags",
        "Two numbers before the road nets",
        word(FLAGS, layout.flags),
        describe_roads(chosen),
        is_wanted,
    );
    let best = survey.best_of(|trial| trial.types == chosen.types && trial.layout.flags != layout.flags);
    let other = match best {
        Some(trial) => describe_roads(trial),
        None => "Not tried because a different value is set.".to_owned(),
    };
    vec![strings, ids, rival(flags, word(FLAGS, !layout.flags), other)]
}

fn describe_types(trial: Option<&TypesTrial>) -> String {
    let Some(TypesTrial { types, .. }) = trial else { return String::new() };
    match (types.list.len(), types.announced, &types.fault) {
        (0, _, None) => "Unknown because the file has no object types.".to_owned(),
        (count, _, None) => format!("{0} of {0} object types can be read with this layout.", grouped(count)),
        (count, announced, Some(_)) => {
            format!("{} of {} object types can be read with this layout.", grouped(count), grouped(announced))
        }
    }
}

fn describe_roads(trial: &RoadsTrial) -> String {
    match (&trial.roads, &trial.grid) {
        (Err(fault), _) => format!("The road nets cannot be read with this layout ({fault})."),
        (Ok(_), Some(grid)) if grid.is_whole() => "A grid of heights follows the road nets directly.".to_owned(),
        (Ok(_), Some(_)) => "A grid of heights follows the road nets directly, but the file ends within it.".to_owned(),
        (Ok(roads), None) if roads.crossroads > 0 => {
            format!("The road nets can be read and are followed by {} crossroads of unknown size.", roads.crossroads)
        }
        (Ok(_), None) => "No grid of heights follows the road nets with this layout.".to_owned(),
    }
}

/// The floats between heights and objects. `floats`: as many as there are.
pub fn of_blue(follower: &Follower<'_>, grid: &Grid, found: Option<BlueEnd>, floats: u64, overridden: bool) -> Choice {
    let evidence = match found {
        Some(end) if end.searched => {
            format!(
                "No objects were found after any usual number of floats. A search determined this number. {}",
                describe(end.verdict)
            )
        }
        Some(end) => describe(end.verdict),
        None => "No objects or layers were found after the heights.".to_owned(),
    };
    let mut choice = choice("blue", "Floats after the heights", &floats.to_string(), evidence, overridden);
    choice.number = Some("floats");
    for count in Follower::formulas(grid).into_iter().filter(|count| *count != floats) {
        choice = rival(choice, &count.to_string(), describe(follower.verdict_for(grid, count)));
    }
    choice
}

fn describe(verdict: Verdict) -> String {
    match verdict {
        Verdict::Objects { looked_at, known } => {
            format!("The records that follow look like objects. Records with a known type: {known} of {looked_at}.")
        }
        Verdict::LayersAlone => "An empty object list and layers follow.".to_owned(),
        Verdict::Cut => "The file ends within the first object that follows.".to_owned(),
        Verdict::Nothing => "The bytes that follow do not look like objects.".to_owned(),
    }
}

/// The order of an object's twelve numbers.
pub fn of_transform(objects: &Objects, wanted: Option<TransformOrder>) -> (TransformOrder, Choice) {
    let mut votes = [0_usize; 2];
    for object in &objects.sample {
        let [rows, columns] = TransformOrder::ALL.map(|order| Placement::of(object.transform, order).skew());
        let [for_rows, for_columns] = &mut votes;
        if rows < columns {
            *for_rows = for_rows.saturating_add(1);
        } else if columns < rows {
            *for_columns = for_columns.saturating_add(1);
        }
    }
    let [rows, columns] = votes;
    let decided = if columns > rows { TransformOrder::Cols4x3 } else { TransformOrder::Row3x4 };
    let order = wanted.unwrap_or(decided);
    let count = objects.sample.len();
    let sentence =
        |votes: usize| format!("Objects with perpendicular axes of equal length with this layout: {votes} of {count}.");
    let (own, other, others) = match order {
        TransformOrder::Row3x4 => (rows, TransformOrder::Cols4x3, columns),
        TransformOrder::Cols4x3 => (columns, TransformOrder::Row3x4, rows),
    };
    let choice = choice("transform", "Layout of object transforms", order.id(), sentence(own), wanted.is_some());
    (order, rival(choice, other.id(), sentence(others)))
}

/// The unit of relative sizes.
pub fn of_size(objects: &Objects, wanted: Option<bool>) -> (bool, Choice) {
    let mut sizes: Vec<f64> = objects.sample.iter().map(|object| object.size.abs()).filter(|s| s.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    let median = sizes.get(sizes.len().div_euclid(2)).copied();
    let percent = wanted.unwrap_or_else(|| median.is_some_and(|median| (20.0..=500.0).contains(&median)));
    let evidence = match median {
        Some(median) => format!("The median relative size is {median}."),
        None => "Unknown because the file has no objects.".to_owned(),
    };
    let choice = choice("size", "Unit of relative sizes", word(SIZE, percent), evidence, wanted.is_some());
    (percent, rival(choice, word(SIZE, !percent), "The unit is not documented.".to_owned()))
}

/// Where the names of layers stand.
pub fn of_layers(layers: &Layers, other_is_readable: bool, wanted: Option<LayerNames>) -> Choice {
    let other = match layers.names {
        LayerNames::Each => LayerNames::Leading,
        LayerNames::Leading => LayerNames::Each,
    };
    let count = layers.list.len();
    let (evidence, against) = match (count, other_is_readable) {
        (0, _) => {
            ("Unknown because the file has no layers.".to_owned(), "Unknown because the file has no layers.".to_owned())
        }
        (1, true) => {
            let same = "With one layer, both layouts are the same.";
            (same.to_owned(), same.to_owned())
        }
        (_, true) => (
            format!("All {count} layers can be read with this layout."),
            "The layers can also be read with this layout.".to_owned(),
        ),
        (_, false) => (
            format!("All {count} layers can be read with this layout."),
            "The layers cannot be read with this layout.".to_owned(),
        ),
    };
    rival(choice("layers", "Layer names", layers.names.id(), evidence, wanted.is_some()), other.id(), against)
}

/// Where the first row of heights is.
pub fn of_rows(ground: &OnGround, wanted: Option<bool>) -> (bool, Choice) {
    let north_first = wanted.unwrap_or_else(|| ground.says_north_first());
    let sentence = |north_first: bool| {
        let count = if north_first { ground.north_first } else { ground.south_first };
        match ground.looked_at {
            0 => "Unknown because no objects are on the map.".to_owned(),
            all => format!("Objects on the ground with this order: {count} of {all}."),
        }
    };
    let label = "First row of heights";
    let choice = choice("rows", label, word(ROWS, north_first), sentence(north_first), wanted.is_some());
    (north_first, rival(choice, word(ROWS, !north_first), sentence(!north_first)))
}

/// What the heights of objects are taken from.
pub fn of_placing(ground: &OnGround, layout: &Layout, wanted: Option<Placing>) -> (Placing, Choice) {
    let placing = wanted.unwrap_or_default();
    let count = if layout.north_first { ground.north_first } else { ground.south_first };
    let of_file = match ground.looked_at {
        0 => "Unknown because no objects are on the map.".to_owned(),
        all => format!("Objects on the ground at their stored heights: {count} of {all}."),
    };
    let of_ground = "Objects are placed at their stored height above the ground.".to_owned();
    let (evidence, other, against) = match placing {
        Placing::File => (of_file, true, of_ground),
        Placing::Ground => (of_ground, false, of_file),
    };
    let choice = choice("placing", "Object heights", word(PLACING, !other), evidence, wanted.is_some());
    (placing, rival(choice, word(PLACING, other), against))
}

/// The order of a colour's bytes.
pub fn of_colors(wanted: Option<bool>) -> Choice {
    let bgra = wanted.unwrap_or(false);
    let sentences = [
        "The published format description specifies this order.",
        "According to a later document, the first byte of a colour is blue.",
    ];
    let evidence = |bgra: bool| word(sentences, bgra).to_owned();
    let choice = choice("colors", "Colour byte order", word(COLORS, bgra), evidence(bgra), wanted.is_some());
    rival(choice, word(COLORS, !bgra), evidence(!bgra))
}
