//! Fields of many small records, exported: they are written as they are read.

use crate::{
    heap::{self, Heap},
    kit::open::open,
};
use bonebox::{
    bytes::{Cancel, Limits},
    export::{ExportFormat, ExportJob, ExportSource, export_entry, obj::ObjSpace},
    formats::{
        LoadOptions, NoFiles,
        actorx::{Psk, encode_psk},
    },
    scene::BindingOptions,
};

const RECORDS: usize = 500_000;

#[test]
fn a_table_of_many_small_records_is_never_held_as_text() {
    let _alone = heap::alone();
    let points = (0..RECORDS).map(|index| [index as f32, 0.5, -1.0]).collect();
    let file = open("points.psk", encode_psk(&Psk { points, ..Psk::default() }));
    let entry = file.document.outline().find("PNTS0000").unwrap().id;
    let source = ExportSource {
        file: "points.psk",
        document: file.document.as_ref(),
        resolver: &NoFiles,
        limits: Limits::default(),
        load: LoadOptions::default(),
        binding: BindingOptions::default(),
        clips_for: &|_, _| Vec::new(),
        model_for: &|_, _| None,
        frame: None,
        obj_space: ObjSpace::Scene,
        glb: Default::default(),
        space: &|_| Default::default(),
        registers: &[],
        mips: false,
        terrain: Default::default(),
    };
    let cancel = Cancel::new();
    let job = ExportJob { cancel: &cancel, progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("points.json");
    let heap = Heap::watch();
    export_entry(&source, entry, ExportFormat::Json, &target, &job).unwrap();
    let (held, written) = (heap.peak(), target.metadata().unwrap().len());
    println!("{RECORDS} records: {written} bytes, {held} held");
    assert!(written > RECORDS as u64 * 80, "{written}");
    // The buffer in front of the file, and a record.
    assert!(held < 1 << 20, "{held} bytes held");
}
