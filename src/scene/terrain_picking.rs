//! What of a landscape lies under the pointer: the ground, and what stands on it.

use super::{
    Aabb, HeightGrid, Prop, Terrain, TerrainView,
    picking::{Ray, enters, meets},
};
use glam::{Affine3A, Vec3};

/// Squares along a side of the smallest block of ground that is passed over as one.
const BLOCK: u32 = 8;
/// Buckets of props along the longer side of what they stand on.
const BUCKETS: f32 = 64.0;
/// The smallest side of a box that can be pointed at, in metres.
const THINNEST: f32 = 0.1;

/// What makes pointing at a landscape quick: made once for each.
#[derive(Clone, Debug, Default)]
pub struct TerrainPicker {
    /// Lowest and highest ground of blocks: the finest first, each further one of two by two blocks of the one before.
    levels: Vec<Blocks>,
    buckets: Vec<Bucket>,
}

#[derive(Clone, Debug, Default)]
struct Blocks {
    columns: u32,
    rows: u32,
    /// The lower first; the other way round where there is no ground.
    ranges: Vec<[f32; 2]>,
}

/// Props that stand near each other.
#[derive(Clone, Debug)]
struct Bucket {
    /// Into [`Terrain::props`].
    props: Vec<u32>,
    /// Of the props' origins, without exaggeration.
    origins: Aabb,
    /// Lowest and highest ground under them.
    ground: [f32; 2],
    /// How far from its origin the farthest of them reaches.
    reach: f32,
}

/// A line of sight, and how far beside it things still count.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// The line of sight, in the scene.
    pub ray: Ray,
    /// Metres at the start of the ray, and more of them for each metre along it.
    pub slack: [f32; 2],
}

/// What a line of sight meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainHit {
    /// In lengths of the ray.
    pub distance: f32,
    /// In the scene, as it is drawn.
    pub position: Vec3,
    /// Into [`Terrain::props`]; `None` for the ground itself.
    pub prop: Option<u32>,
}

impl HeightGrid {
    /// How steep the ground is, in degrees; `None` where [`HeightGrid::ground_at`] is.
    pub fn slope_at(&self, east: f32, north: f32) -> Option<f32> {
        self.ground_at(east, north)?;
        let last = |n: u32| n.saturating_sub(2) as f32;
        let (x, z) = ((east / self.cell).floor().min(last(self.columns)), (north / self.cell).floor());
        let z = z.min(last(self.rows));
        let (column, row) = (x as u32, z as u32);
        let at = |dx: u32, dz: u32| self.get(column.saturating_add(dx), row.saturating_add(dz));
        let (along_x, along_z) = if (east / self.cell - x) + (north / self.cell - z) <= 1.0 {
            let corner = at(0, 0)?;
            (at(1, 0)? - corner, at(0, 1)? - corner)
        } else {
            let corner = at(1, 1)?;
            (corner - at(0, 1)?, corner - at(1, 0)?)
        };
        Some((along_x.hypot(along_z) / self.cell).atan().to_degrees())
    }
}

impl Terrain {
    /// The box of a prop in its own space: its model's, when `bodies` are drawn and there is one, or its type's.
    pub fn box_of(&self, prop: &Prop, bodies: bool) -> Aabb {
        let kind = self.kind_of(prop);
        if let Some(body) = kind.and_then(|k| k.body.as_ref()).filter(|_| bodies) {
            return body.bounds;
        }
        let size = kind.map_or(Vec3::ONE, |k| k.size).max(Vec3::splat(THINNEST));
        let half = Vec3::new(size.x * 0.5, 0.0, size.z * 0.5);
        Aabb { min: -half, max: Vec3::new(half.x, size.y, half.z) }
    }
}

impl TerrainView {
    /// Where a prop is drawn: exaggeration moves it with the ground under it, and leaves its own shape as it is. Off the
    /// map it stands on itself.
    pub fn world_from_prop(&self, terrain: &Terrain, prop: &Prop) -> Affine3A {
        let mut world_from_prop = prop.world_from_prop;
        let at = world_from_prop.translation;
        world_from_prop.translation.y += ground_under(&terrain.grid, at.into()) * (self.exaggeration - 1.0);
        world_from_prop
    }

