//! A font of strokes with round ends, drawn into two pages.

use glam::Vec2;

use super::super::paint::{hex, mix, stroke};
use super::picture::Picture;

/// Pixels of a cell, and of a side of a page: 8 × 8 characters.
const CELL: usize = 16;
const PAGE: usize = 128;
/// Pixels of one unit of the strokes.
const UNIT: f32 = 1.75;

/// Strokes of the characters from `!` on: a stroke is a run of points, x to the right from 0, y up from the baseline; the
/// height of capitals is 6. Two digits a point, `.` between strokes; `a` and `b` stand for −1 and −2 as y.
const STROKES: [&str; 94] = [
    "0602.0000",
    "0604.2624",
    "1115.3135.0242.0444",
    "4515.1504.0413.1333.3342.4231.3101.2620",
    "0046.0605.4041",
    "4012.1204.0415.1526.2635.3534.3402.0201.0110.1020.2042",
    "0604",
    "2615.1511.1120",
    "0615.1511.1100",
    "2521.0442.0244",
    "2521.0343",
    "111a",
    "0333",
    "0000",
    "0046",
    "1030.3041.4145.4536.3616.1605.0501.0110",
    "0516.1610",
    "0516.1636.3645.4544.4400.0040",
    "0646.4624.2434.3443.4341.4130.3010.1001",
    "3036.3602.0242",
    "4606.0603.0333.3342.4241.4130.3000",
    "4616.1604.0401.0110.1030.3041.4142.4233.3303",
    "0646.4610",
    "1604.0413.1333.3344.4436.3616.1333.1302.0201.0110.1030.3041.4142.4233",
    "4313.1304.0405.0516.1636.3645.4542.4230.3000",
    "0000.0404",
    "111a.1414",
    "4503.0341",
    "0444.0242",
    "0543.4301",
    "0506.0616.1636.3645.4544.4423.2322.2020",
    "3133.3323.2322.2231.3141.4144.4435.3515.1504.0402.0210.1030",
    "0026.2640.1232",
    "0006.0636.3645.4544.4433.3303.3342.4241.4130.3000",
    "4516.1605.0501.0110.1030.3041.4516.4536.3616",
    "0006.0626.2644.4442.4220.2000",
    "4606.0600.0040.0333",
    "4606.0600.0333",
    "4536.3616.1605.0501.0110.1030.3041.4143.4323",
    "0006.4046.0343",
    "0600",
    "3631.3120.2010.1001",
    "0006.4603.0340",
    "0600.0040",
    "0006.0623.2346.4640",
    "0006.0640.4046",
    "1636.3645.4541.4130.3010.1001.0105.0516",
    "0006.0636.3645.4544.4433.3303",
    "1636.3645.4541.4130.3010.1001.0105.0516.2240",
    "0006.0636.3645.4544.4433.3303.2340",
    "4536.3616.1605.0504.0413.1333.3342.4241.4130.3010.1001",
    "0646.2620",
    "0601.0110.1030.3041.4146",
    "0620.2046",
    "0610.1024.2430.3046",
    "0046.0640",
    "0623.2346.2320",
    "0646.4600.0040",
    "2606.0600.0020",
    "0640",
    "0626.2620.2000",
    "0426.2644",
    "0a4a",
    "0615",
    "0414.1434.3443.3330.3443.4340.4212.1201.0110.1040",
    "0600.0333.3342.4241.4130.3000.0333",
    "4313.1302.0201.0110.1040",
    "4640.4313.1302.0201.0110.1040",
    "4010.1001.0103.0314.1434.3443.4342.4202",
    "3626.2615.1510.0333",
    "4414.1403.0302.0211.1141.444a.4a3b.3b0b",
    "0600.0424.2433.3330",
    "0400.0606",
    "1410.101a.1a0b.1616",
    "0600.3402.1330",
    "0601.0110",
    "0004.0414.1423.2320.2324.2434.3443.4340",
    "0004.0424.2433.3330",
    "1434.3443.4341.4130.3010.1001.0103.0314",
    "0b04.0434.3443.4341.4130.3000",
    "4b44.4414.1403.0301.0110.1040",
    "0400.0314.1434",
    "3414.1403.0312.1232.3241.4130.3000",
    "1611.1120.2030.0434",
    "0401.0110.1030.3034",
    "0420.2044",
    "0410.1023.2330.3044",
    "0044.0440",
    "0410.341b.1b0b",
    "0434.3400.0030",
    "2615.1514.1403.0312.1211.1120",
    "060a",
    "0615.1514.1423.2312.1211.1100",
    "0314.1432.3243",
];

fn point(pair: &[u8]) -> Vec2 {
    let digit = |c: u8| match c {
        b'a' => -1.0,
        b'b' => -2.0,
        c => f32::from(c) - f32::from(b'0'),
    };
    Vec2::new(digit(pair[0]), digit(pair[1]))
}

/// The segments of a character.
fn segments(code: usize) -> Vec<[Vec2; 2]> {
    let strokes = code.checked_sub(33).and_then(|index| STROKES.get(index)).copied().unwrap_or_default();
    let points = |stroke: &str| stroke.as_bytes().chunks(2).map(point).collect::<Vec<_>>();
    strokes
        .split('.')
        .map(points)
        .filter(|p| p.len() >= 2)
        .flat_map(|p| p.windows(2).map(|w| [w[0], w[1]]).collect::<Vec<_>>())
        .collect()
}

/// How wide a character is, in pixels with its gap.
fn width(code: usize) -> usize {
    if code == 32 {
        return 6;
    }
    let right = segments(code).iter().flatten().map(|p| p.x).fold(0.0, f32::max);
    (right * UNIT).round() as usize + 5
}

/// Left, top, width and height of each of the 64 characters of a page.
pub fn glyphs(page: usize) -> Vec<[i32; 4]> {
    (0..64)
        .map(|cell| {
            let (x, y) = (cell % 8 * CELL, cell / 8 * CELL);
            let code = page * 64 + cell;
            // Codes below the blank draw nothing.
            if code < 32 || code == 127 { [0; 4] } else { [x, y, width(code).min(CELL), CELL].map(|v| v as i32) }
        })
        .collect()
}

/// A page of 64 characters; what is no stroke is a hole.
pub fn page(page: usize) -> Picture {
    let size = PAGE as f32;
    Picture::masked(PAGE, PAGE, |at| {
        let pixel = at * size;
        let (column, row) = ((pixel.x as usize) / CELL, (pixel.y as usize) / CELL);
        let local = pixel - Vec2::new((column * CELL) as f32, (row * CELL) as f32);
        let ink = segments(page * 64 + row * 8 + column).iter().fold(0.0f32, |ink, [a, b]| {
            // The baseline lies 12 pixels below the top.
            let place = |p: Vec2| Vec2::new(1.75 + p.x * UNIT, 12.0 - p.y * UNIT);
            // A dot is a stroke of hardly any length.
            let (a, b) = (place(*a), place(*b) + Vec2::X * 0.02);
            ink.max(stroke(local, a, b, 1.9, 1.1))
        });
        (ink > 0.12).then(|| mix(hex(0x1d1230), hex(0xffffff), ink))
    })
}
