//! `render --contact-sheet`: one picture of all clips of a model, or of all textures of a file.

use super::{
    Failure,
    companions::{Companions, clips_called},
    output::{Progress, counted, not_written, plain, print_diagnostics, say, write_png},
    posing::subject,
    registers::RegisterArgs,
    render_args::{Args, SheetOf, View},
    selection::{fitting_entry, load_model, open},
};
use crate::{
    bytes::Cancel,
    export::{
        computed_image,
        contact_sheet::{ContactSheet, SheetLayout},
        reduced,
        write::write_file,
    },
    formats::{Asset, Content, Entry, EntryId},
    gpu::{Background, Studio, take_of},
    library::{ClipChoice, ClipOf, OpenFile, clips_for},
    scene::{Binding, Frame, Image, LoopMode, Model, Player, ShotRate, Shots, Turntable, camera::OrbitCamera},
};
use std::{cell::OnceCell, process::ExitCode, sync::Arc};

/// Default background colour of the cells.
const BACKGROUND: [u8; 3] = [47, 51, 59];

/// Draws the contact sheet and writes it. Default: the clips of the file's main model if the file has a model, else the textures.
pub fn run(file: OpenFile, of: Option<SheetOf>, args: &Args) -> Result<ExitCode, Failure> {
    let file = Arc::new(file);
    let of = of.unwrap_or_else(|| {
        let is_of_model = args.entry.is_some() || !args.clips.is_empty() || file.models().next().is_some();
        if is_of_model { SheetOf::Clips } else { SheetOf::Textures }
    });
    let sheet = match of {
        SheetOf::Clips => of_clips(&file, args)?,
        SheetOf::Textures if !args.registers.colors.is_empty() => return Err(RegisterArgs::no_model()),
        SheetOf::Textures => of_textures(&file, args)?,
    };
    write_file(&args.output, args.force, |out| write_png(&sheet, out)).map_err(not_written)?;
    Ok(ExitCode::SUCCESS)
}

fn background(args: &Args) -> Option<[u8; 3]> {
    match args.background {
        Some(Background::Transparent) => None,
        Some(Background::Color(color)) => Some(color),
        Some(Background::Gradient { .. }) | None => Some(BACKGROUND),
    }
}

/// Draws the middle of each clip, or as many frames of each clip as `--frames` specifies.
fn of_clips(file: &Arc<OpenFile>, args: &Args) -> Result<Image, Failure> {
    if args.view == View::Start {
        return Err(Failure::Usage("--view start works only with levels: a model has no player start".to_owned()));
    }
    let entry = subject(file, args.entry.as_deref())?.model;
    let model = load_model(file, entry, args.switches.load_options())?;
    args.registers.check(&file.name, &model)?;
    let model = args.registers.set_in(model);
    let clips = fitting_clips((file, entry.id), &model, args)?;
    if clips.is_empty() {
        let message = "no clip in this file or a file next to it animates the model: select clips with --clip, or use --contact-sheet textures";
        return Err(Failure::of_file(&file.name, message));
    }
    let (moments, cell) = (args.frames.unwrap_or(1), args.cell_size());
    let width = cell.0.checked_mul(moments).filter(|width| *width <= crate::export::animated::MAX_SIDE);
    let width = width.ok_or_else(|| {
        Failure::Usage(format!(
            "--frames {moments} and cells {} pixels wide exceed the maximum image width: reduce --frames or --cell",
            cell.0
        ))
    })?;
    let layout = SheetLayout::new(clips.len(), (width, cell.1), 1).map_err(Failure::Usage)?;
    let background = background(args);
    let behind = background.map_or(Background::Transparent, Background::Color);
    let mut sheet = ContactSheet::new(layout, background);
    let (shading, selected_joint) = args.shading.of_model(args.bone.as_deref(), &model)?;
    let mut studio = Studio::open(&model, cell).map_err(Failure::failed)?;
    let progress = Progress::new("rendered");
    let mut is_dressed = false;
    for (index, clip) in (0_u32..).zip(&clips) {
        let Some(player) = player_of(clip, &model, args) else { continue };
        // Materials that the clip brings, and the model's own again after it.
        let set = player.material_set();
        let shown = set.map_or_else(|| model.clone(), |set| args.registers.set_in(Arc::new(set.applied_to(&model))));
        if set.is_some() || is_dressed {
            studio.replace(&shown).map_err(Failure::failed)?;
        }
        is_dressed = set.is_some();
        let poses: Vec<Player> = moments_of(&player, moments);
        let aspect = cell.0 as f32 / cell.1 as f32;
        let (all, from) = (poses.iter().cloned(), args.view.direction());
        let mut take = take_of(&shown, all, from, OrbitCamera::frame_closely, behind, aspect);
        (take.view.shading, take.view.selected_joint) = (shading, selected_joint);
        let mut pose = Frame::default();
        for (part, player) in (0_u32..).zip(&poses) {
            player.evaluate(&shown, &mut pose);
            let picture = studio.picture(&take.at(&pose), &pose).map_err(Failure::failed)?;
            sheet.put(index, (part, moments), &picture);
        }
        let name = clip.file.entry(clip.entry).map(|entry| plain(&entry.name).into_owned()).unwrap_or_default();
        sheet.write(index, &[&name]);
        progress.of(index as usize + 1, clips.len());
    }
    Ok(sheet.finish())
}

