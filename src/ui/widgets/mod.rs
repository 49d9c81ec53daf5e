//! Pieces that panels are made of.

pub mod byte_reading;
pub mod code;
pub mod diagnostic_card;
pub mod empty;
pub mod entry_icon;
pub mod field_json;
pub mod field_lines;
pub mod field_path;
pub mod field_row;
pub mod figure;
pub mod hex_rows;
pub mod hierarchy_card;
pub mod key_caps;
pub mod pose_card;
pub mod prop_sign;
pub mod put;
pub mod record_table;
pub mod search;
pub mod slot_card;
pub mod subject;
pub mod surface;
pub mod uses_card;
pub mod value_text;
