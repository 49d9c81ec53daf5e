//! What keys hold: settings, and what is said about the way from one to the next (formats/charpipe.md §8).

use super::track::{Curve, Layout, Rotation};
use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader},
    gx::vertex::Number,
};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// Parts of quaternions and eases are whole numbers divided by two to the power of this.
const FINE: u8 = 14;

/// What a key says; what its track has nothing of is left at nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setting {
    pub scale: Vec3,
    /// Degrees.
    pub euler: Vec3,
    pub quaternion: Quat,
    pub translation: Vec3,
    pub matrix: Affine3A,
}

/// What a key says about the way to it and from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ways {
    pub scale: VectorWay,
    /// Of angles.
    pub euler: VectorWay,
    pub quaternion: QuaternionWay,
    pub translation: VectorWay,
}

/// Control points or tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VectorWay {
    pub come: Vec3,
    pub go: Vec3,
    pub ease_in: f32,
    pub ease_out: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuaternionWay {
    pub come: Quat,
    pub go: Quat,
    pub ease_in: f32,
    pub ease_out: f32,
}

fn numbers<const N: usize>(
    r: &mut FieldReader<'_>,
    name: &'static str,
    number: Number,
    shift: u8,
) -> Result<[f32; N], Fault> {
    let at = r.offset();
    let factor = 1.0 / f32::from(1_u16.checked_shl(shift.into()).unwrap_or(1));
    let mut values = [0.0; N];
    for value in &mut values {
        *value = match number {
            Number::U8 => f32::from(r.raw().u8()?) * factor,
            Number::S8 => f32::from(r.raw().i8()?) * factor,
            Number::U16 => f32::from(r.raw().u16()?) * factor,
            Number::S16 => f32::from(r.raw().i16()?) * factor,
            Number::F32 => r.raw().f32()?,
        };
    }
    if r.is_recording() {
        let kind = if N == 1 { number.name().to_owned() } else { format!("{}[{N}]", number.name()) };
        r.record(name, kind, at, || match values.as_slice() {
            [one] => Value::Float(*one),
            list => Value::Floats(list.to_vec()),
        });
    }
    Ok(values)
}

fn vector(r: &mut FieldReader<'_>, name: &'static str, layout: &Layout) -> Result<Vec3, Fault> {
    numbers::<3>(r, name, layout.number, layout.shift).map(Vec3::from)
}

fn quaternion(r: &mut FieldReader<'_>, name: &'static str) -> Result<Quat, Fault> {
    numbers::<4>(r, name, Number::S16, FINE).map(Quat::from_array)
}

fn ease(r: &mut FieldReader<'_>, name: &'static str) -> Result<f32, Fault> {
    numbers::<1>(r, name, Number::S16, FINE).map(|[v]| v)
}

/// A key's setting.
///
/// # Errors
/// When it is not whole.
pub fn read_setting(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Setting, Fault> {
    let mut setting = Setting::default();
    if layout.matrix {
        let [a, b, c, x, d, e, f, y, g, h, i, z] = r.floats::<12>("Matrix", "f32[12]")?;
        let matrix3 = Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i));
        setting.matrix = Affine3A { matrix3, translation: Vec3A::new(x, y, z) };
        return Ok(setting);
    }
    if layout.scale.is_some() {
        setting.scale = vector(r, "Scale", layout)?;
    }
    match layout.rotation {
        Some(Rotation::Euler(_)) => setting.euler = vector(r, "Rotation", layout)?,
        Some(_) => setting.quaternion = quaternion(r, "Quaternion")?,
        None => {}
    }
    if layout.translation.is_some() {
        setting.translation = vector(r, "Translation", layout)?;
    }
    Ok(setting)
}

