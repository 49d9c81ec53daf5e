//! Searching and joining a collection in memory: 1,000,000 made entries, 50 MB of text, 300,000 imports, 20,000 clips.

use bonebox::{
    bytes::Cancel,
    formats::{Content, EntryId, Role},
    library::collection::{
        About, Catalog, CatalogBuilder, ClipFits, Duplicates, EntryRecord, FileIndex, ImportRecord, JointSet, Links,
        Query, Record, RowIndex, search, text_hits,
    },
};
use divan::{Bencher, counter::BytesCount};
use std::{borrow::Cow, path::PathBuf};

const FILES: usize = 1_000;
const ROWS_OF_A_FILE: usize = 1_000;
const WORDS: [&str; 24] = [
    "Brick", "Stone", "Wall", "Door", "Hand", "Walk", "Run", "Fire", "Water", "Metal", "Trim", "Floor", "Sky", "Rock",
    "Tree", "Light", "Shadow", "Creature", "Engine", "Base", "Panel", "Gate", "Bark", "Soldier",
];
const CLASSES: [(&str, Role, Content); 5] = [
    ("Texture", Role::Texture, Content::Image),
    ("Sound", Role::Sound, Content::Sound),
    ("SkeletalMesh", Role::Model, Content::Model),
    ("AnimInfo", Role::Clip, Content::Clip),
    ("Palette", Role::Palette, Content::Palette),
];

fn main() {
    divan::main();
}

fn entry(id: usize, path: String, class: usize, about: About) -> EntryRecord<'static> {
    let name_start = path.rfind('.').map_or(0, |at| at + 1) as u32;
    let (_, role, content) = CLASSES[class];
    let digest = (id as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4;
    EntryRecord {
        id: id as u32,
        path: Cow::Owned(path),
        name_start,
        class: class as u32,
        role,
        content,
        size: 1_000 + id as u64 % 97,
        digest,
        about,
    }
}

/// 1,000 packages of 1,000 entries; each takes 300 things from ten others.
fn packages() -> Catalog {
    let mut random = fastrand::Rng::with_seed(7);
    let mut builder = CatalogBuilder::default();
    for file in 0..FILES {
        let mut record = Record { format: "unreal".into(), ..Record::default() };
        record.classes = CLASSES.iter().map(|(class, ..)| Cow::Borrowed(*class)).collect();
        let own = entry(0, String::new(), 4, About::Nothing);
        record.entries.push(EntryRecord { role: Role::File, content: Content::None, ..own });
        for id in 1..ROWS_OF_A_FILE {
            let word = |random: &mut fastrand::Rng| WORDS[random.usize(..WORDS.len())];
            let name = format!("{}.{}{}{:02}", word(&mut random), word(&mut random), word(&mut random), id % 100);
            let class = random.usize(..CLASSES.len());
            let about = match class {
                0 => About::Picture { width: 1 << random.u32(4..10), height: 256 },
                3 => About::Clip {
                    joints: None,
                    joint_count: random.u32(..90),
                    frames: random.u32(..300),
                    rate_hz: 30.0,
                },
                _ => About::Nothing,
            };
            record.entries.push(entry(id, name, class, about));
        }
        for import in 0..300 {
            let of = (file * 31 + import / 30 * 97) % FILES;
            record.imports.push(ImportRecord {
                file: Cow::Owned(format!("Package{of:04}")),
                path: Cow::Owned(format!("Wall.BrickStone{:02}", import % 100)),
                class: Cow::Borrowed("Texture"),
                is_built_in: import % 30 == 0,
            });
        }
        let folder = ["Textures", "Maps", "System", "Sounds"][file % 4];
        builder.add(
            PathBuf::from(format!("/games/Island/{folder}/Package{file:04}.utx")),
            1 << 20,
            None,
            file as u64 + 1,
            record,
        );
    }
    builder.finish()
}

/// A keystroke: everything that is found, the best 200 kept.
#[divan::bench(
    args = [
        "b", "e", "re", "bri", "brickwal", "zzz", "stone wall", "stone.br", "class:texture brick", "type:clip bones>30 walk", "in:maps fire -door",
        "\"ickwa\"", "width>=256", "refs:brickstone07",
    ],
    sample_count = 20
)]
fn keystroke_over_1000000_entries(bencher: Bencher, words: &str) {
    let catalog = packages();
    assert_eq!(catalog.row_count(), FILES * ROWS_OF_A_FILE);
    let cancel = Cancel::new();
    // One letter is in every name that has it, whatever the matcher says.
    let with_letter = catalog.rows().filter(|(_, row)| row.name.to_lowercase().contains('b')).count();
    assert_eq!(search(&catalog, &Query::of("b"), 200, &cancel).total, with_letter);
    assert!(with_letter > 200_000, "{with_letter}");
    bencher.bench(|| search(&catalog, &Query::of(words), 200, &cancel).total);
}

