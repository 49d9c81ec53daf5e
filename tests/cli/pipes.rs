//! Pipes in the place of files, through the program itself.

use crate::{
    args,
    kit::program::{Made, bonebox, stderr, stdout},
};
use std::{path::Path, process::Command};

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_pipe_that_is_named_is_read_as_a_file_is() {
    let made = Made::new();
    let (named, bytes) = (made.path("named"), std::fs::read(made.path("sheet.psk")).unwrap());
    pipe(&named);
    for verb in ["list", "verify", "inspect"] {
        let (to, bytes) = (named.clone(), bytes.clone());
        let writer =
            std::thread::Builder::new().name("writer".to_owned()).spawn(move || std::fs::write(to, bytes)).unwrap();
        let output = bonebox(args![verb, named]);
        assert_eq!(output.status.code(), Some(0), "{verb}: {}", stderr(&output));
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn pipes_of_a_folder_are_left_out() {
    let made = Made::new();
    // Beside the model, where its clips and its material file are looked for.
    for name in ["pipe.psk", "sheet.props.txt", "sheet.config", "a.psa", "Skin.png"] {
        pipe(&made.path(name));
    }
    let output = bonebox(args!["verify", made.folder()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("4 files:") && !stdout(&output).contains("pipe.psk"), "{}", stdout(&output));
    let exported = made.path("out");
    let output = bonebox(args!["export", "--all", made.folder(), "-o", exported]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_device_says_what_it_is() {
    let output = bonebox(args!["list", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("/dev/zero: cannot be opened because it is a device, not a file"),
        "{}",
        stderr(&output)
    );
}
