//! Landscapes are exported, read back by small readers of the tests' own, and held against the scene they came from.

use crate::kit::{
    read_back::{ReadBack, khronos_validate},
    terrain::*,
};
use bonebox::{
    bytes::Cancel,
    export::{ExportError, ExportFormat, json::write_json, terrain::TerrainExport},
    formats::{Document as _, EntryId, FieldTree},
    scene::*,
};
use glam::{Affine3A, Mat4, Quat, Vec3};
use std::collections::BTreeMap;

const PLAIN: TerrainExport = TerrainExport { step: None, easting: 0.0 };
const SHIFTED: TerrainExport = TerrainExport { step: None, easting: 200_000.0 };
/// Every format that only landscapes have.
fn own_formats() -> Vec<ExportFormat> {
    ExportFormat::ALL.into_iter().filter(|f| f.is_of_terrain()).collect()
}

fn same(found: f32, wanted: f32) -> bool {
    found == wanted || !found.is_finite() && !wanted.is_finite()
}

#[test]
fn a_grid_of_text_holds_the_same_heights() {
    for holes in [false, true] {
        let island = Island::new(island(holes));
        let (text, notes) = island.text(ExportFormat::Asc, SHIFTED);
        let found = read_asc(&text);
        assert_eq!((found.columns, found.rows, found.cell, found.origin), (9, 7, 12.5, [200_000.0, 0.0]));
        let wanted = &island.terrain.grid.heights;
        assert!(found.heights.iter().zip(wanted.iter()).all(|(f, w)| same(*f, *w)), "{text}");
        assert_eq!(found.heights.iter().filter(|h| h.is_nan()).count(), if holes { 2 } else { 0 });
        assert_eq!(notes.iter().any(|n| n.contains("2 samples") && n.contains("-9999")), holes, "{notes:?}");
        assert!(text.lines().skip(6).all(|row| !row.contains(['e', 'E', ','])), "no exponents: {text}");
    }
}

#[test]
fn a_geotiff_holds_the_same_heights_at_the_same_places() {
    for holes in [false, true] {
        let island = Island::new(island(holes));
        let grid = read_asc(&island.text(ExportFormat::Asc, SHIFTED).0);
        let (bytes, notes) = island.exported(ExportFormat::Tiff, SHIFTED);
        let found = read_geotiff(&bytes);
        assert_eq!((found.columns, found.rows, found.cell, found.origin), (9, 7, 12.5, [200_000.0, 0.0]));
        assert_eq!((grid.cell, grid.origin), (found.cell, found.origin));
        assert!(found.heights.iter().zip(&grid.heights).all(|(f, w)| same(*f, *w)), "{:?}", found.heights);
        assert_eq!(notes.iter().any(|n| n.contains("2 samples") && n.contains("-9999")), holes, "{notes:?}");
        assert!(notes.iter().any(|n| n.contains("no map projection")), "{notes:?}");
    }
    // A hole's number that is a height stands for no hole; and heights of more than one strip.
    let (columns, rows) = (700_u32, 90_u32);
    let heights: Vec<f32> = (0..columns * rows).map(|i| i as f32 * 0.25 - 9_999.0).collect();
    let grid = HeightGrid { columns, rows, cell: 0.1, heights: heights.into() };
    let wide = Island::new(Terrain { grid, ..Terrain::default() });
    let found = read_geotiff(&wide.exported(ExportFormat::Tiff, PLAIN).0);
    assert_eq!((found.columns, found.rows, found.cell), (700, 90, 0.1));
    assert!(found.origin.iter().all(|o| o.abs() < 1e-9), "{:?}", found.origin);
    assert!(found.heights.iter().eq(wide.terrain.grid.heights.iter()), "nothing is a hole");
}

#[test]
fn points_hold_the_same_heights_and_leave_holes_out() {
    let island = Island::new(island(true));
    let (text, notes) = island.text(ExportFormat::Xyz, SHIFTED);
    let mut found = read_xyz(&text).into_iter();
    let grid = &island.terrain.grid;
    for (index, height) in grid.heights.iter().enumerate().filter(|(_, h)| h.is_finite()) {
        let (column, row) = (index % 9, index / 9);
        let east = 200_000.0 + 12.5 * column as f64;
        assert_eq!(found.next(), Some((east, 12.5 * row as f64, *height)));
    }
    assert_eq!(found.next(), None);
    assert!(notes.iter().any(|n| n.starts_with("2 samples")), "{notes:?}");
}

