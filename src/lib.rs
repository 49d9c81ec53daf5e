//! Bonebox opens the assets of old games: it shows what is inside a file down to its bytes, draws its models, plays its
//! animations and exports them. One library serves the window ([`ui`]) and the command line ([`cli`]).
//!
//! # As a library
//!
//! ```
//! use bonebox::library::OpenOptions;
//!
//! let file = OpenOptions::new().open("assets/samples/Ossie.psk")?;
//! for entry in file.models() {
//!     // Its textures and whatever else it refers to are looked for beside the file.
//!     let model = file.load_model(entry.id)?;
//!     assert_eq!(model.meshes.iter().map(|mesh| mesh.points.len()).sum::<usize>(), 3371);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | example | shows |
//! |---|---|
//! | `examples/entries.rs` | what is in a file of any kind, and the fields of an entry |
//! | `examples/pose.rs` | a model posed by a clip of another file at a moment: where its points are |
//! | `examples/to_gltf.rs` | a model with its clips as GLB |
//! | `examples/own_archive.rs` | files that are not on disk, with a [`formats::Resolver`] of one's own |
//! | `examples/joint_counts.rs` | the number of joints of each model in a folder of BMD files |
//! | `examples/curves_to_csv.rs` | the curves of a PSA file as CSV |
//! | `examples/textures_to_png.rs` | all textures of a file as PNG, in parallel |
//! | `examples/turntable.rs` | images of a model from all sides, drawn without a window |
//!
//! Vectors and matrices are those of [`glam`], which is given on for this. Opening, loading and posing take time in proportion to the file:
//! call them on a worker.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | none | [`bytes`], [`formats`], [`scene`], [`files`], most of [`library`]: reading, posing, searching for files |
//! | `containers` | Zip, 7z, WIA and RVZ; the other containers are always included |
//! | `music` | tracker music as samples |
//! | `export` | [`export`] |
//! | `collection` | `library::collection`, the index of collections, and the comparison of folders |
//! | `gpu` | [`gpu`] |
//! | `jobs` | worker threads, and watching files for changes |
//! | `audio` | playing sounds; needs ALSA on Linux |
//! | `window` | the program: the window and the command line |
//! | `app` (default) | `window`, `audio` and the program's allocator |
//!
//! # The way the data goes
//!
//! ```text
//! file bytes ──▶ formats ──▶ scene ──▶ gpu ─────▶ ui  (window)
//!                  │           │                   ▲
//!                  │           └─────▶ export ─────┤
//!                  └─▶ outline, fields ─▶ library ─┴─▶ cli (list, inspect, verify, pose, find, diff, export, render)
//! ```
//! [`files`] is the system's disk, in a browser one in memory; [`audio`] plays what `scene` holds of sounds; `library` follows references from file to file and back.
//!
//! A file travels one way. [`formats`] turns bytes into a [`formats::Document`]: an outline of entries, the fields of each
//! entry with their byte ranges, and on demand an asset made of [`scene`] types. `scene` knows no file format, [`gpu`]
//! knows no file, `ui` and `cli` know no bytes. `tests/architecture.rs` holds the import rules.
//!
//! # Rules that hold everywhere
//!
//! - Formats do no I/O: what lies in another file is asked of the [`formats::Resolver`] in the context.
//! - A count from a file never sizes an allocation before `count × smallest record ≤ bytes left` was checked
//!   ([`bytes::Reader::check_count`]).
//! - No module but `formats` knows a family: what an entry is says its [`formats::Role`], and what only some files can say is
//!   asked of the [`formats::Document`]. What a format calls an entry is for people.
//! - Damage is local: what parsed stays usable, the rest becomes a [`formats::Diagnostic`] on its entry.
//! - Every byte of a file lies in one typed field, or in a named opaque range, or is reported unread
//!   ([`formats::coverage`]).
//! - The scene is right-handed, Y up, in seconds, with column vectors. A family's `to_scene` is the one place that turns
//!   its axes, winding and quaternion habits into that; [`scene::Model::file_from_scene`] leads back.
//! - One evaluator, [`scene::evaluate`], poses models for the window, the exports and the command line.
//! - Nothing panics on a stranger's bytes; a panic in a worker ends that job alone ([`jobs`]).
//!
//! # Where the next families go
//!
//! | what | where it joins |
//! |---|---|
//! | a format family | a folder in [`formats`] with `parse`, `to_scene`, `encode`, and a line in [`formats::FORMATS`] |
//! | a chunk of a J3D file | `ChunkData` for its structure, a line in `KINDS` of its module |
//! | an archive of a game | [`formats::archive`]: its members become documents of the same tree |
//! | a container | [`formats::containers`]: its members are files of their own, at paths that lead into it |
//! | what a clip may drive | a variant of [`scene::Target`], its value in [`scene::Frame`] |
//! | a material of another kind of chip | a variant of [`scene::MaterialKind`]; [`gpu`] keys pipelines by its state |
//! | terrains | a [`formats::Asset`] variant with a scene type, as maps and sounds have |

pub use glam;

pub mod audio;
pub mod bytes;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
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
pub mod ui;
