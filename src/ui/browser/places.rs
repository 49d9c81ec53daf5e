//! Where what lies on the disk in memory.

/// Files that a person gave.
pub const GIVEN: &str = "/files";
/// What is written here is downloaded.
pub const DOWNLOADS: &str = "/downloads";
/// What the window shows, for tests.
pub const STATUS: &str = "/status.json";
