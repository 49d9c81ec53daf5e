//! Controls: where a bone stands in its parent in bind pose (formats/charpipe.md §5).

use crate::{
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
    },
    scene::{Transform, exact, rotation_or_identity},
};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// Bytes of a control, without the axes along which it scales.
pub const SIZE: u64 = 0x34;
/// Bytes of one with them.
const SIZE_WITH_AXES: u64 = 0x3C;

/// Bits that say which of a control's numbers count.
pub mod flag {
    pub const SCALE: u8 = 1;
    pub const EULER: u8 = 2;
    pub const QUATERNION: u8 = 4;
    pub const TRANSLATION: u8 = 8;
    pub const MATRIX: u8 = 0x10;
    pub const SCALE_AXES: u8 = 0x20;

    /// Their names, lowest bit first.
    pub const NAMES: [(u8, &str); 6] = [
        (SCALE, "scale"),
        (EULER, "Euler angles"),
        (QUATERNION, "quaternion"),
        (TRANSLATION, "translation"),
        (MATRIX, "matrix"),
        (SCALE_AXES, "scale axes"),
    ];
}

/// A control as it is stored. A component whose flag is clear does not count, whatever its numbers are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    /// Bits that name the valid components, as in the module `flag`.
    pub flags: u8,
    scale: [f32; 3],
    rotation: [f32; 4],
    translation: [f32; 3],
    /// Row by row.
    matrix: [f32; 12],
    scale_axes: [f32; 4],
}

/// Bytes of a control with these flags.
pub fn size(flags: u8) -> u64 {
    if has_axes(flags) { SIZE_WITH_AXES } else { SIZE }
}

/// A matrix leaves no room for axes.
fn has_axes(flags: u8) -> bool {
    flags & (flag::SCALE_AXES | flag::MATRIX) == flag::SCALE_AXES
}

/// Reads a control from the cursor on.
pub fn read(r: &mut FieldReader<'_>) -> Result<Control, Fault> {
    let at = r.offset();
    let flags = r.raw().u8()?;
    let names = || flag::NAMES.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect();
    r.record("Flags", "u8", at, || Value::Flags { value: u64::from(flags), names: names() });
    r.pad(3)?;
    let mut control = Control { flags, ..Control::default() };
    if flags & flag::MATRIX != 0 {
        control.matrix = r.floats("Matrix", "f32[12]")?;
        return Ok(control);
    }
    control.scale = r.floats("Scale", "f32[3]")?;
    let kind = if flags & flag::QUATERNION != 0 { "Quat" } else { "f32[4]" };
    control.rotation = r.floats(if flags & flag::EULER != 0 { "AnglesDegrees" } else { "Rotation" }, kind)?;
    control.translation = r.floats("Translation", "f32[3]")?;
    if has_axes(flags) {
        control.scale_axes = r.floats("ScaleAxes", "f32[4]")?;
    } else {
        r.pad(8)?;
    }
    Ok(control)
}

impl Control {
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Where it puts the bone: the nearest there is for one with a matrix. What is not finite counts as not there.
    pub fn transform(&self) -> Transform {
        if let Some(matrix) = self.matrix() {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            let scale = if scale.is_finite() { scale } else { Vec3::ONE };
            return Transform { scale, rotation: rotation_or_identity(rotation), translation };
        }
        // Of one that is not finite nothing else was read.
        if self.has(flag::MATRIX) {
            return Transform::IDENTITY;
        }
        let component = |flag, numbers: [f32; 3], otherwise| {
            Some(Vec3::from_array(numbers)).filter(|v| self.has(flag) && v.is_finite()).unwrap_or(otherwise)
        };
        Transform {
            scale: component(flag::SCALE, self.scale, Vec3::ONE),
            rotation: self.rotation(),
            translation: component(flag::TRANSLATION, self.translation, Vec3::ZERO),
        }
    }

    /// A quaternion counts before angles where both flags are set.
    fn rotation(&self) -> Quat {
        let [x, y, z, _] = self.rotation;
        if self.has(flag::QUATERNION) {
            rotation_or_identity(Quat::from_array(self.rotation))
        } else if self.has(flag::EULER) {
            let [x, y, z] = [x, y, z].map(f32::to_radians);
            rotation_or_identity(exact::rotation_zyx(z, y, x))
        } else {
            Quat::IDENTITY
        }
    }

