/// Bytes in the unit that suits them, for people.
pub fn size_text(bytes: u64) -> String {
    const MIB: f64 = 1_048_576.0;
    match bytes as f64 {
        bytes if bytes >= 1024.0 * MIB => format!("{:.1} GiB", bytes / (1024.0 * MIB)),
        bytes if bytes >= MIB => format!("{:.1} MiB", bytes / MIB),
        bytes if bytes >= 1024.0 => format!("{:.1} KiB", bytes / 1024.0),
        bytes => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_in_a_unit_that_suits_them() {
        let said = [512, 2048, 720_000_000, 3 << 30].map(size_text);
        assert_eq!(said, ["512 bytes", "2.0 KiB", "686.6 MiB", "3.0 GiB"]);
    }
}
