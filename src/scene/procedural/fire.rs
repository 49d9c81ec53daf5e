//! Fire: sparks feed a field of heat that spreads, rises and cools.

use super::{
    heat_field::{HeatField, cooling},
    mote::{Bolt, Mote, Motes, Sway},
    numbers::{self, Random},
    spark::{Spark, SparkKind},
};
use std::sync::Arc;

/// Sparks and motes together that a fire has at most, whatever its file says.
pub const MAX_SPARKS: u16 = 8192;
/// Sparks and motes together, where a file says nothing.
pub const USUAL_SPARKS: u16 = 1024;

/// Where the fire is cooler than this a star shines through.
const STAR_SHOWS_BELOW: u8 = 24;
/// Share of the frames in which a spark throws a mote while there are none; the fewer the fuller the room for motes is.
const THROWS: f32 = 0.5;
/// Heat that fading motes lose in a frame: thrown ones, rising ones, fast ones.
const THROWN_LOSS: f32 = 4.0;
const RISING_LOSS: f32 = 3.0;
const FAST_LOSS: f32 = 5.0;
/// Heat that motes of clouds gain in a frame.
const CLOUD_GAIN: f32 = 4.0;
/// Pixels a frame, each frame more.
const GRAVITY: f32 = 1.0 / 64.0;

/// What a fire is made of.
#[derive(Clone, Debug)]
pub struct Fire {
    /// Sources of heat.
    pub sparks: Arc<[Spark]>,
    /// How slowly it cools: 255 burns highest.
    pub render_heat: u8,
    /// The whole picture moves up a pixel a frame.
    pub rising: bool,
    /// Sparks and motes together at most; 0 says nothing.
    pub most_sparks: u16,
}

impl Fire {
    /// Sparks and motes at once, at most.
    pub fn most(&self) -> usize {
        usize::from(if self.most_sparks == 0 { USUAL_SPARKS } else { self.most_sparks.min(MAX_SPARKS) })
    }
}

/// A spark at work.
#[derive(Clone, Copy, Debug)]
struct Source {
    spark: Spark,
    x: f32,
    y: f32,
    /// In turns.
    phase: f32,
    second_phase: f32,
    /// Heat that a spell has.
    spell: f32,
}

/// A fire as it burns.
#[derive(Clone, Debug)]
pub(super) struct Burning {
    field: HeatField,
    sources: Vec<Source>,
    motes: Motes,
    stars: Vec<Spark>,
    cooling: u16,
    rising: bool,
    random: Random,
    /// The field with the stars: palette indices, row by row from the top.
    picture: Vec<u8>,
    width: usize,
}

/// −1 to 1 from a byte that stands still at 128.
fn speed(byte: u8) -> f32 {
    let from_rest = f32::from(byte) - 128.0;
    if from_rest < 0.0 { from_rest / 128.0 } else { from_rest / 127.0 }
}

/// Turns a frame from a byte that stands still at 128.
fn turning(byte: u8) -> f32 {
    (f32::from(byte) - 128.0) / 256.0
}

/// Turns from a byte.
fn phase(byte: u8) -> f32 {
    f32::from(byte) / 256.0
}

/// The area that an inverse area byte says, in pixels.
fn area(byte: u8) -> f32 {
    255.0 - f32::from(byte)
}

impl Burning {
    pub(super) fn new(fire: &Fire, width: usize, height: usize, seed: u64) -> Self {
        let most = fire.most();
        let sources: Vec<Source> = fire.sparks.iter().take(most).map(|s| Source::new(*s)).collect();
        let stars = fire.sparks.iter().take(most).filter(|s| s.kind == SparkKind::Stars).copied().collect();
        let field = HeatField::new(width, height);
        Self {
            picture: field.cells().to_vec(),
            field,
            motes: Motes::new(most.saturating_sub(sources.len())),
            sources,
            stars,
            cooling: cooling(fire.render_heat),
            rising: fire.rising,
            random: Random::new(seed),
            width: width.max(1),
        }
    }

    pub(super) fn step(&mut self) {
        self.feed();
        self.field.spread(self.cooling, self.rising);
        self.picture.copy_from_slice(self.field.cells());
        for star in &self.stars {
            let mut rows = self.picture.chunks_exact_mut(self.width);
            let cell = rows.nth(usize::from(star.y)).and_then(|r| r.get_mut(usize::from(star.x)));
            if let Some(cell) = cell.filter(|c| **c < STAR_SHOWS_BELOW) {
                *cell = star.heat;
            }
        }
    }

