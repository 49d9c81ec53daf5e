//! What every animation chunk begins with.

use crate::{
    formats::{
        field_reader::{Fault, FieldReader},
        j3d::{chunk::Findings, codes},
    },
    scene::{Clip, ClipEnd, JointAddressing, LoopMode},
};

/// How long an animation is, and what it does at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// 0 to 4 (formats/j3d.md §3.4).
    pub loop_mode: u8,
    /// Rotations are shifted left by it; 0 where the format has none.
    pub rotation_shift: u8,
    /// Frames; it rules, whatever keys there are.
    pub duration: u16,
}

/// Frames a second that such files are played at mostly; nothing in them says so.
const RATE_HZ: f32 = 30.0;

/// Returns the name of a loop mode (formats/j3d.md §3.4); `None` for an unknown mode.
pub fn loop_mode_name(mode: u8) -> Option<&'static str> {
    match mode {
        0 => Some("once"),
        1 => Some("once, then reset"),
        2 => Some("loop"),
        3 => Some("back and forth once"),
        4 => Some("back and forth"),
        _ => None,
    }
}

/// Loop mode, shift and duration. `shifts` says that the byte after the loop mode is a rotation shift, `padding` how many bytes of
/// nothing come before the duration otherwise.
pub fn read_header(
    r: &mut FieldReader<'_>,
    shifts: bool,
    padding: usize,
    findings: &mut Findings,
) -> Result<Header, Fault> {
    let at = r.offset();
    let loop_mode = r.named_u8("LoopMode", loop_mode_name)?;
    if loop_mode_name(loop_mode).is_none() {
        findings.add(&codes::LOOP_MODE, Some(at), format!("unknown loop mode {loop_mode}; the clip loops"));
    }
    let rotation_shift = if shifts {
        r.u8("RotationShift")?
    } else {
        r.pad(padding)?;
        0
    };
    Ok(Header { loop_mode, rotation_shift, duration: r.u16("Duration")? })
}

impl Header {
    /// A clip of this length without channels.
    pub fn clip(&self, name: &str) -> Clip {
        Clip {
            name: name.to_owned(),
            frame_count: u32::from(self.duration),
            rate_hz: RATE_HZ,
            rate_is_assumed: true,
            end: ClipEnd::Duration,
            default_loop: match self.loop_mode {
                0 => LoopMode::Once,
                1 => LoopMode::OnceReset,
                3 => LoopMode::OnceForthAndBack,
                4 => LoopMode::PingPong,
                _ => LoopMode::Loop,
            },
            addressing: JointAddressing::ByPlace { driven: 0 },
            ..Clip::default()
        }
    }
}