#[test]
fn a_grid_and_points_have_the_same_height_at_the_same_place() {
    let island = Island::new(island(true));
    let grid = read_asc(&island.text(ExportFormat::Asc, SHIFTED).0);
    let points = read_xyz(&island.text(ExportFormat::Xyz, SHIFTED).0);
    assert_eq!(points.len(), grid.heights.iter().filter(|height| height.is_finite()).count());
    for (east, north, height) in points {
        // The cell around the point: half a cell to each side of where its sample stands.
        let cell = |at: f64, origin: f64| ((at - (origin - grid.cell / 2.0)) / grid.cell).floor() as usize;
        let (column, row) = (cell(east, grid.origin[0]), cell(north, grid.origin[1]));
        assert_eq!(grid.heights[row * grid.columns + column], height, "at {east} {north}");
        let middle = [(column, grid.origin[0]), (row, grid.origin[1])].map(|(n, o)| o + grid.cell * n as f64);
        assert_eq!(middle, [east, north], "points stand in the middle of cells");
    }
}

#[test]
fn a_file_that_outgrows_its_bound_is_not_there() {
    let mut terrain = island(false);
    // Heights of many digits: more than is counted for each.
    terrain.grid.heights = (0..63).map(|i| -1_234.567_8 - i as f32 * 0.000_977).collect();
    let island = Island::new(terrain);
    // A GeoTIFF goes back to its start at its end.
    for format in [ExportFormat::Asc, ExportFormat::Tiff] {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let bytes = island.exported(format, PLAIN).0.len() as u64;
        let refused = island.export_within(Some(bytes - 1), format, PLAIN, &target, Cancel::never());
        assert!(matches!(refused, Err(ExportError::OverBudget { size, .. }) if size == bytes), "{refused:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        island.export_within(Some(bytes), format, PLAIN, &target, Cancel::never()).unwrap();
    }
}

#[test]
fn a_picture_holds_heights_to_half_a_step() {
    for holes in [false, true] {
        let island = Island::new(island(holes));
        let (bytes, notes) = island.exported(ExportFormat::Png16, PLAIN);
        let picture = read_png16(&bytes);
        assert_eq!((picture.columns, picture.rows, picture.number("Metres between samples")), (9, 7, 12.5));
        let range = island.terrain.grid.range().unwrap();
        assert_eq!(picture.number("Minimum height in metres"), f64::from(range.min));
        assert_eq!(picture.number("Maximum height in metres"), f64::from(range.max));
        let step = picture.number("Metres per step");
        for (found, wanted) in picture.heights().iter().zip(island.terrain.grid.heights.iter()) {
            match found {
                Some(found) => assert!((found - f64::from(*wanted)).abs() <= step * 0.500_001, "{found} {wanted}"),
                None => assert!(!wanted.is_finite()),
            }
        }
        // The whole range is used, and black is for holes alone.
        let (darkest, brightest) = (picture.greys.iter().min(), picture.greys.iter().max());
        assert_eq!((darkest, brightest), (Some(&0), Some(&u16::MAX)));
        assert_eq!(picture.greys.iter().filter(|g| **g == 0).count(), if holes { 2 } else { 1 });
        let said = &picture.texts["Description"];
        assert!(notes.contains(said) && said.contains("north is up") && said.contains(&step.to_string()), "{notes:?}");
    }
}

#[test]
fn the_table_holds_every_object() {
    let island = Island::new(island(false));
    let (text, notes) = island.text(ExportFormat::Csv, SHIFTED);
    assert_eq!(notes, [""; 0]);
    let rows = read_separated(&text, ',');
    let header: Vec<&str> = rows[0].iter().map(String::as_str).collect();
    let all = "slot,id,type_id,type,model,class,name,x,y,z,heading_degrees,scale,above_ground,floor";
    assert_eq!(header.join(","), all);
    assert_eq!(rows.len() - 1, island.terrain.props.len());
    for (row, prop) in rows[1..].iter().zip(&island.terrain.props) {
        let of: BTreeMap<&str, &str> = header.iter().copied().zip(row.iter().map(String::as_str)).collect();
        let number = |name: &str| of[name].parse::<f32>().unwrap();
        let kind = island.terrain.kind_of(prop).unwrap();
        let ids = [prop.slot, prop.id, prop.type_id].map(|n| n.to_string());
        assert_eq!([of["slot"], of["id"], of["type_id"]], [&*ids[0], &*ids[1], &*ids[2]]);
        assert_eq!((of["type"], of["model"], of["name"]), (&*kind.name, &*kind.model, &*prop.name));
        assert!(of["class"].starts_with(kind.class.name()));
        assert_eq!(Vec3::new(number("x"), number("y"), number("z")), prop.file_position);
        assert!((number("heading_degrees") - prop.heading.to_degrees()).abs() < 1e-4);
        assert_eq!((number("scale"), number("above_ground")), (prop.scale, prop.above_ground));
        assert_eq!(number("floor"), prop.world_from_prop.translation.y);
    }
    assert!(rows.iter().any(|r| r[5] == "unknown class 9"), "the number of a class that has no name");
}

/// A name as a list of one line each can hold it.
fn on_one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[test]
fn visitors_list_holds_every_object() {
    let island = Island::new(island(false));
    let (text, notes) = island.text(ExportFormat::VisitorList, SHIFTED);
    let rows = read_separated(&text, ';');
    assert_eq!(rows.len(), island.terrain.props.len());
    for (row, prop) in rows.iter().zip(&island.terrain.props) {
        let kind = island.terrain.kind_of(prop).unwrap();
        let model = if kind.model.is_empty() { &kind.name } else { &kind.model };
        assert_eq!((row.len(), &row[0], row[5].as_str()), (6, model, ""));
        let numbers: Vec<f32> = row[1..5].iter().map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers[..3], [prop.file_position.x, prop.file_position.z, prop.scale]);
        let away = (numbers[3] - prop.heading.to_degrees()).rem_euclid(360.0);
        assert!((0.0..360.0).contains(&numbers[3]) && away.min(360.0 - away) < 1e-3, "{row:?}");
    }
    assert!(notes.iter().any(|n| n.starts_with("4 objects have a type without a model")), "{notes:?}");
}

