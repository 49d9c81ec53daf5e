//! `diff --entry`: all that differs in one entry.

use super::{
    Failure,
    diff_text::{FieldJson, Place, field_text},
    json_output::print_json,
    output::{counted, plain, stdout},
    selection::find_entry,
};
use crate::{
    bytes::Cancel,
    formats::EntryId,
    library::{
        OpenFile,
        compare::{
            AssetDifference, ClipDifference, Fields, ModelDifference, Parts, PictureDifference, Rows, Side, State,
            TextDifference, compare, compare_assets, compare_fields,
        },
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Fields that are told of.
const MAX_FIELDS: usize = 10_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    state: State,
    left: Option<Place<'a>>,
    right: Option<Place<'a>>,
    differing_fields: usize,
    fields: Vec<FieldJson<'a>>,
    /// Not all fields were looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Value>,
}

pub fn run(
    left: &OpenFile,
    right: &OpenFile,
    wanted: &str,
    tolerance: Option<f32>,
    json: bool,
) -> Result<ExitCode, Failure> {
    let comparison = compare(left, right, tolerance, &|_, _| {}, Cancel::never());
    // It may be on one side alone.
    let found: (Option<EntryId>, Option<EntryId>) = match find_entry(left, wanted, &[]) {
        Ok(entry) => (Some(entry.id), None),
        Err(missing) if wanted.starts_with('#') => return Err(missing),
        Err(missing) => (None, Some(find_entry(right, wanted, &[]).map_err(|_| missing)?.id)),
    };
    let is_it = |of_left: Option<EntryId>, of_right: Option<EntryId>| match found {
        (Some(left), _) => of_left == Some(left),
        (None, right) => of_right == right,
    };
    let pair = comparison.entries.iter().find(|pair| is_it(pair.left, pair.right));
    let pair = pair.ok_or_else(|| Failure::of_file(&left.name, format!("no entry “{wanted}”")))?;
    let of_left = pair.left.and_then(|id| Side::of(left, id));
    let of_right = pair.right.and_then(|id| Side::of(right, id));
    let (fields, shown) = match of_left.zip(of_right).filter(|_| pair.state == State::Changed) {
        Some((left, right)) => (
            compare_fields(left, right, Rows::Differing, MAX_FIELDS, tolerance, Cancel::never()),
            compare_assets(left, right, tolerance, Cancel::never()),
        ),
        None => (Fields::default(), None),
    };
    if json {
        print_json(&Report {
            state: pair.state,
            left: of_left.map(|side| Place::of(side.entry)),
            right: of_right.map(|side| Place::of(side.entry)),
            differing_fields: fields.differing,
            fields: fields.rows.iter().map(FieldJson::of).collect(),
            cut: fields.cut,
            shown: shown.as_ref().map(shown_json),
        })?;
    } else if pair.state != State::Same {
        let mut out = stdout();
        let name = |side: Option<Side<'_>>| side.map(|side| side.entry.path().into_owned()).unwrap_or_default();
        let (of_left, of_right) = (name(of_left), name(of_right));
        let path = match pair.state {
            State::Moved => format!("{of_left} → {of_right}"),
            State::Added => of_right,
            _ => of_left,
        };
        writeln!(out, "{} {}", pair.state.sign(), plain(&path))?;
        print(&mut out, &fields, shown.as_ref())?;
        out.flush()?;
    }
    Ok(ExitCode::from(u8::from(pair.state != State::Same)))
}

fn print(out: &mut impl Write, fields: &Fields, shown: Option<&AssetDifference>) -> io::Result<()> {
    for row in &fields.rows {
        writeln!(out, "  {}", plain(&field_text(row)))?;
    }
    let more = fields.differing.saturating_sub(fields.rows.len());
    if more > 0 {
        writeln!(out, "  … {}", counted(more, "more field"))?;
    }
    if fields.cut {
        writeln!(out, "  … some fields were not compared")?;
    }
    match shown {
        None => Ok(()),
        Some(AssetDifference::Text(text)) => print_text(out, text),
        Some(AssetDifference::Picture(both)) => writeln!(out, "  {}", picture(&both.difference)),
        Some(AssetDifference::Model { difference, .. }) => print_model(out, difference),
        Some(AssetDifference::Clip(clip)) => print_clip(out, clip),
    }
}

fn print_text(out: &mut impl Write, text: &TextDifference) -> io::Result<()> {
    for part in &text.parts {
        writeln!(
            out,
            "  {}: {} added, {} removed",
            plain(&part.title),
            counted(part.added, "line"),
            counted(part.gone, "line")
        )?;
        let mut last = (0, 0);
        for line in &part.lines {
            let place = (line.left.unwrap_or(last.0), line.right.unwrap_or(last.1));
            if place.0 > last.0 + 1 || place.1 > last.1 + 1 {
                writeln!(out, "  @ {} {}", place.0, place.1)?;
            }
            last = place;
            let sign = if line.state == State::Same { " " } else { line.state.sign() };
            writeln!(out, "  {sign} {}", plain(&line.text))?;
        }
    }
    Ok(())
}

fn picture(difference: &PictureDifference) -> String {
    let size = |(width, height): (u32, u32)| format!("{width} × {height}");
    match difference.pixels {
        None => format!("image size: {} → {}", size(difference.left), size(difference.right)),
        Some(0) => format!("identical pixels (image size {})", size(difference.left)),
        Some(count) => {
            let (size, largest) = (size(difference.left), difference.largest);
            format!("{} with differences up to {largest} of 255 (image size {size})", counted(count, "pixel"))
        }
    }
}

fn print_counts<T: PartialEq + std::fmt::Debug>(
    out: &mut impl Write,
    name: &str,
    [left, right]: &[T; 2],
) -> io::Result<()> {
    if left == right { Ok(()) } else { writeln!(out, "  {name}: {left:?} → {right:?}") }
}

fn print_parts(out: &mut impl Write, what: &str, parts: &Parts) -> io::Result<()> {
    if parts.is_same() {
        return Ok(());
    }
    writeln!(out, "  {what}: {} added, {} removed", parts.added, parts.gone)?;
    parts.differing.iter().try_for_each(|(state, name)| writeln!(out, "  {} {}", state.sign(), plain(name)))
}

fn print_model(out: &mut impl Write, model: &ModelDifference) -> io::Result<()> {
    print_counts(out, "meshes", &model.meshes)?;
    print_counts(out, "points", &model.points)?;
    print_counts(out, "triangles", &model.triangles)?;
    print_parts(out, "joints", &model.joints)?;
    print_parts(out, "materials", &model.materials)?;
    if model.moved_points > 0 {
        writeln!(out, "  moved points: {}, maximum distance {:?}", model.moved_points, model.largest_distance)?;
    }
    let others = [
        (model.weighted_points, "points with different weights"),
        (model.other_vertices, "vertices with different normals, texture coordinates or colours"),
        (model.other_triangles, "triangles with different vertices"),
    ];
    others.iter().filter(|(count, _)| *count > 0).try_for_each(|(count, what)| writeln!(out, "  {what}: {count}"))
}

fn print_clip(out: &mut impl Write, clip: &ClipDifference) -> io::Result<()> {
    print_counts(out, "frames", &clip.frames)?;
    print_counts(out, "frames per second", &clip.rates)?;
    print_counts(out, "channels", &clip.channels)?;
    print_parts(out, "joints", &clip.joints)?;
    match clip.other_channels {
        None | Some(0) => Ok(()),
        Some(count) => writeln!(out, "  different channels: {count}"),
    }
}

fn shown_json(shown: &AssetDifference) -> Value {
    let parts = |parts: &Parts| {
        let names = |wanted: State| -> Vec<&str> {
            parts.differing.iter().filter(|(state, _)| *state == wanted).map(|(_, name)| name.as_str()).collect()
        };
        json!({"counts": parts.counts, "added": names(State::Added), "gone": names(State::Gone)})
    };
    match shown {
        AssetDifference::Text(text) => {
            let line = |line: &crate::library::compare::Line| json!({"state": line.state, "left": line.left, "right": line.right, "text": line.text});
            let part = |part: &crate::library::compare::LineDifference| {
                let lines: Vec<Value> = part.lines.iter().map(line).collect();
                json!({"title": part.title, "added": part.added, "gone": part.gone, "lines": lines})
            };
            json!({"content": "text", "parts": text.parts.iter().map(part).collect::<Vec<_>>()})
        }
        AssetDifference::Picture(both) => {
            let difference = &both.difference;
            let size = |(width, height): (u32, u32)| [width, height];
            json!({"content": "image", "left": size(difference.left), "right": size(difference.right),
                "pixels": difference.pixels, "largest": difference.largest})
        }
        AssetDifference::Model { difference: model, .. } => {
            json!({"content": "model", "meshes": model.meshes, "points": model.points,
            "triangles": model.triangles, "joints": parts(&model.joints), "movedPoints": model.moved_points,
            "largestDistance": model.largest_distance, "weightedPoints": model.weighted_points,
            "otherVertices": model.other_vertices, "otherTriangles": model.other_triangles,
            "materials": parts(&model.materials)})
        }
        AssetDifference::Clip(clip) => {
            json!({"content": "clip", "frames": clip.frames, "rates": clip.rates, "joints": parts(&clip.joints),
                "channels": clip.channels, "otherChannels": clip.other_channels})
        }
    }
}