    /// The whole matrix, where it has one that is finite.
    pub fn matrix(&self) -> Option<Affine3A> {
        let [a, b, c, x, d, e, f, y, g, h, i, z] = self.matrix;
        let matrix = Affine3A {
            matrix3: Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i)),
            translation: Vec3A::new(x, y, z),
        };
        Some(matrix).filter(|m| self.has(flag::MATRIX) && m.is_finite())
    }

    /// Axes along which it scales, where they are not its own.
    pub fn scale_axes(&self) -> Option<Quat> {
        has_axes(self.flags).then(|| rotation_or_identity(Quat::from_array(self.scale_axes)))
    }

    /// Whether every number that counts is finite.
    pub fn is_finite(&self) -> bool {
        let all = |flag: u8, numbers: &[f32]| !self.has(flag) || numbers.iter().all(|n| n.is_finite());
        if self.has(flag::MATRIX) {
            return all(flag::MATRIX, &self.matrix);
        }
        all(flag::SCALE, &self.scale)
            && all(flag::EULER | flag::QUATERNION, &self.rotation)
            && all(flag::TRANSLATION, &self.translation)
            && all(flag::SCALE_AXES, &self.scale_axes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Endian, Source};

    /// A control of these numbers, behind its flags.
    fn control(flags: u8, numbers: &[f32]) -> Control {
        let mut bytes = vec![flags, 0, 0, 0];
        bytes.extend(numbers.iter().flat_map(|n| n.to_be_bytes()));
        bytes.resize(size(flags) as usize, 0);
        let source = Source::from(bytes);
        let mut r = FieldReader::new(&source, 0..size(flags), Endian::Big);
        let control = read(&mut r).unwrap();
        assert_eq!(r.left(), 0, "flags {flags:#x}");
        control
    }

    /// Scale, rotation, translation, one after the other.
    const NUMBERS: [f32; 10] = [2.0, 3.0, 4.0, 0.0, 0.0, 90.0, 1.0, 5.0, 6.0, 7.0];

    #[test]
    fn components_without_their_flag_do_not_count() {
        assert_eq!(control(0, &NUMBERS).transform(), Transform::IDENTITY);
        let moved = control(flag::TRANSLATION, &NUMBERS).transform();
        assert_eq!(moved, Transform { translation: Vec3::new(5.0, 6.0, 7.0), ..Transform::IDENTITY });
        let scaled = control(flag::SCALE, &NUMBERS).transform();
        assert_eq!(scaled, Transform { scale: Vec3::new(2.0, 3.0, 4.0), ..Transform::IDENTITY });
    }

    #[test]
    fn angles_are_degrees_about_x_then_y_then_z() {
        let turned = control(flag::EULER, &NUMBERS).transform().rotation;
        assert!((turned * Vec3::X).abs_diff_eq(Vec3::Y, 1e-6));
        // X by 90°, then Z by 90°: Y goes to Z and stays there.
        let both = control(flag::EULER, &[1.0, 1.0, 1.0, 90.0, 0.0, 90.0]).transform().rotation;
        assert!((both * Vec3::Y).abs_diff_eq(Vec3::Z, 1e-6) && (both * Vec3::X).abs_diff_eq(Vec3::Y, 1e-6));
    }

    #[test]
    fn quaternions_need_no_unit_length_and_zero_is_no_turn() {
        let turned = control(flag::QUATERNION, &[1.0, 1.0, 1.0, 0.0, 0.0, 3.0, 3.0]).transform().rotation;
        assert!((turned * Vec3::X).abs_diff_eq(Vec3::Y, 1e-6) && turned.is_normalized());
        let none = control(flag::QUATERNION, &[1.0, 1.0, 1.0]);
        assert_eq!(none.transform().rotation, Quat::IDENTITY);
        let bad = control(flag::QUATERNION, &[1.0, 1.0, 1.0, f32::NAN, 0.0, 0.0, 1.0]);
        assert!(bad.transform().rotation == Quat::IDENTITY && !bad.is_finite());
    }

    #[test]
    fn a_matrix_is_stored_row_by_row_and_stands_for_all() {
        let rows = [0.0, -2.0, 0.0, 5.0, 2.0, 0.0, 0.0, 6.0, 0.0, 0.0, 2.0, 7.0];
        let control = control(flag::MATRIX | flag::SCALE, &rows);
        let matrix = control.matrix().unwrap();
        assert_eq!(matrix.transform_point3(Vec3::X), Vec3::new(5.0, 8.0, 7.0));
        assert!(control.transform().to_affine().abs_diff_eq(matrix, 1e-6), "{:?}", control.transform());
    }

    #[test]
    fn a_matrix_that_is_not_finite_counts_as_not_there() {
        let control = control(flag::MATRIX | flag::SCALE | flag::TRANSLATION, &[f32::NAN; 12]);
        assert!(control.matrix().is_none() && control.transform() == Transform::IDENTITY && !control.is_finite());
    }

    #[test]
    fn axes_of_scale_take_the_place_of_the_last_bytes() {
        let mut numbers = NUMBERS.to_vec();
        numbers.extend([0.0, 0.0, 2.0, 0.0]);
        assert_eq!(control(flag::SCALE_AXES, &numbers).scale_axes(), Some(Quat::from_xyzw(0.0, 0.0, 1.0, 0.0)));
        assert_eq!(control(flag::SCALE, &NUMBERS).scale_axes(), None);
        assert_eq!((size(flag::SCALE_AXES), size(flag::SCALE_AXES | flag::MATRIX)), (0x3C, 0x34));
    }
}
