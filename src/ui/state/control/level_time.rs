//! The time of a level: what moves by itself, and movers that were set off.

use crate::ui::state::stage::{
    Stage,
    level::{LevelStage, MoverRun},
};

/// Time of a level after which it begins anew: a day.
const MOST_SECONDS: f64 = 86_400.0;

impl Stage {
    /// Whether the level on show changes by itself.
    pub(in crate::ui) fn level_is_moving(&self) -> bool {
        self.level().is_some_and(|shown| shown.plays || !shown.runs.is_empty())
    }

    /// Lets time pass for the level on show.
    pub(in crate::ui) fn advance_level(&mut self, passed_secs: f32) {
        let Some(shown) = self.content.level_mut() else { return };
        if shown.plays {
            shown.moment.seconds = (shown.moment.seconds + f64::from(passed_secs)).rem_euclid(MOST_SECONDS);
        }
        shown.advance_movers(passed_secs);
    }

    /// Lets its time go on, or holds it.
    pub(in crate::ui) fn toggle_level_play(&mut self) {
        let Some(shown) = self.content.level_mut() else { return };
        shown.plays = !shown.plays && shown.map.moves();
    }

    /// Puts a mover at a place on its way, where it stays.
    pub(in crate::ui) fn set_mover(&mut self, mover: u32, position: f32) {
        let Some(shown) = self.content.level_mut() else { return };
        let Some(found) = shown.map.movers.get(mover as usize) else { return };
        let position = if position.is_finite() { position.clamp(0.0, found.end()) } else { 0.0 };
        shown.runs.retain(|run| run.mover != mover);
        shown.moment.set_mover(&shown.map.movers, mover, position);
    }

    /// Sets a mover off.
    pub(in crate::ui) fn run_mover(&mut self, mover: u32) {
        let Some(shown) = self.content.level_mut() else { return };
        let Some(found) = shown.map.movers.get(mover as usize) else { return };
        let at_end = shown.moment.mover_position(&shown.map.movers, mover) >= found.end();
        match shown.runs.iter_mut().find(|run| run.mover == mover) {
            Some(run) => run.back = !run.back,
            None => shown.runs.push(MoverRun { mover, back: at_end }),
        }
    }
}

impl LevelStage {
    fn advance_movers(&mut self, passed_secs: f32) {
        let Self { runs, moment, map, .. } = self;
        runs.retain(|run| {
            let Some(mover) = map.movers.get(run.mover as usize) else { return false };
            let goal = if run.back { 0.0 } else { mover.end() };
            let way = if mover.seconds > 0.0 { passed_secs / mover.seconds } else { f32::INFINITY };
            let at = moment.mover_position(&map.movers, run.mover);
            let next = if run.back { (at - way).max(goal) } else { (at + way).min(goal) };
            moment.set_mover(&map.movers, run.mover, next);
            next != goal
        });
    }
}
