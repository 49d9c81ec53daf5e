//! `render` of a level.

use super::{
    Failure,
    posing::Moment,
    render_args::{Args, Output, View},
    rendering::{Pictures, When},
    selection::load,
};
use crate::{
    formats::{Asset, Entry},
    gpu::{GpuContext, GpuError, GpuMap, MapLayers, MapView, RenderTarget, SceneRenderer, ViewSettings},
    library::OpenFile,
    scene::{
        Image, Map, MapMoment, Player,
        camera::{FlyCamera, OrbitCamera, ViewDirection},
    },
};
use std::{collections::BTreeSet, process::ExitCode, sync::Arc};

/// Draws the level and writes one image, or the images of a turntable.
pub fn run(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
    if !args.clips.is_empty()
        || matches!(args.moment.moment(), Moment::Frame(_))
        || args.turntable.is_none() && args.output_kind() != Output::Picture
    {
        return Err(Failure::Usage(
            "clips do not play on a level: omit --clip, --frame and --frames, or turn the camera with --turntable"
                .to_owned(),
        ));
    }
    if args.turntable.is_some() && args.view == View::Start {
        return Err(Failure::Usage("--turntable and --view start cannot be combined".to_owned()));
    }
    let shading = args.shading.of_level(args.bone.as_deref())?;
    let Asset::Map(map) = load(file, entry.id, args.switches.load_options())? else {
        return Err(Failure::of_file(&file.name, format!("“{}” is not a level", entry.path())));
    };
    let pictures = Pictures::new(args, &Player::default())?;
    let view = ViewSettings { shading, ..view_of(&map, args) };
    let mut level = DrawnLevel::open(&map, args.size).map_err(Failure::failed)?;
    pictures.write(|when| {
        let seconds = match when {
            When::Moment(Moment::Secs(secs)) => f64::from(secs),
            When::Moment(Moment::Start | Moment::Frame(_)) => 0.0,
            When::Shot(shot) => f64::from(shot.secs),
        };
        level.picture(&ViewSettings { camera: when.turned(view.camera), ..view.clone() }, seconds)
    })
}

/// Returns the view of a level: from outside, or from the player start.
fn view_of(map: &Map, args: &Args) -> ViewSettings {
    let bounds = map.bounds();
    let aspect = args.size.0 as f32 / args.size.1 as f32;
    let start = map.starts.first().filter(|_| args.view == View::Start);
    let camera = match start {
        Some(start) => FlyCamera::new(start.location, start.yaw + std::f32::consts::PI, &bounds).orbit(),
        None => {
            let direction = args.view.direction().unwrap_or(ViewDirection::Iso);
            OrbitCamera::framing(&bounds, direction, aspect)
        }
    };
    ViewSettings {
        camera,
        grid: false,
        shadow: false,
        backface_culling: true,
        vertex_colors: false,
        background: args.background.unwrap_or_default(),
        ..ViewSettings::default()
    }
}

/// A graphics device with an uploaded level.
struct DrawnLevel {
    renderer: SceneRenderer,
    target: RenderTarget,
    map: GpuMap,
    context: Arc<GpuContext>,
}

impl DrawnLevel {
    fn open(map: &Arc<Map>, (width, height): (u32, u32)) -> Result<Self, GpuError> {
        let context = GpuContext::headless()?;
        let mut renderer = SceneRenderer::new(context.clone())?;
        let target = RenderTarget::new(&context, width, height, 4)?;
        let map = renderer.upload_map(map)?;
        Ok(Self { renderer, target, map, context })
    }

    fn picture(&mut self, view: &ViewSettings, seconds: f64) -> Result<Image, GpuError> {
        // As it is seen in the game: nothing that only its editor shows.
        let layers = MapLayers { sprites: false, ..MapLayers::default() };
        let moment = MapMoment { seconds: seconds.max(0.0), ..MapMoment::default() };
        let how = MapView { layers, hidden: &BTreeSet::new(), moment: &moment, lines: &[], overlay: &[], exact: true };
        self.renderer.render_map(&mut self.target, view, &mut self.map, &how)?;
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the image".to_owned(), message }),
            None => Ok(picture),
        }
    }
}
