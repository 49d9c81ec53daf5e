//! QUALITY.md P8: textures of the GX chip decoded into a reused buffer.

use bonebox::formats::gx::texture::{Format, Palette, PaletteFormat, decode_into, size_of};
use divan::{Bencher, counter::BytesCount};

const SIDE: u32 = 1024;

fn main() {
    divan::main();
}

/// P8: 1024 × 1024 pixels, one thread. Counted is the output, 4 MiB.
#[divan::bench(args = Format::ALL, sample_count = 200)]
fn texture_of_1024(bencher: Bencher, format: Format) {
    let size = size_of(format, SIDE, SIDE).expect("it is small");
    let data = noise(size);
    let palette = Palette::decode(PaletteFormat::Rgb5a3, &noise(0x8000));
    let mut out = Vec::new();
    bencher.counter(BytesCount::new((SIDE * SIDE * 4) as usize)).bench_local(|| {
        decode_into(format, SIDE, SIDE, divan::black_box(&data), Some(&palette), &mut out).expect("it is whole")
    });
}

/// Bytes that look random and are the same in every run.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}
