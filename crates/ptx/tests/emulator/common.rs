//! Builds and runs small texts.

use lawson_ptx::{Counters, Fault, Memory, Module, Options, Param};

/// A text for the newest target with that body.
pub fn text(rest: &str) -> String {
    format!(".version 8.5\n.target sm_90\n.address_size 64\n{rest}")
}

pub fn module(rest: &str) -> Module {
    let module = Module::parse(&text(rest)).unwrap_or_else(|e| panic!("{e}\n{rest}"));
    assert!(module.refused().is_empty(), "{:?}", module.refused());
    module
}

/// Runs the kernel `k` of a text with one block line of threads.
pub fn run(
    rest: &str,
    blocks: u32,
    threads: u32,
    params: &[Param],
    memory: &mut Memory,
    options: &Options,
) -> Result<Counters, Fault> {
    module(rest).launch("k", [blocks, 1, 1], [threads, 1, 1], params, memory, options)
}

/// What an instruction gives for each row of operands: `instruction` names them `%a`, `%b`, `%c`, `%e` and the result
/// `%d`; `types` are those of the result and the operands. Predicates are 0 and 1.
pub fn evaluate(instruction: &str, types: &[&str], operands: &[Vec<u64>]) -> Vec<u64> {
    const NAMES: [&str; 5] = ["d", "a", "b", "c", "e"];
    let n = types.len() - 1;
    let mut body = String::new();
    for (name, t) in NAMES.iter().zip(types) {
        body += &format!(".reg .{t} %{name};\n");
    }
    for (i, (name, t)) in NAMES.iter().zip(types).enumerate().skip(1) {
        let at = 8 * (i - 1);
        body += &match *t {
            "pred" => format!("ld.global.u32 %t, [%in+{at}];\nsetp.ne.u32 %{name}, %t, 0;\n"),
            t => format!("ld.global.b{} %{name}, [%in+{at}];\n", bits(t)),
        };
    }
    body += instruction;
    body += &match types[0] {
        "pred" => "\nselp.u32 %t, 1, 0, %d;\nst.global.u32 [%out], %t;\n".to_string(),
        t => format!("\nst.global.b{} [%out], %d;\n", bits(t)),
    };
    let rest = format!(
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{{
    .reg .pred %q; .reg .b32 %t, %x; .reg .b64 %in, %out, %y;
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
    ld.param.u32 %x, [n];
    mov.u32 %t, %tid.x;
    setp.ge.u32 %q, %t, %x;
    @%q bra END;
    mul.wide.u32 %y, %t, {};
    add.s64 %in, %in, %y;
    mul.wide.u32 %y, %t, 8;
    add.s64 %out, %out, %y;
{body}
END:
    ret;
}}",
        8 * n
    );
    let module = module(&rest);
    let mut results = Vec::new();
    for chunk in operands.chunks(1024) {
        let mut memory = Memory::new();
        let bytes: Vec<u8> = chunk.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let input = memory.alloc("in", bytes.len());
        memory.write(input, &bytes).unwrap();
        let output = memory.alloc("out", 8 * chunk.len());
        memory.write(output, &vec![0; 8 * chunk.len()]).unwrap();
        let params = [Param::Pointer(input), Param::Pointer(output), Param::U32(chunk.len() as u32)];
        let threads = (chunk.len() as u32).next_multiple_of(32);
        let options = Options::default();
        module
            .launch("k", [1, 1, 1], [threads, 1, 1], &params, &mut memory, &options)
            .unwrap_or_else(|f| panic!("{f}\n{rest}"));
        let out = memory.read(output, 8 * chunk.len()).unwrap();
        results.extend(out.chunks(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())));
    }
    results
}

fn bits(t: &str) -> u32 {
    match t {
        "f16x2" | "bf16x2" => 32,
        t => t.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap(),
    }
}

/// All pairs of two lists.
pub fn pairs(a: &[u64], b: &[u64]) -> Vec<Vec<u64>> {
    a.iter().flat_map(|&x| b.iter().map(move |&y| vec![x, y])).collect()
}

/// Compares with a function of Rust, naming the first operands that differ.
#[track_caller]
pub fn check(instruction: &str, types: &[&str], operands: &[Vec<u64>], expected: impl Fn(&[u64]) -> u64) {
    let found = evaluate(instruction, types, operands);
    assert_eq!(found.len(), operands.len());
    for (row, &found) in operands.iter().zip(&found) {
        let expected = expected(row);
        assert_eq!(found, expected, "{instruction} of {row:x?}: {found:#x} instead of {expected:#x}");
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
