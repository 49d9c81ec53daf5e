//! What the window is given in a browser, and gives it. Files that are dropped or chosen are put on the disk in memory
//! ([`crate::files::memory`]) by the page's script (assets/page/page.js), and what is written below [`DOWNLOADS`] there becomes a
//! download. Nothing is sent anywhere.

mod calls;
mod downloads;
mod given;
mod places;
mod serve;

pub use calls::{Request, fail, request, set_title, started};
pub use downloads::end_frame;
pub use given::{ask, take_drops, watch};
pub use places::{DOWNLOADS, GIVEN, STATUS};
pub use serve::serve;
