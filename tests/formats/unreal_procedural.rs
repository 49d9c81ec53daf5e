//! Computed textures of Unreal packages: read from packages made here and from the corpus, run, damaged, exported.

use crate::{
    args,
    kit::{
        open::{Opened, codes, open, open_whole, picture_in},
        program::{bonebox, stderr},
        unreal::{damaged, package, quiet_asset},
    },
};
use bonebox::{
    formats::{
        Asset, Children, Content, Field, ReadErrorKind, Value,
        unreal::encode::{
            self, Export, Mip, PackageWriter, Properties, Ref, Spark, TextureData, write_palette, write_sparks,
            write_texture,
        },
    },
    scene::procedural::{COMPUTED_SEED, DropKind, Panning, Procedural, Program, Simulation, SparkKind},
};
use std::{collections::HashSet, sync::Arc};

/// The eight bytes of each kind of spark, with fields that all differ.
fn sparks() -> Vec<Spark> {
    (0..29).map(|kind| Spark { kind, heat: 200, x: kind * 2, y: 50, a: 20, b: 140, c: 40, d: 60 }).collect()
}

fn drop(bytes: [u8; 8]) -> encode::Value {
    encode::Value::Struct("ADrop".into(), bytes.map(encode::Value::Byte).to_vec())
}

fn computed(size: u32, palette: Ref, properties: Properties) -> TextureData {
    let mips = vec![Mip { width: size, height: size, bytes: Vec::new() }];
    TextureData { palette, mips, properties, ..TextureData::default() }
}

/// A package with one texture of each class, and a second ice whose pictures lie in a package that does not exist.
fn made(version: u16) -> Vec<u8> {
    let mut package = PackageWriter::new(version, 0);
    let palette_class = package.class("Engine", "Palette");
    let texture_class = package.class("Engine", "Texture");
    let classes = ["FireTexture", "WaveTexture", "WetTexture", "IceTexture"].map(|name| package.class("Fire", name));
    let scripted_class = package.class("Engine", "ScriptedTexture");
    let missing = package.external(("Engine", "Texture"), "NotThere", &["Gone"]);
    let mut export = |class: Ref, name: &str| package.export(&Export::new(class, name));
    let palette = export(palette_class, "Ramp");
    let source = export(texture_class, "Source");
    let [fire, waves, wet, ice] = [0, 1, 2, 3].map(|i| export(classes[i], ["Fire", "Waves", "Wet", "Ice"][i]));
    let lost = export(classes[3], "Lost");
    let scripted = export(scripted_class, "Scripted");
    package.write(palette, |out| {
        write_palette(out, &(0..=255).map(|i| [i, i / 2, 255 - i]).collect::<Vec<[u8; 3]>>());
    });
    let pixels: Vec<u8> = (0..64 * 64).map(|i| (i * 7 % 251) as u8).collect();
    package.write(source, |out| {
        let mips = vec![Mip { width: 64, height: 64, bytes: pixels.clone() }];
        write_texture(out, &TextureData { palette, mips, ..TextureData::default() });
    });
    package.write(fire, |out| {
        let properties = Properties::new()
            .byte("SparkType", 23)
            .byte("RenderHeat", 220)
            .bool("bRising", true)
            .int("SparksLimit", 300)
            .int("NumSparks", 29)
            .int("PrimeCount", 7)
            .float("MaxFrameRate", 20.0)
            .bool("bMasked", true);
        write_texture(out, &computed(64, palette, properties));
        write_sparks(out, &sparks());
    });
    let water = || {
        Properties::new()
            .byte("WaveAmp", 99)
            .byte("BumpMapLight", 40)
            .byte("PhongRange", 170)
            .int("NumDrops", 2)
            .with_element("Drops", 0, drop([16, 255, 3, 4, 0, 0, 0, 20]))
            .with_element("Drops", 1, drop([1, 200, 9, 9, 8, 64, 0, 0]))
            // Past NumDrops: not there.
            .with_element("Drops", 2, drop([0, 0, 0, 0, 0, 0, 0, 0]))
    };
    package.write(waves, |out| write_texture(out, &computed(64, palette, water())));
    package.write(wet, |out| write_texture(out, &computed(64, Ref::NULL, water().object("SourceTexture", source))));
    let icy = |source: Ref, glass: Ref| {
        Properties::new()
            .object("SourceTexture", source)
            .object("GlassTexture", glass)
            .byte("PanningStyle", 2)
            .byte("TimeMethod", 1)
            .byte("HorizPanSpeed", 160)
            .byte("VertPanSpeed", 170)
            .byte("Frequency", 20)
            .byte("Amplitude", 40)
            .bool("MoveIce", true)
    };
    package.write(ice, |out| write_texture(out, &computed(64, Ref::NULL, icy(source, source))));
    package.write(lost, |out| write_texture(out, &computed(64, Ref::NULL, icy(missing, missing))));
    package.write(scripted, |out| {
        write_texture(out, &computed(64, palette, Properties::new().object("SourceTexture", source)));
    });
    package.finish()
}

