use super::*;
use crate::bytes::{Cancel, MemberLimits};

fn header(name: &str, method: u32, original: u32, stored: u32) -> Vec<u8> {
    let numbers = [method, original, 0, 7, stored].map(u32::to_le_bytes).concat();
    [name.as_bytes(), &[0], &numbers].concat()
}

/// A stream of LZSS with its sum.
fn packed(plain: &[u8]) -> Vec<u8> {
    [lzss::encode(plain), lzss::sums(plain).0.to_le_bytes().to_vec()].concat()
}

/// Members with their methods, original sizes and stored bytes; with properties or without, with the hash or without.
fn pbo(properties: Option<&[(&str, &str)]>, members: &[(&str, u32, u32, Vec<u8>)], has_hash: bool) -> Vec<u8> {
    let mut file = Vec::new();
    if let Some(properties) = properties {
        file.extend(header("", VERSION, 0, 0));
        properties.iter().for_each(|(key, value)| file.extend(format!("{key}\0{value}\0").bytes()));
        file.push(0);
    }
    members
        .iter()
        .for_each(|(name, method, size, bytes)| file.extend(header(name, *method, *size, bytes.len() as u32)));
    file.extend(header("", 0, 0, 0));
    members.iter().for_each(|(.., bytes)| file.extend(bytes));
    if has_hash {
        let hash = Sha1::digest(&file);
        file.push(0);
        file.extend(hash);
    }
    file
}

fn three() -> Vec<(&'static str, u32, u32, Vec<u8>)> {
    let text = b"class CfgPatches { class Bone {}; }; ".repeat(20);
    vec![
        ("config.cpp", PACKED, text.len() as u32, packed(&text)),
        ("data\\bone_co.paa", STORED, 0, b"picture".to_vec()),
        ("empty.txt", STORED, 0, Vec::new()),
    ]
}