/// Returns the middle of a clip, or frames spread evenly over the clip.
fn moments_of(player: &Player, count: u32) -> Vec<Player> {
    let shots = |player: &Player, count| Shots::new(player, Turntable::Off, ShotRate::Count(count));
    if count > 1 {
        return shots(player, count).iter().map(|shot| player.at_shot(shot)).collect();
    }
    // Of start, middle and end.
    let mut once = player.clone();
    once.set_loop_mode(LoopMode::Once);
    let three = shots(&once, 3);
    vec![once.at_shot(three.shot(three.count() / 2))]
}

/// Returns the clips from `--clip`, or the clips in the file or the files next to it that belong to the model.
fn fitting_clips((file, entry): (&Arc<OpenFile>, EntryId), model: &Model, args: &Args) -> Result<Vec<ClipOf>, Failure> {
    let mut clips = Vec::new();
    for wanted in &args.clips {
        if let Some(name) = wanted.bare_name() {
            clips.extend(clips_called((file, entry), model, &name)?);
            continue;
        }
        let named = Arc::new(open(&wanted.file)?);
        let entries = match &wanted.entry {
            Some(name) => vec![fitting_entry(&named, Some(name), &[Content::Clip], "clip")?.id],
            None => named.entries_with(Content::Clip),
        };
        clips.extend(entries.into_iter().map(|entry| ClipOf { file: named.clone(), entry, is_own: false }));
    }
    if args.clips.is_empty() {
        let companions = Companions::among(std::slice::from_ref(file));
        let beside = OnceCell::new();
        let others = || beside.get_or_init(|| companions.of(file)).as_slice();
        clips = clips_for((file, entry), others, companions.each, model, ClipChoice::Belonging, Cancel::never()).clips;
        companions.tell();
    }
    let found = clips.len();
    clips.retain(|clip| player_of(clip, model, args).is_some());
    if clips.len() < found && !args.clips.is_empty() {
        say(format_args!(
            "note: {} of {} skipped: no effect on the model",
            found - clips.len(),
            counted(found, "clip")
        ));
    }
    Ok(clips)
}

/// Returns a player of a clip, or `None` if the clip cannot be read or has no effect on the model.
fn player_of(clip: &ClipOf, model: &Model, args: &Args) -> Option<Player> {
    let clip = clip.load(args.switches.load_options(), Cancel::never())?;
    let binding = Binding::new(&clip, model, args.switches.binding_options());
    if !binding.fit.any() {
        return None;
    }
    let mut player = Player::default();
    player.options = args.switches.pose_options();
    player.set_assumed_rate_hz(args.clock.fps);
    let mode = clip.default_loop;
    let layer = player.set_clip(clip, Arc::new(binding));
    player.set_layer_loop(layer, mode);
    Some(player)
}

