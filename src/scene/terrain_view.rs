//! How a landscape is looked at.

use super::{HeightRange, Prop};
use std::sync::Arc;

/// A colour of the ground and where it stands between two heights, 0..=1.
pub type RampStop = (f32, [u8; 3]);

/// Colours of the ground by height: RGB, from the lowest to the highest. Between two stops they are mixed evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightRamp {
    /// From the deepest ground, at 0, to the sea's level, at 1.
    pub below: [RampStop; 4],
    /// From the sea's level, or the lowest ground when all lies over it, at 0, to the highest ground, at 1.
    pub above: [RampStop; 9],
}

/// As an atlas has it: what the renderer draws and the legend says.
pub const HEIGHT_RAMP: HeightRamp = HeightRamp {
    below: [(0.0, [24, 58, 104]), (0.45, [44, 98, 150]), (0.8, [86, 146, 184]), (1.0, [140, 188, 204])],
    above: [
        (0.0, [218, 205, 160]),
        (0.025, [206, 198, 144]),
        (0.06, [112, 148, 92]),
        (0.22, [138, 166, 98]),
        (0.4, [186, 184, 112]),
        (0.56, [200, 162, 98]),
        (0.72, [158, 116, 80]),
        (0.88, [164, 156, 150]),
        (1.0, [240, 240, 238]),
    ],
};

/// What colours the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
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
    /// Colours of the ground.
    pub tint: TerrainTint,
    /// True if contour lines are drawn.
    pub contours: bool,
    /// Metres between contour lines; 0 chooses by the range of heights.
    pub contour_step: f32,
    /// The sea, at height 0.
    pub water: bool,
    /// Heights are drawn this many times as high.
    pub exaggeration: f32,
    /// True if the edges of the ground's triangles are drawn.
    pub wireframe: bool,
    /// Lines every 100 m or 1 km, by distance.
    pub grid: bool,
    /// True if props are drawn.
    pub props: bool,
    /// Models in the place of boxes, where there are any.
    pub bodies: bool,
    /// Colours of the props.
    pub prop_colors: PropColors,
    /// True if zones are drawn with their names.
    pub zones: bool,
    /// True if background pictures are drawn over the ground.
    pub pictures: bool,
    /// One for each of [`super::Terrain::kinds`]; shorter for none hidden.
    pub hidden_kinds: Arc<[bool]>,
    /// Into [`super::Terrain::props`], ascending: drawn with an outline.
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

/// Colours of the ground by how steep it is: from level at 0 to [`STEEPEST_DEGREES`] at 1.
pub const SLOPE_RAMP: [RampStop; 6] = [
    (0.0, [238, 235, 222]),
    (0.12, [206, 217, 164]),
    (0.3, [236, 212, 118]),
    (0.5, [230, 150, 72]),
    (0.72, [190, 70, 60]),
    (1.0, [104, 34, 74]),
];

/// Where [`SLOPE_RAMP`] ends.
pub const STEEPEST_DEGREES: f32 = 60.0;

impl HeightRamp {
    /// RGB of ground at a height, in metres.
    pub fn color(&self, height: f32, range: &HeightRange) -> [u8; 3] {
        let share = |from: f32, to: f32| if to > from { ((height - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        if height < 0.0 {
            ramp_color(&self.below, share(range.min, range.max.min(0.0)))
        } else {
            ramp_color(&self.above, share(range.min.max(0.0), range.max))
        }
    }
}

/// The colour at a place between the stops of a ramp, 0..=1.
pub fn ramp_color(stops: &[RampStop], at: f32) -> [u8; 3] {
    let next = stops.iter().position(|stop| stop.0 >= at).unwrap_or(stops.len().saturating_sub(1));
    let (Some(high), Some(low)) = (stops.get(next), stops.get(next.saturating_sub(1))) else { return [0; 3] };
    let share = if high.0 > low.0 { (at - low.0) / (high.0 - low.0) } else { 1.0 };
    let mut color = low.1;
    for (channel, to) in color.iter_mut().zip(high.1) {
        *channel = (f32::from(*channel) + (f32::from(to) - f32::from(*channel)) * share).round() as u8;
    }
    color
}

impl TerrainTint {
    /// All tints.
    pub const ALL: [Self; 3] = [Self::Height, Self::Slope, Self::Plain];
}

impl PropColors {
    /// All colourings.
    pub const ALL: [Self; 3] = [Self::File, Self::Class, Self::Kind];
}

impl TerrainView {
    /// True if the props of this type are not hidden; `kind` is an index into [`super::Terrain::kinds`].
    pub fn shows_kind(&self, kind: u32) -> bool {
        !self.hidden_kinds.get(kind as usize).copied().unwrap_or(false)
    }

    /// True if the prop is drawn: props are shown and its type is not hidden.
    pub fn shows(&self, prop: &Prop) -> bool {
        self.props && self.shows_kind(prop.kind)
    }

    /// True if the prop is selected; `prop` is an index into [`super::Terrain::props`].
    pub fn is_selected(&self, prop: u32) -> bool {
        self.selected.binary_search(&prop).is_ok()
    }

    /// Metres between contour lines over heights of this range: what was asked for, or a round number that makes about 25 of
    /// them.
    pub fn contour_step(&self, range: &HeightRange) -> f32 {
        if self.contour_step > 0.0 && self.contour_step.is_finite() {
            return self.contour_step;
        }
        round_step((range.max - range.min) / 25.0)
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
    fn ground_has_its_heights_colour() {
        let ramp = &HEIGHT_RAMP;
        let range = HeightRange { min: -100.0, max: 400.0, mean: 0.0, holes: 0 };
        assert_eq!(ramp.color(-100.0, &range), ramp.below[0].1);
        assert_eq!(ramp.color(-500.0, &range), ramp.below[0].1);
        assert_eq!(ramp.color(0.0, &range), ramp.above[0].1);
        assert_eq!(ramp.color(160.0, &range), ramp.above[4].1);
        assert_eq!(ramp.color(400.0, &range), ramp.above[8].1);
        assert_eq!(ramp.color(124.0, &range), [162, 175, 105], "midway between two stops");
        // Nothing lies at the sea: the lowest ground begins the ramp.
        let high = HeightRange { min: 300.0, ..range };
        assert_eq!(ramp.color(300.0, &high), ramp.above[0].1);
        let flat = HeightRange { min: 7.0, max: 7.0, mean: 7.0, holes: 0 };
        assert_eq!(ramp.color(7.0, &flat), ramp.above[0].1);
        for stops in [&ramp.below[..], &ramp.above[..]] {
            assert!(stops.first().is_some_and(|s| s.0 == 0.0) && stops.last().is_some_and(|s| s.0 == 1.0));
            assert!(stops.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }

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
