//! What the page's script asks of the program.

use crate::ui::browser::{
    calls::{NAME, paths},
    given::{dropped, picked, repaint},
    places::{GIVEN, STATUS},
};
use crate::{files, ui::samples};
use js_sys::{JsString, Reflect, Uint8Array};
use std::{
    io::{Cursor, Read as _},
    path::Path,
};
use wasm_bindgen::{JsValue, closure::Closure};

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