/// Draws each texture with its name and size.
fn of_textures(file: &OpenFile, args: &Args) -> Result<Image, Failure> {
    if args.entry.is_some() || !args.clips.is_empty() || args.frames.is_some() {
        let message =
            "a contact sheet of textures always contains all textures of the file: omit ENTRY, --clip and --frames";
        return Err(Failure::Usage(message.to_owned()));
    }
    let entries: Vec<&Entry> = file.textures().collect();
    if entries.is_empty() {
        return Err(Failure::of_file(&file.name, "contains no textures"));
    }
    let cell = args.cell_size();
    let layout = SheetLayout::new(entries.len(), cell, 2).map_err(Failure::Usage)?;
    let mut sheet = ContactSheet::new(layout, background(args));
    let progress = Progress::new("drawn");
    for (index, entry) in (0_u32..).zip(entries.iter().copied()) {
        let size = match texture(file, entry, args) {
            Ok((image, uses_alpha)) => {
                sheet.put(index, (0, 1), &fitted(&image, cell, uses_alpha));
                format!("{} × {}", image.width, image.height)
            }
            Err(failure) => {
                say(format_args!("warning: {}", plain(&failure.to_string())));
                "cannot be read".to_owned()
            }
        };
        sheet.write(index, &[&plain(&entry.name), &size]);
        progress.of(index as usize + 1, entries.len());
    }
    Ok(sheet.finish())
}

/// Returns the pixels of a texture, and whether its alpha is used.
fn texture(file: &OpenFile, entry: &Entry, args: &Args) -> Result<(Arc<Image>, bool), Failure> {
    let failed = |message: String| Failure::of_file(&file.name, format!("{}: {message}", entry.path()));
    let loaded = file.load(entry.id, args.switches.load_options(), Cancel::never());
    let loaded = loaded.map_err(|error| failed(error.message))?;
    print_diagnostics(file, &loaded.diagnostics);
    match loaded.asset {
        Asset::Image(image) => {
            let uses_alpha = image.has_alpha();
            Ok((image, uses_alpha))
        }
        Asset::Picture(picture) => {
            let form = picture.form().ok_or_else(|| failed("no pixel data in the file".to_owned()))?;
            let image = form.mips.first().ok_or_else(|| failed("no pixel data in the file".to_owned()))?;
            Ok((image.clone(), picture.uses_alpha(form)))
        }
        Asset::Procedural(texture) => {
            let uses_alpha = texture.masked;
            let image = computed_image(texture, None).map_err(|error| failed(error.to_string()))?;
            Ok((Arc::new(image), uses_alpha))
        }
        _ => Err(failed("not an image".to_owned())),
    }
}

/// Scales an image to fit a cell: averages pixels to reduce the image, or enlarges the image by a whole factor.
fn fitted(image: &Image, (width, height): (u32, u32), uses_alpha: bool) -> Image {
    let mut image = reduced(image, (width, height), uses_alpha);
    let times = (width / image.width.max(1)).min(height / image.height.max(1)).max(1);
    let row_bytes = image.width.max(1) as usize * 4;
    let wide = |row: &[u8]| row.chunks_exact(4).flat_map(|p| p.repeat(times as usize)).collect::<Vec<u8>>();
    let rows = image.rgba.chunks_exact(row_bytes).map(wide);
    let mut rgba: Vec<u8> = rows.flat_map(|row| row.repeat(times as usize)).collect();
    if !uses_alpha {
        rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    }
    (image.width, image.height, image.rgba) = (image.width * times, image.height * times, rgba.into());
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, pixel: [u8; 4]) -> Image {
        let rgba = pixel.repeat((width * height) as usize).into();
        Image { name: String::new(), width, height, rgba, stored_as: String::new() }
    }

    #[test]
    fn pictures_fill_their_cells_in_whole_steps() {
        let size = |width, height| {
            let fitted = fitted(&image(width, height, [1, 2, 3, 0]), (96, 64), false);
            assert_eq!(fitted.rgba.len() as u32, fitted.width * fitted.height * 4);
            assert!(fitted.rgba.chunks_exact(4).all(|p| p == [1, 2, 3, 255]));
            (fitted.width, fitted.height)
        };
        assert_eq!(size(16, 16), (64, 64));
        assert_eq!(size(40, 10), (80, 20));
        assert_eq!(size(96, 64), (96, 64));
        assert_eq!(size(256, 256), (64, 64));
        assert_eq!(size(1_000, 1), (96, 1));
    }
}
