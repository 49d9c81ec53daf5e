//! Zones as a picture of their areas, and their outlines along the ground.

use crate::scene::{Image, Terrain, TerrainZone};
use glam::Vec2;

/// Texels of the longer side.
const SIDE: u32 = 1024;
/// How much of the ground a zone hides; alpha of the file's colours is no opacity (formats/visitor.md §1.0).
const OPACITY: f32 = 0.3;
/// Corners of all zones that are drawn.
const MAX_CORNERS: usize = 20_000;
/// Pieces of outlines that are drawn.
const MAX_EDGES: usize = 50_000;
const MAX_EDGES_OF_A_SIDE: f32 = 512.0;

/// A piece of an outline.
pub(super) struct Edge {
    /// East, height and north.
    pub ends: [[f32; 3]; 2],
    pub color: [u8; 4],
}

/// Zones that can be drawn, as many as may be.
fn drawn(terrain: &Terrain) -> impl Iterator<Item = &TerrainZone> {
    let mut corners = 0;
    let fits =
        |zone: &&TerrainZone| zone.visible && zone.polygon.len() >= 3 && zone.polygon.iter().all(|p| p.is_finite());
    terrain.zones.iter().filter(fits).take_while(move |zone| {
        corners += zone.polygon.len();
        corners <= MAX_CORNERS
    })
}

/// The areas of all zones with colours times alpha, and the south-west corner and size of the picture in metres.
pub(super) fn painted(terrain: &Terrain) -> Option<(Image, [Vec2; 2])> {
    let map = Vec2::new(terrain.grid.width(), terrain.grid.depth());
    let corners = || drawn(terrain).flat_map(|zone| zone.polygon.iter());
    let first = *corners().next()?;
    let (low, high) = corners().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
    let (low, high) = (low.max(Vec2::ZERO), high.min(map));
    let size = high - low;
    if !size.is_finite() || size.min_element() <= 0.0 {
        return None;
    }
    let longer = size.max_element();
    let [width, height] = [size.x, size.y].map(|side| ((side / longer * SIDE as f32).ceil() as u32).clamp(1, SIDE));
    let texel = size / Vec2::new(width as f32, height as f32);
    let mut colors = vec![[0.0_f32; 4]; width as usize * height as usize];
    let mut crossings: Vec<f32> = Vec::new();
    for zone in drawn(terrain) {
        let [r, g, b] = [0, 1, 2].map(|i| f32::from(zone.fill[i]) / 255.0 * OPACITY);
        for row in 0..height {
            // Rows run from the north.
            let north = high.y - (row as f32 + 0.5) * texel.y;
            cross(&zone.polygon, north, &mut crossings);
            for pair in crossings.chunks_exact(2) {
                let column = |east: f32| ((east - low.x) / texel.x - 0.5).ceil().clamp(0.0, width as f32) as usize;
                let start = row as usize * width as usize;
                let span = start + column(pair[0])..start + column(pair[1]).max(column(pair[0]));
                for color in &mut colors[span] {
                    for (channel, over) in color.iter_mut().zip([r, g, b, OPACITY]) {
                        *channel = over + *channel * (1.0 - OPACITY);
                    }
                }
            }
        }
    }
    let rgba: Vec<u8> = colors.iter().flatten().map(|channel| (channel * 255.0).round() as u8).collect();
    let image = Image { name: "zones".into(), width, height, rgba: rgba.into(), stored_as: String::new() };
    Some((image, [low, size]))
}

/// Where a line from west to east crosses a polygon, from the west.
fn cross(polygon: &[Vec2], north: f32, out: &mut Vec<f32>) {
    out.clear();
    let ends = polygon.iter().zip(polygon.iter().skip(1).chain(polygon.first()));
    for (a, b) in ends.filter(|(a, b)| (a.y <= north) != (b.y <= north)) {
        out.push(a.x + (b.x - a.x) * (north - a.y) / (b.y - a.y));
    }
    out.sort_by(f32::total_cmp);
}

/// The outlines of all zones, in pieces that follow the ground.
pub(super) fn outlines(terrain: &Terrain) -> Vec<Edge> {
    let mut out = Vec::new();
    let grid = &terrain.grid;
    // A little over the ground, so that the lines are not half in it.
    let at = |place: Vec2| {
        let height = grid.ground_at(place.x, place.y).unwrap_or(0.0);
        [place.x, height + grid.cell * 0.02, place.y]
    };
    for zone in drawn(terrain) {
        let [r, g, b, _] = zone.outline;
        let ends = zone.polygon.iter().zip(zone.polygon.iter().skip(1).chain(zone.polygon.first()));
        for (from, to) in ends {
            let pieces = ((*to - *from).length() / grid.cell * 2.0).ceil().clamp(1.0, MAX_EDGES_OF_A_SIDE);
            let pieces = if pieces.is_finite() { pieces } else { 1.0 };
            for piece in 0..pieces as u32 {
                let [start, end] = [piece, piece + 1].map(|step| at(from.lerp(*to, step as f32 / pieces)));
                out.push(Edge { ends: [start, end], color: [r, g, b, 255] });
            }
        }
        if out.len() > MAX_EDGES {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::HeightGrid;

    fn with(polygon: &[[f32; 2]]) -> Terrain {
        let zone = TerrainZone {
            fill: [200, 100, 0, 9],
            visible: true,
            polygon: polygon.iter().map(|p| Vec2::from(*p)).collect(),
            ..TerrainZone::default()
        };
        let grid = HeightGrid { columns: 11, rows: 11, cell: 10.0, heights: vec![5.0; 121].into() };
        Terrain { grid, zones: vec![zone], ..Terrain::default() }
    }

    #[test]
    fn areas_are_inside_their_outlines() {
        // A triangle, high in the west.
        let (image, [low, size]) = painted(&with(&[[20.0, 20.0], [60.0, 20.0], [20.0, 60.0]])).unwrap();
        assert_eq!((low, size, image.width, image.height), (Vec2::splat(20.0), Vec2::splat(40.0), 1024, 1024));
        let alpha = |x: usize, y: usize| image.rgba[(y * 1024 + x) * 4 + 3];
        assert_eq!((alpha(10, 20), alpha(10, 1010), alpha(1000, 1020)), (77, 77, 77));
        assert_eq!((alpha(30, 20), alpha(1020, 500), alpha(600, 300)), (0, 0, 0));
        assert_eq!(&image.rgba[(1010 * 1024 + 10) * 4..][..4], [60, 30, 0, 77], "times alpha");
    }

    #[test]
    fn what_has_no_area_is_not_painted() {
        for polygon in [
            &[][..],
            &[[1.0, 1.0]; 2],
            &[[5.0, 5.0]; 3],
            &[[f32::NAN, 1.0]; 3],
            &[[-5.0, 1.0], [-9.0, 2.0], [-5.0, 9.0]],
        ] {
            assert!(painted(&with(polygon)).is_none(), "{polygon:?}");
        }
        let huge = with(&[[-1e30, -1e30], [1e30, -1e30], [0.0, 1e30]]);
        assert!(painted(&huge).is_some(), "cut to the map");
        assert!(outlines(&huge).len() <= 3 * 512);
    }

    #[test]
    fn outlines_follow_the_ground() {
        let edges = outlines(&with(&[[20.0, 20.0], [60.0, 20.0], [20.0, 60.0]]));
        assert_eq!(edges.len(), 8 + 12 + 8);
        assert!(edges.iter().all(|e| e.ends.iter().all(|end| (end[1] - 5.2).abs() < 1e-4)));
    }
}
