//! What a program copies between the host and a graphics processor, and so at which of three levels it is.

use crate::compile::Planned;
use crate::memory::human;
use crate::roofline;
use lawson_cuda::Crossing;
use serde_json::{Value, json};

/// Where the arrays of a program are while it runs on a graphics processor.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Residence {
    /// What crosses in each run.
    pub crossing: Crossing,
    /// Bytes of the arguments and of the results: what crosses in each call whose caller has its arrays on the host.
    pub argument_bytes: u64,
    /// See `argument_bytes`.
    pub result_bytes: u64,
}

/// How far a program's arrays stay on its device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Some operations are computed by the host: their operands and results are copied for each.
    PerOperation,
    /// Arrays are copied for each call, since the caller has them on the host.
    PerCall,
    /// Arrays stay on the device from call to call.
    Resident,
}

impl Level {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Level::PerOperation => "copy for each operation",
            Level::PerCall => "copy for each call",
            Level::Resident => "resident",
        }
    }
}

impl Residence {
    pub(super) fn of(planned: &Planned) -> Residence {
        let (argument_bytes, result_bytes) = roofline::interface_bytes(&planned.module);
        let crossing = lawson_cuda::crossing(&planned.scheduled.program);
        Residence { crossing, argument_bytes, result_bytes }
    }

    /// The level of a caller that keeps its arrays on the device, or of one that has them on the host.
    pub fn level(&self, on_device: bool) -> Level {
        match (self.crossing.host_steps.is_empty(), on_device) {
            (false, _) => Level::PerOperation,
            (true, true) => Level::Resident,
            (true, false) => Level::PerCall,
        }
    }
}

/// The lines of the report.
pub(super) fn text(r: &Residence) -> String {
    let c = &r.crossing;
    let count = |n: u64, bytes: u64| match n {
        0 => "nothing".to_string(),
        1 => format!("1 copy of {}", human(bytes)),
        n => format!("{n} copies of {}", human(bytes)),
    };
    let varies = if c.varies { ", and more with each trip of a loop" } else { "" };
    let mut out = format!("  arrays     {}", r.level(true).name());
    if !c.host_steps.is_empty() {
        out += &format!(": the host computes {}", c.host_steps.join(", "));
    }
    out += &format!(
        "\n             to the device {}, to the host {} in a run{varies}\n",
        count(c.uploads, c.upload_bytes),
        count(c.downloads, c.download_bytes)
    );
    if c.conditions > 0 {
        out += &format!("             {} of them conditions that the host decides by\n", c.conditions);
    }
    out + &format!(
        "             arguments of {} and results of {} cross where the caller has them on the host\n",
        human(r.argument_bytes),
        human(r.result_bytes)
    )
}

pub(super) fn to_json(r: &Residence) -> Value {
    let c = &r.crossing;
    json!({
        "level": r.level(true).name(),
        "host_steps": c.host_steps,
        "uploads": c.uploads,
        "upload_bytes": c.upload_bytes,
        "downloads": c.downloads,
        "download_bytes": c.download_bytes,
        "conditions": c.conditions,
        "varies": c.varies,
        "argument_bytes": r.argument_bytes,
        "result_bytes": r.result_bytes,
    })
}
