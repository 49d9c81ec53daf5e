//! A geometry palette, and the order of drawing: walks the display states of an object to find each list's state
//! (formats/charpipe.md §4, §4.1).

use super::{
    super::{codes, draw_state::DrawState, info::PADDING},
    display_states::{self, StateIds, StateKind, StoredState, described},
    object::{self, DisplayObject},
};
use crate::{
    bytes::Source,
    formats::{
        Field, Value,
        claims::Claims,
        field_reader::FieldReader,
        findings::Findings,
        gx::{
            display_list::{Column, columns},
            list_fields,
            vertex::{Attribute, Held},
        },
    },
};
use std::ops::Range;

/// A geometry palette.
pub struct Gpl {
    /// Bytes of the whole file.
    pub source: Source,
    /// The section.
    pub range: Range<u64>,
    /// By their numbers, which bones go by; `None` for one that cannot be read.
    pub objects: Vec<Option<DisplayObject>>,
    /// Where they are, which is so for those that cannot be read too.
    pub places: Vec<Descriptor>,
    /// Numbering of the display states.
    pub ids: StateIds,
    /// The states that its lists are drawn in: its materials.
    pub drawn: Vec<DrawnState>,
    /// Which of them may be shown alone: those that share more bytes than they have may not.
    pub shows: Vec<bool>,
    /// Where things begin in it, ascending; empty while every list ends inside it.
    pub starts: Vec<u64>,
}

/// Where a display object and its name are: bytes from the start of the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    pub object: u32,
    /// 0 for none.
    pub name: u32,
}

impl Gpl {
    /// The name of a display object, or its number.
    pub fn name(&self, index: usize) -> String {
        let name = self.objects.get(index).and_then(Option::as_ref).map(|object| object.name.as_str());
        name.filter(|name| !name.is_empty()).map_or_else(|| format!("Mesh {index}"), str::to_owned)
    }

    /// The skinned object: the last with normals between its positions (§1, row 6).
    pub fn skinned(&self) -> Option<usize> {
        self.objects.iter().rposition(|object| object.as_ref().is_some_and(DisplayObject::is_skinned))
    }
}

/// A state that lists are drawn in, and what draws the first of them.
#[derive(Clone, Copy, Debug)]
pub struct DrawnState {
    pub state: DrawState,
    /// Into [`Gpl::objects`].
    pub object: usize,
    /// Which of the object's display states.
    pub number: usize,
}

/// Matrices that are loaded at a time.
const SLOTS: usize = 10;

/// A primitive list and all that is set when it is drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The list: bytes from the start of the file.
    pub list: Range<u64>,
    pub state: DrawState,
    /// Which of the object's display states draws it.
    pub number: usize,
    /// `None` when no state before has set one.
    pub descriptor: Option<u32>,
    /// Bones in the matrix slots, by their places in the bone array.
    pub slots: [Option<u16>; SLOTS],
}

impl Draw {
    /// What its vertices are made of, in order.
    ///
    /// # Errors
    /// In words, when that is not known or they cannot be read.
    pub fn columns(&self) -> Result<Vec<Column>, String> {
        let descriptor = self.descriptor.ok_or("it has no vertex descriptor")?;
        let attributes: Vec<(Attribute, Held)> = described(descriptor).collect();
        let columns = columns(&attributes, 1).ok_or("its vertices contain values instead of indices")?;
        if columns.iter().all(|column| column.attribute != Attribute::POSITION) {
            return Err("its vertices have no positions".to_owned());
        }
        Ok(columns)
    }
}

/// The lists of an object, in the order in which they are drawn.
pub struct Draws<'a> {
    gpl: &'a Gpl,
    object: &'a DisplayObject,
    states: std::slice::Iter<'a, StoredState>,
    current: DrawState,
    descriptor: Option<u32>,
    slots: [Option<u16>; SLOTS],
}

