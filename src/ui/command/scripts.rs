//! What can be done with a search through all scripts.

use crate::library::ScriptQuery;

/// One thing to do with the search through all scripts.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptsCommand {
    /// Brings the search to the stage, and the keyboard into its field.
    Show,
    /// Looks for something else from now on.
    Search(ScriptQuery),
    Cancel,
    /// Goes to the line of a result, by its number.
    GoTo(usize),
}
