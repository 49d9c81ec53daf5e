//! A landscape of the tests' own, a document that holds it, and small readers of what it is exported as.

use super::p3d::{made_box, model_bytes};
use bonebox::{
    bytes::{Cancel, Endian, Limits, Source},
    export::{
        ExportError, ExportFormat, ExportJob, ExportSource, Exported, export_entry,
        glb::{GlbOptions, TextureSize},
        obj::ObjSpace,
        terrain::TerrainExport,
    },
    formats::{visitor::mlod::prop_body, *},
    scene::*,
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::{path::Path, sync::Arc};

static INFO: FormatInfo = FormatInfo {
    id: "island",
    name: "Island of the tests",
    family: "Islands",
    extensions: &["island"],
    companions: &[],
    opaque: &[],
    codes: &[],
    metres: 1.0,
};

/// A file with a landscape in it.
pub struct Island {
    outline: Outline,
    source: Source,
    reading: Vec<Choice>,
    pub terrain: Arc<Terrain>,
}

pub const TERRAIN: EntryId = EntryId(1);

impl Island {
    pub fn new(terrain: Terrain) -> Self {
        let mut outline = Outline::new(Role::File, "Island", 4);
        outline.add(EntryId::FILE, "Terrain", "Terrain", Role::Landscape, "Terrain", 0, 4, Content::Terrain);
        let choice = |id: &'static str, value: &str| Choice {
            id,
            label: id,
            value: value.to_owned(),
            evidence: "It says so.".to_owned(),
            rivals: Vec::new(),
            overridden: false,
            number: None,
        };
        let reading = vec![choice("strings", "inclusive"), choice("cell", "12.5")];
        Self { outline, source: Source::from(vec![0; 4]), reading, terrain: Arc::new(terrain) }
    }

    pub fn export(
        &self,
        format: ExportFormat,
        options: TerrainExport,
        target: &Path,
        cancel: &Cancel,
    ) -> Result<Exported, ExportError> {
        self.export_within(None, format, options, target, cancel)
    }

    /// As [`Island::export`], of no more bytes than this.
    pub fn export_within(
        &self,
        max_output: Option<u64>,
        format: ExportFormat,
        options: TerrainExport,
        target: &Path,
        cancel: &Cancel,
    ) -> Result<Exported, ExportError> {
        let source = ExportSource {
            file: "own.island",
            document: self,
            resolver: &NoFiles,
            limits: Limits::default(),
            load: LoadOptions::default(),
            binding: BindingOptions::default(),
            clips_for: &|_, _| Vec::new(),
            model_for: &|_, _| None,
            frame: None,
            obj_space: ObjSpace::Scene,
            // Pictures as they are, to compare them.
            glb: GlbOptions { texture_size: TextureSize::Original, ..GlbOptions::default() },
            space: &|_| Default::default(),
            registers: &[],
            mips: false,
            terrain: options,
        };
        export_entry(
            &source,
            TERRAIN,
            format,
            target,
            &ExportJob { cancel, progress: &|_, _, _| {}, force: false, max_output, resume: false },
        )
    }

    /// What a file holds when nothing is asked for but the format.
    pub fn exported(&self, format: ExportFormat, options: TerrainExport) -> (Vec<u8>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let made = self.export(format, options, &target, Cancel::never()).unwrap_or_else(|e| panic!("{format:?}: {e}"));
        assert_eq!(made.paths, std::slice::from_ref(&target));
        (std::fs::read(&target).unwrap(), made.notes.into_iter().map(String::from).collect())
    }

    pub fn text(&self, format: ExportFormat, options: TerrainExport) -> (String, Vec<String>) {
        let (bytes, notes) = self.exported(format, options);
        (String::from_utf8(bytes).unwrap(), notes)
    }
}

impl Document for Island {
    fn base(&self) -> Base<'_> {
        Base { format: &INFO, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, _: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        Ok(FieldTree::default())
    }

    fn reading(&self) -> &[Choice] {
        &self.reading
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { ground: Some(self), ..Capabilities::default() }
    }

    fn load(&self, _: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        Ok(Asset::Terrain(self.terrain.clone()))
    }
}

impl Ground for Island {
    fn sections(&self) -> &[Section] {
        &[Section { name: "types", offset: 44 }, Section { name: "heights", offset: 2001 }]
    }

    fn terrain_card(&self) -> Option<TerrainCard> {
        let grid = &self.terrain.grid;
        let range = grid.range();
        Some(TerrainCard {
            x: grid.columns,
            z: grid.rows,
            cell: grid.cell,
            range: range.map(|r| [r.min, r.max]),
            mean: range.map(|r| r.mean),
            sha256: "00ff".to_owned(),
        })
    }
}

/// Nine by seven samples, 12.5 m apart, sea and land, two of them holes.
pub fn grid(holes: bool) -> HeightGrid {
    let (columns, rows) = (9_u32, 7_u32);
    let mut heights: Vec<f32> =
        (0..columns * rows).map(|i| ((i * 37 % 61) as f32 - 20.0) * 1.7 + (i as f32) * 0.001_3).collect();
    if holes {
        (heights[4], heights[40]) = (f32::NAN, f32::INFINITY);
    }
    HeightGrid { columns, rows, cell: 12.5, heights: heights.into() }
}

