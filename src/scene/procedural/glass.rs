//! A picture seen through uneven glass, one of which moves.

use super::numbers;
use crate::scene::Image;
use std::sync::Arc;

/// Bytes in rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Bytes of a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width × height` of them.
    pub bytes: Arc<[u8]>,
}

impl Plane {
    /// Whether it has all its bytes, and any.
    pub fn is_whole(&self) -> bool {
        let size = u64::from(self.width).saturating_mul(u64::from(self.height));
        size > 0 && self.bytes.len() as u64 == size
    }
}

/// Turns a frame for each step of the frequency.
const TURNS: f32 = 1.0 / 4096.0;

/// How the moving one moves, besides its even speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panning {
    /// Moves at its even speed only.
    #[default]
    Linear,
    /// Swings in a circle.
    Circular,
    /// Round about, never the same way twice.
    Gestation,
    /// From side to side.
    WavyX,
    /// Up and down.
    WavyY,
}

/// A picture and the glass over it.
#[derive(Clone, Debug)]
pub struct Glass {
    /// What is seen; a chequered picture stands in for a missing one.
    pub source: Option<Arc<Image>>,
    /// How far to the right of itself each pixel sees, in pixels; smooth waves stand in for a missing one.
    pub glass: Option<Arc<Plane>>,
    /// A byte each that stands still at 128: 0 is a pixel a frame to the left or up, 255 one to the right or down.
    pub speed: [u8; 2],
    /// How fast it swings: 1/4096 turn a frame each.
    pub frequency: u8,
    /// How far it swings, in pixels.
    pub amplitude: u8,
    /// Shape of the swing that is added to the even speed.
    pub panning: Panning,
    /// Frames a second that speeds are meant for, whatever the rate of the picture; `None` when they are meant for each frame.
    pub timed_hz: Option<f32>,
    /// The glass moves; otherwise the picture does.
    pub glass_moves: bool,
}

/// Where the moving one is.
#[derive(Clone, Debug)]
pub(super) struct Sliding {
    glass: Glass,
    source: Arc<Image>,
    plane: Arc<Plane>,
    /// Pixels.
    x: f32,
    y: f32,
    /// In turns of the slow swing.
    phase: f32,
    /// Of a frame.
    pace: f32,
}

impl Sliding {
    pub(super) fn new(glass: &Glass, width: u32, height: u32, rate_hz: f32) -> Self {
        let pace = match glass.timed_hz {
            Some(meant) if rate_hz > 0.0 => meant / rate_hz,
            _ => 1.0,
        };
        Self {
            source: usable(glass.source.as_ref()).unwrap_or_else(|| Arc::new(stand_in(width, height))),
            plane: glass.glass.clone().filter(|p| p.is_whole()).unwrap_or_else(|| Arc::new(waves(width, height))),
            glass: glass.clone(),
            x: 0.0,
            y: 0.0,
            phase: 0.0,
            pace,
        }
    }

    pub(super) fn step(&mut self) {
        let speed = |byte: u8| (f32::from(byte) - 128.0) / if byte < 128 { 128.0 } else { 127.0 };
        let [right, down] = self.glass.speed;
        // Far enough to hold any picture a whole number of times: nothing jumps, and no precision is lost over time.
        const AROUND: f32 = 1024.0;
        self.x = (self.x + speed(right) * self.pace).rem_euclid(AROUND);
        self.y = (self.y + speed(down) * self.pace).rem_euclid(AROUND);
        // 89 turns: the swings of a gestation, 1 to 0.618 and so on, fit in almost a whole number of times.
        self.phase = (self.phase + f32::from(self.glass.frequency) * TURNS * self.pace).rem_euclid(89.0);
    }

    /// Pixels that the moving one has moved by.
    fn moved(&self) -> (f32, f32) {
        let (far, p) = (f32::from(self.glass.amplitude), self.phase);
        let (x, y) = match self.glass.panning {
            Panning::Linear => (0.0, 0.0),
            Panning::Circular => (numbers::cosine(p) * far, numbers::sine(p) * far),
            Panning::Gestation => (
                (numbers::sine(p) + numbers::sine(p * 55.0 / 89.0)) * far / 2.0,
                (numbers::cosine(p * 34.0 / 89.0) + numbers::sine(p * 144.0 / 89.0)) * far / 2.0,
            ),
            Panning::WavyX => (numbers::sine(p) * far, 0.0),
            Panning::WavyY => (0.0, numbers::sine(p) * far),
        };
        (self.x + x, self.y + y)
    }

    pub(super) fn draw(&self, width: usize, out: &mut [[u8; 4]]) {
        let (x, y) = self.moved();
        let (glass_at, source_at) = if self.glass.glass_moves { ((x, y), (0.0, 0.0)) } else { ((0.0, 0.0), (x, y)) };
        let whole = |v: f32, size: u32| (-v).floor().rem_euclid(size.max(1) as f32) as usize;
        let (source, plane) = (&*self.source, &*self.plane);
        let (pixels, _) = source.rgba.as_chunks::<4>();
        let mut seen: Vec<[u8; 4]> = Vec::new();
        let source_rows = pixels.chunks_exact(source.width.max(1) as usize).cycle();
        let plane_rows = plane.bytes.chunks_exact(plane.width.max(1) as usize).cycle();
        let source_rows = source_rows.skip(whole(source_at.1, source.height));
        let plane_rows = plane_rows.skip(whole(glass_at.1, plane.height));
        for ((out, source_row), plane_row) in out.chunks_exact_mut(width.max(1)).zip(source_rows).zip(plane_rows) {
            seen.clear();
            let row = source_row.iter().cycle().skip(whole(source_at.0, source.width));
            seen.extend(row.take(width.saturating_add(256)));
            let bends = plane_row.iter().cycle().skip(whole(glass_at.0, plane.width));
            for ((x, out), bend) in out.iter_mut().enumerate().zip(bends) {
                *out = seen.get(x.saturating_add(usize::from(*bend))).copied().unwrap_or_default();
            }
        }
    }
}

