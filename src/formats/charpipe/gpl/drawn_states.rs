//! The states that lists are drawn in as entries of their own: the materials of a palette.

use super::{
    super::materials,
    display_states::{self, STATE_SIZE, StateIds, StateKind, StoredState, read_state},
    draws::{DrawnState, Draws, Gpl},
    object::DisplayObject,
    shape::States,
};
use crate::{
    bytes::{Endian, Source},
    formats::{Content, Field, Role, field_reader::FieldReader, structure::Part},
};
use std::{collections::HashMap, ops::Range};

/// Display states before a list that are looked through for what is in force.
const MAX_SHOWN: usize = 1024;

/// The states of every list, in the order in which they come first: a palette's materials.
pub fn drawn(gpl: &Gpl) -> Vec<DrawnState> {
    let mut states = States::default();
    let mut list = Vec::new();
    for (object, found) in gpl.objects.iter().enumerate() {
        for draw in found.iter().flat_map(|found| Draws::new(gpl, found)) {
            states.number(draw.state);
            if states.list().len() > list.len() {
                list.push(DrawnState { state: draw.state, object, number: draw.number });
            }
        }
    }
    list
}

impl Gpl {
    /// The states of every list, numbered as the palette's materials.
    pub fn drawn_states(&self) -> States {
        let mut states = States::default();
        for drawn in &self.drawn {
            states.number(drawn.state);
        }
        states
    }

    /// An entry for each of them: the display state that draws the first list.
    pub(super) fn material_parts(&self) -> impl Iterator<Item = Part> {
        self.drawn.iter().enumerate().map(|(index, drawn)| {
            let object = self.objects.get(drawn.object).and_then(Option::as_ref);
            Part {
                name: materials::name(index),
                role: Role::Material,
                class: "Material",
                range: object.map_or(0..0, |object| place(object, drawn.number)),
                content: Content::None,
            }
        })
    }

    /// The display states that are in force when a material's first list is drawn.
    pub(super) fn material_fields(&self, source: &Source, material: usize) -> Vec<Field> {
        let drawn = self.drawn.get(material);
        let object = drawn.and_then(|drawn| Some((self.objects.get(drawn.object)?.as_ref()?, drawn.number)));
        let Some((object, last)) = object else { return Vec::new() };
        let mut r = FieldReader::new(source, self.range.clone(), Endian::Big).recording();
        let first = last.saturating_sub(MAX_SHOWN);
        for number in in_force(self.ids, object.states.get(first..=last).unwrap_or_default()) {
            // It was read once without a fault.
            let _ =
                r.seek(place(object, first.saturating_add(number)).start).and_then(|()| read_state(&mut r, self.ids));
        }
        r.into_fields().into_iter().map(Field::mirrored).collect()
    }
}

/// The bytes of one of an object's display states.
fn place(object: &DisplayObject, number: usize) -> Range<u64> {
    let at = object.states_at.saturating_add((number as u64).saturating_mul(STATE_SIZE));
    at..at.saturating_add(STATE_SIZE)
}

/// Which of some display states no later one overrules.
fn in_force(ids: StateIds, states: &[StoredState]) -> Vec<usize> {
    let what = |state: &StoredState| match ids.kind(state.id) {
        StateKind::Texture => (state.id, display_states::layer(state.setting).0),
        StateKind::MatrixLoad => (state.id, display_states::matrix_load(state.setting).0.into()),
        _ => (state.id, 0),
    };
    let last: HashMap<_, usize> = states.iter().enumerate().map(|(number, state)| (what(state), number)).collect();
    let mut numbers: Vec<usize> = last.into_values().collect();
    numbers.sort_unstable();
    numbers
}
