//! Reads and writes view files (`.bonebox-view`, JSON), and views in a text chunk of a saved picture (PNG).

use crate::files as fs;
use crate::library::{collection::absolute, read_file, read_head};
use crate::ui::{
    named_file::NamedFile,
    saved_view::{SavedFile, SavedView, VERSION},
};
use serde_json::Value;
use std::{
    io::{self, Cursor, Write},
    path::{Component, Path, PathBuf},
};

pub use crate::ui::saved_view::{EXTENSION, is_view};

/// Keyword of the chunk in a picture.
const KEYWORD: &str = "bonebox-view";
/// Maximum size of a view file. In a picture, the view is in front of the pixels.
const MAX_BYTES: u64 = 4 << 20;
const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// A view that was read, and the files that it lists.
#[derive(Clone, Debug)]
pub struct ReadView {
    /// Name of the view's file.
    pub name: String,
    pub view: SavedView,
    /// Files of the view, in its order.
    pub files: Vec<NamedFile>,
    pub pictures: Vec<NamedFile>,
}

impl ReadView {
    /// Files and pictures that the view lists.
    pub fn named(&self) -> impl Iterator<Item = &NamedFile> {
        self.files.iter().chain(&self.pictures)
    }

    pub fn named_mut(&mut self) -> impl Iterator<Item = &mut NamedFile> {
        self.files.iter_mut().chain(&mut self.pictures)
    }
}

/// Reads a view and judges the files that it lists: in its own folder if present, else at their former paths.
///
/// # Errors
/// Returns an error of one sentence if the file cannot be read, or is not a view.
pub fn read(path: &Path) -> Result<ReadView, String> {
    let head = read_head(path, MAX_BYTES)?;
    let text = match head.starts_with(&PNG) {
        true => text_in_picture(&head)?,
        false => String::from_utf8(read_file(path, MAX_BYTES)?).map_err(|_| "not a Bonebox view".to_owned())?,
    };
    let view = decode(&text)?;
    let path = absolute(path);
    let folder = path.parent().unwrap_or(&path);
    let judge = |files: &[SavedFile]| files.iter().map(|file| NamedFile::of(folder, file)).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(ReadView { name, files: judge(&view.files), pictures: judge(&view.pictures), view })
}

/// Reads a view from text.
///
/// # Errors
/// Returns an error of one sentence if the text is not a view of this version, or lists no file.
pub fn decode(text: &str) -> Result<SavedView, String> {
    let damaged = |error: serde_json::Error| format!("the view is damaged: {error}");
    let value: Value = serde_json::from_str(text).map_err(damaged)?;
    match value.get("version").and_then(Value::as_u64) {
        Some(version) if version > u64::from(VERSION) => {
            return Err(format!(
                "the view was saved by a newer version of Bonebox: it has version {version}, the maximum supported version is {VERSION}"
            ));
        }
        Some(version) if version == u64::from(VERSION) => {}
        _ => return Err("not a Bonebox view".to_owned()),
    }
    let mut view: SavedView = serde_json::from_value(value).map_err(damaged)?;
    view.check();
    if view.files.is_empty() {
        return Err("the view contains no files".to_owned());
    }
    Ok(view)
}

/// Converts a view to text, for a file in a folder.
///
/// # Errors
/// Returns an error if a value has no JSON. No such value is known.
pub fn encode(view: &SavedView, folder: &Path) -> serde_json::Result<String> {
    let mut view = view.clone();
    let folder = crate::files::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    for file in view.files.iter_mut().chain(&mut view.pictures) {
        file.relative = relative(&folder, &file.path);
    }
    serde_json::to_string_pretty(&view)
}

/// Writes a view file, or replaces it at once.
///
/// # Errors
/// Returns an error if the file cannot be written, or the path is that of something else.
pub fn write(path: &Path, view: &SavedView) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::replace(path, encode(view, folder)?.as_bytes())
}

/// Adds a view to a picture that is about to be written.
///
/// # Errors
/// Returns an error if the text cannot be stored in a picture.
pub fn put_in_picture<W: Write>(encoder: &mut png::Encoder<'_, W>, view: &str) -> Result<(), png::EncodingError> {
    encoder.add_itxt_chunk(KEYWORD.to_owned(), view.to_owned())
}

