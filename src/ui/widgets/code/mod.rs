//! Program text: its lines, its colours, and the view that shows them.

mod find;
mod lines;
mod syntax;
mod view;

pub use find::{Match, Search};
pub use lines::Lines;
pub use syntax::{Kind, Span, spans};
pub use view::{CodeEvents, CodeView, Marks, show};
