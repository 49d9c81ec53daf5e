//! The lines over a level: paths, links, radii, starts.

use crate::{
    gpu::Line,
    scene::{Map, MapMover, MapPath},
    ui::{
        map_overlays::{MapOverlay, MapOverlays},
        state::{
            LevelStage,
            core::Core,
            stage::{
                Stage,
                level::{MarkedOutlines, OverlayKey, OverlayLines},
            },
        },
    },
};
use glam::Vec3;
use std::{collections::BTreeSet, f32::consts::TAU, sync::Arc};

/// Lines that are drawn at most.
const MAX_LINES: usize = 60_000;
/// Lines that a circle is made of, at most and at least.
const FINE: u32 = 32;
const COARSE: u32 = 8;
/// Barbs of arrows in the scene's units, at most, and as a share of the level.
const BARB: f32 = 24.0;
const BARB_SHARE: f32 = 0.01;
/// Length of the arrow at a start in the scene's units, at most, and as a share of the level.
const START: f32 = 64.0;
const START_SHARE: f32 = 0.05;

/// What it takes to go a path (the engine's reach flags), and the colour for it; the first that fits counts.
const PATH_COLORS: [(u32, [u8; 3]); 5] = [
    // Special: lifts, teleporters, ladders.
    (32, [0xb4, 0x8c, 0xe6]),
    // Fly, swim, jump, through a door.
    (2, [0x8c, 0xd2, 0xf0]),
    (4, [0x5a, 0x8c, 0xe8]),
    (8, [0xe8, 0x9a, 0x4c]),
    (16, [0xf2, 0xd4, 0x6a]),
];

/// The data that overlay lines are made from.
struct Overlay<'a> {
    map: &'a Map,
    /// Of all that is drawn.
    diagonal: f32,
    overlays: MapOverlays,
    /// Into the actors: what belongs to it is drawn in any case, and through walls.
    selected: Option<u32>,
    hidden: &'a BTreeSet<Option<u32>>,
}

impl Stage {
    /// The lines over the level on the stage; `None` without one. Made once for what is on show and selected.
    pub fn overlay_lines(&self, core: &Core) -> Option<Arc<[Line]>> {
        self.overlays_made(core).map(|made| made.lines)
    }

    /// The outlines of all places of a texture, when they are asked for. Made once for where the movers are.
    pub fn alike_lines(&self, core: &Core) -> Option<Arc<[Line]>> {
        let shown = self.level()?;
        let key = MarkedOutlines {
            outlines: shown.tools.alike.as_ref()?.outlines.clone(),
            color: core.accent(),
            movers: shown.moment.movers.clone(),
        };
        let mut outlined = shown.tools.outlined.borrow_mut();
        match outlined.as_ref() {
            Some((made_for, made)) if *made_for == key => Some(made.clone()),
            _ => {
                let made: Arc<[Line]> = key.lines(shown).into();
                *outlined = Some((key, made.clone()));
                Some(made)
            }
        }
    }

    /// Returns true if the level has more overlay lines than can be drawn.
    pub fn overlays_are_cut(&self, core: &Core) -> bool {
        self.overlays_made(core).is_some_and(|made| made.is_cut)
    }

    fn overlays_made(&self, core: &Core) -> Option<OverlayLines> {
        let shown = self.level()?;
        let key = OverlayKey {
            generation: shown.generation,
            overlays: self.view.options.overlays,
            selected: self.selected_actor(core).and_then(|index| u32::try_from(index).ok()),
            hidden: shown.actors.revision(),
        };
        let mut drawn = shown.tools.drawn.borrow_mut();
        if let Some((made_for, made)) = drawn.as_ref()
            && *made_for == key
        {
            return Some(made.clone());
        }
        let overlay = Overlay {
            map: &shown.map,
            diagonal: shown.bounds.diagonal(),
            overlays: key.overlays,
            selected: key.selected,
            hidden: shown.actors.hidden(),
        };
        let made = overlay.lines();
        *drawn = Some((key, made.clone()));
        Some(made)
    }

