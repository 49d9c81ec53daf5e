//! A made game of 177 packages, 117 MB: textures, maps that are built of them, and code with many small exports. Thirteen packages of
//! sounds and scripts more make 126 MB.
#![allow(dead_code, reason = "each benchmark uses its part")]

use bonebox::{
    export::wav,
    formats::unreal::encode::{
        Bounds, BspNode, BspSurface, ClassData, Export, Leaf, LevelData, LightMap, Mip, ModelData, PackageWriter,
        Properties, Ref, StateData, StateFrame, StructData, TextureData, Value, Zone, flags, mip_sizes, write_class,
        write_level, write_model, write_palette, write_properties, write_sound, write_state_frame, write_text_buffer,
        write_texture,
    },
    scene::Pcm,
};
use std::path::{Path, PathBuf};

const TEXTURE_PACKAGES: usize = 80;
const MAPS: usize = 47;
const CODE_PACKAGES: usize = 50;
const SOUND_PACKAGES: usize = 13;

/// Large textures of a package, 256 pixels wide, and small ones of 64.
const LARGE: usize = 6;
const SMALL: usize = 60;

/// Tiles along each side of a map's floor.
const TILES: usize = 50;
/// Bytes of light of each tile: a bit for each place of its light map.
const LIGHT: usize = 144;

/// Writes the packages into a folder; gives them in the order textures, code, maps.
pub fn write(folder: &Path) -> Vec<PathBuf> {
    let textures = (0..TEXTURE_PACKAGES).map(|n| (format!("Walls{n:02}.utx"), texture_package(n)));
    let code = (0..CODE_PACKAGES).map(|n| (format!("Code{n:02}.u"), code_package(n)));
    let maps = (0..MAPS).map(|n| (format!("Map{n:02}.unr"), map_package(n)));
    let write = |(name, bytes): (String, Vec<u8>)| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("the folder can be written");
        path
    };
    textures.chain(code).chain(maps).map(write).collect()
}

/// Writes thirteen packages of sounds and scripts beside them, 10 MB.
pub fn write_sounds(folder: &Path) -> Vec<PathBuf> {
    let write = |n: usize| {
        let path = folder.join(format!("Sounds{n:02}.uax"));
        std::fs::write(&path, sound_package(n)).expect("the folder can be written");
        path
    };
    (0..SOUND_PACKAGES).map(write).collect()
}

/// Writes copies of the game, each file with other bytes at its end, until there are `count`; gives their bytes.
pub fn write_copies(folder: &Path, count: usize) -> u64 {
    let mut written = 0;
    let mut bytes = 0;
    let mut round = 0;
    while written < count {
        let below = folder.join(format!("game{round:02}"));
        std::fs::create_dir_all(&below).expect("the folder can be written");
        let mut paths = write(&below);
        paths.extend(write_sounds(&below));
        for path in paths {
            if written == count {
                std::fs::remove_file(&path).expect("it was just written");
                continue;
            }
            // No two files are equal: none is known by another one's bytes.
            let mut whole = std::fs::read(&path).expect("it was just written");
            whole.extend(format!("{round:08}").bytes());
            std::fs::write(&path, &whole).expect("the folder can be written");
            bytes += whole.len() as u64;
            written += 1;
        }
        round += 1;
    }
    bytes
}

/// Sounds of a second, and classes with their sources.
fn sound_package(number: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Sound");
    let mut noise = number as u32 + 1;
    for n in 0..32 {
        let mut sample = |_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 18) as i16 - (1 << 13)
        };
        let pcm = Pcm { channels: 1, rate_hz: 11_025, samples: (0..11_025).map(&mut sample).collect() };
        let bytes = wav(&pcm, &[]).expect("a short sound");
        package.add(&Export::new(class, &format!("Sound{n:02}")), |out| {
            write_sound(out, &Properties::new(), "WAV", &bytes);
        });
    }
    let buffer = package.class("Core", "TextBuffer");
    for n in 0..40 {
        let name = format!("Thing{n:02}");
        let class = package.export(&Export::new(Ref::NULL, &name));
        let source =
            format!("class {name} extends Object;\r\n\r\n{}", "var int Count; // what it counts\r\n".repeat(60));
        let own = Export::new(buffer, "ScriptText").inside(class);
        let script_text = package.add(&own, |out| write_text_buffer(out, &source));
        let data = StructData { script_text, friendly_name: name, ..StructData::default() };
        let facts = ClassData { config_name: "System".to_owned(), ..ClassData::default() };
        package.write(class, |out| write_class(out, &data, &StateData::default(), &facts));
    }
    package.finish()
}

/// Slopes with some noise on them, as painted walls have, with all mips.
fn painted(side: u32, seed: usize) -> Vec<Mip> {
    let mut noise = seed as u32 * 7_919 + 1;
    let mut picture = |(width, height): (u32, u32)| {
        let mut pixel = |i: u32| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((i % width + i / width) / 2 + (noise >> 28)) as u8
        };
        Mip { width, height, bytes: (0..width * height).map(&mut pixel).collect() }
    };
    mip_sizes(side, side).into_iter().map(&mut picture).collect()
}

