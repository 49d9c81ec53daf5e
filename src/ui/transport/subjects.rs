//! What the bar tells of a stage, by what its time is of.

use crate::{
    formats::Asset,
    scene::{Frame, LoopMode, Player},
    ui::{
        state::{ImageStage, SoundStage, State, TimeOf},
        transport::time_bar::{Hint, PlayRange, Ruler, Speed, TransportBar, Unit},
        widgets::{
            pose_card::degrees,
            value_text::{decimals, place_text},
        },
    },
};
use std::sync::Arc;

/// Speeds of clips; negative plays backwards.
const CLIP_SPEEDS: std::ops::RangeInclusive<f32> = -4.0..=4.0;
/// Speeds of pictures.
const PICTURE_SPEEDS: std::ops::RangeInclusive<f32> = 0.1..=4.0;
/// The ruler of a computed texture, which never ends, is at least so long, in seconds.
const ENDLESS_SECS: f32 = 10.0;

impl<'a> TransportBar<'a> {
    /// `None` where nothing has a time.
    pub fn of(state: &'a State) -> Option<Self> {
        match state.stages.front.time_of()? {
            TimeOf::Model => of_model(state),
            TimeOf::Clip => of_clip(state),
            TimeOf::Picture => of_picture(state.stages.front.image()?),
            TimeOf::Sound => Some(of_sound(state, state.stages.front.sound()?)),
        }
    }
}

fn of_model(state: &State) -> Option<TransportBar<'_>> {
    let playback = state.stages.front.playback()?;
    if playback.playing.is_none() && playback.clips.is_empty() {
        return None;
    }
    let name = playback.current().map_or("Select a clip", |clip| clip.name.as_str());
    let bone_keys = playback.bone_keys.frames().clone();
    Some(of_player(name, &playback.player, playback.ticks.clone(), bone_keys))
}

fn of_clip(state: &State) -> Option<TransportBar<'_>> {
    let curves = state.stages.front.curves()?;
    let player = curves.alone();
    Some(of_player(&player.clip()?.name, player, curves.ticks().clone(), Arc::default()))
}

fn of_player<'a>(name: &'a str, player: &'a Player, ticks: Arc<[f32]>, bone_keys: Arc<[f32]>) -> TransportBar<'a> {
    let rate_hz = player.rate_hz();
    let clip = player.clip();
    let ruler = clip.map(|clip| {
        let last = clip.last_frame();
        // While looping, the stretch from the last frame back to the first is part of the bar.
        let end = if player.loop_mode() == LoopMode::Loop { clip.loop_frames().max(last) } else { last };
        let all = PlayRange { first: 0.0, last: last.into(), is_part: false };
        let range = player.range().map_or(all, |range| PlayRange {
            first: range.first().into(),
            last: range.last().into(),
            is_part: true,
        });
        Ruler {
            end: end.into(),
            last: last.into(),
            ticks,
            bone_keys,
            flags: &clip.markers,
            spans: Vec::new(),
            range: (last > 0.0).then_some(range),
        }
    });
    TransportBar {
        name,
        playing: player.playing,
        is_ready: true,
        unit: Unit::Frames { rate_hz },
        position: player.frame().into(),
        length: clip.map(|clip| clip.frame_count as f64),
        aside: clip
            .map_or_else(String::new, |_| format!("{:.2} / {:.2} s", player.time_secs(), player.duration_secs())),
        places: Vec::new(),
        looping: Some(player.loop_mode()),
        speed: Some(Speed { now: player.speed, range: CLIP_SPEEDS }),
        volume: None,
        ruler,
    }
}

/// Moving pictures come round, or never end: they have no loop mode.
fn of_picture(shown: &ImageStage) -> Option<TransportBar<'_>> {
    let rate_hz = shown.rate_hz()?;
    let speed = Speed { now: shown.speed(), range: PICTURE_SPEEDS };
    let bar = TransportBar {
        name: "",
        playing: shown.player.playing,
        is_ready: true,
        unit: Unit::Pictures { rate_hz, first: 0 },
        position: 0.0,
        length: None,
        aside: format!("{rate_hz:.1} fps"),
        places: Vec::new(),
        looping: None,
        speed: Some(speed),
        volume: None,
        ruler: None,
    };
    if let (Asset::Picture(picture), Some(book), Some((at, _))) = (&shown.asset, shown.flip_book(), shown.flip_frame())
    {
        let count = book.frames.len() as f64;
        return Some(TransportBar {
            name: &picture.name,
            unit: Unit::Pictures { rate_hz, first: 1 },
            position: at as f64,
            length: Some(count),
            ruler: Some(Ruler { end: count, last: count - 1.0, ..Ruler::default() }),
            ..bar
        });
    }
    let running = shown.running.as_ref()?;
    let texture = running.simulation().what();
    // Twice as long whenever the end is reached; never shorter, so that nothing jumps while it is dragged back.
    let mut end = f64::from((ENDLESS_SECS * texture.rate_hz).max(10.0)).round();
    while running.furthest() as f64 >= end {
        end *= 2.0;
    }
    Some(TransportBar {
        name: &texture.name,
        position: running.simulation().frame() as f64,
        ruler: Some(Ruler { end, last: end - 1.0, ..Ruler::default() }),
        ..bar
    })
}

