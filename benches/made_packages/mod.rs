//! Packages of the sizes that FIGURES.md states, made for the benchmarks.
#![allow(dead_code, reason = "each benchmark uses its part")]

use bonebox::formats::unreal::encode::{
    Export, Mip, PackageWriter, Properties, Ref, TextureData, flags, mip_sizes, write_palette, write_properties,
    write_texture,
};

/// 350 exports, 700 KiB: groups of textures with their palettes, and others without much in them.
pub fn package_of_700_kib() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let texture = package.class("Engine", "Texture");
    let palette = package.class("Engine", "Palette");
    let light = package.class("Engine", "Light");
    let groups: Vec<Ref> = (0..10).map(|n| package.group(&format!("Group{n}"))).collect();
    for n in 0..105_usize {
        let group = groups[n % groups.len()];
        let colors: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, i.wrapping_mul(n as u8), 255 - i]).collect();
        let own = package.add(&Export::new(palette, &format!("Palette{n}")).inside(group), |out| {
            write_palette(out, &colors);
        });
        let mips = mip_sizes(64, 64)
            .into_iter()
            .map(|(width, height)| Mip { width, height, bytes: vec![n as u8; (width * height) as usize] })
            .collect();
        let data = TextureData { palette: own, mips, ..TextureData::default() };
        package.add(&Export::new(texture, &format!("Texture{n}")).inside(group), |out| write_texture(out, &data));
    }
    for n in 0..130_u8 {
        package.add(&Export::new(light, &format!("Light{n}")), |out| {
            write_properties(out, &Properties::new().byte("LightBrightness", n).int("Tag", i32::from(n)));
        });
    }
    package.finish()
}

/// As many small exports, a hundred in a group.
pub fn package_of(count: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let light = package.class("Engine", "Light");
    let mut group = Ref::NULL;
    for n in 0..count {
        if n % 100 == 0 {
            group = package.group(&format!("Group{}", n / 100));
        } else {
            let export = Export::new(light, &format!("Light{n}")).inside(group).flagged(flags::RESOURCE);
            package.add(&export, |out| write_properties(out, &Properties::new()));
        }
    }
    package.finish()
}
