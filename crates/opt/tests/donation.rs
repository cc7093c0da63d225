//! Which arguments a program may lose to its results, and what it does not copy for that.

use lawson_hlo::Module;
use lawson_kernel::program::{Donation, Program, Step};
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};

const FIRST: Donation = Donation { input: 0, output: 0 };

/// The program of an entry whose parameter 0 is aliased to its result.
fn program(entry: &str) -> Program {
    let text = format!("HloModule m, input_output_alias={{ {{}}: (0, {{}}, may-alias) }}\n{entry}");
    let mut module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut cx = PassContext::new(Options::default());
    if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
        panic!("{}", e[0]);
    }
    let scheduled = schedule::schedule(&module, &Target::zen4(), Numerics::Standard).expect("a plan");
    assert!(scheduled.sites.iter().all(|s| s.kernel < scheduled.program.kernels.len()));
    scheduled.program
}

fn copies(program: &Program) -> usize {
    program.steps.iter().filter(|s| matches!(s, Step::Copy { .. })).count()
}

#[test]
fn a_map_of_the_state_works_in_place() {
    for n in [1, 7, 16, 1000, 100_000] {
        let p = program(&format!(
            "ENTRY e {{ s = f32[{n}] parameter(0) x = f32[{n}] parameter(1) d = f32[{n}] multiply(s, s)
             ROOT r = f32[{n}] add(d, x) }}"
        ));
        assert_eq!(p.donations, [FIRST], "{n} elements");
        // The copy is none where the two are one memory; the old kernel is gone.
        assert_eq!((p.kernels.len(), copies(&p)), (1, 1));
    }
}

#[test]
fn a_state_beside_the_sum_of_it_works_in_place() {
    let text = "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }
        add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
        ENTRY e { s = f32[100000] parameter(0) x = f32[100000] parameter(1) zero = f32[] constant(0)
        d = f32[100000] multiply(s, s) n = f32[100000] add(d, x)
        t = f32[] reduce(n, zero), dimensions={0}, to_apply=add
        ROOT r = (f32[100000], f32[]) tuple(n, t) }";
    let mut module = Module::parse(text).expect("well formed");
    let mut cx = PassContext::new(Options::default());
    assert!(pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).is_ok());
    let p = schedule::schedule(&module, &Target::zen4(), Numerics::Strict).expect("a plan").program;
    assert_eq!((p.kernels.len(), copies(&p)), (1, 1));
    assert_eq!(p.donations, [FIRST]);
}

#[test]
fn several_states_of_one_kernel_work_in_place_together() {
    let text = "HloModule m, buffer_donor={ (0, {}), (1, {}) }
        ENTRY e { a = f32[100] parameter(0) b = f32[100] parameter(1) s = f32[100] add(a, b)
        t = f32[100] multiply(a, b) ROOT r = (f32[100], f32[100]) tuple(s, t) }";
    let mut module = Module::parse(text).expect("well formed");
    let fusion = "max".parse().expect("a specification");
    let mut cx = PassContext::new(Options { fusion, ..Options::default() });
    assert!(pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).is_ok());
    let p = schedule::schedule(&module, &Target::zen4(), Numerics::Strict).expect("a plan").program;
    assert_eq!(p.kernels.len(), 1, "one kernel makes both");
    assert_eq!(p.donations, [FIRST, Donation { input: 1, output: 1 }]);
}

#[test]
fn what_reads_other_elements_makes_its_result_elsewhere() {
    for result in [
        "f32[64,64] transpose(s), dimensions={1,0}",
        "f32[64,64] reverse(s), dimensions={0}",
        "f32[64,64] dot(s, s), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
    ] {
        let p = program(&format!("ENTRY e {{ s = f32[64,64] parameter(0) ROOT r = {result} }}"));
        assert_eq!((&p.donations[..], copies(&p)), (&[][..], 0), "{result}");
    }
    // The state at its own place, and turned.
    let p = program(
        "ENTRY e { s = f32[64,64] parameter(0) t = f32[64,64] transpose(s), dimensions={1,0}
         ROOT r = f32[64,64] add(s, t) }",
    );
    assert_eq!((&p.donations[..], copies(&p)), (&[][..], 0));
}

#[test]
fn an_update_of_the_state_copies_nothing_more() {
    let p = program(
        "ENTRY e { s = f32[100,64] parameter(0) x = f32[1,64] parameter(1) i = s32[] parameter(2)
         z = s32[] constant(0) ROOT u = f32[100,64] dynamic-update-slice(s, x, i, z) }",
    );
    assert_eq!((&p.donations[..], copies(&p)), (&[FIRST][..], 1));
}

#[test]
fn a_loop_keeps_its_state_in_the_memory_of_the_argument() {
    let p = program(
        "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }
         condition { p = (s32[], f32[300]) parameter(0) i = s32[] get-tuple-element(p), index=0
            n = s32[] constant(100) ROOT c = pred[] compare(i, n), direction=LT }
         body { p = (s32[], f32[300]) parameter(0) i = s32[] get-tuple-element(p), index=0
            one = s32[] constant(1) j = s32[] add(i, one) s = f32[300] get-tuple-element(p), index=1
            t = f32[300] sort(s), dimensions={0}, to_apply=less ROOT r = (s32[], f32[300]) tuple(j, t) }
         ENTRY e { s = f32[300] parameter(0) z = s32[] constant(0) t = (s32[], f32[300]) tuple(z, s)
            w = (s32[], f32[300]) while(t), condition=condition, body=body
            ROOT r = f32[300] get-tuple-element(w), index=1 }",
    );
    assert_eq!(p.donations, [FIRST]);
}