    /// Returns the lines of the measuring tool.
    pub(crate) fn tool_lines(&self, core: &Core) -> Vec<Line> {
        let Some(shown) = self.level() else { return Vec::new() };
        let points = &shown.tools.points;
        let [r, g, b] = core.accent();
        let mut lines = Vec::new();
        let pen = Pen { color: [r, g, b, 255], width_px: 2.5, over: true };
        let reach = barb(shown.bounds.diagonal()) * 0.5;
        lines.extend(points.iter().flat_map(|point| pen.cross(*point, reach)));
        if let [from, to] = points.as_slice() {
            lines.push(pen.line(*from, *to));
        }
        lines
    }
}

impl MarkedOutlines {
    /// Seen, and through walls.
    fn lines(&self, shown: &LevelStage) -> Vec<Line> {
        let [r, g, b] = self.color;
        let edges = self.outlines.in_world(&shown.map, &shown.moment);
        let pens = [(true, 90, 1.5), (false, 255, 2.5)].map(|(over, alpha, width_px)| Pen {
            color: [r, g, b, alpha],
            width_px,
            over,
        });
        pens.iter().flat_map(|pen| edges.iter().map(|[from, to]| pen.line(*from, *to))).collect()
    }
}

fn barb(diagonal: f32) -> f32 {
    (diagonal * BARB_SHARE).min(BARB)
}

