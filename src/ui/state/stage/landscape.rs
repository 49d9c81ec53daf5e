//! The landscape on a stage, and measuring on it.

use crate::{
    scene::{Aabb, HeightRange, Terrain, TerrainPicker, TerrainStatistics},
    ui::place::Place,
};
use glam::Vec2;
use std::sync::Arc;

/// Points of one measure; more add nothing that could be told apart.
const MAX_POINTS: usize = 500;

/// A landscape in the viewport, in the place of a model.
#[derive(Debug)]
pub struct LandscapeStage {
    pub place: Place,
    pub terrain: Arc<Terrain>,
    /// Changes whenever another one is shown.
    pub generation: u64,
    /// Of the ground and what stands on it.
    pub bounds: Aabb,
    pub range: Option<HeightRange>,
    /// For pointing at it.
    pub picker: Arc<TerrainPicker>,
    pub survey: Survey,
    /// Numbers of the landscape, once they were asked for.
    pub statistics: Option<ShownStatistics>,
}

/// Numbers of a landscape; `None` while they are counted.
pub type ShownStatistics = Option<Arc<TerrainStatistics>>;

/// The tool that measures, and the question where to go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Clicks add points.
    pub is_on: bool,
    /// East and north of each, in metres.
    pub points: Vec<Vec2>,
    /// Further clicks begin another measure.
    pub is_ended: bool,
    /// Coordinates are being typed in.
    pub asks_place: bool,
}

impl Survey {
    /// Adds a point; after the end of a measure it is the first of another.
    pub(crate) fn add(&mut self, point: Vec2) {
        if !point.is_finite() {
            return;
        }
        if std::mem::take(&mut self.is_ended) {
            self.points.clear();
        }
        // A double click is one place.
        if self.points.len() < MAX_POINTS && self.points.last() != Some(&point) {
            self.points.push(point);
        }
    }

    /// Whether Enter and Escape are for the measure.
    pub fn is_open(&self) -> bool {
        self.is_on && !self.is_ended && !self.points.is_empty()
    }

    /// Takes all points off; without any the tool is put away.
    pub(crate) fn clear(&mut self) {
        self.is_on &= !self.points.is_empty();
        self.points.clear();
        self.is_ended = false;
    }
}

/// East and north in a text: two numbers with a comma, a semicolon or a space between them. Numbers may have units of metres and
/// spaces for thousands only where a comma or a semicolon parts them.
pub fn coordinates(text: &str) -> Option<Vec2> {
    let parts: Vec<&str> = match text.contains([',', ';']) {
        true => text.split([',', ';']).collect(),
        false => text.split_whitespace().collect(),
    };
    let number = |part: &str| {
        let plain: String = part.chars().filter(|c| !c.is_whitespace() && *c != 'm').collect();
        plain.replace('−', "-").parse::<f32>().ok().filter(|number| number.is_finite())
    };
    match parts.as_slice() {
        [east, north] => Some(Vec2::new(number(east)?, number(north)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_goes_on_until_it_is_ended_and_the_next_begins_anew() {
        let mut survey = Survey { is_on: true, ..Survey::default() };
        assert!(!survey.is_open());
        for point in [Vec2::ZERO, Vec2::X, Vec2::X, Vec2::NAN] {
            survey.add(point);
        }
        assert_eq!(survey.points, [Vec2::ZERO, Vec2::X]);
        assert!(survey.is_open());
        survey.is_ended = true;
        survey.add(Vec2::Y);
        assert_eq!((survey.points.as_slice(), survey.is_ended), ([Vec2::Y].as_slice(), false));
        survey.clear();
        assert!(survey.points.is_empty() && survey.is_on);
        survey.clear();
        assert!(!survey.is_on);
        for index in 0..2_000 {
            survey.add(Vec2::new(index as f32, 0.0));
        }
        assert_eq!(survey.points.len(), MAX_POINTS);
    }

    #[test]
    fn coordinates_are_read_in_every_dress() {
        for text in ["1200, 3400.5", "1200 3400.5", " 1200m;3400.5 m ", "1 200, 3 400.5"] {
            assert_eq!(coordinates(text), Some(Vec2::new(1200.0, 3400.5)), "{text}");
        }
        assert_eq!(coordinates("−5, 7"), Some(Vec2::new(-5.0, 7.0)));
        for text in ["", "12", "a, b", "NaN, 3", "inf 2", "1,2,3", "1e99, 0"] {
            assert_eq!(coordinates(text), None, "{text}");
        }
    }
}
