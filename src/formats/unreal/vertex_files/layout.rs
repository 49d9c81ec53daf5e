//! The layout of both files (formats/unreal.md §8.8): one description for what is read and for its fields.

use crate::{
    bytes::{Endian, Source},
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
        unreal::{
            encode::FilePolygon,
            mesh::{type_names, unpacked},
        },
    },
};
use std::ops::Range;

/// Bytes in front of the polygons, and of each.
pub const HEADER: u64 = 48;
pub const POLYGON: u64 = 16;
/// Bytes in front of the frames.
pub const FRAMES_AT: u64 = 4;

/// Reads a file from its start.
pub fn reader(source: &Source) -> FieldReader<'_> {
    FieldReader::new(source, 0..source.len() as u64, Endian::Little)
}

/// `NAME_d.3d`.
#[derive(Clone, Debug, Default)]
pub struct PolygonFile {
    /// NumPolygons.
    pub promised: u16,
    /// NumVertices.
    pub vertices: u16,
    /// Those that are whole.
    pub polygons: Vec<FilePolygon>,
}

impl PolygonFile {
    /// # Errors
    /// When the file ends inside its header.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        let mut r = reader(source);
        let (promised, vertices) = read_polygon_header(&mut r)?;
        let whole = r.whole_records(promised.into(), POLYGON);
        Ok(Self { promised, vertices, polygons: read_polygons(&mut r, whole)? })
    }

    /// Bytes of the polygons.
    pub fn range(&self) -> Range<u64> {
        HEADER..(self.polygons.len() as u64).saturating_mul(POLYGON).saturating_add(HEADER)
    }
}

/// NumPolygons and NumVertices.
pub fn read_polygon_header(r: &mut FieldReader<'_>) -> Result<(u16, u16), Fault> {
    let counts = (r.u16("NumPolygons")?, r.u16("NumVertices")?);
    r.u16("BogusRot")?;
    r.u16("BogusFrame")?;
    for name in ["BogusNormX", "BogusNormY", "BogusNormZ", "FixScale", "Unused1", "Unused2", "Unused3"] {
        r.u32(name)?;
    }
    r.bytes("Unused4", "u8[12]", 12, Value::Raw)?;
    Ok(counts)
}

/// `count` polygons, which are there.
pub fn read_polygons(r: &mut FieldReader<'_>, count: usize) -> Result<Vec<FilePolygon>, Fault> {
    r.records("Polygons", "Polygon", count as u64, POLYGON, |r, _| read_polygon(r))
}

fn read_polygon(r: &mut FieldReader<'_>) -> Result<FilePolygon, Fault> {
    let vertices = r.u16s::<3>("Vertices")?;
    let at = r.offset();
    let surface = r.raw().u8()?;
    r.record("Type", "u8", at, || Value::Flags { value: surface.into(), names: type_names(surface) });
    let color = r.u8("Color")?;
    let uvs = [r.u8s::<2>("UV0")?, r.u8s::<2>("UV1")?, r.u8s::<2>("UV2")?];
    Ok(FilePolygon { vertices, surface, color, uvs, texture: r.u8("TextureNum")?, flags: r.u8("Flags")? })
}

/// How a vertex is stored (§8.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VertSize {
    /// 11, 11 and 10 bits.
    #[default]
    Packed,
    /// Three numbers of 16 bits and two bytes more: Deus Ex.
    Wide,
}

impl VertSize {
    /// What the size of a frame says; `None` where it fits the number of vertices in neither way.
    pub fn of(frame_size: u16, vertices: u16) -> Option<Self> {
        let fits = |size: &Self| u64::from(vertices).saturating_mul(size.bytes()) == u64::from(frame_size);
        [Self::Packed, Self::Wide].into_iter().find(fits)
    }

    pub fn bytes(self) -> u64 {
        match self {
            Self::Packed => 4,
            Self::Wide => 8,
        }
    }

    /// Vertices of a frame of so many bytes.
    pub fn stride(self, frame_size: u16) -> u16 {
        match self {
            Self::Packed => frame_size / 4,
            Self::Wide => frame_size / 8,
        }
    }
}

/// `NAME_a.3d`.
#[derive(Clone, Debug)]
pub struct FrameFile {
    source: Source,
    /// NumFrames.
    pub promised: u16,
    /// FrameSize.
    pub frame_size: u16,
    /// Frames that are whole; none where they have no bytes.
    pub whole: u16,
}

