//! What is looked at and how, in names that outlive the program: kept for the next start, in view files and in pictures. What of it
//! cannot be is as by default.

use super::{
    entry_group::Group,
    light_preset::LightPreset,
    subject::{DrawerPage, StageId},
    up_axis::UpAxis,
    written_path,
};
use crate::{
    gpu::{ColorChannel, GxSettings, MapLayers, Shading},
    scene::{
        LoopMode, PropColors, TerrainTint,
        camera::{FlyCamera, OrbitCamera},
    },
};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::path::PathBuf;

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
/// Numbers of cameras are no larger.
const FARTHEST: f32 = 1e9;

/// All that is looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedView {
    pub version: u32,
    /// Files that the rest names by their place in this list.
    pub files: Vec<SavedFile>,
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
    /// Clips of other kinds that play with it.
    #[serde(deserialize_with = "or_default")]
    pub layers: Vec<SavedPlace>,
    #[serde(deserialize_with = "or_default")]
    pub frame: f32,
    #[serde(deserialize_with = "or_default")]
    pub playing: bool,
    #[serde(deserialize_with = "or_default")]
    pub loop_mode: LoopMode,
    #[serde(deserialize_with = "or_default")]
    pub speed: Option<f32>,
    /// Weights of morphs that were set by hand.
    #[serde(deserialize_with = "or_default")]
    pub morphs: Vec<f32>,
    #[serde(deserialize_with = "or_default")]
    pub drawer: Option<DrawerPage>,
    pub modes: Modes,
}

/// How things are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Modes {
    #[serde(deserialize_with = "or_default")]
    pub shading: Shading,
    #[serde(deserialize_with = "or_default")]
    pub uv_set: u32,
    #[serde(deserialize_with = "or_default")]
    pub level: u32,
    #[serde(deserialize_with = "or_default")]
    pub wireframe: bool,
    #[serde(deserialize_with = "or_default")]
    pub skeleton: bool,
    #[serde(deserialize_with = "or_default")]
    pub bone_names: bool,
    #[serde(deserialize_with = "or_default")]
    pub sockets: bool,
    #[serde(deserialize_with = "or_default")]
    pub bounds: bool,
    #[serde(deserialize_with = "or_default")]
    pub channel: ColorChannel,
    #[serde(deserialize_with = "or_default")]
    pub normal_lines: bool,
    #[serde(deserialize_with = "or_default")]
    pub uv_layout: bool,
    #[serde(deserialize_with = "or_default")]
    pub shadow: bool,
    #[serde(deserialize_with = "or_default")]
    pub light: LightPreset,
    #[serde(deserialize_with = "or_default")]
    pub grid: bool,
    #[serde(deserialize_with = "or_default")]
    pub textures: bool,
    #[serde(deserialize_with = "or_default")]
    pub vertex_colors: bool,
    #[serde(deserialize_with = "or_default")]
    pub backface_culling: bool,
    #[serde(deserialize_with = "or_default")]
    pub nearest_filter: bool,
    #[serde(deserialize_with = "or_default")]
    pub show_hidden: bool,
    #[serde(deserialize_with = "or_default")]
    pub gx: GxSettings,
    #[serde(deserialize_with = "or_default")]
    pub background: Option<[u8; 3]>,
    #[serde(deserialize_with = "or_default")]
    pub layers: MapLayers,
    #[serde(deserialize_with = "or_default")]
    pub up_axis: UpAxis,
    /// Only of a landscape.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub terrain: Option<TerrainModes>,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            shading: Shading::default(),
            uv_set: 0,
            level: 0,
            wireframe: false,
            skeleton: false,
            bone_names: false,
            sockets: false,
            bounds: false,
            channel: ColorChannel::All,
            normal_lines: false,
            uv_layout: false,
            shadow: true,
            light: LightPreset::Studio,
            grid: true,
            textures: true,
            vertex_colors: false,
            backface_culling: false,
            nearest_filter: false,
            show_hidden: false,
            gx: GxSettings::default(),
            background: None,
            layers: MapLayers::default(),
            up_axis: UpAxis::default(),
            terrain: None,
        }
    }
}

