//! Textures with all their levels and their samplers, and the sets of eight that materials read.

use crate::gpu::layouts::Layouts;
use crate::gpu::{GpuContext, GpuError, texture};
use crate::scene::gx::{Filter, Texture, Wrap};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// More sets than this and they are made anew.
const MAX_SETS: usize = 2048;

/// A texture on the device.
pub struct GpuTexture {
    /// `None` without data: it reads white.
    pub view: Option<wgpu::TextureView>,
    /// With its own filters, and with none.
    samplers: [wgpu::Sampler; 2],
}

/// What decides a sampler.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SamplerKey {
    wrap: [Wrap; 2],
    filters: [Filter; 2],
    /// In 1/8 levels.
    lods: [i32; 2],
    anisotropy: u8,
}

/// Samplers of one model, each made once.
#[derive(Default)]
pub struct Samplers(HashMap<SamplerKey, wgpu::Sampler>);

impl Samplers {
    fn of(&mut self, context: &GpuContext, texture: &Texture, nearest: bool) -> wgpu::Sampler {
        let filters = if nearest {
            [if texture.min_filter.uses_mips() { Filter::NearMipNear } else { Filter::Near }, Filter::Near]
        } else {
            [texture.min_filter, texture.mag_filter]
        };
        let eighths = |lod: f32| (lod.clamp(0.0, 32.0) * 8.0).round() as i32;
        let key = SamplerKey {
            wrap: [texture.wrap_s, texture.wrap_t],
            filters,
            lods: [eighths(texture.min_lod), eighths(texture.max_lod)],
            anisotropy: if nearest { 1 } else { texture.max_anisotropy },
        };
        self.0.entry(key).or_insert_with(|| sampler(context, key)).clone()
    }
}

fn sampler(context: &GpuContext, key: SamplerKey) -> wgpu::Sampler {
    let address = |wrap| match wrap {
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
    };
    let mode = |linear| if linear { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    let [smaller, larger] = key.filters;
    let [least, most] = key.lods.map(|lod| lod as f32 / 8.0);
    // Without mips the smallest step past the largest level still tells a shrunken picture from a magnified one.
    let (least, most) = if smaller.uses_mips() { (least, most.max(least)) } else { (0.0, 0.25) };
    let smooth = smaller.is_linear() && larger.is_linear() && smaller.mixes_mips();
    context.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some("texture map"),
        address_mode_u: address(key.wrap[0]),
        address_mode_v: address(key.wrap[1]),
        mag_filter: mode(larger.is_linear()),
        min_filter: mode(smaller.is_linear()),
        mipmap_filter: if smaller.mixes_mips() {
            wgpu::MipmapFilterMode::Linear
        } else {
            wgpu::MipmapFilterMode::Nearest
        },
        lod_min_clamp: least,
        lod_max_clamp: most,
        // The device wants every filter to be linear.
        anisotropy_clamp: if smooth { u16::from(key.anisotropy.clamp(1, 4)) } else { 1 },
        ..Default::default()
    })
}

impl GpuTexture {
    /// Puts a texture on the device; mips of a wrong size are left out with those after them.
    pub fn new(context: &GpuContext, samplers: &mut Samplers, texture: &Texture) -> Result<Self, GpuError> {
        let view = texture::upload_levels(context, &texture.mips)?;
        let samplers =
            context.scoped("samplers", || [false, true].map(|nearest| samplers.of(context, texture, nearest)))?;
        Ok(Self { view, samplers })
    }
}

/// The textures that a material's eight maps show; `None` reads white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureSet {
    pub maps: [Option<u32>; 8],
    pub nearest: bool,
}

/// Bind groups of the sets met so far.
#[derive(Default)]
pub struct TextureGroups(Mutex<HashMap<TextureSet, wgpu::BindGroup>>);

impl TextureGroups {
    /// The bind group of a set.
    pub fn group(
        &self,
        context: &GpuContext,
        layouts: &Layouts,
        textures: &[GpuTexture],
        white: (&wgpu::TextureView, &wgpu::Sampler),
        set: TextureSet,
    ) -> wgpu::BindGroup {
        let mut groups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if groups.len() >= MAX_SETS {
            groups.clear();
        }
        let make = || {
            let of = |slot: usize| {
                let texture = set.maps[slot].and_then(|index| textures.get(index as usize));
                let pair = texture.and_then(|t| Some((t.view.as_ref()?, &t.samplers[usize::from(set.nearest)])));
                pair.unwrap_or(white)
            };
            let view = |slot: usize| wgpu::BindGroupEntry {
                binding: slot as u32,
                resource: wgpu::BindingResource::TextureView(of(slot).0),
            };
            let sampler = |slot: usize| wgpu::BindGroupEntry {
                binding: slot as u32 + 8,
                resource: wgpu::BindingResource::Sampler(of(slot).1),
            };
            let entries: Vec<_> = (0..8).map(view).chain((0..8).map(sampler)).collect();
            context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("texture maps"),
                layout: &layouts.maps,
                entries: &entries,
            })
        };
        groups.entry(set).or_insert_with(make).clone()
    }
}
