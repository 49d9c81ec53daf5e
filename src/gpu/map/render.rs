//! Drawing a level: what is seen through its windows first, then what lies before the eye.

use super::layers::MapView;
use super::level::GpuMap;
use super::plan::{Place, planned};
use super::targets::WindowTargets;
use crate::gpu::lines::KeptLines;
use crate::gpu::renderer::Besides;
use crate::gpu::{GpuError, Line, RenderTarget, SceneRenderer, Shading, ViewSettings};
use glam::Vec3;
use std::sync::Arc;

/// What lies over a picture's surfaces, but not over what is seen through windows.
#[derive(Clone, Copy, Default)]
struct Over<'a> {
    lines: &'a [Line],
    kept_lines: Option<&'a KeptLines>,
    sight: Option<[Vec3; 2]>,
}

impl SceneRenderer {
    /// Draws a level into the target and submits; waits for nothing but computed textures, where these are to be exact.
    /// [`GpuMap::is_behind`] says afterwards whether the same picture would come nearer to its moment.
    ///
    /// # Errors
    /// When the device refuses, or the level is another device's.
    pub fn render_map(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        map: &mut GpuMap,
        how: &MapView<'_>,
    ) -> Result<(), GpuError> {
        if self.context.is_lost() {
            return Err(GpuError::Lost);
        }
        if !Arc::ptr_eq(&self.context, target.context()) {
            return Err(GpuError::ForeignDevice("the image"));
        }
        if !Arc::ptr_eq(&self.context, &map.context) {
            return Err(GpuError::ForeignDevice("the level"));
        }
        map.follow(how.moment);
        let place = planned(map, how, view, target.size());
        let seen = place.live_seen(map);
        map.live.follow(&self.context, &seen, how.moment.seconds, how.exact)?;
        let kept: Vec<Arc<[Line]>> =
            map.shown_brushes(how.layers, how.hidden).into_iter().chain(how.overlay.iter().cloned()).collect();
        map.kept_lines.write(&self.context, &kept)?;
        // Its windows are drawn while the level itself is looked at.
        let mut targets = std::mem::take(&mut map.targets);
        targets.begin(target.size(), target.samples());
        let over = Over { lines: how.lines, kept_lines: Some(&map.kept_lines), sight: sight_of(map, view) };
        let result = self.draw_place(target, map, &mut targets, &place, over);
        targets.end(how.layers.windows);
        map.targets = targets;
        result
    }

    /// Draws a place of the level with the windows in it.
    fn draw_place(
        &mut self,
        target: &mut RenderTarget,
        map: &GpuMap,
        targets: &mut WindowTargets,
        place: &Place,
        over: Over<'_>,
    ) -> Result<(), GpuError> {
        let mut windows: Vec<Option<usize>> = vec![None; map.map().windows.len()];
        for (shown_by, inner) in &place.inner {
            let picture = self.draw_window(map, targets, inner)?;
            for window in shown_by {
                if let Some(slot) = windows.get_mut(*window as usize) {
                    *slot = Some(picture);
                }
            }
        }
        let (items, looks) = map.drawn(&place.items);
        let groups: Vec<_> = windows.iter().map(|picture| targets.picture((*picture)?)).collect();
        let Over { lines, kept_lines, sight } = over;
        let besides = Besides { windows: &groups, sight, scissor: place.pixels, kept_lines, ..Besides::default() };
        self.render_all(target, &place.view, &items, &looks, lines, besides)?;
        // What is seen in it is in its picture now.
        targets.free(place.inner.len());
        Ok(())
    }

    /// Draws what is seen through a window: where its picture lies.
    fn draw_window(&mut self, map: &GpuMap, targets: &mut WindowTargets, place: &Place) -> Result<usize, GpuError> {
        let context = self.context.clone();
        let mut target = targets.take(&context, place.depth)?;
        self.draw_place(&mut target, map, targets, place, Over::default())?;
        let picture = targets.keep(&context, &self.shared(), &target, place.pixels)?;
        targets.give_back(place.depth, target);
        Ok(picture)
    }
}

/// What the zone that the eye is in does to the picture; `None` where it does nothing.
fn sight_of(map: &GpuMap, view: &ViewSettings) -> Option<[Vec3; 2]> {
    if view.camera.orthographic || !matches!(view.shading, Shading::Lit | Shading::Unlit) {
        return None;
    }
    let map = map.map();
    let zone = map.zones.get(usize::from(map.tree.zone_at(view.eye())))?;
    let (flash, fog) = (zone.view_flash.max(Vec3::ZERO), zone.view_fog.max(Vec3::ZERO));
    // A zone that says nothing at all leaves the picture alone, as one does that says so.
    let says_nothing = (flash == Vec3::ZERO || flash == Vec3::ONE) && fog == Vec3::ZERO;
    let is_number = flash.is_finite() && fog.is_finite();
    (is_number && !says_nothing).then(|| [flash.min(Vec3::ONE), fog.min(Vec3::ONE)])
}
