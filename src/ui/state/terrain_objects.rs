//! What stands on the ground on show: what of it is selected, and which types are hidden.

use super::{Place, State};
use crate::{
    formats::EntryId,
    scene::{Aabb, Prop, Terrain},
};
use glam::Vec3;

/// Half the size of what is shown around something, at least, in metres.
const NEIGHBOURHOOD: f32 = 12.0;

impl State {
    /// Selects things of the shown ground.
    pub(super) fn select_props(&mut self, mut props: Vec<u32>) {
        let Some(shown) = &self.terrain else { return };
        let count = shown.terrain.props.len();
        props.retain(|index| (*index as usize) < count);
        props.sort_unstable();
        props.dedup();
        self.view.terrain.selected = props.into();
    }

    /// Selects them and brings them into view.
    pub(super) fn focus_props(&mut self, props: Vec<u32>) {
        self.select_props(props);
        if self.bounds_of_props().is_some() {
            self.frame_selected();
        }
    }

    /// Selects all of a type, and the type itself.
    pub(super) fn select_kind(&mut self, kind: u32) {
        let Some(shown) = &self.terrain else { return };
        let of_kind = (0_u32..).zip(&shown.terrain.props).filter(|(_, prop)| prop.kind == kind);
        let props = of_kind.map(|(index, _)| index).collect();
        let entry = shown.terrain.kinds.get(kind as usize).and_then(|kind| kind.source);
        let place = entry.map(|entry| Place { file: shown.place.file, entry: EntryId(entry) });
        if let Some(place) = place {
            self.select(place);
        }
        self.select_props(props);
    }

    pub(super) fn hide_kinds(&mut self, kinds: &[u32], hide: bool) {
        self.change_hidden(|hidden| {
            for kind in kinds {
                if let Some(slot) = hidden.get_mut(*kind as usize) {
                    *slot = hide;
                }
            }
        });
    }

    /// Hides all types but some; `None` shows all.
    pub(super) fn isolate_kinds(&mut self, kinds: Option<&[u32]>) {
        self.change_hidden(|hidden| {
            hidden.fill(kinds.is_some());
            for kind in kinds.unwrap_or_default() {
                if let Some(slot) = hidden.get_mut(*kind as usize) {
                    *slot = false;
                }
            }
        });
    }

    fn change_hidden(&mut self, change: impl FnOnce(&mut [bool])) {
        let Some(shown) = &self.terrain else { return };
        let mut hidden = self.view.terrain.hidden_kinds.to_vec();
        hidden.resize(shown.terrain.kinds.len(), false);
        change(&mut hidden);
        self.view.terrain.hidden_kinds = if hidden.contains(&true) { hidden.into() } else { Default::default() };
    }

    /// The box around the selected things, as they are drawn; `None` without any.
    pub(super) fn bounds_of_props(&self) -> Option<Aabb> {
        let shown = self.terrain.as_ref()?;
        let props = self.view.terrain.selected.iter().filter_map(|i| shown.terrain.props.get(*i as usize));
        let all = props.map(|prop| box_of(&shown.terrain, prop)).reduce(Aabb::union)?;
        let up = Vec3::new(1.0, self.view.terrain.exaggeration, 1.0);
        Some(Aabb { min: (all.min * up).min(all.max * up), max: (all.min * up).max(all.max * up) })
    }
}

/// The box of a thing in the scene, with a little of what is around it.
fn box_of(terrain: &Terrain, prop: &Prop) -> Aabb {
    let size = terrain.kind_of(prop).map_or(Vec3::ONE, |kind| kind.size);
    let own = Aabb { min: Vec3::new(-size.x, 0.0, -size.z) * 0.5, max: Vec3::new(size.x * 0.5, size.y, size.z * 0.5) };
    let own = own.transformed(&prop.world_from_prop);
    let reach = Vec3::splat(NEIGHBOURHOOD);
    own.union(Aabb { min: own.center() - reach, max: own.center() + reach })
}
