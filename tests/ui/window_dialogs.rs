//! Our own file dialogs, pictures of the stage, first steps, the report of About.

use crate::kit::{self, app::*, device};
use bonebox::{
    formats::Severity,
    ui::{
        command::{Ask, Command, ExportCommand, LibraryCommand, StageCommand, TransportCommand, WindowCommand},
        log_buffer::LogBuffer,
        state::{DrawerPage, GuideStep, LogEntry},
        window::about::report,
    },
};
use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// A window that asks in dialogs of its own, which begin in `folder`.
fn with_own_dialogs(folder: &Path) -> Window {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    change(&window, |s| {
        s.core.settings.own_dialogs = true;
        s.core.settings.remember(&folder.join("a file"));
    });
    window.run_steps(2);
    window
}

/// Clicks the dialog's button, once its folder is read.
#[track_caller]
fn choose(window: &mut Window, label: &str) {
    let end = Instant::now() + Duration::from_secs(20);
    while read(window, |s| s.dialogs.file.is_some()) {
        window.run_steps(4);
        if let Some(button) = window.query_all_by_label_contains(label).last() {
            button.click();
        }
        window.run_steps(2);
        assert!(Instant::now() < end, "no answer");
        std::thread::sleep(Duration::from_millis(2));
    }
    settle(window);
}

#[test]
fn where_no_dialog_answers_our_own_asks() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_own_dialogs(folder.path());
    apply(&mut window, Command::Library(LibraryCommand::OpenFilesDialog));
    assert_eq!(read(&window, |s| s.dialogs.file.clone()), Some(Ask::Files));
    assert!(paints(&window, "Open in Bonebox") && paints(&window, "Recent"), "its title and the recent places");
    look(&mut window, "own_file_dialog");
    // Nothing behind it listens, and Esc closes it.
    window.key_press(Key::W);
    window.run_steps(4);
    assert!(!read(&window, |s| s.stages.front.view.options.wireframe));
    window.key_press(Key::Escape);
    window.run_steps(4);
    assert_eq!(read(&window, |s| s.dialogs.file.clone()), None);
    // A folder to look in.
    apply(&mut window, Command::Library(LibraryCommand::SearchFolderDialog));
    choose(&mut window, "Open");
    let found = read(&window, |s| s.core.settings.folders.clone());
    assert_eq!(
        found.iter().map(|f| f.canonicalize().unwrap()).collect::<Vec<_>>(),
        [folder.path().canonicalize().unwrap()]
    );
}

#[test]
fn an_export_is_pointed_at_in_our_own_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_own_dialogs(folder.path());
    apply(&mut window, Command::Export(ExportCommand::PrepareShown));
    apply(&mut window, Command::Export(ExportCommand::SetPath(folder.path().join("arm.glb"))));
    click(&mut window, "Browse…");
    assert!(matches!(read(&window, |s| s.dialogs.file.clone()), Some(Ask::ExportFile(_))));
    assert!(!has(&window, "Browse…"), "the export waits behind it");
    choose(&mut window, "Save");
    let path = read(&window, |s| s.exports.draft.as_ref().map(|draft| draft.path.clone())).unwrap();
    assert!(path.ends_with("arm.glb") && Path::new(&path).parent().is_some_and(Path::is_dir), "{path}");
    assert!(has(&window, "Browse…"));
}

#[test]
fn a_message_from_the_system_opens_our_own_dialog() {
    let mut window = window();
    window.run_steps(3);
    // As the thread sends it whose dialog cannot be shown.
    let sender = read(&window, |state| state.core.works.sender());
    let here = Command::Window(WindowCommand::AskHere(Ask::Folder));
    sender.send(bonebox::ui::state::Message::Command(here)).unwrap();
    window.run_steps(4);
    assert_eq!(read(&window, |s| s.dialogs.file.clone()), Some(Ask::Folder));
    assert!(paints(&window, "Open in Bonebox"));
}

#[test]
fn the_folder_of_pictures_is_asked_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_own_dialogs(folder.path());
    let f12 = |window: &mut Window| {
        window.key_press(Key::F12);
        window.run_steps(4);
        read(window, |s| s.dialogs.file.clone())
    };
    assert_eq!(f12(&mut window), Some(Ask::PictureFolder));
    window.key_press(Key::Escape);
    window.run_steps(4);
    assert!(
        read(&window, |s| s.dialogs.file.is_none() && s.core.settings.picture_folder.is_none()),
        "it is asked again"
    );
    assert_eq!(f12(&mut window), Some(Ask::PictureFolder));
    choose(&mut window, "Open");
    let said = log(&window).join("\n");
    assert!(read(&window, |s| s.core.settings.picture_folder.is_some()), "{said}");
    assert_eq!(f12(&mut window), None, "and no more");
    // Where it is gone, it is asked for again.
    change(&window, |s| s.core.settings.picture_folder = Some("/no such folder".into()));
    assert_eq!(f12(&mut window), Some(Ask::PictureFolder));
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let mut window = window();
    window.run_steps(3);
    for size in [[0, 0], [0, 1_080], [100_000, 100_000], [100_000, 16]] {
        apply(&mut window, Command::Window(WindowCommand::SetPictureSize(Some(size))));
        assert_eq!(read(&window, |s| s.core.settings.picture_size), None, "{size:?}");
        assert!(log(&window).last().unwrap().contains("is not supported"), "{:?}", log(&window));
    }
    // Typed in the settings.
    apply(&mut window, Command::Window(WindowCommand::ToggleSettings));
    click(&mut window, "Files settings");
    let mut typed = |text: &str| {
        type_into(&mut window, "Screenshot size", text);
        window.key_press(Key::Enter);
        window.run_steps(4);
        read(&window, |s| (s.core.settings.picture_size, s.dialogs.settings))
    };
    assert_eq!(typed("640 x 360"), (Some([640, 360]), true));
    assert_eq!(typed("100000x100000"), (Some([640, 360]), true));
    assert_eq!(typed("0x0"), (Some([640, 360]), true));
    assert_eq!(typed("nonsense"), (Some([640, 360]), true));
    let disk = saved(&mut window);
    assert_eq!(disk.settings().picture_size, Some([640, 360]));
    let text = std::fs::read_to_string(disk.path()).unwrap().replace("[640,360]", "[0,100000]");
    std::fs::write(disk.path(), text).unwrap();
    assert_eq!(disk.settings().picture_size, None);
}

