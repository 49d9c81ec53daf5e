//! Positions of a ruler in points.

use egui::Rect;

/// Positions to points and back.
#[derive(Clone, Copy)]
pub struct Scale {
    pub inner: Rect,
    pub end: f64,
    /// Each position is a picture, as wide as one step.
    pub is_whole: bool,
}

impl Scale {
    pub fn x(&self, position: f64) -> f32 {
        self.inner.left() + (position / self.end) as f32 * self.inner.width()
    }

    pub fn position(&self, x: f32, last: f64) -> f64 {
        let share = ((x - self.inner.left()) / self.inner.width().max(1.0)).clamp(0.0, 1.0);
        let position = (f64::from(share) * self.end).min(last);
        if self.is_whole { position.floor() } else { position }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn a_press_goes_to_what_is_drawn_there() {
        let inner = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 26.0));
        let frames = Scale { inner, end: 40.0, is_whole: false };
        assert_eq!((frames.x(10.0), frames.position(200.0, 39.0)), (200.0, 10.0));
        assert_eq!((frames.position(0.0, 39.0), frames.position(900.0, 39.0)), (0.0, 39.0));
        let pictures = Scale { inner, end: 8.0, is_whole: true };
        assert_eq!((pictures.position(124.0, 7.0), pictures.position(151.0, 7.0)), (0.0, 1.0));
        assert_eq!(pictures.position(500.0, 7.0), 7.0);
    }
}
