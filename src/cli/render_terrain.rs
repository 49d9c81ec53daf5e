//! `render` of a landscape.

use super::{
    Failure,
    png_file::{not_written, write_png},
    render_args::{Args, View},
    selection::load,
    shading::ShadingSwitch,
};
use crate::{
    export::write::write_file,
    formats::{Asset, Entry},
    gpu::{GpuContext, GpuError, RenderTarget, SceneRenderer, ViewSettings},
    library::OpenFile,
    scene::{
        Image, Terrain, TerrainView,
        camera::{OrbitCamera, ViewDirection},
    },
};
use std::{process::ExitCode, sync::Arc};

/// Draws the landscape and writes the picture.
pub fn run(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    if args.frames.is_some() || args.moment.is_given() || !args.clips.is_empty() {
        return usage("no clip plays on a landscape: leave --clip, --frame, --time and --frames out");
    }
    if args.shading != ShadingSwitch::Lit || args.bone.is_some() {
        return usage("--shading and --bone are for models: leave them out");
    }
    if args.view == View::Start {
        return usage("--view start is for levels: a landscape has no place to start from");
    }
    let Asset::Terrain(terrain) = load(file, entry.id, args.switches.load_options())? else {
        return Err(Failure::of_file(&file.name, format!("“{}” is no landscape", entry.path())));
    };
    let picture = picture(&terrain, &view_of(&terrain, args), args.size).map_err(Failure::failed)?;
    write_file(&args.output, args.force, |out| write_png(&picture, out)).map_err(not_written)?;
    Ok(ExitCode::SUCCESS)
}

fn view_of(terrain: &Terrain, args: &Args) -> ViewSettings {
    let aspect = args.size.0 as f32 / args.size.1 as f32;
    let direction = args.view.direction().unwrap_or(ViewDirection::Iso);
    let mut camera = OrbitCamera::overlooking(&terrain.bounds(), direction, aspect);
    if direction == ViewDirection::Top {
        // A map: nothing on it leans.
        camera.orthographic = true;
        camera.frame_closely(&terrain.bounds(), aspect);
    }
    ViewSettings {
        camera,
        grid: false,
        shadow: false,
        background: args.background.unwrap_or_default(),
        ..ViewSettings::default()
    }
}

fn picture(terrain: &Arc<Terrain>, view: &ViewSettings, (width, height): (u32, u32)) -> Result<Image, GpuError> {
    let context = GpuContext::headless()?;
    let mut renderer = SceneRenderer::new(context.clone())?;
    let mut target = RenderTarget::new(&context, width, height, 4)?;
    let mut uploaded = renderer.upload_terrain(terrain)?;
    let how = TerrainView { pictures: true, ..TerrainView::default() };
    renderer.render_terrain(&mut target, view, &mut uploaded, &how, &[])?;
    let picture = target.read()?;
    match context.take_errors().into_iter().next() {
        Some(message) => Err(GpuError::Refused { what: "the picture".to_owned(), message }),
        None => Ok(picture),
    }
}
