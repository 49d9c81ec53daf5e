//! The states that lists are drawn in as entries of their own: the materials of a palette.

use super::{
    display_states::{self, STATE_SIZE, StateIds, StateKind, StoredState, read_state},
    draws::Draws,
    object::DisplayObject,
    palette::Gpl,
    shape::States,
    state::DrawState,
};
use crate::{
    bytes::{Endian, Source},
    formats::{Field, field_reader::FieldReader, structure::Part},
};
use std::{collections::HashMap, ops::Range};

impl Gpl {
    /// The states of every list, in the order in which they come first: a palette's materials.
    pub fn drawn_states(&self) -> States {
        let mut states = States::default();
        for object in self.objects.iter().flatten() {
            for draw in Draws::new(self, object) {
                states.number(draw.state);
            }
        }
        states
    }

    /// An entry for each of them: the display state that draws the first list.
    pub(super) fn material_parts(&self) -> impl Iterator<Item = Part> {
        let states = self.drawn_states();
        let mut first: HashMap<DrawState, Range<u64>> = HashMap::new();
        for object in self.objects.iter().flatten() {
            for draw in Draws::new(self, object) {
                first.entry(draw.state).or_insert_with(|| place(object, draw.number));
            }
        }
        let ranges: Vec<Range<u64>> = states.list().iter().filter_map(|state| first.remove(state)).collect();
        ranges.into_iter().enumerate().map(|(index, range)| Part {
            name: crate::formats::charpipe::materials::name(index),
            class: "Material",
            range,
            content: crate::formats::Content::None,
        })
    }

    /// The display states that are in force when a material's first list is drawn.
    pub(super) fn material_fields(&self, source: &Source, material: usize) -> Vec<Field> {
        let states = self.drawn_states();
        let Some(wanted) = states.list().get(material) else { return Vec::new() };
        for object in self.objects.iter().flatten() {
            let Some(draw) = Draws::new(self, object).find(|draw| draw.state == *wanted) else { continue };
            let mut r = FieldReader::new(source, self.range.clone(), Endian::Big).recording();
            for number in in_force(self.ids, object.states.get(..=draw.number).unwrap_or_default()) {
                // It was read once without a fault.
                let _ = r.seek(place(object, number).start).and_then(|()| read_state(&mut r, self.ids));
            }
            return r.into_fields().into_iter().map(Field::mirrored).collect();
        }
        Vec::new()
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
