//! The session on disk: settings, layout and open files, a line for each. A line that cannot be read spoils no other.

use crate::{
    bytes::numbers::counted,
    files::{self as fs, File},
    ui::{
        dock,
        library_row::LibraryOrder,
        settings::{KEY_PREFIX, Settings, cannot_be},
    },
};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    io::{self, Read as _},
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// The session file of the first window.
pub const NAME: &str = "session.txt";
/// What eframe wrote for earlier versions.
const EARLIER_NAME: &str = "app.ron";
const EARLIER_KEY: &str = "bonebox-settings";
const MAX_BYTES: u64 = 16 << 20;
/// Sentences about one file.
const MAX_FINDINGS: usize = 20;
const HEADING: &str = "# Bonebox session. Each line contains a setting and its value as JSON.\n";

/// What a file says.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub settings: Settings,
    /// What of it cannot be used, in sentences.
    pub findings: Vec<String>,
    /// The file says all of the settings: it need not be written before they change.
    pub is_on_disk: bool,
}

/// Reads a session. What cannot be read is as by default.
pub fn load(path: &Path) -> Loaded {
    let text = read(path).and_then(|text| match text {
        Some(text) => Ok(decode(&text)),
        None => Ok(read(&path.with_file_name(EARLIER_NAME))?.map(|text| decode_earlier(&text)).unwrap_or_default()),
    });
    let mut loaded = text.unwrap_or_else(|why| Loaded {
        findings: vec![format!("Cannot read the session in {}: {why}", path.display())],
        ..Loaded::default()
    });
    let more = loaded.findings.len().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        loaded.findings.truncate(MAX_FINDINGS);
        loaded.findings.push(counted(more, "more invalid setting"));
    }
    loaded
}

/// The text of a file that is one and not too large; nothing where there is none.
fn read(path: &Path) -> Result<Option<String>, String> {
    let about = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        about => about.map_err(|error| error.to_string())?,
    };
    // A pipe would be waited for.
    if !about.is_file() {
        return Err("not a file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("larger than {} MiB", MAX_BYTES >> 20));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Reads a session from text.
pub fn decode(text: &str) -> Loaded {
    let mut values = Map::new();
    let mut findings = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, value) = line.split_once('=').map_or((line, ""), |(name, value)| (name.trim(), value.trim()));
        match serde_json::from_str(value) {
            Ok(value) => _ = values.insert(name.to_owned(), value),
            // Keys may stand there as a person writes them.
            Err(_) if name.starts_with(KEY_PREFIX) => _ = values.insert(name.to_owned(), json!(value)),
            Err(_) => findings.push(cannot_be(name, if value.is_empty() { "(empty)" } else { value })),
        }
    }
    let (settings, unfit) = Settings::from_values(values);
    findings.extend(unfit);
    Loaded { settings, is_on_disk: findings.is_empty(), findings }
}

/// A session as text.
///
/// # Errors
/// None that is known: every setting can be written.
pub fn encode(settings: &Settings) -> serde_json::Result<String> {
    let mut text = HEADING.to_owned();
    for (name, value) in settings.to_values()? {
        text.push_str(&format!("{name} = {value}\n"));
    }
    Ok(text)
}

/// Writes a session, or replaces it at once: a program that ends meanwhile leaves one of them whole.
///
/// # Errors
/// Returns an error if the folder or the file cannot be written, or the path is that of something else.
pub fn write(path: &Path, settings: &Settings) -> io::Result<()> {
    let text = encode(settings)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::replace(path, text.as_bytes())
}

/// Reads what eframe wrote: RON in a RON map. What it kept of egui itself is left out.
fn decode_earlier(text: &str) -> Loaded {
    /// The one value that is a bare word, which has no JSON.
    #[derive(serde::Deserialize)]
    struct Words {
        library_order: LibraryOrder,
    }

    let kept: HashMap<String, String> = from_ron(text).unwrap_or_default();
    let settings = kept.get(EARLIER_KEY).map(String::as_str);
    let Some(Value::Object(mut values)) = settings.and_then(from_ron) else {
        let finding = format!("Cannot read the settings of an earlier version in {EARLIER_NAME}");
        return Loaded { findings: vec![finding], ..Loaded::default() };
    };
    values.remove("library_order");
    if let Some(words) = settings.and_then(from_ron::<Words>) {
        values.insert("library_order".to_owned(), json!(words.library_order));
    }
    if let Some(Value::String(tree)) = values.remove("layout")
        && let Some(layout) = dock::layout_of_tree(&tree).and_then(|layout| serde_json::to_value(layout).ok())
    {
        values.insert("layout".to_owned(), layout);
    }
    let window = kept.get("window").and_then(|text| from_ron::<Value>(text)).unwrap_or_default();
    if let [Some(width), Some(height)] = ["x", "y"].map(|side| window["inner_size_points"][side].as_f64()) {
        let place = json!({ "position": null, "size": [width, height], "maximized": window["maximized"] });
        values.insert("window".to_owned(), place);
    }
    let (settings, findings) = Settings::from_values(values);
    Loaded { settings, findings, is_on_disk: false }
}

