//! A whole project, block after block (formats/visitor.md §1.1).

use super::{
    bytes::{Bytes, Places},
    project::{
        Background, Dialect, Layer, LayerNames, Object, ObjectType, Opaque, Project, Road, RoadNets, RoadPiece,
        TransformOrder, Zone,
    },
};

/// Bytes before the number of old textures (§1.1).
const HEADER: usize = 40;
/// Bytes of an object without a name, roughly.
const OBJECT: usize = 90;

/// A project as a file, and where its parts are.
#[derive(Clone, Debug)]
pub struct Written {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Offsets of its parts and counts.
    pub places: Places,
}

/// The file.
pub fn encode_pew(project: &Project, dialect: &Dialect) -> Vec<u8> {
    encode_pew_with_places(project, dialect).bytes
}

/// The file, and where its parts are.
pub fn encode_pew_with_places(project: &Project, dialect: &Dialect) -> Written {
    let [heights, objects] =
        [(project.heights.len(), 4), (project.objects.len(), OBJECT)].map(|(n, s)| n.saturating_mul(s));
    let mut out = Bytes::new(dialect, heights.saturating_add(objects).saturating_add(4096));
    write_header(&mut out, project);
    out.section("object_types");
    out.count(project.types.len());
    project.types.iter().for_each(|t| write_type(&mut out, t));
    if dialect.flags {
        for (name, records) in [("ofp_terrains", &project.terrains), ("ofp_forests", &project.forests)] {
            out.section(name);
            out.flag(records.count == 0);
            if records.count > 0 {
                write_opaque(&mut out, records);
            }
        }
    }
    out.section("road_nets");
    write_road_nets(&mut out, project.roads.as_ref());
    write_ground(&mut out, project);
    out.section("objects");
    out.count(project.objects.len());
    project.objects.iter().for_each(|object| write_object(&mut out, object.as_ref()));
    out.section("layers");
    write_layers(&mut out, &project.layers);
    write_tail(&mut out, project);
    Written { bytes: out.bytes, places: out.places }
}

fn write_header(out: &mut Bytes<'_>, project: &Project) {
    out.section("header");
    out.bytes(format!("POSEW{:02}", out.dialect.version.min(99)).as_bytes());
    out.bytes(&project.header);
    out.bytes.resize(HEADER, 0);
    if let Some(cell) = project.cell.filter(|cell| (7..=36).contains(&cell.offset))
        && let Some(place) = out.bytes.get_mut(cell.offset..).and_then(|bytes| bytes.first_chunk_mut())
    {
        *place = cell.metres.to_le_bytes();
    }
    out.section("ofp_textures");
    write_opaque(out, &project.textures);
}

fn write_opaque(out: &mut Bytes<'_>, records: &Opaque) {
    out.count(records.count);
    out.bytes(&records.bytes);
}

fn write_type(out: &mut Bytes<'_>, kind: &ObjectType) {
    out.string(&kind.model);
    out.string(&kind.name);
    out.u32(kind.class.number());
    out.color_or_default(kind.outline);
    out.color_or_default(kind.fill);
    let end = out.bytes.len().saturating_add(kind.class.block());
    kind.footprint.iter().for_each(|v| out.f64(*v));
    out.u32(kind.id);
    out.bytes(&kind.rest);
    out.bytes.resize(end, 0);
    out.count(kind.subs.len());
    for sub in &kind.subs {
        out.string(&sub.name);
        sub.numbers.iter().for_each(|v| out.u32(*v));
        out.f32s(&sub.start);
        out.f32s(&sub.end);
    }
    out.u32(kind.marker);
    if out.dialect.trailing_ids {
        out.u32(kind.id);
    }
}

fn write_road_nets(out: &mut Bytes<'_>, nets: Option<&RoadNets>) {
    out.flag(nets.is_none());
    if let Some(nets) = nets {
        out.count(nets.roads.len());
        nets.roads.iter().for_each(|road| write_road(out, road));
        write_opaque(out, &nets.crossroads);
    }
}

