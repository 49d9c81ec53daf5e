//! What is looked at and how, in names that outlive the program: kept for the next start, in view files and in pictures. What of it
//! cannot be is as by default.

mod view_options;

use view_options::{is_default, or_default};

pub use view_options::{GAMMAS, LightPreset, Modes, TerrainModes, UpAxis, ViewOptions, ViewToggle, held_gamma};

use crate::{
    gpu::GxSettings,
    library::written_path,
    scene::{
        BindingOptions, HiddenParts, LoopMode, ModelPiece, PoseOptions,
        camera::{FlyCamera, OrbitCamera},
    },
    ui::{
        library_row::Group,
        place::{DrawerPage, StageId},
        scene_member::{Anchor, MAX_MODELS, SceneLook},
    },
};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::path::{Path, PathBuf};

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

pub(super) fn can_see(camera: &OrbitCamera) -> bool {
    camera.focus.is_finite()
        && is_near(camera.focus.abs().max_element())
        && is_near(camera.yaw)
        && camera.pitch.abs() <= std::f32::consts::FRAC_PI_2 + 1e-3
        && is_size(camera.distance)
        && is_size(camera.extent)
        && is_angle_of_view(camera.fov_y)
}

pub(super) fn can_fly(fly: &FlyCamera) -> bool {
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
            check(&mut stage.textures, is_known, self.pictures.len());
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

/// A clip that plays beside the stage's clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedLayer {
    #[serde(flatten)]
    pub place: SavedPlace,
    /// `None`: as the stage's clip.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub state: Option<LayerState>,
}

/// How a clip plays among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LayerState {
    pub loop_mode: LoopMode,
    /// Off the common clock.
    pub detached: bool,
    /// While it is detached: time passes for it.
    pub playing: bool,
    /// While it is detached: where it is, in its own frames.
    pub frame: f32,
}

impl LayerState {
    fn check(&mut self) {
        if !is_near(self.frame) {
            self.frame = 0.0;
        }
    }
}

/// Surfaces, bones or actors that are hidden one by one.
pub const MAX_PARTS: usize = 4_000;

/// What is hidden. What an isolated part leaves out is not listed: it is everything else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedParts {
    /// What is hidden; while a part is shown alone, what was hidden before.
    #[serde(deserialize_with = "or_default")]
    pub hidden: HiddenParts,
    /// The part that is shown alone.
    #[serde(deserialize_with = "or_default")]
    pub alone: Option<ModelPiece>,
    /// What is hidden while a part is shown alone, where it is not everything else.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub hidden_now: Option<HiddenParts>,
    #[serde(deserialize_with = "or_default")]
    pub actors: SavedActors,
}

/// The same of a level: into its list of actors; `None` is the level itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedActors {
    pub hidden: Vec<Option<u32>>,
    pub alone: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_now: Option<Vec<Option<u32>>>,
}

impl SavedParts {
    /// Lists that are too long are left out.
    fn check(&mut self) {
        if self.hidden.len() > MAX_PARTS {
            self.hidden = HiddenParts::default();
        }
        self.hidden_now.take_if(|hidden| hidden.len() > MAX_PARTS);
        self.actors.hidden.truncate(MAX_PARTS);
        self.actors.hidden_now.take_if(|hidden| hidden.len() > MAX_PARTS);
    }
}

/// An entry of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SavedPlace {
    /// Into [`SavedView::files`].
    pub file: usize,
    /// Its path; empty for the file itself.
    pub entry: String,
    /// Its number, which tells it from others of that path.
    pub number: u32,
}

/// The models of a scene, and how they are seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedScene {
    /// How the main model is seen.
    #[serde(deserialize_with = "or_default")]
    pub main: SceneLook,
    /// In the order of the list.
    #[serde(deserialize_with = "each_or_default")]
    pub models: Vec<SavedModel>,
    /// Into `models`; `None`: the main one.
    #[serde(deserialize_with = "or_default")]
    pub selected: Option<usize>,
    #[serde(deserialize_with = "or_default")]
    pub side_by_side: bool,
    #[serde(deserialize_with = "or_default")]
    pub list_is_open: bool,
}

