//! Small textures with their own palettes.

use bonebox::formats::unreal::encode::Mip;
use glam::{Vec2, Vec3};

use super::super::paint::Color;

/// A picture, row by row from the top; a pixel without a colour is a hole.
#[derive(Clone)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Option<Color>>,
}

impl Picture {
    /// `color` gets a place from 0 to 1, right and down.
    pub fn paint(width: usize, height: usize, mut color: impl FnMut(Vec2) -> Color) -> Self {
        Self::masked(width, height, |at| Some(color(at)))
    }

    pub fn masked(width: usize, height: usize, mut color: impl FnMut(Vec2) -> Option<Color>) -> Self {
        let size = Vec2::new(width as f32, height as f32);
        let at = |i: usize| Vec2::new((i % width) as f32 + 0.5, (i / width) as f32 + 0.5) / size;
        let pixels = (0..width * height).map(|i| color(at(i))).collect();
        Self { width, height, pixels }
    }

    /// Half the size; where half of four pixels is a hole, so is the one.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let pixels = (0..width * height)
            .map(|i| {
                let (x, y) = (i % width * 2, i / width * 2);
                let at = |dx: usize, dy: usize| {
                    self.pixels[(y + dy).min(self.height - 1) * self.width + (x + dx).min(self.width - 1)]
                };
                let found: Vec<Color> = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)].into_iter().flatten().collect();
                (found.len() >= 2).then(|| found.iter().sum::<Vec3>() / found.len() as f32)
            })
            .collect();
        Self { width, height, pixels }
    }

    fn mips(&self) -> Vec<Self> {
        let mut mips = vec![self.clone()];
        while let Some(last) = mips.last().filter(|last| last.width > 1 || last.height > 1) {
            mips.push(last.halved());
        }
        mips
    }

    /// RGBA of every size, for compressing.
    pub fn rgba_mips(&self) -> Vec<Mip> {
        let bytes = |mip: &Self| {
            mip.pixels
                .iter()
                .flat_map(|pixel| {
                    let [r, g, b] = pixel.map_or([0; 3], bytes_of);
                    [r, g, b, 255]
                })
                .collect()
        };
        let mip = |mip: &Self| Mip { width: mip.width as u32, height: mip.height as u32, bytes: bytes(mip) };
        self.mips().iter().map(mip).collect()
    }

    /// In palette indices. Entry 0 is left to holes, so that masking takes nothing away that is not one.
    pub fn paletted(&self) -> Paletted {
        Paletted::of(std::slice::from_ref(self)).remove(0)
    }
}

/// A picture of palette indices in every size, and its palette.
#[derive(Clone)]
pub struct Paletted {
    pub palette: Vec<[u8; 3]>,
    pub mips: Vec<Mip>,
}

impl Paletted {
    /// Several pictures with one palette.
    pub fn of(pictures: &[Picture]) -> Vec<Self> {
        let colors: Vec<[u8; 3]> =
            pictures.iter().flat_map(|p| p.pixels.iter().flatten().map(|color| bytes_of(*color))).collect();
        let palette = median_cut(colors, 255);
        let index = |pixel: &Option<Color>| pixel.map_or(0, |color| nearest(&palette, bytes_of(color)));
        pictures
            .iter()
            .map(|picture| {
                let mips = picture.mips();
                let mip = |mip: &Picture| Mip {
                    width: mip.width as u32,
                    height: mip.height as u32,
                    bytes: mip.pixels.iter().map(index).collect(),
                };
                Self { palette: palette.clone(), mips: mips.iter().map(mip).collect() }
            })
            .collect()
    }
}

fn bytes_of(color: Color) -> [u8; 3] {
    color.to_array().map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// The nearest entry but the first.
fn nearest(palette: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |entry: &[u8; 3]| -> i32 {
        // The eye tells greens apart best.
        let weigh = [3, 6, 1];
        (0..3).map(|c| weigh[c] * (i32::from(entry[c]) - i32::from(color[c])).pow(2)).sum()
    };
    (1..palette.len()).min_by_key(|index| distance(&palette[*index])).unwrap_or(0) as u8
}

/// 256 entries: the first for holes, then at most `most` means of boxes that hold the colours, the rest black.
fn median_cut(colors: Vec<[u8; 3]>, most: usize) -> Vec<[u8; 3]> {
    let extent = |colors: &[[u8; 3]]| {
        (0..3)
            .map(|c| {
                let values = || colors.iter().map(|color| color[c]);
                (values().max().unwrap_or(0) - values().min().unwrap_or(0), c)
            })
            .max()
            .unwrap_or((0, 0))
    };
    // What a cut would win: how wide a box is and how many pixels it serves.
    let weigh = |colors: &[[u8; 3]]| (f32::from(extent(colors).0) * (colors.len() as f32).sqrt()) as u64;
    let mut boxes: Vec<(u64, Vec<[u8; 3]>)> = vec![(weigh(&colors), colors)];
    while boxes.len() < most {
        let Some((widest, _)) = boxes.iter().enumerate().max_by_key(|(index, b)| (b.0, usize::MAX - index)) else {
            break;
        };
        if boxes[widest].0 == 0 {
            break;
        }
        let mut low = boxes.swap_remove(widest).1;
        let (_, axis) = extent(&low);
        low.sort_unstable_by_key(|color| (color[axis], *color));
        let mut middle = low.len() / 2;
        // Equal values stay together, or a cut might win nothing.
        while middle > 1 && low[middle - 1][axis] == low[middle][axis] {
            middle -= 1;
        }
        if low[middle - 1][axis] == low[middle][axis] {
            middle = low.iter().position(|color| color[axis] != low[0][axis]).unwrap_or(low.len() / 2);
        }
        let high = low.split_off(middle);
        boxes.push((weigh(&low), low));
        boxes.push((weigh(&high), high));
    }
    let mean = |colors: &[[u8; 3]]| {
        let count = colors.len().max(1) as u64;
        [0, 1, 2].map(|c| ((colors.iter().map(|color| u64::from(color[c])).sum::<u64>() + count / 2) / count) as u8)
    };
    let mut entries: Vec<[u8; 3]> = boxes.iter().filter(|b| !b.1.is_empty()).map(|b| mean(&b.1)).collect();
    // From dark to bright, which is how a palette reads best.
    entries.sort_unstable_by_key(|c| (u32::from(c[0]) * 3 + u32::from(c[1]) * 6 + u32::from(c[2]), *c));
    // What shows through at the edges of holes is no foreign colour.
    let all = mean(&boxes.iter().flat_map(|b| b.1.iter().copied()).collect::<Vec<_>>());
    entries.insert(0, all);
    entries.resize(256, [0; 3]);
    entries
}
