//! Loops and branches: examples that end at different times, states of which a part is shared, loops in loops.

use crate::support::values;
use lawson_frontend::control::{cond, fori_loop, scan, switch, while_loop};
use lawson_frontend::grad::grad;
use lawson_frontend::vmap::vmap;
use lawson_frontend::{Tensor, trace};
use lawson_hlo::{Attrs, Computation, Module, Opcode};

fn vector(values: &[f32]) -> Tensor {
    Tensor::new(values, [values.len() as i64])
}

fn scalar(value: f32) -> Tensor {
    Tensor::new(&[value], [])
}

/// The module of a function of one tensor.
fn module(f: impl Fn(&Tensor) -> Tensor, x: &Tensor) -> Module {
    let specs = [x.spec().expect("concrete")];
    let (graph, function) = trace::program(&specs, |t| Ok(vec![f(&t[0])])).expect("traced");
    let module = graph.finish(function.comp, "main");
    lawson_hlo::verify::verify(&module).unwrap_or_else(|e| panic!("{}\n{module}", e[0]));
    module
}

/// The loops that are left, with their conditions and bodies.
fn loops(module: &Module) -> Vec<(String, &Computation, &Computation)> {
    let instrs = module.computations.iter().flat_map(|c| &c.instrs);
    let of = |i: &lawson_hlo::Instruction| match i.attrs {
        Attrs::While { condition, body } => Some((i.shape.to_string(), &module[condition], &module[body])),
        _ => None,
    };
    instrs.filter_map(of).collect()
}

fn count(comp: &Computation, opcode: Opcode) -> usize {
    comp.instrs.iter().filter(|i| i.opcode == opcode).count()
}

/// Doubles a number until it is at least the limit; gives it with the number of doublings.
fn doubled(x: &Tensor, limit: &Tensor) -> (Tensor, Tensor) {
    let below = |s: &(Tensor, Tensor)| s.0.less(limit);
    while_loop(below, |s: &(Tensor, Tensor)| (&s.0 + &s.0, &s.1 + 1), &(x.clone(), Tensor::new(&[0i32], [])))
}

#[test]
fn examples_end_at_different_times() {
    let (x, limits) = (vector(&[1.0, 3.0, 100.0]), vector(&[60.0, 60.0, 60.0]));
    let (found, trips) = vmap(doubled)(&x, &limits);
    assert_eq!(values(&found), [64.0, 96.0, 100.0]);
    assert_eq!(values(&trips), [6.0, 5.0, 0.0]);
    // The limit alone differs.
    let one = scalar(1.0);
    let (found, trips) = vmap(|l: &Tensor| doubled(&one, l))(&vector(&[0.5, 2.0, 1000.0]));
    assert_eq!(values(&found), [1.0, 2.0, 1024.0]);
    assert_eq!(values(&trips), [0.0, 1.0, 10.0]);
}

#[test]
fn examples_of_examples_end_each_at_its_time() {
    let (x, limits) = (vector(&[1.0, 5.0]), vector(&[2.0, 7.0, 70.0]));
    let table = |x: &Tensor| vmap(|x: &Tensor| vmap(|l: &Tensor| doubled(x, l).0)(&limits))(x);
    assert_eq!(values(&table(&x)), [2.0, 8.0, 128.0, 5.0, 10.0, 80.0]);
    // One `select` for each part of the state that changes, however many batches there are.
    let made = module(table, &x);
    let [(_, condition, body)] = &loops(&made)[..] else { panic!("one loop\n{made}") };
    assert_eq!(count(body, Opcode::Select), 2, "{made}");
    assert_eq!(count(condition, Opcode::Reduce), 1, "{made}");
    assert!(matches!(&condition.root().attrs, Attrs::Reduce { dims, .. } if dims.len() == 2), "{made}");
    assert_eq!(count(body, Opcode::Reduce), 0, "{made}");
}

