//! End to end: the real window under a virtual X server, files dropped on it by a real X11 drag, scrubbed with the mouse, and
//! judged by its pictures. Needs Xvfb, openbox, xdotool, xwininfo, import (ImageMagick) and python3 with Xlib
//! (`scripts/setup test`), and a Vulkan adapter.

#[path = "../kit/mod.rs"]
mod kit;

use image::RgbaImage;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// How long the window may take for one step on the software driver.
const PATIENCE: Duration = Duration::from_secs(60);

/// A child that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual display with a window manager and Bonebox on it.
struct Stage {
    display: String,
    folder: tempfile::TempDir,
    status: PathBuf,
    window: Running,
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
        .env("HOME", &home)
        .env("XDG_DATA_HOME", &home)
        .env("XDG_CONFIG_HOME", &home)
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
    fn open(arguments: &[&str]) -> Self {
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
    fn kill_and_start(&mut self, arguments: &[&str]) {
        self.window.0.kill().unwrap();
        self.start_again(arguments);
    }

    /// Starts the program again in the same home, after it ended.
    fn start_again(&mut self, arguments: &[&str]) {
        self.window.0.wait().unwrap();
        fs::remove_file(&self.status).unwrap();
        self.window = Running(start(&self.display, self.folder.path(), &self.status, arguments));
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display);
        command
    }

