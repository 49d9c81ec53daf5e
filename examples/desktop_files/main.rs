//! Generates manual pages and shell completions from the program's commands and options.
//!
//! `cargo run --example desktop_files -- FOLDER` creates `man1/`, `bash/`, `zsh/` and `fish/` in FOLDER. `scripts/package` calls it.

use bonebox::cli;
use clap_complete::{Shell, generate_to};
use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: desktop_files FOLDER")?);
    for (name, shell) in [("bash", Shell::Bash), ("zsh", Shell::Zsh), ("fish", Shell::Fish)] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        generate_to(shell, &mut cli::command(), "bonebox", &folder)?;
    }
    let folder = folder.join("man1");
    fs::create_dir_all(&folder)?;
    clap_mangen::generate_to(cli::command(), &folder)?;
    Ok(())
}
