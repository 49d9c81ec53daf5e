//! R12: a file for each diagnostic code of Visitor projects.

use crate::{
    kit::codes::{Trigger, assert_table, cut, file, whole},
    visitor_readings::project,
};
use bonebox::formats::visitor::encode::{Dialect, ObjectClass, Opaque, Project, encode_pew};

const TINY: &str = "visitor/tiny60.pew";

fn changed(code: &'static str, change: impl FnOnce(&mut Project)) -> Trigger {
    let mut made = project();
    change(&mut made);
    Trigger::new(code, "made.pew", encode_pew(&made, &Dialect::default()))
}

fn made(code: &'static str, dialect: &Dialect) -> Trigger {
    Trigger::new(code, "made.pew", encode_pew(&project(), dialect))
}

fn wanted(code: &'static str, id: &str, value: &str) -> Trigger {
    whole(code, TINY).reading(id, value)
}

/// A project whose types begin two bytes behind their place.
fn moved_types() -> Vec<u8> {
    let mut bytes = file(TINY);
    bytes.splice(20..20, [0; 2]);
    bytes
}

pub fn triggers() -> Vec<Trigger> {
    let textures = Opaque { count: 2, bytes: vec![0xAA; 90] };
    let older = Project { cell: None, textures, backgrounds: Vec::new(), objects: Vec::new(), ..project() };
    let older = encode_pew(&older, &Dialect { version: 59, ..Dialect::default() });
    vec![
        whole("visitor.other-version", "visitor/future61.pew"),
        Trigger::new("visitor.ofp-records", "made.pew", older),
        Trigger::new("visitor.moved-types", "moved.pew", moved_types()),
        whole("visitor.short-types", "visitor/bad_hugetypes.pew"),
        cut("visitor.no-types", TINY, 100),
        changed("visitor.unknown-class", |made| made.types[1].class = ObjectClass::Other(9)),
        cut("visitor.bad-roads", TINY, 1_828),
        whole("visitor.crossroads", "visitor/xroad_opaque.pew"),
        whole("visitor.no-grid", "visitor/bad_hugegrid.pew"),
        changed("visitor.moved-grid", |made| made.forests = Opaque { count: 1, bytes: vec![0xAB; 33] }),
        whole("visitor.short-heights", "visitor/bad_truncated_heights.pew"),
        whole("visitor.height-holes", "visitor/nan_heights.pew"),
        made("visitor.blue-edge", &Dialect { blue: Some(77), ..Dialect::default() }),
        cut("visitor.no-objects", TINY, 18_900),
        whole("visitor.short-objects", "visitor/bad_truncated_objects.pew"),
        changed("visitor.bad-object", |made| {
            made.objects[0].as_mut().unwrap().position[0] = f32::NAN;
            made.objects.swap(0, 30);
        }),
        changed("visitor.unresolved-type", |made| drop(made.types.remove(0))),
        cut("visitor.bad-layers", TINY, 22_500),
        cut("visitor.bad-tail", TINY, 22_700),
        changed("visitor.road-blocks", |made| {
            made.road_blocks = Opaque { count: 3, bytes: vec![0xEE; 61] };
            made.zones.clear();
        }),
        whole("visitor.guessed-cell", "visitor/tiny60_nocell.pew"),
        wanted("visitor.bad-override", "strings", "klingon"),
        wanted("visitor.override-misfit", "strings", "exclusive"),
    ]
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("visitor.", &triggers());
}
