//! `BoneboxFX.utx`: textures of every format.

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
/// The same of the package that [`banner`] makes.
pub const BANNER: [&str; 2] = ["Skins", "Banner"];
pub const BANNER_POLE: [&str; 2] = ["Skins", "Pole"];

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
        (group, palette, size): (Ref, Ref, u32),
        properties: Properties,
        sparks: Option<&[Spark]>,
    ) {
        let class = self.package.class("Fire", class);
        let mips = vec![Mip { width: size, height: size, bytes: Vec::new() }];
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
    let pictures = rooms(&mut maker);
    skins(&mut maker);
    effects(&mut maker, &pictures);
    letters(&mut maker);
    maker.package.finish()
}

/// A package of a banner's textures.
pub fn banner() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let (texture, palette) = (package.class("Engine", "Texture"), package.class("Engine", "Palette"));
    let mut maker = Maker { package, texture, palette };
    let group = maker.package.group(BANNER[0]);
    maker.picture(BANNER[1], group, &walls::banner());
    maker.picture(BANNER_POLE[1], group, &walls::trim());
    maker.package.finish()
}

/// Pictures that computed textures are made of.
struct Pictures {
    bricks: Ref,
    sign: Ref,
}

fn rooms(maker: &mut Maker) -> Pictures {
    let group = maker.package.group("Rooms");
    let bricks = maker.picture("Bricks", group, &walls::bricks());
    for (name, picture) in
        [("Planks", walls::planks()), ("Ceiling", walls::ceiling()), ("Trim", walls::trim()), ("Door", walls::door())]
    {
        maker.picture(name, group, &picture);
    }
    let grate = walls::grate().paletted();
    maker.paletted("Grate", group, &grate, Properties::new().bool("bMasked", true).bool("bTwoSided", true));
    // The same picture twice: palette indices, and DXT1 beside them.
    let picture = walls::sign();
    let sign = picture.paletted();
    let palette = maker.palette("SignPal", group, &sign.palette);
    let compressed = CompressedMips::dxt1(&picture.rgba_mips());
    let sign = maker.texture("Sign", group, palette, sign.mips, Some(compressed), Properties::new());
    Pictures { bricks, sign }
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

fn effects(maker: &mut Maker, pictures: &Pictures) {
    let group = maker.package.group("Effects");
    let fire = maker.palette("FirePal", group, &walls::fire_palette());
    let water = maker.palette("WaterPal", group, &walls::water_palette());
    let magic = maker.palette("MagicPal", group, &walls::spark_palette());

    let sparks = campfire();
    let rising = Properties::new().byte("RenderHeat", 210).bool("bRising", true).int("NumSparks", sparks.len() as i32);
    maker.computed("FireTexture", "Campfire", (group, fire, 64), rising, Some(&sparks));
    let sparks = wisps();
    let still = Properties::new().byte("RenderHeat", 240).bool("bRising", false).int("NumSparks", sparks.len() as i32);
    maker.computed("FireTexture", "Wisps", (group, magic, 64), still, Some(&sparks));
    maker.computed("WaveTexture", "Pond", (group, water, 64), drops(), None);
    // A sign under water, and bricks seen through thick glass.
    let wet = drops().object("SourceTexture", pictures.sign);
    maker.computed("WetTexture", "SunkenSign", (group, Ref::NULL, 128), wet, None);
    let glass = maker.picture("Glass", group, &walls::glass());
    let ice = Properties::new()
        .object("SourceTexture", pictures.bricks)
        .object("GlassTexture", glass)
        .byte("PanningStyle", 0)
        .byte("TimeMethod", 1)
        .byte("HorizPanSpeed", 148)
        .byte("VertPanSpeed", 128)
        .byte("Frequency", 16)
        .byte("Amplitude", 32)
        .bool("MoveIce", true);
    maker.computed("IceTexture", "BrickGlass", (group, Ref::NULL, 128), ice, None);

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

/// A bed of embers, hottest in its middle, sparks that fly off it, and tongues that lick up.
fn campfire() -> Vec<Spark> {
    const BURN: u8 = 0;
    const BLAZE: u8 = 4;
    const ORGANIC: u8 = 17;
    let mut sparks = Vec::new();
    for row in 0..5u8 {
        let half = 22 - row * 2;
        for x in 32 - half..32 + half {
            let far = (f32::from(x) - 31.5).abs() / 22.0;
            let heat = (255.0 * (1.0 - 0.5 * far * far)) as u8;
            sparks.push(Spark { kind: BURN, heat, x, y: 63 - row, ..Spark::default() });
        }
    }
    let thrown = |kind: u8, heat: u8, x: u8, y: u8| Spark { kind, heat, x, y, ..Spark::default() };
    sparks.extend([20, 26, 32, 38, 44].map(|x| thrown(BLAZE, 160, x, 58)));
    sparks.extend([25, 32, 39].map(|x| thrown(ORGANIC, 190, x, 60)));
    sparks
}

/// Lights that go round and cross, and a bolt now and then.
fn wisps() -> Vec<Spark> {
    const LISSAJOUS: u8 = 11;
    const LIGHTNING: u8 = 25;
    const WHEEL: u8 = 26;
    let round = |heat: u8, [a, b, c, d]: [u8; 4]| Spark { kind: LISSAJOUS, heat, x: 32, y: 32, a, b, c, d };
    vec![
        round(160, [131, 133, 52, 0]),
        round(160, [126, 132, 44, 90]),
        round(160, [133, 130, 36, 30]),
        round(160, [125, 129, 56, 60]),
        round(180, [134, 122, 24, 60]),
        Spark { kind: WHEEL, heat: 200, x: 32, y: 32, a: 0, b: 134, c: 20, d: 240 },
        Spark { kind: LIGHTNING, heat: 240, x: 32, y: 32, a: 0, b: 0, c: 60, d: 225 },
    ]
}

/// Drops that make waves: type, depth, place in half pixels, and four bytes more.
fn drops() -> Properties {
    let drops: [[u8; 8]; 4] = [
        [0, 180, 8, 8, 0, 0, 0, 0],
        [1, 190, 22, 12, 40, 0, 0, 0],
        [2, 200, 12, 24, 0, 0, 12, 0],
        [0, 170, 26, 26, 0, 0, 0, 0],
    ];
    let mut properties = Properties::new()
        .int("NumDrops", drops.len() as i32)
        .byte("WaveAmp", 160)
        .byte("BumpMapLight", 60)
        .byte("BumpMapAngle", 24)
        .byte("PhongRange", 120)
        .byte("PhongSize", 64);
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
