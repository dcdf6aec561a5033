//! What this process has of memory, and what it may have.

use std::fs::read_to_string;

/// Memory of this process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Addresses in use, whether there is memory behind them or not.
    pub addresses: u64,
    /// Of these, data of its own: heap, stacks of threads, pages asked for.
    pub data: u64,
    /// The most that it has had at once of real memory.
    pub peak: u64,
    /// The most addresses that it may use.
    address_limit: Option<u64>,
    /// The most data that it may have.
    data_limit: Option<u64>,
}

/// What this process has; `None` where the system does not tell.
pub fn own_memory() -> Option<ProcessMemory> {
    let read = |file: &str| read_to_string(format!("/proc/self/{file}")).ok();
    ProcessMemory::read(&read("status")?, &read("limits").unwrap_or_default())
}

impl ProcessMemory {
    fn read(status: &str, limits: &str) -> Option<Self> {
        Some(Self {
            addresses: kibibytes(status, "VmSize:")?,
            data: kibibytes(status, "VmData:")?,
            peak: kibibytes(status, "VmHWM:")?,
            address_limit: soft_limit(limits, "Max address space"),
            data_limit: soft_limit(limits, "Max data size"),
        })
    }

    /// Bytes that its own limits leave it, if it has any.
    pub fn left(&self) -> Option<u64> {
        let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
        let both = [left(self.address_limit, self.addresses), left(self.data_limit, self.data)];
        both.into_iter().flatten().min()
    }
}

/// The number of kibibytes after `key` in a file of `/proc`, as bytes.
pub(super) fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The limit that holds, of the two that stand after `key`; none if it is unlimited.
fn soft_limit(limits: &str, key: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "Name:\tmotifnet\nVmPeak:\t 900 kB\nVmSize:\t 800 kB\nVmHWM:\t 700 kB\n\
                          VmRSS:\t 600 kB\nVmData:\t 300 kB\n";

    fn left(address_space: &str, data: &str) -> Option<u64> {
        let limits = format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max data size             {data}            unlimited            bytes     \n\
             Max address space         {address_space}            unlimited            bytes     \n"
        );
        ProcessMemory::read(STATUS, &limits).unwrap().left()
    }

    #[test]
    fn the_tighter_limit_counts_and_none_is_none() {
        assert_eq!(left("unlimited", "unlimited"), None);
        assert_eq!(left("1024000", "unlimited"), Some(200 * 1024 + 1024000 - 1000 * 1024));
        assert_eq!(left("1024000", "409600"), Some(100 * 1024));
        assert_eq!(left("1024000", "1"), Some(0));
    }

    #[test]
    fn what_is_no_such_file_tells_nothing() {
        assert_eq!(ProcessMemory::read("Name:\tx\n", ""), None);
    }
}