/// What a key says about the ways to and from it.
///
/// # Errors
/// When it is not whole.
pub fn read_ways(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Ways, Fault> {
    const SCALE: [&str; 4] = ["ScaleIn", "ScaleOut", "ScaleEaseIn", "ScaleEaseOut"];
    const ROTATION: [&str; 4] = ["RotationIn", "RotationOut", "RotationEaseIn", "RotationEaseOut"];
    const TRANSLATION: [&str; 4] = ["TranslationIn", "TranslationOut", "TranslationEaseIn", "TranslationEaseOut"];
    let mut ways = Ways { scale: read_way(r, layout, layout.scale, SCALE)?, ..Ways::default() };
    match layout.rotation {
        Some(Rotation::Euler(curve)) => ways.euler = read_way(r, layout, Some(curve), ROTATION)?,
        Some(Rotation::Squad { eased }) => {
            let [come, go, ease_in, ease_out] = ROTATION;
            (ways.quaternion.come, ways.quaternion.go) = (quaternion(r, come)?, quaternion(r, go)?);
            if eased {
                (ways.quaternion.ease_in, ways.quaternion.ease_out) = (ease(r, ease_in)?, ease(r, ease_out)?);
            }
        }
        _ => {}
    }
    ways.translation = read_way(r, layout, layout.translation, TRANSLATION)?;
    Ok(ways)
}

fn read_way(
    r: &mut FieldReader<'_>,
    layout: &Layout,
    curve: Option<Curve>,
    [come, go, ease_in, ease_out]: [&'static str; 4],
) -> Result<VectorWay, Fault> {
    let mut way = VectorWay::default();
    if matches!(curve, Some(Curve::Bezier | Curve::Hermite)) {
        (way.come, way.go) = (vector(r, come, layout)?, vector(r, go, layout)?);
    }
    if curve == Some(Curve::Hermite) {
        (way.ease_in, way.ease_out) = (ease(r, ease_in)?, ease(r, ease_out)?);
    }
    Ok(way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes::Source, formats::charpipe::container};

    fn layout(number: Number) -> Layout {
        Layout {
            scale: Some(Curve::Hermite),
            rotation: Some(Rotation::Squad { eased: true }),
            translation: Some(Curve::Bezier),
            matrix: false,
            number,
            shift: 4,
        }
    }

    #[test]
    fn numbers_are_divided_and_come_in_order() {
        let bytes = [
            0x10, 0x20, 0xF0, // Scale
            0x20, 0x00, 0xC0, 0x00, 0x00, 0x00, 0x40, 0x00, // Quaternion
            0x08, 0x00, 0x7F, // Translation
        ];
        let source = Source::from(bytes.to_vec());
        let signed = read_setting(&mut container::reader(&source, 0..99), &layout(Number::S8)).unwrap();
        assert_eq!(signed.scale, Vec3::new(1.0, 2.0, -1.0));
        assert_eq!(signed.quaternion, Quat::from_xyzw(0.5, -1.0, 0.0, 1.0));
        assert_eq!(signed.translation, Vec3::new(0.5, 0.0, 127.0 / 16.0));
        let unsigned = read_setting(&mut container::reader(&source, 0..99), &layout(Number::U8)).unwrap();
        assert_eq!(unsigned.scale.z, 15.0);
        assert_eq!(layout(Number::S8).setting_size(), 14);
        assert!(read_setting(&mut container::reader(&source, 0..13), &layout(Number::S8)).is_err());
    }

    #[test]
    fn ways_come_in_the_order_of_what_they_lead_between() {
        let mut bytes = vec![0x10, 0, 0, 0x20, 0, 0, 0x10, 0x00, 0x20, 0x00];
        bytes.extend([0, 0, 0, 0, 0, 0, 0x40, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x00, 0x30, 0x00]);
        bytes.extend([0x30, 0, 0, 0x40, 0, 0]);
        assert_eq!(bytes.len(), layout(Number::S8).curve_size() as usize);
        let source = Source::from(bytes);
        let ways = read_ways(&mut container::reader(&source, 0..99), &layout(Number::S8)).unwrap();
        assert_eq!(
            (ways.scale.come.x, ways.scale.go.x, ways.scale.ease_in, ways.scale.ease_out),
            (1.0, 2.0, 0.25, 0.5)
        );
        assert_eq!((ways.quaternion.come, ways.quaternion.go), (Quat::IDENTITY, Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)));
        assert_eq!((ways.quaternion.ease_in, ways.quaternion.ease_out), (0.125, 0.75));
        assert_eq!((ways.translation.come.x, ways.translation.go.x), (3.0, 4.0));
    }

    #[test]
    fn matrices_are_rows_of_floats() {
        let values = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
        let source = Source::from(values.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<u8>>());
        let layout = Layout { matrix: true, ..layout(Number::S16) };
        let matrix = read_setting(&mut container::reader(&source, 0..99), &layout).unwrap().matrix;
        assert_eq!(matrix.transform_point3(Vec3::X), Vec3::new(5.0, 13.0, 21.0));
    }
}
