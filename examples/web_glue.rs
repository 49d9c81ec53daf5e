//! Generates the JavaScript file that loads the compiled web page, like `wasm-bindgen --target web`. Called by scripts/web. The page must
//! be compiled with the same version of wasm-bindgen; Cargo.lock specifies the version for both.
//!
//!     cargo run --example web_glue -- bonebox.wasm FOLDER

use std::{error::Error, path::PathBuf};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [wasm, folder] = arguments.as_slice() else { return Err("usage: web_glue FILE.wasm FOLDER".into()) };
    std::fs::create_dir_all(folder)?;
    Bindgen::new().input_path(wasm).web(true)?.typescript(false).remove_name_section(true).generate(folder)?;
    Ok(())
}
