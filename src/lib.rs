//! Reads, shows, plays and exports the assets of old games: Unreal Engine 1 packages, ActorX, Nintendo J3D, character-pipeline models,
//! Visitor landscapes, and the archives and discs that contain them.
//!
//! # As a library
//!
//! ```
//! use bonebox::library::OpenOptions;
//!
//! let file = OpenOptions::new().open("assets/samples/Ossie.psk")?;
//! for entry in file.models() {
//!     // Textures and other related files are searched for next to the file.
//!     let model = file.load_model(entry.id)?;
//!     assert_eq!(model.meshes.iter().map(|mesh| mesh.points.len()).sum::<usize>(), 3371);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | example | shows |
//! |---|---|
//! | `examples/entries.rs` | the entries of any file, and the fields of an entry |
//! | `examples/pose.rs` | a model posed by a clip of another file: the positions of its points |
//! | `examples/to_gltf.rs` | a model and its clips exported as GLB |
//! | `examples/own_archive.rs` | files that are not on disk, through a custom [`formats::Resolver`] |
//! | `examples/joint_counts.rs` | the number of joints of each model in a folder of BMD files |
//! | `examples/curves_to_csv.rs` | the curves of a PSA file as CSV |
//! | `examples/textures_to_png.rs` | all textures of a file as PNG, in parallel |
//! | `examples/turntable.rs` | images of a model from all sides, drawn without a window |
//!
//! Vectors and matrices are types of `glam`, which is re-exported. Opening, loading and posing take time in proportion to the size of the
//! file, so call these functions on a worker thread. [`bytes::Cancel`] cancels them.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | none | [`bytes`], [`formats`], [`scene`], [`files`], most of [`library`]: reading, posing, searching for files. Opens archives, discs and images |
//! | `actorx`, `charpipe`, `j3d`, `unreal`, `visitor` | a format family |
//! | `families` | all format families |
//! | `containers` | Zip, 7z, WIA and RVZ; the other containers are always included |
//! | `music` | tracker music as samples |
//! | `export` | `export`, with `actorx` and `unreal` |
//! | `collection` | `library::collection`, the index of collections, and the comparison of folders |
//! | `gpu` | `gpu` |
//! | `jobs` | worker threads, and watching files for changes |
//! | `audio` | playing sounds; needs ALSA on Linux |
//! | `window` | the program: the window and the command line, with all format families |
//! | `app` (default) | `window`, `audio` and the program's allocator |
//!
//! # Modules
//!
//! ```text
//! file bytes ──▶ formats ──▶ scene ──▶ gpu ─────▶ ui  (window)
//!                  │           │                   ▲
//!                  │           └─────▶ export ─────┤
//!                  └─▶ outline, fields ─▶ library ─┴─▶ cli (list, inspect, verify, pose, find, diff, export, render)
//! ```
//!
//! [`formats`] converts bytes to a [`formats::Document`], which has an outline of entries and the fields of each entry with their byte
//! ranges. A document decodes an entry to an asset, which consists of [`scene`] types. `scene` is independent of file formats, `gpu` of files,
//! and `ui` and `cli` of bytes. `tests/architecture.rs` checks these rules. [`files`] reads the disk, or memory in a browser. [`audio`] plays
//! sounds. [`library`] follows references between files.
//!
//! # Conventions
//!
//! - Formats do not read other files. They request these files from the [`formats::Resolver`] of the context.
//! - A count from a file never determines an allocation before [`bytes::Reader::check_count`] has compared it with the remaining bytes.
//! - Only `formats` depends on a format family. Other modules use the [`formats::Role`] of an entry and the capabilities of the
//!   [`formats::Document`].
//! - Damage is local: the valid parts of a file are usable, and each error is reported as a [`formats::Diagnostic`] of its entry.
//! - Every byte of a file is part of a typed field or of a named opaque range, or is reported as unread ([`formats::coverage`]).
//! - The scene is right-handed, with Y up, seconds and column vectors. Each family converts its axes, winding and quaternions in `to_scene`.
//!   [`scene::Model::file_from_scene`] is the inverse conversion.
//! - [`scene::evaluate`] poses models for the window, the exports and the command line.
//! - Invalid input never causes a panic. If a job panics because of an error in Bonebox, only this job ends.
#![warn(missing_docs)]

pub use glam;

pub mod audio;
pub mod bytes;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
#[allow(missing_docs, reason = "only for the program and its tests")]
#[doc(hidden)]
pub mod cli;
pub mod environment;
#[cfg(feature = "export")]
pub mod export;
pub mod files;
pub mod formats;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "jobs")]
pub mod jobs;
pub mod library;
pub mod scene;
#[cfg(feature = "window")]
#[allow(missing_docs, reason = "only for the program and its tests")]
#[doc(hidden)]
pub mod ui;