#[test]
fn terrain_builders_list_holds_every_object() {
    let mut terrain = island(false);
    // One that leans.
    let lean = Quat::from_rotation_x(0.3) * Quat::from_rotation_z(-0.2) * Quat::from_rotation_y(-1.0);
    terrain.props[1].world_from_prop.matrix3 =
        glam::Mat3A::from_quat(lean) * glam::Mat3A::from_diagonal(Vec3::splat(2.0));
    terrain.props[2].world_from_prop = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let island = Island::new(terrain);
    let (text, notes) = island.text(ExportFormat::TerrainBuilderList, SHIFTED);
    let rows = read_separated(&text, ';');
    assert_eq!(rows.len(), island.terrain.props.len());
    let mut names = Vec::new();
    for (index, (row, prop)) in rows.iter().zip(&island.terrain.props).enumerate() {
        assert_eq!((row.len(), row[8].as_str()), (9, ""));
        names.push(row[0].as_str());
        let numbers: Vec<f64> = row[1..8].iter().map(|n| n.parse().unwrap()).collect();
        let (east, north) = (numbers[0] - 200_000.0, numbers[1]);
        let at = prop.file_position;
        assert!((east - f64::from(at.x)).abs() < 1e-5 && (north - f64::from(at.z)).abs() < 1e-5, "{row:?}");
        assert_eq!((numbers[5] as f32, numbers[6] as f32), (prop.scale, prop.above_ground));
        // Yaw about up, then pitch about east, then roll about north: clockwise, north up, east down.
        let [yaw, pitch, roll] = [numbers[2], numbers[3], numbers[4]].map(|d| d.to_radians() as f32);
        let turn = Quat::from_rotation_z(-roll) * Quat::from_rotation_x(pitch) * Quat::from_rotation_y(-yaw);
        let wanted = prop.world_from_prop.matrix3;
        if index != 2 {
            let facing = wanted.z_axis.normalize().dot((turn * Vec3::Z).into());
            let up = wanted.y_axis.normalize().dot((turn * Vec3::Y).into());
            assert!(facing > 0.9999 && up > 0.9999, "{row:?} {prop:?}");
        }
    }
    assert_eq!(names[..3], ["smrk siroky", "odd;\"name\"", "type 3"]);
    assert!(notes.iter().any(|n| n.starts_with("1 object is mirrored")), "{notes:?}");
    assert!(notes.iter().any(|n| n.contains("relative")), "{notes:?}");
}

