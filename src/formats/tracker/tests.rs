use super::{
    encode::{Tune, TuneEffect, TuneNote, Voice, encode},
    *,
};
use crate::bytes::Cancel;

const ALL: [Tracker; 4] = [Tracker::It, Tracker::S3m, Tracker::Xm, Tracker::Amiga];

/// A square wave on two channels: two patterns of which the first is left after 16 rows.
fn tune() -> Tune {
    let note = |row, channel, key| TuneNote { row, channel, key, voice: 1, ..TuneNote::default() };
    let leave = TuneNote { row: 15, channel: 1, effect: Some(TuneEffect::Break), ..TuneNote::default() };
    let wave = (0..64).map(|i| if i % 32 < 16 { 60 } else { -60 }).collect();
    Tune {
        title: "Two bars".into(),
        channels: 4,
        speed: 6,
        tempo: 125,
        orders: vec![0, 1],
        patterns: vec![vec![note(0, 0, 60), note(8, 0, 64), leave], vec![note(0, 0, 67), note(0, 1, 72)]],
        voices: vec![Voice { name: "Square".into(), samples: wave, rate_hz: 8_363, loops: true }],
    }
}

fn play(bytes: &[u8]) -> Result<crate::scene::Rendering, TrackerError> {
    render(bytes, RenderOptions::default(), Cancel::never(), &mut |_, _| {})
}

#[test]
fn each_format_is_told_apart_and_described() {
    for tracker in ALL {
        let bytes = encode(&tune(), tracker);
        assert_eq!(Tracker::sniff(&bytes), Some(tracker));
        let music = music("Song", bytes.into());
        assert_eq!((music.encoding, music.extension), (tracker.name(), tracker.extension()));
        assert_eq!(music.problem, None, "{tracker:?}");
        let fact = |name: &str| music.facts.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        assert_eq!(fact("Title"), Some("Two bars"), "{tracker:?}");
        assert_eq!(fact("Patterns"), Some("2"));
        assert_eq!(fact("Orders"), Some("2"));
        let samples = if tracker == Tracker::Amiga { "31" } else { "1" };
        assert_eq!(fact("Samples"), Some(samples));
        let channels = if matches!(tracker, Tracker::It | Tracker::S3m) { "2" } else { "4" };
        assert_eq!(fact("Channels"), Some(channels), "{tracker:?}");
        assert_eq!(fact("Speed"), Some("6 ticks per row, 125 BPM"));
        assert!(music.names.iter().all(|n| n == "Square") && !music.names.is_empty());
    }
}

#[test]
fn a_tune_plays_its_rows_in_time_and_makes_sound() {
    for tracker in ALL {
        let rendering = play(&encode(&tune(), tracker)).unwrap();
        // 125 beats a minute: a tick is 20 ms, a row 120; 16 rows of the first pattern and 64 of the second.
        let row = 48_000 * 120 / 1000;
        let at = |order, row: u16| rendering.positions.iter().find(|p| (p.order, p.row) == (order, row)).unwrap();
        let near = |a: usize, b: usize| a.abs_diff(b) <= 2;
        assert!(near(at(0, 8).frame, 8 * row), "{tracker:?}: {}", at(0, 8).frame);
        assert!(near(at(1, 0).frame, 16 * row), "{tracker:?}: {}", at(1, 0).frame);
        assert_eq!((at(1, 0).pattern, rendering.positions.len()), (1, 80), "{tracker:?}");
        assert!(near(rendering.pcm.frames(), 80 * row), "{tracker:?}: {}", rendering.pcm.frames());
        assert_eq!((rendering.loop_start, rendering.cut), (0, false));
        // The note's own pitch: a period is 32 of 8,363 samples a second, so 0.96 s of row 0 to 8 hold 251 of them.
        let left: Vec<i16> = rendering.pcm.samples.iter().step_by(2).take(8 * row).copied().collect();
        let rises = left.windows(2).filter(|w| w[0] <= 0 && w[1] > 0).count();
        assert!((246..=256).contains(&rises), "{tracker:?}: {rises} periods");
    }
}

#[test]
fn music_that_jumps_back_goes_on_from_there() {
    let mut tune = tune();
    tune.orders = vec![0, 1, 1];
    tune.patterns[1].push(TuneNote { row: 3, channel: 2, effect: Some(TuneEffect::Jump(1)), ..TuneNote::default() });
    for tracker in ALL {
        let rendering = play(&encode(&tune, tracker)).unwrap();
        let second = rendering.positions.iter().find(|p| p.order == 1).unwrap().frame;
        assert_eq!(rendering.loop_start, second, "{tracker:?}");
        assert_eq!(rendering.positions.len(), 20, "{tracker:?}");
    }
}

