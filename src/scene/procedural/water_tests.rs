//! Where drops move the water, from what their fields mean, and how waves run.

use super::*;

fn drop(kind: DropKind, depth: u8, x: u8, y: u8, [a, b, d]: [u8; 3]) -> WaterDrop {
    WaterDrop { kind, depth, x, y, a, b, c: 0, d }
}

/// Water of 64 × 64 cells.
fn water(drops: &[WaterDrop]) -> Moving {
    Moving::new(&Water { drops: drops.into(), wave_amplitude: 128 }, 128, 128, 9)
}

/// The cells that a drop pushes furthest in each of so many frames, with waves kept from running; those around them lie within two
/// cells and are pushed three quarters as far at most.
fn pushed(drop: WaterDrop, frames: usize) -> Vec<(i32, i32, f32)> {
    let mut water = water(&[drop]);
    let mut found = Vec::new();
    for _ in 0..frames {
        let mut sources = std::mem::take(&mut water.sources);
        sources.iter_mut().for_each(|s| water.push_by(s));
        water.sources = sources;
        let moved: Vec<_> = water.now.iter().enumerate().filter(|(_, h)| **h != 0.0).collect();
        let moved: Vec<_> = moved.iter().map(|(i, h)| ((i % 64) as i32, (i / 64) as i32, **h)).collect();
        let most = moved.iter().fold(0.0_f32, |most, m| most.max(m.2.abs()));
        let (tops, sides): (Vec<_>, Vec<_>) = moved.into_iter().partition(|m| m.2.abs() == most);
        let around = |top: i32, side: i32| (side - top + 2).rem_euclid(64) <= 4;
        for side in sides {
            let near = |top: &(i32, i32, f32)| around(top.0, side.0) && around(top.1, side.1);
            assert!(tops.iter().any(near) && side.2.abs() <= most * 0.75, "{:?}: {side:?}", drop.kind);
        }
        found.extend(tops);
        water.now.fill(0.0);
    }
    assert!(!found.is_empty(), "{:?} pushed nothing", drop.kind);
    found
}

#[test]
fn held_cells_are_at_their_depth() {
    for (kind, cells) in [
        (DropKind::FixedDepth, vec![(20, 30)]),
        (DropKind::HorizontalLine, vec![(20, 30), (21, 30), (22, 30)]),
        (DropKind::VerticalLine, vec![(20, 30), (20, 31), (20, 32)]),
        (DropKind::DiagonalLine1, vec![(20, 30), (21, 29), (22, 28)]),
        (DropKind::DiagonalLine2, vec![(20, 30), (21, 31), (22, 32)]),
    ] {
        let mut found = pushed(drop(kind, 28, 20, 30, [0, 0, 3]), 1);
        found.sort_by_key(|c| (c.0, c.1));
        let expected: Vec<_> = cells.into_iter().map(|(x, y)| (x, y, -100.0)).collect();
        assert_eq!(found, expected, "{kind:?}");
    }
    let area = pushed(drop(DropKind::AreaClamp, 228, 62, 30, [0, 0, 4]), 1);
    assert_eq!(area.len(), 16);
    assert!(area.iter().all(|(x, y, h)| [62, 63, 0, 1].contains(x) && (30..34).contains(y) && *h == 100.0));
}

#[test]
fn a_spot_takes_the_cells_around_it_along() {
    let mut water = water(&[]);
    water.push_spot(10.0, 10.0, 100.0);
    let at = |x: usize, y: usize| water.now[y * 64 + x];
    assert_eq!(
        [at(10, 10), at(9, 10), at(10, 11), at(11, 11), at(12, 10), at(13, 10)],
        [100.0, 75.0, 75.0, 56.25, 25.0, 0.0]
    );
}

#[test]
fn shaken_spots_swing_about_the_level() {
    for (kind, low, high) in [
        (DropKind::PhaseSpot, -100.0, 100.0),
        (DropKind::ShallowSpot, -50.0, 50.0),
        (DropKind::HalfAmpl, -100.0, 0.0),
        (DropKind::FixedRandomSpot, -100.0, 100.0),
    ] {
        let found = pushed(drop(kind, 228, 20, 30, [4, 0, 0]), 256);
        assert!(found.iter().all(|(x, y, h)| (*x, *y) == (20, 30) && (low..=high).contains(h)), "{kind:?}");
        let reach = |h: f32| found.iter().any(|f| (f.2 - h).abs() < 5.0);
        assert!(reach(low) && (high == 0.0 || reach(high)), "{kind:?}");
    }
    // A phase of a quarter turn begins at its height.
    assert_eq!(pushed(drop(DropKind::PhaseSpot, 228, 20, 30, [4, 64, 0]), 1), [(20, 30, 100.0)]);
    let line = pushed(drop(DropKind::VerticalOsc, 228, 20, 30, [4, 64, 3]), 1);
    assert_eq!(line, [(20, 30, 100.0), (20, 31, 100.0), (20, 32, 100.0)]);
}