impl<'a> Draws<'a> {
    pub fn new(gpl: &'a Gpl, object: &'a DisplayObject) -> Self {
        let current = DrawState { ambient_bits: object.ambient_bits, ..DrawState::default() };
        let states = object.states.iter();
        Self { gpl, object, states, current, descriptor: None, slots: [None; SLOTS] }
    }

    fn apply(&mut self, state: &StoredState) {
        match self.gpl.ids.kind(state.id) {
            StateKind::Texture => {
                let (number, layer) = display_states::layer(state.setting);
                if let Some(bound) = self.current.layers.get_mut(number) {
                    *bound = Some(layer);
                }
            }
            StateKind::VertexDescriptor => self.descriptor = Some(state.setting),
            StateKind::Tev => self.current.tev = Some(state.setting),
            StateKind::MatrixLoad => {
                let (slot, bone) = display_states::matrix_load(state.setting);
                if let Some(loaded) = self.slots.get_mut(usize::from(slot)) {
                    *loaded = Some(bone);
                }
            }
            StateKind::Pixel => self.current.pixel = Some(state.setting),
            StateKind::Shader => self.current.shader = display_states::shader(state),
            StateKind::Unknown => {}
        }
    }

    /// What a list's vertices bring along is part of its state.
    fn drawn(&self) -> DrawState {
        let descriptor = self.descriptor.unwrap_or(0);
        let has = |wanted: Attribute| described(descriptor).any(|(attribute, _)| attribute == wanted);
        let sets = described(descriptor).filter_map(|(attribute, _)| attribute.tex_coord()).max();
        let colors = self.object.colors;
        let only = colors.filter(|array| array.count == 1);
        DrawState {
            vertex_colors: colors.is_some() && has(Attribute::COLOR_0),
            constant_color: only.and_then(|array| array.colors(&self.gpl.source).first().copied()),
            uv_sets: sets.map_or(0, |last| (last as u8).saturating_add(1)),
            ..self.current
        }
    }
}

impl Iterator for Draws<'_> {
    type Item = Draw;

    fn next(&mut self) -> Option<Draw> {
        loop {
            let state = self.states.next()?;
            self.apply(state);
            if state.list != 0 && state.size != 0 {
                let (list, _) = list_range(self.gpl, self.object, state);
                let number = self.object.states.len().saturating_sub(self.states.len()).saturating_sub(1);
                let state = self.drawn();
                return Some(Draw { list, state, number, descriptor: self.descriptor, slots: self.slots });
            }
        }
    }
}

/// Where a list is, and whether that is less than its state says.
fn list_range(gpl: &Gpl, object: &DisplayObject, state: &StoredState) -> (Range<u64>, bool) {
    let start = object.at.saturating_add(u64::from(state.list));
    let end = start.saturating_add(u64::from(state.size));
    if end <= gpl.range.end {
        return (start..end, false);
    }
    // A size that leads out is wrong: what begins behind the list is no part of it.
    let next = gpl.starts.partition_point(|at| *at <= start);
    let end = gpl.starts.get(next).copied().unwrap_or(gpl.range.end).min(gpl.range.end);
    (start.min(end)..end, true)
}

/// Reports what of states and lists cannot be followed.
pub fn check(gpl: &mut Gpl, findings: &mut Findings) {
    let leads_out = |object: &DisplayObject, state: &StoredState| {
        let end = object.at.saturating_add(u64::from(state.list)).saturating_add(u64::from(state.size));
        state.list != 0 && end > gpl.range.end
    };
    let any = gpl.objects.iter().flatten().any(|object| object.states.iter().any(|state| leads_out(object, state)));
    if any {
        gpl.starts = starts(gpl);
    }
    for (index, object) in gpl.objects.iter().enumerate() {
        let Some(object) = object else { continue };
        let mut unknown: Vec<u8> = Vec::new();
        for state in &object.states {
            if gpl.ids.kind(state.id) == StateKind::Unknown && !unknown.contains(&state.id) {
                unknown.push(state.id);
            }
            if state.list == 0 || state.size == 0 {
                continue;
            }
            let (list, is_cut) = list_range(gpl, object, state);
            if is_cut {
                let there = list.end.saturating_sub(list.start);
                let message =
                    format!("a primitive list of {} needs {} bytes, found {there}", gpl.name(index), state.size);
                findings.add(&codes::LIST_SIZE, Some(list.start), message);
            }
        }
        if !unknown.is_empty() {
            let ids: Vec<String> = unknown.iter().map(u8::to_string).collect();
            let message =
                format!("{} has unknown display states, which are ignored: {}", gpl.name(index), ids.join(", "));
            findings.add(&codes::UNKNOWN_STATE, Some(object.at), message);
        }
    }
}

