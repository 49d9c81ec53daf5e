//! `render`: pictures of a model, a level or a landscape, without a window.

use super::{
    ClipName, Failure, ReadingArgs, ShadingSwitch, Switches,
    output::{Progress, say},
    picture_path::numbered,
    posing::{Moment, MomentArgs, NamedClip, named_clip, open_clip, player_of, seek, subject},
    render_map, render_terrain,
    selection::{find_entry, fitting_entry, load_model, open_as},
};
use crate::{
    export::write::{WriteError, check_free, write_file},
    formats::{Content, Entry},
    gpu::{Background, GpuContext, GpuError, Item, RenderTarget, SceneRenderer, ViewSettings},
    library::{OpenFile, primaries},
    scene::{
        Aabb, Frame, Image, LoopMode, Model, Player,
        camera::{OrbitCamera, ViewDirection},
        skinning::skinned_points,
    },
};
use clap::ValueEnum;
use glam::Affine3A;
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use std::{io, path::PathBuf, process::ExitCode, sync::Arc};

/// Pixels in one direction; the graphics device may hold fewer.
const LARGEST_SIDE: u32 = 32_768;
/// Pictures of one run.
const MAX_PICTURES: u32 = 100_000;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The file with the model
    pub file: PathBuf,
    /// The entry, as `list` prints it (#N is its id); without it what the file is about: a level, a landscape or a model
    pub entry: Option<String>,
    /// A clip to play; several of different kinds combine
    #[arg(long = "clip", value_name = "FILE[::ENTRY]", value_parser = ClipName::parse)]
    pub clips: Vec<ClipName>,
    #[command(flatten)]
    pub moment: MomentArgs,
    /// This many pictures spread evenly over the clip
    #[arg(long, value_name = "N", conflicts_with_all = ["frame", "time"], value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PICTURES)))]
    pub frames: Option<u32>,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x768", value_parser = size)]
    pub size: (u32, u32),
    /// Where to look from
    #[arg(long, value_name = "FROM", value_enum, default_value_t)]
    pub view: View,
    /// RRGGBB or transparent; without it the window's
    #[arg(long, value_name = "RRGGBB|transparent", value_parser = background)]
    pub background: Option<Background>,
    /// How surfaces are coloured
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub shading: ShadingSwitch,
    /// The bone that --shading weights shows, by name or #N
    #[arg(long, value_name = "NAME|#N")]
    pub bone: Option<String>,
    /// Write over files that are there
    #[arg(long)]
    pub force: bool,
    /// The picture to write; with --frames, {frame:04} in it is the running number
    #[arg(short, long, value_name = "OUT.png", value_parser = png_path)]
    pub output: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub switches: Switches,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum View {
    #[default]
    Iso,
    Front,
    Back,
    Left,
    Right,
    Top,
    /// Of a level: from where a visitor starts
    Start,
}

impl View {
    /// `None` for a place in a level.
    pub fn direction(self) -> Option<ViewDirection> {
        Some(match self {
            Self::Iso => ViewDirection::Iso,
            Self::Front => ViewDirection::Front,
            Self::Back => ViewDirection::Back,
            Self::Left => ViewDirection::Left,
            Self::Right => ViewDirection::Right,
            Self::Top => ViewDirection::Top,
            Self::Start => return None,
        })
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST_SIDE).contains(side));
    let sides = text.split_once(['x', 'X']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {LARGEST_SIDE}"))
}

fn background(text: &str) -> Result<Background, String> {
    if text.eq_ignore_ascii_case("transparent") {
        return Ok(Background::Transparent);
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() == 6
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
        && let Ok(color) = u32::from_str_radix(digits, 16)
    {
        let [_, r, g, b] = color.to_be_bytes();
        return Ok(Background::Color([r, g, b]));
    }
    Err("expected RRGGBB (six hexadecimal digits) or transparent".to_owned())
}

fn png_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(path),
        _ => Err("expected a name that ends in .png".to_owned()),
    }
}

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

pub fn not_written(error: WriteError) -> Failure {
    match error {
        WriteError::Exists(_) => Failure::failed(format!("{error} (--force writes over it)")),
        WriteError::Io { .. } => Failure::failed(error),
    }
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
    let player = player_of(&model, &clips, &args.switches)?;
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

pub fn write_png(picture: &Image, out: &mut impl io::Write) -> io::Result<()> {
    PngEncoder::new(out)
        .write_image(&picture.rgba, picture.width, picture.height, ExtendedColorType::Rgba8)
        .map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_backgrounds_are_read_strictly() {
        assert_eq!(size("640x480"), Ok((640, 480)));
        for wrong in ["", "640", "0x5", "5x0", "99999x5", "-1x5", "5x5x5", "axb"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(background("Transparent"), Ok(Background::Transparent));
        assert_eq!(background("ff8000"), Ok(Background::Color([255, 128, 0])));
        assert_eq!(background("#ff8000"), Ok(Background::Color([255, 128, 0])));
        for wrong in ["", "ff80", "ff80000", "+f8000", "gg0000", "ä8000"] {
            assert!(background(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pictures_end_in_png() {
        assert!(png_path("a.PNG").is_ok() && png_path("a.jpg").is_err() && png_path("png").is_err());
    }
}
