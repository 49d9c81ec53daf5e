//! `render`: pictures of a model, a level or a landscape, without a window.

use super::{
    Failure, contact_sheet,
    output::say,
    posing::{NamedClip, clips_for_model, named_clip, player_of, subject},
    registers::RegisterArgs,
    render_args::Output,
    render_map, render_terrain,
    rendering::{self, Pictures},
    selection::{find_entry, fitting_entry, load_model, open_as},
    thumbnail,
};
use crate::{
    formats::{Content, Entry},
    gpu::{Studio, ViewSettings, take_of},
    library::{OpenFile, primaries},
    scene::{Frame, Model, Player, camera::OrbitCamera},
};
use std::{process::ExitCode, sync::Arc};

pub use super::render_args::{Args, View};

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
        Some(entry) if entry.content == Content::Terrain => return render_terrain::run(&file, entry, args),
        Some(entry) => return render_map::run(&file, entry, args),
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
