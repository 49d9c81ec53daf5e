//! `verify` over the whole corpus: what was not made to be broken has no error and no byte that nobody read.

use crate::{
    args,
    kit::{
        self,
        program::{bonebox, stderr},
    },
};
use serde_json::Value;

/// Files that say themselves that they are broken, locked or no container that is read.
const BROKEN: &[&str] = &[
    "/charpipe/bad/",
    "/bad_",
    "/encrypted",
    "/not_readable.rar",
    // Nothing but zeros.
    "/zero_bytes.psk",
    // Made for a program that refused it: an object's name lies past the table.
    "/load_umx_invalid_objname.umx",
];

/// Files that are not read, or not to their end, though they could be. Each pattern has a file with an error or unread bytes.
const NOT_READ: &[&str] = &[
    "/wild/bmd1.bmd",
    "/wild/frame-short/",
    "/wild/frame-size-3nv/",
    "/wild/index8_ff_skip.bmd",
    "/wild/magic-c2.utx",
    "/wild/sm64ds_lz77.bmd",
    "/wild/tail.umod",
    "/wild/vertex_alpha_stray_in_order.bmd",
    "/wild/yaz1_magic.bmd",
];

/// Files with bytes that no table leads to, and no others; among the broken ones it is as it comes.
const UNLISTED: &[&str] = &[
    // The disc is filled up with what looks like noise.
    "/disc/bones_junk.rvz",
    // Members that share bytes leave a hole where theirs were.
    "/disc/overlap.gcm",
    "/umod/overlap.umod",
    "/zip/overlap.zip",
];

#[test]
fn verify_finds_no_error_and_no_unread_byte_in_sound_files() {
    let Some(corpus) = kit::corpus() else { return };
    let output = bonebox(args!["verify", "--json", corpus]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
    let all = report["files"].as_array().unwrap();
    let panicked: Vec<&Value> = all.iter().filter(|file| has_code(file, "bonebox.fault")).collect();
    assert!(panicked.is_empty() && !stderr(&output).contains("panicked"), "{panicked:#?}\n{}", stderr(&output));
    let has_name = |file: &Value, part: &str| file["file"].as_str().unwrap().contains(part);
    for part in NOT_READ {
        let is_left_out = all.iter().any(|file| has_name(file, part) && !faults(file).is_empty());
        assert!(is_left_out, "{part}: nothing is wrong with such a file, or it is missing");
    }
    let files = all.iter().filter(|file| !NOT_READ.iter().any(|part| has_name(file, part)));
    let is_broken = |file: &Value| BROKEN.iter().any(|part| has_name(file, part));
    let (broken, sound): (Vec<&Value>, Vec<&Value>) = files.partition(|file| is_broken(file));
    assert!(sound.len() > 150 && broken.len() > 70, "{} sound files, {} broken ones", sound.len(), broken.len());
    let faults: Vec<String> = sound.iter().flat_map(|file| faults(file)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let said = |file: &&&Value| has_code(file, "container.data-unlisted");
    let unlisted: Vec<&str> = sound.iter().filter(said).map(|file| file["file"].as_str().unwrap()).collect();
    let is_expected = |name: &str| UNLISTED.iter().any(|part| name.ends_with(part));
    assert!(unlisted.len() == UNLISTED.len() && unlisted.iter().all(|name| is_expected(name)), "{unlisted:#?}");
    // And what is broken is not passed over in silence, but for archives in archives, which nobody opened, and a disc's program,
    // which is no file that is read.
    let unopened = ["/bad_deep.zip", "/bad_wide_bomb.zip", "/bad_dol.gcm"];
    let silent = |file: &&&Value| {
        let name = file["file"].as_str().unwrap();
        file["diagnostics"].as_array().unwrap().is_empty() && !unopened.iter().any(|part| name.ends_with(part))
    };
    let silent: Vec<&str> = broken.iter().filter(silent).map(|file| file["file"].as_str().unwrap()).collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

/// Whether a file has a finding with a code.
fn has_code(file: &Value, code: &str) -> bool {
    file["diagnostics"].as_array().unwrap().iter().any(|found| found["code"] == code)
}

/// What is wrong with a file, a line each.
fn faults(file: &Value) -> Vec<String> {
    let name = file["file"].as_str().unwrap();
    let errors = file["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error");
    let errors = errors.map(|found| format!("{name}: {found}"));
    let unread = file["unread"].as_array().unwrap().iter().map(|unread| format!("{name}: unread {unread}"));
    errors.chain(unread).collect()
}
