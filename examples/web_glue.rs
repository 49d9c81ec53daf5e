//! Makes of the compiled page what a browser loads, as `wasm-bindgen --target web` does; scripts/web calls it. It is of the version that
//! Cargo.lock names, which has to be the one that the page was compiled with.
//!
//!     cargo run --example web_glue -- bonebox.wasm FOLDER

use std::{error::Error, path::PathBuf};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [wasm, folder] = arguments.as_slice() else { return Err("a .wasm file and a folder are wanted".into()) };
    std::fs::create_dir_all(folder)?;
    Bindgen::new().input_path(wasm).web(true)?.typescript(false).remove_name_section(true).generate(folder)?;
    Ok(())
}