fn write_road(out: &mut Bytes<'_>, road: &Road) {
    out.string(&road.name);
    out.color(road.key_color);
    out.color(road.color);
    out.flag(road.filled);
    out.f64(road.max_angle_degrees);
    out.f64(road.max_bank_degrees);
    let parts = &road.parts;
    for (pieces, curved) in
        [(&parts.straights, false), (&parts.curves, true), (&parts.specials, false), (&parts.terminators, false)]
    {
        out.count(pieces.len());
        pieces.iter().for_each(|piece| write_piece(out, piece, curved));
    }
}

fn write_piece(out: &mut Bytes<'_>, piece: &RoadPiece, curved: bool) {
    out.string(&piece.name);
    out.u32(piece.type_id);
    out.u16(piece.kind);
    if !curved {
        out.flag(piece.changes_bank);
    }
}

fn write_ground(out: &mut Bytes<'_>, project: &Project) {
    let columns = project.columns as usize;
    out.section("grid");
    out.u32(project.columns);
    out.u32(project.rows);
    out.section("heights");
    if out.dialect.north_first {
        project.heights.chunks(columns.max(1)).rev().for_each(|row| out.f32s(row));
    } else {
        out.f32s(&project.heights);
    }
    out.section("blue");
    out.zeros(out.dialect.blue.unwrap_or_else(|| (columns / 16).saturating_mul(columns)).saturating_mul(4));
    out.section("unknown_after_blue");
    out.u32(project.after_blue);
}

fn write_object(out: &mut Bytes<'_>, object: Option<&Object>) {
    out.flag(object.is_some());
    let Some(object) = object else { return };
    out.u16(object.flag);
    out.u32(object.id);
    let [[ax, ay, az], [ux, uy, uz], [dx, dy, dz]] = object.axes;
    let [px, py, pz] = object.position;
    out.f32s(&match out.dialect.transform {
        TransformOrder::Row3x4 => [ax, ux, dx, px, ay, uy, dy, py, az, uz, dz, pz],
        TransformOrder::Cols4x3 => [ax, ay, az, ux, uy, uz, dx, dy, dz, px, py, pz],
    });
    out.f64(if out.dialect.percent { object.size * 100.0 } else { object.size });
    out.string(&object.name);
    out.f32(object.above_ground);
    out.color_or_default(object.outline);
    out.color_or_default(object.fill);
    out.u32(object.type_id);
}

fn write_layers(out: &mut Bytes<'_>, layers: &[Layer]) {
    out.count(layers.len());
    for (index, layer) in layers.iter().enumerate() {
        if index == 0 || out.dialect.layers == LayerNames::Each {
            out.string(&layer.name);
        }
        out.u32(layer.size_type);
        out.string(&layer.second_name);
        out.flag(layer.is_default);
        out.count(layer.materials.len());
        for material in &layer.materials {
            out.u32(material.number);
            out.string(&material.path);
            out.u32(material.last);
        }
    }
}

/// What follows the layers: zones stand before the blocks of roads up to version 59, and after them from 60 on.
fn write_tail(out: &mut Bytes<'_>, project: &Project) {
    let is_new = out.dialect.version >= 60;
    out.section("after_layers");
    if is_new {
        out.u32(project.after_layers);
    } else {
        write_zones(out, &project.zones);
    }
    out.section("road_blocks");
    write_opaque(out, &project.road_blocks);
    if is_new {
        out.section("named_zones");
        write_zones(out, &project.zones);
    }
    out.section("backgrounds");
    out.count(project.backgrounds.len());
    project.backgrounds.iter().for_each(|background| write_background(out, background));
    out.section("end_blocks");
    out.bytes(&project.end);
}

fn write_zones(out: &mut Bytes<'_>, zones: &[Option<Zone>]) {
    out.count(zones.len());
    for zone in zones {
        out.flag(zone.is_some());
        let Some(zone) = zone else { continue };
        out.u16(zone.movable);
        out.string(&zone.name);
        out.color(zone.area);
        out.color(zone.outline);
        out.u32(zone.style);
        out.count(zone.floats.len());
        out.f32s(&zone.floats);
        out.u32(zone.id);
        out.string(&zone.second_name);
    }
}

