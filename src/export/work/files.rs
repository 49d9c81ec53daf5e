//! The files of an OBJ (models, levels, landscapes), and those that the Unreal editor imports a mesh from.

use super::{NOTHING_STANDS, Work, check_drawn, empty};
use crate::{
    export::{ExportError, ExportFormat, map_model::placed_model, obj::obj, size, terrain, unreal3d},
    formats::{Asset, Entry, EntryId, LoadOptions},
    scene::{Binding, Clip, ClipEnd, Frame, Layer, Model, PoseOptions, evaluate_with},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl Work<'_, '_> {
    /// A model in a pose, or a level with everything in its place.
    pub(super) fn obj(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        // It has no place for light.
        let options = LoadOptions { without_light: true, ..self.source.load };
        let mut model = match self.load_with(entry, options)? {
            Asset::Model(model) => model,
            Asset::Map(map) => {
                self.share.need(size::of_placed(&map))?;
                self.notes.extend(
                    map.missing.iter().map(|sentence| format!("{sentence}. Open the package or add its folder")),
                );
                Arc::new(placed_model(&map))
            }
            _ => return Err(self.unsupported(entry, ExportFormat::Obj)),
        };
        if self.source.frame.is_none() {
            self.note_pose(&model);
        }
        let mut frame = Frame::default();
        let options = PoseOptions { bind_pose: self.source.glb.bind_pose, ..PoseOptions::default() };
        match self.source.frame {
            None => evaluate_with(&model, &[], &[], options, &mut frame),
            Some(number) => {
                let clips = self.clips_of_a_pose(&model, entry.id)?;
                let layers: Vec<Layer<'_>> =
                    clips.iter().map(|(clip, binding)| layer_at(clip, binding, number)).collect();
                evaluate_with(&model, &layers, &[], options, &mut frame);
                if let Some(set) = clips.iter().find_map(|(clip, _)| clip.material_set.as_ref()) {
                    model = Arc::new(set.applied_to(&model));
                }
            }
        }
        check_drawn(entry, &model, false)?;
        self.share.need(size::of_obj(&model))?;
        self.obj_files(entry, &model, &frame, target)
    }

    pub(super) fn landscape_obj(
        &mut self,
        entry: &Entry,
        target: &Path,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let (landscape, step) = (self.landscape(entry, ExportFormat::Obj)?, self.source.terrain.step);
        self.share.need(size::of_whole(&landscape, step))?;
        let model = terrain::whole_model(&landscape, step, self.job, self.notes)?;
        if model.triangle_count() == 0 {
            return Err(empty(entry, NOTHING_STANDS));
        }
        self.obj_files(entry, &model, &Frame::bind(&model), target)
    }

    fn obj_files(
        &self,
        entry: &Entry,
        model: &Model,
        frame: &Frame,
        target: &Path,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let stem = target.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let files = obj(model, frame, &stem, self.source.obj_space, self.space(entry.id))?;
        // The first is the OBJ itself, which has the name that was asked for.
        let path = |(index, name): (usize, &String)| match index {
            0 => target.to_owned(),
            _ => target.with_file_name(name),
        };
        let paths: Vec<PathBuf> = files.iter().map(|(name, _)| name).enumerate().map(path).collect();
        Ok(paths.into_iter().zip(files.into_iter().map(|(_, bytes)| bytes)).collect())
    }

    /// The clips that show in one pose: of those that cannot play together, the first.
    fn clips_of_a_pose(&self, model: &Model, entry: EntryId) -> Result<Vec<(Arc<Clip>, Binding)>, ExportError> {
        let mut shown: Vec<(Arc<Clip>, Binding)> = Vec::new();
        for source in (self.source.clips_for)(model, entry) {
            self.job.check()?;
            let Some(clip) = source.load(self.job.cancel) else { continue };
            let binding = Binding::new(&clip, model, self.source.binding);
            let layer = layer_at(&clip, &binding, 0.0);
            let has_rival = shown.iter().any(|(clip, binding)| layer_at(clip, binding, 0.0).is_rival_of(&layer));
            if !has_rival && (!source.only_if_it_fits || binding.fit.any()) {
                shown.push((clip, binding));
            }
        }
        Ok(shown)
    }
}

/// A clip held at a frame.
fn layer_at<'a>(clip: &'a Clip, binding: &'a Binding, number: f32) -> Layer<'a> {
    // Where a clip ends by its duration, each track holds its own ends.
    let frame = match clip.end {
        ClipEnd::LastFrame => number.clamp(0.0, clip.last_frame()),
        ClipEnd::Duration | ClipEnd::Length(_) => number,
    };
    Layer { clip, binding, frame, looping: false }
}

impl Work<'_, '_> {
    /// A mesh of moving vertices with its frames, its import lines and its textures.
    pub(super) fn unreal3d(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let Some(mesh) = self.source.document.ask(entry.id, |can, entry| can.editor?.vertex_mesh(entry)) else {
            return Err(self.unsupported(entry, ExportFormat::Unreal3d));
        };
        let mesh = mesh?;
        let Asset::Model(model) = self.load(entry)? else {
            return Err(self.unsupported(entry, ExportFormat::Unreal3d));
        };
        check_drawn(entry, &model, false)?;
        self.share.need(unreal3d::size(&mesh, &model))?;
        let files = unreal3d::files(&mesh, &model, &unreal3d::stem_of(target), self.notes)?;
        Ok(files.into_iter().map(|(name, bytes)| (target.with_file_name(name), bytes)).collect())
    }
}
