//! `render`: pictures of a model, a level or a landscape, without a window.

use super::{
    Failure,
    output::{Progress, say},
    png_file::{not_written, write_png},
    posing::{Moment, NamedClip, named_clip, open_clip, player_of, seek, subject},
    render_map, render_terrain,
    selection::{find_entry, fitting_entry, load_model, open_as},
};
use crate::{
    export::{
        numbered,
        write::{check_free, write_file},
    },
    formats::{Content, Entry},
    gpu::{Background, GpuContext, GpuError, Item, RenderTarget, SceneRenderer, ViewSettings},
    library::{OpenFile, primaries},
    scene::{
        Aabb, Frame, Image, LoopMode, Model, Player,
        camera::{OrbitCamera, ViewDirection},
        skinning::skinned_points,
    },
};
use glam::Affine3A;
use std::{path::PathBuf, process::ExitCode, sync::Arc};

pub use super::render_args::{Args, View};

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let paths: Vec<PathBuf> = match args.frames {
        Some(count) => (0..count).map(|number| numbered(&args.output, number)).collect(),
        None => vec![args.output.clone()],
    };
    // Asked before the work is done, and again when each is written.
    paths.iter().try_for_each(|path| check_free(path, args.force)).map_err(not_written)?;
    let file = open_as(&args.file, &args.reading, true)?;
    match scenery(&file, args.entry.as_deref())? {
        Some(entry) if entry.content == Content::Terrain => return render_terrain::run(&file, entry, args),
        Some(entry) => return render_map::run(&file, entry, args),
        None => {}
    }
    if args.view == View::Start {
        return Err(Failure::Usage("--view start is for levels: a model has no place to start from".to_owned()));
    }
    let (model, mut player) = scene_of(args, &file)?;
    let (shading, selected_joint) = args.shading.of_model(args.bone.as_deref(), &model)?;
    let moments = moments(args, &player);
    let mut studio = Studio::open(&model, args.size).map_err(Failure::failed)?;
    let view = ViewSettings { shading, selected_joint, ..view_of(&model, &mut player, &moments, args) };
    let progress = Progress::new("rendered", paths.len());
    let mut pose = Frame::default();
    for (done, (path, moment)) in paths.iter().zip(&moments).enumerate() {
        seek(&mut player, *moment);
        player.evaluate(&model, &mut pose);
        let picture = studio.picture(&view, &pose).map_err(Failure::failed)?;
        write_file(path, args.force, |out| write_png(&picture, out)).map_err(not_written)?;
        progress.at(done + 1);
    }
    Ok(ExitCode::SUCCESS)
}

/// The landscape or the level that is asked for: by name, or because the file is about it and nothing else was named.
fn scenery<'a>(file: &'a OpenFile, wanted: Option<&str>) -> Result<Option<&'a Entry>, Failure> {
    const SCENERY: [Content; 2] = [Content::Map, Content::Terrain];
    let entry = match wanted {
        Some(wanted) => find_entry(file, wanted, &[Content::Model, Content::Clip, Content::Map, Content::Terrain])?,
        None if primaries(file, &SCENERY).is_empty() => return Ok(None),
        None => fitting_entry(file, None, &SCENERY, "level or landscape")?,
    };
    Ok(Some(entry).filter(|entry| SCENERY.contains(&entry.content)))
}

/// The model with the clips that play on it.
fn scene_of(args: &Args, file: &OpenFile) -> Result<(Arc<Model>, Player), Failure> {
    let subject = subject(file, args.entry.as_deref())?;
    let model = load_model(file, subject.model, args.switches.load_options())?;
    let mut clips: Vec<NamedClip> = Vec::new();
    if let Some(entry) = subject.clip {
        clips.push(named_clip(file, entry, &args.switches)?);
    }
    for wanted in &args.clips {
        clips.push(open_clip(wanted, &args.switches)?);
    }
    let moves = args.frames.is_some() || args.moment.is_given();
    if clips.is_empty() && moves && !file.entries_with(Content::Clip).is_empty() {
        let entry = fitting_entry(file, None, &[Content::Clip], "clip")?;
        clips.push(named_clip(file, entry, &args.switches)?);
    }
    if clips.is_empty() && args.frames.is_some() {
        return Err(Failure::Usage("--frames needs a clip to spread over: name one with --clip".to_owned()));
    }
    if clips.is_empty() && args.moment.is_given() {
        say("note: no clip plays: this is the bind pose (--clip names one)");
    }
    let player = player_of(&model, &clips, &args.switches, args.clock)?;
    let model = match player.material_set() {
        Some(set) => Arc::new(set.applied_to(&model)),
        None => model,
    };
    Ok((model, player))
}