/// Reads RON by eframe's reader.
fn from_ron<T: DeserializeOwned>(text: &str) -> Option<T> {
    struct Text<'a>(&'a str);

    impl eframe::Storage for Text<'_> {
        fn get_string(&self, _: &str) -> Option<String> {
            Some(self.0.to_owned())
        }

        fn set_string(&mut self, _: &str, _: String) {}

        fn remove_string(&mut self, _: &str) {}

        fn flush(&mut self) {}
    }

    eframe::get_value(&Text(text), "")
}

/// Between two writes, so that the drag of a slider becomes a few of them.
const PAUSE: Duration = Duration::from_millis(250);

/// Keeps a file saying what the session is. Dropped, it writes what is left.
pub struct SessionWriter {
    sender: Option<Sender<Settings>>,
    thread: Option<JoinHandle<()>>,
    /// What was handed over last.
    last: Option<Settings>,
}

impl SessionWriter {
    /// Begins with what the file says, if it is known; `tell` hears why the file cannot be written.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(
        path: PathBuf,
        on_disk: Option<Settings>,
        tell: impl Fn(&io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let thread =
            std::thread::Builder::new().name("session".to_owned()).spawn(move || write_all(&path, &receiver, &tell))?;
        Ok(Self { sender: Some(sender), thread: Some(thread), last: on_disk })
    }

    /// Has the settings written where they changed.
    pub fn keep(&mut self, settings: &Settings) {
        if self.last.as_ref() != Some(settings)
            && let Some(sender) = &self.sender
        {
            self.last = Some(settings.clone());
            let _ = sender.send(settings.clone());
        }
    }
}

