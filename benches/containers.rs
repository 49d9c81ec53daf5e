//! Decoders of packed files (formats/containers.md §2, §6, §7.2, §8.4, §10). Counted is the output. Those of which there are no made files take
//! them from the corpus, and are left out without it.

#[path = "../tests/kit/mod.rs"]
mod kit;

use bonebox::{
    bytes::{Cancel, Limits, MemberLimits, Source},
    formats::{
        Content, Diagnostics, Document, NO_OVERRIDES, NoFiles, OpenContext, lzss,
        paa::{Paa, unpack_lzo},
    },
};
use divan::{Bencher, counter::BytesCount};
use std::{path::Path, sync::Arc};

fn main() {
    divan::main();
}

fn corpus(file: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("BONEBOX_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), Into::into);
    std::fs::read(folder.join("containers").join(file)).ok()
}

/// Bytes of what is packed here where no file is at hand.
const PLAIN: usize = 8 << 20;

fn opened(name: &str, bytes: Vec<u8>) -> Box<dyn Document> {
    let mut diagnostics = Diagnostics::new(1);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &NO_OVERRIDES,
    };
    bonebox::formats::open(Source::from(bytes), &mut cx).expect("it is whole")
}

/// Unpacks a member, the first one where none is named, and reads all of it.
fn unpack(bencher: Bencher, name: &str, bytes: Vec<u8>, member: Option<&str>) {
    let document = opened(name, bytes);
    let container = document.container().expect("it is a container");
    let outline = document.outline();
    let first = || outline.with_content(Content::Bytes).next();
    let member = member.map_or_else(first, |path| outline.find_path(path)).expect("it has the member").id;
    let unpack = || {
        let limits = MemberLimits::default();
        let source = container.unpack(member, &limits, Cancel::never()).expect("it is whole").source;
        // What a disc holds is decoded when it is read.
        source.as_slice().len()
    };
    bencher.counter(BytesCount::new(unpack())).bench_local(unpack);
}

/// A level of 63 KB.
#[divan::bench(args = ["uz/BoneRoom_5678.unr.uz", "uz/BoneRoom.unr.uz2"])]
fn package(bencher: Bencher, file: &str) {
    match corpus(file) {
        Some(bytes) => unpack(bencher, file, bytes, None),
        None => println!("skipped: the corpus with {file} is not there"),
    }
}

/// Meshes, textures and text of the samples, over and over, each time a little different: packed to about a half, as games are.
fn plain() -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let one = ["Bonebox.u", "Ossie.psk", "Ossie.psa", "Pennant.uc", "BoneTune.umx"]
        .map(|name| std::fs::read(samples.join(name)).expect("the samples are there"))
        .concat();
    let mut plain = Vec::with_capacity(PLAIN);
    for round in 0_u8.. {
        plain.extend(
            one.iter().enumerate().map(|(at, byte)| if at % 64 == 0 { byte.wrapping_add(round) } else { *byte }),
        );
        if plain.len() >= PLAIN {
            break;
        }
    }
    plain.truncate(PLAIN);
    plain
}

/// A member of 8 MiB, deflated.
#[divan::bench]
fn zip_deflate(bencher: Bencher) {
    let archive = kit::containers::zip(&[kit::containers::ZipMember::deflated("a.bin", &plain())]);
    println!("packed to {} of {PLAIN} bytes", archive.len());
    unpack(bencher, "a.zip", archive, None);
}

/// A file of 8 MiB on a disc in groups of 128 KiB, packed with zstd.
#[divan::bench]
fn rvz_zstd(bencher: Bencher) {
    use kit::discs::{Packing, gcm, wia};
    let disc = gcm("Bones", &[("a.bin", &plain())]);
    let image = wia(&disc, 128 << 10, Packing::Zstd, true);
    println!("packed to {} of {} bytes", image.len(), disc.len());
    unpack(bencher, "a.rvz", image, Some("a.bin"));
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
