//! Archives that are made by hand, to have what no writer makes.

use super::{
    super::{
        contents::{Contents, Reading, Trouble, Unpacked, Unpacking},
        walk,
    },
    read,
};
use crate::{
    bytes::{Budget, Cancel, Limits, MemberLimits, Source, budget},
    formats::{self, Diagnostics, NO_OVERRIDES, NoFiles, OpenContext},
};
use std::{io::Write as _, sync::Arc};

const COPY: (&[u8], &[u8]) = (&[0], &[]);
const DEFLATE: (&[u8], &[u8]) = (&[4, 1, 8], &[]);
const BZIP2: (&[u8], &[u8]) = (&[4, 2, 2], &[]);
const X86: (&[u8], &[u8]) = (&[4], &[]);

/// A block, its coders as the header has them.
struct Block {
    packed: Vec<u8>,
    folder: Vec<u8>,
    coders: usize,
    members: Vec<(usize, u32)>,
}

fn number(n: u64) -> Vec<u8> {
    if n < 0x80 { vec![n as u8] } else { [&[0xFF][..], &n.to_le_bytes()].concat() }
}

fn sum(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// Coders, the first of which gives the output and reads from the second.
fn chain(coders: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut folder = number(coders.len() as u64);
    for (id, properties) in coders {
        folder.push(id.len() as u8 | if properties.is_empty() { 0 } else { 0x20 });
        folder.extend(*id);
        if !properties.is_empty() {
            folder.extend(number(properties.len() as u64));
            folder.extend(*properties);
        }
    }
    for index in 1..coders.len() {
        folder.extend([index as u8 - 1, index as u8]);
    }
    folder
}

/// A block of members, each with its own checksum.
fn block(coders: &[(&[u8], &[u8])], packed: Vec<u8>, members: &[&[u8]]) -> Block {
    let members = members.iter().map(|member| (member.len(), sum(member))).collect();
    Block { packed, folder: chain(coders), coders: coders.len(), members }
}

fn streams(blocks: &[Block], at: usize) -> Vec<u8> {
    let list = |numbers: &[usize]| numbers.iter().flat_map(|n| number(*n as u64)).collect::<Vec<u8>>();
    let mut header = [&[6][..], &list(&[at, blocks.len()]), &[9]].concat();
    header.extend(blocks.iter().flat_map(|block| number(block.packed.len() as u64)));
    header.extend([0, 7, 0x0B]);
    header.extend(list(&[blocks.len()]));
    header.push(0);
    header.extend(blocks.iter().flat_map(|block| block.folder.clone()));
    header.push(0x0C);
    let whole = |block: &Block| block.members.iter().map(|member| member.0).sum::<usize>();
    // What passes between coders may be larger than the output.
    let sizes = |block: &Block| list(&[&[whole(block)][..], &vec![whole(block) * 2; block.coders - 1]].concat());
    header.extend(blocks.iter().flat_map(sizes));
    header.extend([0, 8, 0x0D]);
    header.extend(blocks.iter().flat_map(|block| number(block.members.len() as u64)));
    header.push(9);
    let but_last = |block: &Block| block.members[..block.members.len().saturating_sub(1)].to_vec();
    header.extend(blocks.iter().flat_map(but_last).flat_map(|member| number(member.0 as u64)));
    header.extend([0x0A, 1]);
    header.extend(blocks.iter().flat_map(|block| &block.members).flat_map(|member| member.1.to_le_bytes()));
    header.extend([0, 0]);
    header
}

fn files(count: usize) -> Vec<u8> {
    let names: Vec<u8> = (0..count)
        .flat_map(|n| format!("{n}\0").encode_utf16().collect::<Vec<_>>())
        .flat_map(u16::to_le_bytes)
        .collect();
    [&[5][..], &number(count as u64), &[0x11], &number(names.len() as u64 + 1), &[0], &names, &[0]].concat()
}

/// A file of packed bytes and a header.
fn file(packed: &[u8], header: &[u8]) -> Vec<u8> {
    let mut start = [(packed.len() as u64).to_le_bytes(), (header.len() as u64).to_le_bytes()].concat();
    start.extend(sum(header).to_le_bytes());
    [super::MAGIC, &[0, 4], &sum(&start).to_le_bytes(), &start, packed, header].concat()
}

fn archive(blocks: &[Block]) -> Vec<u8> {
    let packed: Vec<u8> = blocks.iter().flat_map(|block| block.packed.clone()).collect();
    let count = blocks.iter().map(|block| block.members.len()).sum();
    file(&packed, &[&[1, 4][..], &streams(blocks, 0), &files(count), &[0]].concat())
}

fn open_within(bytes: &[u8], limits: &MemberLimits) -> Result<Contents, Trouble> {
    read(&Source::new(bytes), &mut Reading::new("a.7z", limits))
}

fn open(bytes: &[u8]) -> Result<Contents, Trouble> {
    open_within(bytes, &MemberLimits::default())
}

fn refusal(bytes: &[u8]) -> String {
    open(bytes)
        .err()
        .map_or_else(|| "it opens".to_owned(), |trouble| format!("{}: {}", trouble.code.id, trouble.message))
}

fn unpack(contents: &Contents, index: usize) -> Result<Unpacked, Trouble> {
    let (limits, cancel) = (MemberLimits::default(), Cancel::new());
    contents.container.unpack(index, &Source::new(Vec::new()), &Unpacking { limits: &limits, cancel: &cancel })
}

/// The code of a member that is not unpacked, and why.
fn failure(contents: &Contents, index: usize) -> (&'static str, String) {
    unpack(contents, index).err().map_or(("", String::new()), |trouble| (trouble.code.id, trouble.message))
}

/// Runs an act, and returns the work that it took.
fn work_of(act: impl FnOnce()) -> u64 {
    let given = u64::MAX / 2;
    let all = Budget { steps: u64::MAX, bytes: u64::MAX, depth: 9, work: given };
    budget::within(all, || {
        act();
        given - budget::work_left()
    })
    .0
}

fn noise(size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(7);
    (0..size).map(|_| random.u8(..)).collect()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Fifty members in one block, of text that compresses badly.
fn solid() -> (Vec<Vec<u8>>, Contents) {
    let all = noise(500_000);
    let members: Vec<Vec<u8>> = all.chunks(10_000).map(<[u8]>::to_vec).collect();
    let parts: Vec<&[u8]> = members.iter().map(Vec::as_slice).collect();
    let contents = open(&archive(&[block(&[DEFLATE], deflated(&all), &parts)])).unwrap();
    (members, contents)
}

#[test]
fn a_solid_block_costs_its_bytes_once_in_order_and_twice_otherwise() {
    let (members, contents) = solid();
    let take = |index: usize| assert_eq!(unpack(&contents, index).unwrap().source.as_slice(), members[index]);
    let in_order = work_of(|| (0..50).for_each(take));
    let last = work_of(|| take(49));
    assert!(last < 3_000, "the last member is kept: {last}");
    let again = work_of(|| take(48));
    assert!(again.abs_diff(in_order - 49 * 2_000) < in_order / 20, "{in_order}, {again}");
    // From then on the block is kept.
    let backwards = work_of(|| (0..50).rev().for_each(take));
    assert!(backwards < in_order / 4, "{backwards}, {in_order}");
    assert!(contents.container.held() >= 500_000);
    // Two readers, each of which is ahead of the other by turns.
    let (members, contents) = solid();
    let take = |index: usize| assert_eq!(unpack(&contents, index).unwrap().source.as_slice(), members[index]);
    let by_turns = work_of(|| (0..25).flat_map(|index| [index, index + 25]).for_each(take));
    assert!(by_turns < 3 * in_order, "{by_turns}, {in_order}");
    let (members, contents) = solid();
    let take = |index: usize| assert_eq!(unpack(&contents, index).unwrap().source.as_slice(), members[index]);
    // What lies between two members is passed over once.
    let some = work_of(|| [3, 3, 20, 40, 41].into_iter().for_each(take));
    assert!(some < in_order, "{some}, {in_order}");
}

#[test]
fn a_member_with_another_checksum_is_kept_and_said() {
    let (first, second) = (noise(100), noise(70_000));
    let mut bad = block(&[DEFLATE], deflated(&[&first[..], &second].concat()), &[&first, &second]);
    bad.members[0].1 ^= 1;
    let contents = open(&archive(&[bad])).unwrap();
    let unpacked = unpack(&contents, 0).unwrap();
    assert_eq!((unpacked.source.as_slice(), unpacked.troubles.len()), (&first[..], 1));
    assert_eq!(unpacked.troubles[0].code.id, "container.checksum-mismatch");
    let next = unpack(&contents, 1).unwrap();
    assert_eq!((next.source.as_slice(), next.troubles.len()), (&second[..], 0));
    // Members that are stored as they are have theirs checked too.
    let mut plain = block(&[COPY], first.clone(), &[&first]);
    plain.members[0].1 ^= 1;
    let contents = open(&archive(&[plain])).unwrap();
    assert!(contents.items[0].is_plain);
    let troubles = contents.container.check_plain(0, &Source::new(first));
    assert_eq!(troubles.iter().map(|trouble| trouble.code.id).collect::<Vec<_>>(), ["container.checksum-mismatch"]);
}

#[test]
fn a_block_that_breaks_off_keeps_what_comes_before() {
    let all = noise(300_000);
    let parts: Vec<&[u8]> = all.chunks(30_000).collect();
    let packed = deflated(&all);
    let cut = packed[..packed.len() * 45 / 100].to_vec();
    let contents = open(&archive(&[block(&[DEFLATE], cut, &parts)])).unwrap();
    let codes: Vec<_> = (0..10).map(|index| failure(&contents, index).0).collect();
    assert_eq!(codes, [&[""; 4][..], &["container.decode-failed"; 6]].concat());
    // It is not tried again.
    assert!(work_of(|| assert!(unpack(&contents, 9).is_err())) < 3_000);
    assert_eq!(unpack(&contents, 2).unwrap().source.as_slice(), parts[2]);
}

#[test]
fn a_block_that_goes_on_after_its_end_is_said_and_kept() {
    let all = noise(90);
    let contents = open(&archive(&[block(&[DEFLATE], deflated(&all), &[&all[..40], &all[40..60]])])).unwrap();
    let troubles = |index: usize| unpack(&contents, index).unwrap().troubles;
    assert_eq!((troubles(0).len(), troubles(1).len()), (0, 1));
    assert_eq!(troubles(1)[0].code.id, "container.decode-failed");
}

#[test]
fn coders_that_yield_nothing_are_stopped() {
    // Blocks of no bytes, and at the end one that has some.
    let mut packed = [0, 0, 0, 0xFF, 0xFF].repeat(400_000);
    packed.extend(deflated(b"bones"));
    let contents = open(&archive(&[block(&[DEFLATE], packed.clone(), &[b"bones"])])).unwrap();
    assert_eq!(
        failure(&contents, 0),
        ("container.decode-failed", "unpacking the compressed data produces no output".to_owned())
    );
    // The same behind another coder, which makes them of few bytes.
    let contents = open(&archive(&[block(&[DEFLATE, DEFLATE], deflated(&packed), &[b"bones"])])).unwrap();
    assert_eq!(failure(&contents, 0).0, "container.decode-failed");
}

#[test]
fn coders_that_read_much_before_they_give_anything_are_not_stopped() {
    let all = noise(3_000_000);
    for (coders, packed) in [
        (&[BZIP2][..], bzipped(&all)),
        (&[X86, BZIP2], bzipped(&all)),
        (&[BZIP2, COPY, COPY], bzipped(&all)),
        (&[DEFLATE, BZIP2], bzipped(&deflated(&all))),
        (&[DEFLATE, COPY, COPY, COPY], deflated(&all)),
        (&[DEFLATE], deflated(&[0; 20_000_000])),
    ] {
        let mut block = block(coders, packed, &[&all]);
        if coders == [DEFLATE] {
            block.members = vec![(20_000_000, sum(&[0; 20_000_000]))];
        }
        let contents = open(&archive(&[block])).unwrap();
        let unpacked = unpack(&contents, 0).unwrap_or_else(|trouble| panic!("{coders:?}: {}", trouble.message));
        // Branches of noise are changed.
        assert!(coders[0] == X86 || unpacked.troubles.is_empty(), "{coders:?}");
    }
}

/// Words by chance, with their frequencies in a text.
fn text(size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(11);
    let words: Vec<String> =
        (0..2_000).map(|_| (0..random.usize(2..9)).map(|_| random.lowercase()).collect::<String>() + " ").collect();
    let mut text = Vec::new();
    while text.len() < size {
        let rank = (random.f64() * random.f64() * random.f64() * words.len() as f64) as usize;
        text.extend(words[rank].as_bytes());
    }
    text.truncate(size);
    text
}

#[test]
fn whole_archives_of_text_and_of_noise_are_unpacked_within_the_work_of_their_size() {
    let memory = 16 << 20;
    let properties = [&[6][..], &(memory as u32).to_le_bytes()].concat();
    let ppmd: (&[u8], &[u8]) = (&[3, 4, 1], &properties);
    let ppmd_packed = |bytes: &[u8]| {
        let mut encoder = ppmd_rust::Ppmd7Encoder::new(Vec::new(), 6, memory as u32).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish(false).unwrap()
    };
    for all in [text(9_000_000), noise(3_000_000)] {
        for (coders, packed) in [
            (&[DEFLATE][..], deflated(&all)),
            (&[BZIP2], bzipped(&all)),
            (&[ppmd], ppmd_packed(&all)),
            (&[COPY, DEFLATE], deflated(&all)),
        ] {
            // Many members, each of which has the packed bytes of its whole block.
            let parts: Vec<&[u8]> = all.chunks(5_000).collect();
            let bytes = archive(&[block(coders, packed, &parts)]);
            let mut cx = OpenContext {
                file: "a.7z",
                resolver: Arc::new(NoFiles),
                diagnostics: &mut Diagnostics::new(9),
                limits: Limits::default(),
                overrides: &NO_OVERRIDES,
            };
            let document = formats::open(Source::new(bytes), &mut cx).unwrap();
            let mut members = Vec::new();
            walk(document.container().unwrap(), &cx.limits, Cancel::never(), &mut |walked| {
                members.push(walked.unpacked.unwrap_or_else(|trouble| panic!("{coders:?}: {}", trouble.message)));
                true
            });
            assert_eq!(members.len(), parts.len());
            for (member, part) in members.into_iter().zip(parts) {
                assert!(member.source.as_slice() == part && member.troubles.is_empty(), "{coders:?}");
            }
        }
    }
}

#[test]
fn long_chains_and_circles_are_refused_and_other_members_stay() {
    let made = |bad: Block| {
        let contents = open(&archive(&[bad, block(&[COPY, COPY], b"bones".to_vec(), &[b"bones"])])).unwrap();
        assert_eq!(unpack(&contents, 1).unwrap().source.as_slice(), b"bones");
        failure(&contents, 0)
    };
    let coders = |count: usize| block(&[COPY].repeat(count), b"bone".to_vec(), &[b"bone"]);
    assert_eq!(made(coders(4)).0, "");
    assert_eq!(made(coders(5)), ("container.method-unsupported", "chains of 5 coders are not supported".to_owned()));
    // The second and the third coder read from each other.
    let circle = [&[3, 1, 0, 1, 0, 1, 0][..], &[1, 2, 2, 1]].concat();
    let (code, why) = made(Block { folder: circle, coders: 3, ..coders(1) });
    assert_eq!((code, why.contains("cycle")), ("container.table-invalid", true));
    let encrypted = Block { folder: chain(&[(&[6, 0xF1, 7, 1], &[])]), ..coders(1) };
    assert_eq!(made(encrypted).0, "container.encrypted");
    let unknown = Block { folder: chain(&[(&[4, 0xF7, 0x11, 1], &[])]), ..coders(1) };
    assert_eq!(made(unknown), ("container.method-unsupported", "unknown compression method 04F71101".to_owned()));
    // One of four inputs that takes one, and an input that is connected twice.
    let wide = [&[1, 0x11, 0, 1, 1][..]].concat();
    assert_eq!(made(Block { folder: wide, ..coders(1) }).0, "");
    let twice = [&[3, 1, 0, 1, 0, 1, 0][..], &[1, 2, 1, 0]].concat();
    assert!(
        refusal(&archive(&[Block { folder: twice, coders: 3, ..coders(1) }])).starts_with("container.table-invalid")
    );
}

#[test]
fn memory_is_bounded_by_the_file() {
    let refused = |id: &[u8], properties: &[u8]| {
        let made = archive(&[block(&[(id, properties)], vec![0; 20], &[&[0; 100]])]);
        failure(&open(&made).unwrap(), 0)
    };
    let memory = |mebibytes: u32| [&[6][..], &(mebibytes << 20).to_le_bytes()].concat();
    assert_eq!(refused(&[3, 4, 1], &memory(255)).0, "container.bomb-size");
    assert_ne!(refused(&[3, 4, 1], &memory(16)).0, "container.bomb-size");
    // A dictionary has no more than the bytes that are unpacked, and is not to be larger than any file may have.
    let dictionary = |mebibytes: u32| [&[93][..], &(mebibytes << 20).to_le_bytes()].concat();
    assert_ne!(refused(&[3, 1, 1], &dictionary(200)).0, "container.bomb-size");
    assert_eq!(refused(&[3, 1, 1], &dictionary(300)).0, "container.bomb-size");
    assert_eq!(refused(&[0x21], &[40]).0, "container.bomb-size");
    for (id, properties) in
        [(&[0x21][..], &[41][..]), (&[0x21], &[]), (&[3, 1, 1], &[225, 0, 0, 1, 0]), (&[3, 4, 1], &[1])]
    {
        assert_eq!(refused(id, properties).0, "container.decode-failed", "{id:?}");
    }
    // All coders of a block together.
    let ppmd: (&[u8], &[u8]) = (&[3, 4, 1], &memory(30));
    let made = archive(&[block(&[ppmd, ppmd], vec![0; 20], &[&[0; 100]])]);
    assert_eq!(failure(&open(&made).unwrap(), 0).0, "container.bomb-size");
}

#[test]
fn an_act_without_work_stops_and_one_that_is_cancelled_can_go_on() {
    let (members, contents) = solid();
    let little = Budget { steps: u64::MAX, bytes: u64::MAX, depth: 9, work: 1_000_000 };
    let (stopped, _) = budget::within(little, || failure(&contents, 30));
    assert_eq!(stopped.0, "container.bomb-total");
    assert_eq!(unpack(&contents, 30).unwrap().source.as_slice(), members[30]);
    let limits = MemberLimits::default();
    let cancelled = Unpacking { limits: &limits, cancel: &Cancel::cancelled() };
    let none = Source::new(Vec::new());
    assert_eq!(
        contents.container.unpack(40, &none, &cancelled).err().map(|trouble| trouble.code.id),
        Some("container.decode-failed")
    );
    let cx = Unpacking { limits: &limits, cancel: Cancel::never() };
    assert_eq!(contents.container.unpack(40, &none, &cx).unwrap().source.as_slice(), members[40]);
    // A limit of one member is none of the next.
    let small = MemberLimits { bytes: 9_999, ..limits };
    let cx = Unpacking { limits: &small, cancel: Cancel::never() };
    assert_eq!(
        contents.container.unpack(44, &none, &cx).err().map(|trouble| trouble.code.id),
        Some("container.bomb-size")
    );
    assert_eq!(unpack(&contents, 45).unwrap().source.as_slice(), members[45]);
}

/// A header that is packed so many times, by copying.
fn packed_header(levels: usize, wrong_sum: bool) -> Vec<u8> {
    let mut packed = b"bones".to_vec();
    let mut header =
        [&[1, 4][..], &streams(&[block(&[COPY], packed.clone(), &[b"bones"])], 0), &files(1), &[0]].concat();
    for level in 0..levels {
        let at = packed.len();
        packed.extend(&header);
        let mut inner = block(&[COPY], header.clone(), &[&header]);
        inner.members[0].1 ^= u32::from(wrong_sum && level == 0);
        // The block's own checksum, and no members.
        let whole = streams(&[inner], at);
        let end = whole.len() - 13;
        let digest = &whole[whole.len() - 6..whole.len() - 2];
        header = [&[0x17][..], &whole[..end], &[0x0A, 1], digest, &[0, 0]].concat();
    }
    file(&packed, &header)
}

#[test]
fn headers_are_packed_four_times_at_most_and_have_checksums() {
    for levels in 0..=4 {
        let contents =
            open(&packed_header(levels, false)).unwrap_or_else(|trouble| panic!("{levels}: {}", trouble.message));
        assert_eq!((contents.items.len(), contents.items[0].name.as_str()), (1, "0"), "{levels}");
    }
    assert_eq!(refusal(&packed_header(5, false)), "container.table-invalid: the file list is packed more than 4 times");
    assert!(refusal(&packed_header(2, true)).starts_with("container.checksum-mismatch"));
}

#[test]
fn counts_and_sizes_are_checked_before_anything_is_made() {
    let wrap = |header: &[u8]| file(&[], &[header, &[0; 8]].concat());
    let huge = number(u64::MAX / 2);
    let starts = |header: &[&[u8]]| refusal(&wrap(&header.concat())).split(':').next().unwrap_or_default().to_owned();
    assert_eq!(starts(&[&[1, 5], &huge]), "container.bomb-count");
    assert_eq!(starts(&[&[1, 5], &number(100)]), "container.bomb-count", "the names have no room");
    assert_eq!(starts(&[&[1, 4, 6, 0], &huge, &[9]]), "container.bomb-count");
    assert_eq!(starts(&[&[1, 4, 6], &huge, &huge, &[9]]), "container.bomb-count");
    assert_eq!(starts(&[&[1, 4, 7, 0x0B], &huge, &[0]]), "container.bomb-count");
    let block = [&[1, 4, 6, 0, 1, 9, 1, 0, 7, 0x0B, 1, 0, 1, 1, 0, 0x0C][..]].concat();
    assert_eq!(starts(&[&block, &huge, &[0, 8, 0x0D], &huge]), "container.bomb-count");
    assert_eq!(starts(&[&block, &huge, &[0, 8, 0x0D, 100]]), "container.bomb-count");
    assert_eq!(starts(&[&block, &huge, &[0, 8, 0x0D, 2, 0]]), "container.table-invalid", "sizes are missing");
    assert_eq!(starts(&[&block, &[9, 0, 8, 0x0D, 2, 9, 10]]), "container.table-invalid", "members are larger");
    assert_eq!(starts(&[&[1, 4, 7, 0x0B, 1, 0], &huge]), "container.table-invalid", "coders");
    // A packed header of any size.
    let mut packed = [&[0x17][..], &block[2..], &huge, &[0, 0]].concat();
    assert!(refusal(&wrap(&packed)).starts_with("container.bomb-size"), "{}", refusal(&wrap(&packed)));
    packed.splice(block.len() - 1.., [number(3 << 20), vec![0, 0]].concat());
    assert!(refusal(&wrap(&packed)).contains("The limit for this file"), "{}", refusal(&wrap(&packed)));
    let few = MemberLimits { count: 1, ..MemberLimits::default() };
    let two = archive(&[super::tests::block(&[COPY], b"bones".to_vec(), &[b"bo", b"nes"])]);
    assert_eq!(open_within(&two, &few).err().map(|trouble| trouble.code.id), Some("container.bomb-count"));
}

#[test]
fn archives_without_members_and_those_that_lack_parts() {
    assert!(open(&file(&[], &[])).unwrap().items.is_empty());
    assert!(open(&file(&[], &[1, 0])).unwrap().items.is_empty());
    assert!(
        refusal(&file(b"bones", &[1, 4, 6, 0, 1, 9, 5, 0, 7, 0x0B, 1, 0, 1, 1, 0, 0x0C, 5, 0, 0, 0]))
            .contains("no file list")
    );
    assert!(refusal(&file(&[], &[1, 9])).contains("unknown section"));
    assert!(refusal(&file(&[], &[2, 0])).starts_with("container.table-invalid"));
    assert!(refusal(&file(&[], &[1, 3, 0])).starts_with("container.format-unsupported"));
    // Folders, empty files and instructions, with attributes; times are passed over.
    let names: Vec<u8> = "a\0b\0c\0d\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut header = vec![1, 5, 4, 0x0E, 1, 0xF0, 0x0F, 1, 0b0111_0000, 0x10, 1, 0b0001_0000, 0x14, 2, 0, 0];
    header.extend([&[0x11, 17, 0][..], &names, &[0x15, 7, 0, 0b0010_0000, 0, 0x10, 0, 0, 0, 0, 0]].concat());
    let items = open(&file(&[], &header)).unwrap().items;
    let found: Vec<_> = items.iter().map(|item| (item.name.as_str(), item.is_folder)).collect();
    assert_eq!(found, [("a", true), ("b", false), ("c", true), ("", true)]);
}