impl Overlay<'_> {
    /// What belongs to the selected actor comes first: it is drawn whatever else there is.
    fn lines(&self) -> OverlayLines {
        let mut lines = Vec::new();
        let mut is_cut = false;
        for is_own in [true, false] {
            self.paths(is_own, &mut lines);
            is_cut |= self.links(is_own, &mut lines);
            self.radii(is_own, &mut lines);
            if is_own {
                self.ways_of_movers(&mut lines);
            }
        }
        self.starts(&mut lines);
        is_cut |= lines.len() > MAX_LINES;
        lines.truncate(MAX_LINES);
        OverlayLines { lines: lines.into(), is_cut }
    }

    fn is_selected(&self, actor: u32) -> bool {
        self.selected == Some(actor)
    }

    /// Returns the position of an actor that is not hidden.
    fn at(&self, actor: u32) -> Option<Vec3> {
        let is_hidden = self.hidden.contains(&Some(actor)) && !self.is_selected(actor);
        self.map.actors.get(actor as usize).filter(|_| !is_hidden).map(|actor| actor.location)
    }

    /// Whether something of actors is drawn in this turn: of the selected one always, of the others where a switch says so.
    fn takes(&self, overlay: MapOverlay, is_own: bool, actors: &[u32]) -> bool {
        actors.iter().any(|actor| self.is_selected(*actor)) == is_own && (is_own || self.overlays.shows(overlay))
    }

    /// What belongs to the selected actor is seen through walls.
    fn pen(&self, [r, g, b]: [u8; 3], is_own: bool) -> Pen {
        match is_own {
            true => Pen { color: [r, g, b, 255], width_px: 2.5, over: true },
            false => Pen { color: [r, g, b, 190], width_px: 1.5, over: false },
        }
    }

    fn paths(&self, is_own: bool, lines: &mut Vec<Line>) {
        let taken = |path: &&MapPath| self.takes(MapOverlay::Paths, is_own, &[path.start, path.end]);
        for path in self.map.paths.iter().filter(taken) {
            let (Some(from), Some(to)) = (self.at(path.start), self.at(path.end)) else { continue };
            let mut pen = self.pen(path_color(path), is_own);
            if path.pruned {
                pen.color[3] = 70;
            }
            lines.extend(pen.arrow(from, to, barb(self.diagonal)));
            if is_own {
                // Who fits through, half the way along.
                let middle = from.lerp(to, 0.5);
                let side = (to - from).cross(Vec3::Y).normalize_or(Vec3::X) * path.radius;
                let up = Vec3::Y * path.height;
                lines.extend([side, up].map(|half| pen.line(middle - half, middle + half)));
            }
        }
    }

    /// Says whether there are more than are looked for.
    fn links(&self, is_own: bool, lines: &mut Vec<Line>) -> bool {
        let barb = barb(self.diagonal);
        let mut arrow = |from: u32, to: u32, overlay: MapOverlay| {
            if self.takes(overlay, is_own, &[from, to])
                && let (Some(start), Some(end)) = (self.at(from), self.at(to))
            {
                lines.extend(self.pen(overlay.color(), is_own).arrow(start, end, barb));
            }
        };
        let (events, is_cut) = match (is_own, self.selected) {
            (true, Some(selected)) => (self.map.event_links_of(selected), false),
            (false, _) if self.overlays.shows(MapOverlay::Events) => self.map.event_links(),
            _ => (Vec::new(), false),
        };
        for [from, to] in events {
            arrow(from, to, MapOverlay::Events);
        }
        for (from, actor) in (0_u32..).zip(&self.map.actors) {
            for (_, to) in &actor.next {
                arrow(from, *to, MapOverlay::Ways);
            }
        }
        is_cut
    }

    /// Adds the radii of lights, sounds and collision cylinders.
    fn radii(&self, is_own: bool, lines: &mut Vec<Line>) {
        let takes = |overlay: MapOverlay, actor: u32| self.takes(overlay, is_own, &[actor]);
        let lights = self.map.lights.iter().filter(|light| takes(MapOverlay::Lights, light.actor));
        let lights: Vec<_> = lights.filter_map(|light| Some((light, self.at(light.actor)?))).collect();
        let actors = (0_u32..).zip(&self.map.actors).filter_map(|(index, actor)| Some((index, actor, self.at(index)?)));
        let actors: Vec<_> = actors.collect();
        let of = |overlay: MapOverlay| actors.iter().filter(move |(index, ..)| takes(overlay, *index));
        let sounds = of(MapOverlay::Sounds).filter_map(|(_, actor, at)| Some((actor.sound_radius?, *at)));
        let sounds: Vec<_> = sounds.collect();
        let bodies = of(MapOverlay::Collisions).filter_map(|(_, actor, at)| Some((actor.collision?, *at)));
        let bodies: Vec<_> = bodies.collect();
        let segments = segments(lights.len() + sounds.len() + bodies.len());
        for (light, at) in lights {
            let pen = self.pen(light_color(light.color), is_own);
            lines.extend(match light.spot {
                Some((along, half_angle)) => pen.cone(at, along, half_angle, light.radius, segments),
                None => pen.sphere(at, light.radius, segments),
            });
        }
        for (radius, at) in sounds {
            let pen = self.pen(MapOverlay::Sounds.color(), is_own);
            lines.extend(pen.sphere(at, radius, segments));
        }
        for ([radius, half_height], at) in bodies {
            let pen = self.pen(MapOverlay::Collisions.color(), is_own);
            lines.extend(pen.cylinder(at, radius, half_height, segments));
        }
    }

    fn starts(&self, lines: &mut Vec<Line>) {
        if !self.overlays.shows(MapOverlay::Starts) {
            return;
        }
        let reach = (self.diagonal * START_SHARE).min(START);
        let pen = self.pen(MapOverlay::Starts.color(), true);
        for start in &self.map.starts {
            let forward = Vec3::new(start.yaw.sin(), 0.0, start.yaw.cos());
            lines.extend(pen.arrow(start.location, start.location + forward * reach, reach));
            let side = reach * 0.25;
            lines.extend(pen.circle(start.location, Vec3::X * side, Vec3::Z * side, COARSE * 2));
        }
    }

    /// The keys of the selected mover, and of those that the selected actor sets off.
    fn ways_of_movers(&self, lines: &mut Vec<Line>) {
        let Some(selected) = self.selected else { return };
        let pen = self.pen(MapOverlay::Ways.color(), true);
        for mover in self.map.movers_of(selected) {
            let Some(mover) = self.map.movers.get(mover as usize) else { continue };
            let places = self.key_places(mover);
            let steps = places.iter().zip(places.iter().skip(1));
            lines.extend(steps.flat_map(|(from, to)| pen.arrow(*from, *to, barb(self.diagonal))));
        }
    }

    /// Returns the centre of a mover at each of its keys.
    fn key_places(&self, mover: &MapMover) -> Vec<Vec3> {
        let item = self.map.items.get(mover.item as usize);
        let model = item.and_then(|item| self.map.models.get(item.model as usize));
        let middle = model.map_or(Vec3::ZERO, |model| model.bounds().center());
        (0..mover.keys.len()).map(|key| mover.world_from_model(key as f32).transform_point3(middle)).collect()
    }
}

/// Lines that a circle is made of, so that so many round things fit.
fn segments(things: usize) -> u32 {
    // Three circles each.
    let fit = MAX_LINES / (3 * things.max(1));
    u32::try_from(fit).unwrap_or(FINE).clamp(COARSE, FINE)
}