impl FrameFile {
    /// # Errors
    /// When the file ends inside its header.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        let mut r = reader(source);
        let (promised, frame_size) = read_frame_header(&mut r)?;
        let whole = r.whole_records(promised.into(), frame_size.into());
        let whole = u16::try_from(whole).unwrap_or(u16::MAX);
        Ok(Self { source: source.clone(), promised, frame_size, whole })
    }

    /// Bytes of the whole frames.
    pub fn range(&self) -> Range<u64> {
        let size = u64::from(self.whole).saturating_mul(self.frame_size.into());
        FRAMES_AT..size.saturating_add(FRAMES_AT)
    }

    /// Vertices of all whole frames, one frame after the other.
    pub fn verts(&self, size: VertSize) -> Vec<[i16; 3]> {
        let each_frame = usize::from(self.frame_size).max(1);
        let mut verts = Vec::with_capacity(usize::from(self.whole).saturating_mul(size.stride(self.frame_size).into()));
        for frame in self.source.part(self.range()).chunks_exact(each_frame) {
            match size {
                VertSize::Packed => {
                    verts.extend(frame.as_chunks::<4>().0.iter().map(|word| unpacked(u32::from_le_bytes(*word))));
                }
                VertSize::Wide => {
                    let place = |v: &[u8; 8]| [[v[0], v[1]], [v[2], v[3]], [v[4], v[5]]].map(i16::from_le_bytes);
                    verts.extend(frame.as_chunks::<8>().0.iter().map(place));
                }
            }
        }
        verts
    }
}

/// NumFrames and FrameSize.
pub fn read_frame_header(r: &mut FieldReader<'_>) -> Result<(u16, u16), Fault> {
    Ok((r.u16("NumFrames")?, r.u16("FrameSize")?))
}

/// The whole frames as a table of tables.
pub fn frame_fields(r: &mut FieldReader<'_>, file: &FrameFile, size: VertSize) -> Result<(), Fault> {
    let (count, stride) = (file.whole.into(), file.frame_size.into());
    let vertices = u64::from(size.stride(file.frame_size));
    // A file whose frames have no whole number of words is none (`Half::of`).
    r.table("Frames", "Frame", count, stride, move |r, _| {
        r.table("Vertices", "Vert", vertices, size.bytes(), move |r, _| read_vert(r, size))
    })
}

fn read_vert(r: &mut FieldReader<'_>, size: VertSize) -> Result<(), Fault> {
    match size {
        VertSize::Packed => {
            let at = r.offset();
            let vert = unpacked(r.raw().u32()?);
            r.record("Position", "u32", at, || Value::Ints(vert.map(i64::from).to_vec()));
            Ok(())
        }
        VertSize::Wide => {
            r.i16s::<3>("Position")?;
            r.pad(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::unreal::encode::{Vertices, encode_mesh_data, encode_mesh_frames, pack_vertex};

    #[test]
    fn polygons_are_read_as_they_were_written() {
        let polygon = FilePolygon {
            vertices: [1, 2, 0x304],
            surface: 0x13,
            color: 5,
            uvs: [[6, 7], [8, 9], [10, 11]],
            texture: 12,
            flags: 13,
        };
        let other = FilePolygon { vertices: [0xFFFF, 0, 7], surface: 0xF9, ..polygon };
        let file = PolygonFile::read(&Source::from(encode_mesh_data(&[polygon, other], 0x305))).unwrap();
        assert_eq!((file.promised, file.vertices, file.range()), (2, 0x305, 48..80));
        assert_eq!(file.polygons, [polygon, other]);
    }

    #[test]
    fn frames_are_read_in_both_sizes() {
        let places = [[1, -2, 3], [-1024, 1023, -512], [0, 0, 511], [7, 8, 9]];
        let words = places.map(|place| pack_vertex(place.map(i32::from))).to_vec();
        for (vertices, size) in
            [(Vertices::Packed(words), VertSize::Packed), (Vertices::Wide(places.to_vec()), VertSize::Wide)]
        {
            let file = FrameFile::read(&Source::from(encode_mesh_frames(&vertices, 2))).unwrap();
            assert_eq!((file.promised, file.whole, u64::from(file.frame_size)), (2, 2, 2 * size.bytes()));
            assert_eq!(VertSize::of(file.frame_size, 2), Some(size));
            assert_eq!(file.verts(size), places);
        }
        assert_eq!(VertSize::of(0, 0), Some(VertSize::Packed));
        assert_eq!([12, 20, 23].map(|size| VertSize::of(size, 2)), [None; 3]);
    }

    #[test]
    fn counts_that_are_too_high_give_what_is_there() {
        let file = PolygonFile::read(&Source::from([&[0xFF; 48][..], &[1; 40]].concat())).unwrap();
        assert_eq!((file.promised, file.polygons.len(), file.range()), (u16::MAX, 2, 48..80));
        let file = FrameFile::read(&Source::from([&[0xFF, 0xFF, 8, 0][..], &[1; 20]].concat())).unwrap();
        assert_eq!((file.promised, file.whole, file.range()), (u16::MAX, 2, 4..20));
        let empty = FrameFile::read(&Source::from(vec![0xFF, 0xFF, 0, 0, 1])).unwrap();
        assert_eq!((empty.whole, empty.range(), empty.verts(VertSize::Wide)), (0, 4..4, Vec::new()));
        assert!(PolygonFile::read(&Source::from(vec![0; 47])).is_err());
        assert!(FrameFile::read(&Source::from(vec![0; 3])).is_err());
    }
}
