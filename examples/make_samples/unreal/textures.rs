//! `BoneboxFX.utx`: pictures of every kind.

use bonebox::formats::unreal::encode::{
    CompressedMips, Export, FontPage, Mip, PackageWriter, Properties, Ref, Spark, TextureData, Value, write_font,
    write_palette, write_sparks, write_texture,
};

use super::super::{coat, creature};
use super::picture::{Paletted, Picture};
use super::{font, walls};

/// The package's name, as other packages import it.
pub const PACKAGE: &str = "BoneboxFX";

/// What another package asks of this one: group and name of a texture.
pub const SKIN: [&str; 2] = ["Skins", "OssieBody"];
pub const EYES: [&str; 2] = ["Skins", "OssieEyes"];
pub const FLAG: [&str; 2] = ["Skins", "Flag"];
pub const POLE: [&str; 2] = ["Rooms", "Trim"];

/// A texture of this package, imported by another one.
pub fn import(package: &mut PackageWriter, path: [&str; 2]) -> Ref {
    package.external(("Engine", "Texture"), PACKAGE, &path)
}

struct Maker {
    package: PackageWriter,
    texture: Ref,
    palette: Ref,
}

impl Maker {
    fn palette(&mut self, name: &str, group: Ref, colors: &[[u8; 3]]) -> Ref {
        self.package.add(&Export::new(self.palette, name).inside(group), |out| write_palette(out, colors))
    }

    fn paletted(&mut self, name: &str, group: Ref, made: &Paletted, properties: Properties) -> Ref {
        let palette = self.palette(&format!("{name}Pal"), group, &made.palette);
        self.texture(name, group, palette, made.mips.clone(), None, properties)
    }

    fn texture(
        &mut self,
        name: &str,
        group: Ref,
        palette: Ref,
        mips: Vec<Mip>,
        compressed: Option<CompressedMips>,
        properties: Properties,
    ) -> Ref {
        let data = TextureData { palette, mips, compressed, properties, ..TextureData::default() };
        self.package.add(&Export::new(self.texture, name).inside(group), |out| write_texture(out, &data))
    }

    fn picture(&mut self, name: &str, group: Ref, picture: &Picture) -> Ref {
        self.paletted(name, group, &picture.paletted(), Properties::new())
    }

    /// A texture that is computed: its class, size, palette and parameters.
    fn computed(
        &mut self,
        class: &str,
        name: &str,
        group: Ref,
        palette: Ref,
        properties: Properties,
        sparks: Option<&[Spark]>,
    ) {
        let class = self.package.class("Fire", class);
        let mips = vec![Mip { width: 64, height: 64, bytes: Vec::new() }];
        let data =
            TextureData { palette, mips, properties: properties.bool("bRealtime", true), ..TextureData::default() };
        self.package.add(&Export::new(class, name).inside(group), |out| {
            write_texture(out, &data);
            if let Some(sparks) = sparks {
                write_sparks(out, sparks);
            }
        });
    }
}

pub fn package() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let (texture, palette) = (package.class("Engine", "Texture"), package.class("Engine", "Palette"));
    let mut maker = Maker { package, texture, palette };
    rooms(&mut maker);
    skins(&mut maker);
    effects(&mut maker);
    letters(&mut maker);
    maker.package.finish()
}

fn rooms(maker: &mut Maker) {
    let group = maker.package.group("Rooms");
    for (name, picture) in [
        ("Bricks", walls::bricks()),
        ("Planks", walls::planks()),
        ("Ceiling", walls::ceiling()),
        ("Trim", walls::trim()),
        ("Door", walls::door()),
    ] {
        maker.picture(name, group, &picture);
    }
    let grate = walls::grate().paletted();
    maker.paletted("Grate", group, &grate, Properties::new().bool("bMasked", true).bool("bTwoSided", true));
    // The same picture twice: palette indices, and DXT1 beside them.
    let picture = walls::sign();
    let sign = picture.paletted();
    let palette = maker.palette("SignPal", group, &sign.palette);
    let compressed = CompressedMips::dxt1(&picture.rgba_mips());
    maker.texture("Sign", group, palette, sign.mips, Some(compressed), Properties::new());
}

fn skins(maker: &mut Maker) {
    let group = maker.package.group("Skins");
    let mesh = creature::mesh();
    let shrunk = |canvas: &super::super::paint::Canvas, size: usize| {
        // Averaged over the pixels that fall together.
        let across = canvas.width / size;
        let step = 1.0 / canvas.width as f32;
        Picture::paint(size, size, |at| {
            let first = at - glam::Vec2::splat(step * (across as f32 - 1.0) * 0.5);
            let spots = (0..across * across).map(|i| glam::Vec2::new((i % across) as f32, (i / across) as f32));
            let sum: glam::Vec3 = spots.map(|offset| canvas.sample(first + offset * step)).sum();
            sum / (across * across) as f32
        })
    };
    let mut body = coat::body(&mesh);
    // Smaller sizes reach further over the borders of what is painted.
    for _ in 0..6 {
        body.bleed();
    }
    maker.picture("OssieBody", group, &shrunk(&body, 256));
    maker.picture("OssieEyes", group, &shrunk(&coat::eye(), 64));
    maker.picture("Flag", group, &walls::flag());
}