/// The contents, and what was reported.
fn opened(file: &[u8]) -> Result<(Contents, Vec<&'static str>), &'static str> {
    opened_within(file, &MemberLimits::default())
}

fn opened_within(file: &[u8], limits: &MemberLimits) -> Result<(Contents, Vec<&'static str>), &'static str> {
    let mut cx = Reading::new("x.pbo", limits);
    let contents = read(&Source::from(file.to_vec()), &mut cx).map_err(|trouble| trouble.code.id)?;
    Ok((contents, cx.into_troubles().iter().map(|trouble| trouble.code.id).collect()))
}

/// What a member unpacks to, and what is wrong with it.
fn unpacked(file: &[u8], index: usize) -> Result<(Vec<u8>, Vec<&'static str>), &'static str> {
    let (contents, _) = opened(file)?;
    let range = contents.items[index].stored[0].clone();
    let end = range.end.min(file.len() as u64);
    let stored = Source::from(file[range.start as usize..end as usize].to_vec());
    let limits = MemberLimits::default();
    let cx = Unpacking { limits: &limits, cancel: Cancel::never() };
    let unpacked = contents.container.unpack(index, &stored, &cx).map_err(|trouble| trouble.code.id)?;
    let codes = unpacked.troubles.iter().map(|trouble| trouble.code.id).collect();
    Ok((unpacked.source.as_slice().to_vec(), codes))
}

fn check(file: &[u8]) -> Vec<&'static str> {
    let (contents, _) = opened(file).unwrap();
    contents.container.check(&Source::from(file.to_vec())).iter().map(|trouble| trouble.code.id).collect()
}

#[test]
fn members_follow_the_headers_in_their_order() {
    let file = pbo(Some(&[("prefix", "bone"), ("version", "1")]), &three(), true);
    let (contents, reported) = opened(&file).unwrap();
    let items: Vec<_> = contents.items.iter().map(|i| (i.name.as_str(), i.size, i.method, i.is_plain)).collect();
    let expected = [
        ("config.cpp", Some(740), "LZSS", false),
        ("data\\bone_co.paa", Some(7), "stored", true),
        ("empty.txt", Some(0), "stored", true),
    ];
    assert_eq!((items, reported), (expected.to_vec(), Vec::new()));
    let range = contents.items[1].stored[0].clone();
    assert_eq!(&file[range.start as usize..range.end as usize], b"picture");
    assert_eq!(unpacked(&file, 0).unwrap(), (b"class CfgPatches { class Bone {}; }; ".repeat(20), Vec::new()));
    assert!(check(&file).is_empty());
    // Every byte but the members' is a field.
    let source = Source::from(file.clone());
    let gaps = crate::formats::coverage::gaps(&contents.container.fields(&source), 0..file.len() as u64);
    let data = contents.items[0].stored[0].start..contents.items[2].stored[0].end;
    assert_eq!(gaps, [data]);
    let record = contents.container.record(1, &source);
    assert_eq!(
        (record[0].offset, &record[0].value),
        (contents.items[1].record.start, &Value::Text("data\\bone_co.paa".into()))
    );
}

#[test]
fn what_lies_after_the_members_is_a_hash_or_trailing() {
    let whole = pbo(None, &three(), true);
    let mut wrong = whole.clone();
    *wrong.last_mut().unwrap() ^= 1;
    assert_eq!((opened(&wrong).unwrap().1.len(), check(&wrong)), (0, vec!["container.checksum-mismatch"]));
    wrong[whole.len() - 21] = 1;
    assert_eq!((opened(&wrong).unwrap().1, check(&wrong)), (vec!["container.data-trailing"], Vec::new()));
    assert_eq!(opened(&[&whole[..], b"!"].concat()).unwrap().1, ["container.data-trailing"]);
    assert!(opened(&pbo(None, &three(), false)).unwrap().1.is_empty());
}

#[test]
fn the_list_ends_at_an_empty_name_whatever_its_fields_hold() {
    let mut file = header("a.txt", STORED, 1, 1);
    file.extend(header("", PACKED, 9, 9));
    file.push(b'x');
    let (contents, reported) = opened(&file).unwrap();
    assert_eq!((contents.items.len(), reported.len()), (1, 0));
    let mut later = header("a.txt", STORED, 1, 1);
    later.extend(header("", VERSION, 0, 0));
    later.push(b'x');
    let (contents, reported) = opened(&later).unwrap();
    assert_eq!((contents.items.len(), reported), (1, vec!["container.field-odd"]));
    assert_eq!(opened(&header("a.txt", STORED, 1, 1)).err(), Some("container.data-truncated"));
    assert_eq!(opened(&header("", VERSION, 0, 0)).err(), Some("container.data-truncated"));
}

#[test]
fn offsets_past_four_gigabytes_are_counted() {
    let file = [header("a", STORED, 0, u32::MAX), header("b", STORED, 0, 9), header("", 0, 0, 0)].concat();
    let (contents, _) = opened(&file).unwrap();
    let start = file.len() as u64 + u64::from(u32::MAX);
    assert_eq!(contents.items[1].stored[0], start..start + 9);
}

#[test]
fn methods_decide_and_sizes_do_not() {
    let file = pbo(
        None,
        &[("a", ENCRYPTED, 3, vec![1; 3]), ("b", 0x1234_5678, 3, vec![1; 3]), ("c", STORED, 3, vec![1; 3])],
        false,
    );
    assert_eq!(unpacked(&file, 0), Err("container.encrypted"));
    assert_eq!(unpacked(&file, 1), Err("container.method-unsupported"));
    assert!(opened(&file).unwrap().0.items[2].is_plain);
    let ciphered = pbo(Some(&[("prefix", "x"), ("encryption", "e")]), &three(), false);
    assert_eq!(opened(&ciphered).err(), Some("container.encrypted"));
}

#[test]
fn packed_members_say_what_is_wrong_with_them() {
    let text = b"bone bone bone bone bone".to_vec();
    let file = |size: u32, bytes: Vec<u8>| pbo(None, &[("a", PACKED, size, bytes)], false);
    assert_eq!(unpacked(&file(24, packed(&text)), 0).unwrap(), (text.clone(), Vec::new()));
    assert_eq!(unpacked(&file(u32::MAX, packed(&text)), 0), Err("container.bomb-size"));
    assert_eq!(unpacked(&file(60, packed(&text)), 0), Err("container.data-truncated"));
    let mut wrong = packed(&text);
    *wrong.last_mut().unwrap() ^= 1;
    assert_eq!(unpacked(&file(24, wrong), 0).unwrap(), (text.clone(), vec!["container.checksum-mismatch"]));
    let cut = packed(&text)[..packed(&text).len() - 1].to_vec();
    assert_eq!(unpacked(&file(24, cut), 0).unwrap(), (text, vec!["container.checksum-mismatch"]));
}

#[test]
fn content_tells_and_the_name_where_it_says_little() {
    let hint = |file_name| Hint { file_name };
    let scores = |file: &[u8], name| {
        (
            score(&file[..file.len().min(256)], &hint(name)),
            score_whole(&Source::from(file.to_vec()), &hint(name), Score::No),
        )
    };
    assert_eq!(scores(&pbo(Some(&[]), &[], false), "x.bin").0, Score::Certain);
    let old = pbo(None, &three(), false);
    assert_eq!(scores(&old, "x.bin"), (Score::No, Score::Likely));
    let two = pbo(None, &three()[..2], false);
    assert_eq!(scores(&two, "x.bin"), (Score::No, Score::No));
    assert_eq!(scores(&two, "x.PBO"), (Score::Name, Score::Likely));
    let unknown = pbo(None, &[("a", 5, 0, vec![1]), ("b", 5, 0, vec![1]), ("c", 5, 0, vec![1])], false);
    assert_eq!(scores(&unknown, "x.bin"), (Score::No, Score::No));
    assert_eq!(scores(&old[..old.len() - 30], "x.bin"), (Score::No, Score::No));
    assert_eq!(scores(b"plain text, and no NUL in it", "x.txt"), (Score::No, Score::No));
}

#[test]
fn long_lists_are_read_piece_by_piece_and_have_an_end() {
    let many: Vec<_> = (0..6000).map(|_| ("a\\name\\that\\is\\not\\short.sqf", STORED, 0, vec![7])).collect();
    let file = pbo(Some(&[("prefix", "x")]), &many, true);
    let (contents, _) = opened(&file).unwrap();
    assert_eq!((contents.items.len(), check(&file).len()), (6000, 0));
    let few = MemberLimits { count: 5999, ..MemberLimits::default() };
    assert_eq!(opened_within(&file, &few).err(), Some("container.bomb-count"));
    let small = MemberLimits { table: 100_000, ..MemberLimits::default() };
    assert_eq!(opened_within(&file, &small).err(), Some("container.bomb-size"));
}

#[test]
fn damaged_files_give_members_or_say_why_not() {
    let whole = pbo(Some(&[("prefix", "bone")]), &three(), true);
    let survive = |file: &[u8]| {
        let Ok((contents, _)) = opened(file) else { return };
        let source = Source::from(file.to_vec());
        contents.container.fields(&source);
        contents.container.check(&source);
        for (index, item) in contents.items.iter().enumerate() {
            contents.container.record(index, &source);
            if item.stored[0].start <= file.len() as u64 {
                let _ = unpacked(file, index);
            }
        }
    };
    for length in 0..whole.len() {
        survive(&whole[..length]);
    }
    for at in 0..whole.len() - 3 {
        for number in [0, 1, 0x7FFF_FFFF, u32::MAX] {
            let mut damaged = whole.clone();
            damaged[at..at + 4].copy_from_slice(&number.to_le_bytes());
            survive(&damaged);
        }
    }
}
