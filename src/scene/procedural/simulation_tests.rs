use super::super::*;

fn ramp() -> Arc<Palette> {
    Arc::new(Palette { name: String::new(), colors: (0..=255).map(|i| [i, i, i, 7]).collect() })
}

fn procedural(program: Program, width: u32, height: u32) -> Arc<Procedural> {
    Arc::new(Procedural {
        name: "test".into(),
        width,
        height,
        palette: ramp(),
        masked: false,
        program,
        prime_frames: 5,
        rate_hz: USUAL_RATE_HZ,
        facts: Vec::new(),
    })
}

fn all_sparks() -> Program {
    let sparks = SparkKind::ALL.iter().zip(0..).map(|(kind, i)| Spark {
        kind: *kind,
        heat: 200,
        x: i * 8,
        y: 100,
        a: 20,
        b: 140,
        c: 40,
        d: 60,
    });
    Program::Fire(Fire { sparks: sparks.collect(), render_heat: 220, rising: true, most_sparks: 500 })
}

fn all_drops() -> Water {
    let drops = DropKind::ALL.iter().zip(0..).map(|(kind, i)| WaterDrop {
        kind: *kind,
        depth: 220,
        x: i * 3,
        y: 20,
        a: 9,
        b: 30,
        c: 0,
        d: 10,
    });
    Water { drops: drops.collect(), wave_amplitude: 128 }
}

fn programs() -> Vec<Program> {
    let light = WaterLight { light: 50, view: 170, range: 180, size: 32 };
    let glass = Glass {
        source: None,
        glass: None,
        speed: [160, 170],
        frequency: 20,
        amplitude: 40,
        panning: Panning::Gestation,
        timed_hz: None,
        glass_moves: true,
    };
    vec![
        all_sparks(),
        Program::Waves { water: all_drops(), light },
        Program::Wet { water: all_drops(), source: None },
        Program::Glass(glass),
    ]
}

#[test]
fn equal_seeds_and_frames_give_equal_pixels_also_after_a_seek() {
    for program in programs() {
        let what = procedural(program, 128, 64);
        let mut first = Simulation::new(what.clone(), 3).unwrap();
        let mut second = Simulation::new(what.clone(), 3).unwrap();
        let begin = first.image();
        for _ in 0..60 {
            first.step();
        }
        second.seek(90);
        assert_ne!(*first.image().rgba, *second.image().rgba, "{}: it moves", what.program.name());
        second.seek(60);
        assert_eq!((first.frame(), second.frame()), (60, 60));
        assert_eq!(*first.image().rgba, *second.image().rgba, "{}", what.program.name());
        first.reset();
        assert_eq!(*first.image().rgba, *begin.rgba);
        let other = Simulation::new(what.clone(), 4).unwrap();
        let same = *other.image().rgba == *begin.rgba;
        assert_eq!(same, matches!(what.program, Program::Glass(_)), "{}: another seed", what.program.name());
    }
}

