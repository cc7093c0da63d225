//! Fusions that move fewer bytes and take longer: refused, each for the time it would lose.

use lawson_hlo::Module;
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};

/// Kernels of a program, and whether a fusion was refused because one kernel would take longer than the two.
fn kernels(lines: &str, target: Target) -> (usize, bool) {
    let text = format!(
        "sum {{ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }}\n\
         max {{ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(a, b) }}\n\
         ENTRY e {{ zero = f32[] constant(0) low = f32[] constant(-inf) {lines} }}"
    );
    let mut module = Module::parse(&text).expect("well formed");
    let mut cx = PassContext::new(Options { target: target.clone(), ..Options::default() });
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).expect("it passes");
    let scheduled = schedule::schedule(&module, &target, Numerics::default()).expect("it plans");
    let edges = cx.report.decisions.iter().filter_map(|d| d.refusal.as_ref());
    let joins = cx.report.joins.iter().filter_map(|j| j.verdict.as_ref().err());
    let slower = edges.chain(joins).any(|r| r.name() == "NotFaster");
    (scheduled.sites.len(), slower)
}

fn on_zen4(lines: &str) -> (usize, bool) {
    kernels(lines, Target::zen4())
}

/// The softmax of `x`, an array of these extents, down its columns.
fn softmax_of_columns(rows: i64, columns: i64) -> String {
    let (whole, row) = (format!("f32[{rows},{columns}]"), format!("f32[{columns}]"));
    format!(
        "m = {row} reduce(x, low), dimensions={{0}}, to_apply=max
        mb = {whole} broadcast(m), dimensions={{1}}
        s = {whole} subtract(x, mb)
        e = {whole} exponential(s)
        n = {row} reduce(e, zero), dimensions={{0}}, to_apply=sum
        nb = {whole} broadcast(n), dimensions={{1}}
        ROOT q = {whole} divide(e, nb)"
    )
}

#[test]
fn a_wide_product_does_not_wait_in_the_rows_of_another() {
    let lines = "x = f32[512,512] parameter(0) w = f32[512,2048] parameter(1) v = f32[2048,512] parameter(2)
        h = f32[512,2048] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
        t = f32[512,2048] tanh(h)
        ROOT y = f32[512,512] dot(t, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    assert_eq!(on_zen4(lines), (2, true));
}

#[test]
fn functions_of_few_points_do_not_wait_in_a_product_that_repeats_them() {
    // Of 150,000 points, each wanted in five rows of both operands of a product.
    let lines = "d = f64[1000] parameter(0) t = f64[150] parameter(1) v = f64[5] parameter(2) w = f64[5] parameter(3)
        db = f64[1000,150] broadcast(d), dimensions={0}
        tb = f64[1000,150] broadcast(t), dimensions={1}
        dt = f64[1000,150] multiply(db, tb)
        c = f64[1000,150] cosine(dt)
        s = f64[1000,150] sine(dt)
        cb = f64[1000,5,150] broadcast(c), dimensions={0,2}
        sb = f64[1000,5,150] broadcast(s), dimensions={0,2}
        vb = f64[1000,5,150] broadcast(v), dimensions={1}
        wb = f64[1000,5,150] broadcast(w), dimensions={1}
        cv = f64[1000,5,150] multiply(cb, vb)
        sw = f64[1000,5,150] multiply(sb, wb)
        j = f64[1000,5,150] add(cv, sw)
        ROOT n = f64[1000,5,5] dot(j, j), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}";
    assert_eq!(on_zen4(lines), (2, true));
}

#[test]
fn a_softmax_down_columns_is_not_staged_behind_its_product() {
    let product = "a = f32[2048,256] parameter(0) w = f32[256,1024] parameter(1)
        x = f32[2048,1024] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let (kernels, slower) = on_zen4(&format!("{product} {}", softmax_of_columns(2048, 1024)));
    assert!(kernels > 1 && slower, "{kernels} kernels");
}

#[test]
fn a_sum_down_columns_does_not_join_a_product_that_has_the_lanes() {
    // The sum would walk down one column after the other, each element in another line.
    let lines = "g = f32[2048,512] parameter(0) x = f32[2048,128] parameter(1)
        b = f32[512] reduce(g, zero), dimensions={0}, to_apply=sum
        w = f32[128,512] dot(x, g), lhs_contracting_dims={0}, rhs_contracting_dims={0}
        ROOT t = (f32[512], f32[128,512]) tuple(b, w)";
    assert_eq!(on_zen4(lines), (2, true));
}

#[test]
fn lanes_across_rows_do_not_scatter_what_a_second_kernel_stores_in_line() {
    let lines = "x = f32[4096,3] parameter(0) b = f32[3,128] parameter(1)
        d = f32[4096,128] dot(x, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
        s = f32[4096,128] sine(d)
        c = f32[4096,128] cosine(d)
        ROOT f = f32[4096,256] concatenate(s, c), dimensions={1}";
    assert_eq!(on_zen4(lines), (2, true));
}

#[test]
fn columns_fuse_where_whole_lines_are_read() {
    let lines = format!("x = f32[512,1024] parameter(0) {}", softmax_of_columns(512, 1024));
    assert_eq!(on_zen4(&lines).0, 1);
}

#[test]
fn copying_that_costs_nothing_lets_products_share_a_kernel() {
    // The rows of the wide product that fit beside each other are fewer than those of a block of either alone.
    let lines = "x = f32[512,512] parameter(0) w = f32[512,1376] parameter(1) v = f32[1376,512] parameter(2)
        h = f32[512,1376] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
        t = f32[512,1376] tanh(h)
        ROOT y = f32[512,512] dot(t, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let with = |pack| {
        let mut target = Target::zen4();
        target.rates.pack = pack;
        kernels(lines, target).0
    };
    assert_eq!((with(0), with(100)), (1, 2));
}
