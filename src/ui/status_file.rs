//! What the window shows, as JSON in a file, for scripts and tests that watch it from outside (`--status FILE`).

use super::state::{Place, StageContent, State};
use egui::{Context, Id, Rect};
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

/// Parts of the window whose places are told.
const PARTS: [&str; 4] = ["viewport", "scrub", "library", "inspector"];

/// Remembers where a part of the window is, for whoever watches.
pub fn mark(ctx: &Context, part: &'static str, place: Rect) {
    ctx.data_mut(|data| data.insert_temp(Id::new(("part of the window", part)), place));
}

/// How long it took until the window could be used.
#[derive(Clone, Copy, Debug)]
pub struct Startup {
    pub begun: Instant,
    /// Our own code until the window system was entered.
    pub before_window: Duration,
    /// When the window and its device were there.
    pub window_made: Option<Instant>,
    /// Our own code from then to the end of the first frame.
    pub to_first_frame: Option<Duration>,
}

impl Startup {
    pub fn new(begun: Instant) -> Self {
        Self { begun, before_window: Duration::ZERO, window_made: None, to_first_frame: None }
    }

    /// The first frame is laid out and handed to the device.
    pub fn first_frame_done(&mut self) {
        if let (Some(made), None) = (self.window_made, self.to_first_frame) {
            self.to_first_frame = Some(made.elapsed());
        }
    }

    fn json(&self) -> Value {
        let ms = |d: Duration| (d.as_secs_f64() * 1e4).round() / 10.0;
        let device = self.window_made.map(|at| at.duration_since(self.begun).saturating_sub(self.before_window));
        json!({
            "before_window": ms(self.before_window),
            "window_and_device": device.map(ms),
            "to_first_frame": self.to_first_frame.map(ms),
        })
    }
}

/// What kind of thing is on the stage.
fn kind_of(content: &StageContent) -> &'static str {
    match content {
        StageContent::Empty => "empty",
        StageContent::Failed(..) => "failed",
        StageContent::Model(_) => "model",
        StageContent::Level(_) => "level",
        StageContent::Landscape(_) => "landscape",
        StageContent::Image(_) => "image",
        StageContent::Sound(_) => "sound",
        StageContent::Text(_) => "text",
        StageContent::Clip(_) => "clip",
        StageContent::Gallery(_) => "gallery",
        StageContent::Table(_) => "table",
        StageContent::Classes(_) => "classes",
        StageContent::Scripts => "scripts",
        StageContent::Pictures => "pictures",
    }
}

/// The path of an entry in its file.
fn path_of(state: &State, place: Place) -> Option<Cow<'_, str>> {
    Some(state.file(place.file)?.entry(place.entry)?.path())
}

/// The name of the selected bone of the model.
fn selected_bone(state: &State) -> Option<&str> {
    let joint = state.stage.model()?.model.skeleton.as_ref()?.joints().get(state.stage.selected_joint? as usize)?;
    Some(joint.name.as_str())
}

/// Most objects that are told one by one.
const MAX_OBJECTS: usize = 64;

/// Slots of the selected objects of the landscape, and how many there are.
fn selected_slots(state: &State) -> Value {
    let selected = &state.stage.view.terrain.selected;
    let props = state.stage.landscape().into_iter().flat_map(|shown| {
        selected.iter().filter_map(|index| shown.terrain.props.get(*index as usize)).map(|prop| prop.slot)
    });
    json!({ "count": selected.len(), "slots": props.take(MAX_OBJECTS).collect::<Vec<_>>() })
}

/// The file and what it says now.
pub struct StatusFile {
    path: PathBuf,
    said: String,
    painted: u64,
    /// Windows that there were, this one included: another one for each device that was lost.
    windows: u64,
}

impl StatusFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path, said: String::new(), painted: 0, windows: 0 }
    }

    /// A window was opened.
    pub fn window_opened(&mut self) {
        self.windows += 1;
    }

    /// Says what is shown at the end of a frame.
    pub fn tell(&mut self, ctx: &Context, state: &State, has_gpu: bool, startup: Option<&Startup>) {
        self.painted += 1;
        let scale = ctx.pixels_per_point();
        let place = |part: &str| {
            let rect: Option<Rect> = ctx.data(|data| data.get_temp(Id::new(("part of the window", part))));
            rect.map(|r| [r.left(), r.top(), r.width(), r.height()].map(|v| (v * scale).round()))
        };
        let rects: serde_json::Map<String, Value> =
            PARTS.iter().filter_map(|part| Some(((*part).to_owned(), json!(place(part)?)))).collect();
        let playback = &state.stage.playback;
        let clip = playback.player.clip();
        let view = &state.stage.view;
        let status = json!({
            "files": state.library.files.iter().map(|f| f.file.name.as_str()).collect::<Vec<_>>(),
            "busy": state.is_busy(),
            "stage": kind_of(&state.stage.content),
            "model": state.stage.model().map(|s| s.model.name.as_str()),
            "map": state.stage.level().and_then(|m| path_of(state, m.place)),
            "terrain": state.stage.landscape().and_then(|t| path_of(state, t.place)),
            "selected_objects": state.stage.landscape().map(|_| selected_slots(state)),
            "map_view": state.stage.is_map(),
            "picture": state.stage.image().and_then(|p| path_of(state, p.place)),
            "sound": state.stage.sound().and_then(|s| path_of(state, s.place)),
            "text": state.stage.text().and_then(|t| path_of(state, t.place)),
            "selected": state.selection.and_then(|place| path_of(state, place)),
            "clip": clip.map(|c| c.name.as_str()),
            "frame": playback.player.frame(),
            "frames": clip.map(|c| c.frame_count),
            "playing": playback.player.playing,
            "matched": playback.fit.as_ref().map(|f| f.matched),
            "gpu": has_gpu,
            "bone": selected_bone(state),
            "drawer": state.stage.drawer.map(|page| format!("{page:?}").to_lowercase()),
            "shading": format!("{:?}", state.stage.view.shading),
            "camera": [view.camera.yaw, view.camera.pitch, view.camera.distance],
            "palette": state.show_palette,
            "stages": state.stages().count(),
            "stage_frames": state.stages().map(|stage| stage.playback.player.frame()).collect::<Vec<_>>(),
            "linked": state.stages_are_linked(),
            "fps": state.stage.fps,
            "windows": self.windows,
            "last_log": state.log.entries().back().map(super::state::LogEntry::text),
            "rects": rects,
            "startup_ms": startup.map(Startup::json),
            "painted": self.painted,
        });
        let text = status.to_string();
        if text == self.said {
            return;
        }
        // Written beside and renamed: whoever reads never sees half of it.
        let beside = self.path.with_extension("part");
        if let Err(error) = fs::write(&beside, &text).and_then(|()| fs::rename(&beside, &self.path)) {
            log::warn!("{}: {error}", self.path.display());
        }
        self.said = text;
    }
}
