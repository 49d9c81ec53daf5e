//! What is looked at and how, in names that outlive the program: kept for the next start, in view files and in pictures. What of it
//! cannot be is as by default.

mod layer;
mod parts;
mod place;
mod scene;
mod texture;
mod value;
mod view_options;

pub use layer::{LayerState, SavedLayer};
pub use parts::{MAX_PARTS, SavedActors, SavedParts};
pub use place::SavedPlace;
pub use scene::{SavedAttachment, SavedModel, SavedScene};
pub use texture::{SavedImage, SavedTexture, SavedTexturePlace};
pub use view_options::{GAMMAS, Modes, TerrainModes, ViewOptions, ViewToggle, held_gamma};

use crate::ui::{
    entry_group::Group,
    subject::{DrawerPage, StageId},
};
use crate::{
    gpu::GxSettings,
    library::written_path,
    scene::{
        BindingOptions, LoopMode, PoseOptions,
        camera::{FlyCamera, OrbitCamera},
    },
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use value::{each_or_default, is_default, is_near, is_size, or_default};

/// The extension of view files.
pub const EXTENSION: &str = "bonebox-view";
/// Raised when older views would be misread.
pub const VERSION: u32 = 1;
/// Open files that come back.
pub const MAX_SESSION: usize = 20_000;
/// Stages beside each other.
pub const MAX_STAGES: usize = 6;
/// Unfolded rows that are kept.
pub const MAX_ROWS: usize = 500;
/// Selected objects and hidden types of a landscape that are kept.
pub const MAX_OBJECTS: usize = 4_000;
const MAX_MORPHS: usize = 4_000;
const MAX_LAYERS: usize = 16;
/// Pictures on models that are no files of the library.
const MAX_PICTURES: usize = 1_000;
/// Seconds that a clock has counted.
const MAX_CLOCK_SECS: f64 = 1e9;
/// Frames a second.
const MAX_RATE_HZ: f32 = 1_000.0;

/// All that is looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedView {
    pub version: u32,
    /// Files that the rest names by their place in this list.
    pub files: Vec<SavedFile>,
    /// Pictures on models that are no files of the library.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<SavedFile>,
    /// The one in front first.
    pub stages: Vec<SavedStage>,
    /// Cameras and clocks move together.
    pub linked: bool,
    #[serde(deserialize_with = "or_default")]
    pub selection: Option<SavedPlace>,
    /// Rows of the library that are unfolded.
    #[serde(deserialize_with = "or_default")]
    pub rows: Vec<SavedRow>,
}

/// Whether a file is a view by its name.
pub fn is_view(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// Where a file lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFile {
    /// Absolute.
    #[serde(with = "written_path")]
    pub path: PathBuf,
    /// From the folder of a view file.
    #[serde(default, with = "written_path::option", skip_serializing_if = "Option::is_none")]
    pub relative: Option<PathBuf>,
}

/// What a stage is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SavedSubject {
    #[default]
    Nothing,
    Entry(SavedPlace),
    /// All pictures of a file.
    Gallery(usize),
    /// All entries of a file.
    Table(usize),
    /// The classes of all files, shown for this one.
    Classes(usize),
}

impl SavedSubject {
    /// The file that it lies in.
    pub fn file(&self) -> Option<usize> {
        match self {
            Self::Nothing => None,
            Self::Entry(place) => Some(place.file),
            Self::Gallery(file) | Self::Table(file) | Self::Classes(file) => Some(*file),
        }
    }
}

/// A row of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SavedRow {
    /// The folder that a file lies in.
    Folder(usize),
    File(usize),
    Entry(SavedPlace),
    Branch(SavedPlace, Group),
    Group(SavedPlace, Group),
}

