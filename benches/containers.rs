//! Decoders of packed files (formats/containers.md §2, §6, §7.2). Counted is the output. Those of which there are no made files take
//! them from the corpus, and are left out without it.

use bonebox::{
    bytes::{Limits, MemberLimits, Source},
    formats::{
        Content, Diagnostics, NO_OVERRIDES, NoFiles, OpenContext, lzss,
        paa::{Paa, unpack_lzo},
    },
};
use divan::{Bencher, counter::BytesCount};
use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

fn main() {
    divan::main();
}

fn corpus(file: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("BONEBOX_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), Into::into);
    std::fs::read(folder.join("containers").join(file)).ok()
}

/// A level of 63 KB.
#[divan::bench(args = ["uz/BoneRoom_5678.unr.uz", "uz/BoneRoom.unr.uz2"])]
fn package(bencher: Bencher, file: &str) {
    let Some(bytes) = corpus(file) else { return };
    let mut diagnostics = Diagnostics::new(1);
    let mut cx = OpenContext {
        file,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &NO_OVERRIDES,
    };
    let document = bonebox::formats::open(Source::from(bytes), &mut cx).expect("it is whole");
    let container = document.container().expect("it is a container");
    let member = document.outline().with_content(Content::Bytes).next().expect("it has a member").id;
    let unpack = || container.unpack(member, &MemberLimits::default(), &AtomicBool::new(false)).expect("it is whole");
    bencher.counter(BytesCount::new(unpack().source.len())).bench_local(unpack);
}

/// 1 MiB of text that repeats, as configurations do.
#[divan::bench]
fn lzss_of_1_mib(bencher: Bencher) {
    let mut plain = Vec::new();
    let mut number = 1_u32;
    while plain.len() < 1 << 20 {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        plain.extend(format!("class Bone_{} {{ size = {}; }};\r\n", number >> 20, number >> 24).bytes());
    }
    let packed = lzss::encode(&plain);
    println!("packed to {} of {} bytes", packed.len(), plain.len());
    bencher.counter(BytesCount::new(plain.len())).bench_local(|| {
        let mut stream = lzss::Lzss::new(divan::black_box(&packed), plain.len());
        assert!(stream.all());
        stream.into_bytes()
    });
}

/// The first mip of a texture: 32 KiB of DXT5.
#[divan::bench]
fn lzo_mip(bencher: Bencher) {
    let Some(bytes) = corpus("paa/bone_dxt5_lzo.paa") else { return };
    let source = Source::from(bytes);
    let texture = Paa::read(&source, false).expect("it is whole");
    let mip = texture.mips.first().expect("it has mips");
    let size = texture.unpack(mip, &source, &Limits::default()).expect("it is whole").0.len();
    let stored = source.part(mip.stored.clone());
    bencher.counter(BytesCount::new(size)).bench_local(|| unpack_lzo(divan::black_box(stored), size));
}
