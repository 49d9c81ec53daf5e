//! Surfaces that show another place: the sky, mirrors, warp zones (formats/unreal.md §16.4).

use super::{actor::Actor, material, polygons::Polygon};
use crate::{
    formats::unreal::poly_flags::{FAKE_BACKDROP, INVISIBLE, MIRRORED, PORTAL},
    scene::{MapActor, MapWindow, MapZone, SurfaceRole},
};
use glam::{Affine3A, Vec3, Vec4};
use std::collections::HashMap;

/// Windows of a level; surfaces beyond them are drawn as others.
const MAX_WINDOWS: usize = 256;
/// Warp zones of a level.
const MAX_WARPS: usize = 256;

/// One end of a warp.
struct Warp {
    zone: u8,
    /// Lower case.
    tag: String,
    other: String,
    world_from_own: Affine3A,
    /// Of its portal: towards who looks into it.
    plane: Option<Vec4>,
}

/// The windows of a level.
pub struct Windows {
    pub list: Vec<MapWindow>,
    skies: HashMap<u32, Option<u32>>,
    /// By plane, in steps.
    mirrors: HashMap<[i32; 4], Option<u32>>,
    warps: Vec<Warp>,
    /// By the place of the warp.
    open: HashMap<usize, Option<u32>>,
}

impl Windows {
    /// The windows that a level may have. `polygons` are all of its walls.
    pub fn of(actors: &[Actor], placed: &[MapActor], polygons: &[Polygon]) -> Self {
        let warp = |(actor, placed): (&Actor, &MapActor)| {
            actor.location().filter(|_| actor.is_a("WarpZoneInfo") && placed.zone != 0)?;
            let text = |name: &str| actor.text(name).unwrap_or_default().to_ascii_lowercase();
            Some(Warp {
                zone: placed.zone,
                tag: text("ThisTag"),
                other: text("OtherSideURL"),
                world_from_own: Affine3A::from_rotation_translation(placed.rotation, placed.location),
                plane: None,
            })
        };
        let mut warps: Vec<Warp> = actors.iter().zip(placed).filter_map(warp).take(MAX_WARPS).collect();
        for polygon in polygons.iter().filter(|p| p.flags & PORTAL != 0 && p.is_sound()) {
            let warp = warps.iter_mut().find(|warp| warp.plane.is_none() && polygon.zones.contains(&warp.zone));
            if let Some(warp) = warp {
                warp.plane = plane(polygon).map(|plane| facing_away(polygon, plane, warp.zone));
            }
        }
        Self { list: Vec::new(), skies: HashMap::new(), mirrors: HashMap::new(), warps, open: HashMap::new() }
    }

    /// What a surface shows. A window to a sky that is not there is a surface as any other.
    pub fn apply(&mut self, polygon: &mut Polygon, zones: &[MapZone]) {
        if polygon.flags & FAKE_BACKDROP != 0 {
            if polygon.flags & INVISIBLE != 0 {
                return;
            }
            match zones.get(usize::from(polygon.zone)).and_then(|zone| zone.sky) {
                Some(sky) => polygon.window = self.sky(sky),
                None => polygon.flags &= !FAKE_BACKDROP,
            }
        } else if polygon.flags & PORTAL != 0 && !self.warps.is_empty() {
            self.warp(polygon);
        } else if polygon.flags & MIRRORED != 0 && material::role(polygon.flags) == SurfaceRole::Ordinary {
            polygon.window = plane(polygon).and_then(|plane| self.mirror(plane));
        }
    }

    fn sky(&mut self, sky: u32) -> Option<u32> {
        let list = &mut self.list;
        *self.skies.entry(sky).or_insert_with(|| add(list, MapWindow::Sky(sky)))
    }

    /// Polygons of one plane are one mirror.
    fn mirror(&mut self, plane: Vec4) -> Option<u32> {
        let steps = plane.truncate() * 1_024.0;
        // Far-away planes are held to the largest step.
        let key = [steps.x, steps.y, steps.z, plane.w * 4.0].map(|part| part.round() as i32);
        let list = &mut self.list;
        *self.mirrors.entry(key).or_insert_with(|| add(list, MapWindow::Mirror(plane)))
    }

    fn warp(&mut self, polygon: &mut Polygon) {
        let is_here = |warp: &Warp| warp.zone != 0 && polygon.zones.contains(&warp.zone);
        let Some(index) = self.warps.iter().position(is_here) else { return };
        let window = self.open.get(&index).copied();
        let window = window.unwrap_or_else(|| {
            let window = self.through(index).and_then(|window| add(&mut self.list, window));
            self.open.insert(index, window);
            window
        });
        if window.is_none() {
            return;
        }
        polygon.window = window;
        // Who looks into a portal stands outside the warp zone.
        let [behind, front] = polygon.zones;
        if self.warps.get(index).is_some_and(|warp| front == warp.zone && behind != front) {
            polygon.normal = -polygon.normal;
            polygon.corners.reverse();
            polygon.zones = [front, behind];
            polygon.zone = if behind != 0 { behind } else { front };
        }
    }

    /// What is seen through a portal to a warp zone: what lies before the portal of the other one, as if that were behind this.
    fn through(&self, index: usize) -> Option<MapWindow> {
        let here = self.warps.get(index)?;
        let is_other =
            |(number, warp): &(usize, &Warp)| *number != index && warp.zone != here.zone && warp.tag == here.other;
        let there = self.warps.iter().enumerate().find(is_other).filter(|_| !here.other.is_empty())?.1;
        let (plane_here, plane_there) = (here.plane?, there.plane?);
        let own_from_there = there.world_from_own.inverse();
        let mut through = here.world_from_own * own_from_there;
        // One goes in against the one normal and comes out along the other. Where the two actors do not look the same way through
        // their portals, the other one is turned around.
        if through.transform_vector3(plane_there.truncate()).dot(plane_here.truncate()) > 0.0 {
            let half = Affine3A::from_scale(Vec3::new(-1.0, 1.0, -1.0));
            through = here.world_from_own * half * own_from_there;
        }
        through.is_finite().then_some(MapWindow::Warp { here_from_there: through, there: plane_there })
    }
}

fn add(list: &mut Vec<MapWindow>, window: MapWindow) -> Option<u32> {
    if list.len() >= MAX_WINDOWS {
        return None;
    }
    list.push(window);
    u32::try_from(list.len().saturating_sub(1)).ok()
}

/// The plane that a polygon lies in, by its normal and its first corner.
fn plane(polygon: &Polygon) -> Option<Vec4> {
    let normal: Vec3 = polygon.normal.try_normalize()?;
    let plane = normal.extend(normal.dot(polygon.corners.first()?.point));
    plane.is_finite().then_some(plane)
}

/// The plane with the normal that points out of the zone, which lies on one side of the polygon.
fn facing_away(polygon: &Polygon, plane: Vec4, zone: u8) -> Vec4 {
    let [behind, front] = polygon.zones;
    if front == zone && behind != zone { -plane } else { plane }
}