/// A stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedStage {
    /// [`StageId`].
    pub id: u32,
    #[serde(deserialize_with = "or_default")]
    pub subject: SavedSubject,
    #[serde(deserialize_with = "or_default")]
    pub camera: Option<OrbitCamera>,
    #[serde(deserialize_with = "or_default")]
    pub fly: Option<FlyCamera>,
    /// Turn and height that a landscape seen as a map goes back to.
    #[serde(deserialize_with = "or_default")]
    pub top_down: Option<[f32; 2]>,
    /// The clip that plays or is held; `None` for the bind pose.
    #[serde(deserialize_with = "or_default")]
    pub clip: Option<SavedPlace>,
    /// How it plays among others; `None`: as `loop_mode` says, on the clock.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub clip_state: Option<LayerState>,
    /// Clips of other kinds that play with it.
    #[serde(deserialize_with = "or_default")]
    pub layers: Vec<SavedLayer>,
    #[serde(deserialize_with = "or_default")]
    pub frame: f32,
    /// What the clock has counted, loops too: others that go by it are where this says. Where it does not lead to `frame`, that
    /// holds.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub clock_secs: Option<f64>,
    /// The first and the last frame of the stretch that plays in the place of all of the clip.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub range: Option<[f32; 2]>,
    #[serde(deserialize_with = "or_default")]
    pub playing: bool,
    #[serde(deserialize_with = "or_default")]
    pub loop_mode: LoopMode,
    #[serde(deserialize_with = "or_default")]
    pub speed: Option<f32>,
    /// Frames a second of clips that do not say.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub assumed_rate_hz: Option<f32>,
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub binding: BindingOptions,
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub pose: PoseOptions,
    /// Weights of morphs that were set by hand.
    #[serde(deserialize_with = "or_default")]
    pub morphs: Vec<f32>,
    #[serde(deserialize_with = "or_default")]
    pub drawer: Option<DrawerPage>,
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub scene: SavedScene,
    /// Images in the places of the model's own textures.
    #[serde(deserialize_with = "each_or_default", skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<SavedTexture>,
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub parts: SavedParts,
    pub modes: Modes,
}

fn is_angle_of_view(angle: f32) -> bool {
    (0.01..3.1).contains(&angle)
}

pub(in crate::ui) fn can_see(camera: &OrbitCamera) -> bool {
    camera.focus.is_finite()
        && is_near(camera.focus.abs().max_element())
        && is_near(camera.yaw)
        && camera.pitch.abs() <= std::f32::consts::FRAC_PI_2 + 1e-3
        && is_size(camera.distance)
        && is_size(camera.extent)
        && is_angle_of_view(camera.fov_y)
}

pub(in crate::ui) fn can_fly(fly: &FlyCamera) -> bool {
    fly.eye.is_finite()
        && is_near(fly.eye.abs().max_element())
        && is_near(fly.yaw)
        && fly.pitch.abs() <= std::f32::consts::FRAC_PI_2
        && is_size(fly.speed)
        && is_size(fly.extent)
        && is_angle_of_view(fly.fov_y)
}

impl SavedView {
    /// Makes defaults of what cannot be.
    pub fn check(&mut self) {
        self.files.truncate(MAX_SESSION);
        self.pictures.truncate(MAX_PICTURES);
        self.rows.truncate(MAX_ROWS);
        let files = self.files.len();
        let is_known = |place: &SavedPlace| place.file < files;
        self.selection.take_if(|place| !is_known(place));
        self.rows.retain(|row| match row {
            SavedRow::Folder(file) | SavedRow::File(file) => *file < files,
            SavedRow::Entry(place) | SavedRow::Branch(place, _) | SavedRow::Group(place, _) => is_known(place),
        });
        let mut seen = Vec::new();
        self.stages.retain(|stage| {
            let is_new = stage.id < 1_000 && !seen.contains(&stage.id);
            seen.push(stage.id);
            is_new
        });
        self.stages.truncate(MAX_STAGES);
        for stage in &mut self.stages {
            if stage.subject.file().is_some_and(|file| file >= files) {
                stage.subject = SavedSubject::Nothing;
            }
            stage.clip.take_if(|place| !is_known(place));
            stage.layers.retain(|layer| is_known(&layer.place));
            stage.layers.truncate(MAX_LAYERS);
            let states = stage.layers.iter_mut().map(|layer| &mut layer.state).chain([&mut stage.clip_state]);
            states.flatten().for_each(LayerState::check);
            stage.clock_secs.take_if(|secs| secs.is_nan() || secs.abs() > MAX_CLOCK_SECS);
            stage.range.take_if(|range| !range.iter().all(|frame| is_near(*frame)));
            stage.assumed_rate_hz.take_if(|rate_hz| !is_size(*rate_hz) || *rate_hz > MAX_RATE_HZ);
            stage.scene.check(is_known);
            texture::check(&mut stage.textures, is_known, self.pictures.len());
            stage.parts.check();
            stage.morphs.truncate(MAX_MORPHS);
            stage.morphs.iter_mut().filter(|weight| !is_near(**weight)).for_each(|weight| *weight = 0.0);
            stage.camera.take_if(|camera| !can_see(camera));
            stage.fly.take_if(|fly| !can_fly(fly));
            stage.top_down.take_if(|tilt| !tilt.iter().all(|angle| is_near(*angle)));
            stage.speed.take_if(|speed| !(-16.0..=16.0).contains(speed));
            if !is_near(stage.frame) {
                stage.frame = 0.0;
            }
            let gx = &mut stage.modes.options.gx;
            if !is_near(gx.key_yaw) || !is_near(gx.key_pitch) {
                *gx = GxSettings { lights: gx.lights, fog: gx.fog, ..GxSettings::default() };
            }
            if let Some(terrain) = &mut stage.modes.terrain {
                terrain.hidden.truncate(MAX_OBJECTS);
                terrain.selected.truncate(MAX_OBJECTS);
                if !is_near(terrain.contour_step) || terrain.contour_step < 0.0 {
                    terrain.contour_step = 0.0;
                }
                if !(0.01..=1_000.0).contains(&terrain.exaggeration) {
                    terrain.exaggeration = 1.0;
                }
            }
        }
        // The stage that is always there is one of them.
        if let Some(first) = self.stages.first_mut().filter(|_| !seen.contains(&StageId::FIRST.0)) {
            first.id = StageId::FIRST.0;
        }
    }