fn path_color(path: &MapPath) -> [u8; 3] {
    let color = PATH_COLORS.into_iter().find(|(flag, _)| path.flags & flag != 0);
    color.map_or(MapOverlay::Paths.color(), |(_, color)| color)
}

/// A light's own colour, as bright as can be: a dim one is to be seen too.
fn light_color(color: Vec3) -> [u8; 3] {
    let most = color.max_element();
    if most <= 0.0 || !color.is_finite() {
        return MapOverlay::Lights.color();
    }
    (color / most).to_array().map(|part| (part.clamp(0.0, 1.0) * 255.0) as u8)
}

/// The style of overlay lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub color: [u8; 4],
    pub width_px: f32,
    pub over: bool,
}

impl Pen {
    pub(super) fn line(&self, from: Vec3, to: Vec3) -> Line {
        Line { ends: [from, to], color: self.color, width_px: self.width_px, over: self.over }
    }

    /// A circle about a point: `a` and `b` are two of its radii, at right angles.
    pub(super) fn circle(&self, middle: Vec3, a: Vec3, b: Vec3, segments: u32) -> Vec<Line> {
        let at = |index: u32| {
            let angle = TAU * index as f32 / segments.max(1) as f32;
            middle + a * angle.cos() + b * angle.sin()
        };
        (0..segments).map(|index| self.line(at(index), at(index + 1))).collect()
    }

