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

/// `a.at[i].set(where(p, x, a[i]))` for each row: outside of the array the gather reads at the next index, and the scatter
/// writes nothing.
fn chosen(read: &str) -> Module {
    let text = format!(
        "second {{ p = f32[] parameter(0) ROOT q = f32[] parameter(1) }}
         body {{ p = (s32[], f32[64,100], s32[64], f32[64]) parameter(0)
            n = s32[] get-tuple-element(p), index=0
            a = f32[64,100] get-tuple-element(p), index=1
            i = s32[64] get-tuple-element(p), index=2
            x = f32[64] get-tuple-element(p), index=3
            one = s32[] constant(1) m = s32[] add(n, one)
            ones = s32[64] broadcast(one), dimensions={{}}
            j = s32[64] add(i, ones)
            at = s32[64,1] reshape(i)
            from = s32[64,1] reshape({read})
            old = f32[64] gather(a, from), offset_dims={{}}, collapsed_slice_dims={{1}}, start_index_map={{1}},
               operand_batching_dims={{0}}, start_indices_batching_dims={{0}}, index_vector_dim=1, slice_sizes={{1,1}}
            zero = f32[] constant(0) zeros = f32[64] broadcast(zero), dimensions={{}}
            go = pred[64] compare(x, zeros), direction=GT
            new = f32[64] select(go, x, old)
            u = f32[64,100] scatter(a, at, new), update_window_dims={{}}, inserted_window_dims={{1}},
               scatter_dims_to_operand_dims={{1}}, input_batching_dims={{0}}, scatter_indices_batching_dims={{0}},
               index_vector_dim=1, to_apply=second
            ROOT t = (s32[], f32[64,100], s32[64], f32[64]) tuple(m, u, j, x) }}
         condition {{ p = (s32[], f32[64,100], s32[64], f32[64]) parameter(0)
            n = s32[] get-tuple-element(p), index=0 limit = s32[] constant(9)
            ROOT c = pred[] compare(n, limit), direction=LT }}
         ENTRY main {{ a = f32[64,100] parameter(0) i = s32[64] parameter(1) x = f32[64] parameter(2)
            zero = s32[] constant(0)
            t = (s32[], f32[64,100], s32[64], f32[64]) tuple(zero, a, i, x)
            w = (s32[], f32[64,100], s32[64], f32[64]) while(t), condition=condition, body=body
            ROOT r = f32[64,100] get-tuple-element(w), index=1 }}"
    );
    Module::parse(&text).expect("valid")
}

#[test]
fn elements_that_data_choose_are_replaced_in_place_where_they_alone_are_read() {
    let touching = |read: &str| {
        let program = program(chosen(read));
        let body = program.steps.iter().find_map(|s| match s {
            Step::While { body, .. } => Some(body),
            _ => None,
        });
        body.expect("a loop").iter().filter(|s| touches_array(&program, s)).count()
    };
    assert_eq!(touching("i"), 1);
    // Of what else is read nothing is known.
    assert!(touching("j") > 1);
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