#[test]
fn pattern_loops_are_counted_as_they_are_played() {
    let mut tune = tune();
    let step = |row, count| TuneNote { row, channel: 3, effect: Some(TuneEffect::Loop(count)), ..TuneNote::default() };
    // Four rows three times over, and again two rows twice.
    tune.patterns[1].extend([step(4, 0), step(7, 2), step(20, 0), step(21, 1)]);
    for tracker in ALL {
        let bytes = encode(&tune, tracker);
        let played = play(&bytes).unwrap();
        let layout = tracker.layout(&bytes).unwrap();
        let rows = layout::played_rows(&layout).unwrap();
        let frames_a_row = 48_000 * 120 / 1000;
        assert_eq!(played.pcm.frames().div_ceil(frames_a_row) as u64, rows, "{tracker:?}");
        assert_eq!(rows, 16 + 64 + 8 + 2, "{tracker:?}");
    }
}

#[test]
fn the_rows_of_all_songs_of_a_file_count_together() {
    let step =
        |row, channel, count| TuneNote { row, channel, effect: Some(TuneEffect::Loop(count)), ..TuneNote::default() };
    // A loop in a loop: some five thousand rows a song, each of them with other loops under way.
    let nested = vec![step(0, 2, 0), step(0, 3, 0), step(20, 3, 15), step(40, 2, 15)];
    for tracker in [Tracker::It, Tracker::Xm] {
        let rows = |songs: usize| {
            let orders = [0, 255].repeat(songs);
            let bytes = encode(&Tune { orders, patterns: vec![nested.clone()], ..tune() }, tracker);
            layout::played_rows(&tracker.layout(&bytes).unwrap())
        };
        let one = rows(1).unwrap();
        assert!(one > 5_000 && rows(20) == Some(20 * one), "{tracker:?}: {one} rows");
        assert_eq!(rows(100), None, "{tracker:?}");
    }
}

#[test]
fn long_music_is_cut_and_cancelling_is_obeyed() {
    let bytes = encode(&Tune { orders: vec![1; 100], ..tune() }, Tracker::It);
    let options = RenderOptions { rate_hz: 8_000, most_minutes: 1 };
    let mut told = Vec::new();
    let rendering = render(&bytes, options, Cancel::never(), &mut |done, all| told.push((done, all))).unwrap();
    assert!(rendering.cut);
    assert_eq!(rendering.pcm.frames(), 60 * 8_000);
    assert_eq!(told.first(), Some(&(0, 60)));
    assert!(told.is_sorted());
    let cancelled = render(&bytes, options, &Cancel::cancelled(), &mut |_, _| {});
    assert_eq!(cancelled.unwrap_err(), TrackerError::Cancelled);
}

#[test]
fn songs_of_one_file_follow_each_other() {
    for tracker in [Tracker::It, Tracker::Xm] {
        let bytes = encode(&Tune { orders: vec![0, 255, 1], ..tune() }, tracker);
        let rendering = play(&bytes).unwrap();
        let second = rendering.positions.iter().find(|p| p.song == 1).unwrap();
        assert_eq!((second.order, second.pattern, second.row), (0, 1, 0), "{tracker:?}");
        assert_eq!(rendering.positions.len(), 16 + 64, "{tracker:?}");
        let music = music("x", bytes.into());
        assert!(music.facts.contains(&("Songs".into(), "2".into())), "{:?}", music.facts);
    }
}

#[test]
fn what_is_no_music_says_so() {
    for (bytes, sentence) in [
        (Vec::new(), "dedicated-server"),
        (b"RIFFxxxx".to_vec(), "not IT, S3M, XM or MOD"),
        (b"OggS....".to_vec(), ".ogg"),
        (b"IMPM".to_vec(), "ends too early"),
    ] {
        let music = music("x", bytes.into());
        assert!(!music.plays);
        assert!(music.problem.as_ref().unwrap().contains(sentence), "{music:?}");
    }
    assert!(play(b"").is_err());
}

/// Cut at every length and with bytes set to their extremes: a sentence or music, and no panic comes through.
#[test]
fn damage_is_survived() {
    std::panic::set_hook(Box::new(|_| {}));
    let options = RenderOptions { rate_hz: 1_000, most_minutes: 1 };
    let short = Tune { orders: vec![0], ..tune() };
    for tracker in ALL {
        let whole = encode(&short, tracker);
        let check = |bytes: Vec<u8>| {
            let music = music("x", bytes.clone().into());
            let played = render(&bytes, options, Cancel::never(), &mut |_, _| {});
            assert!(music.plays || music.problem.is_some());
            // What is said not to play does not.
            assert!(music.plays || played.is_err());
        };
        // The header and the tables whole; of patterns and samples some places.
        let places = |step: usize| (0..whole.len().min(700)).chain((700..whole.len()).step_by(step));
        for cut in places(61) {
            check(whole[..cut].to_vec());
        }
        for at in places(37) {
            for value in [0xFF, 0x7F, 0x00] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                check(bytes);
            }
        }
    }
}
