//! The particles of sparks, and lightning.

use super::{
    heat_field::HeatField,
    numbers::{self, Random},
};

/// A bit of fire on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mote {
    pub x: f32,
    pub y: f32,
    /// Pixels a frame.
    pub vx: f32,
    pub vy: f32,
    /// Pixels a frame, each frame more.
    pub gravity: f32,
    /// Cosine and sine of the angle that its way bends by in a frame.
    pub bend: (f32, f32),
    pub heat: f32,
    /// Heat that it gains in a frame, or loses.
    pub glow: f32,
    /// Frames that it has left at most.
    pub frames: u16,
}

impl Mote {
    /// One that goes straight at an even heat for so many frames.
    pub(super) fn straight(x: f32, y: f32, vx: f32, vy: f32, heat: f32, frames: u16) -> Self {
        Self { x, y, vx, vy, gravity: 0.0, bend: (1.0, 0.0), heat, glow: 0.0, frames }
    }

    /// One that goes straight and cools by so much a frame, until it is cold.
    pub(super) fn fading(x: f32, y: f32, vx: f32, vy: f32, heat: f32, loss: f32) -> Self {
        Self { glow: -loss, ..Self::straight(x, y, vx, vy, heat, u16::MAX) }
    }

    pub(super) fn falling(self, gravity: f32) -> Self {
        Self { gravity, ..self }
    }

    /// Goes round a circle of this diameter in pixels, at the speed it has.
    pub(super) fn circling(self, diameter: f32) -> Self {
        let speed = (self.vx * self.vx + self.vy * self.vy).sqrt();
        let around = (diameter * std::f32::consts::PI).max(4.0);
        let turns = speed / around;
        Self { bend: (numbers::cosine(turns), numbers::sine(turns)), ..self }
    }

    /// Shows itself and goes on; `false` when it is spent.
    fn step(&mut self, field: &mut HeatField) -> bool {
        field.light(self.x, self.y, self.heat);
        self.x += self.vx;
        self.y += self.vy;
        let (cos, sin) = self.bend;
        (self.vx, self.vy) = (self.vx * cos - self.vy * sin, self.vx * sin + self.vy * cos + self.gravity);
        self.heat += self.glow;
        self.frames = self.frames.saturating_sub(1);
        self.frames > 0 && self.heat >= 1.0 && self.heat < 256.0
    }
}

/// All motes of a fire; never more than were allowed.
#[derive(Clone, Debug)]
pub(super) struct Motes {
    list: Vec<Mote>,
    most: usize,
}

impl Motes {
    pub(super) fn new(most: usize) -> Self {
        Self { list: Vec::new(), most }
    }

    /// Adds one if there is room.
    pub(super) fn throw(&mut self, mote: Mote) {
        if self.list.len() < self.most {
            self.list.push(mote);
        }
    }

    /// The share of the room that is free: 1 while there are none.
    pub(super) fn room(&self) -> f32 {
        1.0 - self.list.len() as f32 / self.most.max(1) as f32
    }

    pub(super) fn step(&mut self, field: &mut HeatField) {
        self.list.retain_mut(|m| m.step(field));
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

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
