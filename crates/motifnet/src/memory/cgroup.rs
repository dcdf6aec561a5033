//! What the control groups of Linux leave to this process.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Where control groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// Bytes that the tightest of the process's own control group and those above it has left.
pub(super) fn left() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    left_under(Path::new(MOUNT), &groups)
}

fn left_under(mount: &Path, groups: &str) -> Option<u64> {
    let left = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or(""), fields.next().unwrap_or("/"));
        let version = match controllers {
            "" => Some((Version::Two, mount.to_owned())),
            first if first.split(',').any(|name| name == "memory") => {
                Some((Version::One, mount.join("memory")))
            }
            _ => None,
        };
        version.into_iter().flat_map(move |(version, root)| {
            with_those_above(&root, path).filter_map(move |group| version.left_in(&group))
        })
    });
    left.min()
}

/// The folder of a group and of all groups that it is in. In a container the path may be the host's, and only the root is
/// there; what is not there is skipped by whoever reads it.
fn with_those_above(root: &Path, path: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let inside = PathBuf::from(path.trim_start_matches('/'));
    let folders: Vec<PathBuf> = inside.ancestors().map(|group| root.join(group)).collect();
    folders.into_iter()
}

/// The two kinds of control groups call things differently.
#[derive(Clone, Copy)]
enum Version {
    One,
    Two,
}

impl Version {
    fn left_in(self, group: &Path) -> Option<u64> {
        let (limit, used, cache) = match self {
            Self::One => ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "),
            Self::Two => ("memory.max", "memory.current", "inactive_file "),
        };
        let number = |file: &str| read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
        let (limit, used) = (number(limit)?, number(used)?);
        // Files that were read stay in memory until it is needed for something else.
        let stat = read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().find_map(|line| line.strip_prefix(cache)?.parse::<u64>().ok());
        Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn the_tightest_group_on_the_way_up_counts_and_cached_files_do_not() {
        let tree = tree(&[
            ("a/memory.max", "1000\n"),
            ("a/memory.current", "900\n"),
            ("a/memory.stat", "anon 5\ninactive_file 300\n"),
            ("a/b/memory.max", "max\n"),
            ("a/b/memory.current", "10\n"),
        ]);
        assert_eq!(left_under(tree.path(), "0::/a/b\n"), Some(400));
        assert_eq!(left_under(tree.path(), "0::/\n"), None);
    }

    #[test]
    fn groups_of_the_first_kind_are_found_by_their_controller() {
        let tree = tree(&[
            ("memory/job/memory.limit_in_bytes", "5000"),
            ("memory/job/memory.usage_in_bytes", "1000"),
        ]);
        let groups = "4:cpu,cpuacct:/job\n3:memory:/job/of/the/host\n0::/\n";
        assert_eq!(left_under(tree.path(), groups), Some(4000));
    }

    #[test]
    fn in_a_container_the_root_is_the_group() {
        let tree = tree(&[("memory.max", "7000"), ("memory.current", "7500")]);
        assert_eq!(left_under(tree.path(), "0::/docker/abc\n"), Some(0));
    }
}
