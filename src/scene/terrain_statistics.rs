//! What a landscape comes to in numbers.

use super::{HeightGrid, HeightRange, Prop, PropClass, Terrain};

/// Steps of the height histogram.
pub const HISTOGRAM_STEPS: usize = 48;

/// Numbers of a landscape: what a statistics page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainStatistics {
    /// Number of places for props in the file, including empty ones.
    pub slots: u32,
    /// Number of places that hold a prop.
    pub present: u32,
    /// Props with a name of their own.
    pub named: u32,
    /// The whole map, in km².
    pub area: f64,
    /// Of it above the sea, in km²: samples above height 0, each with its cell.
    pub land: f64,
    /// Of it without ground, in km².
    pub unknown: f64,
    /// In the order of [`PropClass`]; those that occur.
    pub classes: Vec<ClassCount>,
    /// One for each of [`Terrain::kinds`], the most frequent first.
    pub kinds: Vec<KindCount>,
    /// Types of the file that no prop has.
    pub unused: u32,
    /// Types that props refer to and the file lacks.
    pub unresolved_ids: Vec<u32>,
    /// Props whose type the file lacks.
    pub unresolved: u32,
    /// Props off the map.
    pub outside: Vec<u32>,
    /// Props that stand lower than the sea.
    pub below_sea: Vec<u32>,
    /// Of the finite heights, in metres.
    pub heights: Option<HeightRange>,
    /// Number of samples by height.
    pub histogram: Histogram,
    /// Materials of all layers.
    pub materials: u32,
}

/// Props of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassCount {
    /// Class of the props.
    pub class: PropClass,
    /// Types of that class.
    pub kinds: u32,
    /// Number of props of that class.
    pub props: u32,
    /// Props per km² of the whole map; 0 for a map without area.
    pub per_km2: f64,
}

/// Props of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindCount {
    /// Into [`Terrain::kinds`].
    pub kind: u32,
    /// Number of props of that type.
    pub props: u32,
    /// Props per km² of the whole map; 0 for a map without area.
    pub per_km2: f64,
}

/// How many samples lie at which heights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Height at which the first step starts, in metres.
    pub start: f32,
    /// Metres that each step spans; 0 if all heights are equal, or without heights.
    pub step: f32,
    /// Samples in each; empty without heights.
    pub counts: Vec<u32>,
}

impl TerrainStatistics {
    /// Counts everything once: a few milliseconds for a million samples.
    pub fn of(terrain: &Terrain) -> Self {
        let grid = &terrain.grid;
        let heights = grid.range();
        let cell_area = f64::from(grid.cell) * f64::from(grid.cell) / 1e6;
        let area = f64::from(grid.columns) * f64::from(grid.rows) * cell_area;
        let land = grid.heights.iter().filter(|h| h.is_finite() && **h > 0.0).count();
        let density = |props: u32| if area > 0.0 { f64::from(props) / area } else { 0.0 };

        let mut counts = vec![0_u32; terrain.kinds.len()];
        let (mut named, mut outside, mut below_sea) = (0_u32, Vec::new(), Vec::new());
        for (index, prop) in (0_u32..).zip(&terrain.props) {
            if let Some(count) = counts.get_mut(prop.kind as usize) {
                *count = count.saturating_add(1);
            }
            named = named.saturating_add(u32::from(!prop.name.is_empty()));
            if is_outside(grid, prop) {
                outside.push(index);
            }
            if prop.world_from_prop.translation.y < 0.0 {
                below_sea.push(index);
            }
        }

        let mut kinds: Vec<KindCount> = (0_u32..)
            .zip(&counts)
            .map(|(kind, props)| KindCount { kind, props: *props, per_km2: density(*props) })
            .collect();
        // Of equal ones the first in the file comes first.
        kinds.sort_by_key(|k| std::cmp::Reverse(k.props));

        let mut classes: Vec<ClassCount> = Vec::new();
        let (mut unused, mut unresolved, mut unresolved_ids) = (0_u32, 0_u32, Vec::new());
        for (kind, props) in terrain.kinds.iter().zip(&counts) {
            match classes.iter_mut().find(|c| c.class == kind.class) {
                Some(class) => {
                    class.kinds = class.kinds.saturating_add(1);
                    class.props = class.props.saturating_add(*props);
                }
                None => classes.push(ClassCount { class: kind.class, kinds: 1, props: *props, per_km2: 0.0 }),
            }
            if kind.class == PropClass::Unresolved {
                unresolved = unresolved.saturating_add(*props);
                unresolved_ids.push(kind.id);
            } else if *props == 0 {
                unused = unused.saturating_add(1);
            }
        }
        classes.sort_by_key(|c| c.class);
        for class in &mut classes {
            class.per_km2 = density(class.props);
        }
        let materials = terrain.layers.iter().map(|l| l.materials.len()).fold(0_usize, usize::saturating_add);

        Self {
            slots: terrain.slots,
            present: u32::try_from(terrain.props.len()).unwrap_or(u32::MAX),
            named,
            area,
            land: land as f64 * cell_area,
            unknown: heights.map_or(grid.len(), |range| range.holes) as f64 * cell_area,
            classes,
            kinds,
            unused,
            unresolved_ids,
            unresolved,
            outside,
            below_sea,
            heights,
            histogram: Histogram::of(grid, heights),
            materials: u32::try_from(materials).unwrap_or(u32::MAX),
        }
    }

