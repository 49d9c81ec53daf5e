//! Pictures of a level that change with time, and stills of computed textures (formats/unreal.md §5.1, §5.5), within
//! the budget of the level.

use super::faults::quietly;
use crate::{
    bytes::Limits,
    formats::{
        LoadContext,
        unreal::{
            header::{Object, read_header},
            kind::{Kind, kind_of},
            object::ObjectReader,
            package::Found,
            procedural,
            texture::load_picture,
        },
    },
    scene::{
        FlipBook, Image, LiveKind, LivePicture, Picture,
        procedural::{Procedural, Simulation},
    },
};
use std::sync::Arc;

/// Pictures that change, of a level.
const MOST: usize = 256;

/// What changes, as far as there is room for it. By default there is none.
#[derive(Default)]
pub struct Live {
    pub pictures: Vec<LivePicture>,
    bytes_left: u64,
}

impl Live {
    pub fn of(bytes: u64) -> Self {
        Self { pictures: Vec::new(), bytes_left: bytes }
    }

    /// Adds what is shown in place of a still, unless there is no room.
    pub fn take(&mut self, still: &Arc<Image>, kind: LiveKind) {
        let size = still.rgba.len() as u64;
        if self.pictures.len() < MOST
            && let Some(left) = self.bytes_left.checked_sub(size)
        {
            self.bytes_left = left;
            self.pictures.push(LivePicture { still: still.clone(), kind });
        }
    }

    /// Adds the flip-book that a still begins; `read` gets the bytes that its pictures may take.
    pub fn flip_book(&mut self, still: &Arc<Image>, read: impl FnOnce(&mut u64) -> Option<FlipBook>) {
        if self.pictures.len() < MOST
            && self.bytes_left > 0
            && let Some(book) = read(&mut self.bytes_left)
        {
            self.pictures.push(LivePicture { still: still.clone(), kind: LiveKind::FlipBook(book) });
        }
    }
}

/// Steps that the stills of a level may take: a second or two. A hundred fires of 256 × 256 pixels take 315 million.
const MAX_STEPS: u64 = 400 << 20;
/// Bytes that the stills may take, with the pictures that they are made of.
const MAX_BYTES: u64 = 32 << 20;

/// Takes the stills of a level's computed textures.
pub struct Computing {
    steps_left: u64,
    bytes_left: u64,
    /// Those that there was no room for.
    pub left_out: usize,
}

impl Default for Computing {
    fn default() -> Self {
        Self { steps_left: MAX_STEPS, bytes_left: MAX_BYTES, left_out: 0 }
    }
}

impl Computing {
    /// A still of a texture that is computed, and what computes it: fire and water as they are once they run, others as what
    /// they start from. Takes what it costs from `decoded`, the bytes that may still be decoded.
    pub fn still(
        &mut self,
        found: &Found,
        cx: &LoadContext<'_>,
        decoded: &mut u64,
    ) -> Option<(Arc<Image>, Option<Arc<Procedural>>)> {
        if cx.cancelled() {
            return None;
        }
        let (package, export) = (&found.package, found.export);
        let kind = kind_of(package, export);
        let mut reader = ObjectReader::of_export(package, export);
        let header = read_header(&mut reader, export).ok()?;
        let (object, reader) = (&Object { package, export, kind, header }, &mut reader);
        let first = |picture: &Picture| picture.forms.first().and_then(|form| form.mips.first()).cloned();
        let most = self.bytes_left.min(*decoded);
        let taken = quietly(cx, |cx| {
            cx.limits = Limits { decoded_bytes: most, ..cx.limits };
            match object.kind {
                Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice => {
                    let program = Arc::new(procedural::load_procedural(object, reader, cx).ok()?);
                    let still = self.run(&program)?;
                    Some((still, Some(program)))
                }
                Kind::Texture => Some((first(&load_picture(object, reader, cx).ok()?)?, None)),
                Kind::OtherProcedural => Some((first(&procedural::load_other(object, reader, cx).ok()?)?, None)),
                _ => None,
            }
        })?;
        let (still, program) = &taken;
        let bytes = still.weight().saturating_add(program.as_ref().map_or(0, |program| program.weight()));
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        *decoded = decoded.saturating_sub(bytes);
        Some(taken)
    }

