//! Archives and the packings that they come in: RARC, Yaz0, Yay0.

pub mod encode;