/// Points of the ground as the file has them: east and north in metres, height.
fn ground_of(file: &ReadBack) -> Option<(Vec<Vec3>, Vec<u32>)> {
    let mesh = file.document.nodes().find(|n| n.name() == Some("Ground"))?.mesh()?;
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&file.blob));
    let points = reader.read_positions().unwrap().map(|[x, y, z]| Vec3::new(x, y, -z)).collect();
    assert!(reader.read_normals().unwrap().all(|n| (Vec3::from(n).length() - 1.0).abs() < 1e-4 && n[1] > 0.0));
    assert!(reader.read_colors(0).is_some());
    Some((points, reader.read_indices().unwrap().into_u32().collect()))
}

#[test]
fn a_glb_holds_the_ground_and_what_stands_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (holes, step) in [(false, None), (true, None), (false, Some(4)), (true, Some(2)), (false, Some(1000))] {
        let island = Island::new(island(holes));
        let path = folder.path().join(format!("{holes}{step:?}.glb"));
        let options = TerrainExport { step, easting: 0.0 };
        island.export(ExportFormat::Glb, options, &path, Cancel::never()).unwrap();
        let file = ReadBack::new(&std::fs::read(&path).unwrap());
        files.push(path);
        let (points, indices) = ground_of(&file).unwrap();
        let kept = |samples: u32| -> Vec<u32> {
            (0..samples).filter(|i| i % step.unwrap_or(1) == 0 || *i == samples - 1).collect()
        };
        let grid = &island.terrain.grid;
        let (columns, rows) = (kept(9), kept(7));
        let wanted = rows.iter().flat_map(|r| columns.iter().map(move |c| (*c, *r)));
        let wanted: Vec<Vec3> =
            wanted.filter_map(|(c, r)| Some(Vec3::new(c as f32 * 12.5, grid.get(c, r)?, r as f32 * 12.5))).collect();
        assert_eq!(points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect::<Vec<_>>(), wanted);
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| points[triangle[i] as usize]);
            // The side that is no edge of a square runs from its south-east to its north-west corner.
            let diagonal = [b - a, c - b, a - c].into_iter().find(|side| side.x != 0.0 && side.z != 0.0).unwrap();
            assert!(diagonal.x * diagonal.z < 0.0, "{diagonal}");
            // Seen from above, east to the right and north up, corners go counter-clockwise.
            assert!((b - a).x * (c - a).z - (b - a).z * (c - a).x > 0.0);
        }
        let squares = (columns.len() - 1) * (rows.len() - 1);
        if !holes {
            assert_eq!(indices.len(), squares * 6);
            assert_eq!(points.last().unwrap().x, 100.0, "the edge is kept");
        } else {
            assert!(indices.len() < squares * 6 && !indices.is_empty());
        }
        objects_stand_where_they_do(&file, &island.terrain);
    }
    khronos_validate(&files);
}

