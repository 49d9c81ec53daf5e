//! Which surfaces are drawn, with which state, in which order.

use super::frame_buffers::Group;
use super::pipelines::{Key, MaskKey, SurfaceKey, TevKey, Variant};
use super::tev::{TevState, cull_of};
use super::tev_uniforms::{TevUniforms, scene_of};
use super::{Background, GpuModel, Item, ItemLook, Mark, Shading, ViewSettings};
use crate::scene::{Blend, MaterialIndex, MeshIndex, ModelPart, SurfaceRole};
use std::ops::Range;

/// More copies of a surface than this are blended in the order they come in, not from far to near.
const MAX_SORTED: usize = 256;

/// How a surface is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Look {
    Basic(SurfaceKey),
    /// With the chip's whole material, in the state at a place of the [`TevUniforms`].
    Tev {
        key: TevKey,
        place: u32,
    },
}

impl Look {
    pub fn key(self) -> Key {
        match self {
            Self::Basic(key) => Key::Surface(key),
            Self::Tev { key, .. } => Key::Tev(key),
        }
    }

    /// What covers the same pixels in the mask of what is selected.
    pub fn mask(self) -> MaskKey {
        match self {
            Self::Basic(SurfaceKey { blend, cull, mirrored, samples, is_lines, .. }) => {
                let cull = (cull && !mirrored).then_some(wgpu::Face::Back);
                MaskKey { samples, cull, masked: blend == Blend::Masked, is_lines }
            }
            Self::Tev { key: TevKey { state, samples, is_lines, .. }, .. } => {
                MaskKey { samples, cull: cull_of(state.cull), masked: false, is_lines }
            }
        }
    }

    /// Whether it draws lines.
    pub fn is_lines(self) -> bool {
        match self {
            Self::Basic(key) => key.is_lines,
            Self::Tev { key, .. } => key.is_lines,
        }
    }
}

/// One surface of one or more copies of a model.
pub(super) struct Draw<'a> {
    pub look: Look,
    pub model: &'a GpuModel,
    /// Into the model's surfaces.
    pub surface: usize,
    pub instances: Range<u32>,
    /// Into the items: whose vertices, where the CPU skins.
    pub item: usize,
    pub mark: Mark,
    /// Into the windows of the level: whose picture it shows.
    pub window: Option<u32>,
    /// Its edges are drawn where edges are: once for each surface.
    pub has_edges: bool,
    distance: f32,
}

impl Draw<'_> {
    /// Whether it is a surface of a part of its model.
    pub fn is_of(&self, part: &ModelPart) -> bool {
        let surface = self.model.surfaces.get(self.surface);
        surface.is_some_and(|surface| part.has(MeshIndex(surface.mesh), MaterialIndex(surface.material)))
    }
}

/// What hides what is behind it, and what does not.
#[derive(Default)]
pub(super) struct Draws<'a> {
    pub solid: Vec<Draw<'a>>,
    pub blended: Vec<Draw<'a>>,
    /// The picture's alpha no longer says what is opaque.
    pub needs_opaque_alpha: bool,
}

/// Whether a copy of a model shows the mesh of a surface.
fn is_shown(item: &Item<'_>, surface: usize) -> bool {
    let mesh = item.model.surfaces.get(surface).map_or(u32::MAX, |surface| surface.mesh);
    item.frame.visible.get(mesh as usize).copied().unwrap_or(true)
}