/// Which objects are there, as long as they read no more bytes in all than a palette of its size has.
pub fn shows(gpl: &Gpl) -> Vec<bool> {
    let mut budget = object::read_budget(gpl.range.end.saturating_sub(gpl.range.start));
    let shows = |object: &Option<DisplayObject>| {
        object.as_ref().is_some_and(|object| {
            let sizes = object.states.iter().map(|state| {
                let (list, _) = list_range(gpl, object, state);
                if state.list == 0 { 0 } else { list.end.saturating_sub(list.start) }
            });
            budget.take(sizes.fold(object.arrays_size(), u64::saturating_add))
        })
    };
    gpl.objects.iter().map(shows).collect()
}

/// Where objects, names, arrays and lists begin.
fn starts(gpl: &Gpl) -> Vec<u64> {
    let from_start = |offset: u32| gpl.range.start.saturating_add(u64::from(offset));
    let places = gpl.places.iter().flat_map(|place| [place.object, place.name]).map(from_start);
    let mut starts: Vec<u64> = places.collect();
    for object in gpl.objects.iter().flatten() {
        let arrays =
            [object.positions, object.colors, object.normals].into_iter().chain(object.tex_coords.iter().copied());
        starts.extend(arrays.flatten().map(|array| array.at));
        let lists = object.states.iter().filter(|state| state.list != 0);
        starts.extend(lists.map(|state| object.at.saturating_add(u64::from(state.list))));
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The lists of an object as fields, each byte once: of a list that has bytes of others, what is its own comes besides.
pub fn record_lists(r: &mut FieldReader<'_>, gpl: &Gpl, index: usize, claims: &mut Claims) {
    let Some(object) = gpl.objects.get(index).and_then(Option::as_ref) else { return };
    // What others read too often is not looked through.
    let is_shown = gpl.shows.get(index).copied().unwrap_or(false);
    let mut number = 0_usize;
    for draw in Draws::new(gpl, object) {
        let Ok(columns) = draw.columns() else { continue };
        let start = draw.list.start;
        let vertex_size = columns.iter().map(|column| column.size()).sum();
        let whole = gpl.source.slice(start, draw.list.end.saturating_sub(start)).filter(|_| is_shown);
        // Where its commands end, another list may go on.
        let end = whole.map(|list| start.saturating_add(list_fields::readable(list.as_slice(), vertex_size)));
        let list = start..end.unwrap_or(draw.list.end);
        let own = claims.gaps(list.clone());
        if own.is_empty() {
            continue;
        }
        claims.cover(list.clone());
        let size = list.end.saturating_sub(start);
        let table = list_fields::table(&gpl.source, start, size, columns.into(), vertex_size, PADDING);
        let Some(table) = table else { continue };
        let name = format!("PrimitiveList{number}");
        number = number.saturating_add(1);
        let field = Field::table(name.clone(), "Command[]", start, size, table);
        if own == [list] {
            r.push(field);
            continue;
        }
        r.push(field.mirrored());
        for part in own {
            let size = part.end.saturating_sub(part.start);
            r.push(Field::new(format!("{name}, unshared bytes"), format!("u8[{size}]"), Value::Raw, part.start, size));
        }
    }
}