fn objects_stand_where_they_do(file: &ReadBack, terrain: &Terrain) {
    let group = file.document.nodes().find(|n| n.name() == Some("Objects")).unwrap();
    let nodes: Vec<_> = group.children().collect();
    assert_eq!(nodes.len(), terrain.props.len());
    let mut meshes = BTreeMap::new();
    for (node, prop) in nodes.iter().zip(&terrain.props) {
        let found = Mat4::from_cols_array_2d(&node.transform().matrix());
        assert!(found.abs_diff_eq(Mat4::from(prop.world_from_prop), 1e-3), "{found}");
        let kind = terrain.kind_of(prop).unwrap();
        assert_eq!(node.name(), Some(if prop.name.is_empty() { &*kind.name } else { &*prop.name }));
        let extras: serde_json::Value = serde_json::from_str(node.extras().as_ref().unwrap().get()).unwrap();
        assert_eq!([&extras["slot"], &extras["id"], &extras["typeId"]], [prop.slot, prop.id, prop.type_id]);
        // The numbers of the table, by its names.
        let number = |name: &str| extras["placing"][name].as_f64().unwrap() as f32;
        assert_eq!(Vec3::new(number("x"), number("y"), number("z")), prop.file_position);
        assert!((number("heading_degrees") - prop.heading.to_degrees()).abs() < 1e-4);
        assert_eq!((number("scale"), number("above_ground")), (prop.scale, prop.above_ground));
        assert!((number("floor") - found.w_axis.y).abs() < 1e-3, "{found}");
        let mesh = node.mesh().unwrap();
        assert_eq!(mesh.name(), Some(&*kind.name));
        assert_eq!(*meshes.entry(prop.kind).or_insert(mesh.index()), mesh.index(), "one mesh a type");
        let bounds = mesh.primitives().next().unwrap().bounding_box();
        assert_eq!((bounds.min, bounds.max), ([-2.0, 0.0, -1.0], [2.0, 6.0, 1.0]));
    }
    assert_eq!(meshes.len(), 3);
}

#[test]
fn the_ground_says_its_cell_and_where_the_sea_is() {
    let island = Island::new(island(false));
    let file = ReadBack::new(&island.exported(ExportFormat::Glb, PLAIN).0);
    let ground = file.document.nodes().find(|n| n.name() == Some("Ground")).unwrap();
    let extras: serde_json::Value = serde_json::from_str(ground.extras().as_ref().unwrap().get()).unwrap();
    let wanted = serde_json::json!({ "columns": 9, "rows": 7, "cell": 12.5, "step": 1, "seaLevel": 0 });
    assert_eq!(extras, wanted);
    // A box is closed: its sides look outward.
    let mesh = file.document.meshes().find(|m| m.name() == Some("smrk")).unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&file.blob));
    let points: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
    let normals: Vec<Vec3> = reader.read_normals().unwrap().map(Vec3::from).collect();
    let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    assert_eq!((points.len(), indices.len()), (24, 36));
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| points[triangle[i] as usize]);
        let outward = (b - a).cross(c - a).normalize_or_zero();
        assert!(outward.distance(normals[triangle[0] as usize]) < 1e-5);
        assert!(outward.dot(a - Vec3::Y * 3.0) > 0.0);
    }
}

#[test]
fn too_fine_a_ground_is_told() {
    let side = 4_000_u32;
    let heights = vec![1.0_f32; (side * side) as usize];
    let grid = HeightGrid { columns: side, rows: side, cell: 1.0, heights: heights.into() };
    let huge = Island::new(Terrain { grid, ..Terrain::default() });
    let folder = tempfile::tempdir().unwrap();
    let fine = TerrainExport { step: Some(1), easting: 0.0 };
    let refused = huge.export(ExportFormat::Glb, fine, &folder.path().join("a.glb"), Cancel::never()).unwrap_err();
    assert!(refused.to_string().contains("larger step"), "{refused}");
}

