//! The objects of a landscape: selection, and hidden types.

use crate::{
    formats::{Children, Field, Role, Table},
    scene::{Aabb, scene_from_ground},
    ui::{
        place::Place,
        state::{core::Core, stage::Stage},
    },
};
use glam::Vec3;
use std::sync::Arc;

/// Half the size of what is shown around something, at least, in metres.
const NEIGHBOURHOOD: f32 = 12.0;

impl Stage {
    pub(in crate::ui) fn hide_kinds(&mut self, kinds: &[u32], hide: bool) {
        self.change_hidden(|hidden| {
            for kind in kinds {
                if let Some(slot) = hidden.get_mut(*kind as usize) {
                    *slot = hide;
                }
            }
        });
    }

    /// Hides all types but some; `None` shows all.
    pub(in crate::ui) fn isolate_kinds(&mut self, kinds: Option<&[u32]>) {
        self.change_hidden(|hidden| {
            hidden.fill(kinds.is_some());
            for kind in kinds.unwrap_or_default() {
                if let Some(slot) = hidden.get_mut(*kind as usize) {
                    *slot = false;
                }
            }
        });
    }

    pub(in crate::ui) fn change_hidden(&mut self, change: impl FnOnce(&mut [bool])) {
        let Some(shown) = self.landscape() else { return };
        let mut hidden = self.view.terrain.hidden_kinds.to_vec();
        hidden.resize(shown.terrain.kinds.len(), false);
        change(&mut hidden);
        self.view.terrain.hidden_kinds = if hidden.contains(&true) { hidden.into() } else { Default::default() };
    }

    /// The box around the selected things, as they are drawn; `None` without any.
    pub(in crate::ui) fn bounds_of_props(&self) -> Option<Aabb> {
        let shown = self.landscape()?;
        let props = self.view.terrain.selected.iter().filter_map(|i| shown.terrain.props.get(*i as usize));
        let reach = Vec3::splat(NEIGHBOURHOOD);
        let boxes = props.map(|prop| {
            let own = self.view.terrain.bounds_of(&shown.terrain, prop);
            own.union(Aabb { min: own.center() - reach, max: own.center() + reach })
        });
        boxes.filter(|bounds| bounds.min.is_finite() && bounds.max.is_finite()).reduce(Aabb::union)
    }

    /// Selects things of the shown ground.
    pub(crate) fn select_props(&mut self, core: &mut Core, mut props: Vec<u32>) {
        let Some(shown) = self.landscape() else { return };
        let count = shown.terrain.props.len();
        props.retain(|index| (*index as usize) < count);
        props.sort_unstable();
        props.dedup();
        let only = if let [one] = props[..] { Some(one) } else { None };
        self.view.terrain.selected = props.into();
        if let Some(prop) = only {
            self.select_slot_of(core, prop);
        }
    }

    /// The entry that lists the objects of the landscape on show.
    pub fn objects_entry(&self, core: &Core) -> Option<Place> {
        let shown = self.landscape()?;
        let outline = core.file(shown.place.file)?.document.outline();
        let parent = outline.get(shown.place.entry)?.parent;
        let mut entries = outline.entries().iter();
        let found = entries.find(|entry| entry.role == Role::ObjectList && entry.parent == parent)?;
        Some(Place { file: shown.place.file, entry: found.id })
    }

    /// The rows of that entry: one for each slot.
    fn slots(&self, core: &Core) -> Option<Arc<dyn Table>> {
        let place = self.objects_entry(core)?;
        let tree = core.file(place.file)?.document.fields(place.entry).ok()?;
        tree.fields.into_iter().find_map(|field| match field.children {
            Children::Table(table) => Some(table),
            _ => None,
        })
    }

    /// What the file says of an object, into [`crate::scene::Terrain::props`].
    pub fn slot_of(&self, core: &Core, prop: u32) -> Option<Field> {
        let slot = self.landscape()?.terrain.props.get(prop as usize)?.slot;
        self.slots(core)?.row(slot as usize)
    }

