//! The patches of the ground that a picture needs, their detail, and the one mesh that all of them are drawn with.

use super::data::Seen;
use crate::scene::{Aabb, HeightGrid, scene_from_ground};
use bytemuck::{Pod, Zeroable};

/// Squares of the ground are split while they are larger than this, in pixels.
const SQUARE_PX: f32 = 4.0;
/// A finer patch can follow the edge of one that is this many levels coarser.
const MAX_STEPS: u32 = 6;

/// A patch as the vertex stage has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Patch {
    /// First sample from the west and from the south.
    pub origin: [u32; 2],
    /// Samples between neighbouring vertices.
    pub stride: u32,
    /// Three bits for each of west, east, south and north: by how many levels the neighbour is coarser. Then a bit for each where
    /// the map ends.
    pub edges: u32,
}

/// Lowest and highest ground.
type Range = [f32; 2];

/// Squares of 2^level patches.
struct Level {
    columns: u32,
    rows: u32,
    ranges: Vec<Range>,
}

/// The ground as a tree of patches, the finest level first.
pub(super) struct Patches {
    /// Last sample in each direction.
    last: [u32; 2],
    cell: f32,
    levels: Vec<Level>,
    // Reused from picture to picture.
    chosen: Vec<(u32, u32, u32)>,
    /// Level of what covers each of the finest patches.
    cover: Vec<u8>,
}

const NOTHING: u8 = u8::MAX;

impl Patches {
    /// `None` without a single square of ground. `heights` are bridged.
    pub fn new(grid: &HeightGrid, heights: &[f32]) -> Option<Self> {
        let last = [grid.columns.checked_sub(1)?, grid.rows.checked_sub(1)?];
        if last.contains(&0) || heights.is_empty() || !grid.cell.is_finite() || grid.cell <= 0.0 {
            return None;
        }
        let mut levels = vec![finest(last, heights, grid.columns as usize)];
        while let Some(level) = levels.last().filter(|l| l.ranges.len() > 1) {
            let next = coarser(level);
            levels.push(next);
        }
        Some(Self { last, cell: grid.cell, levels, chosen: Vec::new(), cover: Vec::new() })
    }

    /// What a picture needs.
    pub fn select(&mut self, seen: &Seen, out: &mut Vec<Patch>) {
        out.clear();
        self.chosen.clear();
        let (columns, rows) = self.levels.first().map_or((0, 0), |l| (l.columns, l.rows));
        self.cover.clear();
        self.cover.resize(columns as usize * rows as usize, NOTHING);
        let root = self.levels.len() as u32 - 1;
        let mut waiting = vec![(root, 0, 0)];
        while let Some((level, x, z)) = waiting.pop() {
            let Some(bounds) = self.bounds(level, x, z, seen) else { continue };
            if !seen.frustum.may_see(&bounds) {
                continue;
            }
            let square = self.cell * (1_u32 << level) as f32;
            if level > 0 && seen.pixels_of(square, &bounds) > SQUARE_PX {
                waiting.extend([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dz)| (level - 1, x * 2 + dx, z * 2 + dz)));
                continue;
            }
            self.chosen.push((level, x, z));
            let (left, right) = (x << level, ((x + 1) << level).min(columns));
            for row in z << level..((z + 1) << level).min(rows) {
                let start = (row * columns) as usize;
                self.cover[start + left as usize..start + right as usize].fill(level as u8);
            }
        }
        out.extend(self.chosen.iter().map(|place| self.patch(*place)));
    }

    /// `None` outside.
    fn bounds(&self, level: u32, x: u32, z: u32, seen: &Seen) -> Option<Aabb> {
        let of = self.levels.get(level as usize)?;
        if x >= of.columns || z >= of.rows {
            return None;
        }
        let [low, high] = *of.ranges.get((z * of.columns + x) as usize)?;
        let at = |index: u32, last: u32| ((index * SIDE) << level).min(last) as f32 * self.cell;
        let [east, north] = self.last;
        let low = (low * seen.exaggeration).min(seen.base);
        Some(Aabb {
            min: scene_from_ground(at(x, east), low, at(z + 1, north)),
            max: scene_from_ground(at(x + 1, east), high * seen.exaggeration, at(z, north)),
        })
    }

    fn patch(&self, (level, x, z): (u32, u32, u32)) -> Patch {
        let (columns, rows) = self.levels.first().map_or((0, 0), |l| (l.columns, l.rows));
        let (left, south) = (x << level, z << level);
        let (right, north) = ((x + 1) << level, (z + 1) << level);
        let coarser = |x: Option<u32>, z: Option<u32>| {
            let at = x.filter(|x| *x < columns).zip(z.filter(|z| *z < rows));
            let cover = at.and_then(|(x, z)| self.cover.get((z * columns + x) as usize)).copied().unwrap_or(NOTHING);
            if cover == NOTHING { 0 } else { u32::from(cover).saturating_sub(level).min(MAX_STEPS) }
        };
        let neighbours = [
            coarser(left.checked_sub(1), Some(south)),
            coarser(Some(right), Some(south)),
            coarser(Some(left), south.checked_sub(1)),
            coarser(Some(left), Some(north)),
        ];
        let ends = [left == 0, right >= columns, south == 0, north >= rows];
        let steps = neighbours.iter().zip(0..).map(|(steps, edge)| steps << (edge * 3));
        let walls = ends.iter().zip(12..).map(|(end, bit)| u32::from(*end) << bit);
        Patch {
            origin: [left * SIDE, south * SIDE],
            stride: 1 << level,
            edges: steps.chain(walls).fold(0, |all, bits| all | bits),
        }
    }
}