fn write_background(out: &mut Bytes<'_>, background: &Background) {
    out.string(&background.file);
    out.string(&background.name);
    out.f32s(&background.offset);
    out.f32s(&background.size);
    out.u32(background.transparency);
    out.u32(u32::from(background.visible));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::visitor::encode::{CellPlace, ObjectClass, StringLength};

    #[test]
    fn an_empty_project_is_counts_alone() {
        let project = Project { cell: Some(CellPlace::of(10.0)), ..Project::default() };
        let out = encode_pew_with_places(&project, &Dialect::default());
        let at = |name| out.places.section(name).unwrap();
        assert_eq!(&out.bytes[..7], b"POSEW60");
        assert_eq!(out.bytes[20..24], [0, 0, 0x20, 0x41]);
        // No terrains, no forests, no road nets; then nothing of anything.
        assert_eq!(out.bytes[44..54], [0, 0, 0, 0, 1, 0, 1, 0, 1, 0]);
        assert_eq!((at("object_types"), at("grid"), at("heights"), at("objects")), (44, 54, 62, 66));
        assert_eq!((out.bytes.len(), out.bytes[54..].iter().all(|b| *b == 0)), (90, true));
        // Version 59 has nothing unknown between layers and zones.
        assert_eq!(encode_pew(&project, &Dialect { version: 59, ..Dialect::default() }).len(), 86);
        assert_eq!(encode_pew(&project, &Dialect::published()).len(), 86);
    }

    #[test]
    fn a_string_counts_its_nul_or_does_not() {
        let written = |strings, text: &str| {
            let dialect = Dialect { strings, ..Dialect::default() };
            let mut out = Bytes::new(&dialect, 0);
            out.string(text);
            out.bytes
        };
        assert_eq!(written(StringLength::Inclusive, "ab"), [3, 0, 0, 0, b'a', b'b', 0]);
        assert_eq!(written(StringLength::InclusiveBare, "ab"), [3, 0, 0, 0, b'a', b'b', 0]);
        assert_eq!(written(StringLength::Exclusive, "ab"), [2, 0, 0, 0, b'a', b'b', 0]);
        assert_eq!(written(StringLength::Inclusive, ""), [1, 0, 0, 0, 0]);
        assert_eq!(written(StringLength::InclusiveBare, ""), [0, 0, 0, 0]);
        assert_eq!(written(StringLength::Exclusive, "é"), [1, 0, 0, 0, 0xE9, 0]);
    }

    #[test]
    fn blocks_of_types_have_the_size_of_their_class() {
        for (class, block) in [
            (ObjectClass::Natural, 118),
            (ObjectClass::Artificial, 118),
            (ObjectClass::Road, 214),
            (ObjectClass::ArtificialInRoad, 118),
        ] {
            let kind = ObjectType { class, id: 0x0403_0201, rest: vec![9; 300], marker: 1, ..ObjectType::default() };
            let dialect = Dialect { trailing_ids: true, ..Dialect::default() };
            let mut out = Bytes::new(&dialect, 0);
            write_type(&mut out, &kind);
            // Two empty strings, the class and two colours come first.
            let block_at = 5 + 5 + 4 + 8;
            assert_eq!(out.bytes[block_at + 16..block_at + 21], [1, 2, 3, 4, 9]);
            assert_eq!(out.bytes[block_at + block..], [0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_transform_lies_in_rows_or_in_columns() {
        let object = Object {
            axes: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]],
            ..Object::new(7, 8, [10.0, 11.0, 12.0], 0.0, 1.5)
        };
        let written = |transform, percent| {
            let dialect = Dialect { transform, percent, ..Dialect::default() };
            let mut out = Bytes::new(&dialect, 0);
            write_object(&mut out, Some(&object));
            assert_eq!(out.bytes.len(), 85);
            assert_eq!(out.bytes[..8], [1, 0, 1, 0, 7, 0, 0, 0]);
            assert_eq!(out.bytes[81..], [8, 0, 0, 0]);
            let floats: Vec<f32> =
                out.bytes[8..56].as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            (floats, f64::from_le_bytes(*out.bytes[56..].first_chunk().unwrap()))
        };
        let rows = vec![1.0, 4.0, 7.0, 10.0, 2.0, 5.0, 8.0, 11.0, 3.0, 6.0, 9.0, 12.0];
        assert_eq!(written(TransformOrder::Row3x4, false), (rows, 1.5));
        let columns = (1..=12).map(|n| n as f32).collect();
        assert_eq!(written(TransformOrder::Cols4x3, true), (columns, 150.0));
    }
}
