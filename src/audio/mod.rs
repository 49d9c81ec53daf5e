//! Playing sounds and tracker music (feature `audio`). Without the feature or a device it says so; what is shown does not
//! depend on it.
