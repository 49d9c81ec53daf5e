//! MP4 and WebM through the program ffmpeg, where it is installed. It gets the pixels on its standard input and arguments that
//! nothing in a file has a say in.

use super::{AnimatedFormat, Timing};
use crate::scene::Image;
use std::{
    env,
    ffi::OsString,
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    thread::JoinHandle,
};

/// For the creation of a process without a console window.
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Bytes that are kept of what ffmpeg says.
const MAX_SAID: usize = 4 << 10;

/// The program on the path. Folders that are not named from the root are left out: what lies there may be anybody's.
pub fn find_ffmpeg() -> Option<PathBuf> {
    let name = format!("ffmpeg{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    let found = env::split_paths(&folders).filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name));
    found.into_iter().find(|path| crate::files::is_file(path))
}

/// What to say where there is no ffmpeg.
pub fn missing(format: AnimatedFormat) -> String {
    let name = format.name();
    format!("{name} needs ffmpeg, which was not found in PATH: install it, or use .gif, .apng or .webp")
}

/// Pipes pictures as they come into ffmpeg, which writes `part`.
pub fn encode(
    program: &Path,
    part: &Path,
    format: AnimatedFormat,
    timing: &Timing,
    force: bool,
    next: &mut dyn FnMut() -> io::Result<Image>,
) -> io::Result<()> {
    let mut running = Running::start(program, &arguments(part, format, timing, force)?)?;
    for _ in 0..timing.count {
        let picture = next()?;
        if let Some(input) = &mut running.input
            && let Err(error) = input.write_all(&picture.rgba)
        {
            // It ended early: it says itself why.
            running.finish()?;
            return Err(error);
        }
    }
    running.finish()
}

fn arguments(part: &Path, format: AnimatedFormat, timing: &Timing, force: bool) -> io::Result<Vec<OsString>> {
    let size = format!("{}x{}", timing.width, timing.height);
    let (pictures, secs) = timing.rate();
    let rate = format!("{pictures}/{secs}");
    let input = ["-hide_banner", "-loglevel", "error", "-nostdin", "-f", "rawvideo", "-pixel_format", "rgba"];
    let input = input.into_iter().chain(["-video_size", &size, "-framerate", &rate, "-i", "pipe:0", "-an"]);
    let output: &[&str] = match format {
        // Colours at half the size need even sides.
        AnimatedFormat::Mp4 => &[
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-c:v",
            "libx264",
            "-crf",
            "18",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
        ],
        AnimatedFormat::WebM => {
            &["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-pix_fmt", "yuva420p", "-f", "webm"]
        }
        AnimatedFormat::Gif | AnimatedFormat::Apng | AnimatedFormat::WebP => &[],
    };
    let mut arguments: Vec<OsString> = input.chain(output.iter().copied()).map(OsString::from).collect();
    arguments.push(if force { "-y" } else { "-n" }.into());
    // A name with a colon would be taken for a protocol, one with a hyphen for an option.
    let mut file = OsString::from("file:");
    file.push(crate::files::absolute(part)?);
    arguments.push(file);
    Ok(arguments)
}

/// ffmpeg at work. Dropping it ends it.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    /// Reads what it says.
    said: Option<JoinHandle<String>>,
}

impl Running {
    fn start(program: &Path, arguments: &[OsString]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // It would open a console of its own beside the window.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NO_WINDOW);
        let started = command.spawn();
        let mut child =
            started.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", program.display())))?;
        let input = child.stdin.take();
        let stderr = child.stderr.take();
        let reader = std::thread::Builder::new().name("ffmpeg".into());
        let said = reader.spawn(move || stderr.map(read_end).unwrap_or_default());
        let mut running = Self { child, input, said: None };
        running.said = Some(said?);
        Ok(running)
    }

    /// Closes its input and waits for its end.
    fn finish(&mut self) -> io::Result<()> {
        drop(self.input.take());
        let status = self.child.wait()?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let said = lines.first().copied().unwrap_or("no error message");
        Err(io::Error::other(format!("ffmpeg failed ({status}): {}", said.escape_debug())))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Where it has ended, neither does anything.
        if self.said.is_some() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads to the end; the first bytes are kept.
fn read_end(mut from: impl Read) -> String {
    let mut said = Vec::new();
    let mut buffer = [0; 1 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        said.extend(&buffer[..count.min(MAX_SAID - said.len())]);
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_fixed_and_the_file_is_no_option() {
        let timing = Timing { width: 33, height: 20, count: 24, length_secs: 0.8 };
        for format in [AnimatedFormat::Mp4, AnimatedFormat::WebM] {
            for (force, over) in [(false, "-n"), (true, "-y")] {
                let all = arguments(Path::new("-i http:x.part"), format, &timing, force).unwrap();
                let all: Vec<String> = all.into_iter().map(|a| a.into_string().unwrap()).collect();
                assert!(
                    all.windows(2).any(|w| w == ["-video_size", "33x20"])
                        && all.windows(2).any(|w| w == ["-framerate", "30/1"])
                );
                let [.., asked, file] = all.as_slice() else { panic!() };
                assert_eq!(asked, over);
                assert!(
                    file.starts_with("file:/") || file.starts_with("file:\\\\?\\") || file[5..].contains(":\\"),
                    "{file}"
                );
                assert!(file.ends_with("-i http:x.part"));
            }
        }
    }
}
