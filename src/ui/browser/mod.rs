//! What the window is given in a browser, and gives it. Files that are dropped or chosen are put on the disk in memory
//! ([`crate::files::memory`]) by the page's script (assets/page/page.js), and what is written below [`DOWNLOADS`] there becomes a
//! download. Nothing is sent anywhere.

mod calls;
mod downloads;
mod given;
mod serve;

pub use calls::{Request, fail, request, set_title, started};
pub use given::{ask, take_drops, watch};
pub use serve::serve;

use super::state::{LogEntry, State};
use crate::formats::Severity;
use std::path::Path;

/// Where files lie that a person gave.
pub const GIVEN: &str = "/files";
/// What is written here is downloaded.
pub const DOWNLOADS: &str = "/downloads";
/// What the window shows, for tests.
pub const STATUS: &str = "/status.json";

/// After each frame: what was written for the person goes to the browser.
pub fn end_frame(state: &mut State) {
    if state.is_busy() {
        return;
    }
    let entry = match downloads::give(Path::new(DOWNLOADS)) {
        Ok(None) => return,
        Ok(Some(name)) => LogEntry::new(Severity::Info, "", format!("{name} is among the browser's downloads")),
        Err(error) => LogEntry::new(Severity::Error, "", format!("it cannot be downloaded: {error}")),
    };
    state.log.announce(entry);
}