/// The pipeline state of a material in this view; `None` when it is not drawn.
fn key_of(view: &ViewSettings, look: ItemLook, model: &GpuModel, surface: usize, samples: u32) -> Option<SurfaceKey> {
    let range = model.surfaces.get(surface)?;
    let material = model.material(range)?;
    let (basic, is_lines) = (&material.basic, range.is_lines);
    if basic.hidden && !view.show_hidden {
        return None;
    }
    if basic.hidden && basic.role != SurfaceRole::Ordinary {
        let (variant, blend) = (Variant::Tint, Blend::Alpha);
        return Some(SurfaceKey { variant, blend, cull: false, mirrored: false, samples, tint: None, is_lines });
    }
    // What adds to the light behind it or dims it has no baked light of its own to show.
    if view.shading == Shading::Light && matches!(basic.blend, Blend::Translucent | Blend::Modulated) && !look.ghost {
        return None;
    }
    let textured = material.textured && view.textures;
    let colored = matches!(view.shading, Shading::Lit | Shading::Unlit);
    let blend = match basic.blend {
        _ if look.glow && basic.blend != Blend::Masked => Blend::Opaque,
        Blend::Masked if textured => Blend::Masked,
        // Vertex colours alone can be transparent.
        Blend::Alpha if colored && (textured || basic.image.is_none()) => Blend::Alpha,
        blend @ (Blend::Translucent | Blend::Modulated) if colored && textured => blend,
        _ => Blend::Opaque,
    };
    let variant = match view.shading {
        _ if look.ghost => Variant::Ghost,
        _ if look.glow => Variant::Glow,
        Shading::Lit | Shading::Unlit if look.tint.is_some() => Variant::Tinted,
        // What multiplies or adds to the picture behind it brings its own light.
        Shading::Lit if basic.unlit || blend == Blend::Modulated => Variant::Unlit,
        Shading::Lit if material.has_light => Variant::Baked,
        Shading::Light if material.has_light => Variant::Light,
        Shading::Light => Variant::Plain,
        Shading::Zones if model.zones.is_some() => Variant::Zones,
        Shading::ListKinds if model.list_uses.is_some() => Variant::ListKinds,
        Shading::Lit | Shading::Zones | Shading::ListKinds => Variant::Lit,
        Shading::Unlit => Variant::Unlit,
        Shading::Flat => Variant::Flat,
        Shading::Normals => Variant::Normals,
        Shading::Uv => Variant::Uv,
        Shading::VertexColors => Variant::VertexColors,
        Shading::MaterialId => Variant::MaterialId,
        Shading::PartId => Variant::PartId,
        Shading::Overdraw => Variant::Overdraw,
        // The joint is another model's.
        Shading::Weights if look.mark != Mark::OfView => Variant::Lit,
        Shading::Weights => Variant::Weights,
    };
    let blend = match variant {
        Variant::Ghost if blend != Blend::Masked => Blend::Alpha,
        Variant::Tinted if blend != Blend::Masked => Blend::Opaque,
        _ => blend,
    };
    let tint = look.tint.filter(|_| matches!(variant, Variant::Ghost | Variant::Tinted));
    let cull = view.backface_culling && !basic.two_sided;
    Some(SurfaceKey { variant, blend, cull, mirrored: false, samples, tint, is_lines })
}

/// A surface that shows another place.
#[derive(Clone, Copy)]
struct ShownWindow {
    /// Into the windows of the level.
    window: u32,
    /// The surface itself lies over it.
    pane: bool,
    /// It is nothing but a window.
    hidden: bool,
}

/// The window that a surface is, when its picture was drawn.
fn window_of(view: &ViewSettings, model: &GpuModel, surface: usize, windows: &[bool]) -> Option<ShownWindow> {
    let basic = &model.material(model.surfaces.get(surface)?)?.basic;
    let window = basic.window.filter(|window| windows.get(*window as usize) == Some(&true))?;
    if basic.hidden && view.show_hidden {
        return None;
    }
    let blends = matches!(basic.blend, Blend::Alpha | Blend::Translucent | Blend::Modulated);
    Some(ShownWindow { window, pane: !basic.hidden && blends, hidden: basic.hidden })
}

/// The state of a surface that is a window.
fn window_key(view: &ViewSettings, model: &GpuModel, surface: usize, samples: u32) -> SurfaceKey {
    let range = model.surfaces.get(surface);
    let material = range.and_then(|range| model.material(range));
    let is_lines = range.is_some_and(|range| range.is_lines);
    let cull = view.backface_culling && material.is_some_and(|material| !material.basic.two_sided);
    let (variant, blend) = (Variant::Window, Blend::Opaque);
    SurfaceKey { variant, blend, cull, mirrored: false, samples, tint: None, is_lines }
}

/// What draws are gathered from.
pub(super) struct Gathering<'a, 'b> {
    pub view: &'b ViewSettings,
    pub samples: u32,
    pub items: &'b [Item<'a>],
    pub groups: &'b [Group],
    /// One draw serves all copies in a group; otherwise each item has its own.
    pub instanced: bool,
    pub uniforms: &'b TevUniforms,
    /// Of each of the level's windows, whether its picture was drawn.
    pub windows: &'b [bool],
}

/// Draws for the groups of items.
pub(super) fn gather<'a>(from: &Gathering<'a, '_>) -> Draws<'a> {
    let Gathering { view, samples, groups, .. } = *from;
    let mut out = Draws::default();
    for group in groups {
        let Some(model) = group.items.first().and_then(|i| from.items.get(*i as usize)).map(|item| item.model) else {
            continue;
        };
        for surface in model.order.iter().map(|surface| *surface as usize) {
            if model.surfaces.get(surface).is_none_or(|range| range.index_count == 0) {
                continue;
            }
            if group.look.keeps_materials() && programs_of(view, model, surface).is_some() {
                continue;
            }
            let window = window_of(view, model, surface, from.windows);
            if let Some(window) = window {
                add(&mut out, from, group, surface, window_key(view, model, surface, samples), Some(window));
            }
            if window.is_none_or(|window| window.pane)
                && let Some(key) = key_of(view, group.look, model, surface, samples)
            {
                add(&mut out, from, group, surface, key, None);
            }
        }
    }
    // Few changes of pipeline; the sort is stable, so that a model's own order stays.
    out.solid.sort_by_key(|draw| match draw.look {
        Look::Basic(key) => (key.blend == Blend::Masked, key.cull, key.mirrored, key.is_lines, key.variant as u8),
        Look::Tev { .. } => (true, true, true, true, u8::MAX),
    });
    out.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    add_tev(&mut out, from);
    out
}

