//! Clips on a model at a moment, as the command line names them: what `pose`, `render` and `export` share.

use super::{
    ClipName, Failure, Switches,
    companions::clips_called,
    output::{plain, say},
    selection::{find_entry, fitting_entry, full_name, load_clip, open},
};
use crate::{
    formats::{Content, Entry, EntryId},
    library::OpenFile,
    scene::{Binding, Clip, Model, Player, TargetKind},
};
use std::sync::Arc;

/// Position in a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Moment {
    #[default]
    Start,
    /// Frame of each clip, may be fractional. It is limited to the length of the clip or of each track (formats/j3d.md §2.1).
    Frame(f32),
    /// Seconds from the start, by the clip's frame rate and loop mode.
    Secs(f32),
}

/// Options `--frame F` and `--time SECS`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct MomentArgs {
    /// Frame of the clip; may be fractional
    #[arg(long, value_name = "F", value_parser = finite, allow_negative_numbers = true)]
    pub frame: Option<f32>,
    /// Time from the start of the clip in seconds, by its frame rate and loop mode
    #[arg(long, value_name = "SECS", value_parser = finite, allow_negative_numbers = true)]
    pub time: Option<f32>,
}

/// Option `--fps HZ`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ClockArgs {
    /// Frame rate of clips whose files store none (J3D, ANM), 1 to 1000. Default: 30 for J3D, 60 for ANM
    #[arg(long, value_name = "HZ", value_parser = rate)]
    pub fps: Option<f32>,
}

/// Parses a frame rate.
pub fn rate(text: &str) -> Result<f32, String> {
    finite(text)
        .ok()
        .filter(|rate| (1.0..=1000.0).contains(rate))
        .ok_or_else(|| "expected a number from 1 to 1000".to_owned())
}

impl MomentArgs {
    pub fn moment(&self) -> Moment {
        match (self.frame, self.time) {
            (Some(frame), _) => Moment::Frame(frame),
            (None, Some(secs)) => Moment::Secs(secs),
            (None, None) => Moment::Start,
        }
    }

    pub fn is_given(&self) -> bool {
        self.moment() != Moment::Start
    }
}

/// Parses a finite number.
pub fn finite(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("expected a number".to_owned()),
    }
}

/// Moves a player to a position in its clips. Clips behave as in the window.
pub fn seek(player: &mut Player, moment: Moment) {
    player.seek(0.0);
    match moment {
        Moment::Start => {}
        Moment::Frame(frame) => player.hold(frame),
        Moment::Secs(secs) => {
            player.play();
            player.advance(secs);
            player.playing = false;
        }
    }
}

/// An open clip with the name by which it was specified.
pub struct NamedClip {
    pub clip: Arc<Clip>,
    /// `FILE::ENTRY`
    pub name: String,
}

/// Opens the clip specified with `--clip`.
pub fn open_clip(wanted: &ClipName, switches: &Switches) -> Result<NamedClip, Failure> {
    let file = open(&wanted.file)?;
    let entry = fitting_entry(&file, wanted.entry.as_deref(), &[Content::Clip], "clip")?;
    named_clip(&file, entry, switches)
}

/// Opens the clips specified with `--clip` for a model of `file`: a clip of a file, or the clips with this name in `file` or next to it.
pub fn clips_for_model(
    wanted: &ClipName,
    (file, entry): (&Arc<OpenFile>, EntryId),
    model: &Model,
    switches: &Switches,
) -> Result<Vec<NamedClip>, Failure> {
    let Some(name) = wanted.bare_name() else { return Ok(vec![open_clip(wanted, switches)?]) };
    let clips = clips_called((file, entry), model, &name)?;
    let entries = clips.iter().filter_map(|clip| Some((&*clip.file, clip.file.entry(clip.entry)?)));
    entries.map(|(file, entry)| named_clip(file, entry, switches)).collect()
}

pub fn named_clip(file: &OpenFile, entry: &Entry, switches: &Switches) -> Result<NamedClip, Failure> {
    Ok(NamedClip { clip: load_clip(file, entry, switches.load_options())?, name: full_name(file, entry) })
}

/// Plays clips on a model. Prints on standard error how well each clip fits.
///
/// # Errors
/// Returns an error if a clip has no effect on the model, or if two clips animate the same targets.
pub fn player_of(model: &Model, clips: &[NamedClip], switches: &Switches, clock: ClockArgs) -> Result<Player, Failure> {
    let mut player = Player::default();
    player.set_assumed_rate_hz(clock.fps);
    player.options = switches.pose_options();
    let is_at_rest = !player.options.bind_pose && !clips.iter().any(|named| named.clip.kind() == TargetKind::Joints);
    if is_at_rest && let Some(difference) = model.pose_difference() {
        say(format_args!("note: {difference} (--pose bind shows the bind pose)"));
    }
    for NamedClip { clip, name } in clips {
        let binding = Binding::new(clip, model, switches.binding_options());
        let fit = &binding.fit;
        if !fit.any() {
            return Err(Failure::of_file(name, fit));
        }
        if let Some(rival) = player.rival_of(clip, &binding) {
            let other =
                clips.iter().find(|other| Arc::ptr_eq(&other.clip, &rival.clip)).map_or("", |other| &other.name);
            return Err(Failure::Usage(format!(
                "“{other}” and “{name}” animate the same targets: only one of them can play"
            )));
        }
        if !fit.is_complete() || fit.renamed_root.is_some() {
            say(format_args!("note: {}", plain(&format!("{name}: {fit}"))));
        }
        if let Some(layer) = player.join_clip(clip.clone(), Arc::new(binding)) {
            player.set_layer_loop(layer, clip.default_loop);
        }
    }
    Ok(player)
}

/// Model and clip of a command that shows a model.
pub struct Subject<'a> {
    pub model: &'a Entry,
    /// Clip of the same file that was specified instead of a model.
    pub clip: Option<&'a Entry>,
}

/// Returns the specified model. A clip that is specified instead plays on the file's only model (an animation file's own skeleton).
/// Default: the only model.
pub fn subject<'a>(file: &'a OpenFile, wanted: Option<&str>) -> Result<Subject<'a>, Failure> {
    let fitting = [Content::Model, Content::Clip];
    if let Some(wanted) = wanted {
        let entry = find_entry(file, wanted, &fitting)?;
        if entry.content == Content::Clip {
            let parent = entry.parent.and_then(|p| file.entry(p)).filter(|p| p.content == Content::Model);
            if let Some(model) = parent {
                return Ok(Subject { model, clip: Some(entry) });
            }
            let what = "model for the clip (pass the model as FILE and the clip with --clip)";
            let model = fitting_entry(file, None, &[Content::Model], what)?;
            return Ok(Subject { model, clip: Some(entry) });
        }
    }
    let what = match file.entries_with(Content::Clip).is_empty() {
        true => "model",
        false => "model (to play a clip on a model, use --clip)",
    };
    Ok(Subject { model: fitting_entry(file, wanted, &[Content::Model], what)?, clip: None })
}
