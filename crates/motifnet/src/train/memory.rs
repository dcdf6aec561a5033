//! How much memory the machine has left.

/// Bytes that can still be taken, as far as can be told: the smaller of what the system and what
/// the control group has left. `None` where neither says.
pub fn available_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let system = read("/proc/meminfo").and_then(|text| system_memory(&text));
    let group = || {
        let limit: u64 = read("/sys/fs/cgroup/memory.max")?.trim().parse().ok()?;
        let used: u64 = read("/sys/fs/cgroup/memory.current")?.trim().parse().ok()?;
        Some(limit.saturating_sub(used))
    };
    system.into_iter().chain(group()).min()
}

fn system_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_are_read() {
        let text = "MemTotal:       24000 kB\nMemFree: 1 kB\nMemAvailable:   1234 kB\n";
        assert_eq!(system_memory(text), Some(1234 * 1024));
        assert_eq!(system_memory("MemTotal: 3 kB"), None);
    }
}