    /// Selects the entry that lists the objects, and marks the bytes of one of them.
    pub(crate) fn select_slot_of(&mut self, core: &mut Core, prop: u32) {
        let (Some(place), Some(row)) = (self.objects_entry(core), self.slot_of(core, prop)) else { return };
        self.select(core, place);
        core.selected_bytes = Some(row.offset..row.offset.saturating_add(row.size));
    }

    /// Selects the object whose slot has the marked bytes, when the entry that lists them is selected.
    pub(crate) fn select_prop_of_bytes(&mut self, core: &mut Core) {
        let Some(bytes) = core.selected_bytes.clone() else { return };
        if core.selection.is_none() || core.selection != self.objects_entry(core) {
            return;
        }
        let (Some(slots), Some(shown)) = (self.slots(core), self.landscape()) else { return };
        // Slots lie one behind the other.
        let (mut low, mut high) = (0, slots.len());
        while low < high {
            let middle = low.midpoint(high);
            match slots.row(middle) {
                Some(row) if row.offset.saturating_add(row.size) <= bytes.start => low = middle + 1,
                _ => high = middle,
            }
        }
        let holds = slots.row(low).is_some_and(|row| row.offset <= bytes.start && row.size > 0);
        let props = &shown.terrain.props;
        if let Some(prop) = props.iter().position(|prop| prop.slot as usize == low).filter(|_| holds) {
            self.view.terrain.selected = Arc::new([prop as u32]);
        }
    }

    /// Brings what an entry stands for into view: a type's objects, a zone, a picture. `false` for any other entry.
    pub(crate) fn focus_part_of_terrain(&mut self, core: &mut Core, place: Place) -> bool {
        let Some(shown) = self.landscape().filter(|shown| shown.place.file == place.file) else {
            return false;
        };
        let terrain = &shown.terrain;
        let source = Some(place.entry.into());
        if let Some(kind) = terrain.kinds.iter().position(|kind| kind.source == source) {
            self.select_kind(core, kind as u32);
            if self.bounds_of_props().is_some() {
                self.frame_selected(core);
            }
            return true;
        }
        let up = shown.range.map_or([0.0; 2], |range| [range.min, range.max]);
        let corners = if let Some(zone) = terrain.zones.iter().find(|zone| zone.source == source) {
            zone.polygon.clone()
        } else if let Some(picture) = terrain.pictures.iter().find(|picture| picture.source == source) {
            vec![picture.offset, picture.offset + picture.size]
        } else {
            return false;
        };
        let heights = corners.iter().flat_map(|corner| up.map(|up| scene_from_ground(corner.x, up, corner.y)));
        if let Some(bounds) = Aabb::of(heights) {
            let bounds = self.view.terrain.drawn_bounds(&bounds);
            self.view.fly = None;
            self.frame_in_terrain(&bounds);
        }
        true
    }

    /// Selects them and brings them into view.
    pub(crate) fn focus_props(&mut self, core: &mut Core, props: Vec<u32>) {
        self.select_props(core, props);
        if self.bounds_of_props().is_some() {
            self.frame_selected(core);
        }
    }

    /// Selects all of a type, and the type itself.
    pub(crate) fn select_kind(&mut self, core: &mut Core, kind: u32) {
        let Some(shown) = self.landscape() else { return };
        let of_kind = (0_u32..).zip(&shown.terrain.props).filter(|(_, prop)| prop.kind == kind);
        let props = of_kind.map(|(index, _)| index).collect();
        let entry = shown.terrain.kinds.get(kind as usize).and_then(|kind| kind.source);
        let place = entry.map(|entry| Place { file: shown.place.file, entry: entry.into() });
        self.select_props(core, props);
        if let Some(place) = place {
            self.select(core, place);
        }
    }
}
