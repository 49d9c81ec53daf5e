use super::*;

fn player(frames: i16, range: Range<usize>) -> SoundPlayer {
    let mut player = SoundPlayer::new(Arc::new(|| {}));
    let samples = (0..frames).map(|v| v * 1024).collect();
    player.load(Arc::new(Pcm { channels: 1, rate_hz: 8_000, samples }), range);
    player
}

/// Sample values back to the frame numbers that they were made from.
fn heard(player: &mut SoundPlayer, count: usize) -> Vec<i32> {
    player.pull(count).into_iter().map(|v| (v * 32.0).round() as i32).collect()
}

#[test]
fn positions_run_to_the_end_or_round_the_loop() {
    assert_eq!(advance(3, 10, None), Some(4));
    assert_eq!(advance(9, 10, None), None);
    assert_eq!(advance(5, 10, Some(&(2..6))), Some(2));
    assert_eq!(advance(6, 10, Some(&(2..6))), Some(7), "behind the loop it plays on");
    assert_eq!(advance(9, 10, Some(&(2..6))), Some(2));
    assert_eq!(advance(9, 10, Some(&(4..4))), None, "an empty loop is none");
    assert_eq!(advance(9, 10, Some(&(50..60))), None, "nor is one behind the end");
    assert_eq!(advance(0, 1, Some(&(0..1))), Some(0));
}

#[test]
fn a_sound_plays_once_and_starts_again() {
    let mut player = player(4, 0..0);
    assert_eq!(heard(&mut player, 2), [0, 0], "silent until it plays");
    player.shared.set_playing(true);
    assert_eq!(heard(&mut player, 3), [0, 1, 2]);
    assert_eq!(player.position(), 3);
    assert_eq!(heard(&mut player, 3), [3, 0, 0]);
    assert!(!player.is_playing());
    assert_eq!(player.position(), 4);
}

#[test]
fn loops_pauses_and_seeks_take_hold_at_once() {
    let mut player = player(8, 2..4);
    player.set_looping(true);
    player.shared.set_playing(true);
    assert_eq!(heard(&mut player, 7), [0, 1, 2, 3, 2, 3, 2]);
    player.pause();
    assert_eq!(heard(&mut player, 2), [0, 0]);
    player.seek(6);
    player.shared.set_playing(true);
    assert_eq!(heard(&mut player, 3), [6, 7, 2]);
    player.set_looping(false);
    assert_eq!(heard(&mut player, 6), [3, 4, 5, 6, 7, 0]);
    player.seek(1_000);
    assert_eq!(player.position(), 8);
}

#[test]
fn the_volume_squares_and_stays_in_range() {
    let mut player = player(8, 0..0);
    player.set_volume(0.5);
    player.seek(4);
    player.shared.set_playing(true);
    assert_eq!(heard(&mut player, 1), [1]);
    player.set_volume(7.0);
    assert_eq!(player.volume(), 1.0);
    player.set_volume(f32::NAN);
    assert_eq!(player.volume(), 1.0);
}

#[test]
fn channels_stay_together() {
    let mut player = SoundPlayer::new(Arc::new(|| {}));
    let samples = vec![1024, -1024, 2048, -2048];
    player.load(Arc::new(Pcm { channels: 2, rate_hz: 8_000, samples }), 0..0);
    player.shared.set_playing(true);
    assert_eq!(heard(&mut player, 3), [1, -1, 2, -2, 0, 0]);
}

#[test]
fn a_stream_ends_when_its_sound_is_taken_out() {
    let mut player = player(8, 0..0);
    let pcm = player.pcm.clone().unwrap();
    let mut stream = Stream::new(pcm, 0..0, player.shared.clone());
    assert_eq!(stream.next(), Some(0.0));
    player.set_volume(0.25);
    player.unload();
    assert_eq!(stream.next(), None);
    assert_eq!(player.volume(), 0.25, "the volume stays");
    player.play();
    assert!(!player.is_playing(), "there is nothing to play");
}
