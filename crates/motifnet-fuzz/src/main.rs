//! `motifnet-fuzz FOLDER`: writes the seeds of every target to a folder of its name in FOLDER, and tells the
//! names; for `cargo xtask soak fuzz`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use motifnet_fuzz::TARGETS;

fn main() -> io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("name a folder for the seeds"));
    };
    for target in &TARGETS {
        let place = folder.join(target.name);
        fs::create_dir_all(&place)?;
        for seed in (target.seeds)() {
            fs::write(place.join(format!("seed {}", seed.name)), seed.bytes)?;
        }
        writeln!(io::stdout(), "{}", target.name)?;
    }
    Ok(())
}
