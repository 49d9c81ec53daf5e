//! `render`: pictures of a model, a level or a landscape, without a window.

pub use super::render_args::{Args, View};

use super::{
    Failure, contact_sheet,
    output::say,
    posing::{Moment, NamedClip, clips_for_model, named_clip, player_of, subject},
    registers::RegisterArgs,
    render_args::Output,
    rendering::{self, Pictures, When},
    selection::{find_entry, fitting_entry, load, load_model, open_as},
    shading::ShadingSwitch,
    thumbnail,
};
use crate::{
    formats::{Asset, Content, Entry},
    gpu::{
        GpuContext, GpuError, GpuMap, GpuTerrain, MapLayers, MapView, RenderTarget, SceneRenderer, Studio,
        ViewSettings, take_of,
    },
    library::{OpenFile, primaries},
    scene::{
        Frame, Image, Map, MapMoment, Model, Player, Terrain, TerrainView,
        camera::{FlyCamera, OrbitCamera, ViewDirection},
    },
};
use std::{collections::BTreeSet, process::ExitCode, sync::Arc};

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(side) = args.thumbnail {
        return thumbnail::run(side, args);
    }
    rendering::check(args)?;
    let mut file = open_as(&args.file, &args.reading.among(args.textures.as_ref()), true)?;
    args.textures.iter().for_each(|folder| file.look_first_in(folder));
    if let Some(of) = args.contact_sheet {
        return contact_sheet::run(file, of, args);
    }
    let file = Arc::new(file);
    match scenery(&file, args.entry.as_deref())? {
        Some(_) if !args.registers.colors.is_empty() => return Err(RegisterArgs::no_model()),
        Some(entry) if entry.content == Content::Terrain => return render_terrain(&file, entry, args),
        Some(entry) => return render_map(&file, entry, args),
        None => {}
    }
    if args.view == View::Start {
        return Err(Failure::Usage("--view start works only with levels: a model has no player start".to_owned()));
    }
    let (model, player) = scene_of(args, &file)?;
    let (shading, selected_joint) = args.shading.of_model(args.bone.as_deref(), &model)?;
    let pictures = Pictures::new(args, &player)?;
    let mut studio = Studio::open(&model, args.size).map_err(Failure::failed)?;
    let aspect = args.size.0 as f32 / args.size.1 as f32;
    let poses = pictures.all().map(|when| when.put(&player));
    let background = args.background.unwrap_or_default();
    let mut take = take_of(&model, poses, args.view.direction(), OrbitCamera::frame, background, aspect);
    (take.view.shading, take.view.selected_joint) = (shading, selected_joint);
    let mut pose = Frame::default();
    pictures.write(|when| {
        when.put(&player).evaluate(&model, &mut pose);
        let view = take.at(&pose);
        studio.picture(&ViewSettings { camera: when.turned(view.camera), ..view }, &pose)
    })
}

/// Returns the specified level or landscape, or by default the file's main level or landscape.
fn scenery<'a>(file: &'a OpenFile, wanted: Option<&str>) -> Result<Option<&'a Entry>, Failure> {
    const SCENERY: [Content; 2] = [Content::Map, Content::Terrain];
    let entry = match wanted {
        Some(wanted) => find_entry(file, wanted, &[Content::Model, Content::Clip, Content::Map, Content::Terrain])?,
        None if primaries(file, &SCENERY).is_empty() => return Ok(None),
        None => fitting_entry(file, None, &SCENERY, "level or landscape")?,
    };
    Ok(Some(entry).filter(|entry| SCENERY.contains(&entry.content)))
}

/// Returns the model and a player with its clips.
fn scene_of(args: &Args, file: &Arc<OpenFile>) -> Result<(Arc<Model>, Player), Failure> {
    let subject = subject(file, args.entry.as_deref())?;
    let model = load_model(file, subject.model, args.switches.load_options())?;
    let mut clips: Vec<NamedClip> = Vec::new();
    if let Some(entry) = subject.clip {
        clips.push(named_clip(file, entry, &args.switches)?);
    }
    for wanted in &args.clips {
        clips.extend(clips_for_model(wanted, (file, subject.model.id), &model, &args.switches)?);
    }
    let turns = args.turntable.is_some();
    let moves = args.output_kind() != Output::Picture;
    let own = file.entries_with(Content::Clip).len();
    // A turn needs no clip: of several, none is meant.
    let wants_own = if turns { own == 1 } else { own > 0 && (moves || args.moment.is_given()) };
    if clips.is_empty() && wants_own {
        let entry = fitting_entry(file, None, &[Content::Clip], "clip")?;
        clips.push(named_clip(file, entry, &args.switches)?);
    }
    if clips.is_empty() && moves && !turns {
        let what = if args.frames.is_some() { "--frames needs a clip" } else { "nothing moves without a clip" };
        return Err(Failure::Usage(format!("{what}: specify one with --clip, or turn the camera with --turntable")));
    }
    if clips.is_empty() && args.moment.is_given() {
        say("note: without a clip, --frame and --time have no effect (--clip selects one)");
    }
    let player = player_of(&model, &clips, &args.switches, args.clock)?;
    let model = match player.material_set() {
        Some(set) => Arc::new(set.applied_to(&model)),
        None => model,
    };
    args.registers.check(&file.name, &model)?;
    Ok((args.registers.set_in(model), player))
}

/// Draws the level and writes one image, or the images of a turntable.
fn render_map(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
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
    let view = ViewSettings { shading, ..map_view_of(&map, args) };
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
fn map_view_of(map: &Map, args: &Args) -> ViewSettings {
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

/// Draws the landscape and writes one image, or the images of a turntable.
fn render_terrain(file: &OpenFile, entry: &Entry, args: &Args) -> Result<ExitCode, Failure> {
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
    let view = terrain_view_of(&terrain, args);
    let mut landscape = DrawnLandscape::open(&terrain, args.size).map_err(Failure::failed)?;
    pictures.write(|when| landscape.picture(&ViewSettings { camera: when.turned(view.camera), ..view.clone() }))
}

fn terrain_view_of(terrain: &Terrain, args: &Args) -> ViewSettings {
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
