//! Where the pixels of each kind of spark may appear, from what its fields mean.

use super::*;
use std::collections::BTreeMap;

const SIZE: usize = 512;
const AT: u8 = 200;

fn spark(kind: SparkKind, heat: u8, [a, b, c, d]: [u8; 4]) -> Spark {
    Spark { kind, heat, x: AT, y: AT, a, b, c, d }
}

fn burning(spark: Spark, seed: u64) -> Burning {
    let fire = Fire { sparks: Arc::new([spark]), render_heat: 255, rising: false, most_sparks: 0 };
    Burning::new(&fire, SIZE, SIZE, seed)
}

/// The pixels that a spark and its motes heat in so many frames, relative to the spark, with their greatest heat. Nothing spreads:
/// the field is cold again after each frame.
fn lit(spark: Spark, frames: usize) -> BTreeMap<(i32, i32), u8> {
    let mut burning = burning(spark, 11);
    let mut found = BTreeMap::new();
    for _ in 0..frames {
        burning.feed();
        for (i, heat) in burning.field.cells().iter().enumerate().filter(|(_, c)| **c > 0) {
            let place = ((i % SIZE) as i32 - i32::from(AT), (i / SIZE) as i32 - i32::from(AT));
            let hottest = found.entry(place).or_insert(0);
            *hottest = (*hottest).max(*heat);
        }
        burning.field.clear();
    }
    assert!(!found.is_empty(), "{:?} lit nothing", spark.kind);
    found
}

/// Checks that all pixels lie in a region, and returns their extent: left, right, top, bottom.
fn within(found: &BTreeMap<(i32, i32), u8>, name: &str, region: impl Fn(f32, f32) -> bool) -> (i32, i32, i32, i32) {
    for (dx, dy) in found.keys() {
        assert!(region(*dx as f32, *dy as f32), "{name}: a pixel at {dx}, {dy}");
    }
    let xs = || found.keys().map(|p| p.0);
    let ys = || found.keys().map(|p| p.1);
    (xs().min().unwrap(), xs().max().unwrap(), ys().min().unwrap(), ys().max().unwrap())
}

fn only_its_pixel(found: &BTreeMap<(i32, i32), u8>, name: &str) {
    within(found, name, |x, y| x == 0.0 && y == 0.0);
}

/// Pixels are whole: a place may lie up to one before its pixel's corner.
fn near(value: f32, low: f32, high: f32) -> bool {
    (low - 1.0..=high + 1.0).contains(&value)
}

#[test]
fn burn_stays_at_its_pixel_below_its_heat() {
    let found = lit(spark(SparkKind::Burn, 180, [9, 9, 9, 9]), 200);
    only_its_pixel(&found, "Burn");
    assert!((150..=180).contains(&found[&(0, 0)]), "{found:?}");
}

#[test]
fn sparkle_keeps_to_its_rectangle_and_fills_it() {
    let found = lit(spark(SparkKind::Sparkle, 90, [12, 5, 0, 0]), 2_000);
    let extent = within(&found, "Sparkle", |x, y| (0.0..12.0).contains(&x) && (0.0..5.0).contains(&y));
    assert_eq!((extent, found.len()), ((0, 11, 0, 4), 60));
    assert!(found.values().all(|h| *h == 90));
}

#[test]
fn pulse_swells_at_its_pixel_to_its_heat() {
    let found = lit(spark(SparkKind::Pulse, 200, [0, 0, 16, 0]), 16);
    only_its_pixel(&found, "Pulse");
    assert_eq!(found[&(0, 0)], 200);
    // Its phase stands still at a quarter turn: always at its hottest; at three quarters it is dark.
    let mut dark = burning(spark(SparkKind::Pulse, 200, [192, 0, 0, 0]), 1);
    dark.feed();
    assert!(dark.field.cells().iter().all(|c| *c == 0));
}

#[test]
fn signal_stays_at_its_pixel_and_its_heat_is_the_share_of_bright_spells() {
    only_its_pixel(&lit(spark(SparkKind::Signal, 128, [0, 0, 255, 0]), 100), "Signal");
    for (heat, least, most) in [(0, 0, 0), (64, 180, 330), (255, 1000, 1000)] {
        let mut burning = burning(spark(SparkKind::Signal, heat, [0, 0, 255, 0]), 5);
        let bright = (0..1000).filter(|_| {
            burning.feed();
            let hottest = burning.field.cells().iter().max().copied().unwrap();
            burning.field.clear();
            hottest >= 128
        });
        let bright = bright.count();
        assert!((least..=most).contains(&bright), "heat {heat}: {bright} of 1000");
    }
}

