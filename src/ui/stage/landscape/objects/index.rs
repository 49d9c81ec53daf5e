//! Finding things on the ground by words, among a hundred thousand within a frame.

use crate::{
    scene::{PropClass, PropKind, Terrain},
    ui::{
        query::{Query, Term, TermOf, contains},
        widgets::{columns::Sort, prop_sign},
    },
};
use std::sync::Arc;

/// Which list is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    Things,
    Types,
}

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ObjectsView {
    pub page: Page,
    pub filter: String,
    pub sort: Sort<Column>,
    /// The landscape that the rest is made for.
    pub generation: Option<u64>,
    pub index: ObjectIndex,
    /// All things, sorted, and by what.
    pub order: Option<(Sort<Column>, Arc<[u32]>)>,
    /// What the filter lets through, and the filter.
    pub rows: Vec<u32>,
    pub rows_for: Option<(String, Sort<Column>)>,
    pub kinds: Vec<KindRow>,
    pub kinds_for: Option<String>,
    /// Where a range of rows starts: into the things.
    pub anchor: Option<u32>,
    /// The selection changes by a click here: the list stays where it is.
    pub own: bool,
}

/// What things are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Column {
    #[default]
    Type,
    Name,
    Id,
    East,
    North,
    Height,
}

/// What does not change with the filter, made once for a landscape.
#[derive(Default)]
pub struct ObjectIndex {
    /// Of each type: name and model.
    kinds: Vec<KindNames>,
    /// Of each type: its number, and how many things there are of it.
    ids: Vec<u32>,
    pub counts: Vec<u32>,
    /// Of each type: its place among the names.
    ranks: Vec<u32>,
    /// Names that things have of their own, in lower case: most have none.
    names: Vec<(u32, String)>,
}

/// What a type is called.
struct KindNames {
    name: String,
    /// Path of the model, and how much of it is the folder.
    model: String,
    folder: usize,
    class: &'static str,
}

/// A row of the types: a class, or a type of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KindRow {
    Class { class: PropClass, kinds: u32, props: u32 },
    Kind(u32),
}

impl ObjectIndex {
    pub fn of(terrain: &Terrain) -> Self {
        let names = |kind: &PropKind| KindNames {
            name: kind.name.clone(),
            folder: kind.model.rfind(['\\', '/']).unwrap_or(0),
            model: kind.model.clone(),
            class: kind.class.name(),
        };
        let kinds: Vec<KindNames> = terrain.kinds.iter().map(names).collect();
        let shown: Vec<String> = terrain.kinds.iter().map(|k| prop_sign::name(k).to_lowercase()).collect();
        let mut by_name: Vec<u32> = (0..terrain.kinds.len() as u32).collect();
        by_name.sort_by_key(|k| &shown[*k as usize]);
        let mut ranks = vec![0; kinds.len()];
        for (rank, kind) in (0_u32..).zip(by_name) {
            ranks[kind as usize] = rank;
        }
        let mut counts = vec![0_u32; kinds.len()];
        for prop in &terrain.props {
            if let Some(count) = counts.get_mut(prop.kind as usize) {
                *count += 1;
            }
        }
        let named = (0_u32..).zip(&terrain.props).filter(|(_, prop)| !prop.name.is_empty());
        let names = named.map(|(index, prop)| (index, prop.name.to_lowercase())).collect();
        Self { kinds, ids: terrain.kinds.iter().map(|k| k.id).collect(), counts, ranks, names }
    }

    /// All things, sorted. Equal ones stay as the file has them; those without a name follow those with one.
    pub fn sorted(&self, terrain: &Terrain, column: Column, descending: bool) -> Vec<u32> {
        let props = &terrain.props;
        let mut order: Vec<u32> = (0..props.len() as u32).collect();
        let of = |index: &u32| &props[*index as usize];
        let place = |index: &u32| of(index).file_position;
        match column {
            Column::Type => order.sort_by_key(|i| self.ranks.get(of(i).kind as usize).copied()),
            Column::Name => {
                order.sort_by_cached_key(|i| (of(i).name.is_empty() != descending, of(i).name.to_lowercase()));
            }
            Column::Id => order.sort_by_key(|i| of(i).id),
            Column::East => order.sort_by(|a, b| place(a).x.total_cmp(&place(b).x)),
            Column::North => order.sort_by(|a, b| place(a).z.total_cmp(&place(b).z)),
            Column::Height => order.sort_by(|a, b| place(a).y.total_cmp(&place(b).y)),
        }
        if descending {
            order.reverse();
        }
        order
    }

