//! What `render` writes: one picture, pictures with running numbers, or a moving picture.

use super::{
    Failure,
    output::{Progress, not_written, say, write_png},
    posing::{Moment, seek},
    render_args::{Args, Output},
};
use crate::{
    bytes::Cancel,
    export::{
        ExportError, ExportJob,
        animated::{AnimatedFormat, Timing, check_available, check_count, check_timing, write_animated},
        numbered,
        write::{check_free, write_file},
    },
    gpu::{Background, GpuError},
    scene::{Image, Player, Shot, Shots, camera::OrbitCamera},
};
use std::{path::PathBuf, process::ExitCode};

/// Time and camera rotation of an image.
#[derive(Clone, Copy, Debug)]
pub enum When {
    Moment(Moment),
    Shot(Shot),
}

impl When {
    /// Returns the player at this time.
    pub fn put(self, player: &Player) -> Player {
        match self {
            Self::Shot(shot) => player.at_shot(shot),
            Self::Moment(moment) => {
                let mut player = player.clone();
                seek(&mut player, moment);
                player
            }
        }
    }

    /// Returns the camera, rotated for this time.
    pub fn turned(self, camera: OrbitCamera) -> OrbitCamera {
        let turn = match self {
            Self::Shot(shot) => shot.turn,
            Self::Moment(_) => 0.0,
        };
        OrbitCamera { yaw: camera.yaw + turn, ..camera }
    }
}

/// Checks the options for contradictions, and whether the output can be written, before rendering starts.
pub fn check(args: &Args) -> Result<(), Failure> {
    let usage = |message: String| Err(Failure::Usage(message));
    if !args.has_known_ending() {
        let endings = ".png, .gif, .apng, .webp, .mp4 or .webm";
        return usage(format!("{}: unknown extension: use {endings}", args.output.display()));
    }
    if args.animated && args.output_kind() != Output::Animated(AnimatedFormat::Apng) {
        return usage("--animated works only with .png: the other extensions imply it".to_owned());
    }
    if let Output::Animated(format) = args.output_kind() {
        let extension = format.extension();
        if args.moment.is_given() {
            return usage(format!("a .{extension} file is an animation: omit --frame and --time, or use .png"));
        }
        if args.contact_sheet.is_some() {
            return usage("a contact sheet is one image: use .png".to_owned());
        }
        if args.background == Some(Background::Transparent) && !format.has_alpha() {
            return usage(format!(
                "a .{extension} file does not support transparency: use .webm, .webp, .apng or .gif"
            ));
        }
        check_available(format).map_err(Failure::failed)?;
    }
    match (args.output_kind(), args.frames) {
        (Output::Sequence, Some(count)) if args.contact_sheet.is_none() => names(args, count).map(|_| ()),
        (Output::Sequence, _) if args.contact_sheet.is_none() => Ok(()),
        _ => check_free(&args.output, args.force).map_err(not_written),
    }
}

/// Returns the file names of a sequence, or an error if a file already exists.
fn names(args: &Args, count: u32) -> Result<Vec<PathBuf>, Failure> {
    let names: Vec<PathBuf> = (0..count).map(|number| numbered(&args.output, number)).collect();
    names.iter().try_for_each(|path| check_free(path, args.force)).map_err(not_written)?;
    Ok(names)
}

/// The requested images.
pub struct Pictures<'a> {
    args: &'a Args,
    shots: Shots,
}

impl<'a> Pictures<'a> {
    /// Returns the images of the clips of a player. Without a clip, only the camera moves.
    ///
    /// # Errors
    /// Returns an error if there are too many images, or the format does not support their size or timing.
    pub fn new(args: &'a Args, player: &Player) -> Result<Self, Failure> {
        let shots = Shots::new(player, args.turntable(), args.shot_rate());
        let pictures = Self { args, shots };
        let checked = match args.output_kind() {
            Output::Picture => Ok(()),
            Output::Sequence => check_count(args.size, shots.count()),
            Output::Animated(format) => check_timing(format, &pictures.timing()),
        };
        checked.map_err(Failure::Usage)?;
        Ok(pictures)
    }

    fn timing(&self) -> Timing {
        let (width, height) = self.args.size;
        Timing { width, height, count: self.shots.count(), length_secs: self.shots.length_secs() }
    }

    pub fn all(&self) -> impl Iterator<Item = When> + '_ {
        let one = Some(When::Moment(self.args.moment.moment())).filter(|_| self.is_one());
        let many = if self.is_one() { 0 } else { self.shots.count() };
        one.into_iter().chain((0..many).map(move |number| When::Shot(self.shots.shot(number))))
    }

    fn is_one(&self) -> bool {
        self.args.output_kind() == Output::Picture
    }

    /// Draws the images one by one and writes them.
    pub fn write(&self, mut draw: impl FnMut(When) -> Result<Image, GpuError>) -> Result<ExitCode, Failure> {
        let Args { output, force, .. } = self.args;
        match self.args.output_kind() {
            Output::Picture => {
                let picture = draw(When::Moment(self.args.moment.moment())).map_err(Failure::failed)?;
                write_file(output, *force, |out| write_png(&picture, out)).map_err(not_written)?;
            }
            Output::Sequence => {
                let names = names(self.args, self.shots.count())?;
                let progress = Progress::new("rendered");
                for (done, (path, when)) in names.iter().zip(self.all()).enumerate() {
                    let picture = draw(when).map_err(Failure::failed)?;
                    write_file(path, *force, |out| write_png(&picture, out)).map_err(not_written)?;
                    progress.of(done + 1, names.len());
                }
            }
            Output::Animated(format) => {
                if !self.shots.moves() {
                    say(
                        "note: nothing moves, so the file contains only one image (--clip selects a clip, --turntable turns the camera)",
                    );
                }
                let shots = &self.shots;
                let timing = self.timing();
                let progress = Progress::new("rendered");
                let told = |done: u64, total: u64, _: &str| progress.of(done as usize, total as usize);
                let (cancel, force) = (Cancel::never(), *force);
                let job = ExportJob { cancel, progress: &told, force, max_output: None, resume: false };
                let mut next = |number| draw(When::Shot(shots.shot(number))).map_err(|error| error.to_string());
                write_animated(output, format, &timing, &job, &mut next).map_err(failed)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn failed(error: ExportError) -> Failure {
    match error {
        ExportError::Exists(_) => Failure::failed(format!("{error} (--force overwrites it)")),
        ExportError::TooLarge(message) => Failure::Usage(message),
        error => Failure::failed(error),
    }
}
