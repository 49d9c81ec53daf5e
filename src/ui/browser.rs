//! What the window is given in a browser, and gives it. Files that are dropped or chosen are put on the disk in memory
//! ([`crate::files::memory`]) by the page's script (assets/page/page.js), and what is written below [`DOWNLOADS`] there becomes a
//! download. Nothing is sent anywhere.

use crate::{
    files,
    formats::Severity,
    ui::{
        command::{Ask, Choice},
        dialogs,
        log_buffer::LogBuffer,
        samples,
        state::{LogEntry, Message, State},
    },
};
use js_sys::{Array, Function, JsString, Promise, Reflect, Uint8Array};
use std::{
    cell::RefCell,
    io::{Cursor, Read as _, Write as _},
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use zip::{ZipWriter, write::SimpleFileOptions};

/// The object that both sides put their functions on.
const NAME: &str = "bonebox";

/// What the address of the page asks for.
#[derive(Default)]
pub struct Request {
    /// On the disk in memory.
    pub paths: Vec<PathBuf>,
    pub view: Option<PathBuf>,
    /// True to write the window's status to a file, for tests.
    pub status: bool,
    /// What cannot be opened, in sentences.
    pub failed: Vec<String>,
}

/// A function of the page's script.
fn function(name: &str) -> Option<(JsValue, Function)> {
    let ours = Reflect::get(&js_sys::global(), &NAME.into()).ok()?;
    let function = Reflect::get(&ours, &name.into()).ok()?.dyn_into().ok()?;
    Some((ours, function))
}

fn call(name: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
    let (ours, function) = function(name).ok_or_else(|| JsValue::from_str("the page's script is missing"))?;
    function.call1(&ours, argument)
}

/// Shows a sentence in the place of the window.
pub fn fail(sentence: &str) {
    let _ = call("fail", &sentence.into());
}

/// The window is there.
pub fn started() {
    let _ = call("started", &JsValue::UNDEFINED);
}

/// What the browser calls the page.
pub fn set_title(title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Opens the browser's dialog for files, or for a folder.
fn pick(folder: bool) {
    let _ = call("pick", &folder.into());
}

/// Gives bytes to the browser, which saves them under a name.
///
/// # Errors
/// When it refuses.
fn download(name: &str, bytes: &[u8]) -> Result<(), String> {
    let (ours, function) = function("download").ok_or("the page's script is missing")?;
    let called = function.call2(&ours, &name.into(), &Uint8Array::from(bytes).into());
    called.map(|_| ()).map_err(|error| format!("{error:?}"))
}

/// What the address asks for, once it is loaded.
pub async fn request() -> Request {
    let mut request = Request::default();
    let asked = call("request", &JsValue::UNDEFINED).ok().and_then(|it| it.dyn_into::<Promise>().ok());
    let Some(asked) = asked else { return request };
    match JsFuture::from(asked).await {
        Ok(answer) => {
            let get = |name: &str| Reflect::get(&answer, &name.into()).unwrap_or_default();
            request.paths = paths(&get("paths"));
            request.failed = texts(&get("failed"));
            request.view = get("view").as_string().map(PathBuf::from);
            request.status = get("status").is_truthy();
        }
        Err(error) => request.failed.push(format!("Cannot open the files in the URL: {error:?}")),
    }
    request
}

fn texts(value: &JsValue) -> Vec<String> {
    Array::from(value).iter().filter_map(|item| item.as_string()).collect()
}

fn paths(value: &JsValue) -> Vec<PathBuf> {
    texts(value).into_iter().map(PathBuf::from).collect()
}

/// After each frame: what was written for the person goes to the browser.
pub fn end_frame(state: &mut State) {
    if state.core.works.is_busy() {
        return;
    }
    let entry = match give(Path::new(DOWNLOADS)) {
        Ok(None) => return,
        Ok(Some(name)) => LogEntry::new(Severity::Info, "", format!("Downloaded {name}")),
        Err(error) => LogEntry::new(Severity::Error, "", format!("Download failed: {error}")),
    };
    state.core.log.announce(entry);
}

/// Downloads the contents of a folder and deletes them: one file as it is, several files as a zip. Returns the download's name.
///
/// # Errors
/// When it cannot be read, or the browser refuses it.
fn give(folder: &Path) -> Result<Option<String>, String> {
    let mut found = Vec::new();
    list(folder, &mut found);
    let Some(first) = found.first() else { return Ok(None) };
    let (name, bytes) = match found.as_slice() {
        [only] if only.parent() == Some(folder) => (name_of(only), read(only)),
        _ => {
            let is_one = found.iter().all(|path| top(folder, path) == top(folder, first));
            let name = if is_one { top(folder, first).to_string_lossy() } else { "Bonebox".into() };
            (format!("{name}.zip"), packed(folder, &found))
        }
    };
    let given = bytes.and_then(|bytes| download(&name, &bytes));
    // Taken away whatever came of it, so that nothing is tried again in each frame.
    for path in &found {
        files::remove_file(path).map_err(|error| error.to_string())?;
    }
    given.map(|()| Some(name))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The file or folder directly below `folder` that a path leads through.
fn top<'a>(folder: &Path, path: &'a Path) -> &'a Path {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.components().next().map_or(below, |part| Path::new(part.as_os_str()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in files::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if files::is_dir(&path) {
            list(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn packed(folder: &Path, found: &[PathBuf]) -> Result<Vec<u8>, String> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for path in found {
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        zip.start_file(name, SimpleFileOptions::default()).map_err(|error| error.to_string())?;
        zip.write_all(&read(path)?).map_err(|error| error.to_string())?;
    }
    zip.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
}

thread_local! {
    /// Dropped files that the next frame takes, on the disk in memory.
    static DROPPED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    /// The question that the browser's dialog is open for, and how the answer gets to the window.
    static ASKED: RefCell<Option<(Ask, Reply)>> = const { RefCell::new(None) };
    static CONTEXT: RefCell<Option<egui::Context>> = const { RefCell::new(None) };
}

type Reply = Box<dyn Fn(Message)>;

/// A dropped file, stored on the disk in memory.
#[derive(Debug)]
struct OnDisk(PathBuf);

impl egui::DroppedFile for OnDisk {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes_async(&self) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, String>> + '_>> {
        Box::pin(std::future::ready(files::read(&self.0).map_err(|error| error.to_string())))
    }
}

/// Which window is woken when something is given.
pub fn watch(context: &egui::Context) {
    CONTEXT.set(Some(context.clone()));
}

fn repaint() {
    CONTEXT.with_borrow(|context| context.iter().for_each(egui::Context::request_repaint));
}

/// Hands dropped files to the window, in the place of those that the browser named, of which there is nothing but a name.
pub fn take_drops(input: &mut egui::RawInput) {
    input.dropped_files.clear();
    let dropped = DROPPED.take();
    if !dropped.is_empty() {
        input.hovered_files.clear();
    }
    for path in dropped {
        input.dropped_files.push(Arc::new(OnDisk(path)));
    }
}

/// These lie on the disk in memory now.
fn dropped(paths: Vec<PathBuf>) {
    DROPPED.with_borrow_mut(|dropped| dropped.extend(paths));
    repaint();
}

/// Asks in the browser's dialog for what is to be read; what is written is always a download.
pub fn ask(state: &mut State, ask: Ask, _: &LogBuffer) {
    let is_folder = match ask.choice() {
        Choice::Files | Choice::File => false,
        Choice::Folder => true,
        Choice::NewFile(path) => {
            let path = Path::new(DOWNLOADS).join(path.file_name().unwrap_or("bonebox".as_ref()));
            return answer(state, ask, path);
        }
        Choice::TargetFolder => return answer(state, ask, PathBuf::from(DOWNLOADS)),
    };
    let (sender, wake) = (state.core.works.sender(), state.core.works.waker());
    let reply = move |message| {
        let _ = sender.send(message);
        wake();
    };
    ASKED.set(Some((ask, Box::new(reply))));
    pick(is_folder);
}

fn answer(state: &mut State, ask: Ask, path: PathBuf) {
    if let Some(command) = dialogs::answer(ask, vec![path]) {
        state.apply(command);
    }
}

/// The browser's dialog was closed with these, which lie on the disk in memory.
fn picked(paths: Vec<PathBuf>) {
    if let Some((ask, reply)) = ASKED.take()
        && let Some(command) = dialogs::answer(ask, paths)
    {
        reply(Message::Command(command));
    }
}

/// Files that a person gave.
pub const GIVEN: &str = "/files";
/// What is written here is downloaded.
pub const DOWNLOADS: &str = "/downloads";
/// What the window shows, for tests.
pub const STATUS: &str = "/status.json";

/// A sample may be at most so large when it is unpacked, and there may be so many: the page's own, but checked as others are.
const MAX_SAMPLE_BYTES: u64 = 64 << 20;
const MAX_SAMPLES: usize = 1000;

/// Puts the functions that the script calls on the object that both know.
pub fn serve() {
    let ours = Reflect::get(&js_sys::global(), &NAME.into()).unwrap_or_default();
    let put = |name: &str, function: &JsValue| {
        if Reflect::set(&ours, &name.into(), function).is_err() {
            log::error!("the page's script is missing");
        }
    };
    let write: Closure<dyn Fn(JsString, Uint8Array) -> JsValue> =
        Closure::new(|path: JsString, bytes: Uint8Array| match write(&String::from(path), bytes.to_vec()) {
            Ok(()) => JsValue::UNDEFINED,
            Err(error) => JsValue::from(js_sys::Error::new(&error)),
        });
    let free: Closure<dyn Fn(JsString) -> JsValue> =
        Closure::new(|name: JsString| JsValue::from_str(&free(&String::from(name))));
    let on_drop: Closure<dyn Fn(JsValue)> = Closure::new(|given: JsValue| dropped(paths(&given)));
    let on_pick: Closure<dyn Fn(JsValue)> = Closure::new(|given: JsValue| picked(paths(&given)));
    let on_samples: Closure<dyn Fn(Uint8Array)> = Closure::new(|zip: Uint8Array| {
        if let Err(error) = unpack(zip.to_vec()) {
            log::error!("cannot unpack the samples: {error}");
        }
        repaint();
    });
    let status: Closure<dyn Fn() -> JsValue> = Closure::new(|| {
        let text = files::read(STATUS).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.map_or(JsValue::NULL, |text| text.into())
    });
    put("write", &write.into_js_value());
    put("free", &free.into_js_value());
    put("dropped", &on_drop.into_js_value());
    put("picked", &on_pick.into_js_value());
    put("samples", &on_samples.into_js_value());
    put("status", &status.into_js_value());
}

/// Puts a file that a person gave on the disk, at its own path from what was given on.
fn write(path: &str, bytes: Vec<u8>) -> Result<(), String> {
    // A path that leads out of the folder stays in it.
    let inner = files::absolute(path).map_err(|error| error.to_string())?;
    put(&Path::new(GIVEN).join(inner.strip_prefix("/").unwrap_or(&inner)), bytes)
}

/// A name for a given folder that no other has.
fn free(name: &str) -> String {
    let is_free = |name: &String| !files::exists(&Path::new(GIVEN).join(name));
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| name.to_owned())
}

fn put(path: &Path, bytes: Vec<u8>) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        files::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    files::memory::place(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn unpack(zip: Vec<u8>) -> Result<(), String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(zip)).map_err(|error| error.to_string())?;
    for index in 0..zip.len().min(MAX_SAMPLES) {
        let mut file = zip.by_index(index).map_err(|error| error.to_string())?;
        let Some(name) = file.enclosed_name().filter(|_| file.is_file()) else { continue };
        let mut bytes = Vec::new();
        file.by_ref().take(MAX_SAMPLE_BYTES).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        put(&Path::new(samples::PAGE).join(name), bytes)?;
    }
    Ok(())
}