    /// What the window says that it shows.
    fn status(&self) -> Value {
        fs::read(&self.status).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null)
    }

    fn wait(&mut self, what: &str, mut is_so: impl FnMut(&Value) -> bool) -> Value {
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

    fn drop_file(&self, file: &Path) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/drop-files.py");
        let done = self.command(python()).arg(script).arg("Bonebox").arg(file).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let done = self.command("xdotool").args(arguments).output().unwrap();
        assert!(done.status.success(), "xdotool {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// Where the window's content begins on the screen.
    fn origin(&self) -> (i64, i64) {
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

    fn point_at(&self, x: i64, y: i64) {
        let (left, top) = self.origin();
        self.xdotool(&["mousemove", &(left + x).to_string(), &(top + y).to_string()]);
    }

    fn picture(&self, name: &str) -> RgbaImage {
        let path = self.folder.path().join(format!("{name}.png"));
        let done = self.command("import").args(["-window", "root"]).arg(&path).status().unwrap();
        assert!(done.success());
        if let Some(folder) = kit::app::look_folder() {
            fs::copy(&path, folder.join(format!("{name}.png"))).unwrap();
        }
        image::open(&path).unwrap().to_rgba8()
    }

    /// A picture that no longer changes.
    fn still_picture(&self, name: &str) -> RgbaImage {
        let mut last = self.picture(name);
        for _ in 0..40 {
            std::thread::sleep(Duration::from_millis(250));
            let next = self.picture(name);
            if next == last {
                return next;
            }
            last = next;
        }
        panic!("the paused window keeps changing");
    }
}

/// Left, top, width, height of a named part of the window, in pixels from the window's corner.
fn rect(status: &Value, name: &str) -> (i64, i64, i64, i64) {
    let rect: Vec<i64> = status["rects"][name]
        .as_array()
        .unwrap_or_else(|| panic!("no rectangle of {name}: {status:#}"))
        .iter()
        .map(|v| v.as_f64().unwrap() as i64)
        .collect();
    (rect[0], rect[1], rect[2], rect[3])
}

/// Pixels of a rectangle that differ between two pictures.
fn differing(a: &RgbaImage, b: &RgbaImage, (left, top): (i64, i64), size: (i64, i64)) -> Vec<(i64, i64)> {
    let mut places = Vec::new();
    for y in 0..size.1 {
        for x in 0..size.0 {
            let (px, py) = ((left + x) as u32, (top + y) as u32);
            if a.get_pixel(px, py) != b.get_pixel(px, py) {
                places.push((x, y));
            }
        }
    }
    places
}

/// The share of a rectangle's pixels that are far from grey.
fn share_of_color(picture: &RgbaImage, (left, top): (i64, i64), size: (i64, i64)) -> f64 {
    let mut colored = 0;
    for y in top..top + size.1 {
        for x in left..left + size.0 {
            let [r, g, b, _] = picture.get_pixel(x as u32, y as u32).0;
            colored += u32::from(r.max(g).max(b) - r.min(g).min(b) > 40);
        }
    }
    f64::from(colored) / (size.0 * size.1) as f64
}

fn sample() -> (PathBuf, PathBuf) {
    let of = |extension: &str| {
        kit::files_below(&kit::samples())
            .into_iter()
            .find(|p| p.extension().is_some_and(|e| e == extension))
            .unwrap_or_else(|| panic!("no .{extension} in assets/samples"))
    };
    (of("psk"), of("psa"))
}

/// Whether a window can be tested here; says why not.
fn can_run() -> bool {
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

#[test]
fn a_lost_device_and_a_killed_program_lose_nothing() {
    if !can_run() {
        return;
    }
    let (psk, _) = sample();
    let mut stage = Stage::open(&[psk.to_str().unwrap()]);
    let before = stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true && s["busy"] == false);
    stage.xdotool(&["key", "space"]);
    let paused = stage.wait("pause", |s| s["playing"] == false);

    // The device is lost, and what was there is there again.
    let painted = paused["painted"].as_u64().unwrap();
    stage.xdotool(&["key", "ctrl+p"]);
    stage.wait("palette", |s| s["painted"].as_u64().unwrap() > painted);
    stage.xdotool(&["type", "--delay", "30", "restart the graphics"]);
    std::thread::sleep(Duration::from_millis(500));
    let lost = Instant::now();
    stage.xdotool(&["key", "Return"]);
    let after = stage.wait("recovered window", |s| {
        s["windows"] == 2 && s["gpu"] == true && s["last_log"].as_str().is_some_and(|l| l.contains("set up again"))
    });
    eprintln!("the window came back {:.1} s after its device was lost", lost.elapsed().as_secs_f32());
    assert!(lost.elapsed() < Duration::from_secs(15), "{:?}", lost.elapsed());
    for what in ["files", "model", "clip", "frame", "playing"] {
        assert_eq!(after[what], paused[what], "{what}");
    }

    // What is open is written at once, though an idle window draws nothing; a kill takes nothing of it.
    std::thread::sleep(Duration::from_millis(1500));
    stage.kill_and_start(&[]);
    let again = stage.wait("session", |s| s["clip"].is_string() && s["busy"] == false);
    for what in ["files", "model", "clip"] {
        assert_eq!(again[what], before[what], "{what}");
    }
}

#[test]
fn a_session_comes_back_after_an_idle_window_was_killed_and_what_is_no_session_stops_no_start() {
    if !can_run() {
        return;
    }
    // A model without a clip: nothing moves, so nothing is drawn once it is there.
    let (_models, files) = kit::app::alone("actorx", &["syn_arm.psk"]);
    let model = files[0].to_str().unwrap();
    let mut stage = Stage::open(&[model]);
    let before = stage.wait("model", |s| s["model"].is_string() && s["busy"] == false && s["gpu"] == true);
    std::thread::sleep(Duration::from_millis(1500));
    stage.kill_and_start(&[]);
    let again = stage.wait("session", |s| s["model"].is_string() && s["busy"] == false);
    assert_eq!((&again["files"], &again["model"]), (&before["files"], &before["model"]));

    // Settings that would end the program, or show nothing, are left out one by one.
    let session = stage.folder.path().join("home/bonebox/session.txt");
    let text = fs::read_to_string(&session).unwrap();
    let spoilt = text.lines().map(|line| match line.split_once(" = ") {
        Some(("ui_scale", _)) => "ui_scale = NaN".to_owned(),
        Some(("window", _)) => r#"window = {"position":[1e9,0],"size":[0,0]}"#.to_owned(),
        _ => line.to_owned(),
    });
    fs::write(&session, spoilt.collect::<Vec<_>>().join("\n")).unwrap();
    stage.kill_and_start(&[]);
    let again = stage.wait("session", |s| s["model"].is_string() && s["busy"] == false);
    assert_eq!(again["files"], before["files"]);

    // Nothing ever writes into this pipe.
    stage.window.0.kill().unwrap();
    fs::remove_file(&session).unwrap();
    assert!(Command::new("mkfifo").arg(&session).status().unwrap().success());
    stage.start_again(&[model]);
    stage.wait("model", |s| s["model"].is_string() && s["busy"] == false);
}

#[test]
fn a_dropped_model_and_animation_play_and_are_scrubbed() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);

    // The two files lie in different folders, so that nothing but the drop brings the animation.
    let (psk, psa) = sample();
    let folder = |name: &str| {
        let folder = stage.folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    };
    let (mesh_folder, clip_folder) = (folder("a mesh"), folder("ein Clip ä"));
    for file in kit::files_below(psk.parent().unwrap()) {
        let is_clip = file.extension().is_some_and(|e| e == "psa");
        let to = if is_clip { &clip_folder } else { &mesh_folder };
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
    stage.drop_file(&mesh_folder.join(psk.file_name().unwrap()));
    let status = stage.wait("model", |s| s["model"].is_string());
    assert!(status["clip"].is_null(), "no animation was given yet: {status:#}");
    stage.drop_file(&clip_folder.join(psa.file_name().unwrap()));
    let status = stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true);
    assert!(status["matched"].as_u64().unwrap() >= 20, "{status:#}");

    // It plays: time passes and the picture changes.
    let first = status["frame"].as_f64().unwrap();
    stage.wait("moving frame", |s| (s["frame"].as_f64().unwrap() - first).abs() > 0.5);
    let status = stage.status();
    let (left, top) = stage.origin();
    let viewport = rect(&status, "viewport");
    let before = stage.picture("playing-1");
    let frame = stage.status()["frame"].as_f64().unwrap();
    stage.wait("later frame", |s| (s["frame"].as_f64().unwrap() - frame).abs() > 2.0);
    let after = stage.picture("playing-2");
    let moved = differing(&before, &after, (left + viewport.0, top + viewport.1), (viewport.2, viewport.3));
    assert!(moved.len() > 200, "the playing model moves in the picture: {} pixels differ", moved.len());

    // It stops, and the mouse scrubs it.
    stage.xdotool(&["key", "space"]);
    let status = stage.wait("pause", |s| s["playing"] == false);
    // The wheel moves away, so that there is room around the model and its shadow.
    stage.point_at(viewport.0 + viewport.2 / 2, viewport.1 + viewport.3 / 2);
    stage.xdotool(&["click", "--repeat", "4", "--delay", "60", "5"]);
    let bar = rect(&status, "scrub");
    let last = status["frames"].as_f64().unwrap() - 1.0;
    let mut pictures = Vec::new();
    for (name, share) in [("scrubbed-1", 0.1), ("scrubbed-2", 0.6)] {
        let y = bar.1 + bar.3 / 2;
        stage.point_at(bar.0 + bar.2 / 3, y);
        stage.xdotool(&["mousedown", "1"]);
        stage.point_at(bar.0 + (bar.2 as f64 * (share + 0.05)) as i64, y);
        stage.point_at(bar.0 + (bar.2 as f64 * share) as i64, y);
        stage.wait("scrubbed frame", |s| (s["frame"].as_f64().unwrap() / last - share).abs() < 0.06);
        stage.xdotool(&["mouseup", "1"]);
        // Away from everything that lights up under the pointer.
        stage.point_at(viewport.0 + viewport.2 / 2, viewport.1 + 2);
        pictures.push(stage.still_picture(name));
    }
    let moved = differing(&pictures[0], &pictures[1], (left + viewport.0, top + viewport.1), (viewport.2, viewport.3));
    assert!(moved.len() > 200, "another frame is another picture: {} pixels differ", moved.len());
    // Nothing differs in a frame around the model: a sixteenth of the viewport on each side.
    let (margin_x, margin_y) = (viewport.2 / 16, viewport.3 / 16);
    let outside: Vec<_> = moved
        .iter()
        .filter(|(x, y)| *x < margin_x || *y < margin_y || *x >= viewport.2 - margin_x || *y >= viewport.3 - margin_y)
        .collect();
    assert!(
        outside.is_empty(),
        "{} pixels differ around the model: {:?}",
        outside.len(),
        &outside[..outside.len().min(5)]
    );
    // And nothing in the panels beside it.
    for panel in ["library", "inspector"] {
        let area = rect(&status, panel);
        let changed = differing(&pictures[0], &pictures[1], (left + area.0, top + area.1), (area.2, area.3));
        assert!(changed.is_empty(), "{} pixels differ in the {panel}", changed.len());
    }

    // It closes as windows do.
    stage.xdotool(&["key", "alt+F4"]);
    let end = Instant::now() + PATIENCE;
    let code = loop {
        if let Some(code) = stage.window.0.try_wait().unwrap() {
            break code;
        }
        assert!(Instant::now() < end, "the window does not close");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(code.success(), "{code}");
}

#[test]
fn a_dropped_level_shows_and_then_the_pictures_of_a_dropped_package() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);
    let (left, top) = stage.origin();
    let share_of_new_pixels = |a: &RgbaImage, b: &RgbaImage, area: (i64, i64, i64, i64)| {
        differing(a, b, (left + area.0, top + area.1), (area.2, area.3)).len() as f64 / (area.2 * area.3) as f64
    };

    // The level is a room of bricks and planks: the viewport is full of colour, which the empty one is not.
    stage.drop_file(&kit::samples().join("BoneRoom.unr"));
    let status = stage.wait("level", |s| s["map"] == "MyLevel" && s["busy"] == false);
    let viewport = rect(&status, "viewport");
    let end = Instant::now() + PATIENCE;
    let level = loop {
        let picture = stage.picture("level");
        if share_of_color(&picture, (left + viewport.0, top + viewport.1), (viewport.2, viewport.3)) > 0.5 {
            break picture;
        }
        assert!(Instant::now() < end, "the level does not fill the viewport");
        std::thread::sleep(Duration::from_millis(250));
    };

    // All pictures of a package come up by themselves; one that is shown is followed by those that are selected.
    stage.drop_file(&kit::samples().join("BoneboxFX.utx"));
    stage.wait("pictures of the package", |s| s["stage"] == "gallery" && s["busy"] == false);
    // The first of them stands at the top left, below the bar.
    let at = [left + viewport.0 + 60, top + viewport.1 + 90].map(|at| at.to_string());
    stage.xdotool(&["mousemove", &at[0], &at[1]]);
    std::thread::sleep(Duration::from_millis(300));
    stage.xdotool(&["click", "1"]);
    stage.wait("first picture", |s| s["picture"] == "Rooms.Bricks" && s["selected"] == "Rooms.Bricks");
    let first = stage.still_picture("first-picture");
    assert!(share_of_new_pixels(&level, &first, viewport) > 0.5);
    for (key, path) in [("Down", "Rooms.Planks"), ("Down", "Rooms.Ceiling"), ("Up", "Rooms.Planks")] {
        stage.xdotool(&["key", key]);
        stage.wait(path, |s| s["picture"] == path && s["selected"] == path);
    }
    let second = stage.still_picture("second-picture");
    assert!(share_of_new_pixels(&first, &second, viewport) > 0.3);
    // The way back leads to the level.
    for _ in 0..20 {
        if stage.status()["map"] == "MyLevel" {
            break;
        }
        let before = stage.status();
        stage.xdotool(&["key", "alt+Left"]);
        stage.wait("step back", |s| {
            s["busy"] == false && (&s["selected"], &s["stage"]) != (&before["selected"], &before["stage"])
        });
    }
    assert_eq!(stage.status()["map"], "MyLevel");
}

