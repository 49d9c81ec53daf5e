//! The driver: a virtual display with a window manager and the program, keys and drops sent to it, pictures taken of it.

use crate::{kit, picture::differing, schemas::Schemas};
use image::RgbaImage;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::LazyLock,
    time::{Duration, Instant},
};

/// How long the window may take for one step on the software driver.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Whatever the window says is held to its schema.
static SCHEMAS: LazyLock<Schemas> = LazyLock::new(Schemas::read);

/// What a person takes between two keys.
const KEY_PAUSE: Duration = Duration::from_millis(500);

/// Frames that can wait to be shown, at most: more than any swap chain has pictures.
const WAITING_FRAMES: u64 = 6;

/// How a picture is to differ from an earlier one.
pub struct Change<'a> {
    pub before: &'a RgbaImage,
    /// Left and top on the screen, width and height.
    pub place: (i64, i64),
    pub size: (i64, i64),
    /// More of them than this differ.
    pub pixels: usize,
    /// What is wrong otherwise.
    pub what: &'static str,
}

impl Change<'_> {
    /// What is missing in a picture; `None` where nothing is.
    fn missing_in(&self, picture: &RgbaImage) -> Option<String> {
        let count = differing(self.before, picture, self.place, self.size).len();
        (count <= self.pixels).then(|| format!("{}: {count} pixels differ", self.what))
    }
}

/// A child that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual display with a window manager and Bonebox on it.
pub struct Stage {
    display: String,
    pub folder: tempfile::TempDir,
    status: PathBuf,
    pub window: Running,
    _manager: Running,
    _server: Running,
}

/// The program on a display, with a home of its own in `folder`.
fn start(display: &str, folder: &Path, status: &Path, arguments: &[&str]) -> Child {
    let home = folder.join("home");
    let log = fs::File::create(folder.join("log")).unwrap();
    Command::new(env!("CARGO_BIN_EXE_bonebox"))
        .args(arguments)
        .args([Path::new("--status"), status])
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("WGPU_BACKEND", "vulkan")
        // Dialogs of the system would be another program's windows.
        .env("BONEBOX_OWN_DIALOGS", "1")
        .env("HOME", &home)
        .env("XDG_DATA_HOME", &home)
        .env("XDG_CONFIG_HOME", &home)
        .env("XDG_CACHE_HOME", home.join("cache"))
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("bonebox starts")
}

fn has(program: &str, arguments: &[&str]) -> bool {
    let run = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok()
}

/// What is missing on this machine; empty when the test can run.
fn missing() -> Vec<&'static str> {
    let mut missing = Vec::new();
    for (program, argument) in [
        ("Xvfb", "-help"),
        ("openbox", "--version"),
        ("xdotool", "version"),
        ("xwininfo", "-version"),
        ("import", "-version"),
    ] {
        if !has(program, &[argument]) {
            missing.push(program);
        }
    }
    let python = Command::new(python()).args(["-c", "import Xlib"]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|s| s.success()) {
        missing.push("python3-xlib");
    }
    missing
}

/// The system's own Python: the one that the distribution's Xlib package belongs to.
fn python() -> &'static str {
    if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" }
}

impl Stage {
    pub fn open(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let server = Running(server);
        let display = format!(":{}", line.trim());
        let spawn = |program: &str| {
            let mut command = Command::new(program);
            command.env("DISPLAY", &display).env_remove("WAYLAND_DISPLAY").stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let manager = Running(spawn("openbox").spawn().expect("openbox starts"));
        let status = folder.path().join("status.json");
        fs::create_dir(folder.path().join("home")).unwrap();
        let window = Running(start(&display, folder.path(), &status, arguments));
        Self { display, folder, status, window, _manager: manager, _server: server }
    }

    /// Ends the program as a crash would (SIGKILL) and starts it again in the same home.
    pub fn kill_and_start(&mut self, arguments: &[&str]) {
        self.window.0.kill().unwrap();
        self.start_again(arguments);
    }

    /// Starts the program again in the same home, after it ended.
    pub fn start_again(&mut self, arguments: &[&str]) {
        self.window.0.wait().unwrap();
        fs::remove_file(&self.status).unwrap();
        self.window = Running(start(&self.display, self.folder.path(), &self.status, arguments));
    }

    /// Starts a second window in the same home, whose status is read from now on. Returns the first one.
    pub fn start_beside(&mut self, arguments: &[&str]) -> Running {
        self.status = self.folder.path().join("status-2.json");
        let second = Running(start(&self.display, self.folder.path(), &self.status, arguments));
        std::mem::replace(&mut self.window, second)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display);
        command
    }

