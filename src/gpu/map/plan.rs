//! What a picture of a level is made of: the places that are seen in it, one through a window of the other.

use super::layers::MapView;
use super::level::{GpuMap, Shown};
use super::openings::{Looking, Opening, openings, pixels_of};
use crate::gpu::{Through, ViewSettings};
use crate::scene::{Frustum, MapItemKind, MapWindow, Rooms, WindowView};
use glam::{Affine3A, Mat4, Vec2, Vec4};

/// Windows in windows.
const MAX_DEEP: usize = 4;

/// Windows of one picture, in each other or not.
const MAX_WINDOWS: usize = 8;

/// Pixels around what is seen of a window, for samples at its edges.
const MARGIN_PX: f32 = 2.0;

/// The whole of a picture.
const WHOLE: [Vec2; 2] = [Vec2::NEG_ONE, Vec2::ONE];

/// A place of the level that is drawn.
pub(super) struct Place {
    pub view: ViewSettings,
    pub rooms: Rooms,
    /// Windows that it is seen through.
    pub depth: usize,
    /// The only pixels in which it is seen, where these are not all: left, top, width and height.
    pub pixels: Option<[u32; 4]>,
    /// The part of the picture in which it is seen.
    area: [Vec2; 2],
    /// What it can hold.
    frustum: Frustum,
    /// Into the level's items: those that may be seen, each with where it stands.
    pub items: Vec<(u32, Affine3A)>,
    /// What is seen through windows in it, each with the windows that show it.
    pub inner: Vec<(Vec<u32>, Place)>,
}

/// Plans a picture of this many pixels.
pub(super) fn planned(map: &GpuMap, how: &MapView<'_>, view: &ViewSettings, size: (u32, u32)) -> Place {
    let mut planning = Planning { map, how, size, left: MAX_WINDOWS };
    let rooms = window_view(how, view).rooms(map.map(), view.eye());
    planning.place(view.clone(), rooms, 0, WHOLE)
}

impl Place {
    /// Of each of the level's live pictures, whether a surface that shows it may be seen.
    pub fn live_seen(&self, map: &GpuMap) -> Vec<bool> {
        let mut seen = vec![false; map.map().live.len()];
        if !seen.is_empty() {
            self.mark_live(map, &mut seen);
        }
        seen
    }

    fn mark_live(&self, map: &GpuMap, seen: &mut [bool]) {
        for (index, world) in &self.items {
            let Some(item) = map.map().items.get(*index as usize) else { continue };
            let turned = matches!(item.kind, MapItemKind::Sprite | MapItemKind::Corona);
            for (live, bounds) in map.live.of_model(item.model) {
                if let Some(slot) = seen.get_mut(*live).filter(|slot| !**slot) {
                    *slot = turned || self.frustum.may_see(&bounds.transformed(world));
                }
            }
        }
        for (_, inner) in &self.inner {
            inner.mark_live(map, seen);
        }
    }
}

struct Planning<'a> {
    map: &'a GpuMap,
    how: &'a MapView<'a>,
    size: (u32, u32),
    /// Windows that may yet be drawn.
    left: usize,
}

