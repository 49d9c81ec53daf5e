//! R9: a panic in a worker is told where it belongs, and everything else goes on.

use crate::kit::{self, app::*};
use bonebox::{
    formats::{Asset, Base, Content, Document, EntryId, FieldTree, LoadContext, Purpose, ReadError},
    library::OpenOptions,
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::{Place, StageContent},
    },
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// A document that is read as another one until a reader of it panics.
struct Faulty {
    inner: Box<dyn Document>,
    loads: AtomicUsize,
}

impl Document for Faulty {
    fn base(&self) -> Base<'_> {
        self.inner.base()
    }

    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        self.inner.fields_for(entry, purpose)
    }
    fn load(&self, _: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        panic!("injected {}", self.loads.fetch_add(1, Ordering::Relaxed));
    }
}

#[test]
fn a_hundred_panics_of_workers_leave_the_window_and_the_other_documents() {
    let (_folder, paths) = alone("actorx", &["syn_arm.psk", "syn_arm.psa"]);
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    // The reader of this file is at fault from now on.
    change(&window, |s| {
        let path = kit::samples().join("BoneboxFX.utx");
        let mut file = OpenOptions::new().open(path).unwrap();
        file.document = Box::new(Faulty { inner: file.document, loads: AtomicUsize::new(0) });
        s.core.library.files[0].file = Arc::new(file);
    });
    apply(&mut window, Command::Library(LibraryCommand::Open(paths)));
    let (faulty, sound) = read(&window, |s| (s.core.library.files[0].id, s.core.library.files[1].id));
    let entries = |window: &Window, file, content| {
        read(window, |s| s.core.file(file).unwrap().entries_with(content))
            .into_iter()
            .map(move |entry| Place { file, entry })
    };
    let images: Vec<Place> = entries(&window, faulty, Content::Image).collect();
    let model = entries(&window, sound, Content::Model).next().unwrap();
    let mut told = 0;
    for round in 0..100 {
        let place = images[round % images.len()];
        match round % 4 {
            0 => _ = change(&window, |s| s.core.works.run("Reading nothing", |_| panic!("injected"))),
            1 => _ = change(&window, |s| s.core.works.run_apart("Reading nothing", |_| panic!("injected"))),
            _ => apply(&mut window, Command::Stage(StageCommand::Show(place))),
        }
        settle(&mut window);
        if round % 4 > 1 {
            let shown = read(&window, |s| match &s.stages.front.content {
                StageContent::Failed(failed) => Some((failed.place, failed.why.clone())),
                _ => None,
            });
            let (at, why) = shown.unwrap_or_else(|| panic!("round {round}: nothing is said on the stage"));
            assert!(at == place && why.contains("internal error in Bonebox: injected"), "round {round}: {why}");
        }
        let errors = read(&window, |s| s.core.log.entries().iter().filter(|e| e.message.contains("injected")).count());
        assert_eq!(errors, told + 1, "round {round}");
        told = errors;
        apply(&mut window, Command::Stage(StageCommand::Show(model)));
        settle(&mut window);
        let (is_shown, is_busy) = read(&window, |s| (s.stages.front.model().is_some(), s.core.works.is_busy()));
        assert!(is_shown && !is_busy, "round {round}");
    }
    assert_eq!(told, 100);
}