#[test]
fn blaze_throws_as_far_as_its_heat_lasts() {
    // 4 heat a frame and at most a pixel: 80 heat lasts 20 frames.
    let found = lit(spark(SparkKind::Blaze, 80, [0; 4]), 2_000);
    let (left, right, top, bottom) = within(&found, "Blaze", |x, y| (x * x + y * y).sqrt() <= 20.0 + 1.5);
    assert!(left < -14 && right > 14 && top < -14 && bottom > 14, "{left} {right} {top} {bottom}: all directions");
}

#[test]
fn cone_throws_likewise_and_its_motes_fall() {
    // 20 frames of falling by 1/64 pixel a frame, each frame more: 20² / 128 pixels.
    let found = lit(spark(SparkKind::Cone, 80, [0; 4]), 2_000);
    let fall = 400.0 / 128.0;
    let (.., top, bottom) = within(&found, "Cone", |x, y| near(x, -20.0, 20.0) && near(y, -20.0, 20.0 + fall));
    assert!(bottom > -top, "{top} {bottom}: more below than above");
}

#[test]
fn blaze_right_and_left_stay_on_their_sides() {
    // 20 frames of falling by 1/32 pixel a frame, each frame more: 20² / 64 pixels.
    let fall = 400.0 / 64.0;
    let right = lit(spark(SparkKind::BlazeRight, 80, [0; 4]), 1_000);
    let extent = within(&right, "BlazeRight", |x, y| (0.0..=20.0).contains(&x) && near(y, -20.0, fall));
    assert!(extent.1 > 14, "{extent:?}");
    let left = lit(spark(SparkKind::BlazeLeft, 80, [0; 4]), 1_000);
    let extent = within(&left, "BlazeLeft", |x, y| near(x, -20.0, 0.0) && near(y, -20.0, fall));
    assert!(extent.0 < -14, "{extent:?}");
}

#[test]
fn oz_has_spoken_rises() {
    // 3 heat a frame: 90 heat lasts 30 frames, a pixel up each, a quarter pixel aside at most.
    let found = lit(spark(SparkKind::OzHasSpoken, 90, [0; 4]), 1_000);
    let extent = within(&found, "OzHasSpoken", |x, y| x.abs() <= 30.0 / 4.0 + 1.0 && (-30.0..=0.0).contains(&y));
    assert_eq!((extent.2, extent.3), (-29, 0));
    for (dy, heat) in [(0, 90), (-10, 60), (-29, 3)] {
        let row = found.iter().filter(|(p, _)| p.1 == dy).map(|(_, h)| *h);
        assert_eq!(row.max(), Some(heat), "{dy}");
    }
}

#[test]
fn cylinder_goes_round_a_level_circle_bright_in_front() {
    let found = lit(spark(SparkKind::Cylinder, 40, [0, 130, 60, 0]), 256);
    let extent = within(&found, "Cylinder", |x, y| near(x, -30.0, 30.0) && y == 0.0);
    assert_eq!((extent.0, extent.1), (-30, 30));
    assert_eq!(found[&(0, 0)], 255, "the front passes the middle");
    // At rest half a turn from the front: its far side, at its heat.
    let back = lit(spark(SparkKind::Cylinder, 40, [128, 128, 60, 0]), 10);
    assert_eq!(back.into_iter().collect::<Vec<_>>(), [((0, 0), 40)]);
}

#[test]
fn cylinder_3d_is_dark_behind() {
    let found = lit(spark(SparkKind::Cylinder3D, 40, [0, 130, 60, 0]), 256);
    let extent = within(&found, "Cylinder3D", |x, y| near(x, -30.0, 30.0) && y == 0.0);
    assert_eq!((extent.0, extent.1), (-30, 30));
    let mut back = burning(spark(SparkKind::Cylinder3D, 40, [128, 128, 60, 0]), 1);
    back.feed();
    assert!(back.field.cells().iter().all(|c| *c == 0));
}

#[test]
fn lissajous_swings_both_ways_on_its_own() {
    let found = lit(spark(SparkKind::Lissajous, 40, [131, 133, 50, 0]), 1_000);
    let extent = within(&found, "Lissajous", |x, y| near(x, -25.0, 25.0) && near(y, -25.0, 25.0));
    assert_eq!(extent, (-25, 25, -25, 25));
    // Without turning sideways it is a line up and down, a quarter turn on at the right edge.
    let line = lit(spark(SparkKind::Lissajous, 40, [128, 133, 50, 64]), 500);
    within(&line, "Lissajous", |x, y| x == 25.0 && near(y, -25.0, 25.0));
}