fn texture_package(number: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let (palette_class, class) = (package.class("Engine", "Palette"), package.class("Engine", "Texture"));
    let groups: Vec<Ref> = (0..6).map(|n| package.group(&format!("Group{n}"))).collect();
    for n in 0..LARGE + SMALL {
        let group = groups[n % groups.len()];
        let colors: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, i / 2 + n as u8, 255 - i]).collect();
        let own = Export::new(palette_class, &format!("Palette{n}")).inside(group);
        let palette = package.add(&own, |out| write_palette(out, &colors));
        let side = if n < LARGE { 256 } else { 64 };
        let data = TextureData { palette, mips: painted(side, number * 100 + n), ..TextureData::default() };
        let export = Export::new(class, &format!("Wall{n:02}")).inside(group);
        package.add(&export, |out| write_texture(out, &data));
    }
    package.finish()
}

/// Many small exports.
fn code_package(number: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Light");
    let mut group = Ref::NULL;
    for n in 0..1_500 {
        if n % 100 == 0 {
            group = package.group(&format!("Group{}", n / 100));
        }
        let export = Export::new(class, &format!("Light{n}")).inside(group).flagged(flags::RESOURCE);
        let own = Properties::new().int("Tag", (number + n) as i32).float("DrawScale", n as f32).byte("LightHue", 7);
        package.add(&export, |out| write_properties(out, &own));
    }
    package.finish()
}

/// A floor of tiles in textures of eight packages, each with light of its own, and lamps above it.
fn map_package(number: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let level_class = package.class("Engine", "Level");
    let level = package.export(&Export::new(level_class, "MyLevel"));
    let info_class = package.class("Engine", "LevelInfo");
    let info = package.export(&Export::new(info_class, "LevelInfo0").flagged(flags::ACTOR));
    let mut actors = vec![info];
    package.write(info, |out| {
        write_state_frame(out, &StateFrame::idle(info_class));
        write_properties(out, &Properties::new().string("Title", &format!("Map {number}")));
    });
    let light_class = package.class("Engine", "Light");
    for n in 0..600 {
        let place = Value::vector((n % 25) as f32 * 512.0, (n / 25) as f32 * 512.0, 200.0);
        let actor = package.export(&Export::new(light_class, &format!("Light{n}")).flagged(flags::ACTOR));
        package.write(actor, |out| {
            write_state_frame(out, &StateFrame::idle(light_class));
            write_properties(out, &Properties::new().object("Level", info).with("Location", place).byte("LightHue", 9));
        });
        actors.push(actor);
    }
    let textures: Vec<Ref> = (0..40)
        .map(|n| {
            let name = format!("Walls{:02}", (number * 3 + n / 5) % TEXTURE_PACKAGES);
            let path = [format!("Group{}", n % 6), format!("Wall{n:02}")];
            package.external(("Engine", "Texture"), &name, &[&path[0], &path[1]])
        })
        .collect();
    let model = floor(&textures, actors[1]);
    let model_class = package.class("Engine", "Model");
    let model = package.add(&Export::new(model_class, "Model0"), |out| write_model(out, &model));
    let data = LevelData {
        actors,
        protocol: "unreal".to_owned(),
        map: format!("Map{number:02}.unr"),
        port: 7777,
        model,
        ..LevelData::default()
    };
    package.write(level, |out| write_level(out, &data));
    package.finish()
}

fn floor(textures: &[Ref], lamp: Ref) -> ModelData {
    const SIZE: f32 = 192.0;
    let mut model = ModelData {
        vectors: vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        shared_sides: 4,
        zones: vec![Zone { actor: Ref::NULL, connectivity: 1, visibility: 1 }],
        lights: vec![lamp, Ref::NULL],
        leaves: vec![Leaf { zone: 0, permeating: -1, volumetric: -1, visible_zones: 1 }],
        ..ModelData::default()
    };
    for tile in 0..TILES * TILES {
        let (x, y) = ((tile % TILES) as f32 * SIZE, (tile / TILES) as f32 * SIZE);
        let first = model.points.len() as i32;
        // Clockwise from above.
        let corners = [[x, y, 0.0], [x, y + SIZE, 0.0], [x + SIZE, y + SIZE, 0.0], [x + SIZE, y, 0.0]];
        model.points.extend(corners);
        model.vertices.extend((0..4).map(|corner| [first + corner, -1]));
        model.light_maps.push(LightMap {
            data_offset: model.light_bits.len() as i32,
            pan: [x, y, 0.0],
            clamp: [32, 36],
            scale: [SIZE / 32.0, SIZE / 36.0],
            light_actors: 0,
        });
        model.light_bits.extend((0..LIGHT).map(|place| (place * 37 + tile) as u8));
        model.surfaces.push(BspSurface {
            texture: textures[tile % textures.len()],
            flags: 0,
            base: first,
            normal: 0,
            texture_u: 1,
            texture_v: 2,
            light_map: tile as i32,
            brush_poly: 0,
            pan: [0; 2],
            actor: Ref::NULL,
        });
        let is_last = tile + 1 == TILES * TILES;
        model.nodes.push(BspNode {
            plane: [0.0, 0.0, 1.0, 0.0],
            zone_mask: 1,
            vertex_pool: tile as i32 * 4,
            surface: tile as i32,
            coplanar: if is_last { -1 } else { tile as i32 + 1 },
            vertex_count: 4,
            leaves: [0; 2],
            ..BspNode::default()
        });
    }
    model.bounds = Bounds::of(model.points.iter().copied());
    model
}
