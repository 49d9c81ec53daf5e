use super::*;
use crate::{
    bytes::Cancel,
    formats::{Content, Role},
    library::collection::{
        About,
        made::{catalog, file},
    },
};

fn games() -> Catalog {
    catalog([
        file("/games/Isle/Textures/Walls.utx", "unreal")
            .entry("Stone", "Package", Role::Group, Content::None)
            .texture("Stone.Brick", 256, 128)
            .texture("Stone.BrickWall", 64, 64)
            .entry("Stone.Fire", "FireTexture", Role::Texture, Content::Image),
        file("/games/Isle/Maps/Hall.unr", "unreal")
            .entry("MyLevel", "Level", Role::Level, Content::Map)
            .import("Walls", "Stone.Brick", "Texture")
            .import("Sounds", "Door", "Sound"),
        file("/games/Isle/hand.psa", "psa").clip("ANIMINFO/Wave", &["Root", "Hand", "Thumb"], 60).clip(
            "ANIMINFO/HandLeft",
            &["Root", "Hand"],
            15,
        ),
        file("/games/Isle/hand.psk", "psk").bytes(2_000_000, 1).model("Hand", &["Root", "Hand", "Thumb", "Tip"]),
        file("/games/Isle/Bark.u", "unreal")
            .entry("Dog", "Class", Role::Class, Content::Text)
            .about(About::Text { lines: 40 })
            .entry("Bark", "Sound", Role::Sound, Content::Sound)
            .about(About::Sound { duration_secs: 2.5 }),
    ])
}

fn found(catalog: &Catalog, words: &str) -> Vec<String> {
    let found = search(catalog, &Query::of(words), usize::MAX, Cancel::never());
    assert_eq!(found.total, found.hits.len());
    found.hits.iter().map(|hit| catalog.row(hit.row).unwrap().name.to_owned()).collect()
}

#[test]
fn words_are_found_in_names_the_best_first() {
    let games = games();
    assert_eq!(found(&games, "brick"), ["Brick", "BrickWall"], "of equal score the shorter first");
    assert_eq!(found(&games, "bkwl"), ["BrickWall"], "letters in their order");
    assert_eq!(found(&games, "llwkb"), [""; 0], "not in another one");
    assert_eq!(found(&games, "hand"), ["Hand", "hand.psa", "HandLeft", "hand.psk"]);
    assert_eq!(found(&games, "hand left"), ["HandLeft"], "all words");
    assert_eq!(found(&games, "-brick walls"), ["Walls.utx"]);
    assert_eq!(found(&games, "firetexture"), ["Fire"], "what the format calls it");
    assert_eq!(found(&games, "-texture fire"), [""; 0], "and left out by it");
    assert_eq!(found(&games, "\"rickw\""), ["BrickWall"]);
    assert_eq!(found(&games, "\"wrick\""), [""; 0], "a phrase stands as it is");
    assert_eq!(found(&games, "stone.b"), ["Brick", "BrickWall"], "with a separator in the path");
    assert_eq!(found(&games, "textures/wall"), ["Walls.utx"], "of a file its end");
    assert_eq!(found(&games, "games/walls.utx"), [""; 0]);
    assert_eq!(found(&games, ".psk"), ["hand.psk"]);
}

#[test]
fn what_something_is_and_lies_in_is_asked_as_in_filters() {
    let games = games();
    assert_eq!(found(&games, "class:texture"), ["Brick", "BrickWall", "Fire"]);
    assert_eq!(found(&games, "class:Fire"), ["Fire"]);
    assert_eq!(found(&games, "type:clip"), ["Wave", "HandLeft"], "without words in the catalog's order");
    assert_eq!(found(&games, "type:image -type:firetex"), ["Brick", "BrickWall"]);
    assert_eq!(found(&games, "type:map"), ["MyLevel"], "what can be shown of it");
    assert_eq!(found(&games, "in:stone"), ["Brick", "BrickWall", "Fire"]);
    assert_eq!(found(&games, "in:textures type:file"), ["Walls.utx"], "a file lies in its folder");
    assert_eq!(found(&games, "in:walls.utx"), ["Stone", "Brick", "BrickWall", "Fire"], "and not in itself");
    assert_eq!(found(&games, "in:isle -in:textures type:texture"), [""; 0]);
    assert_eq!(found(&games, "refs:brick"), ["Hall.unr"]);
    assert_eq!(found(&games, "refs:sounds"), ["Hall.unr"], "a package");
    assert_eq!(found(&games, "type:file -refs:walls -.psa -.psk -.utx"), ["Bark.u"]);
    assert_eq!(found(&games, "text:bark"), ["Dog"], "scripts and texts");
    assert_eq!(found(&games, "").len(), games.row_count());
}

#[test]
fn numbers_are_asked_of_what_has_them() {
    let games = games();
    for (words, expected) in [
        ("bones>3", &["Hand"][..]),
        ("bones>=3", &["Wave", "Hand"]),
        ("bones<3", &["HandLeft"]),
        ("frames=60", &["Wave"]),
        ("seconds<1", &["HandLeft"]),
        ("seconds>2", &["Bark"]),
        ("seconds=2", &["Wave"]),
        ("width>=256", &["Brick"]),
        ("height<=64 type:image", &["BrickWall"]),
        ("vertices=100 triangles=50", &["Hand"]),
        ("size>1MB", &["hand.psk"]),
        ("lines>30", &["Dog"]),
        ("-width>100 type:image", &["BrickWall", "Fire"]),
        ("bones>3 bonse>9", &["Hand"]),
    ] {
        assert_eq!(found(&games, words), expected, "{words}");
    }
}