    /// Box around a prop as it is drawn, in the scene.
    pub fn bounds_of(&self, terrain: &Terrain, prop: &Prop) -> Aabb {
        terrain.box_of(prop, self.bodies).transformed(&self.world_from_prop(terrain, prop))
    }

    /// The box of the ground with all that stands on it, as it is drawn. `bounds` is [`Terrain::bounds`].
    pub fn drawn_bounds(&self, bounds: &Aabb) -> Aabb {
        let up = Vec3::new(1.0, self.exaggeration, 1.0);
        Aabb { min: bounds.min * up, max: bounds.max * up }
    }
}

fn ground_under(grid: &HeightGrid, place: Vec3) -> f32 {
    grid.ground_at(place.x, -place.z).unwrap_or(place.y)
}

impl TerrainPicker {
    /// Builds the picker of a landscape.
    pub fn new(terrain: &Terrain) -> Self {
        Self { levels: levels(&terrain.grid), buckets: buckets(terrain) }
    }

    /// The ground or the prop that a line of sight meets first, as `view` shows them.
    pub fn pick(&self, terrain: &Terrain, sight: &Sight, view: &TerrainView) -> Option<TerrainHit> {
        let ground = self.ground(&terrain.grid, &sight.ray, view.exaggeration);
        let prop = self.prop(terrain, sight, view, ground);
        let (distance, prop) = match (prop, ground) {
            (Some((prop, distance)), _) => (distance, Some(prop)),
            (None, ground) => (ground?, None),
        };
        Some(TerrainHit { distance, position: sight.ray.from + sight.ray.along * distance, prop })
    }

    /// How far the ground is along a ray, in lengths of it. Either side of the ground counts; holes do not.
    pub fn ground(&self, grid: &HeightGrid, ray: &Ray, exaggeration: f32) -> Option<f32> {
        let turn = |v: Vec3| Vec3::new(v.x / grid.cell, v.y / exaggeration, -v.z / grid.cell);
        // One square is one unit now.
        let squares = Ray { from: turn(ray.from), along: turn(ray.along) };
        let top = self.levels.len().saturating_sub(1);
        let whole = self.levels.get(top)?.bounds(top, 0, 0, grid)?;
        // From near the ground on: what is far away has no digits left for the place on a square.
        let start = enters(&squares, &whole);
        if !start.is_finite() {
            return None;
        }
        let squares = Ray { from: squares.from + squares.along * start, ..squares };
        let mut nearest = f32::INFINITY;
        let mut open = vec![(0.0, top, 0, 0)];
        while let Some((entered, level, column, row)) = open.pop() {
            if entered >= nearest {
                continue;
            }
            let Some(finer) = level.checked_sub(1) else {
                nearest = nearest.min(nearest_square(grid, &squares, column, row, nearest));
                continue;
            };
            let Some(blocks) = self.levels.get(finer) else { continue };
            let mut children = [(f32::INFINITY, 0, 0); 4];
            for (child, (dx, dz)) in children.iter_mut().zip([(0, 0), (1, 0), (0, 1), (1, 1)]) {
                let at = (column.saturating_mul(2).saturating_add(dx), row.saturating_mul(2).saturating_add(dz));
                if let Some(bounds) = blocks.bounds(finer, at.0, at.1, grid) {
                    *child = (enters(&squares, &bounds), at.0, at.1);
                }
            }
            // The nearest comes off the pile first.
            children.sort_by(|a, b| b.0.total_cmp(&a.0));
            open.extend(children.into_iter().filter(|c| c.0 < nearest).map(|(t, x, z)| (t, finer, x, z)));
        }
        nearest.is_finite().then_some(start + nearest)
    }

