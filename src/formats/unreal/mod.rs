//! Unreal Engine 1 packages.

pub mod encode;
