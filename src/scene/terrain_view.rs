//! How a landscape is looked at.

use super::{Prop, Terrain};
use std::sync::Arc;

/// What colours the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TerrainTint {
    /// By height, like an atlas.
    #[default]
    Height,
    /// By how steep it is.
    Slope,
    /// Hill shading alone.
    Plain,
}

/// What colours the props.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PropColors {
    /// The file's own.
    #[default]
    File,
    /// One a class.
    Class,
    /// One a type.
    Kind,
}

/// Switches of a landscape's picture.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainView {
    pub tint: TerrainTint,
    pub contours: bool,
    /// Metres between contour lines; 0 chooses by the range of heights.
    pub contour_step: f32,
    /// The sea, at height 0.
    pub water: bool,
    /// Heights are drawn this many times as high.
    pub exaggeration: f32,
    pub wireframe: bool,
    /// Lines every 100 m or 1 km, by distance.
    pub grid: bool,
    pub props: bool,
    /// Models in the place of boxes, where there are any.
    pub bodies: bool,
    pub prop_colors: PropColors,
    pub zones: bool,
    pub pictures: bool,
    /// One for each of [`Terrain::kinds`]; shorter for none hidden.
    pub hidden_kinds: Arc<[bool]>,
    /// Into [`Terrain::props`], ascending: drawn with an outline.
    pub selected: Arc<[u32]>,
}

impl Default for TerrainView {
    fn default() -> Self {
        Self {
            tint: TerrainTint::Height,
            contours: true,
            contour_step: 0.0,
            water: true,
            exaggeration: 1.0,
            wireframe: false,
            grid: false,
            props: true,
            bodies: true,
            prop_colors: PropColors::File,
            zones: true,
            pictures: false,
            hidden_kinds: Arc::default(),
            selected: Arc::default(),
        }
    }
}

impl TerrainTint {
    pub const ALL: [Self; 3] = [Self::Height, Self::Slope, Self::Plain];
}

impl PropColors {
    pub const ALL: [Self; 3] = [Self::File, Self::Class, Self::Kind];
}

impl TerrainView {
    pub fn shows_kind(&self, kind: u32) -> bool {
        !self.hidden_kinds.get(kind as usize).copied().unwrap_or(false)
    }

    pub fn shows(&self, prop: &Prop) -> bool {
        self.props && self.shows_kind(prop.kind)
    }

    pub fn is_selected(&self, prop: u32) -> bool {
        self.selected.binary_search(&prop).is_ok()
    }

    /// Metres between contour lines: what was asked for, or a round number that makes about 25 of them.
    pub fn contour_step(&self, terrain: &Terrain) -> f32 {
        if self.contour_step > 0.0 && self.contour_step.is_finite() {
            return self.contour_step;
        }
        let span = terrain.grid.range().map_or(0.0, |range| range.max - range.min);
        round_step(span / 25.0)
    }
}

/// The nearest of 1, 2, 5, 10, 20, 50 … that is not less; 1 for less than that.
fn round_step(wanted: f32) -> f32 {
    if !wanted.is_finite() || wanted <= 1.0 {
        return 1.0;
    }
    let power = 10f32.powf(wanted.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= wanted * 0.999).unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contour_steps_are_round() {
        for (wanted, step) in
            [(0.2, 1.0), (1.0, 1.0), (1.5, 2.0), (4.0, 5.0), (10.0, 10.0), (12.0, 20.0), (340.0, 500.0)]
        {
            assert_eq!(round_step(wanted), step, "{wanted}");
        }
        assert_eq!(round_step(f32::NAN), 1.0);
    }
}
