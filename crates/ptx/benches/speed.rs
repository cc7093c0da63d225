//! Thread instructions a second: `cargo bench -p lawson-ptx`.

use lawson_ptx::{Memory, Module, Options, Param};
use std::time::Instant;

fn main() {
    let programs = include_str!("../tests/texts/programs_sm_90.ptx");
    let n = 1u64 << 18;
    report("a map by vectors", programs, "map4", n / 1024, &[4 * n; 3], &[Param::U64(n)]);
    report("sums of blocks", programs, "sum", n / 256, &[4 * n; 2], &[]);
    report("products of 256 bits", programs, "wide", 16, &[1 << 17; 3], &[]);
    let body: String = (0..40)
        .map(|i| {
            format!(
                "fma.rn.f32 %f{}, %f{}, %f{}, %f0;\nadd.s32 %r{}, %r{}, %r0;\n",
                1 + i % 7,
                i % 7,
                i % 5,
                1 + i % 5,
                i % 4
            )
        })
        .collect();
    let arithmetic = format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k() {{
    .reg .pred %p; .reg .f32 %f<9>; .reg .b32 %r<9>;
    mov.u32 %r8, 0;\nLOOP:\n{body}
    add.s32 %r8, %r8, 1;
    setp.lt.u32 %p, %r8, 200;
    @%p bra LOOP;
    ret;\n}}"
    );
    report("arithmetic", &arithmetic, "k", 8, &[], &[]);
}

/// The best of a few runs of a kernel on buffers of those sizes.
fn report(name: &str, text: &str, entry: &str, blocks: u64, buffers: &[u64], values: &[Param]) {
    let module = Module::parse(text).expect("the texts are well-formed");
    let rates = (0..5).map(|_| {
        let mut memory = Memory::new();
        let buffers = buffers.iter().map(|&bytes| {
            let p = memory.alloc("buffer", bytes as usize);
            memory.write(p, &vec![0; bytes as usize]).expect("it was just allocated");
            Param::Pointer(p)
        });
        let params: Vec<Param> =
            buffers.collect::<Vec<_>>().into_iter().chain(values.iter().cloned()).collect();
        let start = Instant::now();
        let launched = module.launch(
            entry,
            [blocks as u32, 1, 1],
            [256, 1, 1],
            &params,
            &mut memory,
            &Options::default(),
        );
        let counters = launched.expect("the kernels have no faults");
        counters.thread_instructions as f64 / start.elapsed().as_secs_f64() / 1e6
    });
    println!("{name}: {:.0} M thread instructions/s", rates.fold(0.0, f64::max));
}
