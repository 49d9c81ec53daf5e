//! Files whose line ends were converted on their way: recognised, and shown as they were.

use crate::kit::{
    self,
    containers::{umod, unpacked},
    open::{Opened, Opening, open, refusal},
    p3d,
};
use bonebox::formats::{Choice, OpenError, Overrides, Severity};

/// What a transfer as text makes of bytes where lines end in CR LF.
fn widened(bytes: &[u8]) -> Vec<u8> {
    bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..])
}

/// And where they end in LF.
fn narrowed(bytes: &[u8]) -> Vec<u8> {
    let mut narrow = Vec::new();
    for byte in bytes {
        if *byte == b'\n' && narrow.last() == Some(&b'\r') {
            narrow.pop();
        }
        narrow.push(*byte);
    }
    narrow
}

fn read_as(name: &str, bytes: &[u8], value: &str) -> Result<Opened, OpenError> {
    let overrides = Overrides::from([("line-ends".to_owned(), value.to_owned())]);
    Opening { overrides: &overrides, ..Opening::of(name) }.open(bytes)
}

fn question(opened: &Opened) -> Option<&Choice> {
    opened.document.reading().iter().find(|choice| choice.id == "line-ends")
}

fn errors(opened: &Opened) -> usize {
    opened.diagnostics.iter().filter(|found| found.severity == Severity::Error).count()
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(kit::samples().join(name)).unwrap()
}

/// Of every format: files with line feeds, some of which followed a carriage return from the start.
#[test]
fn files_that_were_sent_as_texts_are_shown_as_they_were() {
    let mut mesh = p3d::made_box(1.0, false);
    mesh.tags.push(("#Lines#".to_owned(), b"\n\r\n\n\n".to_vec()));
    for (name, whole) in [
        ("Ossie.psk", sample("Ossie.psk")),
        ("Ossie.psa", sample("Ossie.psa")),
        ("BoneRoom.unr", sample("BoneRoom.unr")),
        ("MarrowIsle.pew", sample("MarrowIsle.pew")),
        ("Helix.model", sample("Helix.model")),
        ("arm_basic.bmd", std::fs::read(kit::data().join("j3d/arm_basic.bmd")).unwrap()),
        ("box.p3d", p3d::model_bytes(&[mesh])),
    ] {
        let sound = open(name, whole.clone());
        assert!(question(&sound).is_none() && !sound.codes().contains(&"bonebox.line-ends"), "{name}");
        let damaged = widened(&whole);
        let opened = open(name, damaged.clone());
        assert_eq!(opened.codes().iter().filter(|code| **code == "bonebox.line-ends").count(), 1, "{name}");
        let asked = question(&opened).unwrap_or_else(|| panic!("{name}"));
        let others: Vec<&str> = asked.rivals.iter().map(|rival| rival.value.as_str()).collect();
        match opened.document.source().as_slice() == damaged {
            true => assert_eq!((asked.value.as_str(), others), ("stored", vec!["lf"]), "{name}"),
            // It does not open as it is.
            false => assert_eq!((asked.value.as_str(), others), ("lf", vec!["stored"]), "{name}"),
        }
        let mended = read_as(name, &damaged, "lf").unwrap();
        let asked = question(&mended).unwrap();
        assert_eq!((asked.value.as_str(), asked.overridden), ("lf", true), "{name}");
        assert!(mended.document.source().as_slice() == whole, "{name}");
        let found = mended.codes().into_iter().filter(|code| *code != "bonebox.line-ends");
        assert_eq!(found.collect::<Vec<_>>(), sound.codes(), "{name}");
        if let Ok(stored) = read_as(name, &damaged, "stored") {
            assert!(stored.document.source().as_slice() == damaged && errors(&stored) > 0, "{name}");
        }
    }
}

/// Where each line feed followed a carriage return, nothing is lost; else nobody can tell which did.
#[test]
fn lost_carriage_returns_come_back_where_everything_fits_then() {
    let made = |line_end: [u8; 2]| {
        let mut mesh = p3d::made_box(1.0, false);
        mesh.tags.push(("#Lines#".to_owned(), [line_end, *b"\r\n", *b"\r\n", *b"\r\n"].concat()));
        p3d::model_bytes(&[mesh])
    };
    let whole = made(*b"\r\n");
    assert_eq!(narrowed(&whole).len(), whole.len() - 4, "no other line feeds");
    let mended = read_as("box.p3d", &narrowed(&whole), "crlf").unwrap();
    assert!(mended.document.source().as_slice() == whole);
    assert_eq!(mended.codes(), ["bonebox.line-ends"]);
    let lost = open("box.p3d", narrowed(&made(*b"x\n")));
    assert!(question(&lost).is_none() && errors(&lost) > 0, "{:?}", lost.diagnostics);
}

/// What has no sizes to fit, or is damaged otherwise, is not taken for it.
#[test]
fn other_damage_raises_no_question() {
    if let Some(corpus) = kit::corpus() {
        let opening = |file: &str| {
            let bytes = std::fs::read(corpus.join("containers").join(file)).unwrap();
            Opening::of(file.rsplit('/').next().unwrap()).open(bytes)
        };
        assert!(opening("umod/bad_count.umod").is_err());
        assert!(question(&opening("paa/bad_second_mip.paa").unwrap()).is_none());
    }
    let whole = sample("Ossie.psk");
    for bytes in [whole[..whole.len() / 2].to_vec(), whole[..400].to_vec(), b"ACTRHEAD\r\n\r\n\r\n\r\n".to_vec()] {
        let Ok(opened) = Opening::of("a.psk").open(bytes) else { continue };
        assert!(question(&opened).is_none(), "{:?}", opened.diagnostics);
    }
}

/// A container is mended only where nothing is amiss then: texts in it have such line ends of their own.
#[test]
fn containers_are_shown_as_they_were_where_nothing_is_amiss_then() {
    // Where the directory is to begin, a number of members that cannot be is found once the line feeds before it are wider.
    let member = b"1\n2\n3\n4\n\xFF\xFF\xFF\xFF";
    let whole = umod(&[("a.bin", member, 0)]);
    let opened = open("a.umod", widened(&whole)).checked();
    assert!(opened.document.source().as_slice() == whole);
    assert_eq!(opened.codes(), ["bonebox.line-ends"]);
    let asked = question(&opened).unwrap();
    assert_eq!((asked.value.as_str(), asked.rivals[0].value.as_str()), ("lf", "stored"));
    let entry = opened.document.outline().find_path("a.bin").unwrap().id;
    assert_eq!(unpacked(&opened, entry).unwrap(), member);

    // The same, and its footer states another size: a warning stays, so nobody can tell.
    let mut odd = whole;
    let size_at = odd.len() - 12;
    odd[size_at] += 1;
    assert_eq!(open("a.umod", odd.clone()).codes(), ["container.field-odd"]);
    let damaged = widened(&odd);
    assert!(refusal("a.umod", damaged.clone()).contains("entr"));
    assert!(read_as("a.umod", &damaged, "lf").is_err());

    // A sound one, in which only a text has line feeds.
    let texts = umod(&[("readme.txt", b"1\r\n2\r\n3\r\n4\r\n", 0)]);
    let opened = open("a.umod", texts.clone());
    assert!(opened.document.source().as_slice() == texts && question(&opened).is_none());
}