fn opened(version: u16) -> Opened {
    open("Made.utx", made(version))
}

fn computed_texture(file: &Opened, name: &str) -> Arc<Procedural> {
    match quiet_asset(file, file.entry(name)) {
        Asset::Procedural(texture) => texture,
        other => panic!("{name}: {other:?}"),
    }
}

fn field<'a>(fields: &'a [Field], name: &str) -> &'a Field {
    fields.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no field {name}"))
}

#[test]
fn a_fire_is_read_with_all_its_sparks() {
    for version in [61, 63, 68, 69] {
        let file = opened(version);
        let fire = computed_texture(&file, "Fire");
        assert_eq!((fire.width, fire.height, fire.prime_frames, fire.rate_hz), (64, 64, 7, 20.0));
        assert!(fire.masked);
        assert_eq!(fire.palette.colors[200], [200, 100, 55, 255]);
        let Program::Fire(program) = &fire.program else { panic!("{:?}", fire.program) };
        assert_eq!((program.render_heat, program.rising, program.most_sparks), (220, true, 300));
        let read: Vec<_> = program.sparks.iter().map(|s| [s.heat, s.x, s.y, s.a, s.b, s.c, s.d]).collect();
        let written: Vec<_> = sparks().iter().map(|s| [s.heat, s.x, s.y, s.a, s.b, s.c, s.d]).collect();
        assert_eq!(read, written);
        assert!(program.sparks.iter().map(|s| s.kind).eq(SparkKind::ALL.iter().copied()));
        assert!(fire.facts.contains(&("SparkType".into(), "SPARK_LineLightning".into())), "{:?}", fire.facts);
    }
}

#[test]
fn sparks_are_fields_to_the_byte() {
    let file = open_whole("Made.utx", made(69));
    assert_eq!(file.codes(), [""; 0]);
    let fire = file.document.outline().find("Fire").unwrap();
    let fields = file.document.fields(fire.id).unwrap().fields;
    let sparks = field(&fields, "Sparks");
    assert_eq!((sparks.size, sparks.offset + sparks.size), (29 * 8, fire.offset + fire.size));
    let Children::Table(table) = &sparks.children else { panic!("{:?}", sparks.children) };
    assert_eq!(table.len(), 29);
    let row = table.row(23).unwrap();
    let Children::Fields(parts) = row.children else { panic!("no parts") };
    let names: Vec<&str> = parts.iter().map(|p| &*p.name).collect();
    assert_eq!(names, ["Type", "Heat", "X", "Y", "ByteA", "ByteB", "ByteC", "ByteD"]);
    assert_eq!(parts[0].value, Value::Enum { value: 23, name: "SPARK_LineLightning".into() });
    assert_eq!((&parts[2].value, parts[2].size), (&Value::UInt(46), 1));
}