#[test]
fn after_a_quit_with_a_sound_in_front_a_bone_is_found_in_five_actions() {
    if !can_run() {
        return;
    }
    // A sound is in front when the program is quit, and again when it starts.
    let tune = kit::samples().join("BoneTune.umx");
    let mut stage = Stage::open(&[tune.to_str().unwrap()]);
    stage.wait("sound", |s| s["stage"] == "sound" && s["busy"] == false);
    stage.xdotool(&["key", "ctrl+q"]);
    let end = Instant::now() + PATIENCE;
    while stage.window.0.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "the window does not close");
        std::thread::sleep(Duration::from_millis(50));
    }
    stage.start_again(&[]);
    stage.wait("the sound again", |s| s["stage"] == "sound" && s["busy"] == false && s["gpu"] == true);

    // A model that is dropped is seen; an animation that is dropped plays.
    let (psk, psa) = sample();
    let folder = |name: &str| {
        let folder = stage.folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    };
    let (mesh_folder, clip_folder) = (folder("mesh"), folder("clips"));
    for (file, folder) in [(&psk, &mesh_folder), (&psa, &clip_folder)] {
        fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let (left, top) = stage.origin();
    let empty = stage.picture("user-0-sound");
    stage.drop_file(&mesh_folder.join(psk.file_name().unwrap()));
    let status = stage.wait("model", |s| s["stage"] == "model" && s["model"].is_string() && s["busy"] == false);
    let (x, y, width, height) = rect(&status, "viewport");
    let model = stage.still_picture("user-1-model");
    let changed = differing(&empty, &model, (left + x, top + y), (width, height)).len();
    assert!(changed as i64 > width * height / 4, "{changed} pixels of {width} × {height} show it");
    stage.drop_file(&clip_folder.join(psa.file_name().unwrap()));
    stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true);

    // A bone by its name, its curve, its weights, while the model moves.
    stage.xdotool(&["key", "ctrl+f"]);
    std::thread::sleep(Duration::from_millis(300));
    stage.xdotool(&["type", "--delay", "30", "tail.3"]);
    std::thread::sleep(Duration::from_millis(300));
    stage.xdotool(&["key", "Return"]);
    let status = stage.wait("bone", |s| s["bone"].as_str().is_some_and(|bone| bone.eq_ignore_ascii_case("tail.3")));
    assert!(status["selected"].as_str().unwrap().to_lowercase().ends_with("tail.3"), "{status:#}");
    stage.xdotool(&["key", "shift+c"]);
    stage.wait("curves", |s| s["drawer"] == "curves");
    stage.xdotool(&["key", "i"]);
    let status = stage.wait("weights", |s| s["shading"] == "Weights");
    assert_eq!(status["playing"], true);
    let frame = status["frame"].as_f64().unwrap();
    stage.wait("moving frame", |s| (s["frame"].as_f64().unwrap() - frame).abs() > 1.0);
    // The grey model is coloured all over.
    let (x, y, width, height) = rect(&stage.status(), "viewport");
    let share = |picture: &RgbaImage| share_of_color(picture, (left + x, top + y), (width, height));
    assert!(share(&model) < 0.04, "{}", share(&model));
    let end = Instant::now() + PATIENCE;
    while share(&stage.picture("user-2-bone")) < 0.05 {
        assert!(Instant::now() < end, "no weights are seen");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn two_models_beside_each_other_are_scrubbed_with_one_clock() {
    if !can_run() {
        return;
    }
    let (psk, psa) = sample();
    let mut stage = Stage::open(&[psk.to_str().unwrap(), psa.to_str().unwrap()]);
    stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true && s["busy"] == false);
    let run = |stage: &mut Stage, action: &str| {
        stage.xdotool(&["key", "ctrl+p"]);
        std::thread::sleep(Duration::from_millis(500));
        stage.xdotool(&["type", "--delay", "30", action]);
        std::thread::sleep(Duration::from_millis(500));
        stage.xdotool(&["key", "Return"]);
    };
    run(&mut stage, "open beside");
    stage.wait("second stage", |s| s["stages"] == 2 && s["busy"] == false && s["clip"].is_string());
    run(&mut stage, "move stages together");
    stage.wait("linked stages", |s| s["linked"] == true);
    stage.xdotool(&["key", "space"]);
    stage.wait("pause", |s| s["playing"] == false);
    let first = stage.still_picture("beside-1");
    let status = stage.status();
    let (x, y, width, height) = rect(&status, "scrub");
    stage.point_at(x + width / 3, y + height / 2);
    stage.xdotool(&["mousedown", "1"]);
    stage.point_at(x + width * 3 / 4, y + height / 2);
    stage.xdotool(&["mouseup", "1"]);
    let moved = |s: &Value| {
        let frames: Vec<f64> = s["stage_frames"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        frames.len() == 2 && frames[0] == frames[1] && frames[0] != status["frame"].as_f64().unwrap()
    };
    stage.wait("both stages at one frame", moved);
    let second = stage.still_picture("beside-2");
    assert!(differing(&first, &second, stage.origin(), (1200, 700)).len() > 400);
}