    /// Those of `order` that a query finds: by type, model, their own name, or how their number or their type's begins. They are of
    /// their type and its class, and lie in the folder of its model.
    pub fn find(&self, terrain: &Terrain, query: &Query, order: &[u32]) -> Vec<u32> {
        let words: Vec<Word> = query.terms().iter().map(|term| Word::of(self, term)).collect();
        if words.is_empty() {
            return order.to_vec();
        }
        let fits = |index: u32| {
            let Some(prop) = terrain.props.get(index as usize) else { return false };
            words.iter().all(|word| {
                let has = word.kinds.get(prop.kind as usize).copied().unwrap_or(false)
                    || word.number.is_some_and(|n| n.begins(prop.id) || n.begins(prop.type_id))
                    || word.names.binary_search(&index).is_ok();
                has != word.excludes
            })
        };
        order.iter().copied().filter(|index| fits(*index)).collect()
    }

    /// The types that a query finds, by class and then by name.
    pub fn kinds(&self, terrain: &Terrain, query: &Query) -> Vec<KindRow> {
        let words: Vec<Word> = query.terms().iter().map(|term| Word::of(self, term)).collect();
        let fits = |kind: &u32| words.iter().all(|word| word.kinds[*kind as usize] != word.excludes);
        let mut found: Vec<u32> = (0..self.kinds.len() as u32).filter(fits).collect();
        let class = |kind: u32| terrain.kinds[kind as usize].class;
        found.sort_by_key(|kind| (class(*kind), self.ranks[*kind as usize]));
        let mut rows = Vec::with_capacity(found.len() + 4);
        for group in found.chunk_by(|a, b| class(*a) == class(*b)) {
            let props = group.iter().map(|kind| self.counts[*kind as usize]).sum();
            rows.push(KindRow::Class { class: class(group[0]), kinds: group.len() as u32, props });
            rows.extend(group.iter().map(|kind| KindRow::Kind(*kind)));
        }
        rows
    }
}

/// A word of the filter, and what answers to it.
struct Word {
    kinds: Vec<bool>,
    number: Option<Digits>,
    /// Ascending.
    names: Vec<u32>,
    excludes: bool,
}

impl Word {
    fn of(index: &ObjectIndex, term: &Term) -> Self {
        let word = term.word.as_str();
        let is_text = term.of == TermOf::Text;
        let number = Digits::of(word).filter(|_| is_text);
        let has = |kind: &KindNames| match term.of {
            TermOf::Text => contains(&kind.name, word) || contains(&kind.model, word),
            TermOf::Type => contains(&kind.name, word) || contains(kind.class, word),
            TermOf::In => contains(kind.model.get(..kind.folder).unwrap_or_default(), word),
        };
        let kinds = index.kinds.iter().zip(&index.ids);
        let kinds = kinds.map(|(kind, id)| has(kind) || number.is_some_and(|n| n.begins(*id))).collect();
        let names = index.names.iter().filter(|(_, name)| is_text && name.contains(word)).map(|(prop, _)| *prop);
        Self { kinds, number, names: names.collect(), excludes: term.excludes }
    }
}

/// The first digits of a number.
#[derive(Clone, Copy)]
struct Digits {
    value: u64,
    count: u32,
}

impl Digits {
    fn of(word: &str) -> Option<Self> {
        let word = word.strip_prefix('#').unwrap_or(word);
        let is_number = !word.is_empty() && word.len() <= 10 && word.bytes().all(|b| b.is_ascii_digit());
        let count = word.len() as u32;
        is_number.then(|| word.parse().ok().map(|value| Self { value, count })).flatten()
    }

    fn begins(self, number: u32) -> bool {
        let digits = number.checked_ilog10().unwrap_or(0) + 1;
        digits >= self.count && u64::from(number) / 10_u64.pow(digits - self.count) == self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Prop, PropMarker, SizeSource};
    use glam::{Affine3A, Vec3};

