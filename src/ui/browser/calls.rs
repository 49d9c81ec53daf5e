//! What the program asks of the page's script.

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use std::path::PathBuf;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The object that both sides put their functions on.
pub const NAME: &str = "bonebox";

/// What the address of the page asks for.
#[derive(Default)]
pub struct Request {
    /// On the disk in memory.
    pub paths: Vec<PathBuf>,
    pub view: Option<PathBuf>,
    /// Keep a file that says what the window shows.
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
pub fn pick(folder: bool) {
    let _ = call("pick", &folder.into());
}

/// Gives bytes to the browser, which saves them under a name.
///
/// # Errors
/// When it refuses.
pub fn download(name: &str, bytes: &[u8]) -> Result<(), String> {
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

pub fn paths(value: &JsValue) -> Vec<PathBuf> {
    texts(value).into_iter().map(PathBuf::from).collect()
}
