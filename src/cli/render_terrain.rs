//! `render` of a landscape.

use super::{
    Failure,
    render_args::{Args, Output, View},
    rendering::Pictures,
    selection::load,
    shading::ShadingSwitch,
};
use crate::{
    formats::{Asset, Entry},
    gpu::{GpuContext, GpuError, GpuTerrain, RenderTarget, SceneRenderer, ViewSettings},
    library::OpenFile,
    scene::{
        Image, Player, Terrain, TerrainView,
        camera::{OrbitCamera, ViewDirection},
    },
};
use std::{process::ExitCode, sync::Arc};

/// Draws the landscape and writes one image, or the images of a turntable.
pub fn run(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    let moves = args.output_kind() != Output::Picture;
    if !args.clips.is_empty() || args.moment.is_given() || args.turntable.is_none() && moves {
        return usage(
            "clips do not play on a landscape: omit --clip, --frame, --time and --frames, or turn the camera with --turntable",
        );
    }
    if args.shading != ShadingSwitch::Lit || args.bone.is_some() {
        return usage("a landscape has no bones and no shading modes: omit --bone and --shading");
    }
    if args.view == View::Start {
        return usage("--view start works only with levels: a landscape has no player start");
    }
    let Asset::Terrain(terrain) = load(file, entry.id, args.switches.load_options())? else {
        return Err(Failure::of_file(&file.name, format!("“{}” is not a landscape", entry.path())));
    };
    let pictures = Pictures::new(args, &Player::default())?;
    let view = view_of(&terrain, args);
    let mut landscape = DrawnLandscape::open(&terrain, args.size).map_err(Failure::failed)?;
    pictures.write(|when| landscape.picture(&ViewSettings { camera: when.turned(view.camera), ..view.clone() }))
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
    if args.turntable.is_some() {
        // It is seen whole from every side.
        camera.frame(&terrain.bounds(), aspect);
    }
    ViewSettings {
        camera,
        grid: false,
        shadow: false,
        background: args.background.unwrap_or_default(),
        ..ViewSettings::default()
    }
}

/// A graphics device with an uploaded landscape.
struct DrawnLandscape {
    renderer: SceneRenderer,
    target: RenderTarget,
    terrain: GpuTerrain,
    context: Arc<GpuContext>,
}

impl DrawnLandscape {
    fn open(terrain: &Arc<Terrain>, (width, height): (u32, u32)) -> Result<Self, GpuError> {
        let context = GpuContext::headless()?;
        let mut renderer = SceneRenderer::new(context.clone())?;
        let target = RenderTarget::new(&context, width, height, 4)?;
        let terrain = renderer.upload_terrain(terrain)?;
        Ok(Self { renderer, target, terrain, context })
    }

    fn picture(&mut self, view: &ViewSettings) -> Result<Image, GpuError> {
        let how = TerrainView { pictures: true, ..TerrainView::default() };
        self.renderer.render_terrain(&mut self.target, view, &mut self.terrain, &how, &[])?;
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the image".to_owned(), message }),
            None => Ok(picture),
        }
    }
}