#[test]
fn jugglers_swing_up_and_down() {
    let found = lit(spark(SparkKind::Jugglers, 40, [0, 126, 0, 0].map(|v| if v == 0 { 44 } else { v })), 300);
    let extent = within(&found, "Jugglers", |x, y| x == 0.0 && near(y, -22.0, 22.0));
    assert_eq!((extent.2, extent.3), (-22, 22));
}

#[test]
fn emit_goes_the_way_of_its_speeds_for_its_life() {
    // Full speed right, at rest up and down: a clean line as long as its life, fading.
    let found = lit(spark(SparkKind::Emit, 200, [255, 128, 40, 0]), 300);
    let extent = within(&found, "Emit", |x, y| (0.0..40.0).contains(&x) && y == 0.0);
    assert_eq!((extent.0, extent.1), (0, 39));
    assert_eq!((found[&(0, 0)], found[&(20, 0)]), (200, 100));
    // Half speed left and up scatters: no faster than 3/4 of a pixel, and never the other way.
    let found = lit(spark(SparkKind::Emit, 200, [64, 64, 40, 0]), 2_000);
    let extent = within(&found, "Emit", |x, y| near(x, -30.0, 0.0) && near(y, -30.0, 0.0));
    assert!(extent.0 < -20 && extent.2 < -20, "{extent:?}");
}

#[test]
fn fountain_is_that_with_a_fall() {
    // 40 frames of falling by 1/64 pixel a frame, each frame more: up to 40² / 128 = 12.5 pixels.
    let found = lit(spark(SparkKind::Fountain, 200, [128, 0, 40, 0]), 300);
    let extent = within(&found, "Fountain", |x, y| x == 0.0 && near(y, -40.0 + 12.5, 0.0));
    assert!((-28..=-25).contains(&extent.2), "{extent:?}");
    let oozing = lit(spark(SparkKind::Fountain, 200, [128, 128, 40, 0]), 300);
    within(&oozing, "Fountain", |x, y| x == 0.0 && near(y, 0.0, 12.5));
}

#[test]
fn flocks_circle_within_their_area_about_a_wandering_place() {
    // Area 20: an orbit 20 pixels wide, from a place that wanders a pixel a frame at most.
    let frames = 100;
    let found = lit(spark(SparkKind::Flocks, 150, [0, 50, 0, 235]), frames);
    let far = 20.0 + frames as f32;
    within(&found, "Flocks", |x, y| x.abs() <= far + 1.0 && y.abs() <= far + 1.0);
    assert!(found.values().all(|h| *h == 150), "they do not fade");
    // In its first frames it has hardly wandered: the orbits are what is seen, though its motes live for 50 frames.
    let found = lit(spark(SparkKind::Flocks, 150, [0, 250, 0, 251]), 12);
    within(&found, "Flocks", |x, y| x.abs() <= 4.0 + 13.0 && y.abs() <= 4.0 + 13.0);
}

#[test]
fn eels_and_gametes_go_straight_from_a_wandering_place() {
    let frames = 60.0;
    for (kind, pace, life) in [(SparkKind::Eels, 1.0, 30_u8), (SparkKind::Gametes, 0.5, 30)] {
        let found = lit(spark(kind, 150, [0, 0, life, 0]), frames as usize);
        let far = f32::from(life) * pace;
        within(&found, kind.name(), |x, y| x.abs() <= frames + far + 1.0 && y.abs() <= frames + far + 1.0);
        assert!(found.values().all(|h| *h == 150), "{kind:?} does not fade");
    }
}

#[test]
fn organic_rises_along_a_v() {
    // 5 heat a frame: 100 heat lasts 20 frames, two pixels up and a quarter to half a pixel aside in each.
    let found = lit(spark(SparkKind::Organic, 100, [0; 4]), 1_000);
    let v = |x: f32, y: f32| (-38.0..=0.0).contains(&y) && near(x.abs(), -y / 8.0 - 1.0, -y / 4.0);
    let extent = within(&found, "Organic", v);
    assert_eq!(extent.2, -38);
    assert!(extent.0 < -6 && extent.1 > 6, "{extent:?}: both arms");
    assert!(!found.keys().any(|(x, y)| *x == 0 && *y < -20), "nothing between the arms");
}

#[test]
fn wandering_organic_rises_from_a_wandering_place() {
    let frames = 50.0;
    let found = lit(spark(SparkKind::WanderOrganic, 100, [0; 4]), frames as usize);
    let region = |x: f32, y: f32| x.abs() <= frames + 11.0 && near(y, -38.0 - frames, frames);
    within(&found, "WanderOrganic", region);
}