    /// The frame that a level begins with; `None`, and counted, where it costs more than is left.
    fn run(&mut self, program: &Arc<Procedural>) -> Option<Arc<Image>> {
        let bytes = program.pixels().saturating_mul(4).saturating_add(program.weight());
        let steps_left = self.steps_left.checked_sub(program.first_steps()).filter(|_| bytes <= self.bytes_left);
        let Some(steps_left) = steps_left else {
            self.left_out = self.left_out.saturating_add(1);
            return None;
        };
        self.steps_left = steps_left;
        let simulation = Simulation::in_level(program.clone()).ok()?;
        Some(Arc::new(simulation.seen_image()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        FlipBook, Palette,
        procedural::{Fire, Program, Spark, SparkKind, USUAL_SPARKS},
    };

    fn still(side: u32) -> Arc<Image> {
        let rgba = vec![0; (side * side * 4) as usize].into();
        Arc::new(Image { name: String::new(), width: side, height: side, rgba, stored_as: String::new() })
    }

    fn book(still: &Arc<Image>) -> LiveKind {
        LiveKind::FlipBook(FlipBook { frames: vec![still.clone(); 2], rate_hz: 8.0 })
    }

    #[test]
    fn pictures_are_bounded_in_number_and_size() {
        let mut many = Live::of(u64::MAX);
        (0..300).map(|_| still(1)).for_each(|still| many.take(&still, book(&still)));
        many.flip_book(&still(1), |_| panic!("there is no room"));
        assert_eq!(many.pictures.len(), 256);
        // Two of 64 bytes and none more; a smaller one still fits.
        let mut large = Live::of(140);
        (0..3).map(|_| still(4)).for_each(|still| large.take(&still, book(&still)));
        assert_eq!((large.pictures.len(), large.bytes_left), (2, 12));
        large.flip_book(&still(1), |left| {
            *left -= 12;
            None
        });
        large.flip_book(&still(1), |_| panic!("nothing is left"));
        assert_eq!((large.pictures.len(), large.bytes_left), (2, 0));
        assert!(Live::default().pictures.is_empty());
    }

    fn fire(side: u32) -> Arc<Procedural> {
        fire_of(side, Vec::new())
    }

    fn fire_of(side: u32, sparks: Vec<Spark>) -> Arc<Procedural> {
        let fire = Fire { sparks: sparks.into(), render_heat: 200, rising: true, most_sparks: 0 };
        Arc::new(Procedural {
            name: "fire".to_owned(),
            width: side,
            height: side,
            palette: Arc::new(Palette::default()),
            masked: false,
            program: Program::Fire(fire),
            prime_frames: 255,
            rate_hz: 30.0,
            facts: Vec::new(),
        })
    }

    #[test]
    fn a_level_computes_no_more_than_it_may() {
        let mut computing = Computing { steps_left: 2 * fire(64).first_steps(), ..Computing::default() };
        let shown = (0..5).filter(|_| computing.run(&fire(64)).is_some()).count();
        assert_eq!((shown, computing.left_out, computing.steps_left), (2, 3, 0));
        let mut computing = Computing { bytes_left: 64 * 64 * 4, ..Computing::default() };
        assert!(computing.run(&fire(65)).is_none() && computing.run(&fire(64)).is_some());
        // A single one is always shown, however large.
        assert!(fire(1024).first_steps() < MAX_STEPS);
    }

    #[test]
    fn a_fire_costs_its_pixels_and_its_sparks_where_it_has_any() {
        // 255 frames, and what they begin with.
        assert_eq!(fire(64).first_steps(), 256 * 64 * 64);
        assert_eq!(fire(1).first_steps(), 256 * 256, "no less, however small");
        assert!(5_000 * fire(1).first_steps() <= MAX_STEPS);
        let sparks = vec![Spark { kind: SparkKind::Burn, heat: 200, x: 0, y: 0, a: 0, b: 0, c: 0, d: 0 }];
        assert_eq!(fire_of(64, sparks).first_steps(), 256 * (64 * 64 + u64::from(USUAL_SPARKS)));
    }
}
