use super::*;
use crate::{
    formats::fields::Children,
    scene::{
        Frame, Influence, InfluenceSource, Joint, Mesh, Model, Run as PointRun, Skeleton, Skin, Transform, skinning,
    },
};
use glam::{Affine3A, Quat, Vec3};

/// A record as a test describes it.
struct Made {
    mesh: u8,
    kind: u8,
    components: u8,
    runs: &'static [[u16; 2]],
    poses: &'static [&'static [i16]],
}

/// A section of objects, each of records: header, objects, records, then what they lead to.
fn section(objects: &[&[Made]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let half = |bytes: &mut Vec<u8>, v: u16| bytes.extend(v.to_be_bytes());
    let word = |bytes: &mut Vec<u8>, v: usize| bytes.extend((v as u32).to_be_bytes());
    let poses = |object: &[Made]| object.iter().map(|m| m.poses.len()).max().unwrap_or(0);
    half(&mut bytes, objects.iter().map(|o| poses(o)).max().unwrap_or(0) as u16);
    half(&mut bytes, objects.len() as u16);
    half(&mut bytes, 2);
    half(&mut bytes, 0);
    word(&mut bytes, 12);
    let mut records = 12 + 12 * objects.len();
    for object in objects {
        let size = 12 + 4 * poses(object);
        half(&mut bytes, poses(object) as u16);
        half(&mut bytes, object.len() as u16);
        word(&mut bytes, size);
        word(&mut bytes, records);
        records += size * object.len();
    }
    let (mut data, start) = (Vec::new(), records);
    for made in objects.iter().copied().flatten() {
        word(&mut bytes, made.runs.iter().map(|r| usize::from(r[1])).sum());
        bytes.extend([made.mesh, made.kind, made.components, 2]);
        word(&mut bytes, start + data.len());
        made.runs.iter().flatten().for_each(|v| half(&mut data, *v));
        for pose in made.poses {
            word(&mut bytes, if pose.is_empty() { 0 } else { start + data.len() });
            pose.iter().for_each(|v| half(&mut data, *v as u16));
        }
    }
    bytes.extend(data);
    bytes
}

/// A rigid mesh whose second and fourth point move, and its first normal; a skinned one whose first point does.
fn face() -> Vec<u8> {
    section(&[&[
        Made {
            mesh: 1,
            kind: 1,
            components: 3,
            runs: &[[1, 1], [3, 1]],
            poses: &[&[256, 0, 0, 0, 256, 0], &[128, 0, 64, 0, -256, 0], &[0, 0, 0, 0, 0, 512]],
        },
        Made { mesh: 1, kind: 2, components: 3, runs: &[[0, 1]], poses: &[&[0, 0, 16384], &[16384, 0, 0], &[]] },
        Made {
            mesh: 0,
            kind: 1,
            components: 6,
            runs: &[[0, 1]],
            poses: &[&[1024, 0, 0, 0, 0, 1024], &[0, 512, 0, 1024, 0, 0], &[0, 0, 0, 0, 0, 0]],
        },
    ]])
}

fn read(bytes: Vec<u8>) -> (Faces, Findings) {
    let source = Source::from(bytes);
    let mut findings = Findings::default();
    let faces =
        Faces::read(&mut FieldReader::new(&source, 0..source.len() as u64, Endian::Big), &mut findings).unwrap();
    (faces, findings)
}

fn recorded(bytes: &[u8]) -> Vec<Field> {
    let source = Source::from(bytes.to_vec());
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big).recording();
    let _ = Faces::read(&mut r, &mut Findings::default());
    r.into_fields()
}

/// Every byte that a field has, mirrored ones apart.
fn bytes_of(fields: &[Field], found: &mut Vec<u64>) {
    for field in fields.iter().filter(|f| !f.mirror) {
        match &field.children {
            Children::None => found.extend(field.offset..field.offset + field.size),
            Children::Fields(inside) => bytes_of(inside, found),
            Children::Table(table) => (0..table.len()).for_each(|i| bytes_of(&[table.row(i).unwrap()], found)),
        }
    }
}

/// A skinned mesh of two points (one between two joints) and a rigid one on the second joint, which is turned a quarter about
/// Z and moved by 10 in X, and twice as large.
fn model() -> Model {
    let joint = |name: &str, bind: Transform| Joint { name: name.into(), bind, ..Joint::default() };
    let turned = Transform {
        translation: Vec3::new(10.0, 0.0, 0.0),
        rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        scale: Vec3::splat(2.0),
    };
    let bind = world_of(&turned);
    let skinned = Mesh {
        name: "skinned".into(),
        points: vec![Vec3::X, Vec3::Y],
        skin: Some(Skin {
            runs: vec![PointRun { first: 0, count: 2 }, PointRun { first: 2, count: 1 }],
            influences: [(0, 0.75), (1, 0.25), (0, 1.0)].map(|(joint, weight)| Influence { joint, weight }).into(),
            sources: [Vec3::X, Vec3::X, Vec3::Y].map(|position| InfluenceSource { position, normal: Vec3::Z }).into(),
        }),
        vertex_points: vec![0, 1],
        normals: vec![Vec3::Z; 2],
        ..Mesh::default()
    };
    let stored = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::Y];
    let rigid = Mesh {
        name: "rigid".into(),
        points: stored.map(|p| bind.transform_point3(p)).into(),
        skin: Some(Skin {
            runs: (0..4).map(|first| PointRun { first, count: 1 }).collect(),
            influences: vec![Influence { joint: 1, weight: 1.0 }; 4],
            sources: Vec::new(),
        }),
        vertex_points: vec![0, 1, 1],
        normals: vec![Vec3::Z, Vec3::Z, Vec3::X],
        ..Mesh::default()
    };
    Model {
        meshes: vec![skinned, rigid],
        skeleton: Some(Skeleton::new(vec![joint("a", Transform::IDENTITY), joint("b", turned)], Vec::new())),
        ..Model::empty("model")
    }
}

