//! What the window shows, as JSON in a file, for scripts and tests that watch it from outside (`--status FILE`).

use crate::{
    files as fs,
    library::OpenFile,
    scene::Player,
    ui::{
        scene_member::SceneMember,
        state::{Place, SceneModel, Stage, StageContent, State},
    },
};
use egui::{Context, Id, Rect};
use serde_json::{Value, json};
use std::{borrow::Cow, collections::HashMap, path::PathBuf, sync::Arc, time::Duration};
use web_time::Instant;

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
        StageContent::Collection => "collection",
        StageContent::Pictures => "pictures",
        StageContent::Compare => "compare",
    }
}

/// The path of an entry in its file.
fn path_of(state: &State, place: Place) -> Option<Cow<'_, str>> {
    Some(state.core.file(place.file)?.entry(place.entry)?.path())
}

/// The name of the selected bone of the model.
fn selected_bone(state: &State) -> Option<&str> {
    let joint = state
        .stages
        .front
        .model()?
        .model
        .skeleton
        .as_ref()?
        .joints()
        .get(state.stages.front.selected().joint? as usize)?;
    Some(joint.name.as_str())
}

/// Most objects that are told one by one.
const MAX_OBJECTS: usize = 64;

/// Slots of the selected objects of the landscape, and how many there are.
fn selected_slots(state: &State) -> Value {
    let selected = &state.stages.front.view.terrain.selected;
    let props = state.stages.front.landscape().into_iter().flat_map(|shown| {
        selected.iter().filter_map(|index| shown.terrain.props.get(*index as usize)).map(|prop| prop.slot)
    });
    json!({ "count": selected.len(), "slots": props.take(MAX_OBJECTS).collect::<Vec<_>>() })
}

/// The models beside the main one: what they are called, on what they hang, what they play.
fn scene(state: &State) -> Vec<Value> {
    let names: HashMap<SceneMember, String> = state.stages.front.scene_names(&state.core).into_iter().collect();
    let told = |model: &SceneModel| {
        let attached = model.attached.as_ref();
        let to = attached.and_then(|attached| names.get(&attached.to));
        json!({
            "name": names.get(&SceneMember::Other(model.id)),
            "attached_to": to,
            "at": attached.map(|attached| attached.name.as_str()),
            "clip": model.player.clip().map(|clip| clip.name.as_str()),
            "frame": model.player.frame(),
        })
    };
    state.stages.front.scene().into_iter().flat_map(|scene| &scene.models).map(told).collect()
}

/// The frame of a stage's model; 0 without a model.
fn frame_of(stage: &Stage) -> f32 {
    stage.playback().map_or(0.0, |playback| playback.player.frame())
}

/// Parts and bones of the model, or actors of the level, that are hidden.
fn hidden_count(state: &State) -> usize {
    match &state.stages.front.content {
        StageContent::Model(shown) => {
            let (surfaces, bones) = shown.parts.hidden().counts(&shown.model);
            surfaces + bones
        }
        StageContent::Level(shown) => shown.actors.hidden().iter().flatten().count(),
        _ => 0,
    }
}

/// What is indexed, and what was found in it.
fn collection(state: &State) -> Value {
    let collection = &state.collection;
    let catalog = collection.catalog.as_deref();
    json!({
        "roots": state.core.settings.collection.len(),
        "files": catalog.map(|catalog| catalog.files().len()),
        "entries": catalog.map(|catalog| catalog.row_count()),
        "read": collection.updated.map(|(read, _)| read),
        "words": collection.search.words,
        "found": collection.search.work.is_none().then_some(collection.search.found.total),
    })
}

