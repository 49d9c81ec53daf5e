//! `render` of a level.

use super::{
    Failure,
    render_args::{Args, Output, View},
    rendering::Pictures,
    selection::load,
};
use crate::{
    formats::{Asset, Entry},
    gpu::{GpuContext, GpuError, GpuMap, MapLayers, RenderTarget, SceneRenderer, ViewSettings},
    library::OpenFile,
    scene::{
        Image, Map, Player,
        camera::{FlyCamera, OrbitCamera, ViewDirection},
    },
};
use std::{process::ExitCode, sync::Arc};

/// Draws the level and writes the picture, or those of a turn around it.
pub fn run(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
    if !args.clips.is_empty()
        || args.moment.is_given()
        || args.turntable.is_none() && args.output_kind() != Output::Picture
    {
        return Err(Failure::Usage(
            "no clip plays on a level: leave --clip, --frame, --time and --frames out, or turn the camera with --turntable"
                .to_owned(),
        ));
    }
    if args.turntable.is_some() && args.view == View::Start {
        return Err(Failure::Usage("--turntable goes around the level: leave --view start out".to_owned()));
    }
    let shading = args.shading.of_level(args.bone.as_deref())?;
    let Asset::Map(map) = load(file, entry.id, args.switches.load_options())? else {
        return Err(Failure::of_file(&file.name, format!("“{}” is no level", entry.path())));
    };
    let pictures = Pictures::new(args, &Player::default())?;
    let view = ViewSettings { shading, ..view_of(&map, args) };
    let mut level = DrawnLevel::open(&map, args.size).map_err(Failure::failed)?;
    pictures.write(|when| level.picture(&ViewSettings { camera: when.turned(view.camera), ..view.clone() }))
}

/// From outside, or from where a visitor starts.
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

/// A device with a level on it.
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

    fn picture(&mut self, view: &ViewSettings) -> Result<Image, GpuError> {
        // As it is seen in the game: nothing that only its editor shows.
        let layers = MapLayers { sprites: false, ..MapLayers::default() };
        let (width, height) = self.target.size();
        let items = self.map.items(view, layers, width as f32 / height as f32);
        self.renderer.render(&mut self.target, view, &items)?;
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the picture".to_owned(), message }),
            None => Ok(picture),
        }
    }
}
