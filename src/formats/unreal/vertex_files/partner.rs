//! What lies beside a file: the other one of its pair, and the script that imports both.

use super::{codes, half::Half, import_lines::ImportLines};
use crate::{
    bytes::{Source, text},
    formats::{FileRequest, OpenContext, common_codes, field_reader::Fault, file_name, findings::Findings},
};

/// Bytes of a script that are looked at.
const LARGEST_SCRIPT: usize = 1 << 20;
/// Where scripts lie, beside the folder of models.
const SCRIPTS: &[&str] = &["Classes"];

/// The other file of the pair of a mesh.
pub fn find<T>(
    half: Half,
    common: &str,
    cx: &OpenContext<'_>,
    findings: &mut Findings,
    read: impl FnOnce(&Source) -> Result<T, Fault>,
) -> Option<T> {
    let stem = half.stem(common);
    let request = FileRequest { stem: &stem, extensions: &["3d"], subfolders: false, siblings: &[] };
    let Some(found) = cx.resolver.find(&request) else {
        let (file, holds) = (cx.file, half.holds());
        let message = format!("{stem}.3d was not found next to {file}: the model cannot be shown without its {holds}");
        findings.add(&common_codes::MISSING_FILE, None, message);
        return None;
    };
    let source = found.source.in_memory().map_err(Source::read_failed);
    let read = source.and_then(|source| match Half::of(source.as_slice(), &stem)? {
        other if other != half => Err(format!("it contains {} instead of {}", other.holds(), half.holds())),
        _ => read(&source).map_err(|fault| fault.to_string()),
    });
    read.map_err(|why| findings.add(&codes::BAD_PARTNER, None, format!("{} cannot be read: {why}", found.name))).ok()
}

/// What the script of the mesh's name says of it.
pub fn import_lines(common: &str, cx: &OpenContext<'_>, findings: &mut Findings) -> Option<ImportLines> {
    let request = FileRequest { stem: common, extensions: &["uc"], subfolders: false, siblings: SCRIPTS };
    let missing = "the sequences, textures and scale are unknown";
    let Some(found) = cx.resolver.find(&request) else {
        let message = format!("{common}.uc was not found next to {} or in the Classes folder: {missing}", cx.file);
        findings.add(&common_codes::MISSING_FILE, None, message);
        return None;
    };
    let size = found.source.len().min(LARGEST_SCRIPT);
    let script = found.source.slice(0, size as u64).and_then(|start| start.in_memory().ok())?;
    let text = decode(script.as_slice());
    let stems = [Half::Frames, Half::Polygons].map(|half| half.stem(common));
    let is_ours = |path: &str| {
        let stem = file_name::stem(file_name::last_part(path));
        stems.iter().any(|own| own.eq_ignore_ascii_case(stem))
    };
    let lines = ImportLines::read(&text, is_ours);
    if lines.is_none() {
        let message = format!("{} does not import {}: {missing}", found.name, cx.file);
        findings.add(&common_codes::MISSING_FILE, None, message);
    }
    lines
}

/// A text of either kind that the editor writes.
fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => text::utf_16_le(rest),
        [0xEF, 0xBB, 0xBF, rest @ ..] => text::decode(rest),
        _ => text::decode(bytes),
    }
}