fn effects(maker: &mut Maker) {
    let group = maker.package.group("Effects");
    let fire = maker.palette("FirePal", group, &walls::fire_palette());
    let water = maker.palette("WaterPal", group, &walls::water_palette());
    let magic = maker.palette("MagicPal", group, &walls::spark_palette());

    let sparks = campfire();
    let rising = Properties::new().byte("RenderHeat", 244).bool("bRising", true).int("NumSparks", sparks.len() as i32);
    maker.computed("FireTexture", "Campfire", group, fire, rising, Some(&sparks));
    let sparks = fireworks();
    let still = Properties::new().byte("RenderHeat", 232).bool("bRising", false).int("NumSparks", sparks.len() as i32);
    maker.computed("FireTexture", "Wisps", group, magic, still, Some(&sparks));

    maker.computed("WaveTexture", "Pond", group, water, drops(), None);

    let spin = Paletted::of(&walls::spinning_bone(8));
    let palette = maker.palette("SpinPal", group, &spin[0].palette);
    // Each picture names the next one: references come before what they name.
    let frames: Vec<Ref> = (0..spin.len())
        .map(|frame| maker.package.export(&Export::new(maker.texture, &format!("Spin_A{frame:02}")).inside(group)))
        .collect();
    for (frame, made) in spin.iter().enumerate() {
        let properties = Properties::new()
            .bool("bMasked", true)
            .object("AnimNext", frames[(frame + 1) % frames.len()])
            .float("MinFrameRate", 12.0)
            .float("MaxFrameRate", 12.0);
        let data = TextureData { palette, mips: made.mips.clone(), properties, ..TextureData::default() };
        maker.package.write(frames[frame], |out| write_texture(out, &data));
    }
    let glow = walls::glow().paletted();
    maker.paletted("Glow", group, &glow, Properties::new().bool("bTransparent", true));
}

/// Embers along the ground, flames that lick up between them, and sparks that fly.
fn campfire() -> Vec<Spark> {
    const BURN: u8 = 0;
    const BLAZE: u8 = 4;
    const EMIT: u8 = 13;
    let mut sparks = Vec::new();
    for x in (6..58u8).step_by(2) {
        // Hottest in the middle, where it also reaches deepest.
        let far = (f32::from(x) - 32.0).abs() / 27.0;
        let heat = (255.0 * (1.0 - far * far * 0.45)) as u8;
        sparks.push(Spark { kind: BURN, heat, x, y: 61, ..Spark::default() });
        sparks.push(Spark { kind: BURN, heat, x: x + 1, y: 62, ..Spark::default() });
        if far < 0.6 {
            sparks.push(Spark { kind: BURN, heat, x, y: 59, ..Spark::default() });
        }
    }
    for x in [22, 28, 33, 38, 43] {
        sparks.push(Spark { kind: BLAZE, heat: 120, x, y: 56, ..Spark::default() });
    }
    for (x, aside) in [(26, 118), (32, 128), (39, 139)] {
        sparks.push(Spark { kind: EMIT, heat: 220, x, y: 50, a: aside, b: 34, c: 40, d: 0 });
    }
    sparks
}

/// Lights that go round, cross and shoot.
fn fireworks() -> Vec<Spark> {
    const WHEEL: u8 = 26;
    const LISSAJOUS: u8 = 11;
    const LIGHTNING: u8 = 25;
    vec![
        Spark { kind: LISSAJOUS, heat: 90, x: 32, y: 32, a: 131, b: 133, c: 52, d: 0 },
        Spark { kind: LISSAJOUS, heat: 90, x: 32, y: 32, a: 126, b: 132, c: 40, d: 90 },
        Spark { kind: LISSAJOUS, heat: 90, x: 32, y: 32, a: 133, b: 130, c: 28, d: 30 },
        Spark { kind: WHEEL, heat: 190, x: 32, y: 32, a: 0, b: 134, c: 24, d: 240 },
        Spark { kind: LIGHTNING, heat: 230, x: 32, y: 32, a: 0, b: 0, c: 56, d: 215 },
    ]
}

/// Drops that make waves: type, depth, place in half pixels, and four bytes more.
fn drops() -> Properties {
    let drops: [[u8; 8]; 4] = [
        [0, 160, 8, 8, 0, 0, 0, 0],
        [1, 150, 22, 12, 40, 0, 0, 0],
        [2, 170, 12, 24, 0, 0, 12, 0],
        [0, 140, 26, 26, 0, 0, 0, 0],
    ];
    let mut properties = Properties::new()
        .int("NumDrops", drops.len() as i32)
        .byte("WaveAmp", 128)
        .byte("FX_Frequency", 8)
        .byte("FX_Phase", 40)
        .byte("FX_Amplitude", 112)
        .byte("FX_Size", 90)
        .byte("FX_Radius", 0)
        .byte("BumpMapLight", 40)
        .byte("BumpMapAngle", 24)
        .byte("PhongRange", 120)
        .byte("PhongSize", 32);
    for (index, drop) in drops.into_iter().enumerate() {
        let value = Value::Struct("ADrop".to_owned(), drop.map(Value::Byte).to_vec());
        properties = properties.with_element("Drops", index, value);
    }
    properties
}

fn letters(maker: &mut Maker) {
    let group = maker.package.group("Fonts");
    let class = maker.package.class("Engine", "Font");
    let made = Paletted::of(&[font::page(0), font::page(1)]);
    let palette = maker.palette("BoneFontPal", group, &made[0].palette);
    let pages: Vec<FontPage> = made
        .iter()
        .enumerate()
        .map(|(page, made)| {
            let properties = Properties::new().bool("bMasked", true);
            let mips = vec![made.mips[0].clone()];
            let texture = maker.texture(&format!("BoneFontPage{page}"), group, palette, mips, None, properties);
            FontPage { texture, glyphs: font::glyphs(page) }
        })
        .collect();
    maker.package.add(&Export::new(class, "BoneFont").inside(group), |out| write_font(out, &pages, 64));
}
