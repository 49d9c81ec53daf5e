//! Joints: BCK with keys (ANK1) and BCA with all frames (ANF1), formats/j3d.md §3.

use super::{
    part::Animated,
    srt::{self, BankPlaces, JOINT_NAMES, SrtBanks, SrtTracks, read_srt, srt_size},
    tables::{Header, Tables, read_header},
    track::ClipMaker,
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::file::{Findings, Part},
    },
    scene::{Clip, ClipJoint, JointAddressing, Target, Unit},
};

/// Joints that move; they are a model's joints by their place.
#[derive(Clone, Debug, PartialEq)]
pub struct JointAnimation {
    /// Loop mode (formats/j3d.md §3.4), rotation shift and duration in frames.
    pub header: Header,
    /// With keys (BCK); a value a frame otherwise (BCA).
    pub keyed: bool,
    /// Tracks of each joint, by joint index.
    pub joints: Vec<SrtTracks>,
    /// Keys or values that the tracks point into.
    pub banks: SrtBanks,
}

/// Reads ANK1, or ANF1 without `keyed`, from behind its tag and size on.
pub fn read_joints(r: &mut FieldReader<'_>, keyed: bool, findings: &mut Findings) -> Result<JointAnimation, Fault> {
    // In ANF1 the shift's byte is 0xFF and means nothing.
    let header = read_header(r, keyed, 1, findings)?;
    let count = r.u16("JointCount")?;
    let [scales, rotations, translations] = [r.u16("ScaleCount")?, r.u16("RotationCount")?, r.u16("TranslationCount")?];
    let table = r.u32("JointTableOffset")?;
    let places = BankPlaces {
        scales: (r.u32("ScaleOffset")?, scales),
        rotations: (r.u32("RotationOffset")?, rotations),
        translations: (r.u32("TranslationOffset")?, translations),
    };
    let starts = [table, places.scales.0, places.rotations.0, places.translations.0];
    let mut tables = Tables::new(r, &starts, findings);
    let joints = tables.records(r, table, "Joints", "JointTracks", u64::from(count), srt_size(keyed), move |r, _| {
        read_srt(r, &JOINT_NAMES, keyed)
    });
    let banks = srt::read_banks(&mut tables, r, places, &joints);
    Ok(JointAnimation { header, keyed, joints, banks })
}

fn joint_name(index: usize) -> String {
    format!("joint {index}")
}

impl Animated for JointAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        let driven = u32::try_from(self.joints.len()).unwrap_or(u32::MAX);
        maker.clip.addressing = JointAddressing::ByPlace { driven };
        maker.clip.joints = (0..self.joints.len()).map(joint_name).collect();
        let SrtBanks { scales, rotations, translations } = &self.banks;
        let angle = Unit::Angle16 { shift: self.header.rotation_shift };
        for (joint, tracks) in (0..).map(ClipJoint).zip(&self.joints) {
            for (axis, t) in (0_u8..).zip(&tracks.axes) {
                maker.track(Target::JointScaleAxis { joint, axis }, Unit::Plain, t.scale, &scales.numbers);
                maker.track(Target::JointEulerAxis { joint, axis }, angle, t.rotation, &rotations.numbers);
                let target = Target::JointTranslationAxis { joint, axis };
                maker.track(target, Unit::Plain, t.translation, &translations.numbers);
            }
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, tracks): (usize, &SrtTracks)| tracks.part(joint_name(index), "Joint", self.keyed);
        self.joints.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let joint = self.joints.get(part);
        joint.map(|j| j.fields(source, &JOINT_NAMES, self.keyed, &self.banks)).unwrap_or_default()
    }
}