#[test]
fn what_loops_share_is_not_repeated() {
    let w = Tensor::new(&[0.5f32; 100], [25, 4]);
    let f = |x: &Tensor| {
        let inside = |s: &Tensor| s.sum().less(100.0f32);
        while_loop(inside, |s: &Tensor| s + w.sum_axes(0), x)
    };
    let x = Tensor::new(&[0f32, 1.0, 2.0, 3.0, 40.0, 40.0, 40.0, 40.0, 20.0, 20.0, 20.0, 20.0], [3, 4]);
    let wanted: Vec<f64> = (0..3)
        .flat_map(|i| values(&f(&vector(&x.to_vec::<f32>().expect("f32")[4 * i..4 * i + 4]))))
        .collect();
    assert_eq!(values(&vmap(f)(&x)), wanted);
    let made = module(vmap(f), &x);
    let [(state, ..)] = &loops(&made)[..] else { panic!("one loop\n{made}") };
    assert!(state == "(f32[3,4], f32[25,4])", "{state}");
}

#[test]
fn scans_keep_their_counter() {
    let xs = Tensor::new(&(0..12).map(|i| i as f32).collect::<Vec<_>>(), [3, 4]);
    let sums = |xs: &Tensor| {
        let step = |c: &Tensor, x: &Tensor| (c + x, c * x);
        scan(step, &scalar(0.0), xs).1
    };
    assert_eq!(
        values(&vmap(sums)(&xs)),
        [0.0, 0.0, 2.0, 9.0, 0.0, 20.0, 54.0, 105.0, 0.0, 72.0, 170.0, 297.0]
    );
    let made = module(vmap(sums), &xs);
    let [(_, condition, body)] = &loops(&made)[..] else { panic!("one loop\n{made}") };
    assert_eq!(condition.root().opcode, Opcode::Compare);
    for absent in [Opcode::Gather, Opcode::Scatter, Opcode::Select] {
        assert_eq!(count(body, absent), 0, "{made}");
    }
}

#[test]
fn loops_in_loops() {
    // The inner loop ends apart, the outer one together.
    let f = |x: &Tensor| {
        let step = |_: &Tensor, c: &Tensor| {
            let below = |s: &Tensor| s.less(c * 2.0f32 + 3.0f32);
            while_loop(below, |s: &Tensor| s + 1.5f32, c)
        };
        fori_loop(0, 4, step, x)
    };
    let x = [0.0, -7.0, 2.5, 10.0];
    let wanted: Vec<f64> = x.iter().flat_map(|&x| values(&f(&scalar(x)))).collect();
    assert_eq!(values(&vmap(f)(&vector(&x))), wanted);
    // Both end apart.
    let g = |n: &Tensor, x: &Tensor| fori_loop(0i32.into_tensor(), n, |_, c: &Tensor| f(c), x);
    let n = Tensor::new(&[0i32, 2, 1, 3], [4]);
    let wanted: Vec<f64> = [0, 2, 1, 3]
        .iter()
        .zip(&x)
        .flat_map(|(&n, &x)| values(&g(&Tensor::new(&[n], []), &scalar(x))))
        .collect();
    assert_eq!(values(&vmap(g)(&n, &vector(&x))), wanted);
}

trait IntoTensor {
    fn into_tensor(self) -> Tensor;
}

impl IntoTensor for i32 {
    fn into_tensor(self) -> Tensor {
        Tensor::new(&[self], [])
    }
}

#[test]
fn batches_in_loops() {
    let rows = Tensor::new(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2]);
    let f =
        |c: &Tensor| fori_loop(0, 3, |_, c: &Tensor| vmap(|c: &Tensor, r: &Tensor| c + r.sum())(c, &rows), c);
    assert_eq!(values(&f(&vector(&[0.0, 1.0, 2.0]))), [9.0, 22.0, 35.0]);
    let each = vmap(f)(&Tensor::new(&[0f32, 1.0, 2.0, 10.0, 20.0, 30.0], [2, 3]));
    assert_eq!(values(&each), [9.0, 22.0, 35.0, 19.0, 41.0, 63.0]);
}