    /// Places for props that hold none.
    pub fn empty(&self) -> u32 {
        self.slots.saturating_sub(self.present)
    }
}

impl Histogram {
    fn of(grid: &HeightGrid, range: Option<HeightRange>) -> Self {
        let Some(range) = range else { return Self::default() };
        let span = f64::from(range.max) - f64::from(range.min);
        if span <= 0.0 {
            let all = u32::try_from(grid.len().saturating_sub(range.holes)).unwrap_or(u32::MAX);
            return Self { start: range.min, step: 0.0, counts: vec![all] };
        }
        let mut counts = vec![0_u32; HISTOGRAM_STEPS];
        let steps = HISTOGRAM_STEPS as f64;
        for height in grid.heights.iter().filter(|h| h.is_finite()) {
            let step = (f64::from(*height) - f64::from(range.min)) / span * steps;
            // The highest sample lies in the last step.
            let step = (step as usize).min(HISTOGRAM_STEPS.saturating_sub(1));
            if let Some(count) = counts.get_mut(step) {
                *count = count.saturating_add(1);
            }
        }
        Self { start: range.min, step: (span / steps) as f32, counts }
    }
}

/// Whether a prop stands off the map; one that is nowhere is, too.
fn is_outside(grid: &HeightGrid, prop: &Prop) -> bool {
    let at = prop.file_position;
    !((0.0..=grid.width()).contains(&at.x) && (0.0..=grid.depth()).contains(&at.z))
}

#[cfg(test)]
mod tests {
    use super::super::{PropKind, PropMarker, SizeSource, TerrainLayer, scene_from_ground};
    use super::*;
    use glam::{Affine3A, Vec3};

    fn kind(id: u32, class: PropClass) -> PropKind {
        PropKind {
            id,
            name: format!("kind {id}"),
            model: String::new(),
            class,
            marker: PropMarker::Rectangle,
            outline: None,
            fill: None,
            size: Vec3::ONE,
            size_source: SizeSource::Class,
            source: None,
            body: None,
        }
    }

    fn prop(kind: u32, [east, up, north]: [f32; 3], name: &str) -> Prop {
        Prop {
            kind,
            slot: 0,
            id: 0,
            type_id: 0,
            name: name.to_owned(),
            world_from_prop: Affine3A::from_translation(scene_from_ground(east, up, north)),
            file_position: Vec3::new(east, up, north),
            heading: 0.0,
            scale: 1.0,
            above_ground: 0.0,
            outline: None,
            fill: None,
        }
    }

