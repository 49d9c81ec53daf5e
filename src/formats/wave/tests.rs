use super::*;

fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    bytes.extend(body);
    bytes.resize(bytes.len() + (body.len() & 1), 0);
    bytes
}

fn format(tag: u16, channels: u16, rate_hz: u32, bits: u16) -> Vec<u8> {
    let frame = channels * bits.div_ceil(8);
    let mut body = Vec::new();
    body.extend(tag.to_le_bytes());
    body.extend(channels.to_le_bytes());
    body.extend(rate_hz.to_le_bytes());
    body.extend((rate_hz * u32::from(frame)).to_le_bytes());
    body.extend(frame.to_le_bytes());
    body.extend(bits.to_le_bytes());
    chunk(b"fmt ", &body)
}

fn riff(parts: &[Vec<u8>]) -> Arc<[u8]> {
    let mut bytes = b"RIFF\0\0\0\0WAVE".to_vec();
    bytes.extend(parts.concat());
    let size = u32::try_from(bytes.len() - 8).unwrap();
    bytes[4..8].copy_from_slice(&size.to_le_bytes());
    bytes.into()
}

fn sampler(loops: &[(u32, u32)]) -> Vec<u8> {
    let mut body = vec![0; 28];
    body.extend(u32::try_from(loops.len()).unwrap().to_le_bytes());
    body.extend([0; 4]);
    for (first, last) in loops {
        body.extend([0; 8]);
        body.extend(first.to_le_bytes());
        body.extend(last.to_le_bytes());
        body.extend([0; 8]);
    }
    chunk(b"smpl", &body)
}

fn samples(sound: &Sound) -> Vec<i16> {
    sound.pcm.as_ref().unwrap().samples.clone()
}

#[test]
fn every_depth_gives_the_same_levels() {
    let half = 0.5_f32;
    let cases: [(u16, u16, Vec<u8>); 6] = [
        (PCM, 8, vec![0x80, 0xC0, 0x00]),
        (PCM, 16, [0_i16, 0x4000, -0x8000].iter().flat_map(|v| v.to_le_bytes()).collect()),
        (PCM, 24, vec![0, 0, 0, 0, 0, 0x40, 0, 0, 0x80]),
        (PCM, 32, [0_i32, 0x4000_0000, i32::MIN].iter().flat_map(|v| v.to_le_bytes()).collect()),
        (FLOAT, 32, [0.0, half, -1.0].iter().flat_map(|v| v.to_le_bytes()).collect()),
        (FLOAT, 64, [0.0, 0.5, -1.0_f64].iter().flat_map(|v| v.to_le_bytes()).collect()),
    ];
    for (tag, bits, data) in cases {
        let sound = sound("x", riff(&[format(tag, 1, 22_050, bits), chunk(b"data", &data)]));
        assert_eq!(samples(&sound), [0, 0x4000, -0x8000], "{tag} {bits}");
        assert_eq!((sound.encoding, sound.extension), ("WAV", "wav"));
        assert_eq!(sound.problem, None);
    }
}

#[test]
fn loud_and_broken_floats_stay_in_range() {
    assert_eq!([1.5, -3.0, f32::NAN, f32::INFINITY].map(from_float), [i16::MAX, i16::MIN, 0, i16::MAX]);
}

#[test]
fn an_extensible_header_says_what_it_holds() {
    let mut body = format(EXTENSIBLE, 2, 44_100, 16)[8..].to_vec();
    body.extend([22, 0, 16, 0, 3, 0, 0, 0, 1, 0]);
    body.extend([0; 14]);
    let sound = sound("x", riff(&[chunk(b"fmt ", &body), chunk(b"data", &[1, 0, 2, 0, 3, 0])]));
    let pcm = sound.pcm.unwrap();
    // The third sample has no partner.
    assert_eq!((pcm.channels, pcm.rate_hz, &*pcm.samples), (2, 44_100, &[1, 2][..]));
}