/// A model beside the main one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedModel {
    /// Always there after `SavedScene::check`.
    #[serde(deserialize_with = "or_default")]
    pub place: Option<SavedPlace>,
    #[serde(deserialize_with = "or_default")]
    pub look: SceneLook,
    /// The clip that plays or is held; `None` for the bind pose.
    #[serde(deserialize_with = "or_default")]
    pub clip: Option<SavedPlace>,
    #[serde(deserialize_with = "or_default")]
    pub frame: f32,
    #[serde(deserialize_with = "or_default")]
    pub playing: bool,
    #[serde(deserialize_with = "or_default")]
    pub loop_mode: LoopMode,
    #[serde(deserialize_with = "or_default")]
    pub own_clock: bool,
    /// It follows the pose of the main model.
    #[serde(deserialize_with = "or_default")]
    pub follows: bool,
    #[serde(deserialize_with = "or_default")]
    pub attached: Option<SavedAttachment>,
}

/// What a model is attached to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedAttachment {
    /// Into [`SavedScene::models`]; `None`: the main one.
    pub to: Option<usize>,
    pub anchor: Anchor,
    /// What the bone or the socket is called.
    pub name: String,
}

impl SavedScene {
    /// Leaves out what cannot be: models of no file, attachments to such or in a circle.
    fn check(&mut self, is_known: impl Fn(&SavedPlace) -> bool) {
        let mut count = 0;
        let number = |model: &SavedModel| {
            let is_kept = count < MAX_MODELS && model.place.as_ref().is_some_and(&is_known);
            count += usize::from(is_kept);
            is_kept.then(|| count - 1)
        };
        let numbers: Vec<Option<usize>> = self.models.iter().map(number).collect();
        let renumbered = |index: usize| numbers.get(index).copied().flatten();
        let mut is_kept = numbers.iter().map(Option::is_some);
        self.models.retain(|_| is_kept.next().unwrap_or_default());
        self.selected = self.selected.and_then(renumbered);
        for model in &mut self.models {
            model.clip.take_if(|place| !is_known(place));
            if !is_near(model.frame) {
                model.frame = 0.0;
            }
            model.attached.take_if(|attached| attached.name.len() > MAX_NAME);
            model.attached = model.attached.take().and_then(|attached| {
                let to = match attached.to {
                    Some(to) => Some(renumbered(to)?),
                    None => None,
                };
                Some(SavedAttachment { to, ..attached })
            });
            // What follows a pose stands where that is.
            model.follows &= model.attached.is_none();
        }
        self.cut_circles();
    }

    fn cut_circles(&mut self) {
        for at in 0..self.models.len() {
            let above = |at: &usize| self.models.get(*at)?.attached.as_ref()?.to;
            let mut way = std::iter::successors(above(&at), above).take(self.models.len());
            if way.any(|on| on == at) {
                self.models[at].attached = None;
            }
        }
    }
}

/// Images that are put on one model.
const MAX_TEXTURES: usize = 1_000;
/// Places that one image stands in.
const MAX_PLACES: usize = 1_000;

/// An image that is put on a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTexture {
    /// Always there after `check`.
    #[serde(deserialize_with = "or_default")]
    pub image: Option<SavedImage>,
    #[serde(deserialize_with = "each_or_default")]
    pub places: Vec<SavedTexturePlace>,
}

/// Where an image is read from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SavedImage {
    Entry(SavedPlace),
    /// A picture that is no file of the library: into [`SavedView::pictures`].
    Picture(usize),
}

/// Where a material reads a texture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTexturePlace {
    /// What the material is called, and which one of the model it was.
    pub name: String,
    pub material: u32,
    pub slot: u8,
}

/// Leaves out what cannot be.
fn check(textures: &mut Vec<SavedTexture>, is_known: impl Fn(&SavedPlace) -> bool, pictures: usize) {
    for texture in &mut *textures {
        texture.image.take_if(|image| match image {
            SavedImage::Entry(place) => !is_known(place),
            SavedImage::Picture(picture) => *picture >= pictures,
        });
        texture.places.retain(|place| place.name.len() <= MAX_NAME);
        texture.places.truncate(MAX_PLACES);
    }
    textures.retain(|texture| texture.image.is_some() && !texture.places.is_empty());
    textures.truncate(MAX_TEXTURES);
}

/// Numbers of cameras and clocks are no larger.
const FARTHEST: f32 = 1e9;
/// Bytes of the name of a bone, a socket or a material.
const MAX_NAME: usize = 1_000;

/// A list in which what cannot be read is as by default, so that the others keep their numbers.
fn each_or_default<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let Value::Array(items) = Value::deserialize(from)? else { return Ok(Vec::new()) };
    Ok(items.into_iter().map(|item| serde_json::from_value(item).unwrap_or_default()).collect())
}

fn is_near(number: f32) -> bool {
    number.is_finite() && number.abs() <= FARTHEST
}

fn is_size(number: f32) -> bool {
    is_near(number) && number > 0.0
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
        assert_eq!(stage.textures.len(), MAX_TEXTURES);
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