    /// Three circles, one in each plane.
    pub(super) fn sphere(&self, middle: Vec3, radius: f32, segments: u32) -> Vec<Line> {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * radius);
        [(x, z), (x, y), (y, z)].into_iter().flat_map(|(a, b)| self.circle(middle, a, b, segments)).collect()
    }

    /// A cone from its tip, by half its angle, that ends where a sphere of this radius does: four lines and the rim.
    pub(super) fn cone(&self, tip: Vec3, along: Vec3, half_angle: f32, reach: f32, segments: u32) -> Vec<Line> {
        let along = along.normalize_or(Vec3::NEG_Y);
        let (a, b) = along.any_orthonormal_pair();
        let half_angle = half_angle.clamp(0.0, std::f32::consts::PI);
        let (middle, radius) = (tip + along * (reach * half_angle.cos()), reach * half_angle.sin());
        let sides = [a, b, -a, -b].map(|side| self.line(tip, middle + side * radius));
        sides.into_iter().chain(self.circle(middle, a * radius, b * radius, segments)).collect()
    }

    /// An upright cylinder: both ends and four lines between them.
    pub(super) fn cylinder(&self, middle: Vec3, radius: f32, half_height: f32, segments: u32) -> Vec<Line> {
        let (x, z, up) = (Vec3::X * radius, Vec3::Z * radius, Vec3::Y * half_height);
        let sides = [x, z, -x, -z].map(|side| self.line(middle + side - up, middle + side + up));
        let ends = [middle - up, middle + up].into_iter().flat_map(|end| self.circle(end, x, z, segments));
        sides.into_iter().chain(ends).collect()
    }

    /// A line with two barbs at its end, which are no longer than `barb`.
    pub(super) fn arrow(&self, from: Vec3, to: Vec3, barb: f32) -> [Line; 3] {
        let way = to - from;
        let along = way.normalize_or_zero();
        let side = along.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let length = barb.min(way.length() * 0.3);
        let tail = |side: Vec3| to - along * length + side * (length * 0.5);
        [self.line(from, to), self.line(to, tail(side)), self.line(to, tail(-side))]
    }

    /// Three lines through a point, along the axes.
    pub(super) fn cross(&self, at: Vec3, reach: f32) -> [Line; 3] {
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.line(at - axis * reach, at + axis * reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::MapActor;
    use std::f32::consts::FRAC_PI_6;

    #[test]
    fn circles_are_coarser_where_there_are_many() {
        assert_eq!((segments(0), segments(10), segments(1_000_000)), (FINE, FINE, COARSE));
        assert!(3 * segments(1_000) as usize * 1_000 <= MAX_LINES);
    }

    #[test]
    fn paths_have_the_colour_of_what_they_take_and_lights_their_own() {
        let path = |flags| path_color(&MapPath { flags, ..MapPath::default() });
        assert_eq!((path(1), path(1 | 8)), (MapOverlay::Paths.color(), [0xe8, 0x9a, 0x4c]));
        assert_eq!(path(1 | 8 | 32), [0xb4, 0x8c, 0xe6]);
        assert_eq!(light_color(Vec3::new(0.2, 0.1, 0.0)), [255, 127, 0]);
        assert_eq!(light_color(Vec3::ZERO), MapOverlay::Lights.color());
    }

    #[test]
    fn the_selected_actors_lines_come_first_and_the_rest_is_cut() {
        let actor = |index: u32| MapActor {
            tag: "all".into(),
            event: "all".into(),
            location: Vec3::X * index as f32,
            ..MapActor::default()
        };
        let map = Map { actors: (0..300).map(actor).collect(), ..Map::default() };
        let mut overlays = MapOverlays::default();
        let hidden = BTreeSet::new();
        let made =
            |overlays, selected| Overlay { map: &map, diagonal: 300.0, overlays, selected, hidden: &hidden }.lines();
        // Without the switch only its own.
        let own = made(overlays, Some(299));
        let reaching = own.lines.iter().filter(|line| line.ends.contains(&(Vec3::X * 299.0))).count();
        assert!(!own.is_cut && own.lines.iter().all(|line| line.over));
        assert!((598..MAX_LINES).contains(&reaching), "{reaching}");
        overlays.toggle(MapOverlay::Events);
        let all = made(overlays, Some(299));
        assert_eq!((all.is_cut, all.lines.len()), (true, MAX_LINES));
        assert_eq!(all.lines[..own.lines.len()], own.lines[..]);
        assert!(!all.lines[own.lines.len()].over && made(overlays, None).is_cut);
    }

    const PEN: Pen = Pen { color: [1, 2, 3, 4], width_px: 2.0, over: true };

    fn near(a: Vec3, b: Vec3) -> bool {
        a.distance(b) < 1e-4
    }

    #[test]
    fn round_shapes_close_and_keep_their_distance() {
        let middle = Vec3::new(1.0, 2.0, 3.0);
        let sphere = PEN.sphere(middle, 5.0, 16);
        assert_eq!(sphere.len(), 48);
        assert!(sphere.iter().flat_map(|line| line.ends).all(|end| (end.distance(middle) - 5.0).abs() < 1e-4));
        for circle in sphere.chunks(16) {
            assert!(circle.iter().zip(circle.iter().cycle().skip(1)).all(|(a, b)| near(a.ends[1], b.ends[0])));
        }
        assert_eq!((sphere[0].color, sphere[0].width_px, sphere[0].over), ([1, 2, 3, 4], 2.0, true));
        let cylinder = PEN.cylinder(middle, 2.0, 4.0, 8);
        assert_eq!(cylinder.len(), 20);
        assert!(cylinder.iter().flat_map(|line| line.ends).all(|end| {
            let away = end - middle;
            (away.y.abs() - 4.0).abs() < 1e-4 && (away.with_y(0.0).length() - 2.0).abs() < 1e-4
        }));
    }

    #[test]
    fn a_cone_ends_at_its_reach_within_its_angle() {
        let cone = PEN.cone(Vec3::ZERO, Vec3::Z * 9.0, FRAC_PI_6, 10.0, 12);
        assert_eq!(cone.len(), 16);
        for line in &cone {
            let end = line.ends[1];
            assert!((end.length() - 10.0).abs() < 1e-3 && (end.angle_between(Vec3::Z) - FRAC_PI_6).abs() < 1e-3);
        }
        assert!(PEN.cone(Vec3::ZERO, Vec3::ZERO, 9.0, 1.0, 4).iter().all(|l| l.ends.iter().all(|e| e.is_finite())));
    }

    #[test]
    fn an_arrow_ends_where_it_points_to() {
        let arrow = PEN.arrow(Vec3::ZERO, Vec3::X * 10.0, 2.0);
        assert_eq!(arrow[0].ends, [Vec3::ZERO, Vec3::X * 10.0]);
        assert!(near(arrow[1].ends[1], Vec3::new(8.0, 0.0, 1.0)) && near(arrow[2].ends[1], Vec3::new(8.0, 0.0, -1.0)));
        // Straight up, and to itself.
        assert!(PEN.arrow(Vec3::ZERO, Vec3::Y, 2.0).iter().all(|l| l.ends.iter().all(|e| e.is_finite())));
        assert!(PEN.arrow(Vec3::X, Vec3::X, 2.0).iter().all(|l| l.ends == [Vec3::X; 2]));
    }
}