/// Adds a surface of all copies in a group.
fn add<'a>(
    out: &mut Draws<'a>,
    from: &Gathering<'a, '_>,
    group: &Group,
    surface: usize,
    mut key: SurfaceKey,
    shown: Option<ShownWindow>,
) {
    let Gathering { view, items, instanced, .. } = *from;
    let of_group = || group.items.iter().filter_map(|i| items.get(*i as usize));
    let Some(model) = of_group().next().map(|item| item.model) else { return };
    let Some(range) = model.surfaces.get(surface) else { return };
    // A mirrored copy turns its triangles around, and so does a mirror.
    let is_mirrored = |item: &Item<'_>| item.world_from_model.matrix3.determinant() < 0.0;
    let (any, all) = (of_group().any(is_mirrored), of_group().all(is_mirrored));
    key.mirrored = all != view.through.is_mirrored();
    key.cull &= any == all;
    let solid =
        matches!(key.blend, Blend::Opaque | Blend::Masked) && !matches!(key.variant, Variant::Ghost | Variant::Glow);
    let has_edges = shown.is_none_or(|window| !window.pane && !window.hidden);
    let window = shown.map(|shown| shown.window);
    let list = if solid { &mut out.solid } else { &mut out.blended };
    let (look, mark) = (Look::Basic(key), group.look.mark);
    let shown_by_all = of_group().all(|item| is_shown(item, surface));
    if instanced && shown_by_all && (solid || group.items.len() > MAX_SORTED) {
        let instances = group.instances.clone();
        list.push(Draw { look, model, surface, instances, item: 0, mark, window, has_edges, distance: 0.0 });
        return;
    }
    let (eye, forward) = (view.eye(), view.forward());
    for (copy, index) in (group.instances.start..).zip(&group.items) {
        let index = *index as usize;
        let Some(item) = items.get(index).filter(|item| is_shown(item, surface)) else { continue };
        let distance = (item.world_from_model.transform_point3(range.center) - eye).dot(forward);
        let first = if instanced { copy } else { 0 };
        let instances = first..first + 1;
        list.push(Draw { look, model, surface, instances, item: index, mark, window, has_edges, distance });
    }
}

/// The programs of a surface that is drawn with the chip's whole material in this view.
fn programs_of(view: &ViewSettings, model: &GpuModel, surface: usize) -> Option<u32> {
    let scene = scene_of(view)?;
    let programs = (*model.tev.as_ref()?.programs.get(surface)?)?;
    Some(programs.of(scene))
}

/// Surfaces with the chip's whole material, in the order of the file: copies from far to near, of each the opaque ones as they
/// come, and the translucent ones from the last to the first.
fn add_tev<'a>(out: &mut Draws<'a>, from: &Gathering<'a, '_>) {
    let Gathering { view, samples, items, groups, instanced, uniforms, .. } = *from;
    let mut copies: Vec<(f32, u32, usize, Mark)> = Vec::new();
    for group in groups.iter().filter(|group| group.look.keeps_materials()) {
        for (instance, item) in (group.instances.start..).zip(&group.items) {
            let item = *item as usize;
            let Some((copy, tev)) = items.get(item).and_then(|copy| Some((copy, copy.model.tev.as_ref()?))) else {
                continue;
            };
            let center = copy.world_from_model.transform_point3(tev.sphere.0);
            let distance = (center - view.camera.eye()).length();
            copies.push((distance, if instanced { instance } else { 0 }, item, group.look.mark));
        }
    }
    copies.sort_by(|a, b| b.0.total_cmp(&a.0));
    let covers = view.background == Background::Transparent;
    for (distance, instance, item, mark) in copies {
        let Some(copy) = items.get(item) else { continue };
        let model = copy.model;
        let mirrored = copy.world_from_model.matrix3.determinant() < 0.0;
        let mut translucent = Vec::new();
        for surface in model.order.iter().map(|surface| *surface as usize) {
            let Some(program) = programs_of(view, model, surface).filter(|_| is_shown(copy, surface)) else { continue };
            let Some(range) = model.surfaces.get(surface).filter(|range| range.index_count > 0) else { continue };
            let Some(material) = model.model().materials.get(range.material as usize).and_then(|m| m.tev()) else {
                continue;
            };
            let Some(state) = TevState::of(material, mirrored, range.is_lines) else { continue };
            let Some(place) = uniforms.place(item, range.material) else { continue };
            let key = TevKey { program, state, samples, covers, is_lines: range.is_lines };
            let look = Look::Tev { key, place };
            let (instances, window, has_edges) = (instance..instance + 1, None, true);
            let draw = Draw { look, model, surface, instances, item, mark, window, has_edges, distance };
            if material.translucent {
                translucent.push(draw)
            } else {
                out.solid.push(draw)
            }
            out.needs_opaque_alpha = true;
        }
        out.blended.extend(translucent.into_iter().rev());
    }
}
