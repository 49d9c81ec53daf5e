//! R12: a file for each diagnostic code of textures of Bohemia's games.

use crate::kit::{
    codes::{Trigger, assert_table},
    paa::{Paa, RED_AND_BLUE, lzo, lzss, rich},
};

pub fn triggers() -> Vec<Trigger> {
    let dxt1 = || Paa::of(0xFF01).palette(&[]);
    let trigger = |code, bytes: Vec<u8>| Trigger::new(code, "a.paa", bytes);
    let mut wrong_sum = lzss(&[7; 32]);
    *wrong_sum.last_mut().unwrap() ^= 1;
    let whole = rich();
    let small = &whole[..whole.len() - 12];
    vec![
        trigger("paa.data-truncated", small.to_vec()),
        trigger("paa.data-trailing", [dxt1().mip(4, 4, &RED_AND_BLUE).end(), vec![1]].concat()),
        trigger("paa.table-invalid", dxt1().mip(4, 4, &RED_AND_BLUE).mip(0, 4, &[]).end()),
        trigger("paa.checksum-mismatch", Paa::of(0x4444).palette(&[]).mip(4, 4, &wrong_sum).end()),
        trigger("paa.decode-failed", dxt1().mip(0x8000 | 8, 8, &lzo(&RED_AND_BLUE)).mip(4, 4, &RED_AND_BLUE).end()),
        trigger("paa.field-odd", dxt1().mip(4, 4, &[0; 9]).end()),
        trigger("paa.bomb-size", dxt1().mip(0x7FFC, 0xFFFC, &[0; 8]).end()),
    ]
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("paa.", &triggers());
}
