//! Actors and skins against what an independent program worked out: every pose, in real numbers and in the game's whole ones.

use crate::{
    args,
    kit::{
        self,
        near::{array, assert_near, numbers, reference},
        open::{Opened, model_in, open},
        program::json,
    },
};
use bonebox::{
    formats::{Children, EntryId, Field, Value as FieldValue},
    scene::{Frame, JointIndex, Mesh, Model, PoseOptions, Transform, skinning},
};
use glam::{Quat, Vec3};
use serde_json::Value;
use std::{fs, path::PathBuf, sync::Arc};

const MODELS: [&str; 3] = ["arm_min", "arm_full", "arm_sdk"];
const NEAR: f64 = 1e-4;

fn data(name: &str) -> PathBuf {
    kit::data().join("charpipe").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(data(name)).unwrap()
}

fn expected() -> Value {
    reference(&data("expected.json"))
}

fn model(name: &str) -> Arc<Model> {
    let mut opened = open(name, bytes(&format!("{name}.model")));
    let model = model_in(opened.load_adding(EntryId::FILE).unwrap());
    opened.assert_sound();
    model
}

fn skinned(model: &Model) -> &Mesh {
    model.meshes.iter().find(|mesh| mesh.fixed_skin.is_some()).expect("a skinned mesh")
}

/// The bind pose with other local controls, as the references describe them.
fn with_controls(model: &Model, controls: &Value) -> Frame {
    let mut frame = Frame::bind(model);
    for (index, control) in controls.as_object().unwrap() {
        let kind = control["type"].as_u64().unwrap();
        assert_eq!(kind & !13, 0, "scale, quaternion and translation are all there is");
        let floats = |key: &str| -> Vec<f32> { numbers(&control[key]).iter().map(|v| *v as f32).collect() };
        let vector = |flag: u64, key, none| if kind & flag == 0 { none } else { Vec3::from_slice(&floats(key)) };
        *frame.local_mut(JointIndex(index.parse().unwrap())).unwrap() = Transform {
            translation: vector(8, "t", Vec3::ZERO),
            rotation: if kind & 4 != 0 { Quat::from_slice(&floats("q")) } else { Quat::IDENTITY },
            scale: vector(1, "s", Vec3::ONE),
        };
    }
    frame.place_joints(model, PoseOptions::default());
    frame
}

#[test]
fn every_listed_pose_is_the_references() {
    let expected = expected();
    let mut slots = 0;
    for name in MODELS {
        let model = model(name);
        for (pose, wanted) in expected[name]["poses"].as_object().unwrap() {
            let frame = with_controls(&model, &wanted["localControls"]);
            let worlds: Vec<[f32; 12]> = frame.world_from_joint.iter().map(skinning::rows).collect();
            assert_near(&worlds, &wanted["world"], NEAR, format_args!("{name} {pose}: world"));

            let mesh = skinned(&model);
            let points = skinning::skinned_points(&model, mesh, &frame);
            let normals = skinning::skinned_point_normals(&model, mesh, &frame);
            let computed = mesh.fixed_skin.as_ref().unwrap().at(model.skeleton.as_ref().unwrap(), &frame);
            assert!(points.len() == normals.len() && points.len() == computed.len());
            for (slot, wanted) in wanted["ideal"].as_object().unwrap() {
                let index: usize = slot.parse().unwrap();
                let found = [points[index], normals[index]];
                assert_near(&found, wanted, NEAR, format_args!("{name} {pose}: slot {slot}"));
                slots += 1;
            }
            for (slot, wanted) in wanted["hw"].as_object().unwrap() {
                let found = computed[slot.parse::<usize>().unwrap()].map(f64::from);
                assert_near(&found, wanted, 1.0, format_args!("{name} {pose}: units of slot {slot}"));
            }
        }
    }
    assert!(slots > 200, "{slots}");
}

#[test]
fn the_program_prints_them() {
    let expected = expected();
    for name in MODELS {
        let wanted = &expected[name]["poses"]["bind"];
        let files: &[String] = match name {
            "arm_sdk" => {
                &[format!("{name}.model"), format!("{name}.act"), format!("{name}.gpl"), format!("{name}.skn")]
            }
            _ => &[format!("{name}.model")],
        };
        for file in files {
            let pose = json(args!["pose", data(file), "--json"]);
            let worlds: Vec<&Value> = array(&pose["bones"]).iter().map(|bone| &bone["world"]).collect();
            assert_near(&worlds, &wanted["world"], NEAR, file);
            let count = expected[name]["numPositions"].as_u64().unwrap() as usize;
            assert_eq!((array(&pose["points"]).len(), array(&pose["normals"]).len()), (count, count), "{file}");
            let exact = json(args!["pose", data(file), "--json", "--game-exact"]);
            for (key, pose, most) in [("ideal", &pose, NEAR), ("hw", &exact, 1.0)] {
                for (slot, wanted) in wanted[key].as_object().unwrap() {
                    let slot: usize = slot.parse().unwrap();
                    let found = [&pose["points"][slot], &pose["normals"][slot]];
                    assert_near(&found, wanted, most, format_args!("{file}: {key} of slot {slot}"));
                }
            }
        }
    }
}