/// When each picture is taken.
fn moments(args: &Args, player: &Player) -> Vec<Moment> {
    let (Some(count), Some(clip)) = (args.frames, player.clip()) else { return vec![args.moment.moment()] };
    // A loop's end is its start again: it is not drawn twice.
    let step = match player.loop_mode() {
        LoopMode::Once | LoopMode::OnceReset => clip.last_frame() / (count as f32 - 1.0).max(1.0),
        LoopMode::Loop => clip.loop_frames() / count as f32,
        LoopMode::PingPong | LoopMode::OnceForthAndBack => clip.last_frame() * 2.0 / count as f32,
    };
    (0..count).map(|number| Moment::Secs(player.secs_of(number as f32 * step))).collect()
}

/// One camera for all pictures: it sees the model in every pose.
fn view_of(model: &Model, player: &mut Player, moments: &[Moment], args: &Args) -> ViewSettings {
    let mut pose = Frame::default();
    let bounds = moments.iter().filter_map(|moment| {
        seek(player, *moment);
        player.evaluate(model, &mut pose);
        posed_bounds(model, &pose)
    });
    let bounds = bounds.reduce(Aabb::union).unwrap_or_else(|| model.bounds());
    let background = args.background.unwrap_or_default();
    let (width, height) = args.size;
    ViewSettings {
        camera: OrbitCamera::framing(
            &bounds,
            args.view.direction().unwrap_or(ViewDirection::Iso),
            width as f32 / height as f32,
        ),
        skeleton: model.triangle_count() == 0,
        grid: false,
        shadow: background != Background::Transparent,
        background,
        floor_y: bounds.min.y,
        ..ViewSettings::default()
    }
}

/// Of the points that are drawn; of the joints where nothing is.
fn posed_bounds(model: &Model, pose: &Frame) -> Option<Aabb> {
    let drawn = model.meshes.iter().filter_map(|mesh| {
        let points = skinned_points(model, mesh, pose);
        let vertices = mesh.indices.iter().filter_map(|v| mesh.vertex_points.get(*v as usize));
        Aabb::of(vertices.filter_map(|p| points.get(*p as usize).copied()))
    });
    let joints = pose.world_from_joint.iter().map(|m| m.translation.into());
    drawn.reduce(Aabb::union).or_else(|| Aabb::of(joints))
}

/// A device with the model on it.
struct Studio {
    renderer: SceneRenderer,
    target: RenderTarget,
    model: crate::gpu::GpuModel,
    context: Arc<GpuContext>,
}

impl Studio {
    fn open(model: &Arc<Model>, (width, height): (u32, u32)) -> Result<Self, GpuError> {
        let context = GpuContext::headless()?;
        let mut renderer = SceneRenderer::new(context.clone())?;
        // A picture that is kept is worth four samples on any device.
        let target = RenderTarget::new(&context, width, height, 4)?;
        let model = renderer.upload(model)?;
        Ok(Self { renderer, target, model, context })
    }

    fn picture(&mut self, view: &ViewSettings, pose: &Frame) -> Result<Image, GpuError> {
        let item = Item { model: &self.model, frame: pose, world_from_model: Affine3A::IDENTITY };
        self.renderer.render(&mut self.target, view, &[item])?;
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the picture".to_owned(), message }),
            None => Ok(picture),
        }
    }
}
