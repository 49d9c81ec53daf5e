//! The program, run over small files made here: a sheet of 10 × 10 points on three bones, and a clip that bends it.

use bonebox::formats::actorx::{
    AnimInfo, AnimKey, Bone, Face, Matt, Psa, Psk, RawWeight, Wedge, encode_psa, encode_psk,
};
use serde_json::Value;
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Points in one direction; 100 in all.
pub const SIDE: usize = 10;
/// Frames of the clips; frames a second.
pub const FRAMES: usize = 3;
pub const RATE_HZ: f32 = 2.0;

/// A folder with `sheet.psk`, `sheet.psa` (one clip, “Bend”), `two.psa` (“Bend” and “Bow”), `stranger.psa` (other bones).
pub struct Made {
    folder: tempfile::TempDir,
}

impl Made {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("sheet.psk", encode_psk(&sheet("Skin")));
        write("sheet.psa", encode_psa(&clips(&["Bend"], ["Root", "Middle", "Tip"])));
        write("two.psa", encode_psa(&clips(&["Bend", "Bow"], ["Root", "Middle", "Tip"])));
        write("stranger.psa", encode_psa(&clips(&["Bend"], ["Wheel", "Axle", "Cog"])));
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Point `(x, 0, z)` is number `z × 10 + x`. The root stands at the origin, the middle bone at z = 5 and its tip 4 above.
pub fn sheet(material: &str) -> Psk {
    let points = (0..SIDE * SIDE).map(|i| [(i % SIDE) as f32, 0.0, (i / SIDE) as f32]).collect();
    let wedge = |i: usize| Wedge {
        point: i as u32,
        uv: [(i % SIDE) as f32 / SIDE as f32, (i / SIDE) as f32 / SIDE as f32],
        material: 0,
    };
    let mut faces = Vec::new();
    for z in 0..SIDE - 1 {
        for x in 0..SIDE - 1 {
            let corner = (z * SIDE + x) as u32;
            let (right, above) = (corner + 1, corner + SIDE as u32);
            for wedges in [[corner, right, above], [right, above + 1, above]] {
                faces.push(Face { wedges, smoothing_groups: 1, ..Face::default() });
                // Both sides: whichever is looked at.
                let [a, b, c] = wedges;
                faces.push(Face { wedges: [a, c, b], smoothing_groups: 1, ..Face::default() });
            }
        }
    }
    let weight = |i: usize| RawWeight { weight: 1.0, point: i as i32, bone: i32::from(i / SIDE >= 5) };
    Psk {
        points,
        wedges: (0..SIDE * SIDE).map(wedge).collect(),
        faces,
        materials: vec![Matt { name: material.to_owned(), ..Matt::default() }],
        bones: bones(["Root", "Middle", "Tip"]),
        weights: (0..SIDE * SIDE).map(weight).collect(),
        ..Psk::default()
    }
}

fn bones(names: [&str; 3]) -> Vec<Bone> {
    let bone = |name: &str, parent, z| Bone {
        name: name.to_owned(),
        parent,
        rotation: [0.0, 0.0, 0.0, 1.0],
        position: [0.0, 0.0, z],
        ..Bone::default()
    };
    vec![bone(names[0], 0, 0.0), bone(names[1], 0, 5.0), bone(names[2], 1, 4.0)]
}

/// The middle bone turns by 45° about X in each frame.
pub fn clips(names: &[&str], bone_names: [&str; 3]) -> Psa {
    let mut psa = Psa { bones: bones(bone_names), ..Psa::default() };
    for name in names {
        psa.sequences.push(AnimInfo {
            name: (*name).to_owned(),
            group: "None".to_owned(),
            total_bones: 3,
            key_quotum: (FRAMES * 3) as i32,
            track_time: FRAMES as f32,
            rate_hz: RATE_HZ,
            first_raw_frame: (psa.sequences.len() * FRAMES) as i32,
            raw_frames: FRAMES as i32,
            ..AnimInfo::default()
        });
        for frame in 0..FRAMES {
            let half = frame as f32 * std::f32::consts::FRAC_PI_8;
            for (bone, z) in [0.0, 5.0, 4.0].into_iter().enumerate() {
                // The file stores the conjugate on every bone but the first.
                let rotation = if bone == 1 { [-half.sin(), 0.0, 0.0, half.cos()] } else { [0.0, 0.0, 0.0, 1.0] };
                psa.keys.push(AnimKey { position: [0.0, 0.0, z], rotation, time: 1.0 });
            }
        }
    }
    psa
}

/// The program, to be run.
pub fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.args(args);
    command
}

/// Runs the program to its end.
pub fn bonebox(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    command(args).output().unwrap()
}

/// Runs `bonebox export`.
pub fn export(arguments: &[&str]) -> Output {
    bonebox([&["export"], arguments].concat())
}

/// The exit status of a program that ended by itself.
#[track_caller]
pub fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Runs a verb over a file and reads its JSON document.
#[track_caller]
pub fn json(args: Vec<OsString>) -> Value {
    let output = bonebox(&args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"))
}

/// Arguments of mixed kinds.
#[macro_export]
macro_rules! args {
    ($($arg:expr),* $(,)?) => { vec![$(std::ffi::OsStr::new(&$arg).to_os_string()),*] };
}
