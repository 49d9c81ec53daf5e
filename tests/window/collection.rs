//! A game, a disc and a mod are dropped at once: they are searched, a hit opens with what it needs from inside the mod, two
//! versions of a package are compared, and the next start has everything at once.

use crate::{
    kit,
    stage::{Stage, can_run},
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Files of the game's folder.
const FILES: usize = 300;

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

/// A folder of so many files: a small model with other bytes behind it in each, so that none is known by another one's.
fn game(folder: &Path) -> PathBuf {
    let game = folder.join("game");
    let small = fs::read(kit::data().join("actorx/syn_arm.psk")).unwrap();
    for number in 0..FILES {
        let below = game.join(["Models", "System", "Textures"][number % 3]);
        fs::create_dir_all(&below).unwrap();
        let bytes = [small.clone(), number.to_le_bytes().to_vec()].concat();
        fs::write(below.join(format!("Part{number:03}.psk")), bytes).unwrap();
    }
    game
}

/// Two versions of a package: of one texture another pixel.
fn versions(folder: &Path) -> [PathBuf; 2] {
    let old = fs::read(kit::samples().join("BoneboxFX.utx")).unwrap();
    let mut new = old.clone();
    let middle = new.len() / 2;
    new[middle] ^= 0x15;
    [("old", old), ("new", new)].map(|(name, bytes)| {
        let below = folder.join(name);
        fs::create_dir_all(&below).unwrap();
        let path = below.join("BoneboxFX.utx");
        fs::write(&path, bytes).unwrap();
        path
    })
}

#[test]
fn a_game_a_disc_and_a_mod_are_searched_compared_and_there_again() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);
    let folder = stage.folder.path().join("files");
    let game = game(&folder);
    let [disc, modification] = ["BoneDisc.gcm", "BonePack.umod"].map(|name| {
        let path = folder.join(name);
        fs::copy(kit::samples().join(name), &path).unwrap();
        path
    });
    stage.drop_files(&[&game, &disc, &modification]);
    let told = stage.wait("everything indexed", |s| {
        let collection = &s["collection"];
        s["busy"] == false && number(&collection["roots"]) == 3 && number(&collection["files"]) > FILES as u64
    });

    // A hit in the mod opens, with the textures that lie in another package of the mod.
    stage.press(&["ctrl+shift+f"]);
    stage.wait("the collection", |s| s["stage"] == "collection");
    stage.type_text("class:lodmesh in:bonepack");
    stage.wait("hits", |s| {
        s["collection"]["words"] == "class:lodmesh in:bonepack" && number(&s["collection"]["found"]) > 0
    });
    stage.picture("collection-1-found");
    stage.press(&["Return"]);
    let shown = stage.wait("the mesh from the mod", |s| s["model"].is_string() && s["busy"] == false);
    assert_eq!((&shown["missing"], shown["images"].as_u64() > Some(0)), (&Value::from(0), true), "{shown:#}");
    stage.picture("collection-2-opened");

    // Two versions of a package.
    stage.run("close all");
    stage.wait("nothing open", |s| s["files"].as_array().is_some_and(Vec::is_empty));
    let [old, new] = versions(&folder);
    stage.drop_files(&[&old, &new]);
    stage.wait("both versions", |s| s["busy"] == false && s["files"].as_array().is_some_and(|files| files.len() == 2));
    stage.run("compare with");
    let compared = stage.wait("the comparison", |s| s["stage"] == "compare" && number(&s["compare"]["changed"]) > 0);
    assert_eq!(number(&compared["compare"]["changed"]), 1, "{compared:#}");
    stage.picture("collection-3-compared");

    // The next start has the collection at once, and reads no file again.
    stage.press(&["ctrl+q"]);
    assert!(stage.end().success());
    stage.start_again(&[]);
    let again = stage.wait("the collection again", |s| s["busy"] == false && s["collection"]["read"].is_number());
    assert_eq!(number(&again["collection"]["read"]), 0, "{again:#}");
    assert!(number(&again["collection"]["files"]) >= number(&told["collection"]["files"]), "{again:#}");
    stage.press(&["ctrl+shift+f"]);
    stage.type_text("part299");
    stage.wait("found again", |s| s["collection"]["words"] == "part299" && number(&s["collection"]["found"]) > 0);
}
