//! Arrays that loops update in place are never copied, and `a[i] += x` is one kernel.

use lawson_hlo::Module;
use lawson_kernel::program::{Program, Step};
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};

/// Adds x to each row of a, one after the other; the update is written with these instructions.
fn rows(update: &str) -> Module {
    let text = format!(
        "add {{ p = f32[] parameter(0) q = f32[] parameter(1) ROOT s = f32[] add(p, q) }}
         body {{ p = (s32[], f32[100,64], f32[64]) parameter(0)
            i = s32[] get-tuple-element(p), index=0
            a = f32[100,64] get-tuple-element(p), index=1
            x = f32[64] get-tuple-element(p), index=2
            one = s32[] constant(1) zero = s32[] constant(0) j = s32[] add(i, one)
            {update}
            ROOT t = (s32[], f32[100,64], f32[64]) tuple(j, u, x) }}
         condition {{ p = (s32[], f32[100,64], f32[64]) parameter(0)
            i = s32[] get-tuple-element(p), index=0 n = s32[] constant(100)
            ROOT c = pred[] compare(i, n), direction=LT }}
         ENTRY main {{ a = f32[100,64] parameter(0) x = f32[64] parameter(1) zero = s32[] constant(0)
            t = (s32[], f32[100,64], f32[64]) tuple(zero, a, x)
            w = (s32[], f32[100,64], f32[64]) while(t), condition=condition, body=body
            ROOT r = f32[100,64] get-tuple-element(w), index=1 }}"
    );
    Module::parse(&text).expect("valid")
}

const SLICE_AND_UPDATE: &str = "old = f32[1,64] dynamic-slice(a, i, zero), dynamic_slice_sizes={1,64}
    y = f32[1,64] reshape(x) new = f32[1,64] add(old, y)
    u = f32[100,64] dynamic-update-slice(a, new, i, zero)";

const SCATTER: &str = "at = s32[1] reshape(i)
    u = f32[100,64] scatter(a, at, x), update_window_dims={0}, inserted_window_dims={0},
        scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=add";

const ONLY_UPDATE: &str = "new = f32[1,64] reshape(x)
    u = f32[100,64] dynamic-update-slice(a, new, i, zero)";

fn program(mut module: Module) -> Program {
    // As one kernel the loop would have no steps to count.
    let fusion = "no-loop".parse().expect("a specification");
    let mut cx = PassContext::new(Options { fusion, ..Options::default() });
    if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
        panic!("{}", e[0]);
    }
    schedule::schedule(&module, &Target::zen4(), Numerics::Standard).expect("a plan").program
}

#[test]
fn a_row_that_grows_is_one_kernel_and_the_array_stays() {
    for update in [SLICE_AND_UPDATE, SCATTER, ONLY_UPDATE] {
        let program = program(rows(update));
        let body = program.steps.iter().find_map(|s| match s {
            Step::While { body, .. } => Some(body),
            _ => None,
        });
        let body = body.expect("a loop of 100 trips");
        let updates = body.iter().filter(|s| touches_array(&program, s)).count();
        assert_eq!(updates, 1, "{update}: {body:?}");
        assert!(matches!(body.iter().find(|s| touches_array(&program, s)), Some(Step::Launch { .. })));
        // Before the loop the argument, which is not ours, is copied to the result.
        let copies = program.steps.iter().filter(|s| touches_array(&program, s)).count();
        assert_eq!(copies, 2, "{update}: {:?}", program.steps);
    }
}

/// Whether a step reads or writes an array of the size of `a`.
fn touches_array(program: &Program, step: &Step) -> bool {
    let large = |b: lawson_kernel::program::BufId| program.buffers[b.index()].bytes == 100 * 64 * 4;
    match step {
        Step::Copy { from, to } => large(*from) || large(*to),
        Step::Launch { args, .. } => args.iter().any(|&b| large(b)),
        Step::While { body, .. } => body.iter().any(|s| touches_array(program, s)),
        _ => false,
    }
}