#[test]
fn water_is_read_with_its_drops_and_its_light() {
    let file = opened(69);
    let waves = computed_texture(&file, "Waves");
    let Program::Waves { water, light } = &waves.program else { panic!("{:?}", waves.program) };
    assert_eq!(water.wave_amplitude, 99);
    assert_eq!((light.light, light.view, light.range, light.size), (40, 170, 170, 32), "stated, or as in a new one");
    let drops: Vec<_> = water.drops.iter().map(|d| (d.kind, d.depth, d.x, d.y, d.a, d.b, d.d)).collect();
    assert_eq!(drops, [(DropKind::RainDrops, 255, 3, 4, 0, 0, 20), (DropKind::PhaseSpot, 200, 9, 9, 8, 64, 0)]);
    assert_eq!(waves.rate_hz, 30.0);
}

#[test]
fn wet_and_ice_find_their_pictures() {
    let file = opened(69);
    let wet = computed_texture(&file, "Wet");
    let Program::Wet { source: Some(source), .. } = &wet.program else { panic!("{:?}", wet.program) };
    assert_eq!((source.width, source.height), (64, 64));
    let ice = computed_texture(&file, "Ice");
    let Program::Glass(glass) = &ice.program else { panic!("{:?}", ice.program) };
    assert!(glass.source.is_some() && glass.glass_moves);
    let plane = glass.glass.as_ref().unwrap();
    assert_eq!((plane.width, plane.bytes[100]), (64, (100 * 7 % 251) as u8), "palette indices as stored");
    assert_eq!((glass.speed, glass.frequency, glass.amplitude), ([160, 170], 20, 40));
    assert_eq!((glass.panning, glass.timed_hz), (Panning::Gestation, Some(30.0)));
}

#[test]
fn missing_pictures_are_said_and_stood_in_for() {
    let file = opened(69);
    let (Ok(Asset::Procedural(lost)), found) = file.load(file.entry("Lost")) else { panic!("not computed") };
    assert_eq!(codes(&found), ["unreal.unresolved-reference"; 2]);
    assert!(found.iter().all(|f| f.message.contains("NotThere.Gone")), "{found:?}");
    let mut simulation = Simulation::new(lost, 1).unwrap();
    let first = simulation.image();
    simulation.seek(30);
    assert_ne!(first.rgba, simulation.image().rgba, "the pattern moves");
}

#[test]
fn a_scripted_texture_shows_its_source() {
    let file = opened(69);
    let picture = picture_in(quiet_asset(&file, file.entry("Scripted")));
    assert_eq!(picture.forms.len(), 1);
    assert_eq!(picture.forms[0].name, "source Source");
    assert!(picture.facts.contains(&("SourceTexture".into(), "Source".into())), "{:?}", picture.facts);
}

