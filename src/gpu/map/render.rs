//! Drawing a level: what is seen through its windows first, then what lies before the eye.

use super::layers::MapView;
use super::level::{GpuMap, Rooms, Shown};
use super::openings::{Looking, Opening, openings, pixels_of};
use super::targets::WindowTargets;
use crate::gpu::renderer::Besides;
use crate::gpu::{GpuError, Line, RenderTarget, SceneRenderer, Shading, Through, ViewSettings};
use crate::scene::MapWindow;
use glam::{Vec2, Vec3};

/// Windows in windows.
const MOST_DEEP: usize = 4;

/// Windows of one picture, in each other or not.
const MOST_WINDOWS: usize = 8;

/// The whole of a picture.
const WHOLE: [Vec2; 2] = [Vec2::NEG_ONE, Vec2::ONE];

/// A place of the level that is drawn.
struct Place<'a> {
    view: &'a ViewSettings,
    rooms: Rooms,
    /// Windows that it is seen through.
    depth: usize,
    /// The part of the picture in which it is seen.
    area: [Vec2; 2],
    lines: &'a [Line],
    sight: Option<[Vec3; 2]>,
}

impl SceneRenderer {
    /// Draws a level into the target and submits; waits for nothing but computed textures, where these are to be exact.
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
        let (width, height) = target.size();
        let aspect = width as f32 / height as f32;
        let rooms = rooms_of(map, view, how);
        let shown = Shown { layers: how.layers, hidden: how.hidden, rooms };
        map.follow(how.moment);
        let seen = map.live_seen(view, &shown, aspect);
        let context = self.context.clone();
        map.live.follow(&context, &seen, how.moment.seconds, how.exact)?;
        let lines: Vec<Line> = map.lines_without(how.layers, how.hidden).chain(how.lines).copied().collect();
        let sight = sight_of(map, view);
        // Its windows are drawn while the level itself is looked at.
        let mut targets = std::mem::take(&mut map.targets);
        targets.begin(target.size(), target.samples());
        let place = Place { view, rooms, depth: 0, area: WHOLE, lines: &lines, sight };
        let result = self.draw_place(target, map, how, &mut targets, &place);
        map.targets = targets;
        result
    }

    /// Draws a place of the level with the windows in it.
    fn draw_place(
        &mut self,
        target: &mut RenderTarget,
        map: &GpuMap,
        how: &MapView<'_>,
        targets: &mut WindowTargets,
        place: &Place<'_>,
    ) -> Result<(), GpuError> {
        let used = targets.used;
        let mut windows: Vec<Option<usize>> = vec![None; map.map().windows.len()];
        for opening in windows_in(map, how, targets, place, target.size()) {
            let Some(picture) = self.draw_window(map, how, targets, place, &opening)? else { continue };
            for window in &opening.windows {
                if let Some(slot) = windows.get_mut(*window as usize) {
                    *slot = Some(picture);
                }
            }
        }
        let (width, height) = target.size();
        let shown = Shown { layers: how.layers, hidden: how.hidden, rooms: place.rooms };
        let (items, looks) = map.chosen(place.view, &shown, width as f32 / height as f32);
        let groups: Vec<_> = windows.iter().map(|picture| targets.picture((*picture)?)).collect();
        let scissor = if place.area == WHOLE { None } else { pixels_of(place.area, target.size()) };
        let besides = Besides { windows: &groups, sight: place.sight, scissor, ..Besides::default() };
        self.render_all(target, place.view, &items, &looks, place.lines, besides)?;
        targets.used = used;
        Ok(())
    }

    /// Draws what is seen through a window of a place: where its picture lies.
    fn draw_window(
        &mut self,
        map: &GpuMap,
        how: &MapView<'_>,
        targets: &mut WindowTargets,
        place: &Place<'_>,
        opening: &Opening,
    ) -> Result<Option<usize>, GpuError> {
        let Some(here) = opening.what.here_from_there(&map.map().skies, place.view.eye()) else { return Ok(None) };
        let through =
            Through { here_from_there: place.view.through.here_from_there * here, clip: opening.what.clip_plane() };
        if !through.here_from_there.is_finite() || through.here_from_there.matrix3.determinant() == 0.0 {
            return Ok(None);
        }
        let rooms = match opening.what {
            MapWindow::Sky(sky) => Rooms::Only(sky),
            MapWindow::Mirror(_) | MapWindow::Warp { .. } => Rooms::Away { but: None },
        };
        // Marks are on what is before the eye.
        let view = ViewSettings { through, outlined: None, normal_lines: false, ..place.view.clone() };
        let depth = place.depth + 1;
        let inner = Place { view: &view, rooms, depth, area: opening.area, lines: &[], sight: None };
        let context = self.context.clone();
        let mut target = targets.take(&context, depth)?;
        self.draw_place(&mut target, map, how, targets, &inner)?;
        let picture = targets.keep(&context, &self.shared(), &target)?;
        targets.give_back(depth, target);
        Ok(Some(picture))
    }
}

/// Where the rooms of skies are seen in this picture.
fn rooms_of(map: &GpuMap, view: &ViewSettings, how: &MapView<'_>) -> Rooms {
    if !how.layers.windows || !has_windows(view) || view.show_hidden {
        return Rooms::InPlace;
    }
    Rooms::Away { but: map.sky_at(view.eye()) }
}

/// Whether surfaces show other places in this picture: colours that mean something else are their own.
fn has_windows(view: &ViewSettings) -> bool {
    !view.camera.orthographic && matches!(view.shading, Shading::Lit | Shading::Unlit | Shading::Light)
}

/// The windows of a place that are drawn.
fn windows_in(
    map: &GpuMap,
    how: &MapView<'_>,
    targets: &mut WindowTargets,
    place: &Place<'_>,
    (width, height): (u32, u32),
) -> Vec<Opening> {
    let view = place.view;
    if !how.layers.windows || !has_windows(view) || place.depth >= MOST_DEEP || map.faces.is_empty() {
        return Vec::new();
    }
    let shown = Shown { layers: how.layers, hidden: how.hidden, rooms: place.rooms };
    let looking = Looking {
        clip_from_world: view.clip_from_world(width as f32 / height as f32),
        eye: view.eye(),
        one_sided: view.backface_culling,
        hidden: !view.show_hidden,
        area: place.area,
    };
    let mut found = openings(map.map(), &map.faces, &looking, |item| map.place_of(item, &shown));
    found.truncate(MOST_WINDOWS.saturating_sub(targets.drawn));
    targets.drawn += found.len();
    found
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
