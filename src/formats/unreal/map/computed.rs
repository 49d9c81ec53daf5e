//! Stills of textures that are computed (formats/unreal.md §5.5), within what all of a level may cost.

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
        Image, Picture,
        procedural::{Procedural, Simulation},
    },
};
use std::sync::Arc;

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
        Palette,
        procedural::{Fire, Program, Spark, SparkKind, USUAL_SPARKS},
    };

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