#[test]
fn tables_tell_the_order_slots_and_what_is_cleared() {
    let expected = expected();
    for name in MODELS {
        let opened = open(name, bytes(&format!("{name}.model")));
        let wanted = &expected[name];
        let model = model(name);
        let skin = skinned(&model).fixed_skin.clone().unwrap();
        assert_eq!(u64::from(skin.shift), wanted["shift"].as_u64().unwrap());
        let mut used: Vec<u64> = skin.lists.iter().flat_map(|l| &l.entries).map(|e| u64::from(e.slot)).collect();
        used.sort_unstable();
        used.dedup();
        let wanted_slots: Vec<u64> = array(&wanted["usedSlots"]).iter().map(|v| v.as_u64().unwrap()).collect();
        assert_eq!(used, wanted_slots, "{name}");
        for (prefix, key) in [("SK1 ", "sk1"), ("SK2 ", "sk2"), ("SKAcc ", "acc")] {
            let entries = opened.document.outline().entries().iter().filter(|e| e.name.starts_with(prefix)).count();
            assert_eq!(entries as u64, wanted["lists"][key].as_u64().unwrap(), "{name} {prefix}");
        }
        let skn = fields(&opened, "SKN");
        let clear = [uint(&skn, "ClearStart"), uint(&skn, "ClearSize")];
        assert_eq!(clear.to_vec(), array(&wanted["clear"]).iter().map(|v| v.as_u64().unwrap()).collect::<Vec<_>>());
        let flush =
            skn.iter().find(|f| f.name == "FlushSlots").map(|f| rows(f, |row| row.value.clone())).unwrap_or_default();
        let wanted_flush: Vec<FieldValue> =
            array(&wanted["flush"]).iter().map(|v| FieldValue::UInt(v.as_u64().unwrap())).collect();
        assert_eq!(flush, wanted_flush, "{name}");
    }
}

fn fields(opened: &Opened, path: &str) -> Vec<Field> {
    opened.document.fields(opened.entry(path)).unwrap().fields
}

fn uint(fields: &[Field], name: &str) -> u64 {
    match fields.iter().find(|f| f.name == name).map(|f| &f.value) {
        Some(FieldValue::UInt(value)) => *value,
        other => panic!("{name}: {other:?}"),
    }
}

fn rows<T>(field: &Field, of: impl Fn(&Field) -> T) -> Vec<T> {
    let Children::Table(table) = &field.children else { panic!("{} is no table", field.name) };
    (0..table.len()).map(|row| of(&table.row(row).unwrap())).collect()
}

/// The slots that a list's entries show.
fn slots(opened: &Opened, path: &str) -> Vec<u64> {
    let fields = fields(opened, path);
    let slot = |row: &Field| match &row.children {
        Children::Fields(inside) => uint(inside, "Slot"),
        _ => panic!("a row without fields"),
    };
    rows(fields.iter().find(|f| f.name == "Entries").unwrap(), slot)
}