    /// Palette indices, row by row from the top.
    pub(super) fn picture(&self) -> &[u8] {
        &self.picture
    }

    /// Motes under way.
    pub(super) fn motes(&self) -> usize {
        self.motes.len()
    }

    /// Sparks and motes heat their cells.
    fn feed(&mut self) {
        // Another one begins each time: where room for motes is scarce, all sparks get their share.
        let begin = (self.random.unit() * self.sources.len() as f32) as usize;
        let Some((early, late)) = self.sources.split_at_mut_checked(begin) else { return };
        for source in late.iter_mut().chain(early) {
            source.act(&mut self.field, &mut self.motes, &mut self.random);
        }
        self.motes.step(&mut self.field);
    }
}

impl Source {
    fn new(spark: Spark) -> Self {
        let first = match spark.kind {
            SparkKind::Lissajous => phase(spark.d),
            _ => phase(spark.a),
        };
        Self { spark, x: f32::from(spark.x), y: f32::from(spark.y), phase: first, second_phase: 0.0, spell: 0.0 }
    }

    /// What one frame of it does to the field and the motes.
    fn act(&mut self, field: &mut HeatField, motes: &mut Motes, random: &mut Random) {
        use SparkKind as K;
        let Spark { kind, a, b, c, d, .. } = self.spark;
        let heat = f32::from(self.spark.heat);
        match kind {
            K::Burn => field.light(self.x, self.y, heat * random.unit()),
            K::Sparkle => {
                let (x, y) = (f32::from(a) * random.unit(), f32::from(b) * random.unit());
                field.light(self.x + x, self.y + y, heat);
            }
            K::Pulse => {
                field.light(self.x, self.y, (heat * numbers::sine(self.phase)).max(0.0));
                self.phase = wrapped(self.phase + phase(c));
            }
            K::Signal => {
                if random.chance((f32::from(c) + 1.0) / 256.0) {
                    let bright = random.chance(heat / 255.0);
                    self.spell = if bright { 128.0 + 127.0 * random.unit() } else { 0.0 };
                }
                field.light(self.x, self.y, self.spell);
            }
            K::Cylinder | K::Cylinder3D => {
                let x = self.x + numbers::sine(self.phase) * f32::from(c) / 2.0;
                let front = numbers::cosine(self.phase);
                if kind == K::Cylinder || front >= 0.0 {
                    field.light(x, self.y, facing(heat, front));
                }
                self.phase = wrapped(self.phase + turning(b));
            }
            K::Lissajous => {
                let half = f32::from(c) / 2.0;
                let (x, y) = (numbers::sine(self.phase) * half, numbers::sine(self.second_phase) * half);
                field.light(self.x + x, self.y + y, facing(heat, numbers::cosine(self.phase)));
                self.phase = wrapped(self.phase + turning(a));
                self.second_phase = wrapped(self.second_phase + turning(b));
            }
            K::Jugglers => {
                let y = self.y + numbers::sine(self.phase) * f32::from(c) / 2.0;
                field.light(self.x, y, facing(heat, numbers::cosine(self.phase)));
                self.phase = wrapped(self.phase + turning(b));
            }
            K::Stars => {}
            K::LineLightning | K::RampLightning => {
                if !random.chance(f32::from(d) / 256.0) {
                    let (dx, dy) = (f32::from(a.cast_signed()), f32::from(b.cast_signed()));
                    let ramp = kind == K::RampLightning;
                    Bolt { x: self.x, y: self.y, dx, dy, heat, ramp, sway: Sway::Between }.strike(field, random);
                }
            }
            K::SphereLightning => {
                if !random.chance(f32::from(d) / 256.0) {
                    let (angle, radius) = (random.unit(), f32::from(c) / 2.0);
                    let (dx, dy) = (numbers::cosine(angle) * radius, numbers::sine(angle) * radius);
                    Bolt { x: self.x, y: self.y, dx, dy, heat, ramp: false, sway: Sway::Outwards }
                        .strike(field, random);
                }
            }
            _ => {
                self.wander(random);
                if random.chance(THROWS * motes.room())
                    && let Some(mote) = self.mote(random)
                {
                    motes.throw(mote);
                }
                if matches!(kind, K::Wheel | K::Sprinkler) {
                    self.phase = wrapped(self.phase + turning(b));
                }
            }
        }
    }