/// What is compared, and how many entries differ.
fn comparison(state: &State) -> Value {
    let comparing = &state.comparing;
    let name = |file: &Option<Arc<OpenFile>>| file.as_ref().map(|file| file.path.display().to_string());
    json!({
        "left": name(&comparing.left),
        "right": name(&comparing.right),
        "changed": comparing.found.as_ref().map(|_| comparing.listed.len()),
    })
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
        let playback = state.stages.front.playback();
        let player = playback.map(|playback| &playback.player);
        let clip = player.and_then(|player| player.clip());
        let view = &state.stages.front.view;
        let status = json!({
            "files": state.core.library.files.iter().map(|f| f.file.name.as_str()).collect::<Vec<_>>(),
            "busy": state.core.works.is_busy(),
            "stage": kind_of(&state.stages.front.content),
            "model": state.stages.front.model().map(|s| s.model.name.as_str()),
            "map": state.stages.front.level().and_then(|m| path_of(state, m.place)),
            "terrain": state.stages.front.landscape().and_then(|t| path_of(state, t.place)),
            "selected_objects": state.stages.front.landscape().map(|_| selected_slots(state)),
            "map_view": state.stages.front.is_map(),
            "picture": state.stages.front.image().and_then(|p| path_of(state, p.place)),
            "sound": state.stages.front.sound().and_then(|s| path_of(state, s.place)),
            "text": state.stages.front.text().and_then(|t| path_of(state, t.place)),
            "selected": state.core.selection.and_then(|place| path_of(state, place)),
            "clip": clip.map(|c| c.name.as_str()),
            "frame": player.map_or(0.0, Player::frame),
            "frames": clip.map(|c| c.frame_count),
            "playing": player.is_some_and(|player| player.playing),
            "matched": playback.and_then(|playback| playback.fit.as_ref()).map(|f| f.matched),
            "scene": scene(state),
            "textures": state.stages.front.model().map_or(0, |shown| shown.textures.by_image().len()),
            "hidden": hidden_count(state),
            "gpu": has_gpu,
            "bone": selected_bone(state),
            "collection": collection(state),
            "compare": comparison(state),
            "images": state.stages.front.model().map(|shown| shown.model.images.len()),
            "missing": state.stages.front.model().map(|shown| shown.model.missing.len()),
            "drawer": state.stages.front.viewport.drawer.map(|page| format!("{page:?}").to_lowercase()),
            "shading": format!("{:?}", state.stages.front.view.options.shading),
            "camera": [view.camera.yaw, view.camera.pitch, view.camera.distance],
            "palette": state.dialogs.palette,
            "stages": state.stages.iter().count(),
            "stage_frames": state.stages.iter().map(frame_of).collect::<Vec<_>>(),
            "linked": state.stages.are_linked(),
            "fps": state.stages.front.viewport.fps,
            "windows": self.windows,
            "last_log": state.core.log.entries().back().map(super::state::LogEntry::text),
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
            log::warn!("Cannot write the status file {}: {error}", self.path.display());
        }
        self.said = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::Role,
        scene::MaterialIndex,
        ui::{
            command::{Command, LibraryCommand, ModelCommand, PartsCommand, SceneCommand},
            scene_member::{Anchor, Attachment},
            state::Clock,
        },
    };
    use std::path::Path;

    fn settle(state: &mut State) {
        let mut idle = 0;
        while idle < 2 {
            state.tick();
            idle = if state.core.works.is_busy() { 0 } else { idle + 1 };
            std::thread::yield_now();
        }
    }

    fn told(state: &State, path: &Path) -> Value {
        StatusFile::new(path.to_owned()).tell(&Context::default(), state, false, None);
        let told = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/status.json");
        let schema = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
        if let Err(error) = jsonschema::validate(&schema, &told) {
            panic!("{}: {error}", error.instance_path());
        }
        told
    }

    #[test]
    fn scenes_textures_and_hidden_parts_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("status.json");
        let mut state = State::new(Default::default(), Clock::Set(0.0));
        let empty = told(&state, &path);
        assert_eq!((&empty["scene"], &empty["textures"], &empty["hidden"]), (&json!([]), &json!(0), &json!(0)));

        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
        let files = ["Ossie_Eyes.png", "Ossie.psk", "Ossie.psa"].map(|name| samples.join(name));
        state.apply(Command::Library(LibraryCommand::Open(files.into())));
        settle(&mut state);
        let shown = state.stages.front.model().expect("the model is shown").place;
        let whole = |name: &str| {
            let opened = state.core.library.files.iter().find(|opened| opened.file.name == name).unwrap();
            Place { file: opened.id, entry: crate::formats::EntryId::FILE }
        };
        let image = whole("Ossie_Eyes.png");
        for _ in 0..2 {
            state.apply(Command::Scene(SceneCommand::Add(shown)));
            settle(&mut state);
        }
        let ids: Vec<_> = state.stages.front.scene().unwrap().models.iter().map(|model| model.id).collect();
        let (clip, name) = {
            let item = &state.stages.front.playback().unwrap().clips[0];
            (item.place, item.name.clone())
        };
        let on = |to, name: &str| Attachment { to, anchor: Anchor::Joint(0), name: name.to_owned() };
        state.apply(Command::Scene(SceneCommand::Attach(ids[0], Some(on(SceneMember::Main, "Root")))));
        state.apply(Command::Scene(SceneCommand::Play(ids[1], Some(clip))));
        state.apply(Command::Model(ModelCommand::TextureMaterial(MaterialIndex(0), image)));
        let outline = state.core.file(shown.file).unwrap().document.outline();
        let material = outline.entries().iter().find(|entry| entry.role == Role::Material).unwrap().id;
        state.apply(Command::Parts(PartsCommand::Hide(Place { entry: material, ..shown }, true)));
        settle(&mut state);
        let told = told(&state, &path);
        assert_eq!((&told["textures"], &told["hidden"]), (&json!(1), &json!(1)));
        let main = json!("Ossie.psk");
        let first = json!({"name": "Ossie.psk (2)", "attached_to": main, "at": "Root", "clip": null, "frame": 0.0});
        assert_eq!(told["scene"][0], first);
        let second = &told["scene"][1];
        assert_eq!((&second["name"], &second["clip"]), (&json!("Ossie.psk (3)"), &json!(name)));
        assert!(second["attached_to"].is_null() && second["at"].is_null());
    }
}