/// 2,000 scripts, 50 MB.
fn scripts() -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(9);
    let script = |at: usize| {
        let mut text = format!("class Made{at} extends Actor;\n");
        while text.len() < 25_000 {
            let word = |random: &mut fastrand::Rng| WORDS[random.usize(..WORDS.len())];
            text += &format!(
                "\tif ( {}{} > {} )\n\t\tSet{}();\n",
                word(&mut random),
                word(&mut random),
                random.u32(..999),
                word(&mut random)
            );
        }
        text
    };
    (0..2_000).map(script).collect()
}

/// All of the texts are looked through: the word is in the last one alone.
#[divan::bench(args = ["text:NeedleInAHaystack", "text:e(9"], sample_count = 20)]
fn text_over_50_mb(bencher: Bencher, words: &str) {
    let mut scripts = scripts();
    scripts.last_mut().unwrap().push_str("needleinahaystack");
    let bytes: usize = scripts.iter().map(String::len).sum();
    let query = Query::of(words);
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        let mut hits = Vec::new();
        for (entry, text) in scripts.iter().enumerate() {
            text_hits(&query, FileIndex(0), EntryId(entry as u32), text, 100, &mut hits);
        }
        hits.len()
    });
}

#[divan::bench(sample_count = 20)]
fn links_of_1000_files_and_300000_imports(bencher: Bencher) {
    let catalog = packages();
    assert_eq!((0..FILES as u32).map(|file| catalog.imports(FileIndex(file)).len()).sum::<usize>(), 300_000);
    bencher.bench(|| Links::of(&catalog).edges().len());
}

#[divan::bench(sample_count = 20)]
fn what_one_file_of_1000_needs_and_who_uses_it(bencher: Bencher) {
    let catalog = packages();
    let links = Links::of(&catalog);
    bencher.bench(|| {
        let needs = links.needs(&catalog, FileIndex(500)).len();
        needs + links.users(&catalog, FileIndex(500)).len()
    });
}

#[divan::bench(sample_count = 20)]
fn duplicates_of_1000000_entries(bencher: Bencher) {
    let catalog = packages();
    bencher.bench(|| Duplicates::of(&catalog).entries.len());
}

/// 500 files of 40 clips each, with 60 joints of which some differ in each file; one model.
fn clips() -> (Catalog, RowIndex) {
    let names = |file: usize| {
        (0..60).map(move |joint| Cow::Owned(format!("Bip01 {}{joint}", if joint < file % 60 { "R" } else { "L" })))
    };
    let mut builder = CatalogBuilder::default();
    let mut add = |path: String, joints: Vec<Cow<'static, str>>, entries: Vec<(String, usize)>| {
        let joint_count = joints.len() as u32;
        let joint_sets = vec![joints];
        let mut record = Record { format: "psa".into(), joint_sets, ..Record::default() };
        record.classes = CLASSES.iter().map(|(class, ..)| Cow::Borrowed(*class)).collect();
        let own = entry(0, String::new(), 4, About::Nothing);
        record.entries.push(EntryRecord { role: Role::File, content: Content::None, ..own });
        for (id, (name, class)) in entries.into_iter().enumerate() {
            let joints = Some(JointSet(0));
            let about = match class {
                2 => About::Model { joints, joint_count, vertices: 1_000, triangles: 2_000 },
                _ => About::Clip { joints, joint_count, frames: 30, rate_hz: 30.0 },
            };
            record.entries.push(entry(id + 1, name, class, about));
        }
        builder.add(PathBuf::from(path), 1 << 20, None, 1, record);
    };
    add("/games/Models/Soldier.psk".to_owned(), names(0).collect(), vec![("Mesh".to_owned(), 2)]);
    for file in 0..500 {
        let entries = (0..40).map(|clip| (format!("ANIMINFO.Clip{clip}"), 3)).collect();
        add(format!("/games/Anims{}/Soldier{file}.psa", file % 20), names(file).collect(), entries);
    }
    (builder.finish(), RowIndex(1))
}

#[divan::bench(sample_count = 20)]
fn fits_of_20000_clips(bencher: Bencher) {
    let (catalog, model) = clips();
    let cancel = Cancel::new();
    assert_eq!(ClipFits::of(&catalog).clips_for(&catalog, model, 100_000, &cancel).len(), 20_000);
    bencher.bench(|| ClipFits::of(&catalog).clips_for(&catalog, model, 100, &cancel).len());
}