#[test]
fn damage_to_a_fire_is_an_error_or_a_smaller_fire() {
    let whole = made(69);
    let file = opened(69);
    let fire = file.document.outline().find("Fire").unwrap().clone();
    let (start, end) = (fire.offset as usize, (fire.offset + fire.size) as usize);
    let try_out = |bytes: &[u8]| {
        let left = damaged("Damaged.utx", bytes).unwrap();
        for (_, asset) in &left.shown {
            if let Asset::Procedural(texture) = asset
                && let Ok(mut simulation) = Simulation::new(texture.clone(), 1)
            {
                simulation.seek(2);
                let image = simulation.image();
                assert_eq!(image.rgba.len() as u64, u64::from(image.width) * u64::from(image.height) * 4);
            }
        }
        left
    };
    let paths = ["", "Ramp", "Source", "Fire", "Waves", "Wet", "Ice", "Lost", "Scripted"];
    // Every byte of the fire, each turned to several others: counts and sizes become huge, types unknown.
    for at in start..end {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let left = try_out(&bytes);
            let what = format!("{value:#x} at {at}: {:?}", left.file.diagnostics);
            assert_eq!(left.paths(), paths, "{what}");
            // Only the fire can be lost, and why is said of a place inside of it.
            let lost = left.asset("Fire").is_none();
            assert_eq!((left.shown.len(), left.refused.len()), if lost { (7, 1) } else { (8, 0) }, "{what}");
            assert_eq!(left.codes().contains("unreal.bad-object"), lost, "{what}");
            for error in &left.refused {
                let inside = (start..=end).contains(&(error.offset as usize));
                assert!(error.entry == "Fire" && inside, "{what}: {error:?}");
            }
        }
    }
    // More sparks than there are bytes: 0x7F FF FF FF 0F is 2147483647.
    let mut bytes = whole.clone();
    let count = end - 29 * 8 - 1;
    assert_eq!(bytes[count], 29);
    bytes[count..count + 5].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x0f]);
    let file = open("Many.utx", bytes);
    let error = file.load(fire.id).0.unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::Truncated);
    let error = error.to_string();
    assert!(error.contains("Fire") && error.contains(&format!("offset {}", count + 5)), "{error}");
    // The tables are at the end: of the exports as many are left as are listed, and each of them is whole.
    let mut least = 0;
    for end in (start..whole.len()).step_by(7) {
        let left = try_out(&whole[..end]);
        assert!(left.codes().contains("unreal.truncated-table"), "{end}: {:?}", left.codes());
        assert_eq!(left.paths(), paths[..=left.shown.len()], "{end}");
        assert!(left.refused.is_empty() && left.shown.len() >= least, "{end}: {:?}", left.refused);
        least = left.shown.len();
    }
    assert_eq!(least, 7);
}

#[test]
fn the_fires_of_the_corpus_burn() {
    // Textures of each package, and the sparks of all of them as NumSparks says.
    for (name, textures, sparks) in [("FireEffect1.utx", 10, 43), ("ShaneFx.utx", 5, 229), ("XC_Orb.utx", 8, 303)] {
        let Some((file, _)) = package(name) else { return };
        let (mut seen, mut all_sparks) = (0, 0);
        for entry in file.document.outline().with_content(Content::Image) {
            let Ok(Asset::Procedural(texture)) = file.load(entry.id).0 else { panic!("{name}: {entry:?}") };
            seen += 1;
            let stated = texture.facts.iter().find(|(name, _)| name.eq_ignore_ascii_case("NumSparks"));
            let stated = stated.map_or(0, |(_, count)| count.parse::<usize>().unwrap());
            assert_eq!(texture.program.sparks().len(), stated, "{name}: {}", texture.name);
            all_sparks += stated;
            let mut simulation = Simulation::new(texture.clone(), 1).unwrap();
            simulation.seek(60);
            let image = simulation.image();
            let colors: HashSet<_> = image.rgba.chunks_exact(4).collect();
            // The pictures of the one ice lie in a package that is not there: a pattern of three colours stands in.
            let least = if matches!(texture.program, Program::Glass(_)) { 3 } else { 9 };
            assert!(colors.len() >= least, "{name}: {} has {} colours", texture.name, colors.len());
        }
        assert_eq!((seen, all_sparks), (textures, sparks), "{name}");
    }
}

#[test]
fn a_frame_is_exported_as_the_window_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Made.utx");
    std::fs::write(&path, made(69)).unwrap();
    let fire = computed_texture(&opened(69), "Fire");
    for (arguments, frame) in [(args!["--frame", "0"], 0), (args!["--frame", "30"], 30), (args![], 60)] {
        let target = folder.path().join(format!("frame{frame}.png"));
        let run = bonebox([args!["export", path, "Fire", "-o", target], arguments].concat());
        assert!(run.status.success(), "{}", stderr(&run));
        let mut simulation = Simulation::new(fire.clone(), COMPUTED_SEED).unwrap();
        simulation.seek(frame);
        let exported = image::open(&target).unwrap().to_rgba8();
        assert_eq!(exported.dimensions(), (64, 64));
        assert_eq!(exported.as_raw().as_slice(), &*simulation.image().rgba, "masked: cut out by palette index 0");
    }
}