    /// What the window says that it shows.
    pub fn status(&self) -> Value {
        let status = fs::read(&self.status).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(status) = &status {
            SCHEMAS.assert_fits("status", status, "the status");
        }
        status.unwrap_or(Value::Null)
    }

    pub fn wait(&mut self, what: &str, mut is_so: impl FnMut(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let status = self.status();
            if is_so(&status) {
                return status;
            }
            let ended = self.window.0.try_wait().unwrap();
            if ended.is_some() || Instant::now() > end {
                let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                panic!("no {what} (ended: {ended:?})\nstatus: {status:#}\nlog:\n{log}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn drop_file(&self, file: &Path) {
        self.drop_files(&[file]);
    }

    /// Drops files at once.
    pub fn drop_files(&self, files: &[&Path]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/drop-files.py");
        let done = self.command(python()).arg(script).arg("Bonebox").args(files).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let done = self.command("xdotool").args(arguments).output().unwrap();
        assert!(done.status.success(), "xdotool {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// Presses keys one after the other. Each is seen by a frame before the next one, however slow frames are.
    pub fn press(&self, keys: &[&str]) {
        for key in keys {
            self.and_see(|| self.xdotool(&["key", key]));
        }
    }

    /// Types into what has the keyboard.
    pub fn type_text(&self, text: &str) {
        self.and_see(|| self.xdotool(&["type", "--delay", "30", text]));
    }

    /// Waits until the window manager has given the window the keyboard.
    fn wait_for_focus(&self) {
        let end = Instant::now() + PATIENCE;
        let focused = || {
            let done = self.command("xdotool").args(["getwindowfocus", "getwindowname"]).output().unwrap();
            String::from_utf8_lossy(&done.stdout).into_owned()
        };
        while !focused().contains("Bonebox") {
            assert!(Instant::now() < end, "the keyboard is with “{}”", focused().trim());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Frames that the window has drawn, or is about to.
    fn painted(&self) -> u64 {
        self.status()["painted"].as_u64().unwrap_or(0)
    }

    /// Sends something to the window and waits until a frame has seen it, where one comes.
    fn and_see(&self, send: impl FnOnce() -> String) {
        self.wait_for_focus();
        let before = self.painted();
        send();
        std::thread::sleep(KEY_PAUSE);
        // The frame that was being drawn meanwhile knows nothing of it.
        let end = Instant::now() + Duration::from_secs(3);
        while self.painted() < before + 2 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Runs an action by the command palette.
    pub fn run(&self, action: &str) {
        self.press(&["ctrl+p"]);
        self.type_text(action);
        self.press(&["Return"]);
    }

    /// Waits until the program has ended by itself, and gives how.
    pub fn end(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.window.0.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the window does not close");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Where the window's content begins on the screen.
    pub fn origin(&self) -> (i64, i64) {
        let id = self.xdotool(&["search", "--onlyvisible", "--name", "Bonebox"]);
        let id = id.lines().last().unwrap().to_owned();
        let info = self.command("xwininfo").args(["-id", &id]).output().unwrap();
        let info = String::from_utf8_lossy(&info.stdout).into_owned();
        let number = |label: &str| -> i64 {
            let line = info.lines().find(|l| l.contains(label)).unwrap();
            line.rsplit(' ').next().unwrap().parse().unwrap()
        };
        (number("Absolute upper-left X"), number("Absolute upper-left Y"))
    }

    pub fn point_at(&self, x: i64, y: i64) {
        let (left, top) = self.origin();
        self.xdotool(&["mousemove", &(left + x).to_string(), &(top + y).to_string()]);
    }

    /// Rests the pointer at a place, with what the status tells of on the screen. The status is written before its frame is handed
    /// over, and on a slow driver that is shown later still; but a picture of the swap chain is drawn anew only once it was shown, so
    /// enough frames after it are the proof. A window that idles draws them where the pointer moves.
    pub fn rest_at(&self, x: i64, y: i64) {
        self.point_at(x + 1, y);
        // The frame that is being drawn knows nothing of what was sent last, the next one does.
        let enough = self.painted() + 2 + WAITING_FRAMES;
        let end = Instant::now() + PATIENCE;
        for aside in [0, 1].into_iter().cycle() {
            self.point_at(x + aside, y);
            if aside == 0 && self.painted() >= enough {
                return;
            }
            assert!(Instant::now() < end, "the window does not draw where the pointer moves");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Drags with the left button from one place of the window to another.
    pub fn drag(&self, from: (i64, i64), to: (i64, i64)) {
        self.point_at(from.0, from.1);
        self.xdotool(&["mousedown", "1"]);
        std::thread::sleep(KEY_PAUSE);
        self.point_at((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        std::thread::sleep(KEY_PAUSE);
        self.point_at(to.0, to.1);
        std::thread::sleep(KEY_PAUSE);
        self.xdotool(&["mouseup", "1"]);
    }

    pub fn picture(&self, name: &str) -> RgbaImage {
        let path = self.folder.path().join(format!("{name}.png"));
        let done = self.command("import").args(["-window", "root"]).arg(&path).status().unwrap();
        assert!(done.success());
        if let Some(folder) = kit::app::look_folder() {
            fs::copy(&path, folder.join(format!("{name}.png"))).unwrap();
        }
        image::open(&path).unwrap().to_rgba8()
    }

    /// A picture that no longer changes. What was told of is on the screen later, beside other work by more than a moment.
    pub fn still_picture(&self, name: &str) -> RgbaImage {
        self.wanted_picture(name, true, |_| None)
    }

    /// The first picture with a change, however late it comes to the screen.
    pub fn changed_picture(&self, name: &str, change: &Change<'_>) -> RgbaImage {
        self.wanted_picture(name, false, |picture| change.missing_in(picture))
    }

    /// A picture with a change that no longer changes.
    pub fn changed_still_picture(&self, name: &str, change: &Change<'_>) -> RgbaImage {
        self.wanted_picture(name, true, |picture| change.missing_in(picture))
    }

    /// A picture in which nothing is missing, and which stays for a while where it is to be still.
    fn wanted_picture(&self, name: &str, is_still: bool, missing: impl Fn(&RgbaImage) -> Option<String>) -> RgbaImage {
        let end = Instant::now() + PATIENCE;
        let (mut last, mut alike) = (self.picture(name), 0);
        loop {
            let moves = (is_still && alike < 3).then(|| "the paused window keeps changing".to_owned());
            let Some(missing) = missing(&last).or(moves) else { return last };
            assert!(Instant::now() < end, "{missing}");
            std::thread::sleep(Duration::from_millis(250));
            let next = self.picture(name);
            alike = if next == last { alike + 1 } else { 0 };
            last = next;
        }
    }
}

/// Whether a window can be tested here; says why not.
pub fn can_run() -> bool {
    if cfg!(not(target_os = "linux")) {
        eprintln!("the window's end-to-end tests drive X11: Linux only");
        return false;
    }
    let missing = missing();
    if !missing.is_empty() {
        assert!(!kit::required("REQUIRE_WINDOW"), "missing: {missing:?} (scripts/setup test)");
        kit::skipped(&format!("missing: {missing:?}"));
    }
    missing.is_empty()
}

pub fn sample() -> (PathBuf, PathBuf) {
    let of = |extension: &str| {
        kit::files_below(&kit::samples())
            .into_iter()
            .find(|p| p.extension().is_some_and(|e| e == extension))
            .unwrap_or_else(|| panic!("no .{extension} in assets/samples"))
    };
    (of("psk"), of("psa"))
}