    /// The same but for what time changes.
    pub fn is_at_rest_as(&self, other: &Self) -> bool {
        let still = |view: &Self| {
            let mut view = view.clone();
            for stage in &mut view.stages {
                (stage.frame, stage.clock_secs) = (0.0, None);
                let states = stage.layers.iter_mut().map(|layer| &mut layer.state).chain([&mut stage.clip_state]);
                states.flatten().for_each(|state| state.frame = 0.0);
                stage.scene.models.iter_mut().for_each(|model| model.frame = 0.0);
            }
            view
        };
        still(self) == still(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        gpu::{Shading, Tint},
        scene::{HiddenParts, JointIndex, MaterialIndex, MeshIndex, Model, ModelPart, ModelPiece},
        ui::scene_member::{Anchor, MAX_MODELS, SceneLook},
    };

    fn read(text: &str) -> SavedView {
        let mut view: SavedView = serde_json::from_str(text).unwrap();
        view.check();
        view
    }

    fn place(entry: &str) -> SavedPlace {
        SavedPlace { file: 0, entry: entry.to_owned(), number: 3 }
    }

    /// A model of a scene that is attached to another one.
    fn model(to: Option<usize>) -> SavedModel {
        let attachment = SavedAttachment { to, anchor: Anchor::Joint(2), name: "Hand".to_owned() };
        SavedModel { place: Some(place("PNTS0000")), attached: Some(attachment), ..SavedModel::default() }
    }

    fn scene() -> SavedScene {
        let look = SceneLook { visible: false, tint: Some(Tint::Red), ghost: true };
        let free = SavedModel { attached: None, look, clip: Some(place("walk")), frame: 2.5, ..model(None) };
        SavedScene { models: vec![model(Some(1)), free, model(None)], selected: Some(1), ..SavedScene::default() }
    }

    /// What each model is attached to: nothing, or a number or the main one.
    fn attached(scene: &SavedScene) -> Vec<Option<Option<usize>>> {
        scene.models.iter().map(|model| model.attached.as_ref().map(|attached| attached.to)).collect()
    }

    fn texture(image: SavedImage) -> SavedTexture {
        let places = vec![SavedTexturePlace { name: "Skin".to_owned(), material: 1, slot: 0 }];
        SavedTexture { image: Some(image), places }
    }

    fn stage() -> SavedStage {
        let state = LayerState { loop_mode: LoopMode::Once, detached: true, playing: true, frame: 1.5 };
        SavedStage {
            layers: vec![SavedLayer { place: place("blink"), state: Some(state) }],
            clip_state: Some(LayerState::default()),
            clock_secs: Some(12.5),
            range: Some([2.0, 9.0]),
            scene: scene(),
            textures: vec![texture(SavedImage::Picture(0)), texture(SavedImage::Entry(place("Skin")))],
            parts: SavedParts { alone: Some(ModelPiece::Joint(JointIndex(4))), ..SavedParts::default() },
            subject: SavedSubject::Entry(place("PNTS0000")),
            camera: Some(OrbitCamera::default()),
            clip: Some(place("walk")),
            frame: 7.25,
            speed: Some(0.5),
            loop_mode: LoopMode::PingPong,
            modes: Modes {
                options: ViewOptions { shading: Shading::Normals, wireframe: true, ..ViewOptions::default() },
                terrain: None,
            },
            ..SavedStage::default()
        }
    }

    fn view() -> SavedView {
        SavedView {
            version: VERSION,
            files: vec![SavedFile { path: "/models/a.psk".into(), relative: Some("a.psk".into()) }],
            stages: vec![stage()],
            pictures: vec![SavedFile { path: "/pictures/skin.png".into(), relative: None }],
            rows: vec![SavedRow::File(0)],
            ..SavedView::default()
        }
    }

    #[test]
    fn a_view_is_read_as_it_was_written() {
        let written = view();
        assert_eq!(read(&serde_json::to_string(&written).unwrap()), written);
    }

    #[test]
    fn values_that_cannot_be_are_as_by_default_and_the_others_stay() {
        let text = serde_json::to_string(&view()).unwrap();
        for (from, to) in [
            (r#""shading":"Normals""#, r#""shading":"Tomorrow's""#),
            (r#""shading":"Normals""#, r#""shading":null"#),
            (r#""shading":"Normals""#, r#""shading":[[[[]]]]"#),
        ] {
            assert!(text.contains(from), "{text}");
            let read = read(&text.replace(from, to));
            let mut wanted = view();
            wanted.stages[0].modes.options.shading = Shading::Lit;
            assert_eq!(read, wanted, "{to}");
        }
        let frame = read(&text.replace(r#""frame":7.25"#, r#""frame":1e39"#)).stages[0].frame;
        assert_eq!(frame, 0.0);
        let speed = read(&text.replace(r#""speed":0.5"#, r#""speed":-99"#)).stages[0].speed;
        assert_eq!(speed, None);
        for (from, to) in [(r#""distance":3.0"#, r#""distance":0.0"#), (r#""fov_y":0.7"#, r#""fov_y":1e9"#)] {
            assert!(text.contains(from), "{text}");
            assert_eq!(read(&text.replace(from, to)).stages[0].camera, None, "{to}");
        }
    }

    #[test]
    fn files_and_stages_that_are_not_there_are_left_out() {
        let mut wrong = view();
        wrong.files.clear();
        wrong.stages.extend((0..20).map(|id| SavedStage { id, ..stage() }));
        wrong.selection = Some(SavedPlace { file: 9, entry: String::new(), number: 0 });
        wrong.check();
        assert_eq!(wrong.stages.len(), MAX_STAGES);
        let ids: std::collections::BTreeSet<u32> = wrong.stages.iter().map(|stage| stage.id).collect();
        assert_eq!(ids.len(), MAX_STAGES, "each once");
        assert!(wrong.stages.iter().all(|stage| stage.subject == SavedSubject::Nothing && stage.clip.is_none()));
        assert_eq!((wrong.selection, wrong.rows), (None, Vec::new()));
        let mut alone = view();
        alone.stages[0].id = 4;
        alone.check();
        assert_eq!(alone.stages[0].id, 0, "one is the stage that is always there");
    }

    #[test]
    fn models_that_cannot_be_are_left_out_and_the_others_keep_what_they_hang_on() {
        let mut wrong = view();
        let scene = &mut wrong.stages[0].scene;
        let gone = SavedModel { place: Some(SavedPlace { file: 7, ..place("PNTS0000") }), ..model(None) };
        let lost =
            SavedModel { clip: Some(SavedPlace { file: 7, ..place("walk") }), frame: f32::NAN, ..model(Some(1)) };
        // 0 on 2; 1 gone; 2 free; 3 on 1, which is gone; 4 on 9, which never was; 5 on the main one, and follows it.
        scene.models = vec![model(Some(2)), gone, scene.models[1].clone(), lost, model(Some(9)), model(None)];
        scene.models[5].follows = true;
        scene.selected = Some(2);
        wrong.check();
        let scene = &wrong.stages[0].scene;
        assert_eq!(attached(scene), [Some(Some(1)), None, None, None, Some(None)]);
        assert_eq!(scene.selected, Some(1));
        assert_eq!((scene.models[2].frame, scene.models[2].clip.clone(), scene.models[4].follows), (0.0, None, false));

        let mut many = view();
        many.stages[0].scene.models = vec![model(Some(MAX_MODELS)); MAX_MODELS + 3];
        many.stages[0].scene.selected = Some(MAX_MODELS);
        many.check();
        let scene = &many.stages[0].scene;
        assert_eq!((scene.models.len(), scene.selected), (MAX_MODELS, None));
        assert!(attached(scene).iter().all(Option::is_none));
    }

    #[test]
    fn circles_of_attachments_are_cut() {
        for (links, wanted) in [
            (vec![Some(0)], vec![None]),
            (vec![Some(1), Some(0)], vec![None, Some(Some(0))]),
            (vec![Some(1), Some(2), Some(0), None], vec![None, Some(Some(2)), Some(Some(0)), Some(None)]),
            // What hangs on a circle is not in it.
            (vec![Some(1), Some(2), Some(1)], vec![Some(Some(1)), None, Some(Some(1))]),
        ] {
            let mut circle = view();
            circle.stages[0].scene.models = links.into_iter().map(model).collect();
            circle.check();
            assert_eq!(attached(&circle.stages[0].scene), wanted);
        }
    }

    #[test]
    fn a_model_or_a_texture_that_cannot_be_read_spoils_no_other() {
        let text = serde_json::to_string(&view()).unwrap();
        let first = serde_json::to_string(&view().stages[0].scene.models[0]).unwrap();
        for junk in ["7", "null", "{}", r#"{"place":"here"}"#] {
            let found = read(&text.replacen(&first, junk, 1));
            let scene = &found.stages[0].scene;
            assert_eq!((attached(scene), scene.selected), (vec![None, Some(None)], Some(0)), "{junk}");
            assert_eq!(scene.models[..], view().stages[0].scene.models[1..], "{junk}");
        }
        let image = r#"{"Picture":0}"#;
        assert!(text.contains(image));
        for junk in [r#"{"Picture":1}"#, r#"{"Picture":-1}"#, r#"{"Film":0}"#, "null", "[[[]]]"] {
            let found = read(&text.replacen(image, junk, 1));
            assert_eq!(found.stages[0].textures, view().stages[0].textures[1..], "{junk}");
        }
        for (from, to) in [(r#""Joint":2"#, r#""Joint":-2"#), (r#""name":"Hand""#, r#""name":[]"#)] {
            assert!(text.contains(from), "{text}");
            let found = read(&text.replacen(from, to, 1));
            assert_eq!(attached(&found.stages[0].scene), [None, None, Some(None)], "{to}");
        }
        for (from, to) in [(r#""tint":"Red""#, r#""tint":"Plaid""#), (r#""visible":false"#, r#""visible":1"#)] {
            assert!(text.contains(from), "{text}");
            assert_eq!(read(&text.replace(from, to)).stages[0].scene.models[1].look, SceneLook::default(), "{to}");
        }
    }

    #[test]
    fn numbers_of_clocks_and_lists_are_bounded() {
        let mut wrong = view();
        let stage = &mut wrong.stages[0];
        (stage.clock_secs, stage.range) = (Some(f64::INFINITY), Some([f32::NAN, 4.0]));
        (stage.assumed_rate_hz, stage.layers[0].state.as_mut().unwrap().frame) = (Some(-30.0), f32::INFINITY);
        stage.textures = vec![stage.textures[0].clone(); 5_000];
        let mut model = Model::empty("bones");
        model.skeleton = Some(crate::scene::Skeleton::new(vec![crate::scene::Joint::default(); MAX_PARTS + 1], vec![]));
        for joint in 0..=MAX_PARTS as u32 {
            stage.parts.hidden.set(&model, ModelPiece::Joint(JointIndex(joint)), true);
        }
        stage.parts.actors.hidden = vec![None; MAX_PARTS + 1];
        wrong.check();
        let stage = &wrong.stages[0];
        assert_eq!((stage.clock_secs, stage.range, stage.assumed_rate_hz), (None, None, None));
        assert_eq!(stage.layers[0].state.unwrap().frame, 0.0);
        assert_eq!(stage.textures.len(), texture::MAX_TEXTURES);
        assert_eq!((stage.parts.hidden.clone(), stage.parts.actors.hidden.len()), (HiddenParts::default(), MAX_PARTS));
    }

    #[test]
    fn views_of_before_scenes_are_read() {
        let part = ModelPart { mesh: Some(MeshIndex(1)), material: Some(MaterialIndex(2)) };
        let mut wanted = view();
        wanted.stages[0].parts.alone = Some(ModelPiece::Surfaces(part));
        assert_eq!(read(&serde_json::to_string(&wanted).unwrap()), wanted);
        let stage = &mut wanted.stages[0];
        (stage.scene, stage.textures, stage.parts) = (SavedScene::default(), Vec::new(), SavedParts::default());
        (stage.clock_secs, stage.range, stage.clip_state) = (None, None, None);
        stage.layers[0].state = None;
        wanted.pictures.clear();
        let text = serde_json::to_string(&wanted).unwrap();
        for key in ["scene", "textures", "parts", "clock_secs", "range", "clip_state", "state", "pictures"] {
            assert!(
                !text.contains(&format!("\"{key}\":[")) && !text.contains(&format!("\"{key}\":{{")),
                "{key}: {text}"
            );
        }
        assert!(text.contains(r#""layers":[{"file":0,"entry":"blink","number":3}]"#), "{text}");
        assert_eq!(read(&text), wanted);
    }
}