/// How a landscape is drawn, and what of it is selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TerrainModes {
    pub tint: TerrainTint,
    pub contours: bool,
    pub contour_step: f32,
    pub water: bool,
    pub exaggeration: f32,
    pub wireframe: bool,
    pub grid: bool,
    pub props: bool,
    pub bodies: bool,
    pub prop_colors: PropColors,
    pub zones: bool,
    pub pictures: bool,
    pub prop_names: bool,
    pub legend: bool,
    /// Names of types.
    pub hidden: Vec<String>,
    /// Places in the file's list of objects.
    pub selected: Vec<u32>,
}

impl Default for TerrainModes {
    fn default() -> Self {
        let view = crate::scene::TerrainView::default();
        Self {
            tint: view.tint,
            contours: view.contours,
            contour_step: view.contour_step,
            water: view.water,
            exaggeration: view.exaggeration,
            wireframe: view.wireframe,
            grid: view.grid,
            props: view.props,
            bodies: view.bodies,
            prop_colors: view.prop_colors,
            zones: view.zones,
            pictures: view.pictures,
            prop_names: true,
            legend: true,
            hidden: Vec::new(),
            selected: Vec::new(),
        }
    }
}

/// The default for what cannot be read.
fn or_default<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).unwrap_or_default())
}

fn is_near(number: f32) -> bool {
    number.is_finite() && number.abs() <= FARTHEST
}

fn is_size(number: f32) -> bool {
    is_near(number) && number > 0.0
}

fn is_angle_of_view(angle: f32) -> bool {
    (0.01..3.1).contains(&angle)
}

fn can_see(camera: &OrbitCamera) -> bool {
    camera.focus.is_finite()
        && is_near(camera.focus.abs().max_element())
        && is_near(camera.yaw)
        && camera.pitch.abs() <= std::f32::consts::FRAC_PI_2 + 1e-3
        && is_size(camera.distance)
        && is_size(camera.extent)
        && is_angle_of_view(camera.fov_y)
}

fn can_fly(fly: &FlyCamera) -> bool {
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
            stage.layers.retain(is_known);
            stage.layers.truncate(MAX_LAYERS);
            stage.morphs.truncate(MAX_MORPHS);
            stage.morphs.iter_mut().filter(|weight| !is_near(**weight)).for_each(|weight| *weight = 0.0);
            stage.camera.take_if(|camera| !can_see(camera));
            stage.fly.take_if(|fly| !can_fly(fly));
            stage.top_down.take_if(|tilt| !tilt.iter().all(|angle| is_near(*angle)));
            stage.speed.take_if(|speed| !(-16.0..=16.0).contains(speed));
            if !is_near(stage.frame) {
                stage.frame = 0.0;
            }
            let gx = &mut stage.modes.gx;
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
            view.stages.iter_mut().for_each(|stage| stage.frame = 0.0);
            view
        };
        still(self) == still(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> SavedView {
        let mut view: SavedView = serde_json::from_str(text).unwrap();
        view.check();
        view
    }

    fn stage() -> SavedStage {
        let place = |entry: &str| SavedPlace { file: 0, entry: entry.to_owned(), number: 3 };
        SavedStage {
            subject: SavedSubject::Entry(place("PNTS0000")),
            camera: Some(OrbitCamera::default()),
            clip: Some(place("walk")),
            frame: 7.25,
            speed: Some(0.5),
            loop_mode: LoopMode::PingPong,
            modes: Modes { shading: Shading::Normals, wireframe: true, ..Modes::default() },
            ..SavedStage::default()
        }
    }

    fn view() -> SavedView {
        SavedView {
            version: VERSION,
            files: vec![SavedFile { path: "/models/a.psk".into(), relative: Some("a.psk".into()) }],
            stages: vec![stage()],
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
            wanted.stages[0].modes.shading = Shading::Lit;
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
}