fn finest(last: [u32; 2], heights: &[f32], columns: usize) -> Level {
    let [across, down] = last.map(|last| last.div_ceil(SIDE));
    let mut ranges = Vec::with_capacity(across as usize * down as usize);
    for z in 0..down {
        for x in 0..across {
            // With the samples on both of its edges.
            let span = |index: u32, last: u32| (index * SIDE) as usize..=((index + 1) * SIDE).min(last) as usize;
            let mut range = [f32::INFINITY, f32::NEG_INFINITY];
            for row in span(z, last[1]) {
                let xs = span(x, last[0]);
                let samples = &heights[row * columns + xs.start()..=row * columns + xs.end()];
                range = samples.iter().fold(range, |[low, high], h| [low.min(*h), high.max(*h)]);
            }
            ranges.push(range);
        }
    }
    Level { columns: across, rows: down, ranges }
}

fn coarser(of: &Level) -> Level {
    let (columns, rows) = (of.columns.div_ceil(2), of.rows.div_ceil(2));
    let mut ranges = Vec::with_capacity(columns as usize * rows as usize);
    for z in 0..rows {
        for x in 0..columns {
            let mut range = [f32::INFINITY, f32::NEG_INFINITY];
            for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (x, z) = ((x * 2 + dx).min(of.columns - 1), (z * 2 + dz).min(of.rows - 1));
                let [low, high] = of.ranges[(z * of.columns + x) as usize];
                range = [range[0].min(low), range[1].max(high)];
            }
            ranges.push(range);
        }
    }
    Level { columns, rows, ranges }
}

/// Squares of a patch in one direction.
const SIDE: u32 = 64;

/// Which part of a patch a vertex belongs to; mirrored in `shaders/terrain.wgsl`.
#[derive(Clone, Copy)]
enum Part {
    Ground = 0,
    /// The first of four walls (west, east, south, north) at the edge of the map: their tops, then their feet.
    Top = 1,
    Foot = 5,
}

/// Column, row, part.
type PatchVertex = [u8; 4];