pub fn kind(id: u32, name: &str, model: &str, class: PropClass) -> PropKind {
    PropKind {
        id,
        name: name.into(),
        model: model.into(),
        class,
        marker: PropMarker::Rectangle,
        outline: None,
        fill: (id == 1).then_some([10, 200, 30, 0]),
        size: Vec3::new(4.0, 6.0, 2.0),
        size_source: SizeSource::Class,
        source: None,
        body: None,
    }
}

pub fn prop(slot: u32, kind: u32, name: &str, at: Vec3, heading_degrees: f32, scale: f32) -> Prop {
    let heading = heading_degrees.to_radians();
    let turn = Quat::from_rotation_y(-heading);
    let place = scene_from_ground(at.x, at.y, at.z);
    Prop {
        kind,
        slot,
        id: 1000 + slot,
        type_id: kind + 1,
        name: name.into(),
        world_from_prop: Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, place),
        file_position: at,
        heading,
        scale,
        above_ground: 0.25 * slot as f32,
        outline: None,
        fill: None,
    }
}

/// Names that lists and tables trip over.
pub const NAMES: [&str; 5] = ["", "the \"old\" house; east", "a,b", "two\r\nlines", " blank "];

pub fn island(holes: bool) -> Terrain {
    let kinds = vec![
        kind(1, "smrk", "ca\\plants\\smrk siroky.p3d", PropClass::Natural),
        kind(2, "a \"b\";c", "ca\\odd;\"name\".p3d", PropClass::Other(9)),
        kind(3, "type 3", "", PropClass::Unresolved),
    ];
    let props = (0..12_u32)
        .map(|i| {
            let at = Vec3::new(3.7 * i as f32, 1.5 - i as f32, 70.1 - 5.3 * i as f32);
            prop(i * 2, i % 3, NAMES[i as usize % NAMES.len()], at, -170.0 + 30.0 * i as f32, 0.5 + 0.25 * i as f32)
        })
        .collect();
    Terrain { name: "Island".into(), grid: grid(holes), kinds, props, slots: 24, ..Terrain::default() }
}

/// Metres of the ground of [`island`].
pub const EXTENT: Vec2 = Vec2::new(100.0, 75.0);

/// A box of 2 × 3 × 4 m with a roof and walls, and a flag on another model that it names: itself.
pub fn house() -> Arc<PropBody> {
    let mut level = made_box(1.0, false);
    level.faces[1].texture = "#(argb,8,8,3)color(0.2,0.4,1,1,CO)".to_owned();
    level.points.push([100.0, 0.0, 0.0]);
    let mut flag = level.faces[0].clone();
    flag.corners = vec![(0, 0), (1, 0), (8, 0)];
    level.faces.push(flag);
    let mut marks = vec![0; 9 + 7];
    marks[15] = 1;
    level.tags.push(("proxy:\\ca\\house.001".to_owned(), marks));
    Arc::new(prop_body("ca\\house", &model_bytes(&[level]).into(), |_, _| ()).unwrap())
}

/// Two types of one model, and one without.
pub fn village() -> Terrain {
    let mut terrain = island(false);
    let body = house();
    for kind in &mut terrain.kinds[..2] {
        kind.size = body.bounds.max - body.bounds.min;
        kind.size_source = SizeSource::Model;
        kind.body = Some(body.clone());
    }
    terrain.props[2].fill = Some([200, 10, 20, 0]);
    terrain.props[4].world_from_prop.matrix3.x_axis *= -1.0;
    terrain.missing.push("Some of 2 models are shown as boxes: 1 not found.".to_owned());
    terrain
}

pub fn picture(transparency: u32, offset: Vec2, size: Vec2, width: u32, height: u32, color: [u8; 4]) -> TerrainPicture {
    let mut rgba: Vec<u8> = (0..width * height).flat_map(|_| color).collect();
    // The north-west texel tells which way is up.
    rgba[..3].copy_from_slice(&[1, 2, 3]);
    let image = Image { name: "sat".into(), width, height, rgba: rgba.into(), stored_as: String::new() };
    TerrainPicture {
        name: "satellite".into(),
        file: "sat.png".into(),
        offset,
        size,
        transparency,
        visible: true,
        image: Some(Arc::new(image)),
        source: None,
    }
}

/// A grid as an ESRI ASCII file says it, the south row first; holes are NaN.
pub struct AscGrid {
    pub columns: usize,
    pub rows: usize,
    /// Where the south-west sample stands: the middle of its cell, whichever way the file says it.
    pub origin: [f64; 2],
    pub cell: f64,
    pub heights: Vec<f32>,
}

