use super::{ground::Ground, progress::Progress};
use std::io::{self, Write};

/// The highest ground.
const WHITE: u16 = u16::MAX;

/// How heights become greys.
struct Scale {
    /// In metres: what [`Scale::first`] stands for.
    lowest: f64,
    highest: f64,
    /// The darkest grey that is ground; less is a hole.
    first: u16,
}

impl Scale {
    /// Metres between two greys.
    fn step(&self) -> f64 {
        (self.highest - self.lowest) / f64::from(WHITE - self.first)
    }

    fn grey(&self, height: f32) -> u16 {
        if !height.is_finite() {
            return 0;
        }
        let step = self.step();
        let steps = if step > 0.0 { (f64::from(height) - self.lowest) / step } else { 0.0 };
        // A cast stays within the type.
        self.first.saturating_add(steps.round() as u16)
    }
}

/// Writes a grey picture of 16 bits, north up, from black for the lowest ground to white for the highest; where there are holes
/// black is left to them. What a grey stands for is in its text.
pub fn write(ground: &Ground<'_>, progress: &mut Progress<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    let holes = ground.holes();
    let range = ground.range();
    let [lowest, highest] = range.unwrap_or_default().map(f64::from);
    let scale = Scale { lowest, highest, first: u16::from(holes > 0) };
    let (width, height) = (u32::try_from(ground.columns), u32::try_from(ground.rows));
    let too_large = |_| io::Error::other("the landscape has more samples than an image can have pixels");
    let mut encoder = png::Encoder::new(&mut *out, width.map_err(too_large)?, height.map_err(too_large)?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Balanced);
    let mut texts = vec![("Metres between samples", ground.cell.to_string())];
    if range.is_some() {
        texts.extend([
            ("Minimum height in metres", lowest.to_string()),
            ("Maximum height in metres", highest.to_string()),
            ("Metres per step", scale.step().to_string()),
            ("Minimum grey value", scale.first.to_string()),
        ]);
    }
    if holes > 0 {
        texts.push(("Grey value of holes", "0".to_owned()));
    }
    texts.push(("Description", description(&scale, ground, range.is_some())));
    for (keyword, text) in texts {
        encoder.add_text_chunk(keyword.to_owned(), text).map_err(io::Error::other)?;
    }
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    let mut picture = writer.stream_writer().map_err(io::Error::other)?;
    let mut line = Vec::with_capacity(ground.columns * 2);
    for row in (0..ground.rows).rev() {
        progress.at(ground.rows - row, ground.rows)?;
        line.clear();
        line.extend(ground.row(row).iter().flat_map(|height| scale.grey(*height).to_be_bytes()));
        picture.write_all(&line)?;
    }
    picture.finish().and_then(|()| writer.finish()).map_err(io::Error::other)?;
    progress.notes.push(description(&scale, ground, range.is_some()));
    progress.note(holes, "sample without ground is black (0)", "samples without ground are black (0)");
    Ok(())
}

/// Latin letters alone: a PNG's text has no others.
fn description(scale: &Scale, ground: &Ground<'_>, any: bool) -> String {
    let Scale { lowest, highest, first } = scale;
    let cell = ground.cell;
    if !any {
        return format!("the image contains no ground; {cell} m between samples");
    }
    let step = scale.step();
    format!(
        "grey values {first} to {WHITE} represent heights from {lowest} m to {highest} m, {step} m per step; {cell} m between samples; north is up"
    )
}
