//! FIGURES.md P17: the collection in the window. Keystrokes over 1,000,000 entries: what the window's own thread takes for one, and until
//! everything is found. Pictures a second of textures and models, and how long a frame takes meanwhile. `cargo bench --bench
//! collection_window`; `PACKAGES=N` makes fewer packages; `KEEP=FOLDER` leaves them and uses them again.

#[path = "made_game/mod.rs"]
mod made_game;

use bonebox::{
    library::collection::Store,
    ui::{
        collection_pictures::PictureMaker,
        command::{CollectionCommand, Command},
        settings::Settings,
        stage::collection::{self, CollectionView},
        state::{Clock, State, ThumbnailState, picture_of},
        theme,
    },
};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Packages with 1,000,000 entries.
const PACKAGES: usize = 1_620;
/// Words as they are typed.
const TYPED: [&str; 3] = ["wall 12", "class:texture brick", "type:script count"];
/// What the processor did for this thread so far; what else has the processor meanwhile does not count.
fn own_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanoseconds)
}

/// The longest that pictures are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A window without a device: its state, the page of the collection, and the maker of pictures.
struct Page {
    state: State,
    ctx: egui::Context,
    view: CollectionView,
    pictures: PictureMaker,
    /// Where pictures are kept.
    folder: tempfile::TempDir,
}

impl Page {
    fn new(roots: Vec<PathBuf>, index: &Path) -> Self {
        let mut settings = Settings::default();
        settings.collection = roots;
        let mut state = State::new(settings, Clock::Real(Instant::now()));
        state.collection.start_collection(&mut state.core, Store::at(index.to_owned()));
        state.apply(Command::Collection(CollectionCommand::Show));
        let ctx = egui::Context::default();
        theme::install_fonts(&ctx);
        theme::apply(&ctx, true, 1.0);
        let folder = tempfile::tempdir().expect("a folder for pictures");
        let mut page = Self { state, ctx, view: CollectionView::default(), pictures: PictureMaker::default(), folder };
        page.settle();
        page
    }

    /// A frame of the window as far as the collection has a part in it; gives what it took.
    fn frame(&mut self) -> Duration {
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1600.0, 1000.0))),
            ..Default::default()
        };
        let start = Instant::now();
        self.state.tick();
        let mut commands = Vec::new();
        let mut output = self.ctx.run_ui(input, |ui| collection::show(ui, &self.state, &mut self.view, &mut commands));
        output.textures_delta.clear();
        std::hint::black_box(self.ctx.tessellate(output.shapes, 1.0));
        for command in commands {
            self.state.apply(command);
        }
        self.pictures.follow(&mut self.state, Some(self.folder.path().to_owned()));
        start.elapsed()
    }

    fn apply(&mut self, command: CollectionCommand) -> Duration {
        let start = Instant::now();
        self.state.apply(Command::Collection(command));
        start.elapsed()
    }

    fn settle(&mut self) {
        self.frame();
        while self.state.core.works.is_busy() {
            self.frame();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Types words letter by letter, each when the one before is answered. Of each letter: what the window's thread did at most
    /// between two frames, the longest frame with all that ran beside it, and what it took until everything was found.
    fn keystrokes(&mut self, words: &str) -> Vec<[Duration; 3]> {
        let mut typed = String::new();
        let mut took = Vec::new();
        for letter in words.chars() {
            typed.push(letter);
            let start = Instant::now();
            let before = own_time();
            let mut longest = self.apply(CollectionCommand::Search(typed.clone())) + self.frame();
            let mut own = own_time().saturating_sub(before);
            while self.state.collection.search.work.is_some() {
                std::thread::sleep(Duration::from_micros(500));
                let before = own_time();
                longest = longest.max(self.frame());
                own = own.max(own_time().saturating_sub(before));
            }
            took.push([own, longest, start.elapsed()]);
        }
        took
    }

    /// Pictures of one kind that were made, what that took, and the longest frame meanwhile.
    fn pictures_of(&mut self, kind: &'static str) -> (usize, Duration, Duration) {
        self.apply(CollectionCommand::ShowPictures(false));
        self.apply(CollectionCommand::Search(String::new()));
        self.apply(CollectionCommand::SetKind(Some(kind)));
        self.settle();
        let start = Instant::now();
        self.apply(CollectionCommand::ShowPictures(true));
        let mut longest = self.frame().max(self.frame());
        while self.state.collection.pictures.is_busy() && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(4));
            longest = longest.max(self.frame());
        }
        let took = start.elapsed();
        let found = &self.state.collection.search.found;
        let ready = found.hits.iter().filter_map(|hit| picture_of(&found.catalog, hit.row)).filter(|picture| {
            matches!(self.state.collection.pictures.get(picture.key), Some(ThumbnailState::Ready(_)))
        });
        (ready.count(), took, longest)
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn main() {
    let temporary = tempfile::tempdir().expect("a folder for the packages");
    let kept = std::env::var_os("KEEP").map(PathBuf::from);
    let folder = kept.as_deref().unwrap_or(temporary.path());
    let packages = folder.join("packages");
    let count = std::env::var("PACKAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(PACKAGES);
    if !packages.exists() {
        made_game::write_copies(&packages, count);
    }
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let mut page = Page::new(vec![packages, samples], &folder.join("window.redb"));
    let rows = page.state.collection.catalog.as_ref().map_or(0, |catalog| catalog.row_count());
    println!("{rows} entries");
    for words in TYPED {
        let took = page.keystrokes(words);
        let most = |of: usize| ms(took.iter().map(|times| times[of]).max().unwrap_or_default());
        println!(
            "`{words}` typed: the window's thread at most {:.1} ms a letter (16), a frame beside the search at most {:.1} ms; answered after at most {:.1} ms (250)",
            most(0),
            most(1),
            most(2)
        );
    }
    // The device is opened with the first model.
    for (kind, figure) in [("texture", 50), ("model", 5), ("clip", 5), ("level", 0)] {
        let (made, took, longest) = page.pictures_of(kind);
        let a_second = made as f64 / took.as_secs_f64();
        println!(
            "pictures of kind {kind}: {made} in {:.2} s, {a_second:.1} a second ({figure}); a frame of the window at most {:.1} ms (50)",
            took.as_secs_f64(),
            ms(longest)
        );
    }
}