    /// The prop that a line of sight meets before the ground, with its distance in lengths of the ray; without one the
    /// prop that it passes closest, within the slack.
    fn prop(&self, terrain: &Terrain, sight: &Sight, view: &TerrainView, ground: Option<f32>) -> Option<(u32, f32)> {
        let ray = &sight.ray;
        let length = ray.along.length();
        let slack = |metres: f32| sight.slack[0] + sight.slack[1] * metres.max(0.0);
        let ground = ground.unwrap_or(f32::INFINITY);
        let (mut met, mut passed) = (None, None);
        let (mut nearest, mut closest) = (ground, f32::INFINITY);
        for bucket in self.buckets.iter().filter(|_| view.props) {
            let Aabb { mut min, mut max } = bucket.origins;
            let lift = bucket.ground.map(|height| height * (view.exaggeration - 1.0));
            min.y += lift[0].min(lift[1]);
            max.y += lift[0].max(lift[1]);
            let far = ((min + max) * 0.5).distance(ray.from) + (max - min).length();
            let around = bucket.reach + slack(far);
            if enters(ray, &Aabb { min: min - around, max: max + around }) > nearest.min(ground) {
                continue;
            }
            for index in &bucket.props {
                let Some(prop) = terrain.props.get(*index as usize).filter(|prop| view.shows(prop)) else { continue };
                let bounds = terrain.box_of(prop, view.bodies);
                let world_from_prop = view.world_from_prop(terrain, prop);
                let middle = world_from_prop.transform_point3(bounds.center());
                let along = (middle - ray.from).dot(ray.along) / (length * length);
                let beside = middle.distance(ray.from + ray.along * along);
                let radius = world_from_prop
                    .transform_vector3(bounds.max - bounds.min)
                    .length()
                    .max(bounds.diagonal() * world_from_prop.matrix3.x_axis.length())
                    * 0.5;
                let slack = slack(along * length);
                // What is not a number is not pointed at.
                if beside.is_nan() || beside > radius + slack {
                    continue;
                }
                let prop_from_world = world_from_prop.inverse();
                let local = Ray {
                    from: prop_from_world.transform_point3(ray.from),
                    along: prop_from_world.transform_vector3(ray.along),
                };
                let distance = enters(&local, &bounds);
                if distance < nearest {
                    (met, nearest) = (Some((*index, distance)), distance);
                } else if slack > 0.0 && along > 0.0 && along * length <= ground * length + radius + slack {
                    let around = slack / world_from_prop.matrix3.x_axis.length().max(1e-6);
                    let wider = Aabb { min: bounds.min - around, max: bounds.max + around };
                    if beside < closest && enters(&local, &wider).is_finite() {
                        (passed, closest) = (Some((*index, along)), beside);
                    }
                }
            }
        }
        met.or(passed)
    }
}

impl Blocks {
    /// Box of a block, a square being a unit; `None` outside and where there is no ground.
    fn bounds(&self, level: usize, column: u32, row: u32, grid: &HeightGrid) -> Option<Aabb> {
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let index = (row as usize).saturating_mul(self.columns as usize).saturating_add(column as usize);
        let [low, high] = *self.ranges.get(index)?;
        let side = f32::from(BLOCK as u8) * 2f32.powi(level as i32);
        let last = |n: u32| n.saturating_sub(1) as f32;
        let end = |start: f32, n: u32| (start + side).min(last(n));
        let (x, z) = (column as f32 * side, row as f32 * side);
        let (far_x, far_z) = (end(x, grid.columns), end(z, grid.rows));
        (low <= high).then_some(Aabb { min: Vec3::new(x, low, z), max: Vec3::new(far_x, high, far_z) })
    }
}