#[test]
fn a_shared_predicate_leaves_the_branch() {
    let p = Tensor::new(&[true], []);
    let f = |p: &Tensor, x: &Tensor| cond(p, |x: &Tensor| x.sin(), |x: &Tensor| x * 2.0f32, x);
    let x = vector(&[0.5, 1.5]);
    assert_eq!(values(&vmap(|x: &Tensor| f(&p, x))(&x)), values(&x.sin()));
    let made = module(|p| vmap(|x: &Tensor| f(p, x))(&x), &p);
    let entry = made.entry();
    assert_eq!((count(entry, Opcode::Conditional), count(entry, Opcode::Select)), (1, 0), "{made}");
}

#[test]
fn each_example_takes_its_branch() {
    let f = |x: &Tensor| {
        cond(&x.greater(0.0f32), |x: &Tensor| (x * 2.0f32, scalar(1.0)), |x: &Tensor| (-x, x * x), x)
    };
    let (a, b) = vmap(f)(&vector(&[1.0, -2.0, 3.0]));
    assert_eq!(values(&a), [2.0, 2.0, 6.0]);
    assert_eq!(values(&b), [1.0, 4.0, 1.0]);
    let g = |i: &Tensor, x: &Tensor| {
        let branches: [&dyn Fn(&Tensor) -> Tensor; 3] = [&|x| x + 1.0f32, &|x| x * 10.0f32, &|x| -x];
        switch(i, branches, x)
    };
    let i = Tensor::new(&[1i32, 0, 2, 9, -5], [5]);
    assert_eq!(values(&vmap(g)(&i, &vector(&[1.0, 2.0, 3.0, 4.0, 5.0]))), [10.0, 3.0, -3.0, -4.0, 6.0]);
}

/// The branch that an example does not take has a derivative without bound there.
#[test]
fn branches_not_taken_give_no_gradient() {
    let f = |x: &Tensor, w: &Tensor| {
        let root = |p: &(Tensor, Tensor)| p.0.sqrt() * &p.1;
        let double = |p: &(Tensor, Tensor)| &p.0 * 2.0f32;
        cond(&x.greater(0.0f32), root, double, &(x.clone(), w.clone()))
    };
    let (x, w) = (vector(&[0.0, 4.0, -1.0]), scalar(3.0));
    let total = |x: &Tensor| vmap(|x: &Tensor| f(x, &w))(x).sum();
    assert_eq!(values(&grad(total)(&x)), [2.0, 0.75, 2.0]);
    let by_w = |w: &Tensor| vmap(|x: &Tensor| f(x, w))(&x).sum();
    assert_eq!(values(&grad(by_w)(&w)), [2.0]);
    assert_eq!(values(&vmap(grad(|x: &Tensor| f(x, &w)))(&x)), [2.0, 0.75, 2.0]);
}

/// An array that a branch multiplies by is not repeated for each example.
#[test]
fn matrices_of_branches_are_shared() {
    let w = Tensor::new(&(0..100).map(|i| i as f32 / 50.0).collect::<Vec<_>>(), [20, 5]);
    let f = |x: &Tensor| {
        cond(&x.sum().greater(20.0f32), |x: &Tensor| x.dot(&w), |x: &Tensor| x.dot(&w) * 2.0f32, x)
    };
    let x = Tensor::new(&(0..60).map(|i| i as f32 / 20.0).collect::<Vec<_>>(), [3, 20]);
    let wanted: Vec<f64> = (0..3)
        .flat_map(|i| values(&f(&vector(&x.to_vec::<f32>().expect("f32")[20 * i..20 * i + 20]))))
        .collect();
    assert_eq!(values(&vmap(f)(&x)), wanted);
    let made = module(vmap(f), &x);
    assert!(!made.to_string().contains("f32[3,20,5]"), "{made}");
}
