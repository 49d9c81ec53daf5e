//! A folder of mixed games: what plays by itself, and what waits for a person.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Content,
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::{Place, State},
    },
};
use std::{fs, path::Path};

/// Copies a file into a folder that is made where it is missing.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap();
}

/// Shows the first model of a file of this name below a folder.
fn show(state: &mut State, file: &Path) -> Place {
    let open = state.core.library.files.iter().find(|open| open.file.path == file);
    let open = open.unwrap_or_else(|| panic!("{} is open", file.display()));
    let place = Place { file: open.id, entry: open.file.entries_with(Content::Model)[0] };
    state.apply(Command::Stage(StageCommand::Show(place)));
    settle_state(state);
    assert!(state.stages.front.model().is_some(), "{}", file.display());
    place
}

/// The files of the clips that play.
fn playing(state: &State, root: &Path) -> Vec<String> {
    let playback = state.stages.front.playback().unwrap();
    let mut files: Vec<String> = playback
        .clips
        .iter()
        .filter(|clip| Some(clip.place) == playback.playing)
        .map(|clip| {
            let path = &state.core.file(clip.place.file).unwrap().path;
            path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")
        })
        .collect();
    files.sort();
    assert_eq!(files.is_empty(), playback.player.layers().is_empty());
    files
}

#[test]
fn of_a_folder_of_mixed_games_no_clip_plays_by_itself_on_a_foreign_model() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let (samples, data) = (kit::samples(), kit::data());
    // A model alone; its animation lies in another game's folder.
    copy(&samples.join("Ossie.psk"), &root.join("arena/Ossie.psk"));
    copy(&samples.join("Ossie.psa"), &root.join("racer/Ossie.psa"));
    // A model of three joints, and clips of three joints of its own, of a stranger's folder, of an archive.
    copy(&data.join("j3d/arm_basic.bmd"), &root.join("isle/model/arm.bmd"));
    copy(&data.join("j3d/arm_wave.bck"), &root.join("isle/bck/arm_wave.bck"));
    copy(&data.join("j3d/arm_maya.bmd"), &root.join("castle/guard.bmd"));
    copy(&data.join("j3d/arm_wave.bck"), &root.join("stars/swim.bck"));
    copy(&data.join("archive/arm.arc"), &root.join("stars/arm.arc"));
    // Another family, and its clips elsewhere.
    copy(&samples.join("Helix.model"), &root.join("plants/Helix.model"));
    copy(&samples.join("Helix.anm"), &root.join("weeds/Helix.anm"));
    copy(&samples.join("Bonebox.u"), &root.join("arena/Bonebox.u"));

    let mut state = state();
    state.apply(Command::Library(LibraryCommand::Open(vec![root.to_owned()])));
    settle_state(&mut state);
    assert_eq!(state.core.library.files.len(), 10);
    for (model, clips) in [
        ("arena/Ossie.psk", &[][..]),
        ("isle/model/arm.bmd", &["isle/bck/arm_wave.bck"]),
        ("castle/guard.bmd", &[]),
        ("plants/Helix.model", &[]),
        ("stars/arm.arc", &["stars/arm.arc"]),
        ("arena/Bonebox.u", &["arena/Bonebox.u"]),
    ] {
        show(&mut state, &root.join(model));
        assert_eq!(playing(&state, root), clips, "{model}");
    }

    // What a person drops counts as meant, wherever it lies.
    show(&mut state, &root.join("arena/Ossie.psk"));
    state.apply(Command::Library(LibraryCommand::Open(vec![root.join("racer/Ossie.psa")])));
    settle_state(&mut state);
    assert_eq!(playing(&state, root), ["racer/Ossie.psa"]);
}