#[test]
fn the_best_are_kept_whatever_their_place_and_the_threads() {
    let names: Vec<String> =
        (0..60_000_u32).map(|at| format!("{}Brick{}", "x".repeat((at % 7) as usize), at % 1_000)).collect();
    let many = catalog(names.chunks(20_000).enumerate().map(|(at, names)| {
        let mut made = file(&format!("/g/{at}.utx"), "unreal");
        for name in names {
            made = made.texture(name, 8, 8);
        }
        made
    }));
    let cancel = Cancel::new();
    let query = Query::of("brick");
    let all = search(&many, &query, usize::MAX, &cancel);
    assert_eq!(all.total, 60_000);
    let key = |hit: &Hit| (Reverse(hit.score), many.row(hit.row).unwrap().name.len(), hit.row);
    assert!(all.hits.is_sorted_by_key(key));
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for at_most in [0, 1, 10, 300, 59_999] {
            let some = pool.install(|| search(&many, &query, at_most, &cancel));
            assert_eq!((some.total, some.hits.as_slice()), (60_000, &all.hits[..at_most]), "{threads} threads");
        }
    }
    let first = search(&many, &Query::of("type:texture"), 3, &cancel);
    assert_eq!(first.hits.iter().map(|hit| hit.row.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(search(&many, &query, 5, &Cancel::cancelled()), Found::default(), "cancelled");
}

#[test]
fn names_of_any_kind_are_searched() {
    let strange = catalog([
        file("", "").texture("", 0, 0).texture("Ärmel", 1, 1).texture("İstanbul", 1, 1).texture(
            "ＷＡＬＬ\u{301}\r\n",
            1,
            1,
        ),
        file("/\u{202e}/..", "x").texture(&"Long".repeat(100_000), 1, 1).texture(&"ä".repeat(100_000), 1, 1),
        file("/g/e\u{301}.utx", "unreal").texture("a.", 1, 1).texture("😀", u32::MAX, 1),
    ]);
    assert_eq!(found(&strange, "ärm"), ["Ärmel"]);
    assert_eq!(found(&strange, "arm"), ["Ärmel"], "a letter with an accent is found by the one without");
    assert_eq!(found(&strange, "longlong").len(), 1);
    assert_eq!(found(&strange, "😀"), ["😀"]);
    assert_eq!(found(&strange, "width>4000000000"), ["😀"]);
    let cancel = Cancel::new();
    for words in [
        "a",
        "ä",
        "İ",
        "\r",
        "l",
        "/",
        ".",
        "..",
        "-a",
        "\"\u{301}\"",
        "in:/",
        "in:\u{202e}",
        "refs:a",
        "class:",
        "\u{0}",
    ] {
        for word in [words.to_owned(), words.repeat(50), words.repeat(2_000)] {
            let query = Query::of(&word);
            let found = search(&strange, &query, 4, &cancel);
            for hit in &found.hits {
                let row = strange.row(hit.row).unwrap();
                for name in [row.name, row.path, row.class] {
                    assert!(marks(&query, name).iter().all(|mark| name.get(mark.clone()).is_some()));
                }
            }
        }
    }
    assert_eq!(search(&Catalog::default(), &Query::of("a"), 4, &cancel), Found::default());
}

#[test]
fn marks_are_of_the_letters_that_were_found() {
    let marked = |words: &str, name: &str| -> Vec<String> {
        marks(&Query::of(words), name).into_iter().map(|range| name[range].to_owned()).collect()
    };
    assert_eq!(marked("brick", "MyBrickWall"), ["Brick"]);
    assert_eq!(marked("mwall", "MyBrickWall"), ["M", "Wall"]);
    assert_eq!(marked("ärm el", "xÄrmel"), ["Ärmel"]);
    assert_eq!(marked("\"ck\" -my type:brick", "MyBrick"), ["ck"]);
    assert_eq!(marked("zzz", "MyBrick"), [""; 0]);
    assert_eq!(marked("", "MyBrick"), [""; 0]);
    assert_eq!(marked("a", ""), [""; 0]);
}

#[test]
fn what_the_words_find_is_counted_by_kind_and_one_kind_alone_is_listed() {
    let games = games();
    let kinds = ["model", "clip", "texture", "sound"];
    let counted = |words: &str, only| {
        let asked = Counted { kinds: &kinds, only };
        let found = search_counted(&games, &Query::of(words), asked, 1, Cancel::never());
        let names: Vec<&str> = found.hits.iter().map(|hit| games.row(hit.row).unwrap().name).collect();
        (found.counts, found.total, names.join(" "))
    };
    // As many as `type:` finds of each, and all of them last; what is listed is cut.
    let each = kinds.map(|kind| found(&games, &format!("type:{kind}")).len());
    assert_eq!(each, [1, 2, 3, 1]);
    assert_eq!(counted("", None).0, [1, 2, 3, 1, 15]);
    assert_eq!(counted("", Some(1)), (vec![1, 2, 3, 1, 15], 2, "Wave".to_owned()));
    assert_eq!(counted("hand", None), (vec![1, 1, 0, 0, 4], 4, "Hand".to_owned()));
    assert_eq!(counted("hand", Some(1)), (vec![1, 1, 0, 0, 4], 1, "HandLeft".to_owned()));
    assert_eq!(counted("hand", Some(2)), (vec![1, 1, 0, 0, 4], 0, String::new()));
}
