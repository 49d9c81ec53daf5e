//! Tracks of audio as files that programs play: the samples of a CD with the header of a WAV file (formats/containers.md §9.6).

use super::sheet::{AUDIO, FRAMES};

/// Samples of a second, in each of two channels of two bytes.
const RATE: u32 = 44_100;
const CHANNELS: u16 = 2;
const SAMPLE: u16 = 2;
/// Bytes of the header.
pub const HEADER: u64 = 44;

/// What stands before `size` bytes of samples.
pub fn header(size: u64) -> Vec<u8> {
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let frame = CHANNELS.saturating_mul(SAMPLE);
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(size.saturating_add(36).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    bytes.extend([1, CHANNELS].map(u16::to_le_bytes).as_flattened());
    bytes.extend([RATE, RATE.saturating_mul(u32::from(frame))].map(u32::to_le_bytes).as_flattened());
    bytes.extend([frame, SAMPLE.saturating_mul(8)].map(u16::to_le_bytes).as_flattened());
    bytes.extend(b"data");
    bytes.extend(size.to_le_bytes());
    bytes
}

/// `Track 02 (3m45s).wav`
pub fn name(number: u32, size: u64) -> String {
    let seconds = size / AUDIO / FRAMES;
    format!("Track {number:02} ({}m{:02}s).wav", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_number_and_the_length() {
        assert_eq!(name(2, 225 * FRAMES * AUDIO), "Track 02 (3m45s).wav");
        assert_eq!(name(99, 100), "Track 99 (0m00s).wav");
    }

    #[test]
    fn a_header_says_how_the_samples_are() {
        let bytes = header(1000);
        assert_eq!(bytes.len() as u64, HEADER);
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((number(4), number(16), number(24), number(28), number(40)), (1036, 16, 44_100, 176_400, 1000));
        assert_eq!(&bytes[20..24], [1, 0, 2, 0]);
        assert_eq!(&bytes[32..40], b"\x04\0\x10\0data");
    }
}
