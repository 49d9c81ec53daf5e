//! Work in the background: it is told of, and can be stopped.

use crate::kit::app::*;
use std::{
    sync::mpsc,
    time::{Duration, Instant},
};

/// How long a button may take that comes after a second of work.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn work_shows_how_far_it_is_and_is_cancelled() {
    let mut window = window();
    window.run_steps(3);
    let (stopped, has_stopped) = mpsc::channel();
    change(&window, |s| {
        s.core.works.run("Counting bones", move |cx| {
            cx.progress(1, 4, "tail");
            while !cx.cancelled() {
                std::thread::sleep(Duration::from_millis(2));
            }
            let _ = stopped.send(());
        })
    });
    let end = Instant::now() + PATIENCE;
    while !has(&window, "Cancel") {
        assert!(Instant::now() < end, "work that goes on can be stopped");
        window.run_steps(2);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(has(&window, "Counting bones: 1 of 4 tail"));
    look(&mut window, "work");
    click(&mut window, "Cancel");
    assert_eq!(has_stopped.recv_timeout(PATIENCE), Ok(()), "the worker is told");
    settle(&mut window);
    assert!(!has(&window, "Cancel") && !read(&window, |state| state.core.works.is_busy()));
    assert!(log(&window).iter().any(|line| line.contains("Counting bones: cancelled")), "{:?}", log(&window));
}