#[test]
fn loops_cues_and_texts_are_found_in_any_order_and_kept_inside() {
    let mut cue = 1_u32.to_le_bytes().to_vec();
    cue.extend([0; 20]);
    cue.extend(2_u32.to_le_bytes());
    let list = [b"INFO".to_vec(), chunk(b"INAM", b"Door\0"), chunk(b"IZZZ", b"?")].concat();
    let sound = sound(
        "x",
        riff(&[
            chunk(b"PAD ", &[0; 3]),
            sampler(&[(1, 2), (3, 900), (7, 9), (3, 2)]),
            format(PCM, 1, 11_025, 8),
            chunk(b"data", &[0x80; 5]),
            chunk(b"LIST", &list),
            chunk(b"cue ", &cue),
        ]),
    );
    assert_eq!(sound.loops, [1..3, 3..5]);
    assert_eq!(sound.cues, [2]);
    let fact = |name: &str| sound.facts.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    assert_eq!(fact("Title"), Some("Door"));
    assert_eq!(fact("Encoding"), Some("PCM, 8-bit"));
    assert_eq!(fact("Chunks"), Some("PAD, smpl, fmt, data, LIST, cue"));
    assert_eq!(fact("Length"), Some("0.000 s, 5 sample frames"));
}

#[test]
fn a_chunk_past_the_end_is_clamped_and_said() {
    let mut bytes = riff(&[format(PCM, 1, 8_000, 8), chunk(b"data", &[0x80; 4])]).to_vec();
    let at = bytes.len() - 8;
    bytes[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes());
    let sound = sound("x", bytes.into());
    assert_eq!(sound.pcm.unwrap().frames(), 4);
    assert!(sound.problem.unwrap().contains("996 bytes"));
}

#[test]
fn recordings_are_told_apart_by_content() {
    assert_eq!(sniff(b"OggS\0\x02"), Some(("Ogg", "ogg")));
    assert_eq!(sniff(b"fLaC\0\0"), Some(("FLAC", "flac")));
    assert_eq!(sniff(b"ID3\x03"), Some(("MP3", "mp3")));
    assert_eq!(sniff(&[0xFF, 0xFB, 0x90, 0]), Some(("MP3", "mp3")));
    assert_eq!(sniff(&[0xFF, 0xFD, 0x90, 0]), Some(("MP2", "mp2")));
    // No such version, layer, bit rate, sample rate.
    for bytes in [[0xFF, 0xEB, 0x90], [0xFF, 0xF9, 0x90], [0xFF, 0xFB, 0xF0], [0xFF, 0xFB, 0x9C], [0xFF, 0xFF, 0xFF]] {
        assert_eq!(sniff(&bytes), None, "{bytes:02X?}");
    }
    assert_eq!(sniff(b"RIFF"), None);
    let ogg = sound("x", b"OggS etc".to_vec().into());
    assert!(ogg.pcm.is_none() && ogg.problem.unwrap().contains(".ogg"));
    assert!(sound("x", Vec::new().into()).problem.unwrap().contains("no sounds"));
    assert!(sound("x", b"\x01\x02".to_vec().into()).problem.unwrap().contains("01 02"));
}

#[test]
fn codings_that_are_not_decoded_are_named() {
    let adpcm = sound("x", riff(&[format(0x11, 1, 22_050, 4), chunk(b"data", &[0; 8])]));
    assert_eq!(adpcm.problem.unwrap(), "4-bit IMA ADPCM (format 17) is not supported");
    for (channels, rate_hz) in [(0, 8_000), (65, 8_000), (1, 0)] {
        let silent = sound("x", riff(&[format(PCM, channels, rate_hz, 8), chunk(b"data", &[0; 8])]));
        assert!(silent.pcm.is_none() && silent.problem.is_some());
    }
}

/// Cut at every length and with every byte set to its extremes: a sound or a sentence, never more samples than bytes.
#[test]
fn damage_is_survived() {
    let whole = riff(&[
        format(PCM, 2, 22_050, 16),
        sampler(&[(0, 3)]),
        chunk(b"data", &[1; 16]),
        chunk(b"LIST", &[b"INFO".to_vec(), chunk(b"ISFT", b"x")].concat()),
    ]);
    let check = |bytes: Vec<u8>| {
        let size = bytes.len();
        let sound = sound("x", bytes.into());
        assert!(sound.pcm.is_some() || sound.problem.is_some());
        assert!(sound.pcm.is_none_or(|pcm| pcm.samples.len() <= size));
    };
    for cut in 0..whole.len() {
        check(whole[..cut].to_vec());
    }
    for at in 0..whole.len() {
        for value in [0, 0x7F, 0x80, 0xFF] {
            let mut bytes = whole.to_vec();
            bytes[at] = value;
            check(bytes);
        }
    }
}