    fn kind(id: u32, class: PropClass, name: &str, model: &str) -> PropKind {
        PropKind {
            id,
            name: name.into(),
            model: model.into(),
            class,
            marker: PropMarker::Rectangle,
            outline: None,
            fill: None,
            size: Vec3::ONE,
            size_source: SizeSource::Class,
            source: None,
            body: None,
        }
    }

    fn prop(kind: u32, type_id: u32, id: u32, name: &str, east: f32) -> Prop {
        Prop {
            kind,
            slot: 0,
            id,
            type_id,
            name: name.into(),
            world_from_prop: Affine3A::IDENTITY,
            file_position: Vec3::new(east, 2.0, 3.0),
            heading: 0.0,
            scale: 1.0,
            above_ground: 0.0,
            outline: None,
            fill: None,
        }
    }

    fn island() -> Terrain {
        Terrain {
            kinds: vec![
                kind(11, PropClass::Natural, "t_Oak2", r"ca\plants\oak.p3d"),
                kind(12, PropClass::Artificial, "House", r"ca\misc\house.p3d"),
                kind(30, PropClass::Natural, "b_Bush", r"ca\plants\bush.p3d"),
            ],
            props: vec![
                prop(0, 11, 1042, "", 30.0),
                prop(1, 12, 7, "Town hall", 10.0),
                prop(0, 11, 11, "", 20.0),
                prop(2, 30, 1200, "", f32::NAN),
            ],
            ..Terrain::default()
        }
    }

    #[test]
    fn every_word_has_to_match_by_model_name_or_number() {
        let terrain = island();
        let index = ObjectIndex::of(&terrain);
        let all = [0, 1, 2, 3];
        let found = |filter: &str| index.find(&terrain, &Query::of(filter), &all);
        assert_eq!(found(""), all);
        assert_eq!(found("OAK"), [0, 2]);
        assert_eq!(found("plants oak"), [0, 2], "the model's path counts");
        assert_eq!(found("town"), [1]);
        assert_eq!(found("hall house"), [1]);
        assert_eq!(found("hall oak"), [0; 0]);
        assert_eq!(found("1042"), [0]);
        assert_eq!(found("#104"), [0], "as it is typed");
        // As a type's number or as a thing's own.
        assert_eq!(found("11"), [0, 2]);
        assert_eq!(found("12"), [1, 3]);
        assert_eq!(found("042"), [0; 0], "not from the middle");
        assert_eq!(found("type:oak"), [0, 2]);
        assert_eq!(found("type:natural -bush"), [0, 2]);
        assert_eq!(found("in:plants -type:oak"), [3], "the folder of the model");
        assert_eq!(found("in:oak"), [0; 0]);
        assert_eq!(found("-type:natural -town"), [0; 0]);
        assert_eq!(index.find(&terrain, &Query::of("oak"), &[2, 1, 0]), [2, 0], "the order stays");
    }

    #[test]
    fn things_are_sorted_by_any_column() {
        let terrain = island();
        let index = ObjectIndex::of(&terrain);
        assert_eq!(index.sorted(&terrain, Column::Type, false), [3, 1, 0, 2]);
        assert_eq!(index.sorted(&terrain, Column::Id, false), [1, 2, 0, 3]);
        assert_eq!(index.sorted(&terrain, Column::East, false), [1, 2, 0, 3]);
        assert_eq!(index.sorted(&terrain, Column::Id, true), [3, 0, 2, 1]);
        assert_eq!(index.sorted(&terrain, Column::Name, false)[0], 1);
        assert_eq!(index.sorted(&terrain, Column::Name, true)[0], 1, "names first, whichever way");
    }

    #[test]
    fn types_stand_below_their_class() {
        let terrain = island();
        let index = ObjectIndex::of(&terrain);
        let natural = KindRow::Class { class: PropClass::Natural, kinds: 2, props: 3 };
        let artificial = KindRow::Class { class: PropClass::Artificial, kinds: 1, props: 1 };
        let rows = index.kinds(&terrain, &Query::of(""));
        assert_eq!(rows, [natural, KindRow::Kind(2), KindRow::Kind(0), artificial, KindRow::Kind(1)]);
        assert_eq!(index.kinds(&terrain, &Query::of("house")), [artificial, KindRow::Kind(1)]);
        assert_eq!(index.kinds(&terrain, &Query::of("30"))[1], KindRow::Kind(2));
        assert!(index.kinds(&terrain, &Query::of("nothing")).is_empty());
    }
}