#[test]
fn a_random_cloud_rises_two_pixels_a_frame() {
    let frames = 50.0;
    let found = lit(spark(SparkKind::RandomCloud, 100, [0; 4]), frames as usize);
    within(&found, "RandomCloud", |x, y| x.abs() <= frames && near(y, -38.0 - frames, frames));
    // Nothing goes aside: with the wandering of one frame only, three columns.
    let mote = |seed: u64| burning(spark(SparkKind::RandomCloud, 100, [0; 4]), seed);
    let thrower = (0..).map(mote).find_map(|mut b| {
        b.sources[0].act(&mut b.field, &mut b.motes, &mut b.random);
        (b.motes() > 0).then_some(b)
    });
    let mut thrown = thrower.unwrap();
    for frame in 0..20 {
        thrown.motes.step(&mut thrown.field);
        let row = thrown.field.cells().iter().position(|c| *c > 0).map(|i| ((i % SIZE) as i32, (i / SIZE) as i32));
        let (x, y) = row.map(|(x, y)| (x - i32::from(AT), y - i32::from(AT))).unwrap();
        assert!(x.abs() <= 1 && (-1..=1).contains(&(y + 2 * frame)), "frame {frame}: {x}, {y}");
        thrown.field.clear();
    }
    assert_eq!(thrown.motes(), 0, "it has faded");
}

#[test]
fn a_custom_cloud_glows_up_on_its_way_and_goes_out() {
    // First heat 155, 4 more a frame: 26 frames until full. Full speed right and down, from a place that wanders.
    let frames = 40.0;
    let found = lit(spark(SparkKind::CustomCloud, 9, [255, 255, 0, 155]), frames as usize);
    let region = |x: f32, y: f32| near(x, -frames, frames + 26.0) && near(y, -frames, frames + 26.0);
    within(&found, "CustomCloud", region);
    assert!(found.values().all(|h| *h >= 155), "never cooler than at first");
    assert!(found.values().any(|h| *h >= 250), "it glows up");
}

#[test]
fn a_local_cloud_starts_within_its_square() {
    // Area 30, at rest: a square of 30 pixels down and right of it.
    let found = lit(spark(SparkKind::LocalCloud, 9, [128, 128, 0, 225]), 2_000);
    let extent = within(&found, "LocalCloud", |x, y| (0.0..30.0).contains(&x) && (0.0..30.0).contains(&y));
    assert_eq!(extent, (0, 29, 0, 29));
    assert!(found.values().all(|h| *h >= 225));
    // Full speed up: the column above the square, for the 8 frames from 225 to full.
    let rising = lit(spark(SparkKind::LocalCloud, 9, [128, 0, 0, 225]), 500);
    within(&rising, "LocalCloud", |x, y| (0.0..30.0).contains(&x) && near(y, -8.0, 30.0));
}

#[test]
fn stars_are_single_pixels_that_no_fire_spreads() {
    let mut burning = burning(spark(SparkKind::Stars, 77, [0; 4]), 3);
    for _ in 0..50 {
        burning.step();
        let lit: Vec<_> = burning.picture().iter().enumerate().filter(|(_, c)| **c > 0).collect();
        assert_eq!(lit, [(usize::from(AT) * SIZE + usize::from(AT), &77)]);
    }
    // A fire that passes hides it.
    burning.field.light(f32::from(AT), f32::from(AT), 255.0);
    burning.step();
    assert_eq!(burning.picture()[usize::from(AT) * SIZE + usize::from(AT)], 63);
}

#[test]
fn lightning_keeps_to_its_line() {
    // 96 pixels down, or up as a signed byte: it swings by 96 / 8 = 12 pixels at most.
    for (kind, length, down) in [
        (SparkKind::LineLightning, 96, 96.0),
        (SparkKind::LineLightning, 160, -96.0),
        (SparkKind::RampLightning, 96, 96.0),
    ] {
        let found = lit(spark(kind, 255, [0, length, 3, 0]), 200);
        let (low, high) = (f32::min(0.0, down), f32::max(0.0, down));
        let extent = within(&found, kind.name(), |x, y| near(x, -12.0, 12.0) && near(y, low, high));
        assert!(extent.3 - extent.2 >= 94, "{extent:?}: from end to end");
        assert_eq!(found[&(0, 0)], 255, "it starts at its place");
    }
    // 80 pixels to the left, as a signed byte.
    let found = lit(spark(SparkKind::LineLightning, 255, [176, 0, 0, 0]), 200);
    within(&found, "LineLightning", |x, y| near(x, -80.0, 0.0) && near(y, -10.0, 10.0));
}