/// A skin with lists laid out as in the retail game, its sources zeros.
fn laid_out_as(facts: &Value) -> Vec<u8> {
    let number = |value: &Value| value.as_u64().unwrap();
    let counts = ["sk1", "sk2", "acc"].map(|key| array(&facts[key]).len());
    let tables = [0x24, 0x24 + counts[0] * 0x40, 0x24 + counts[0] * 0x40 + counts[1] * 0x74];
    let mut out = Vec::new();
    counts.iter().for_each(|count| out.extend((*count as u16).to_be_bytes()));
    out.extend([number(&facts["shift"]) as u8, 0]);
    tables.iter().for_each(|table| out.extend((*table as u32).to_be_bytes()));
    out.resize(0x24, 0);
    let put = |out: &mut Vec<u8>, room: usize, words: &[u64], halves: &[u64]| {
        out.resize(out.len() + room, 0xAB);
        words.iter().for_each(|v| out.extend((*v as u32).to_be_bytes()));
        halves.iter().for_each(|v| out.extend((*v as u16).to_be_bytes()));
    };
    for list in array(&facts["sk1"]) {
        let of = |key: &str| number(&list[key]);
        put(&mut out, 0x30, &[of("src"), of("dst")], &[of("bone"), of("count"), of("off") << 8, 0]);
    }
    for list in array(&facts["sk2"]) {
        let of = |key: &str| number(&list[key]);
        // The log leaves out what follows from the line's start.
        let offset = (12 - of("dst") % 12) % 12;
        let bones = numbers(&list["bones"]);
        let halves = [bones[0] as u64, bones[1] as u64, of("count"), offset << 8];
        put(&mut out, 0x60, &[of("src"), of("weights"), of("dst")], &halves);
    }
    for list in array(&facts["acc"]) {
        let of = |key: &str| number(&list[key]);
        put(&mut out, 0x30, &[of("src"), of("index"), of("dst"), of("weights")], &[of("bone"), of("count")]);
    }
    let last = array(&facts["acc"]).iter().map(|l| number(&l["weights"]) + number(&l["count"])).max().unwrap();
    out.resize(last as usize + 64, 0);
    out
}

#[test]
fn slots_of_a_retail_layout_come_out_as_measured() {
    let Some(corpus) = kit::corpus() else { return };
    let facts = reference(&corpus.join("charpipe/mario_layout_facts.json"));
    let opened = open("mario.skn", laid_out_as(&facts));
    opened.assert_read();
    // It has no mesh beside it, which is said; nothing else is.
    assert_eq!(opened.codes(), ["charpipe.skin-alone"]);
    // Worked out by hand in the specification: slots 67 to 161 of 95, 162 a gap, 163 the next list's first.
    let second = slots(&opened, "SK1 2");
    assert_eq!((second.len(), second[0], second[94]), (95, 67, 161));
    assert_eq!(slots(&opened, "SK1 3")[0], 163);
    let mut used = vec![0_u32; facts["numPositions"].as_u64().unwrap() as usize];
    let (mut next_line, mut count) = (0, 0);
    for (key, kind) in [("sk1", "SK1"), ("sk2", "SK2")] {
        for (index, list) in array(&facts[key]).iter().enumerate() {
            let of = |key: &str| list[key].as_u64().unwrap();
            let path = format!("{kind} {index}");
            let found = slots(&opened, &path);
            assert_eq!(found.len() as u64, of("count"), "{path}");
            found.iter().for_each(|slot| used[*slot as usize] += 1);
            // Sources mirror the array, and no two lists share a line.
            let fields = fields(&opened, &path);
            let (src, dst) = (uint(&fields, "SourcesOffset"), uint(&fields, "Destination"));
            assert!(src == 0x20A0 + dst && dst % 32 == 0 && dst >= next_line, "{path}: {src} {dst} {next_line}");
            next_line = (12 * (found.last().unwrap() + 1)).next_multiple_of(32);
            count += 1;
        }
    }
    assert_eq!(count, 67);
    assert!(used.iter().all(|times| *times <= 1), "no slot is written twice");
    assert_eq!((used[161], used[162], used[163]), (1, 0, 1));
}

#[test]
fn damaged_actors_and_skins_leave_a_model_and_a_sentence() {
    for (name, code) in [
        ("act_parent_self", "charpipe.link-cycle"),
        ("act_sibling_cycle", "charpipe.link-cycle"),
        ("shift_63", "charpipe.unreadable-section"),
        ("sk1_bone_out_of_range", "charpipe.bad-list-bone"),
        ("sk1_count_65535", "charpipe.short-table"),
        ("sk1_dst_past_end", "charpipe.bad-list-slots"),
        ("sk1_src_wrap", "charpipe.short-list"),
        ("truncated_in_skn", "charpipe.short-table"),
    ] {
        let mut opened = open(name, bytes(&format!("bad/{name}.model")));
        let model = model_in(opened.load_adding(EntryId::FILE).unwrap());
        assert_eq!(opened.codes()[0], code, "{name}: {:?}", opened.diagnostics);
        assert!(model.triangle_count() > 0 && model.joint_count() > 0, "{name}");
        let frame = Frame::bind(&model);
        for mesh in &model.meshes {
            assert!(skinning::skinned_points(&model, mesh, &frame).iter().all(|p| p.is_finite()), "{name}");
        }
        assert_eq!(model.meshes.iter().any(|m| m.fixed_skin.is_some()), name != "shift_63", "{name}");
    }
}
