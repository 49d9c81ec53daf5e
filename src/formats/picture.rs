//! Pictures beside models (PNG, TGA, BMP, DDS), decoded for every family that refers to them.
