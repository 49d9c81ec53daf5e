//! Sounds as WAV files.

use super::ExportError;
use crate::scene::Pcm;
use std::ops::Range;

/// A RIFF/WAVE file of 16-bit samples; `loops` go into a `smpl` chunk, which samplers and engines read.
///
/// # Errors
/// When the samples are more than the format's 32-bit sizes hold.
pub fn wav(pcm: &Pcm, loops: &[Range<usize>]) -> Result<Vec<u8>, ExportError> {
    let data_size = pcm.samples.len() * 2;
    let sampler_size = if loops.is_empty() { 0 } else { 8 + 36 + 24 * loops.len() };
    let riff_size = 4 + 24 + 8 + data_size + sampler_size;
    let long = |count: usize| {
        u32::try_from(count).map_err(|_| ExportError::Unsupported("a WAV is limited to 4 GiB".to_owned()))
    };
    let frame_size = pcm.channels.saturating_mul(2);
    let mut file = Vec::with_capacity(riff_size + 8);
    file.extend(b"RIFF");
    file.extend(long(riff_size)?.to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(pcm.channels.to_le_bytes());
    file.extend(pcm.rate_hz.to_le_bytes());
    file.extend(pcm.rate_hz.saturating_mul(u32::from(frame_size)).to_le_bytes());
    file.extend(frame_size.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(long(data_size)?.to_le_bytes());
    file.extend(pcm.samples.iter().flat_map(|sample| sample.to_le_bytes()));
    if !loops.is_empty() {
        file.extend(b"smpl");
        file.extend(long(sampler_size - 8)?.to_le_bytes());
        let period = 1_000_000_000 / pcm.rate_hz.max(1);
        // Maker, product, length of a sample in nanoseconds, middle C; three numbers of no use here; the loops' count.
        for number in [0, 0, period, 60, 0, 0, 0, long(loops.len())?, 0] {
            file.extend(number.to_le_bytes());
        }
        for (index, range) in loops.iter().enumerate() {
            let (first, last) = (long(range.start)?, long(range.end.saturating_sub(1))?);
            for number in [long(index)?, 0, first, last, 0, 0] {
                file.extend(number.to_le_bytes());
            }
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::wave::sound;

    #[test]
    fn what_is_written_reads_back() {
        let pcm = Pcm { channels: 2, rate_hz: 22_050, samples: vec![0, 1, -1, i16::MAX, i16::MIN, 7] };
        let one = vec![(1_usize, 3_usize)].into_iter().map(|(start, end)| start..end).collect::<Vec<_>>();
        for loops in [&[][..], &one, &[0..1, 1..2]] {
            let file = wav(&pcm, loops).unwrap();
            assert_eq!(u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize, file.len() - 8);
            let back = sound("x", file.into());
            assert_eq!(back.problem, None);
            assert_eq!(*back.pcm.unwrap(), pcm);
            assert_eq!(back.loops, loops);
        }
    }
}
