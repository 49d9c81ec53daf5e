//! The part of the plane that is seen: frames across, values up.

use egui::{Pos2, Rect, pos2};

/// Fewer frames than this are not zoomed into.
const FEWEST_FRAMES: f64 = 0.5;

/// What is seen of the curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Frames at the left and at the right.
    pub frames: (f64, f64),
    /// Values at the bottom and at the top.
    pub values: (f64, f64),
    /// It fits what is shown, by itself.
    pub fits: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self { frames: (0.0, 1.0), values: (0.0, 1.0), fits: true }
    }
}

impl Window {
    /// Everything between these frames and values, with room around it.
    pub fn fit(&mut self, end: f64, values: (f64, f64)) {
        let span = end.max(1.0);
        self.frames = (-span * 0.02, span * 1.03);
        let (low, high) = if values.0 <= values.1 { values } else { (0.0, 1.0) };
        let middle = (low + high) * 0.5;
        // A straight line gets room too.
        let half = ((high - low) * 0.58).max(middle.abs() * 0.05).max(1e-3);
        let half = if high > low { (high - low) * 0.58 } else { half.max(0.5) };
        self.values = (middle - half, middle + half);
    }

    /// Closer by these factors, with the place `at` staying where it is.
    pub fn zoom(&mut self, by_frames: f64, by_values: f64, at: (f64, f64)) {
        self.fits = false;
        let around = |(low, high): (f64, f64), at: f64, factor: f64, least: f64, most: f64| {
            let span = ((high - low) / factor).clamp(least, most);
            let share = ((at - low) / (high - low)).clamp(-1.0, 2.0);
            (at - share * span, at - share * span + span)
        };
        self.frames = around(self.frames, at.0, by_frames, FEWEST_FRAMES, 1e7);
        self.values = around(self.values, at.1, by_values, 1e-6, 1e12);
    }

    pub fn pan(&mut self, frames: f64, values: f64) {
        self.fits = false;
        self.frames = (self.frames.0 + frames, self.frames.1 + frames);
        self.values = (self.values.0 + values, self.values.1 + values);
    }
}

/// Frames and values to points and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub rect: Rect,
    pub window: Window,
}

impl Scale {
    pub fn x(&self, frame: f64) -> f32 {
        let (left, right) = self.window.frames;
        self.rect.left() + ((frame - left) / (right - left)) as f32 * self.rect.width()
    }

    pub fn y(&self, value: f64) -> f32 {
        let (low, high) = self.window.values;
        self.rect.bottom() - ((value - low) / (high - low)) as f32 * self.rect.height()
    }

    pub fn pos(&self, frame: f32, value: f32) -> Pos2 {
        // Far outside, points are of no use and their numbers only grow.
        let y = self.y(f64::from(value)).clamp(self.rect.top() - 1e4, self.rect.bottom() + 1e4);
        pos2(self.x(f64::from(frame)), y)
    }

    pub fn frame(&self, x: f32) -> f64 {
        let (left, right) = self.window.frames;
        left + f64::from((x - self.rect.left()) / self.rect.width().max(1.0)) * (right - left)
    }

    pub fn value(&self, y: f32) -> f64 {
        let (low, high) = self.window.values;
        low + f64::from((self.rect.bottom() - y) / self.rect.height().max(1.0)) * (high - low)
    }

    /// Points a frame and points a unit of value.
    pub fn density(&self) -> (f32, f32) {
        let ((left, right), (low, high)) = (self.window.frames, self.window.values);
        (self.rect.width() / (right - left) as f32, self.rect.height() / (high - low) as f32)
    }
}

/// A round step of which about `count` go into `span`.
pub fn round_step(span: f64, count: f64, whole: bool) -> f64 {
    let rough = (span / count.max(1.0)).max(1e-12);
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * power).find(|s| *s >= rough).unwrap_or(rough);
    if whole { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_place_under_the_pointer() {
        let mut window = Window { frames: (0.0, 40.0), values: (-1.0, 1.0), fits: true };
        let before = Scale { rect: Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 100.0)), window };
        let at = (before.frame(100.0), before.value(25.0));
        window.zoom(2.0, 4.0, at);
        let after = Scale { window, ..before };
        assert!((after.x(at.0) - 100.0).abs() < 1e-3 && (after.y(at.1) - 25.0).abs() < 1e-3 && !window.fits);
        assert!((after.density().0 - before.density().0 * 2.0).abs() < 1e-3);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([round_step(40.0, 8.0, true), round_step(0.7, 5.0, false)], [5.0, 0.2]);
        assert_eq!(round_step(2.0, 8.0, true), 1.0);
    }

    #[test]
    fn a_straight_line_fits_too() {
        let mut window = Window::default();
        window.fit(40.0, (1.0, 1.0));
        assert!(window.values.0 < 1.0 && window.values.1 > 1.0);
        window.fit(0.0, (f64::MAX, f64::MIN));
        assert!(window.values.0 < window.values.1 && window.frames.0 < window.frames.1);
    }
}
