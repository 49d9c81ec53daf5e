//! How far heights are apart: in no known place of a project, so candidates are ranked (formats/visitor.md §1.4).

use super::{grid::Grid, layers::Background};
use crate::formats::{Choice, Rival};
use glam::Vec2;

/// Metres that are usual.
const USUAL: [f32; 22] = [
    0.5, 1.0, 2.0, 2.5, 4.0, 5.0, 6.25, 7.5, 8.0, 10.0, 12.5, 15.0, 16.0, 20.0, 25.0, 30.0, 32.0, 40.0, 50.0, 60.0,
    80.0, 100.0,
];

/// Metres that backgrounds may say.
const WIDTHS: std::ops::RangeInclusive<f32> = 0.1..=1000.0;

/// Bytes of the header that nobody has described.
const UNDESCRIBED: std::ops::Range<usize> = 7..40;

/// A distance, why it may be that, and whether the file itself says so.
struct Candidate {
    cell: f32,
    why: String,
    is_stated: bool,
}

/// What speaks for distances.
pub struct Evidence<'a> {
    pub header: &'a [u8],
    pub grid: Option<&'a Grid>,
    pub backgrounds: &'a [Background],
    /// How far east and north objects stand, in metres.
    pub reach: Vec2,
    /// The project has textures of the older game.
    pub is_older: bool,
    pub wanted: Option<f32>,
}

/// The distance in metres, whether the file says so, and the choice for people.
pub fn choose(evidence: &Evidence<'_>) -> (f32, bool, Choice) {
    let mut candidates = Vec::new();
    from_header(evidence.header, &mut candidates);
    if let Some(grid) = evidence.grid {
        from_backgrounds(evidence.backgrounds, grid, &mut candidates);
        from_objects(evidence.reach, grid, &mut candidates);
    }
    let mut usual = [(10.0, "Typical of Visitor projects."), (50.0, "Typical of Operation Flashpoint worlds.")];
    if evidence.is_older {
        usual.reverse();
    }
    candidates.extend(usual.map(|(cell, why)| Candidate { cell, why: why.to_owned(), is_stated: false }));
    let overridden = evidence.wanted.is_some();
    if let Some(cell) = evidence.wanted {
        candidates.insert(0, Candidate { cell, why: "Set by the user.".to_owned(), is_stated: true });
    }
    let mut rivals: Vec<Rival> = Vec::new();
    let mut rest = candidates.into_iter();
    // There is one at least.
    let chosen = rest.next().unwrap_or(Candidate { cell: 10.0, why: String::new(), is_stated: false });
    let mut evidence_text = chosen.why;
    for candidate in rest {
        let value = candidate.cell.to_string();
        if (candidate.cell - chosen.cell).abs() <= 1e-4 * chosen.cell {
            if candidate.is_stated && !overridden {
                evidence_text = format!("{evidence_text} {}", candidate.why);
            }
        } else if !rivals.iter().any(|rival| rival.value == value) {
            rivals.push(Rival { value, evidence: candidate.why });
        }
    }
    let choice = Choice {
        id: "cell",
        label: "Sample spacing",
        value: chosen.cell.to_string(),
        evidence: evidence_text,
        rivals,
        overridden,
        number: Some("metres"),
    };
    (chosen.cell, chosen.is_stated, choice)
}

/// Floats of the header that are usual distances; those at offsets that compilers choose come first.
fn from_header(header: &[u8], candidates: &mut Vec<Candidate>) {
    let last = UNDESCRIBED.end.saturating_sub(4);
    let aligned = UNDESCRIBED.filter(|at| at.is_multiple_of(4));
    let others = UNDESCRIBED.filter(|at| !at.is_multiple_of(4));
    for at in aligned.chain(others).filter(|at| *at <= last) {
        let bytes = header.get(at..at.saturating_add(4)).and_then(|b| <[u8; 4]>::try_from(b).ok());
        let Some(value) = bytes.map(f32::from_le_bytes) else { continue };
        if let Some(cell) = USUAL.into_iter().find(|usual| (usual - value).abs() <= 1e-4) {
            let why = format!("The header contains this value as a float at offset {at}.");
            candidates.push(Candidate { cell, why, is_stated: true });
        }
    }
}

/// The largest background probably covers the ground.
fn from_backgrounds(backgrounds: &[Background], grid: &Grid, candidates: &mut Vec<Candidate>) {
    let extent = backgrounds.iter().map(|b| b.offset + b.size).fold(Vec2::ZERO, Vec2::max);
    let cells = extent / Vec2::new(grid.columns as f32, grid.rows as f32);
    for (cell, side) in [(cells.x, "wide"), (cells.y, "deep")] {
        if WIDTHS.contains(&cell) {
            let why = format!("With this spacing, the ground is as {side} as the backgrounds.");
            candidates.push(Candidate { cell, why, is_stated: false });
        }
    }
}

/// The smallest usual distance with which every object stands on the ground.
fn from_objects(reach: Vec2, grid: &Grid, candidates: &mut Vec<Candidate>) {
    if reach == Vec2::ZERO {
        return;
    }
    let least = reach / Vec2::new(grid.columns as f32, grid.rows as f32);
    if let Some(cell) = USUAL.into_iter().find(|usual| *usual >= least.max_element()) {
        let why = "The smallest commonly used spacing at which all objects are on the map.".to_owned();
        candidates.push(Candidate { cell, why, is_stated: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_without_end_say_nothing() {
        let grid = Grid { at: 44, columns: 64, rows: 64, present: 4096 };
        let background = |side: f32| Background {
            range: 0..0,
            file: "a.bmp".to_owned(),
            name: String::new(),
            offset: Vec2::ZERO,
            size: Vec2::splat(side),
            transparency: 0,
            visible: true,
        };
        for (side, expected) in [(64.0 * 7.0, 7.0), (1e30, 10.0), (f32::MAX, 10.0)] {
            let backgrounds = [background(side)];
            let evidence = Evidence {
                header: &[],
                grid: Some(&grid),
                backgrounds: &backgrounds,
                reach: Vec2::ZERO,
                is_older: false,
                wanted: None,
            };
            assert_eq!(choose(&evidence).0, expected, "{side}");
        }
    }
}