#[test]
fn a_picture_has_the_size_that_was_chosen() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_built(Harness::builder().wgpu(), kept(state()), SIZE);
    open(&mut window, [kit::samples().join("Ossie.psk")]);
    apply(&mut window, Command::Window(WindowCommand::SetPictureFolder(Some(folder.path().to_owned()))));
    let aspect = read(&window, |s| s.stages.front.viewport.aspect);
    for (number, (size, transparent)) in (1..).zip([([320, 200], false), ([90, 160], true)]) {
        apply(&mut window, Command::Window(WindowCommand::SetPictureSize(Some(size))));
        apply(&mut window, Command::Window(WindowCommand::Screenshot(transparent)));
        settle(&mut window);
        let image = image::open(folder.path().join(format!("Ossie-{number}.png"))).unwrap().into_rgba8();
        assert_eq!([image.width(), image.height()], size);
        assert_eq!(image.get_pixel(0, 0)[3] == 0, transparent);
    }
    assert_eq!(read(&window, |s| s.stages.front.viewport.aspect), aspect, "the stage is as it was");
    window.key_press_modifiers(Modifiers::ALT, Key::F12);
    window.run_steps(3);
    let said = log(&window).join("\n");
    assert!(said.contains("Image copied to the clipboard: 90 × 160 pixels"), "{said}");
}

#[test]
fn first_steps_are_ticked_when_they_were_taken() {
    let mut window = window();
    window.run_steps(3);
    assert!(!paints(&window, "First steps: "), "it does not show itself");
    apply(&mut window, Command::Window(WindowCommand::ToggleGuide));
    assert!(paints(&window, "First steps: 0 of 5") && has(&window, "Open samples: to do"));
    look(&mut window, "first_steps");
    let taken = |window: &Window| read(window, |s| s.dialogs.guide.clone().unwrap_or_default());
    open(&mut window, ["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name)));
    settle(&mut window);
    assert_eq!(taken(&window), [GuideStep::Open, GuideStep::Play]);
    assert!(has(&window, "Open samples: done") && has(&window, "Play an animation: done"));
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    change(&window, |s| s.stages.front.content.model_mut().unwrap().selected.joint = Some(3));
    window.run_steps(2);
    assert_eq!(taken(&window).len(), 2, "a bone without curves is no step, and what is done stays done");
    if read(&window, |s| s.stages.front.viewport.drawer) != Some(DrawerPage::Curves) {
        apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)));
    }
    change(&window, |s| s.stages.front.content.model_mut().unwrap().selected.joint = Some(3));
    window.run_steps(2);
    assert_eq!(taken(&window).last(), Some(&GuideStep::Curve));
    change(&window, |s| s.core.selected_bytes = Some(0..4));
    window.run_steps(2);
    assert_eq!(taken(&window).last(), Some(&GuideStep::Bytes));
    let folder = tempfile::tempdir().unwrap();
    change(&window, |s| s.core.log.push(LogEntry::new(Severity::Info, "", "Exported to nowhere")));
    apply(&mut window, Command::Library(LibraryCommand::SaveView(folder.path().join("a"))));
    assert!(log(&window).iter().any(|line| line.starts_with("Saved ")), "{:?}", log(&window));
    assert_eq!(taken(&window).len(), 4, "neither the words of a message nor a saved view is an export");
    apply(&mut window, Command::Export(ExportCommand::PrepareShown));
    apply(&mut window, Command::Export(ExportCommand::SetPath(folder.path().join("a.glb"))));
    apply(&mut window, Command::Export(ExportCommand::Run));
    settle(&mut window);
    assert_eq!(taken(&window).len(), 5, "{:?}", log(&window));
    assert!(paints(&window, "First steps: 5 of 5"));
    click(&mut window, "Close first steps");
    assert!(read(&window, |s| s.dialogs.guide.is_none()));
    assert!(!paints(&window, "First steps: "));
}

#[test]
fn a_report_says_what_a_helper_asks() {
    let mut window = window_with([kit::data().join("actorx/zero_bytes.psk")]);
    let text = read(&window, |s| report(s, &LogBuffer::default()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("Bonebox {}", env!("CARGO_PKG_VERSION")));
    for start in ["System: ", "Graphics: ", "Backend: ", "Driver: ", "Log:", "Program:"] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {text}");
    }
    assert!(text.contains("the file is empty"), "{text}");
    apply(&mut window, Command::Window(WindowCommand::ToggleAbout));
    assert!(has(&window, "Copy report"));
    look(&mut window, "about");
}