#[test]
fn cancelled_exports_leave_no_file() {
    let island = Island::new(island(false));
    let folder = tempfile::tempdir().unwrap();
    for format in own_formats().into_iter().chain([ExportFormat::Glb]) {
        let target = folder.path().join("out");
        let stopped = island.export(format, PLAIN, &target, &Cancel::cancelled());
        assert!(matches!(stopped, Err(ExportError::Cancelled)), "{format:?}: {stopped:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Landscapes that no file should hold.
fn damaged() -> Vec<(&'static str, Terrain)> {
    let with = |change: fn(&mut Terrain)| {
        let mut terrain = island(false);
        change(&mut terrain);
        terrain
    };
    let strange = Affine3A::from_scale_rotation_translation(Vec3::splat(f32::NAN), Quat::IDENTITY, Vec3::INFINITY);
    vec![
        ("nothing", Terrain::default()),
        ("no objects", with(|t| t.props.clear())),
        ("no ground", with(|t| t.grid.heights = vec![f32::NAN; 63].into())),
        ("one row", with(|t| (t.grid.rows, t.grid.heights) = (1, vec![1.0; 9].into()))),
        ("one sample", with(|t| (t.grid.columns, t.grid.rows, t.grid.heights) = (1, 1, vec![1.0].into()))),
        ("short", with(|t| t.grid.heights = t.grid.heights[..20].into())),
        ("huge and empty", with(|t| (t.grid.columns, t.grid.rows) = (u32::MAX, u32::MAX))),
        ("no cell", with(|t| t.grid.cell = 0.0)),
        ("cell is no number", with(|t| t.grid.cell = f32::NAN)),
        ("endless cell", with(|t| t.grid.cell = f32::MAX)),
        ("flat", with(|t| t.grid.heights = vec![-3.5; 63].into())),
        ("extremes", with(|t| t.grid.heights = [f32::MAX, f32::MIN, 1e-40].repeat(21).into())),
        ("no kinds", with(|t| t.kinds.clear())),
        ("strange objects", {
            let mut terrain = island(false);
            for prop in &mut terrain.props[..3] {
                prop.world_from_prop = strange;
                (prop.heading, prop.scale, prop.above_ground) = (f32::NAN, f32::INFINITY, f32::NAN);
                prop.file_position = Vec3::NAN;
            }
            terrain.kinds[0].size = Vec3::new(f32::NAN, -1.0, 0.0);
            terrain
        }),
    ]
}

#[test]
fn damaged_landscapes_are_written_as_far_as_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut valid = Vec::new();
    for (name, terrain) in damaged() {
        let island = Island::new(terrain);
        for format in own_formats().into_iter().chain([ExportFormat::Glb]) {
            let target = folder.path().join(format!("{name} {}.{}", format.id(), format.extension()));
            let made = match island.export(format, SHIFTED, &target, Cancel::never()) {
                Ok(made) => made,
                Err(ExportError::Empty { .. }) if name == "nothing" && format == ExportFormat::Glb => continue,
                Err(error) => {
                    let none = matches!(name, "nothing" | "huge and empty") && format.is_of_heights();
                    assert!(none && error.to_string().contains("no heights"), "{name} {format:?}: {error}");
                    continue;
                }
            };
            let bytes = std::fs::read(&target).unwrap();
            match format {
                ExportFormat::Glb => {
                    let file = ReadBack::new(&bytes);
                    file.assert_sound();
                    let grid = &island.terrain.grid;
                    // Not more ground than there are heights, nor more things than objects.
                    let ground = ground_of(&file).map_or(0, |(points, _)| points.len());
                    assert!(ground <= grid.heights.len(), "{name}: {ground} of {}", grid.heights.len());
                    let nodes = file.document.nodes().filter(|node| node.name() != Some("Ground")).count();
                    assert!(
                        nodes <= island.terrain.props.len() + island.terrain.kinds.len() + 1,
                        "{name}: {nodes} of {}",
                        island.terrain.props.len()
                    );

                    valid.push(target);
                }
                ExportFormat::Png16 => {
                    let picture = read_png16(&bytes);
                    let grid = &island.terrain.grid;
                    let whole_rows = grid.heights.len() as u32 / grid.columns;
                    let sides = (picture.columns as u32, picture.rows as u32);
                    assert_eq!(sides, (grid.columns, grid.rows.min(whole_rows)), "{name}");
                }
                ExportFormat::Tiff => {
                    let (found, grid) = (read_geotiff(&bytes), &island.terrain.grid);
                    let whole_rows = grid.heights.len() as u32 / grid.columns;
                    let sides = (found.columns as u32, found.rows as u32);
                    assert_eq!(sides, (grid.columns, grid.rows.min(whole_rows)), "{name}");
                    assert!(found.heights.iter().zip(grid.heights.iter()).all(|(f, w)| same(*f, *w)), "{name}");
                }
                _ => {
                    let text = String::from_utf8(bytes).unwrap();
                    let words = ["NaN", "nan", "inf", "Inf"];
                    assert!(!words.iter().any(|w| text.contains(w)), "{name} {format:?}: {text}");
                    check_text(format, &text, &island.terrain);
                }
            }
            let unknown_cell = matches!(name, "no cell" | "cell is no number") && !is_of_objects(format);
            assert_eq!(made.notes.iter().any(|n| n.contains("1 m is used")), unknown_cell, "{name}: {:?}", made.notes);
            if name == "short" && !is_of_objects(format) {
                assert!(made.notes.iter().any(|n| n.starts_with("5 rows in the north")), "{:?}", made.notes);
            }
            if name == "strange objects" && is_of_objects(format) {
                assert!(made.notes.iter().any(|n| n.contains("not finite")), "{:?}", made.notes);
            }
        }
    }
    khronos_validate(&valid);
}

fn is_of_objects(format: ExportFormat) -> bool {
    format.is_of_terrain() && !format.is_of_heights()
}

fn check_text(format: ExportFormat, text: &str, terrain: &Terrain) {
    let finite = |p: &&Prop| p.file_position.is_finite();
    match format {
        ExportFormat::Asc => {
            let grid = read_asc(text);
            let whole_rows = terrain.grid.heights.len() / terrain.grid.columns as usize;
            let rows = whole_rows.min(terrain.grid.rows as usize);
            assert_eq!((grid.columns, grid.rows), (terrain.grid.columns as usize, rows));
        }
        ExportFormat::Xyz => {
            let finite = terrain.grid.heights.iter().filter(|h| h.is_finite()).count();
            assert!(read_xyz(text).len() <= finite);
        }
        ExportFormat::Csv => assert_eq!(read_separated(text, ',').len(), 1 + terrain.props.len()),
        _ => {
            let rows = read_separated(text, ';');
            assert_eq!(rows.len(), terrain.props.iter().filter(finite).count());
            assert_eq!(text.lines().count(), rows.len(), "one line an object");
        }
    }
}

#[test]
fn names_with_line_ends_stay_on_their_line() {
    let mut terrain = island(false);
    terrain.kinds[0].model = "ca\\two\r\nlines.p3d".into();
    let island = Island::new(terrain);
    for format in [ExportFormat::VisitorList, ExportFormat::TerrainBuilderList] {
        let (text, notes) = island.text(format, PLAIN);
        assert_eq!(text.lines().count(), 12);
        let first = &read_separated(&text, ';')[0][0];
        let stem = on_one_line("two\r\nlines");
        assert!(first.contains(&stem) && first.len() <= "ca\\".len() + stem.len() + ".p3d".len(), "{first}");
        assert!(notes.iter().any(|n| n.starts_with("4 names contain line breaks")), "{notes:?}");
    }
}

#[test]
fn the_fields_of_the_file_say_how_it_was_read() {
    let inspected = |terrain: Terrain, entry: EntryId| -> String {
        let island = Island::new(terrain);
        let entry = island.base().outline.get(entry).unwrap();
        let mut text = Vec::new();
        write_json("own.island", &island, entry, &FieldTree::default(), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let text = inspected(island(false), EntryId::FILE);
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(text.contains(r#""reading":{"strings":"inclusive","cell":"12.5"}"#), "in the reader's order: {text}");
    assert!(text.contains(r#""sections":{"types":44,"heights":2001}"#), "{text}");
    let range = grid(false).range().unwrap();
    let card = &found["terrain"];
    assert_eq!((&card["x"], &card["z"], &card["cell"]), (&9.into(), &7.into(), &12.5.into()));
    assert_eq!((card["min"].as_f64().unwrap() as f32, card["max"].as_f64().unwrap() as f32), (range.min, range.max));
    assert_eq!((card["mean"].as_f64(), card["sha256"].as_str()), (Some(range.mean), Some("00ff")));
    let empty: serde_json::Value = serde_json::from_str(&inspected(Terrain::default(), EntryId::FILE)).unwrap();
    assert!(empty["terrain"]["min"].is_null() && empty["terrain"]["mean"].is_null());
    // What is said of the file is said there alone.
    let entry: serde_json::Value = serde_json::from_str(&inspected(island(false), TERRAIN)).unwrap();
    assert!(["reading", "terrain", "sections"].iter().all(|key| entry.get(key).is_none()), "{entry}");
}
