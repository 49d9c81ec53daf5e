//! FIGURES.md P4: 2,000 textures of about 150 × 150 pixels in 90 packages, decoded and written as PNG on all cores, as
//! `export --all` does.

use bonebox::{
    bytes::{Cancel, Limits, Source},
    export::{ExportJob, ExportSource, Tree, What, export_all, obj::ObjSpace},
    formats::{
        self, Diagnostics, Document, LoadOptions, NoFiles, OpenContext,
        unreal::encode::{Export, Mip, PackageWriter, TextureData, mip_sizes, write_palette, write_texture},
    },
    scene::{BindingOptions, Model},
};
use divan::{Bencher, counter::ItemsCount};
use std::sync::Arc;

const PACKAGES: usize = 90;
const TEXTURES: usize = 2_000;

fn main() {
    divan::main();
}

/// P4: packages are opened, their textures decoded, encoded and written.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn png_of_2000_textures_in_90_packages(bencher: Bencher) {
    let packages: Vec<Vec<u8>> = (0..PACKAGES).map(package).collect();
    bencher.counter(ItemsCount::new(TEXTURES)).bench_local(|| {
        let folder = tempfile::tempdir().expect("a folder for the pictures");
        let documents: Vec<Box<dyn Document>> = packages.iter().map(|bytes| open(bytes.clone())).collect();
        let names: Vec<String> = (0..PACKAGES).map(|number| format!("Walls{number:02}.utx")).collect();
        let folders: Vec<Vec<String>> = names.iter().map(|name| vec![name.clone()]).collect();
        let clips_for = |_: &Model, _| Vec::new();
        let trees: Vec<Tree<'_>> = documents
            .iter()
            .zip(&names)
            .zip(&folders)
            .map(|((document, name), folders)| Tree {
                source: ExportSource {
                    file: name,
                    document: document.as_ref(),
                    resolver: &NoFiles,
                    limits: Limits::default(),
                    load: LoadOptions::default(),
                    binding: BindingOptions::default(),
                    clips_for: &clips_for,
                    model_for: &|_, _| None,
                    frame: None,
                    obj_space: ObjSpace::Scene,
                    glb: Default::default(),
                    space: &|_| Default::default(),
                    registers: &[],
                    mips: false,
                    terrain: Default::default(),
                },
                what: What::Natural,
                name,
                folders,
                only: None,
                kinds: Default::default(),
                models: Default::default(),
            })
            .collect();
        let job = ExportJob {
            cancel: Cancel::never(),
            progress: &|_, _, _| {},
            force: false,
            max_output: None,
            resume: false,
        };
        let manifest = export_all(&trees, Vec::new(), folder.path(), &job).expect("the folder can be written");
        assert_eq!(manifest.exported.len(), TEXTURES, "the palette of a package is in its textures");
    });
}

fn open(bytes: Vec<u8>) -> Box<dyn Document> {
    let mut diagnostics = Diagnostics::new(1);
    let resolver = Arc::new(NoFiles);
    let mut cx = OpenContext {
        file: "Walls.utx",
        resolver,
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    formats::open(Source::from(bytes), &mut cx).expect("a made package is sound")
}

/// A package of its share of the textures, with all their mips: slopes with some noise on them, as painted walls have.
fn package(number: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Palette");
    let colors: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, i / 2 + 40, 255 - i]).collect();
    let palette = package.add(&Export::new(class, "Colors"), |out| write_palette(out, &colors));
    let class = package.class("Engine", "Texture");
    let mut noise = number as u32 * 7_919 + 1;
    let share = TEXTURES / PACKAGES + usize::from(number < TEXTURES % PACKAGES);
    for texture in 0..share {
        let side = 134 + (texture as u32 * 7) % 33;
        let mips = mip_sizes(side, side)
            .into_iter()
            .map(|(width, height)| {
                let pixel = |i: u32| {
                    noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((i % width + i / width) / 2 + (noise >> 28)) as u8
                };
                Mip { width, height, bytes: (0..width * height).map(pixel).collect() }
            })
            .collect();
        let data = TextureData { palette, mips, ..TextureData::default() };
        package.add(&Export::new(class, &format!("Wall{texture:02}")), |out| write_texture(out, &data));
    }
    package.finish()
}