#[test]
fn a_ramp_fades_towards_its_end_and_a_line_does_not() {
    let ramp = lit(spark(SparkKind::RampLightning, 200, [100, 0, 0, 0]), 50);
    let line = lit(spark(SparkKind::LineLightning, 200, [100, 0, 0, 0]), 50);
    for (dx, expected) in [(0, 200), (25, 150), (50, 100), (75, 50)] {
        let hottest =
            |found: &BTreeMap<(i32, i32), u8>| found.iter().filter(|(p, _)| p.0 == dx).map(|(_, h)| *h).max().unwrap();
        assert!((i32::from(hottest(&ramp)) - expected).abs() <= 2, "{dx}: {}", hottest(&ramp));
        assert_eq!(hottest(&line), 200);
    }
}

#[test]
fn lightning_flashes_as_seldom_as_it_says() {
    for (seldom, least, most) in [(0, 1000, 1000), (64, 700, 800), (240, 40, 90)] {
        let mut burning = burning(spark(SparkKind::LineLightning, 255, [9, 9, 0, seldom]), 2);
        let flashes = (0..1000).filter(|_| {
            burning.feed();
            let flash = burning.field.cells().contains(&255);
            burning.field.clear();
            flash
        });
        let flashes = flashes.count();
        assert!((least..=most).contains(&flashes), "{seldom}: {flashes} of 1000");
    }
}

#[test]
fn sphere_lightning_stays_inside_its_circle_and_reaches_its_edge() {
    let found = lit(spark(SparkKind::SphereLightning, 255, [0, 0, 60, 0]), 1_000);
    let extent = within(&found, "SphereLightning", |x, y| (x * x + y * y).sqrt() <= 30.0 + 1.5);
    assert!(extent.0 <= -29 && extent.1 >= 29 && extent.2 <= -29 && extent.3 >= 29, "{extent:?}");
}

#[test]
fn a_wheel_bends_round_from_where_it_stands() {
    // Area 40: an orbit 40 pixels wide through the source; it sets out to the right (phase 0) and does not turn.
    let found = lit(spark(SparkKind::Wheel, 150, [0, 128, 200, 215]), 400);
    let on_circle = |x: f32, y: f32| ((x * x + (y - 20.0) * (y - 20.0)).sqrt() - 20.0).abs() <= 2.0;
    let extent = within(&found, "Wheel", on_circle);
    assert!(extent.3 >= 38, "{extent:?}: all the way round");
    // Turning, it stays within the width of the orbit all around.
    let found = lit(spark(SparkKind::Wheel, 150, [0, 135, 200, 215]), 1_000);
    within(&found, "Wheel", |x, y| (x * x + y * y).sqrt() <= 40.0 + 2.0);
}

#[test]
fn a_sprinkler_rises_swung_from_side_to_side() {
    // 3 heat a frame: 90 heat lasts 30 frames, a pixel up in each, a pixel aside at most.
    let found = lit(spark(SparkKind::Sprinkler, 90, [0, 133, 0, 0]), 1_000);
    let extent = within(&found, "Sprinkler", |x, y| (-30.0..=0.0).contains(&y) && near(x.abs(), 0.0, -y));
    assert!(extent.0 < -20 && extent.1 > 20, "{extent:?}: both sides");
    // Its phase stands still at three quarters of a turn: always to the left.
    let left = lit(spark(SparkKind::Sprinkler, 90, [192, 128, 0, 0]), 500);
    within(&left, "Sprinkler", |x, y| x == y);
}

#[test]
fn motes_stay_within_their_number_and_sparks_too() {
    let sparks: Arc<[Spark]> = vec![spark(SparkKind::Eels, 255, [0, 0, 255, 0]); 20_000].into();
    for (most, expected) in [(40, 0), (8192, 0), (0, 0)] {
        let fire = Fire { sparks: sparks.clone(), render_heat: 0, rising: false, most_sparks: most };
        let mut burning = Burning::new(&fire, 64, 64, 1);
        burning.step();
        assert_eq!(burning.motes(), expected);
        assert!(burning.sources.len() <= usize::from(MAX_SPARKS));
    }
    let fire = Fire { sparks: sparks[..10].into(), render_heat: 0, rising: false, most_sparks: 100 };
    let mut burning = Burning::new(&fire, 64, 64, 1);
    for _ in 0..200 {
        burning.step();
        assert!(burning.motes() <= 90);
    }
    assert!(burning.motes() > 60, "{}: most of the room is used", burning.motes());
}
