//! Sounds and music of packages: the corpus against what is expected of it, packages made here, and exports of both.

use crate::kit::{
    open::{Opened, codes, open, open_whole},
    sha1::sha1,
    sounds,
    unreal::{entry_of, package, packages},
};
use bonebox::{
    bytes::{Cancel, Limits},
    export::{ExportFormat, ExportJob, ExportSource, MANIFEST, Tree, What, export_all, export_entry, obj::ObjSpace},
    formats::{
        Asset, Content, EntryId, LoadOptions, NoFiles,
        tracker::{RenderOptions, Tracker, render},
        unreal::encode::{Export, PackageWriter, Properties, write_properties, write_sound},
    },
    scene::BindingOptions,
};
use std::{fs, path::Path};

/// Whatever is said of it.
fn load(file: &Opened, entry: EntryId) -> Asset {
    file.load(entry).0.unwrap()
}

fn made(version: u16) -> Opened {
    open("Made.uax", sounds::package(version))
}

#[test]
fn payloads_of_the_corpus_are_what_an_independent_decoder_read() {
    let packages = packages();
    if packages.is_empty() {
        return;
    }
    let mut count = 0;
    for (file, expected) in packages {
        let (name, exports) = (&file.name, expected["exports"].as_array().unwrap());
        for export in exports.iter().filter(|e| matches!(e["class"].as_str(), Some("Sound" | "Music"))) {
            let asset = load(&file, entry_of(export));
            let (bytes, encoding) = match &asset {
                Asset::Sound(sound) => (&sound.bytes, sound.encoding),
                Asset::Music(music) => (&music.bytes, music.encoding),
                other => panic!("{other:?}"),
            };
            assert_eq!(bytes.len() as u64, export["payload"][0].as_u64().unwrap(), "{name}");
            assert_eq!(sha1(bytes), export["payload"][1].as_str().unwrap(), "{name} {export}");
            // NoMusic.umx says s3m and holds an IT.
            let wanted = if name == "NoMusic.umx" { "IT" } else { "WAV" };
            assert_eq!(encoding, wanted, "{name}");
            if let Asset::Sound(sound) = &asset {
                assert_eq!(sound.problem, None);
                assert!(sound.pcm.as_ref().unwrap().duration_secs() > 0.2);
            }
            count += 1;
        }
    }
    assert_eq!(count, 4, "three sounds and a piece of music");
}

#[test]
fn music_of_the_corpus_renders_to_its_length() {
    let Some((file, _)) = package("NoMusic.umx") else { return };
    let Asset::Music(music) = load(&file, file.first(Content::Music)) else { panic!("no music") };
    assert!(music.plays, "{:?}", music.problem);
    let rendering = render(&music.bytes, RenderOptions::default(), Cancel::never(), &mut |_, _| {}).unwrap();
    let seconds = rendering.pcm.duration_secs();
    assert!((1.0..30.0).contains(&seconds), "{seconds}");
    assert!(rendering.positions.len() > 8);
}

#[test]
fn every_version_reads_the_same_sounds_to_the_last_byte() {
    for version in [61, 63, 68, 69] {
        let file = open_whole("Made.uax", sounds::package(version));
        assert_eq!(file.codes(), [""; 0], "version {version}");
        let Asset::Sound(bell) = load(&file, file.entry("Doors.Bell")) else { panic!("no sound") };
        assert_eq!(&*bell.bytes, &*sounds::looped_wav());
        assert_eq!((bell.encoding, bell.loops.len()), ("WAV", 1), "version {version}");
        assert_eq!(bell.loops[0], 8_000..24_000, "version {version}");
        assert_eq!(*bell.pcm.clone().unwrap(), sounds::bell(22_050, 1.6));
        let Asset::Music(song) = load(&file, file.entry("Song")) else { panic!("no music") };
        assert_eq!((song.encoding, &*song.bytes), ("IT", &*sounds::module(Tracker::It)));
        assert!(song.facts.contains(&("Declared format".into(), "s3m".into())));
        let Asset::Sound(gone) = load(&file, file.entry("Doors.Gone")) else { panic!("no sound") };
        assert!(gone.bytes.is_empty() && gone.problem.as_ref().unwrap().contains("dedicated-server"));
        let Asset::Sound(speech) = load(&file, file.entry("Speech")) else { panic!("no sound") };
        assert_eq!((speech.encoding, speech.extension), ("Ogg", "ogg"));
    }
}

#[test]
fn fields_of_licensees_before_the_samples_are_passed_over() {
    // Clive Barker's Undying at 82: four numbers of each kind it inserted, and an array behind the samples.
    let wave = sounds::looped_wav();
    let mut package = PackageWriter::new(82, 0);
    let class = package.class("Engine", "Sound");
    package.add(&Export::new(class, "Scream"), |out| {
        write_properties(out, &Properties::new());
        out.name("WAV");
        for _ in 0..7 {
            out.i32(7);
        }
        out.lazy_bytes(&wave);
        out.u32(0);
        out.index(3);
        out.bytes(&[1, 2, 3]);
    });
    let file = open("Undying.uax", package.finish());
    let entry = file.entry("Scream");
    let Asset::Sound(sound) = load(&file, entry) else { panic!("no sound") };
    assert_eq!(&*sound.bytes, &*wave);
    assert_eq!(file.checked().codes(), [""; 0]);
}