    /// Wandering sparks take a step in any direction.
    fn wander(&mut self, random: &mut Random) {
        use SparkKind as K;
        if matches!(
            self.spark.kind,
            K::Flocks | K::Eels | K::WanderOrganic | K::RandomCloud | K::CustomCloud | K::Gametes
        ) {
            self.x += random.nudge();
            self.y += random.nudge();
        }
    }

    /// The mote that it throws next; `None` for kinds that throw none.
    fn mote(&self, random: &mut Random) -> Option<Mote> {
        use SparkKind as K;
        let Spark { kind, a, b, c, d, .. } = self.spark;
        let heat = f32::from(self.spark.heat);
        let (x, y) = (self.x, self.y);
        let any_way = |random: &mut Random| {
            let angle = random.unit();
            (numbers::cosine(angle), numbers::sine(angle))
        };
        Some(match kind {
            K::Blaze | K::Cone => {
                let ((cos, sin), pace) = (any_way(random), random.unit());
                let fall = if kind == K::Cone { GRAVITY } else { 0.0 };
                Mote::fading(x, y, cos * pace, sin * pace, heat, THROWN_LOSS).falling(fall)
            }
            K::BlazeRight | K::BlazeLeft => {
                let (aside, up) = (0.25 + 0.75 * random.unit(), -random.unit());
                let aside = if kind == K::BlazeRight { aside } else { -aside };
                Mote::fading(x, y, aside, up, heat, THROWN_LOSS).falling(2.0 * GRAVITY)
            }
            K::OzHasSpoken => Mote::fading(x, y, random.signed() * 0.25, -1.0, heat, RISING_LOSS),
            K::Emit | K::Fountain => {
                // Full speed and rest are exact; what lies between scatters.
                let scatter = |v: f32, random: &mut Random| v + random.signed() * v * (1.0 - v.abs());
                let (vx, vy) = (scatter(speed(a), random), scatter(speed(b), random));
                let frames = u16::from(c.max(1));
                let fall = if kind == K::Fountain { GRAVITY } else { 0.0 };
                let mote = Mote::straight(x, y, vx, vy, heat, frames).falling(fall);
                Mote { glow: -heat / f32::from(frames), ..mote }
            }
            K::Flocks => {
                let (cos, sin) = any_way(random);
                Mote::straight(x, y, cos, sin, heat, u16::from(b.max(1))).circling(area(d))
            }
            K::Eels => {
                let (cos, sin) = any_way(random);
                Mote::straight(x, y, cos, sin, heat, u16::from(c.max(1)))
            }
            K::Gametes => {
                let angle = (random.unit() * 16.0).floor() / 16.0;
                Mote::straight(
                    x,
                    y,
                    numbers::cosine(angle) * 0.5,
                    numbers::sine(angle) * 0.5,
                    heat,
                    u16::from(c.max(1)),
                )
            }
            K::Organic | K::WanderOrganic => {
                let aside = 0.25 + 0.25 * random.unit();
                let aside = if random.chance(0.5) { aside } else { -aside };
                Mote::fading(x, y, aside, -2.0, heat, FAST_LOSS)
            }
            K::RandomCloud => Mote::fading(x, y, 0.0, -2.0, heat, FAST_LOSS),
            K::CustomCloud | K::LocalCloud => {
                let side = if kind == K::LocalCloud { area(d) } else { 0.0 };
                let (right, down) = (random.unit() * side, random.unit() * side);
                let mote = Mote::straight(x + right, y + down, speed(a), speed(b), f32::from(d.max(1)), u16::MAX);
                Mote { glow: CLOUD_GAIN, ..mote }
            }
            K::Wheel => {
                let (cos, sin) = (numbers::cosine(self.phase), numbers::sine(self.phase));
                Mote::straight(x, y, cos, sin, heat, u16::from(c.max(1))).circling(area(d))
            }
            K::Sprinkler => Mote::fading(x, y, numbers::sine(self.phase), -1.0, heat, RISING_LOSS),
            _ => return None,
        })
    }
}

/// The brightness of something that goes round: the heat that it has at the far side, full at the front.
fn facing(heat: f32, front: f32) -> f32 {
    heat + (255.0 - heat) * (1.0 + front) / 2.0
}

/// A phase within one turn.
fn wrapped(phase: f32) -> f32 {
    phase - phase.floor()
}

#[cfg(test)]
#[path = "fire_tests.rs"]
mod tests;