/// Vertices of a patch and the triangles between them, anticlockwise seen from above and from outside.
pub(super) fn mesh() -> (Vec<PatchVertex>, Vec<u16>) {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    let line = SIDE as u16 + 1;
    for z in 0..line {
        vertices.extend((0..line).map(|x| [x as u8, z as u8, Part::Ground as u8, 0]));
    }
    for z in 0..line - 1 {
        for x in 0..line - 1 {
            let south_west = z * line + x;
            let (south_east, north_west, north_east) = (south_west + 1, south_west + line, south_west + line + 1);
            // The game's own diagonal: from the south-east to the north-west.
            indices.extend([south_west, south_east, north_west, south_east, north_east, north_west]);
        }
    }
    for wall in 0..4_u8 {
        let first = vertices.len() as u16;
        for step in 0..line {
            let (step, end) = (step as u8, SIDE as u8);
            let [x, z] = [[0, step], [end, step], [step, 0], [step, end]][usize::from(wall)];
            vertices.push([x, z, Part::Top as u8 + wall, 0]);
            vertices.push([x, z, Part::Foot as u8 + wall, 0]);
        }
        for step in 0..line - 1 {
            let top = first + step * 2;
            let (foot, next_top, next_foot) = (top + 1, top + 2, top + 3);
            // From outside the western and the northern wall run from left to right as they are numbered from right to left.
            let outward = [true, false, false, true][usize::from(wall)];
            let triangles = [top, foot, next_top, next_top, foot, next_foot];
            let turned = [top, next_top, foot, next_top, next_foot, foot];
            indices.extend(if outward { turned } else { triangles });
        }
    }
    (vertices, indices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::camera::{OrbitCamera, ViewDirection};
    use glam::Vec3;

    fn flat(columns: u32, rows: u32) -> Patches {
        let heights = vec![0.0; columns as usize * rows as usize];
        let grid = HeightGrid { columns, rows, cell: 1.0, heights: heights.clone().into() };
        Patches::new(&grid, &heights).unwrap()
    }

    fn seen(camera: &OrbitCamera) -> Seen {
        Seen::new(camera, (800, 600), 1.0, -1.0)
    }

    /// Every square once, by the patches alone.
    fn covered(patches: &[Patch], last: [u32; 2]) -> Vec<u32> {
        let mut count = vec![0; last[0] as usize * last[1] as usize];
        for patch in patches {
            let size = SIDE * patch.stride;
            for z in patch.origin[1]..(patch.origin[1] + size).min(last[1]) {
                for x in patch.origin[0]..(patch.origin[0] + size).min(last[0]) {
                    count[(z * last[0] + x) as usize] += 1;
                }
            }
        }
        count
    }

    #[test]
    fn patches_cover_the_ground_once_and_are_finer_where_it_is_near() {
        let mut patches = flat(1000, 301);
        let bounds = Aabb { min: Vec3::new(0.0, 0.0, -300.0), max: Vec3::new(999.0, 0.0, 0.0) };
        let mut camera = OrbitCamera::framing(&bounds, ViewDirection::Top, 4.0 / 3.0);
        let mut out = Vec::new();
        patches.select(&seen(&camera), &mut out);
        assert!(covered(&out, [999, 300]).iter().all(|n| *n == 1), "each square once");
        // 999 m over about 500 pixels: squares of 8 m are four pixels.
        assert!(out.iter().all(|p| p.stride == 4 || p.stride == 8), "{out:?}");
        camera.orthographic = true;
        patches.select(&seen(&camera), &mut out);
        assert!(covered(&out, [999, 300]).iter().all(|n| *n == 1), "each square once");
        // Low over a corner.
        camera = OrbitCamera { distance: 20.0, pitch: 0.2, yaw: -0.8, focus: Vec3::new(100.0, 0.0, -50.0), ..camera };
        camera.orthographic = false;
        patches.select(&seen(&camera), &mut out);
        let strides: Vec<u32> = out.iter().map(|p| p.stride).collect();
        assert!(strides.contains(&1) && strides.iter().any(|s| *s > 1), "{strides:?}");
    }

    #[test]
    fn edges_know_their_coarser_neighbours_and_the_maps_end() {
        let mut patches = flat(513, 513);
        let camera = OrbitCamera {
            focus: Vec3::new(10.0, 0.0, -10.0),
            distance: 60.0,
            pitch: 0.2,
            yaw: -0.8,
            extent: 700.0,
            ..OrbitCamera::default()
        };
        let mut out = Vec::new();
        patches.select(&seen(&camera), &mut out);
        let mut steps = 0;
        for patch in &out {
            let size = SIDE * patch.stride;
            let [x, z] = patch.origin;
            assert_eq!(patch.edges >> 12 & 1 != 0, x == 0);
            assert_eq!(patch.edges >> 13 & 1 != 0, x + size >= 512);
            let east = out
                .iter()
                .find(|o| o.origin[0] == x + size && (o.origin[1]..o.origin[1] + SIDE * o.stride).contains(&z));
            let coarser = east.map_or(0, |e| (e.stride / patch.stride).max(1).ilog2());
            assert_eq!(patch.edges >> 3 & 7, coarser, "{patch:?}");
            steps += coarser;
        }
        assert!(steps > 0, "some neighbour is coarser: {out:?}");
    }

    #[test]
    fn what_has_no_square_has_no_patches() {
        for (columns, rows) in [(0, 0), (1, 1), (1, 9), (9, 1)] {
            let heights = vec![1.0; (columns * rows) as usize];
            let grid = HeightGrid { columns, rows, cell: 1.0, heights: heights.clone().into() };
            assert!(Patches::new(&grid, &heights).is_none(), "{columns} {rows}");
        }
        for cell in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let grid = HeightGrid { columns: 2, rows: 2, cell, heights: [0.0; 4].into() };
            assert!(Patches::new(&grid, &[0.0; 4]).is_none(), "{cell}");
        }
    }

    #[test]
    fn a_patch_is_small_and_whole() {
        let (vertices, indices) = mesh();
        assert_eq!(vertices.len(), 65 * 65 + 4 * 65 * 2);
        assert_eq!(indices.len(), (64 * 64 + 4 * 64) * 6);
        assert!(indices.iter().all(|i| usize::from(*i) < vertices.len()));
    }

    #[test]
    fn squares_are_split_from_south_east_to_north_west() {
        let (vertices, indices) = mesh();
        let corners: Vec<[u8; 2]> =
            indices[..6].iter().map(|i| [vertices[usize::from(*i)][0], vertices[usize::from(*i)][1]]).collect();
        assert_eq!(corners, [[0, 0], [1, 0], [0, 1], [1, 0], [1, 1], [0, 1]]);
    }

    #[test]
    fn walls_face_outward() {
        let (vertices, indices) = mesh();
        for triangle in indices[64 * 64 * 6..].chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| {
                let [x, z, part, _] = vertices[usize::from(triangle[i])];
                let height = if part >= 5 { 0.0 } else { 1.0 };
                (glam::Vec3::new(f32::from(x), height, -f32::from(z)), part)
            });
            let out = [glam::Vec3::NEG_X, glam::Vec3::X, glam::Vec3::Z, glam::Vec3::NEG_Z];
            let facing = (b.0 - a.0).cross(c.0 - a.0);
            assert!(facing.dot(out[usize::from((a.1 - 1) % 4)]) > 0.0, "{triangle:?}");
        }
    }
}
