//! What is selected, in sections that fit it: problems, material, pose, fields, uses, how it was read, bytes.

mod byte_search;
pub mod bytes;
pub mod panel;
mod problems;
mod properties;
pub mod reading;
pub mod surfaces;
