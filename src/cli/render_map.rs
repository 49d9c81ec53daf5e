//! `render` of a level.

use super::{
    Failure,
    png_file::{not_written, write_png},
    render_args::{Args, View},
    selection::load,
};
use crate::{
    export::write::write_file,
    formats::{Asset, Entry},
    gpu::{GpuContext, GpuError, MapLayers, RenderTarget, SceneRenderer, ViewSettings},
    library::OpenFile,
    scene::{
        Image, Map,
        camera::{FlyCamera, OrbitCamera, ViewDirection},
    },
};
use std::{process::ExitCode, sync::Arc};

/// Draws the level and writes the picture.
pub fn run(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
    if args.frames.is_some() || args.moment.is_given() || !args.clips.is_empty() {
        return Err(Failure::Usage(
            "no clip plays on a level: leave --clip, --frame, --time and --frames out".to_owned(),
        ));
    }
    let shading = args.shading.of_level(args.bone.as_deref())?;
    let Asset::Map(map) = load(file, entry.id, args.switches.load_options())? else {
        return Err(Failure::of_file(&file.name, format!("“{}” is no level", entry.path())));
    };
    let view = ViewSettings { shading, ..view_of(&map, args) };
    let picture = picture(&map, &view, args.size).map_err(Failure::failed)?;
    write_file(&args.output, args.force, |out| write_png(&picture, out)).map_err(not_written)?;
    Ok(ExitCode::SUCCESS)
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

fn picture(map: &Arc<Map>, view: &ViewSettings, (width, height): (u32, u32)) -> Result<Image, GpuError> {
    let context = GpuContext::headless()?;
    let mut renderer = SceneRenderer::new(context.clone())?;
    let mut target = RenderTarget::new(&context, width, height, 4)?;
    let map = renderer.upload_map(map)?;
    // As it is seen in the game: nothing that only its editor shows.
    let layers = MapLayers { meshes: true, sprites: false, brushes: false };
    renderer.render(&mut target, view, &map.items(view, layers, width as f32 / height as f32))?;
    let picture = target.read()?;
    match context.take_errors().into_iter().next() {
        Some(message) => Err(GpuError::Refused { what: "the picture".to_owned(), message }),
        None => Ok(picture),
    }
}
