//! A project as large as they come: 2048 × 2048 heights and 100,000 places for objects.

use crate::kit::{
    made_visitor::{self, CELL, EMPTY, SIDE, SLOTS, TYPES, height, sample_of},
    visitor::open,
};
use bonebox::scene::PropClass;

#[test]
fn a_large_project_is_read_whole() {
    let opened = open(&made_visitor::large());
    assert_eq!(opened.codes(), Vec::<&str>::new());
    opened.assert_tiled("large");
    let terrain = opened.terrain();
    assert_eq!((terrain.grid.columns, terrain.grid.rows, terrain.grid.cell), (SIDE, SIDE, CELL));
    assert_eq!((terrain.slots as usize, terrain.props.len()), (SLOTS, SLOTS - SLOTS / EMPTY));
    assert_eq!((terrain.kinds.len(), terrain.layers.len()), (TYPES, 1));
    assert!(terrain.kinds.iter().all(|kind| kind.class != PropClass::Unresolved));
    for slot in [0, 1, 48, 50, 777, 31_000, 65_535, 65_536, 99_000, SLOTS - 2] {
        let prop = terrain.props.iter().find(|prop| prop.slot as usize == slot).unwrap();
        let [column, row] = sample_of(slot, SIDE);
        assert_eq!((prop.id as usize, prop.type_id as usize), (slot + 1, 1000 + slot % TYPES));
        assert_eq!(prop.file_position.to_array(), [column as f32 * CELL, height(column, row), row as f32 * CELL]);
        assert_eq!(terrain.grid.get(column, row), Some(height(column, row)));
        let name = if slot % 1000 == 0 { format!("named_{slot}") } else { String::new() };
        assert_eq!(prop.name, name);
    }
    assert!(terrain.props.iter().all(|prop| prop.slot as usize % EMPTY != EMPTY - 1));
}