impl Planning<'_> {
    fn place(&mut self, view: ViewSettings, rooms: Rooms, depth: usize, area: [Vec2; 2]) -> Place {
        let clip_from_world = view.clip_from_world(self.aspect());
        let (width, height) = self.size;
        let margin = MARGIN_PX * 2.0 / Vec2::new(width as f32, height as f32);
        let is_whole = depth == 0;
        let frustum = Frustum::new(match is_whole {
            true => clip_from_world,
            false => alone(clip_from_world, [area[0] - margin, area[1] + margin]),
        });
        let shown = Shown { layers: self.how.layers, hidden: self.how.hidden, rooms };
        let items = self.map.seen(&view, &shown, &frustum);
        let pixels = if is_whole { None } else { pixels_of(area, self.size) };
        let mut place = Place { view, rooms, depth, pixels, area, frustum, items, inner: Vec::new() };
        let found = self.openings(&place, &shown, clip_from_world);
        self.left -= found.len();
        for opening in found {
            if let Some(inner) = self.behind(&place, &opening) {
                place.inner.push((opening.windows, inner));
            }
        }
        place
    }

    fn aspect(&self) -> f32 {
        self.size.0 as f32 / self.size.1 as f32
    }

    /// The windows of a place that are drawn.
    fn openings(&self, place: &Place, shown: &Shown<'_>, clip_from_world: Mat4) -> Vec<Opening> {
        let view = &place.view;
        let map = self.map;
        if !window_view(self.how, view).shows_places() || place.depth >= MAX_DEEP || map.faces.is_empty() {
            return Vec::new();
        }
        let looking = Looking {
            clip_from_world,
            eye: view.eye(),
            one_sided: view.backface_culling,
            hidden: !view.show_hidden,
            area: place.area,
        };
        let mut found = openings(map.map(), &map.faces, &looking, |item| map.place_of(item, shown));
        found.retain(|opening| pixels_of(opening.area, self.size).is_some());
        found.truncate(self.left);
        found
    }

    /// What is seen through a window of a place.
    fn behind(&mut self, place: &Place, opening: &Opening) -> Option<Place> {
        let here = opening.what.here_from_there(&self.map.map().skies, place.view.eye())?;
        let through =
            Through { here_from_there: place.view.through.here_from_there * here, clip: opening.what.clip_plane() };
        if !through.here_from_there.is_finite() || through.here_from_there.matrix3.determinant() == 0.0 {
            return None;
        }
        let rooms = match (opening.what, place.rooms) {
            (MapWindow::Sky(sky), _) => Rooms::Only(sky),
            // A mirror shows the place that it is in, be that the room of a sky.
            (MapWindow::Mirror(_), rooms) => rooms,
            (MapWindow::Warp { .. }, Rooms::InPlace) => Rooms::InPlace,
            (MapWindow::Warp { .. }, _) => Rooms::Away { but: None },
        };
        // Marks are on what is before the eye.
        let view = ViewSettings { through, outlined: None, normal_lines: false, ..place.view.clone() };
        Some(self.place(view, rooms, place.depth + 1, opening.area))
    }
}

/// A part of a picture as if it were the whole.
fn alone(clip_from_world: Mat4, [low, high]: [Vec2; 2]) -> Mat4 {
    let half = ((high - low) * 0.5).max(Vec2::splat(1e-6));
    let (scale, shift) = (half.recip(), -(low + high) * 0.5 / half);
    let whole_from_part = Mat4::from_cols(
        Vec4::new(scale.x, 0.0, 0.0, 0.0),
        Vec4::new(0.0, scale.y, 0.0, 0.0),
        Vec4::Z,
        Vec4::new(shift.x, shift.y, 0.0, 1.0),
    );
    whole_from_part * clip_from_world
}

/// How windows are seen in this picture.
fn window_view(how: &MapView<'_>, view: &ViewSettings) -> WindowView {
    how.layers.window_view(view.shading, &view.camera, view.show_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Aabb, camera::OrbitCamera};
    use glam::Vec3;

    #[test]
    fn a_part_of_a_picture_holds_what_lies_in_it() {
        let camera = OrbitCamera { yaw: 0.0, pitch: 0.0, distance: 4.0, ..OrbitCamera::default() };
        let clip = camera.clip_from_world(1.0);
        // The right upper quarter.
        let frustum = Frustum::new(alone(clip, [Vec2::ZERO, Vec2::ONE]));
        let at = |x: f32, y: f32| Aabb { min: Vec3::new(x, y, 0.0) - 0.1, max: Vec3::new(x, y, 0.0) + 0.1 };
        for (x, y, seen) in [(0.5, 0.5, true), (-0.5, 0.5, false), (0.5, -0.5, false), (0.05, 0.05, true)] {
            assert_eq!(frustum.may_see(&at(x, y)), seen, "{x} {y}");
            assert!(Frustum::new(clip).may_see(&at(x, y)));
        }
    }
}
