//! Surfaces, lines and edges in a pass, with what they are drawn from.

use super::ViewSettings;
use super::draws::{Draw, Look};
use super::lines::KeptLines;
use super::pipelines::{Key, Variant};
use super::renderer::{Marks, SceneRenderer, Streams};

impl SceneRenderer {
    /// `counts`: of lines that surfaces hide, and that nothing hides.
    pub(super) fn draw_lines(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        samples: u32,
        counts: [u32; 2],
        kept: Option<&KeptLines>,
    ) {
        for (over, count) in [false, true].into_iter().zip(counts) {
            if let Some(pipeline) = self.pipelines.get(Key::Lines { samples, over }).filter(|_| count > 0) {
                pass.set_pipeline(pipeline);
                if let Some(kept) = kept {
                    kept.draw(pass, over);
                }
                self.lines.draw(pass, over);
            }
        }
    }

    pub(super) fn draw_plain(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        key: Key,
        vertices: std::ops::Range<u32>,
        copies: u32,
    ) {
        if let Some(pipeline) = self.pipelines.get(key) {
            pass.set_pipeline(pipeline);
            pass.draw(vertices, 0..copies);
        }
    }

    pub(super) fn draw_surfaces(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        list: &[Draw<'_>],
        view: &ViewSettings,
        windows: &[Option<&wgpu::BindGroup>],
    ) {
        let mut current = None;
        for draw in list {
            let key = draw.look.key();
            if current != Some(key) {
                let Some(pipeline) = self.pipelines.get(key) else { continue };
                pass.set_pipeline(pipeline);
                current = Some(key);
            }
            let window = draw.window.and_then(|window| *windows.get(window as usize)?);
            match draw.look {
                Look::Basic(_) if window.is_some() => self.draw_bound(pass, draw, Streams::default(), window),
                Look::Basic(key) => {
                    let marks = match key.variant {
                        Variant::Zones => Marks::Zones,
                        Variant::ListKinds => Marks::ListUses,
                        Variant::PartId => Marks::Parts,
                        _ => Marks::None,
                    };
                    self.draw_surface(pass, draw, Streams { nearest: view.nearest_filter, uv_set: view.uv_set, marks });
                }
                Look::Tev { place, .. } => self.draw_tev(pass, draw, place),
            }
        }
    }

    /// Binds a model's streams and a surface's material.
    fn bind_surface(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw<'_>, streams: Streams) -> bool {
        let model = draw.model;
        let posed = || self.posed.get(draw.item).and_then(|p| p.buffer.as_ref());
        let vertices = if self.context.skins_on_gpu() { Some(&model.vertices) } else { posed() };
        let uvs = model.uv_sets.get(streams.uv_set as usize).or(model.uv_sets.first());
        let material = model.surfaces.get(draw.surface).and_then(|s| model.material(s));
        let (Some(vertices), Some(uvs), Some(material)) = (vertices, uvs, material) else { return false };
        let marks = match streams.marks {
            Marks::None => None,
            Marks::Zones => model.zones.as_ref(),
            Marks::ListUses => model.list_uses.as_ref(),
            Marks::Parts => Some(model.part_marks()),
        };
        let second = marks.or(model.uv_sets.get(1)).unwrap_or(uvs);
        if let Some(influences) = &model.influences {
            pass.set_bind_group(1, influences, &[]);
        }
        pass.set_bind_group(2, material.group(streams.nearest), &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_vertex_buffer(1, uvs.slice(..));
        pass.set_vertex_buffer(2, second.slice(..));
        true
    }

    pub(super) fn draw_surface(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw<'_>, streams: Streams) {
        self.draw_bound(pass, draw, streams, None);
    }

    /// A surface with a picture in the place of its material.
    fn draw_bound(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: &Draw<'_>,
        streams: Streams,
        picture: Option<&wgpu::BindGroup>,
    ) {
        let Some(range) = draw.model.surfaces.get(draw.surface) else { return };
        if self.bind_surface(pass, draw, streams) {
            if let Some(picture) = picture {
                pass.set_bind_group(2, picture, &[]);
            }
            pass.set_index_buffer(draw.model.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(range.first_index..range.first_index + range.index_count, 0, draw.instances.clone());
        }
    }

    /// A surface with the chip's whole material.
    fn draw_tev(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw<'_>, place: u32) {
        let model = draw.model;
        let posed = || self.posed.get(draw.item).and_then(|p| p.buffer.as_ref());
        let vertices = if self.context.skins_on_gpu() { Some(&model.vertices) } else { posed() };
        let (Some(vertices), Some(tev)) = (vertices, &model.tev) else { return };
        let Some(range) = model.surfaces.get(draw.surface) else { return };
        if !self.tev_uniforms.bind(pass, place) {
            return;
        }
        if let Some(influences) = &model.influences {
            pass.set_bind_group(1, influences, &[]);
        }
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_vertex_buffer(1, tev.stream.slice(..));
        pass.set_index_buffer(model.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(range.first_index..range.first_index + range.index_count, 0, draw.instances.clone());
    }

    pub(super) fn draw_edges(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw<'_>) {
        let edges = draw.model.edges();
        let Some(range) = edges.ranges.get(draw.surface).filter(|range| !range.is_empty()) else { return };
        if self.bind_surface(pass, draw, Streams::default()) {
            pass.set_index_buffer(edges.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(range.clone(), 0, draw.instances.clone());
        }
    }
}
