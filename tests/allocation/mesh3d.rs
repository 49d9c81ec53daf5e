//! R5: vertex mesh files of many polygons or frames, whole and damaged, with the other file of their pair beside them.

use crate::{
    heap::{self, Heap},
    kit::{
        damages::each_damage,
        files::Files,
        open::{Loading, Opening},
    },
};
use bonebox::formats::{
    Content,
    unreal::encode::{FilePolygon, Vertices, encode_mesh_data, encode_mesh_frames},
};
use std::sync::Arc;

/// Opens both files of a pair and loads what they show; how many entries were shown.
fn survive(polygons: &[u8], frames: &[u8]) -> usize {
    let beside = Arc::new(Files(vec![("m_d.3d", polygons.to_vec()), ("m_a.3d", frames.to_vec())]));
    let mut shown = 0;
    for (name, bytes) in &beside.0 {
        let heap = Heap::watch();
        let opening = Opening { resolver: beside.clone(), ..Opening::of(name) };
        if let Ok(file) = opening.open(bytes.clone()) {
            for entry in file.document.outline().entries().iter().filter(|entry| entry.content != Content::None) {
                let loading = Loading { name, resolver: &*beside, ..Loading::default() };
                assert!(loading.load(file.document.as_ref(), entry.id).0.is_ok(), "{name}: {entry:?}");
                shown += 1;
            }
        }
        heap.assert_justified_by(polygons.len() + frames.len(), name);
    }
    shown
}

fn polygons(count: usize, vertices: u16) -> Vec<u8> {
    let polygon = |i: usize| FilePolygon {
        vertices: [0, 1, 2].map(|corner| ((i * 7 + corner) % usize::from(vertices.max(1))) as u16),
        uvs: [[i as u8, (i >> 8) as u8]; 3],
        texture: i as u8,
        ..FilePolygon::default()
    };
    encode_mesh_data(&(0..count).map(polygon).collect::<Vec<_>>(), vertices)
}

fn frames(vertices: u16, count: usize) -> Vec<u8> {
    encode_mesh_frames(&Vertices::Packed(vec![0x1234_5678; usize::from(vertices) * count]), vertices)
}

#[test]
fn the_largest_counts_stay_in_bounds() {
    let _alone = heap::alone();
    assert_eq!(survive(&polygons(65_535, 16_383), &frames(16_383, 1)), 2);
    assert_eq!(survive(&polygons(65_535, 3), &frames(3, 65_535)), 4);
    assert_eq!(survive(&polygons(1, 16_383), &frames(16_383, 100)), 4);
    // All of them lead nowhere.
    assert_eq!(survive(&polygons(65_535, 16_383), &frames(1, 65_535)), 0);
}

#[test]
fn damaged_files_stay_in_bounds() {
    let _alone = heap::alone();
    let (small, moving) = (polygons(3, 5), frames(5, 3));
    assert_eq!(survive(&small, &moving), 4);
    let worst = [u32::MAX, 0xFFFF_0001, 0x0004_FFFF, 0];
    each_damage(&small, 3, &worst, |damaged| assert!(survive(damaged, &moving) <= 4));
    each_damage(&moving, 4, &worst, |damaged| assert!(survive(&small, damaged) <= 4));
}