#[test]
fn moving_drops_keep_to_their_circles() {
    for (kind, radius) in [(DropKind::WhirlyThing, 2), (DropKind::BigWhirly, 8)] {
        let found = pushed(drop(kind, 228, 20, 30, [8, 0, 0]), 64);
        let far = |pick: fn(&(i32, i32, f32)) -> i32, at: i32| {
            let all = || found.iter().map(|f| pick(f) - at);
            (all().min().unwrap(), all().max().unwrap())
        };
        assert_eq!((far(|f| f.0, 20), far(|f| f.1, 30)), ((-radius, radius), (-radius, radius)), "{kind:?}");
    }
    let wandering = pushed(drop(DropKind::RandomMover, 228, 30, 30, [0; 3]), 20);
    assert!(wandering.iter().all(|(x, y, _)| (x - 30).abs() <= 20 && (y - 30).abs() <= 20));
}

#[test]
fn rain_falls_in_its_square_one_frame_in_32() {
    let found = pushed(drop(DropKind::RainDrops, 255, 10, 20, [0, 0, 30]), 32_000);
    assert!(found.iter().all(|(x, y, h)| (10..40).contains(x) && (20..50).contains(y) && *h == 127.0));
    assert!((900..1_100).contains(&found.len()), "{}", found.len());
}

#[test]
fn taps_drip_once_in_a_turn_of_their_phase() {
    let leaky = pushed(drop(DropKind::LeakyTap, 255, 10, 20, [16, 0, 0]), 160);
    assert_eq!(leaky, [(10, 20, 127.0); 10]);
    let drippy = pushed(drop(DropKind::DrippyTap, 255, 10, 20, [16, 0, 0]), 1_600);
    assert!((80..120).contains(&drippy.len()), "{}", drippy.len());
}

#[test]
fn a_wave_spreads_as_worked_out_by_hand_and_comes_to_rest() {
    let mut water = water(&[]);
    water.push(10.0, 10.0, 64.0);
    water.run_waves();
    // (64 + 0 − 64) · 63/64 at the place itself, (0 + 64/4 − 0) · 63/64 beside it.
    let at = |w: &Moving, x: usize, y: usize| w.now[y * 64 + x];
    assert_eq!(at(&water, 10, 10), 0.0);
    for (x, y) in [(9, 10), (11, 10), (10, 9), (10, 11)] {
        assert_eq!(at(&water, x, y), 15.75);
    }
    assert_eq!(water.now.iter().filter(|h| **h != 0.0).count(), 4);
    for _ in 0..2_000 {
        water.run_waves();
    }
    assert!(water.now.iter().all(|h| *h == 0.0), "still water");
}

#[test]
fn waves_go_round_the_edges_and_stay_bounded() {
    let all: Vec<WaterDrop> = DropKind::ALL.iter().map(|k| drop(*k, 255, 60, 60, [37, 5, 20])).collect();
    let mut water = water(&all);
    for _ in 0..500 {
        water.step();
        assert!(water.now.iter().all(|h| h.abs() < 4_000.0));
    }
    assert!(water.row(0).iter().any(|h| *h != 0.0));
    let many = vec![drop(DropKind::PhaseSpot, 0, 0, 0, [0; 3]); 5_000];
    assert_eq!(Moving::new(&Water { drops: many.into(), wave_amplitude: 0 }, 1, 1, 0).sources.len(), MAX_DROPS);
}

#[test]
fn numbers_and_names_are_those_of_the_format() {
    assert_eq!(DropKind::ALL.len(), 20);
    assert_eq!(WaterDrop::from_bytes([16, 255, 34, 30, 0, 0, 0, 30]).unwrap().kind, DropKind::RainDrops);
    assert_eq!(DropKind::from_number(8).unwrap().name(), "HorizontalLine");
    assert_eq!(WaterDrop::from_bytes([20, 0, 0, 0, 0, 0, 0, 0]), None);
}