fn world_of(bind: &Transform) -> Affine3A {
    Affine3A::from_scale_rotation_translation(bind.scale, bind.rotation, bind.translation)
}

/// What the palette says of the model's meshes.
fn targets(model: &Model) -> [FaceMesh<'static>; 2] {
    let skinned = FaceMesh {
        mesh: 0,
        number: 0,
        position_unit: 1.0 / 1024.0,
        normal_unit: 1.0 / 1024.0,
        model_from_mesh: Affine3A::IDENTITY,
        vertex_normals: &[],
        is_stitched: false,
    };
    let rigid = FaceMesh {
        mesh: 1,
        number: 1,
        position_unit: 1.0 / 256.0,
        normal_unit: 1.0 / 16384.0,
        model_from_mesh: model.skeleton.as_ref().unwrap().world_from_joint_bind()[1],
        vertex_normals: &[0, 0, 1],
        is_stitched: false,
    };
    [skinned, rigid]
}

fn posed(bytes: Vec<u8>) -> (Model, Findings) {
    let (faces, mut findings) = read(bytes);
    let mut model = model();
    add_morphs(&faces, &targets(&model), &mut model, &mut findings);
    (model, findings)
}

#[track_caller]
fn assert_near(found: Vec3, wanted: [f32; 3]) {
    assert!((found - Vec3::from(wanted)).length() < 1e-5, "{found} is not {wanted:?}");
}

#[test]
fn poses_are_read_with_their_runs_and_every_byte_is_a_field() {
    let (faces, findings) = read(face());
    assert!(findings.is_empty());
    let object = &faces.objects[0];
    assert_eq!((faces.objects.len(), object.poses, object.records.len()), (1, 3, 3));
    let record = &object.records[0];
    assert_eq!((record.entries, record.mesh, record.attribute()), (2, 1, Some(Attribute::Positions)));
    assert_eq!(record.targets().collect::<Vec<_>>(), [1, 3]);
    let names: Vec<String> = faces.parts().into_iter().map(|p| p.name).collect();
    assert_eq!(names, ["pose 0", "pose 1", "pose 2"]);
    let mut found = Vec::new();
    bytes_of(&recorded(&face()), &mut found);
    found.sort_unstable();
    assert_eq!(found, (0..face().len() as u64).collect::<Vec<_>>());
    let fields = faces.part_fields(&Source::from(face()), 1);
    let names: Vec<_> = fields.iter().map(|f| (f.name.as_ref(), f.mirror)).collect();
    let wanted = ["Mesh 1 positions", "Mesh 1 normals", "Mesh 0 positions and normals"].map(|name| (name, true));
    assert_eq!(names, wanted);
}

#[test]
fn a_skinned_point_is_posed_before_its_joints_move_it() {
    let (model, findings) = posed(face());
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(model.morph_names(), ["pose 1", "pose 2"]);
    let mut frame = Frame::bind(&model);
    frame.morph_weights = vec![0.5, 0.0];
    // The second joint moves by 4 in Z: a quarter of that arrives. The pose adds half of (0, 0.5, 0).
    frame.world_from_bind[1] = Affine3A::from_translation(Vec3::new(0.0, 0.0, 4.0));
    let points = skinning::skinned_points(&model, &model.meshes[0], &frame);
    assert_near(points[0], [1.0, 0.25, 1.0]);
    assert_near(points[1], [0.0, 1.0, 0.0]);
    // The normal is (0, 0, 1) and half of (1, 0, 0).
    let normals = skinning::skinned_normals(&model, &model.meshes[0], &frame);
    let length = 1.25_f32.sqrt();
    assert_near(normals[0], [0.5 / length, 0.0, 1.0 / length]);
    assert_near(normals[1], [0.0, 0.0, 1.0]);
}