pub fn read_asc(text: &str) -> AscGrid {
    let mut lines = text.lines();
    let header: std::collections::BTreeMap<&str, f64> = lines
        .by_ref()
        .take(6)
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, value)| (name, value.parse().unwrap()))
        .collect();
    let (columns, rows) = (header["ncols"] as usize, header["nrows"] as usize);
    let (cell, no_data) = (header["cellsize"], header["NODATA_value"] as f32);
    let origin = ["x", "y"].map(|axis| match header.get(&*format!("{axis}llcorner")) {
        Some(corner) => corner + cell / 2.0,
        None => header[&*format!("{axis}llcenter")],
    });
    let mut from_north: Vec<Vec<f32>> = lines
        .map(|line| {
            let row: Vec<f32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
            assert_eq!(row.len(), columns);
            row.into_iter().map(|h| if h == no_data { f32::NAN } else { h }).collect()
        })
        .collect();
    assert_eq!(from_north.len(), rows);
    from_north.reverse();
    AscGrid { columns, rows, origin, cell, heights: from_north.concat() }
}

/// A GeoTIFF of heights as a grid; holes are NaN.
pub fn read_geotiff(bytes: &[u8]) -> AscGrid {
    use tiff::{
        decoder::{Decoder, DecodingResult},
        tags::Tag,
    };
    let mut file = Decoder::new(std::io::Cursor::new(bytes)).unwrap();
    let (columns, rows) = file.dimensions().unwrap();
    let scale = file.get_tag_f64_vec(Tag::ModelPixelScaleTag).unwrap();
    let tie = file.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap();
    let cell = scale[0];
    assert_eq!((scale, &tie[..3], tie[5]), (vec![cell, cell, 0.0], &[0.0; 3][..], 0.0));
    let keys = file.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap();
    let keys: Vec<&[u16]> = keys.chunks_exact(4).collect();
    assert_eq!(keys[0], [1, 1, 0, keys.len() as u16 - 1]);
    assert!(keys[1..].is_sorted_by_key(|key| key[0]));
    let value = |id: u16| keys[1..].iter().find(|key| key[0] == id).map(|key| &key[1..]);
    // A coordinate system of its own, in metres; a sample is its cell.
    assert_eq!((value(1024), value(1025)), (Some(&[0, 1, 32_767][..]), Some(&[0, 1, 1][..])));
    assert_eq!((value(3076), value(3072)), (Some(&[0, 1, 9001][..]), None));
    let citation = file.get_tag_ascii_string(Tag::GeoAsciiParamsTag).unwrap();
    assert_eq!(value(1026), Some(&[34_737, citation.len() as u16, 0][..]));
    let no_data: f32 = file.get_tag_ascii_string(Tag::GdalNodata).unwrap().parse().unwrap();
    let DecodingResult::F32(samples) = file.read_image().unwrap() else { panic!("they are 32-bit numbers") };
    let from_south = samples.chunks_exact(columns as usize).rev().flatten();
    let heights: Vec<f32> = from_south.map(|h| if *h == no_data { f32::NAN } else { *h }).collect();
    // The outer corner of the north-west cell.
    let origin = [tie[3] + cell / 2.0, tie[4] - cell * f64::from(rows) + cell / 2.0];
    AscGrid { columns: columns as usize, rows: rows as usize, origin, cell, heights }
}

/// East, north and height of each line.
pub fn read_xyz(text: &str) -> Vec<(f64, f64, f32)> {
    let point = |line: &str| {
        let numbers: Vec<&str> = line.split(' ').collect();
        assert_eq!(numbers.len(), 3, "{line}");
        (numbers[0].parse().unwrap(), numbers[1].parse().unwrap(), numbers[2].parse().unwrap())
    };
    text.lines().map(point).collect()
}

/// A 16-bit picture, the south row first, and its texts by keyword.
pub struct Greys {
    pub columns: usize,
    pub rows: usize,
    pub greys: Vec<u16>,
    pub texts: std::collections::BTreeMap<String, String>,
}

pub fn read_png16(bytes: &[u8]) -> Greys {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Sixteen));
    let columns = frame.width as usize;
    let from_north: Vec<u16> = pixels.chunks_exact(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect();
    let greys = from_north.chunks_exact(columns).rev().flatten().copied().collect();
    let info = reader.info();
    let texts = info.uncompressed_latin1_text.iter().map(|t| (t.keyword.clone(), t.text.clone())).collect();
    Greys { columns, rows: frame.height as usize, greys, texts }
}

impl Greys {
    pub fn number(&self, keyword: &str) -> f64 {
        self.texts[keyword].parse().unwrap()
    }

    /// The heights that the texts say the greys stand for; holes are `None`.
    pub fn heights(&self) -> Vec<Option<f64>> {
        let (lowest, step, first) = (
            self.number("Minimum height in metres"),
            self.number("Metres per step"),
            self.number("Minimum grey value"),
        );
        let holes = self.texts.contains_key("Grey value of holes");
        let height = |grey: &u16| (!holes || *grey > 0).then(|| lowest + (f64::from(*grey) - first) * step);
        self.greys.iter().map(height).collect()
    }
}

/// Rows of fields as RFC 4180 has them, with any separator.
pub fn read_separated(text: &str, separator: char) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let (mut row, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            c if quoted => field.push(c),
            c if c == separator => row.push(std::mem::take(&mut field)),
            '\r' => {}
            '\n' => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && row.is_empty(), "the text ends inside a row");
    rows
}
