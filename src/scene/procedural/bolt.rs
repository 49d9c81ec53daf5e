//! Lightning.

use super::{heat_field::HeatField, random::Random};

/// Pixels from one bend of a bolt to the next.
const REACH: f32 = 6.0;

/// How a bolt swings about its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sway {
    /// Most in the middle, nothing at both ends: an eighth of the bolt's length, 12 pixels at most.
    Between,
    /// Most at the start, nothing at the end: it never leaves the circle around its start that goes through its end.
    Outwards,
}

/// A bolt between two places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bolt {
    pub x: f32,
    pub y: f32,
    /// From start to end, in pixels.
    pub dx: f32,
    pub dy: f32,
    pub heat: f32,
    /// Its heat falls to nothing towards its end.
    pub ramp: bool,
    pub sway: Sway,
}

impl Bolt {
    /// Strikes once, each time on another way.
    pub(super) fn strike(&self, field: &mut HeatField, random: &mut Random) {
        let length = (self.dx * self.dx + self.dy * self.dy).sqrt();
        let across = if length > 0.0 { (-self.dy / length, self.dx / length) } else { (0.0, 0.0) };
        let steps = self.dx.abs().max(self.dy.abs()).max(1.0);
        let most = match self.sway {
            Sway::Between => (length / 8.0).min(12.0),
            Sway::Outwards => length / 3.0,
        };
        let (mut last, mut next) = (0.0, random.signed() * most);
        let mut walked = 0.0;
        for i in 0..=(steps as u16) {
            let part = f32::from(i) / steps;
            if walked >= REACH {
                walked -= REACH;
                (last, next) = (next, random.signed() * most);
            }
            let room = match self.sway {
                Sway::Between => 4.0 * part * (1.0 - part),
                Sway::Outwards => (1.0 - part) * (part * 4.0).min(1.0),
            };
            let aside = (last + (next - last) * walked / REACH) * room;
            let heat = if self.ramp { self.heat * (1.0 - part) } else { self.heat };
            field.light(self.x + self.dx * part + across.0 * aside, self.y + self.dy * part + across.1 * aside, heat);
            walked += 1.0;
        }
    }
}