fn text_in_picture(head: &[u8]) -> Result<String, String> {
    let limits = png::Limits { bytes: MAX_BYTES as usize };
    let reader = png::Decoder::new_with_limits(Cursor::new(head), limits).read_info();
    let reader = reader.map_err(|error| format!("the image is damaged: {error}"))?;
    let chunk = reader.info().utf8_text.iter().find(|chunk| chunk.keyword == KEYWORD);
    let chunk =
        chunk.ok_or_else(|| "the image contains no view. Only Bonebox screenshots contain a view".to_owned())?;
    chunk.get_text().map_err(|error| format!("the view in the image is damaged: {error}"))
}

/// Returns the relative path from a folder to a file, which are both absolute. Returns `None` if they share no folder.
fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // The root alone says nothing.
    if !from.iter().take(shared).any(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let up = from.iter().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(to.iter().skip(shared).copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::saved_view::SavedStage;
    use std::fs::{self, File};

    fn view(path: &Path) -> SavedView {
        SavedView {
            version: VERSION,
            files: vec![SavedFile { path: path.to_owned(), relative: None }],
            stages: vec![SavedStage { frame: 3.5, ..SavedStage::default() }],
            ..SavedView::default()
        }
    }

    #[test]
    fn a_view_moves_with_its_files() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [&old, &new] {
            fs::create_dir(folder.path().join("models")).unwrap();
        }
        let [model, moved] = [&old, &new].map(|folder| folder.path().join("models").join("a.psk"));
        let [file, there] = [&old, &new].map(|folder| folder.path().join("walk.bonebox-view"));
        fs::write(&model, "x").unwrap();
        write(&file, &view(&model)).unwrap();
        let read_back = read(&file).unwrap();
        assert_eq!((read_back.view.stages[0].frame, read_back.files), (3.5, vec![NamedFile::Allowed(model.clone())]));
        // Both were moved.
        fs::copy(&file, &there).unwrap();
        fs::write(&moved, "x").unwrap();
        assert_eq!(read(&there).unwrap().files, [NamedFile::Allowed(moved.clone())]);
        // The view alone was moved.
        fs::remove_file(&moved).unwrap();
        assert_eq!(read(&there).unwrap().files, [NamedFile::Outside(vec![model])]);
    }

    #[test]
    fn ways_between_folders() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(way("/a/b", "/a/b/c.psk"), Some("c.psk".into()));
        assert_eq!(way("/a/b", "/a/c/d.psk"), Some("../c/d.psk".into()));
        assert_eq!(way("/a", "/b/c.psk"), None);
    }

    #[test]
    fn what_is_no_view_gives_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bonebox-view");
        let good = encode(&view(Path::new("/a.psk")), folder.path()).unwrap();
        let tomorrow = good.replacen("\"version\": 1", "\"version\": 7, \"planet\": {}", 1);
        let deep = "[".repeat(1_000_000);
        let picture = |text: Option<&str>| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
            encoder.set_color(png::ColorType::Rgba);
            text.into_iter().for_each(|text| put_in_picture(&mut encoder, text).unwrap());
            encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4]).unwrap();
            bytes
        };
        for (bytes, why) in [
            (Vec::new(), "damaged"),
            (good.as_bytes()[..good.len() / 2].to_vec(), "damaged"),
            (tomorrow.clone().into_bytes(), "a newer version of Bonebox: it has version 7"),
            (b"{}".to_vec(), "not a Bonebox view"),
            (b"[1, 2]".to_vec(), "not a Bonebox view"),
            (b"{\"version\": 1}".to_vec(), "contains no files"),
            (b"{\"version\": 1, \"files\": 7}".to_vec(), "damaged"),
            (b"\xff\xfe\0".to_vec(), "not a Bonebox view"),
            (deep.into_bytes(), "damaged"),
            (picture(None), "contains no view"),
            (picture(Some("{")), "damaged"),
            (picture(Some(&tomorrow)), "it has version 7"),
            (picture(Some(&good))[..60].to_vec(), "damaged"),
        ] {
            fs::write(&path, &bytes).unwrap();
            let error = read(&path).unwrap_err();
            assert!(error.contains(why) && error.len() < 300 && !error.contains('\n'), "{why}: {error}");
        }
        fs::write(&path, picture(Some(&good))).unwrap();
        assert_eq!(read(&path).unwrap().view.stages[0].frame, 3.5);
    }

    #[test]
    fn a_huge_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bonebox-view");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(read(&path).unwrap_err().contains("larger than the maximum file size of 4 MiB"));
        assert!(read(folder.path()).unwrap_err().contains("a folder"));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bonebox-view");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(read(&path).unwrap_err().contains("a pipe"));
        assert!(write(&path, &view(Path::new("/a.psk"))).is_err());
    }
}
