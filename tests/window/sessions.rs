//! What is open survives lost devices, kills and settings that cannot be.

use crate::{
    kit,
    stage::{Stage, can_run, sample},
};
use std::{
    fs,
    process::Command,
    time::{Duration, Instant},
};

#[test]
fn a_lost_device_and_a_killed_program_lose_nothing() {
    if !can_run() {
        return;
    }
    let (psk, _) = sample();
    let mut stage = Stage::open(&[psk.to_str().unwrap()]);
    let before = stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true && s["busy"] == false);
    stage.xdotool(&["key", "space"]);
    let paused = stage.wait("pause", |s| s["playing"] == false);

    // The device is lost, and what was there is there again.
    let painted = paused["painted"].as_u64().unwrap();
    stage.xdotool(&["key", "ctrl+p"]);
    stage.wait("palette", |s| s["painted"].as_u64().unwrap() > painted);
    stage.xdotool(&["type", "--delay", "30", "restart the graphics"]);
    std::thread::sleep(Duration::from_millis(500));
    let lost = Instant::now();
    stage.xdotool(&["key", "Return"]);
    let after = stage.wait("recovered window", |s| {
        s["windows"] == 2 && s["gpu"] == true && s["last_log"].as_str().is_some_and(|l| l.contains("device was reset"))
    });
    eprintln!("the window came back {:.1} s after its device was lost", lost.elapsed().as_secs_f32());
    assert!(lost.elapsed() < Duration::from_secs(15), "{:?}", lost.elapsed());
    for what in ["files", "model", "clip", "frame", "playing"] {
        assert_eq!(after[what], paused[what], "{what}");
    }

    // What is open is written at once, though an idle window draws nothing; a kill takes nothing of it.
    std::thread::sleep(Duration::from_millis(1500));
    stage.kill_and_start(&[]);
    let again = stage.wait("session", |s| s["clip"].is_string() && s["busy"] == false);
    for what in ["files", "model", "clip"] {
        assert_eq!(again[what], before[what], "{what}");
    }
}

#[test]
fn a_session_comes_back_after_an_idle_window_was_killed_and_what_is_no_session_stops_no_start() {
    if !can_run() {
        return;
    }
    // A model without a clip: nothing moves, so nothing is drawn once it is there.
    let (_models, files) = kit::app::alone("actorx", &["syn_arm.psk"]);
    let model = files[0].to_str().unwrap();
    let mut stage = Stage::open(&[model]);
    let before = stage.wait("model", |s| s["model"].is_string() && s["busy"] == false && s["gpu"] == true);
    std::thread::sleep(Duration::from_millis(1500));
    stage.kill_and_start(&[]);
    let again = stage.wait("session", |s| s["model"].is_string() && s["busy"] == false);
    assert_eq!((&again["files"], &again["model"]), (&before["files"], &before["model"]));

    // Settings that would end the program, or show nothing, are left out one by one.
    let session = stage.folder.path().join("home/bonebox/session.txt");
    let text = fs::read_to_string(&session).unwrap();
    let spoilt = text.lines().map(|line| match line.split_once(" = ") {
        Some(("ui_scale", _)) => "ui_scale = NaN".to_owned(),
        Some(("window", _)) => r#"window = {"position":[1e9,0],"size":[0,0]}"#.to_owned(),
        _ => line.to_owned(),
    });
    fs::write(&session, spoilt.collect::<Vec<_>>().join("\n")).unwrap();
    stage.kill_and_start(&[]);
    let again = stage.wait("session", |s| s["model"].is_string() && s["busy"] == false);
    assert_eq!(again["files"], before["files"]);

    // Nothing ever writes into this pipe.
    stage.window.0.kill().unwrap();
    fs::remove_file(&session).unwrap();
    assert!(Command::new("mkfifo").arg(&session).status().unwrap().success());
    stage.start_again(&[model]);
    stage.wait("model", |s| s["model"].is_string() && s["busy"] == false);
}

#[test]
fn a_second_window_says_so_and_leaves_the_session_of_the_first_as_it_is() {
    if !can_run() {
        return;
    }
    let (_models, files) = kit::app::alone("actorx", &["syn_arm.psk"]);
    let model = files[0].to_str().unwrap();
    let mut stage = Stage::open(&[model]);
    stage.wait("model", |s| s["model"].is_string() && s["busy"] == false);
    let home = stage.folder.path().join("home/bonebox");
    let kept = |name: &str| fs::read_to_string(home.join(name)).unwrap_or_default();
    stage.wait("session", |_| kept("session.txt").contains(model));
    let first = stage.start_beside(&[]);
    stage.wait("notice", |s| s["last_log"].as_str().is_some_and(|line| line.contains("session-2.txt")));
    let second = stage.wait("session of its own", |_| !kept("session-2.txt").is_empty());
    // Recent files are settings, which the second window has of the first.
    let own = kept("session-2.txt");
    let is_open = own.lines().any(|line| line.starts_with("session = ") && line.contains(model));
    assert_eq!((second["files"].as_array().map(Vec::len), is_open), (Some(0), false));
    drop(first);
    assert!(kept("session.txt").contains(model));
}