#[test]
fn a_rigid_point_is_posed_in_the_space_of_its_bone() {
    let (model, _) = posed(face());
    let mut frame = Frame::bind(&model);
    frame.morph_weights = vec![1.0, 0.0];
    let points = skinning::skinned_points(&model, &model.meshes[1], &frame);
    // (1, 0, 0) and (0.5, 0, 0.25), twice as large, turned a quarter about Z, moved by 10.
    assert_near(points[1], [10.0, 3.0, 0.5]);
    // (0, 1, 0) and (0, −1, 0).
    assert_near(points[3], [10.0, 0.0, 0.0]);
    assert_near(points[2], [10.0, 0.0, 2.0]);
    // The first normal, (0, 0, 1), and (1, 0, 0) turned to (0, 1, 0): the first point takes no other, the second has two, so half
    // of the difference reaches it.
    let normals = skinning::skinned_normals(&model, &model.meshes[1], &frame);
    assert_near(normals[0], [0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()]);
    let length = 1.25_f32.sqrt();
    assert_near(normals[1], [0.0, 0.5 / length, 1.0 / length]);
    frame.morph_weights = vec![0.0, 1.0];
    let points = skinning::skinned_points(&model, &model.meshes[1], &frame);
    assert_near(points[3], [8.0, 0.0, 4.0]);
}

#[test]
fn objects_number_their_poses_for_themselves() {
    const ONE: Made =
        Made { mesh: 1, kind: 1, components: 3, runs: &[[0, 1]], poses: &[&[0, 0, 0], &[256, 0, 0], &[0, 256, 0]] };
    let (model, _) = posed(section(&[&[ONE], &[ONE]]));
    let names = ["object 0 pose 1", "object 0 pose 2", "object 1 pose 1", "object 1 pose 2"];
    assert_eq!(model.morph_names(), names);
    // The same record for both: its bytes are fields once.
    let mut shared = section(&[&[ONE], &[ONE]]);
    shared.copy_within(12..24, 24);
    let mut found = Vec::new();
    bytes_of(&recorded(&shared), &mut found);
    let count = found.len();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), count);
}

#[test]
fn poses_that_do_not_fit_their_mesh_are_said() {
    let misfit = |made: Made| posed(section(&[&[made]])).1;
    let elsewhere =
        misfit(Made { mesh: 1, kind: 1, components: 3, runs: &[[1, 1]], poses: &[&[256, 2, 0], &[0, 0, 9]] });
    assert_eq!(elsewhere.codes(), ["charpipe.faces-misfit"]);
    let outside = misfit(Made { mesh: 1, kind: 1, components: 3, runs: &[[4, 1]], poses: &[&[], &[1, 1, 1]] });
    assert_eq!(outside.codes(), ["charpipe.faces-misfit"]);
    let missing = misfit(Made { mesh: 9, kind: 1, components: 3, runs: &[[0, 1]], poses: &[&[], &[1, 1, 1]] });
    assert_eq!(missing.codes(), ["charpipe.faces-misfit"]);
    let unknown = misfit(Made { mesh: 1, kind: 3, components: 3, runs: &[[0, 1]], poses: &[&[], &[1, 1, 1]] });
    assert_eq!(unknown.codes(), ["charpipe.unknown-faces"]);
}

#[test]
fn damage_leaves_what_can_be_read_and_never_more_than_there_is() {
    let whole = face();
    // Cut anywhere, each byte at its extremes.
    for end in 0..whole.len() {
        let source = Source::from(whole[..end].to_vec());
        let mut findings = Findings::default();
        let mut r = FieldReader::new(&source, 0..end as u64, Endian::Big);
        if let Ok(faces) = Faces::read(&mut r, &mut findings) {
            assert!(!findings.is_empty(), "{end} bytes are not enough");
            add_morphs(&faces, &targets(&model()), &mut model(), &mut findings);
            recorded(&whole[..end]);
        }
    }
    for (index, value) in (0..whole.len()).flat_map(|i| [(i, 0), (i, 0x7F), (i, 0xFF)]) {
        let mut damaged = whole.clone();
        damaged[index] = value;
        posed(damaged.clone());
        let mut found = Vec::new();
        bytes_of(&recorded(&damaged), &mut found);
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), count, "byte {index} as {value}: bytes of two fields");
    }
}

#[test]
fn lists_that_share_bytes_cannot_multiply() {
    // Each of many objects has the same many records.
    let mut bytes = vec![0, 2, 0xFF, 0xFF, 0, 1, 0, 0, 0, 0, 0, 12];
    for _ in 0..5000 {
        bytes.extend([0, 2, 0xFF, 0xFF, 0, 0, 0, 20, 0, 0, 0, 12]);
    }
    let (faces, findings) = read(bytes);
    let records: usize = faces.objects.iter().map(|o| o.records.len()).sum();
    assert!(records < 2 * 60_000 / 20 && !findings.is_empty());
    // Runs of nothing.
    let mut runs = section(&[&[Made { mesh: 0, kind: 1, components: 3, runs: &[], poses: &[&[]] }]]);
    runs[24..28].copy_from_slice(&[0xFF; 4]);
    runs.extend([0; 4096]);
    let (faces, findings) = read(runs);
    assert_eq!((faces.objects[0].records.len(), findings.codes()), (0, vec!["charpipe.bad-faces"]));
}
