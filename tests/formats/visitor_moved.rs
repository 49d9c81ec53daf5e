//! Projects whose object types begin before their place: every byte is in one field all the same.

use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Diagnostics, NoFiles, OpenContext, coverage,
        visitor::encode::{Dialect, ObjectClass, ObjectType, Project, encode_pew},
    },
};
use std::sync::Arc;

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
        let mut diagnostics = Diagnostics::new(Limits::default().diagnostics_per_code);
        let mut cx = OpenContext {
            file: "moved.pew",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            overrides: &formats::NO_OVERRIDES,
        };
        let document = formats::open(Source::from(bytes), &mut cx).unwrap();
        let found = coverage::coverage(&*document);
        let (unread, doubled) = (&found.unread, &found.doubled);
        assert!(unread.is_empty() && doubled.is_empty(), "{left_out}: {unread:?} {doubled:?}");
        // Where the number of types reaches into that of old textures, it looks like one of them.
        let says_so = |code: &str| matches!(code, "visitor.moved-types" | "visitor.ofp-records");
        assert_eq!(diagnostics.finish().iter().any(|d| says_so(d.code)), left_out > 0, "{left_out}");
    }
}
