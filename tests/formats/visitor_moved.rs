//! Projects whose object types begin before their place: every byte is in one field all the same.

use crate::kit::visitor::open;
use bonebox::formats::visitor::encode::{Dialect, ObjectClass, ObjectType, Project, encode_pew};

#[test]
fn types_may_begin_where_the_header_should_be() {
    let kind = |id: u32| ObjectType {
        model: format!("ca\\plants\\tree{id}.p3d"),
        name: format!("tree{id}"),
        class: ObjectClass::Natural,
        id,
        ..ObjectType::default()
    };
    let heights = vec![5.0; 256];
    let project = Project { types: vec![kind(1), kind(2)], columns: 16, rows: 16, heights, ..Project::default() };
    let whole = encode_pew(&project, &Dialect::default());
    for left_out in [0, 1, 2, 4, 6, 9] {
        let mut bytes = whole.clone();
        bytes.drain(20..20 + left_out);
        let opened = open(&bytes);
        opened.assert_tiled(&format!("{left_out} bytes left out"));
        // Where the number of types reaches into that of old textures, it looks like one of them.
        let says_so = |code: &str| matches!(code, "visitor.moved-types" | "visitor.ofp-records");
        assert_eq!(opened.codes().into_iter().any(says_so), left_out > 0, "{left_out}");
    }
}