#[test]
fn a_damaged_wave_is_told_of_and_its_bytes_are_kept() {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Sound");
    let cut = &sounds::looped_wav()[..400];
    package.add(&Export::new(class, "Cut"), |out| write_sound(out, &Properties::new(), "WAV", cut));
    let file = open("Cut.uax", package.finish());
    let (asset, found) = file.load(file.entry("Cut"));
    assert_eq!(codes(&found), ["unreal.bad-sound"]);
    let Ok(Asset::Sound(sound)) = &asset else { panic!("no sound") };
    assert_eq!(&*sound.bytes, cut);
    assert_eq!(sound.pcm.as_ref().unwrap().frames(), (400 - 44) / 4);
}

fn source(file: &Opened) -> ExportSource<'_> {
    ExportSource {
        file: &file.name,
        document: file.document.as_ref(),
        resolver: &NoFiles,
        limits: Limits::default(),
        load: LoadOptions::default(),
        binding: BindingOptions::default(),
        clips_for: &|_, _| Vec::new(),
        model_for: &|_, _| None,
        frame: None,
        obj_space: ObjSpace::Scene,
        glb: Default::default(),
        space: &|_| Default::default(),
        registers: &[],
        mips: false,
        terrain: Default::default(),
    }
}

fn job() -> ExportJob<'static> {
    ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false }
}

fn exported(file: &Opened, entry: &str, format: ExportFormat, target: &Path) -> Result<Vec<u8>, String> {
    let made = export_entry(&source(file), file.entry(entry), format, target, &job()).map_err(|e| e.to_string())?;
    assert_eq!(made.paths.len(), 1);
    Ok(fs::read(&made.paths[0]).unwrap())
}

#[test]
fn sounds_and_music_are_written_as_they_are_and_as_wav() {
    let (folder, file) = (tempfile::tempdir().unwrap(), made(69));
    let at = |name: &str| folder.path().join(name);
    assert_eq!(exported(&file, "Doors.Bell", ExportFormat::Raw, &at("a.bin")).unwrap(), sounds::looped_wav());
    assert!(at("a.wav").exists() && !at("a.bin").exists());
    assert_eq!(exported(&file, "Doors.Bell", ExportFormat::Wav, &at("b.wav")).unwrap(), sounds::looped_wav());
    exported(&file, "Song", ExportFormat::Raw, &at("song.bin")).unwrap();
    assert_eq!(fs::read(at("song.it")).unwrap(), sounds::module(Tracker::It));
    // An ending that was chosen stays, with a word on what is inside.
    let made = export_entry(&source(&file), file.entry("Song"), ExportFormat::Raw, &at("song.s3m"), &job()).unwrap();
    assert!(at("song.s3m").exists() && made.notes[0].contains("IT"));
    exported(&file, "Speech", ExportFormat::Raw, &at("speech.bin")).unwrap();
    assert!(at("speech.ogg").exists());
    assert!(exported(&file, "Speech", ExportFormat::Wav, &at("speech.wav")).unwrap_err().contains("Ogg"));
    assert!(exported(&file, "Doors.Gone", ExportFormat::Raw, &at("gone.bin")).unwrap_err().contains("empty"));

    let rendered = exported(&file, "Song", ExportFormat::Wav, &at("song.wav")).unwrap();
    let sound = bonebox::formats::wave::sound("song", rendered.into());
    let pcm = sound.pcm.unwrap();
    // Eight patterns of 64 rows, three ticks each at 150 beats a minute.
    let row = 3.0 * 2.5 / 150.0;
    assert!((pcm.duration_secs() - 8.0 * 64.0 * row).abs() < 0.01, "{}", pcm.duration_secs());
    assert!(pcm.samples.iter().any(|s| s.unsigned_abs() > 1_000), "it sounds");
    let second = (2.0 * 64.0 * row * 48_000.0) as usize;
    assert_eq!(sound.loops.len(), 1);
    assert!(sound.loops[0].start.abs_diff(second) < 100 && sound.loops[0].end == pcm.frames(), "{:?}", sound.loops);
}

#[test]
fn everything_goes_into_a_folder_under_its_own_ending() {
    let (folder, file) = (tempfile::tempdir().unwrap(), made(69));
    let target = folder.path().join("out");
    let source = source(&file);
    let tree = Tree {
        source,
        what: What::Natural,
        only: None,
        kinds: Default::default(),
        models: Default::default(),
        name: &file.name,
        folders: &[],
    };
    let manifest = export_all(&[tree], Vec::new(), &target, &job()).unwrap();
    let mut paths: Vec<&str> = manifest.exported.iter().map(|item| item.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["Doors/Bell.wav", "Other.xm", "Song.it", "Speech.ogg"]);
    assert_eq!(manifest.failed.len(), 1, "the sound that is empty");
    for path in paths.iter().copied().chain([MANIFEST]) {
        assert!(target.join(path).is_file(), "{path}");
    }
}