fn of_sound<'a>(state: &'a State, shown: &'a SoundStage) -> TransportBar<'a> {
    let player = &shown.player;
    let pcm = shown.pcm();
    let rate_hz = pcm.map_or(1.0, |pcm| f64::from(pcm.rate_hz.max(1)));
    let secs = |frame: usize| frame as f64 / rate_hz;
    let length = pcm.map(|pcm| secs(pcm.frames()));
    let ruler = length.map(|length| Ruler {
        end: length,
        last: length,
        ticks: shown.cues().iter().map(|cue| secs(*cue) as f32).collect(),
        spans: shown.loops().into_iter().map(|range| secs(range.start)..secs(range.end)).collect(),
        ..Ruler::default()
    });
    let looping = if state.core.settings.loop_sounds { LoopMode::Loop } else { LoopMode::Once };
    TransportBar {
        name: shown.name(),
        playing: player.is_playing(),
        is_ready: shown.peaks.is_some(),
        unit: Unit::Seconds,
        position: secs(player.position()),
        length,
        aside: String::new(),
        places: music_places(shown, player.position()),
        looping: Some(looping),
        speed: None,
        volume: Some(state.core.settings.volume),
        ruler,
    }
}

/// Song, order, pattern and row of the music that plays.
fn music_places(shown: &SoundStage, frame: usize) -> Vec<(&'static str, usize)> {
    let Some(rendering) = &shown.rendering else { return Vec::new() };
    let Some(at) = rendering.position_at(frame).or(rendering.positions.first()) else { return Vec::new() };
    let several = rendering.positions.last().is_some_and(|last| last.song > 0);
    let song = several.then_some(("Song", at.song as usize + 1));
    let places = [("Order", at.order as usize), ("Pattern", at.pattern as usize), ("Row", at.row as usize)];
    song.into_iter().chain(places).collect()
}

/// What else is told at the pointer: the selected joint on a model, the place in music.
pub fn hint(state: &State) -> Option<Hint<'_>> {
    match state.stages.front.time_of()? {
        TimeOf::Model => Some(Box::new(|frame| joint_text(state, frame as f32).unwrap_or_default())),
        TimeOf::Sound => {
            let shown = state.stages.front.sound()?;
            let rendering = shown.rendering.as_ref()?;
            let rate_hz = f64::from(shown.pcm()?.rate_hz.max(1));
            Some(Box::new(move |secs| {
                let at = rendering.position_at((secs * rate_hz) as usize);
                at.map(|at| format!("   {}", place_text(at))).unwrap_or_default()
            }))
        }
        TimeOf::Clip | TimeOf::Picture => None,
    }
}

/// What the selected joint is in its parent at a frame.
fn joint_text(state: &State, frame: f32) -> Option<String> {
    let shown = state.stages.front.model()?;
    let selected = state.stages.front.selected().joint?;
    let name = &shown.model.skeleton.as_ref()?.joints().get(selected as usize)?.name;
    let mut player = shown.playback.player.clone();
    player.seek(frame);
    let mut posed = Frame::default();
    player.evaluate(&shown.model, &mut posed);
    let local = posed.locals.get(selected as usize)?;
    let (rotation, translation) = match posed.matrices.get(selected as usize).copied().flatten() {
        Some(matrix) => {
            let (_, rotation, translation) = matrix.to_scale_rotation_translation();
            (rotation, translation)
        }
        None => (local.rotation, local.translation),
    };
    let row = |name: &str, numbers: [f32; 3], unit: &str| {
        let [x, y, z] = numbers.map(|n| decimals(n, 2));
        format!("\n{name:<9}{x:>9}{unit}{y:>9}{unit}{z:>9}{unit}")
    };
    let axes = state.core.number_axes(shown.model.file_from_scene);
    let place = row("Position", axes.vector(translation).to_array(), " ");
    Some(format!("\n{name}{place}{}", row("Rotation", degrees(axes.rotation(rotation)), "°")))
}