    /// Four by two samples, 500 m apart: 2 km by 1 km.
    fn terrain() -> Terrain {
        let heights = [-10.0, 0.0, 2.0, 38.0, f32::NAN, 14.0, 14.0, f32::INFINITY];
        Terrain {
            grid: HeightGrid { columns: 4, rows: 2, cell: 500.0, heights: heights.into() },
            kinds: vec![
                kind(1, PropClass::Artificial),
                kind(2, PropClass::Natural),
                kind(3, PropClass::Natural),
                kind(4, PropClass::Road),
                kind(77, PropClass::Unresolved),
            ],
            props: vec![
                prop(1, [0.0, 5.0, 0.0], ""),
                prop(1, [2000.0, -0.5, 1000.0], ""),
                prop(1, [2000.5, 1.0, 10.0], "lost"),
                prop(0, [10.0, 0.0, 10.0], ""),
                prop(4, [10.0, f32::NAN, f32::NAN], ""),
            ],
            slots: 9,
            layers: vec![
                TerrainLayer { name: "Base".into(), materials: vec!["a".into(), "b".into()] },
                TerrainLayer { name: "Top".into(), materials: vec!["c".into()] },
            ],
            ..Terrain::default()
        }
    }

    #[test]
    fn props_are_counted_by_class_and_type_with_their_density() {
        let s = TerrainStatistics::of(&terrain());
        assert_eq!((s.slots, s.present, s.empty(), s.named), (9, 5, 4, 1));
        assert_eq!(s.area, 2.0);
        let classes: Vec<_> = s.classes.iter().map(|c| (c.class, c.kinds, c.props, c.per_km2)).collect();
        assert_eq!(
            classes,
            [
                (PropClass::Natural, 2, 3, 1.5),
                (PropClass::Artificial, 1, 1, 0.5),
                (PropClass::Road, 1, 0, 0.0),
                (PropClass::Unresolved, 1, 1, 0.5),
            ]
        );
        let kinds: Vec<_> = s.kinds.iter().map(|k| (k.kind, k.props)).collect();
        assert_eq!(kinds, [(1, 3), (0, 1), (4, 1), (2, 0), (3, 0)]);
        assert_eq!(s.kinds[0].per_km2, 1.5);
        assert_eq!((s.unused, s.unresolved, s.unresolved_ids.as_slice()), (2, 1, [77].as_slice()));
        assert_eq!(s.materials, 3);
    }

    #[test]
    fn props_off_the_map_and_under_the_sea_are_named() {
        let s = TerrainStatistics::of(&terrain());
        // The edges belong to the map; a place that is no number does not.
        assert_eq!(s.outside, [2, 4]);
        assert_eq!(s.below_sea, [1]);
    }

    #[test]
    fn heights_are_counted_in_steps_and_land_is_what_is_above_the_sea() {
        let s = TerrainStatistics::of(&terrain());
        let range = s.heights.unwrap();
        assert_eq!((range.min, range.max, range.holes), (-10.0, 38.0, 2));
        assert!((range.mean - 58.0 / 6.0).abs() < 1e-9);
        // 2, 38, 14 and 14 lie above; each sample stands for a quarter of a km².
        assert_eq!((s.land, s.unknown), (1.0, 0.5));
        assert_eq!((s.histogram.start, s.histogram.step, s.histogram.counts.len()), (-10.0, 1.0, 48));
        let filled: Vec<_> =
            (0..48).filter(|i| s.histogram.counts[*i] > 0).map(|i| (i, s.histogram.counts[i])).collect();
        assert_eq!(filled, [(0, 1), (10, 1), (12, 1), (24, 2), (47, 1)]);
    }

    #[test]
    fn a_plain_has_one_step_and_nothing_has_none() {
        let mut flat = terrain();
        flat.grid.heights = [3.0; 8].into();
        let s = TerrainStatistics::of(&flat);
        assert_eq!((s.histogram.start, s.histogram.step, s.histogram.counts), (3.0, 0.0, vec![8]));
        let nothing = TerrainStatistics::of(&Terrain::default());
        assert_eq!(nothing, TerrainStatistics::default());
    }
}
