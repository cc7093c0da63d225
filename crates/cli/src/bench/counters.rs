//! What the emulator of devices counts of each kernel in one run.

use lawson::devices::{Counted, emulated_counters};
use lawson::{Buffer, Client, Device, Error, Executable, RunOptions, figures};
use serde_json::{Value, json};

/// The launches of a kernel, added up.
pub struct Row {
    pub launches: u64,
    pub counted: Counted,
    /// The sectors that hold what the plan says it reads and writes, of all launches.
    pub least_sectors: Option<u64>,
}

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// Runs once more and counts, on the device that is emulated; elsewhere nothing.
pub fn count(
    client: &Client,
    executable: &Executable,
    inputs: &[Buffer],
    limits: &RunOptions,
) -> Result<Option<Vec<Row>>, Error> {
    if client.device() != Device::CudaEmulated {
        return Ok(None);
    }
    let arguments = crate::data::lend(client, executable, inputs)?;
    emulated_counters();
    executable.run_with(arguments, limits)?.wait()?;
    let mut rows: Vec<Row> = Vec::new();
    // A launch is counted phase by phase, one after the other.
    for c in emulated_counters() {
        match rows.iter_mut().find(|r| r.counted.kernel == c.kernel) {
            Some(row) => add(row, &c),
            None => rows.push(Row { launches: 1, counted: c, least_sectors: None }),
        }
    }
    let Some(native) = executable.native() else { return Ok(Some(rows)) };
    let scheduled = &native.planned.scheduled;
    for row in &mut rows {
        let kernel = scheduled.program.kernels.iter().position(|k| k.name == row.counted.kernel);
        let site = scheduled.sites.iter().find(|s| Some(s.kernel) == kernel);
        row.least_sectors = site.and_then(|s| Some(s.launches? * figures::bytes(s).div_ceil(SECTOR)));
    }
    Ok(Some(rows))
}

fn add(row: &mut Row, c: &Counted) {
    let sum = &mut row.counted;
    row.launches += 1;
    sum.blocks += c.blocks;
    sum.instructions += c.instructions;
    for (sum, c) in [(&mut sum.read, c.read), (&mut sum.written, c.written)] {
        sum.bytes += c.bytes;
        sum.sectors += c.sectors;
    }
    sum.shared += c.shared;
    sum.conflicts += c.conflicts;
    sum.branches += c.branches;
    sum.divergent += c.divergent;
    sum.barriers += c.barriers;
    sum.warp_barriers += c.warp_barriers;
}

impl Row {
    fn sectors(&self) -> u64 {
        self.counted.read.sectors + self.counted.written.sectors
    }
}

pub fn to_json(rows: &[Row]) -> Value {
    let row = |r: &Row| {
        let c = &r.counted;
        json!({
            "kernel": c.kernel,
            "launches": r.launches,
            "blocks": c.blocks,
            "threads": c.threads,
            "instructions": c.instructions,
            "bytes_read": c.read.bytes,
            "bytes_written": c.written.bytes,
            "sectors_read": c.read.sectors,
            "sectors_written": c.written.sectors,
            "least_sectors": r.least_sectors,
            "shared_accesses": c.shared,
            "bank_conflicts": c.conflicts,
            "branches": c.branches,
            "divergent_branches": c.divergent,
            "barriers": c.barriers,
            "warp_barriers": c.warp_barriers,
        })
    };
    rows.iter().map(row).collect()
}

pub fn text(rows: &[Row]) -> String {
    let name = |r: &Row| r.counted.kernel.chars().take(24).collect::<String>();
    let width = rows.iter().map(|r| name(r).chars().count()).chain([6]).max().unwrap_or(0);
    let mut out = format!(
        "\n  {:<width$} {:>8} {:>9} {:>9} {:>6} {:>9} {:>9} {:>8}\n",
        "kernel", "launches", "sectors", "least", "ratio", "conflicts", "divergent", "barriers"
    );
    for r in rows {
        let c = &r.counted;
        let ratio = r.least_sectors.map(|least| r.sectors() as f64 / least.max(1) as f64);
        out += &format!(
            "  {:<width$} {:>8} {:>9} {:>9} {:>6} {:>9} {:>9} {:>8}\n",
            name(r),
            r.launches,
            r.sectors(),
            r.least_sectors.map_or("-".into(), |n| n.to_string()),
            ratio.map_or("-".into(), |x| format!("{x:.2}")),
            c.conflicts,
            c.divergent,
            c.barriers + c.warp_barriers,
        );
    }
    out + "  counted by the emulator in one run; launches are those of phases, sectors have 32 bytes\n"
}