#[test]
fn pixels_are_the_same_on_every_machine() {
    // Sums over the pixels of frame 100; they change only when a law does.
    let sums = programs().into_iter().map(|program| {
        let mut simulation = Simulation::new(procedural(program, 64, 64), 1).unwrap();
        simulation.seek(100);
        simulation.image().rgba.iter().fold(0_u64, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
    });
    let sums: Vec<String> = sums.map(|s| format!("{s:016x}")).collect();
    assert_eq!(sums, ["41bad652a70c2813", "eec1037ad7f4da8e", "0fee6a1ece6086da", "74bb8db870bdac7a"]);
}

#[test]
fn palette_index_0_is_clear_and_all_else_opaque() {
    let mut simulation = Simulation::new(procedural(all_sparks(), 256, 256), 1).unwrap();
    simulation.seek(30);
    let image = simulation.image();
    assert!(image.rgba.chunks_exact(4).all(|p| p[0] == p[1] && (p[3] == 0) == (p[0] == 0)));
    assert!(image.rgba.chunks_exact(4).any(|p| p[3] == 0) && image.rgba.chunks_exact(4).any(|p| p[3] == 255));
    // A palette with nothing in it: black.
    let mut what = (*procedural(all_sparks(), 16, 16)).clone();
    what.palette = Arc::default();
    let image = Simulation::new(Arc::new(what), 1).unwrap().image();
    assert!(image.rgba.chunks_exact(4).all(|p| p[..3] == [0, 0, 0]));
}

#[test]
fn a_still_wet_picture_is_its_source() {
    let source: Vec<u8> = (0..64 * 64 * 4).map(|i| (i * 7 % 251) as u8).collect();
    let source = Image { name: String::new(), width: 64, height: 64, rgba: source.into(), stored_as: String::new() };
    let water = Water { drops: Arc::new([]), wave_amplitude: 128 };
    let mut simulation =
        Simulation::new(procedural(Program::Wet { water, source: Some(Arc::new(source.clone())) }, 64, 64), 1).unwrap();
    simulation.seek(10);
    assert_eq!(*simulation.image().rgba, *source.rgba);
    // With waves its rows are bent sideways only: a picture whose rows are even stays as it is.
    let rows: Vec<u8> = (0..64_u8).flat_map(|y| [y; 64 * 4]).collect();
    let rows = Arc::new(Image { rgba: rows.into(), ..source });
    let what = procedural(Program::Wet { water: all_drops(), source: Some(rows.clone()) }, 64, 64);
    let mut simulation = Simulation::new(what, 1).unwrap();
    simulation.seek(50);
    assert_eq!(*simulation.image().rgba, *rows.rgba);
}

#[test]
fn sizes_are_limited_and_odd_ones_hold() {
    for (width, height) in [(0, 8), (8, 0), (1025, 8), (8, u32::MAX)] {
        let error = Simulation::new(procedural(all_sparks(), width, height), 1).unwrap_err();
        assert_eq!(error, BadSize { width, height });
    }
    for (width, height) in [(1, 1), (1, 64), (64, 1), (3, 5), (17, 130), (1024, 2)] {
        for program in programs() {
            let mut simulation = Simulation::new(procedural(program, width, height), 1).unwrap();
            simulation.seek(3);
            assert_eq!(simulation.image().rgba.len(), (width * height * 4) as usize);
        }
    }
}

#[test]
fn pictures_and_planes_that_are_not_whole_are_stood_in_for() {
    let broken =
        Image { name: String::new(), width: 64, height: 64, rgba: Arc::new([1, 2, 3]), stored_as: String::new() };
    let broken = Some(Arc::new(broken));
    let plane = Plane { width: 4, height: 4, bytes: Arc::new([1]) };
    let mut programs = programs();
    if let Some(Program::Glass(glass)) = programs.last_mut() {
        (glass.source, glass.glass) = (broken.clone(), Some(Arc::new(plane)));
    }
    programs.push(Program::Wet { water: all_drops(), source: broken });
    for program in programs {
        let mut simulation = Simulation::new(procedural(program, 32, 32), 1).unwrap();
        simulation.seek(2);
        assert_eq!(simulation.image().rgba.len(), 32 * 32 * 4);
    }
}

#[test]
fn in_a_level_a_texture_is_seen_once_it_has_caught() {
    for program in programs() {
        let what = procedural(program, 64, 32);
        assert_eq!((what.primed_frames(), what.first_frame()), (5, 48));
        let mut seen = Simulation::in_level(what.clone()).unwrap();
        let mut by_hand = Simulation::new(what.clone(), COMPUTED_SEED).unwrap();
        by_hand.seek(48 - 5);
        assert_eq!((seen.frame(), seen.seed()), (0, COMPUTED_SEED));
        assert_eq!(seen.seen_image().rgba, by_hand.seen_image().rgba, "{}", what.program.name());
        let first = seen.image().rgba;
        seen.step();
        seen.reset();
        assert_eq!(seen.image().rgba, first);
    }
}

#[test]
fn a_large_texture_runs_for_fewer_frames_before_it_is_seen() {
    let large = procedural(all_sparks(), MAX_PIXELS, MAX_PIXELS);
    assert_eq!(large.first_frame(), 31);
    assert_eq!(procedural(all_sparks(), 0, 16).first_frame(), 0);
}