/// The picture, if it has pixels.
pub(super) fn usable(image: Option<&Arc<Image>>) -> Option<Arc<Image>> {
    let image = image?;
    let size = u64::from(image.width).checked_mul(u64::from(image.height))?.checked_mul(4)?;
    (size > 0 && image.rgba.len() as u64 == size).then(|| image.clone())
}

/// A chequered picture with lines: what is done to it can be seen.
pub(super) fn stand_in(width: u32, height: u32) -> Image {
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let dark = (x ^ y) & 16 == 0;
            let line = x & 15 == 0 || y & 15 == 0;
            rgba.extend(match (line, dark) {
                (true, _) => [196, 202, 212, 255],
                (false, true) => [70, 78, 92, 255],
                (false, false) => [98, 108, 124, 255],
            });
        }
    }
    Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: "missing".into() }
}

/// Smooth glass.
fn waves(width: u32, height: u32) -> Plane {
    let mut bytes = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
            let swing = numbers::sine(u * 2.0 + numbers::sine(v) * 0.5) + numbers::cosine(v * 3.0 + u);
            bytes.push((8.0 + swing * 4.0) as u8);
        }
    }
    Plane { width, height, bytes: bytes.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4 × 2 pixels, red the column, green the row.
    fn picture() -> Arc<Image> {
        let rgba: Vec<u8> = (0..8).flat_map(|i: u8| [i % 4, i / 4, 0, 255]).collect();
        Arc::new(Image { name: String::new(), width: 4, height: 2, rgba: rgba.into(), stored_as: String::new() })
    }

    fn glass(bytes: [u8; 8]) -> Glass {
        Glass {
            source: Some(picture()),
            glass: Some(Arc::new(Plane { width: 4, height: 2, bytes: bytes.to_vec().into() })),
            speed: [128, 128],
            frequency: 0,
            amplitude: 0,
            panning: Panning::Linear,
            timed_hz: None,
            glass_moves: true,
        }
    }

    fn columns(sliding: &Sliding) -> Vec<u8> {
        let mut out = [[0; 4]; 8];
        sliding.draw(4, &mut out);
        out.iter().map(|p| p[0] | p[1] << 4).collect()
    }

    #[test]
    fn glass_of_zeros_shows_the_picture_and_others_what_lies_to_the_right() {
        let plain = Sliding::new(&glass([0; 8]), 4, 2, 30.0);
        assert_eq!(columns(&plain), [0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x13]);
        let bent = Sliding::new(&glass([0, 1, 2, 3, 255, 4, 0, 0]), 4, 2, 30.0);
        // Row 1: 0 + 255 = 255 → 3, 1 + 4 → 1.
        assert_eq!(columns(&bent), [0x00, 0x02, 0x00, 0x02, 0x13, 0x11, 0x12, 0x13]);
    }

    #[test]
    fn one_of_the_two_moves_at_its_speed() {
        let mut picture_moves = Glass { speed: [255, 128], glass_moves: false, ..glass([0; 8]) };
        let mut sliding = Sliding::new(&picture_moves, 4, 2, 30.0);
        sliding.step();
        // A pixel to the right: what was in the last column is in the first.
        assert_eq!(columns(&sliding)[..4], [0x03, 0x00, 0x01, 0x02]);
        picture_moves.speed = [128, 0];
        let mut sliding = Sliding::new(&picture_moves, 4, 2, 30.0);
        sliding.step();
        assert_eq!(columns(&sliding)[..4], [0x10, 0x11, 0x12, 0x13]);
        let mut sliding = Sliding::new(&Glass { speed: [255, 128], ..glass([1, 0, 0, 0, 0, 0, 0, 0]) }, 4, 2, 30.0);
        sliding.step();
        assert_eq!(columns(&sliding)[..4], [0x00, 0x02, 0x02, 0x03], "the bend has moved to the second column");
    }

    #[test]
    fn speeds_that_are_meant_for_time_do_not_depend_on_the_rate() {
        let timed = Glass { speed: [255, 128], timed_hz: Some(30.0), ..glass([0; 8]) };
        for (rate, frames) in [(30.0, 30), (60.0, 60), (10.0, 10)] {
            let mut sliding = Sliding::new(&timed, 4, 2, rate);
            (0..frames).for_each(|_| sliding.step());
            assert!((sliding.moved().0 - 30.0).abs() < 1e-3, "{rate}: {:?}", sliding.moved());
        }
    }

    #[test]
    fn swings_keep_to_their_amplitude() {
        for (panning, across, down) in [
            (Panning::Linear, 0.0, 0.0),
            (Panning::Circular, 40.0, 40.0),
            (Panning::Gestation, 40.0, 40.0),
            (Panning::WavyX, 40.0, 0.0),
            (Panning::WavyY, 0.0, 40.0),
        ] {
            let mut sliding =
                Sliding::new(&Glass { frequency: 64, amplitude: 40, panning, ..glass([0; 8]) }, 4, 2, 30.0);
            let mut most = (0.0_f32, 0.0_f32);
            for _ in 0..2_000 {
                sliding.step();
                let (x, y) = sliding.moved();
                most = (most.0.max(x.abs()), most.1.max(y.abs()));
            }
            let near = |value: f32, limit: f32| value <= limit + 0.01 && value >= limit * 0.9;
            assert!(near(most.0, across) && near(most.1, down), "{panning:?}: {most:?}");
        }
    }
}
