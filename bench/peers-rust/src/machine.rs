//! The machine that figures are from.

/// The name of the processor, as Linux has it.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown processor".into(), |(_, name)| name.trim().into())
}

/// How many threads of all programs wanted to run in the last minute.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|l| !l.is_empty()).unwrap_or("unknown").into()
}

/// Both.
pub fn named() -> String {
    format!("{}, load {}", processor(), load())
}
