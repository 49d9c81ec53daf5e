//! What a stage shows, a folder for each kind of content.

pub mod ask_place;
pub mod breadcrumb;
pub mod camera_mouse;
pub mod classes;
pub mod collection;
pub mod compare;
pub mod gallery;
pub mod gizmo;
pub mod hidden_line;
pub mod image;
pub mod landscape;
pub mod level;
pub mod links;
pub mod model;
pub mod picture_list;
pub mod pictures;
pub mod scripts;
pub mod sound;
pub mod space;
pub mod table;
pub mod text;
pub mod view_menus;
