//! Files that a person drops or chooses.

use crate::ui::browser::{calls, places::DOWNLOADS};
use crate::{
    files,
    ui::{
        ask::{Ask, Choice},
        dialogs,
        log_buffer::LogBuffer,
        state::{Message, State},
    },
};
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
};

thread_local! {
    /// Dropped files that the next frame takes, on the disk in memory.
    static DROPPED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    /// The question that the browser's dialog is open for, and how the answer gets to the window.
    static ASKED: RefCell<Option<(Ask, Reply)>> = const { RefCell::new(None) };
    static CONTEXT: RefCell<Option<egui::Context>> = const { RefCell::new(None) };
}

type Reply = Box<dyn Fn(Message)>;

/// A file that was dropped, which lies on the disk in memory.
#[derive(Debug)]
struct OnDisk(PathBuf);

impl egui::DroppedFile for OnDisk {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes_async(&self) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, String>> + '_>> {
        Box::pin(std::future::ready(files::read(&self.0).map_err(|error| error.to_string())))
    }
}

/// Which window is woken when something is given.
pub fn watch(context: &egui::Context) {
    CONTEXT.set(Some(context.clone()));
}

pub fn repaint() {
    CONTEXT.with_borrow(|context| context.iter().for_each(egui::Context::request_repaint));
}

/// Hands dropped files to the window, in the place of those that the browser named, of which there is nothing but a name.
pub fn take_drops(input: &mut egui::RawInput) {
    input.dropped_files.clear();
    let dropped = DROPPED.take();
    if !dropped.is_empty() {
        input.hovered_files.clear();
    }
    for path in dropped {
        input.dropped_files.push(Arc::new(OnDisk(path)));
    }
}

/// These lie on the disk in memory now.
pub fn dropped(paths: Vec<PathBuf>) {
    DROPPED.with_borrow_mut(|dropped| dropped.extend(paths));
    repaint();
}

/// Asks in the browser's dialog for what is to be read; what is written is always a download.
pub fn ask(state: &mut State, ask: Ask, _: &LogBuffer) {
    let is_folder = match ask.choice() {
        Choice::Files | Choice::File => false,
        Choice::Folder => true,
        Choice::NewFile(path) => {
            let path = Path::new(DOWNLOADS).join(path.file_name().unwrap_or("bonebox".as_ref()));
            return answer(state, ask, path);
        }
        Choice::TargetFolder => return answer(state, ask, PathBuf::from(DOWNLOADS)),
    };
    let (sender, wake) = (state.core.works.sender(), state.core.works.waker());
    let reply = move |message| {
        let _ = sender.send(message);
        wake();
    };
    ASKED.set(Some((ask, Box::new(reply))));
    calls::pick(is_folder);
}

fn answer(state: &mut State, ask: Ask, path: PathBuf) {
    if let Some(command) = dialogs::answer(ask, vec![path]) {
        state.apply(command);
    }
}

/// The browser's dialog was closed with these, which lie on the disk in memory.
pub fn picked(paths: Vec<PathBuf>) {
    if let Some((ask, reply)) = ASKED.take()
        && let Some(command) = dialogs::answer(ask, paths)
    {
        reply(Message::Command(command));
    }
}