/// The nearest triangle of a block of squares, nearer than `limit`; infinite without one.
fn nearest_square(grid: &HeightGrid, squares: &Ray, column: u32, row: u32, limit: f32) -> f32 {
    let mut nearest = limit;
    let start = (column.saturating_mul(BLOCK), row.saturating_mul(BLOCK));
    let end = |start: u32, n: u32| start.saturating_add(BLOCK).min(n.saturating_sub(1));
    for z in start.1..end(start.1, grid.rows) {
        for x in start.0..end(start.0, grid.columns) {
            let corner = |dx: u32, dz: u32| {
                let (x, z) = (x.saturating_add(dx), z.saturating_add(dz));
                Vec3::new(x as f32, grid.get(x, z).unwrap_or(f32::NAN), z as f32)
            };
            let [south_west, south_east, north_west, north_east] =
                [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
            let heights = [south_west.y, south_east.y, north_west.y, north_east.y];
            // NaN is passed over.
            let low = heights.into_iter().fold(f32::INFINITY, f32::min);
            let high = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let bounds = Aabb { min: south_west.with_y(low), max: north_east.with_y(high) };
            if enters(squares, &bounds) >= nearest {
                continue;
            }
            for triangle in [[south_west, south_east, north_west], [north_east, south_east, north_west]] {
                if let Some(met) = meets(squares, triangle) {
                    nearest = nearest.min(met.distance);
                }
            }
        }
    }
    if nearest < limit { nearest } else { f32::INFINITY }
}

/// Lowest and highest ground, block by block and then coarser and coarser up to a single block.
fn levels(grid: &HeightGrid) -> Vec<Blocks> {
    if grid.columns < 2 || grid.rows < 2 {
        return Vec::new();
    }
    let count = |samples: u32| samples.saturating_sub(1).div_ceil(BLOCK);
    let none = [f32::INFINITY, f32::NEG_INFINITY];
    let (columns, rows) = (count(grid.columns), count(grid.rows));
    let mut ranges = vec![none; (columns as usize).saturating_mul(rows as usize)];
    for (row, heights) in grid.heights.chunks_exact(grid.columns as usize).enumerate() {
        // A row of samples ends one row of blocks and begins the next.
        let block = row.checked_div(BLOCK as usize).unwrap_or(0);
        let begins_one = row.is_multiple_of(BLOCK as usize);
        let above = (block > 0 && begins_one).then(|| block.saturating_sub(1));
        for block_row in above.into_iter().chain([block]) {
            let first = block_row.saturating_mul(columns as usize);
            let Some(of_row) = ranges.get_mut(first..first.saturating_add(columns as usize)) else { continue };
            for (range, start) in of_row.iter_mut().zip((0..).step_by(BLOCK as usize)) {
                let samples = heights.iter().skip(start).take((BLOCK as usize).saturating_add(1));
                for height in samples.filter(|h| h.is_finite()) {
                    *range = [range[0].min(*height), range[1].max(*height)];
                }
            }
        }
    }
    let mut levels = vec![Blocks { columns, rows, ranges }];
    while let Some(finer) = levels.last().filter(|level| level.columns > 1 || level.rows > 1) {
        let (columns, rows) = (finer.columns.div_ceil(2), finer.rows.div_ceil(2));
        let mut ranges = vec![none; (columns as usize).saturating_mul(rows as usize)];
        for (row, of_row) in finer.ranges.chunks_exact(finer.columns as usize).enumerate() {
            for (column, [low, high]) in of_row.iter().enumerate() {
                let index = (row / 2).saturating_mul(columns as usize).saturating_add(column / 2);
                if let Some(range) = ranges.get_mut(index) {
                    *range = [range[0].min(*low), range[1].max(*high)];
                }
            }
        }
        levels.push(Blocks { columns, rows, ranges });
    }
    levels
}

/// The props by where they stand.
fn buckets(terrain: &Terrain) -> Vec<Bucket> {
    let origin = |prop: &Prop| Vec3::from(prop.world_from_prop.translation);
    let Some(all) = Aabb::of(terrain.props.iter().map(origin)) else { return Vec::new() };
    let size = all.max - all.min;
    let side = (size.x.max(size.z) / BUCKETS).max(1.0);
    let mut buckets: std::collections::BTreeMap<(u32, u32), Bucket> = std::collections::BTreeMap::new();
    for (index, prop) in (0_u32..).zip(&terrain.props) {
        let at = origin(prop);
        let bodied = terrain.box_of(prop, true);
        let reach = terrain.box_of(prop, false).union(bodied).corners().into_iter();
        let reach = reach.map(|c| prop.world_from_prop.transform_vector3(c).length()).fold(0.0, f32::max);
        if !at.is_finite() || !reach.is_finite() {
            continue;
        }
        let from = (at - all.min) / side;
        let bucket = buckets.entry((from.x as u32, from.z as u32)).or_insert_with(|| Bucket {
            props: Vec::new(),
            origins: Aabb { min: at, max: at },
            ground: [f32::INFINITY, f32::NEG_INFINITY],
            reach: 0.0,
        });
        bucket.props.push(index);
        bucket.origins = bucket.origins.union(Aabb { min: at, max: at });
        let ground = ground_under(&terrain.grid, at);
        bucket.ground = [bucket.ground[0].min(ground), bucket.ground[1].max(ground)];
        bucket.reach = bucket.reach.max(reach);
    }
    buckets.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{PropClass, PropKind, PropMarker, SizeSource, scene_from_ground};
    use glam::Quat;
    use std::sync::Arc;

    /// Numbers that look random and are the same every time.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self, from: f32, to: f32) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from + (to - from) * ((self.0 >> 40) as f32 / (1 << 24) as f32)
        }
    }

    fn kind(size: Vec3) -> PropKind {
        PropKind {
            id: 1,
            name: "crate".into(),
            model: String::new(),
            class: PropClass::Artificial,
            marker: PropMarker::Rectangle,
            outline: None,
            fill: None,
            size,
            size_source: SizeSource::Class,
            source: None,
            body: None,
        }
    }

    fn prop(world_from_prop: Affine3A) -> Prop {
        Prop {
            kind: 0,
            slot: 0,
            id: 0,
            type_id: 1,
            name: String::new(),
            world_from_prop,
            file_position: Vec3::ZERO,
            heading: 0.0,
            scale: 1.0,
            above_ground: 0.0,
            outline: None,
            fill: None,
        }
    }

    fn hills(numbers: &mut Numbers, columns: u32, rows: u32, holes: bool) -> HeightGrid {
        let heights: Vec<f32> = (0..columns * rows)
            .map(|i| {
                let (x, z) = ((i % columns) as f32, (i / columns) as f32);
                let hill = (x * 0.31).sin() * 20.0 + (z * 0.23).cos() * 15.0 + numbers.next(-4.0, 4.0);
                if holes && numbers.next(0.0, 1.0) < 0.05 { f32::NAN } else { hill }
            })
            .collect();
        HeightGrid { columns, rows, cell: 7.5, heights: heights.into() }
    }

    fn triangles(grid: &HeightGrid, exaggeration: f32) -> Vec<[Vec3; 3]> {
        let corner = |x: u32, z: u32| {
            let height = grid.get(x, z).unwrap_or(f32::NAN) * exaggeration;
            scene_from_ground(x as f32 * grid.cell, height, z as f32 * grid.cell)
        };
        let squares = (0..grid.rows - 1).flat_map(|z| (0..grid.columns - 1).map(move |x| (x, z)));
        squares
            .flat_map(|(x, z)| {
                let (east, north) = (corner(x + 1, z), corner(x, z + 1));
                [[corner(x, z), east, north], [corner(x + 1, z + 1), east, north]]
            })
            .collect()
    }

    fn nearest(ray: &Ray, triangles: &[[Vec3; 3]]) -> Option<f32> {
        triangles.iter().filter_map(|t| meets(ray, *t)).map(|met| met.distance).min_by(f32::total_cmp)
    }

    fn random_ray(numbers: &mut Numbers, grid: &HeightGrid) -> Ray {
        let mut point = |high: f32| {
            let (w, d) = (grid.width(), grid.depth());
            scene_from_ground(
                numbers.next(-0.5 * w, 1.5 * w),
                numbers.next(-high, high),
                numbers.next(-0.5 * d, 1.5 * d),
            )
        };
        let (from, to) = (point(300.0), point(40.0));
        Ray { from, along: to - from }
    }

    #[test]
    fn the_ground_is_met_where_its_triangles_are() {
        let mut numbers = Numbers(7);
        for (columns, rows, holes, exaggeration) in
            [(37, 23, false, 1.0), (41, 70, true, 3.0), (2, 2, false, 1.0), (9, 17, true, 10.0), (8, 9, false, 0.5)]
        {
            let grid = hills(&mut numbers, columns, rows, holes);
            let terrain = Terrain { grid: grid.clone(), ..Terrain::default() };
            let picker = TerrainPicker::new(&terrain);
            let all = triangles(&grid, exaggeration);
            let mut met = 0;
            for _ in 0..600 {
                let ray = random_ray(&mut numbers, &grid);
                let (found, wanted) = (picker.ground(&grid, &ray, exaggeration), nearest(&ray, &all));
                match (found, wanted) {
                    (Some(found), Some(wanted)) => {
                        assert!((found - wanted).abs() < 1e-3, "{columns}x{rows}: {found} {wanted} {ray:?}");
                        met += 1;
                    }
                    (found, wanted) => assert_eq!(found, wanted, "{columns}x{rows}: {ray:?}"),
                }
            }
            assert!(met > 20, "{columns}x{rows}: {met}");
        }
    }

    #[test]
    fn straight_down_from_far_away_is_the_height_of_the_ground() {
        let grid = hills(&mut Numbers(3), 64, 64, true);
        let picker = TerrainPicker::new(&Terrain { grid: grid.clone(), ..Terrain::default() });
        for (east, north) in [(0.0, 0.0), (75.0, 150.0), (77.0, 151.5), (472.5, 472.5), (300.1, 12.9)] {
            let ray = Ray { from: scene_from_ground(east, 1.0e5, north), along: Vec3::NEG_Y };
            let height = picker.ground(&grid, &ray, 2.0).map(|t| (1.0e5 - t) / 2.0);
            match (height, grid.ground_at(east, north)) {
                (Some(found), Some(wanted)) => assert!((found - wanted).abs() < 0.02, "{found} {wanted}"),
                (found, wanted) => assert_eq!(found.is_some(), wanted.is_some(), "{east} {north}"),
            }
        }
        let beside = Ray { from: scene_from_ground(-1.0, 500.0, 10.0), along: Vec3::NEG_Y };
        assert_eq!(picker.ground(&grid, &beside, 1.0), None);
        let upwards = Ray { from: scene_from_ground(50.0, 500.0, 10.0), along: Vec3::Y };
        assert_eq!(picker.ground(&grid, &upwards, 1.0), None);
    }

    /// The twelve triangles of a box.
    fn faces(bounds: &Aabb, world: &Affine3A) -> Vec<[Vec3; 3]> {
        let corners = bounds.corners().map(|c| world.transform_point3(c));
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
            .into_iter()
            .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
            .map(|face| face.map(|i: usize| corners[i]))
            .collect()
    }

    #[test]
    fn props_are_met_where_their_boxes_are() {
        let mut numbers = Numbers(11);
        let grid = hills(&mut numbers, 40, 40, false);
        let props: Vec<Prop> = (0..300)
            .map(|_| {
                let at =
                    scene_from_ground(numbers.next(0.0, 290.0), numbers.next(-20.0, 60.0), numbers.next(0.0, 290.0));
                let turn =
                    Quat::from_rotation_y(numbers.next(0.0, 6.3)) * Quat::from_rotation_x(numbers.next(-0.4, 0.4));
                let scale = Vec3::splat(numbers.next(0.5, 2.0));
                prop(Affine3A::from_scale_rotation_translation(scale, turn, at))
            })
            .collect();
        let terrain = Terrain { grid, kinds: vec![kind(Vec3::new(6.0, 9.0, 3.0))], props, ..Terrain::default() };
        let picker = TerrainPicker::new(&terrain);
        let view = TerrainView { exaggeration: 2.0, ..TerrainView::default() };
        let ground = triangles(&terrain.grid, 2.0);
        let boxes: Vec<_> =
            terrain.props.iter().map(|p| faces(&terrain.box_of(p, true), &view.world_from_prop(&terrain, p))).collect();
        let mut met = 0;
        for _ in 0..1500 {
            let ray = random_ray(&mut numbers, &terrain.grid);
            let all = (0_u32..).zip(&boxes).filter_map(|(i, faces)| Some((nearest(&ray, faces)?, Some(i))));
            let wanted = all.chain(nearest(&ray, &ground).map(|t| (t, None))).min_by(|a, b| a.0.total_cmp(&b.0));
            let found = picker.pick(&terrain, &Sight { ray, slack: [0.0; 2] }, &view);
            let inside = terrain.props.iter().any(|p| {
                let local = view.world_from_prop(&terrain, p).inverse().transform_point3(ray.from);
                let bounds = terrain.box_of(p, true);
                local.cmpge(bounds.min).all() && local.cmple(bounds.max).all()
            });
            if inside {
                continue;
            }
            match (found, wanted) {
                (Some(found), Some((distance, prop))) => {
                    assert!((found.distance - distance).abs() < 1e-3, "{found:?} {distance} {prop:?}");
                    assert_eq!(found.prop, prop);
                    met += usize::from(prop.is_some());
                }
                (found, wanted) => assert_eq!(found.is_some(), wanted.is_some(), "{found:?} {wanted:?}"),
            }
        }
        assert!(met > 100, "{met}");
    }

    #[test]
    fn what_is_hidden_or_too_far_beside_is_not_met() {
        let grid = HeightGrid { columns: 3, rows: 3, cell: 50.0, heights: [0.0; 9].into() };
        let at = |east: f32, north: f32| prop(Affine3A::from_translation(scene_from_ground(east, 0.0, north)));
        let props = vec![at(20.0, 20.0), at(60.0, 60.0), prop(Affine3A::from_translation(Vec3::NAN))];
        let terrain = Terrain { grid, kinds: vec![kind(Vec3::splat(2.0))], props, ..Terrain::default() };
        let picker = TerrainPicker::new(&terrain);
        let down = |east: f32, north: f32, slack: f32| {
            let ray = Ray { from: scene_from_ground(east, 90.0, north), along: Vec3::NEG_Y * 2.0 };
            Sight { ray, slack: [slack, 0.0] }
        };
        let view = TerrainView::default();
        let pick = |sight: &Sight, view: &TerrainView| picker.pick(&terrain, sight, view).and_then(|hit| hit.prop);
        assert_eq!(pick(&down(20.5, 20.5, 0.0), &view), Some(0));
        let hit = picker.pick(&terrain, &down(60.0, 60.9, 0.0), &view).unwrap();
        assert_eq!((hit.prop, hit.distance, hit.position.y), (Some(1), 44.0, 2.0));
        assert_eq!(pick(&down(25.0, 20.0, 0.0), &view), None);
        assert_eq!(pick(&down(25.0, 20.0, 6.0), &view), Some(0), "within the slack");
        assert_eq!(pick(&down(41.0, 41.0, 30.0), &view), Some(1), "the closer one");
        let hidden = TerrainView { hidden_kinds: Arc::new([true]), ..view.clone() };
        assert_eq!(pick(&down(20.0, 20.0, 9.0), &hidden), None);
        let none = TerrainView { props: false, ..view };
        assert_eq!(pick(&down(20.0, 20.0, 9.0), &none), None);
        assert!(
            TerrainPicker::new(&Terrain::default()).pick(&Terrain::default(), &down(0.0, 0.0, 1.0), &none).is_none()
        );
    }

    #[test]
    fn slopes_are_those_of_the_triangles() {
        let heights = [0.0, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 0.0];
        let grid = HeightGrid { columns: 3, rows: 3, cell: 10.0, heights: heights.into() };
        assert_eq!(grid.slope_at(2.0, 2.0), Some(0.0));
        let slope = grid.slope_at(8.0, 8.0).unwrap();
        assert!((slope - 2f32.sqrt().atan().to_degrees()).abs() < 1e-3, "{slope}");
        assert_eq!(grid.slope_at(20.0, 20.0), Some(0.0));
        assert_eq!(grid.slope_at(21.0, 20.0), None);
    }
}