impl Drop for SessionWriter {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes the first change at once, and those that come soon after it as one.
fn write_all(path: &Path, settings: &Receiver<Settings>, tell: &impl Fn(&io::Error)) {
    let mut is_failing = false;
    let mut next = settings.recv().ok();
    while let Some(now) = next.take() {
        let written = write(path, &now);
        if let Err(error) = &written
            && !is_failing
        {
            tell(error);
        }
        is_failing = written.is_err();
        let end = Instant::now() + PAUSE;
        loop {
            match settings.recv_deadline(end) {
                Ok(newer) => next = Some(newer),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    next = next.or_else(|| settings.recv().ok());
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        export::{ExportSpace, ExportUp},
        formats::{Format, unreal::UnrealFormat},
        ui::favourite::Favourite,
    };
    use std::{
        fs,
        path::PathBuf,
        sync::{Arc, Mutex},
    };

    fn everything() -> Settings {
        let mut settings =
            Settings { dark: false, ui_scale: 1.25, samples: Some(4), volume: 0.3, ..Settings::default() };
        settings.remember(Path::new("/models/a = b \"c\".psk"));
        settings.folders.push(PathBuf::from("/textures"));
        settings.favourites.push(Favourite { path: PathBuf::from("/models/one.psk"), entry: Some("Mesh".to_owned()) });
        settings.browse = true;
        settings.session = vec![PathBuf::from("/models/one.psk"), PathBuf::from("/models/zwei ü.psk")];
        settings.session_shown = Some(PathBuf::from("/models/one.psk"));
        settings.layout = dock::Dock::default().keep();
        settings.library_order = LibraryOrder::Structure;
        settings.panels.insert("log".to_owned(), 240.0);
        settings.set_export_space(UnrealFormat.info(), ExportSpace { scale: 0.01, up: ExportUp::Z });
        settings
    }

    /// Text with another value for a setting.
    fn with(text: &str, name: &str, value: &str) -> String {
        let start = format!("{name} = ");
        let lines = text.lines().map(|line| match line.starts_with(&start) {
            true => format!("{start}{value}\n"),
            false => format!("{line}\n"),
        });
        let changed: String = lines.collect();
        assert_ne!(changed, text, "{name}");
        changed
    }

    #[test]
    fn a_session_is_read_as_it_was_written() {
        let written = everything();
        let read = decode(&encode(&written).unwrap());
        assert_eq!(read.settings, written);
        assert!(read.is_on_disk && read.findings.is_empty(), "{:?}", read.findings);
    }

    #[test]
    fn a_value_that_cannot_be_is_as_by_default_and_every_other_stays() {
        let kept = everything();
        let text = encode(&kept).unwrap();
        let nested = format!("{}{}", r#"{"main":{"Rows":{"share":0.5,"areas":["#.repeat(10_000), "]}}".repeat(10_000));
        let infinite = "1".repeat(400);
        let bad = [
            ("ui_scale", vec!["0", "-1", "NaN", "null", "1e9", "1e999", "inf", "\"large\"", "", &infinite]),
            ("volume", vec!["NaN", "2", "-0.5", "[]"]),
            ("samples", vec!["0", "3", "-1", "4294967296", "1e9"]),
            ("dark", vec!["0", "maybe"]),
            ("library_order", vec!["\"Size\"", "7"]),
            ("panels", vec![r#"{"log":NaN}"#, r#"{"log":0}"#, r#"{"log":1e9}"#, r#"{"log":-1}"#]),
            (
                "export_spaces",
                vec![
                    r#"{"a":{"scale":0}}"#,
                    r#"{"a":{"scale":1e9,"up":"z"}}"#,
                    r#"{"a":{"scale":NaN}}"#,
                    r#"{"a":{"up":"x"}}"#,
                    "[]",
                ],
            ),
            ("recents", vec!["7", "[1]", "[\"unended"]),
            ("session", vec!["null", "{}"]),
            ("layout", vec![&nested, "{}", r#"{"main":{"Tabs":{"tabs":["Library"],"front":0}}}"#, "7"]),
            (
                "window",
                vec![
                    r#"{"position":null,"size":[0,0]}"#,
                    r#"{"position":null,"size":[NaN,800]}"#,
                    r#"{"position":null,"size":[1e9,800]}"#,
                    r#"{"position":[1e9,0],"size":[1280,800]}"#,
                    r#"{"position":[0],"size":[1280,800]}"#,
                ],
            ),
        ];
        for (name, values) in bad {
            for value in values {
                let read = decode(&with(&text, name, value));
                let [finding] = read.findings.as_slice() else { panic!("{name} = {value}: {:?}", read.findings) };
                assert!(finding.contains(name) && finding.chars().count() < 200, "{finding}");
                let first = value.chars().next().filter(char::is_ascii_digit);
                assert!(first.is_none_or(|digit| finding.contains(digit)), "{value}: {finding}");
                assert!(!read.is_on_disk, "corrected settings are saved again");
                let mut expected = kept.to_values().unwrap();
                expected[name] = Settings::default().to_values().unwrap()[name].clone();
                assert_eq!(read.settings.to_values().unwrap(), expected, "{name} = {value}");
            }
        }
    }

    #[test]
    fn lists_are_no_longer_than_the_program_makes_them() {
        let text = encode(&everything()).unwrap();
        let many = serde_json::to_string(&vec!["/a"; 1_000_000]).unwrap();
        for (name, most) in [("recents", 12), ("folders", 1_000), ("session", 20_000)] {
            let read = decode(&with(&text, name, &many));
            let kept = read.settings.to_values().unwrap()[name].as_array().unwrap().len();
            let shown = crate::bytes::numbers::grouped(most);
            let said = format!("The setting {name} has 1,000,000 entries; only the first {shown} are kept");
            assert_eq!((kept, read.findings), (most, vec![said]));
        }
    }

    #[test]
    fn lines_that_mean_nothing_are_left_out_and_a_newer_version_is_not_guessed_at() {
        let read = decode("\u{feff}junk\n= 3\nfuture = 1\n\nvolume=0.5");
        assert_eq!(read.settings, Settings { volume: 0.5, ..Settings::default() });
        assert_eq!(read.findings.len(), 3, "{:?}", read.findings);
        let read = decode("version = 2\ndark = false");
        assert_eq!(read.settings, Settings::default());
        assert!(read.findings[0].contains("version 2"), "{:?}", read.findings);
    }

    #[test]
    fn many_findings_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let lines: String = (0..1_000).map(|line| format!("made up {line} = 1\n")).collect();
        fs::write(&path, lines).unwrap();
        let read = load(&path);
        assert_eq!(read.findings.len(), MAX_FINDINGS + 1);
        assert_eq!(read.findings[MAX_FINDINGS], "980 more invalid settings");
    }

    #[test]
    fn what_is_no_session_does_not_stop_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        assert_eq!(load(&path).findings, [""; 0], "nothing is there, and nothing is wrong");
        let is_ignored = |why: &str| {
            let read = load(&path);
            assert_eq!(read.settings, Settings::default());
            assert!(matches!(read.findings.as_slice(), [one] if one.ends_with(why)), "{why}: {:?}", read.findings);
            assert!(!read.is_on_disk);
        };
        fs::create_dir(&path).unwrap();
        is_ignored("not a file");
        assert!(write(&path, &Settings::default()).is_err());
        fs::remove_dir(&path).unwrap();
        // Sparse: it takes no room on the disk.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        is_ignored("larger than 16 MiB");
        write(&path, &everything()).unwrap();
        assert_eq!(load(&path).settings, everything(), "it is a file again");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for_and_stays_one() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        for name in [NAME, EARLIER_NAME] {
            let path = folder.path().join(name);
            assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            let read = load(&folder.path().join(NAME));
            assert!(matches!(read.findings.as_slice(), [one] if one.ends_with("not a file")), "{name}");
            if name == NAME {
                assert!(write(&path, &everything()).is_err());
                assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
                fs::remove_file(&path).unwrap();
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_unicode_is_kept() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/models/\xe9t\xe9.psk"));
        let mut settings = Settings { session_shown: Some(path.clone()), ..Settings::default() };
        settings.remember(&path);
        settings.session = vec![PathBuf::from("/models/one.psk"), path];
        assert_eq!(decode(&encode(&settings).unwrap()).settings, settings);
    }

    #[test]
    fn programs_that_write_at_once_leave_a_whole_session() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let of = |program: usize| {
            let files = (0..200).map(|file| PathBuf::from(format!("/program {program}/{file}.psk")));
            Settings { session: files.collect(), ..Settings::default() }
        };
        std::thread::scope(|scope| {
            for program in 0..4 {
                let path = &path;
                scope.spawn(move || (0..20).for_each(|_| write(path, &of(program)).unwrap()));
            }
        });
        let read = load(&path);
        assert!((0..4).any(|program| read.settings == of(program)) && read.is_on_disk, "{:?}", read.findings);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    /// As eframe 0.36 wrote it.
    fn earlier(settings: &str) -> String {
        let egui = "(options:(theme_preference:Dark,zoom_factor:0.0))";
        let window = "(outer_position_pixels:Some((x:159.0,y:87.0)),fullscreen:false,maximized:true,\
                      inner_size_points:Some((x:1111.0,y:777.0)))";
        format!("{{\n    \"egui\": {egui:?},\n    \"bonebox-settings\": {settings:?},\n    \"window\": {window:?},\n}}")
    }

    #[test]
    fn what_earlier_versions_kept_comes_over_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let rect = r#""rect":{"min":{"x":0.0,"y":32.0},"max":{"x":1280.0,"y":768.0}}"#;
        let split =
            format!(r#"{{"Horizontal":{{{rect},"fraction":0.3,"fully_collapsed":false,"collapsed_leaf_count":0}}}}"#);
        let leaf = |tabs: &str| {
            let more = r#""active":0,"scroll":0.0,"collapsed":false,"tab_bar_hidden":false"#;
            format!(
                r#"{{"Leaf":{{{rect},"viewport":{{"min":{{"x":0.0,"y":0.0}},"max":{{"x":9.0,"y":9.0}}}},"tabs":[{tabs}],{more}}}}}"#
            )
        };
        let nodes = [split, leaf(r#""Library""#), leaf(r#"{"Stage":0},"Inspector""#)].join(",");
        let layout = format!(
            r#"{{"version":9,"tree":{{"surfaces":[{{"Main":{{"nodes":[{nodes}],"focused_node":2,"collapsed":false,"collapsed_leaf_count":0}}}}],"focused_surface":null}}}}"#
        );
        let settings = format!(
            r#"(version:1,dark:false,ui_scale:NaN,autoplay:true,samples:None,grid:true,recents:["/m/a.psk"],folders:[],readings:[(path:"/m/b.pew",overrides:{{"cell":"5"}})],session:["/m/a.psk","/m/b.pew"],session_shown:Some("/m/b.pew"),reopen_session:true,layout:Some({layout:?}),show_log:true,sections:{{"Bytes":false}},library_order:Structure,volume:0.25,loop_sounds:false)"#
        );
        fs::write(path.with_file_name(EARLIER_NAME), earlier(&settings)).unwrap();
        let read = load(&path);
        let kept = &read.settings;
        assert!(matches!(read.findings.as_slice(), [one] if one.contains("ui_scale")), "{:?}", read.findings);
        assert_eq!((kept.dark, kept.ui_scale, kept.volume, kept.show_log), (false, 1.0, 0.25, true));
        assert_eq!(kept.recents, [PathBuf::from("/m/a.psk")]);
        assert_eq!(kept.session, [PathBuf::from("/m/a.psk"), PathBuf::from("/m/b.pew")]);
        assert_eq!(kept.session_shown, Some(PathBuf::from("/m/b.pew")));
        assert_eq!(kept.reading_of(Path::new("/m/b.pew")).len(), 1);
        assert_eq!(kept.library_order, LibraryOrder::Structure);
        assert!(!kept.sections.is_open(crate::ui::section::Section::Bytes));
        let window = kept.window.unwrap();
        assert_eq!((window.size, window.maximized), ([1111.0, 777.0], true));
        let layout = serde_json::to_string(&kept.layout).unwrap();
        assert!(layout.contains(r#""share":0.3"#) && layout.contains(r#"[{"Stage":0},"Inspector"]"#), "{layout}");
        // Once there is a session of our own, it counts alone.
        assert!(!read.is_on_disk);
        write(&path, &Settings { dark: true, ..kept.clone() }).unwrap();
        assert!(load(&path).settings.dark);
    }

    #[test]
    fn what_earlier_versions_kept_may_be_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let deep = format!("(layout:{}7", "Some(".repeat(10_000));
        for text in ["", "{", "{}", &earlier("(dark:"), &earlier("7"), &earlier(&deep), &"[".repeat(100_000)] {
            fs::write(path.with_file_name(EARLIER_NAME), text).unwrap();
            let read = load(&path);
            assert_eq!(read.settings, Settings::default());
            assert!(
                matches!(read.findings.as_slice(), [one] if one.contains("earlier version")),
                "{:?}",
                read.findings
            );
        }
    }

    fn of_volume(volume: f32) -> Settings {
        Settings { volume, ..Settings::default() }
    }

    #[test]
    fn the_last_change_is_on_disk_when_the_writer_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("session.txt");
        let mut writer = SessionWriter::start(path.clone(), None, |error| panic!("{error}")).unwrap();
        for step in 0..=100 {
            writer.keep(&of_volume(step as f32 / 128.0));
        }
        drop(writer);
        assert_eq!(super::load(&path).settings, of_volume(100.0 / 128.0));
    }

    #[test]
    fn nothing_is_written_where_nothing_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.txt");
        let start = |on_disk| SessionWriter::start(path.clone(), on_disk, |error| panic!("{error}")).unwrap();
        let mut writer = start(Some(of_volume(0.5)));
        writer.keep(&of_volume(0.5));
        drop(writer);
        assert!(!path.exists());
        let mut writer = start(None);
        writer.keep(&of_volume(0.5));
        drop(writer);
        assert!(path.exists());
    }

    #[test]
    fn a_session_that_cannot_be_written_is_said_once_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.txt");
        std::fs::create_dir(&path).unwrap();
        let said = Arc::new(Mutex::new(0));
        let count = said.clone();
        let (told, hears) = crossbeam_channel::unbounded();
        let tell = move |_: &io::Error| {
            *count.lock().unwrap() += 1;
            told.send(()).unwrap();
        };
        let mut writer = SessionWriter::start(path.clone(), None, tell).unwrap();
        writer.keep(&of_volume(0.1));
        hears.recv().unwrap();
        writer.keep(&of_volume(0.2));
        std::fs::remove_dir(&path).unwrap();
        writer.keep(&of_volume(0.3));
        drop(writer);
        assert_eq!(*said.lock().unwrap(), 1);
        assert_eq!(super::load(&path).settings, of_volume(0.3));
    }
}
