//! Derivatives of Rust functions: which arguments, what else is given, forward, backward, matrices, marks.

use crate::support::values;
use lawson_frontend::control::{cond, scan, while_loop};
use lawson_frontend::grad::{
    Argnum, checkpoint, custom_jvp, custom_vjp, eval_shape, grad, grad_argnums, grad_aux, hessian, jacfwd,
    jacrev, jvp, linearize, stop_gradient, value_and_grad, value_and_grad_argnums, value_and_grad_aux, vjp,
};
use lawson_frontend::{Tensor, tree, vmap::vmap};

fn scalar(x: f32) -> Tensor {
    Tensor::new(&[x], [])
}

fn vector(x: &[f32]) -> Tensor {
    Tensor::new(x, [x.len() as i64])
}

#[track_caller]
fn near(found: &Tensor, wanted: &[f64]) {
    crate::check::close(&values(found), wanted, 1e-5);
}

/// x² y + z
fn cubic(x: &Tensor, y: &Tensor, z: &Tensor) -> Tensor {
    x * x * y + z
}

#[test]
fn arguments_are_chosen_by_number() {
    let (x, y, z) = (scalar(3.0), scalar(4.0), scalar(5.0));
    near(&grad(cubic)(&x, &y, &z), &[24.0]);
    near(&grad_argnums(cubic, Argnum::<1>)(&x, &y, &z), &[9.0]);
    let (dz, dx) = grad_argnums(cubic, (Argnum::<2>, Argnum::<0>))(&x, &y, &z);
    near(&dz, &[1.0]);
    near(&dx, &[24.0]);
    let (value, dy) = value_and_grad_argnums(cubic, Argnum::<1>)(&x, &y, &z);
    near(&value, &[41.0]);
    near(&dy, &[9.0]);
    let second = grad_argnums(grad_argnums(cubic, Argnum::<1>), Argnum::<0>);
    near(&second(&x, &y, &z), &[6.0]);
}

#[test]
fn what_else_a_function_gives_comes_with_the_gradient() {
    let f = |x: &Tensor| (x * x, (x * 2.0, x.sin()));
    let (dx, (twice, sine)) = grad_aux(f)(&scalar(3.0));
    near(&dx, &[6.0]);
    near(&twice, &[6.0]);
    near(&sine, &[3f64.sin()]);
    let ((value, _), dx) = value_and_grad_aux(f)(&scalar(3.0));
    near(&value, &[9.0]);
    near(&dx, &[6.0]);
}

#[test]
fn forward_and_backward_at_a_point() {
    let f = |x: &Tensor, y: &Tensor| (x * y, x.sin());
    let (x, y) = (vector(&[1.0, 2.0]), vector(&[3.0, 4.0]));
    let ((value, _), (dvalue, dsine)) =
        jvp(f, &(x.clone(), y.clone()), &(vector(&[1.0, 0.0]), vector(&[0.0, 2.0])));
    near(&value, &[3.0, 8.0]);
    near(&dvalue, &[3.0, 4.0]);
    near(&dsine, &[1f64.cos(), 0.0]);
    let ((value, _), forward) = linearize(f, &(x.clone(), y.clone()));
    near(&value, &[3.0, 8.0]);
    let (again, _) = forward(&(vector(&[1.0, 0.0]), vector(&[0.0, 2.0])));
    near(&again, &[3.0, 4.0]);
    let ((value, _), back) = vjp(f, &(x.clone(), y.clone()));
    near(&value, &[3.0, 8.0]);
    let (dx, dy) = back(&(vector(&[1.0, 10.0]), vector(&[0.0, 1.0])));
    near(&dx, &[3.0, 40.0 + 2f64.cos()]);
    near(&dy, &[1.0, 20.0]);
    // What was run before can be part of a function that is traced later.
    let sum = |ct: &Tensor| {
        let (dx, _) = back(&(ct.clone(), ct.clone()));
        dx.sum()
    };
    near(&grad(sum)(&vector(&[0.0, 0.0])), &[3.0 + 1f64.cos(), 4.0 + 2f64.cos()]);
}

#[test]
fn integers_have_no_tangents() {
    let f = |x: &Tensor, n: &Tensor| x * n.astype(lawson_hlo::DType::F32);
    let (x, n) = (scalar(3.0), Tensor::new(&[2i32], []));
    let (_, back) = vjp(f, &(x.clone(), n.clone()));
    let (dx, dn) = back(&scalar(1.0));
    near(&dx, &[2.0]);
    assert_eq!(values(&dn), [0.0]);
    let (_, dy) = jvp(f, &(x.clone(), n.clone()), &(scalar(1.0), n.clone()));
    near(&dy, &[2.0]);
    let wrong = grad_argnums(f, Argnum::<1>)(&x, &n);
    assert!(wrong.error().is_some_and(|e| e.place().file().ends_with("api.rs")), "{wrong:?}");
}

#[test]
fn jacobians_and_hessians() {
    let f = |x: &Tensor, w: &Tensor| (x * w).sin();
    let (x, w) = (vector(&[1.0, 2.0]), vector(&[0.5, 3.0]));
    let wanted = [0.5 * 0.5f64.cos(), 0.0, 0.0, 3.0 * 6f64.cos()];
    near(&jacfwd(f)(&x, &w), &wanted);
    near(&jacrev(f)(&x, &w), &wanted);
    let energy = |x: &Tensor| (x * x * x).sum();
    near(&hessian(energy)(&x), &[6.0, 0.0, 0.0, 12.0]);
    let pair = |p: &(Tensor, Tensor)| &p.0 * &p.1;
    let p = (vector(&[1.0, 2.0]), vector(&[3.0, 4.0]));
    let (da, db) = jacrev(pair)(&p);
    near(&da, &[3.0, 0.0, 0.0, 4.0]);
    near(&db, &[1.0, 0.0, 0.0, 2.0]);
    let ((aa, ab), (ba, _)) = hessian(|p: &(Tensor, Tensor)| pair(p).sum())(&p);
    near(&aa, &[0.0; 4]);
    near(&ab, &[1.0, 0.0, 0.0, 1.0]);
    near(&ba, &[1.0, 0.0, 0.0, 1.0]);
    let split = |x: &Tensor| (x.sum(), x * 2.0);
    let (dsum, dtwice) = jacfwd(split)(&x);
    near(&dsum, &[1.0, 1.0]);
    near(&dtwice, &[2.0, 0.0, 0.0, 2.0]);
}

#[test]
fn shapes_without_values() {
    let specs = eval_shape(|x: &Tensor| (x.sum(), x * 2.0), &(vector(&[1.0, 2.0]),)).expect("two shapes");
    assert_eq!(specs.len(), 2);
    assert_eq!(specs[1].shape.dims, [2]);
}

#[test]
fn checkpoints_change_no_derivative() {
    let f = |x: &Tensor, w: &Tensor| (x * w).sin().exp();
    let (x, w) = (scalar(0.3), scalar(2.0));
    let first = values(&grad(f)(&x, &w));
    near(&grad(checkpoint(f))(&x, &w), &first);
    let second = values(&grad(grad(f))(&x, &w));
    near(&grad(grad(checkpoint(f)))(&x, &w), &second);
    near(&jacfwd(grad(checkpoint(f)))(&x, &w), &second);
    near(&jacfwd(jacfwd(checkpoint(f)))(&x, &w), &second);
    let (_, forward) = linearize(checkpoint(f), &(x.clone(), w.clone()));
    near(&forward(&(scalar(1.0), scalar(0.0))), &first);
    let many = vector(&[0.3, 0.3]);
    near(&vmap(grad(checkpoint(f)))(&many, &vector(&[2.0, 2.0])), &[first[0], first[0]]);
}

#[test]
fn functions_with_a_derivative_of_their_own() {
    // Derivatives that are wrong on purpose, so that it is seen whose they are.
    let forward = || {
        custom_jvp(
            |x: &Tensor, n: &Tensor| x * x * n,
            |(x, n): &(Tensor, Tensor), (dx, _): &(Tensor, Tensor)| (x * x * n, dx * x * 10.0),
        )
    };
    let (x, n) = (scalar(3.0), scalar(1.0));
    near(&forward()(&x, &n), &[9.0]);
    near(&grad(forward())(&x, &n), &[30.0]);
    near(&grad(grad(forward()))(&x, &n), &[10.0]);
    near(&jvp(forward(), &(x.clone(), n.clone()), &(scalar(2.0), n.clone())).1, &[60.0]);
    near(&vmap(grad(forward()))(&vector(&[1.0, 2.0]), &vector(&[1.0, 1.0])), &[10.0, 20.0]);

    let back = || {
        custom_vjp(
            |x: &Tensor| x.sin(),
            |x: &Tensor| (x.sin(), x.cos()),
            |cosine: &Tensor, ct: &Tensor| (ct * cosine * 2.0,),
        )
    };
    near(&back()(&x), &[3f64.sin()]);
    near(&grad(back())(&x), &[2.0 * 3f64.cos()]);
    near(&grad(grad(back()))(&x), &[-2.0 * 3f64.sin()]);
    near(&vmap(grad(back()))(&vector(&[3.0, 3.0])), &[2.0 * 3f64.cos(); 2]);
    let (_, wrong) = jvp(back(), &(x.clone(),), &(x.clone(),));
    assert!(wrong.error().is_some_and(|e| e.message().contains("custom_vjp")), "{wrong:?}");
    let (_, f) = vjp(back(), &(x.clone(),));
    near(&f(&scalar(1.0)).0, &[2.0 * 3f64.cos()]);
}

#[test]
fn captured_tensors_of_custom_functions_do_not_vary() {
    let of = |x: &Tensor| {
        let captured = x.clone();
        custom_jvp(|y: &Tensor| y * &captured, |(y,): &(Tensor,), (dy,): &(Tensor,)| (y.clone(), dy.clone()))(
            &scalar(2.0),
        )
    };
    let wrong = grad(of)(&scalar(1.0));
    assert!(wrong.error().is_some_and(|e| e.message().contains("captured")), "{wrong:?}");
}

#[test]
fn a_stopped_gradient_is_zero() {
    near(&grad(|x: &Tensor| x * stop_gradient(x))(&scalar(3.0)), &[3.0]);
}

#[test]
fn loops_and_branches_of_functions() {
    let power = |x: &Tensor, w: &Tensor| {
        let step = |c: &Tensor, x: &Tensor| {
            let y = (c * w + x).sin();
            (y.clone(), y)
        };
        let (last, ys) = scan(step, &scalar(0.5), x);
        last + ys.sum()
    };
    let (x, w) = (vector(&[0.1, 0.2, 0.3]), scalar(0.9));
    let step = 1e-3;
    let at = |w: f64| values(&power(&x, &scalar(w as f32)))[0];
    let wanted = (at(0.9 + step) - at(0.9 - step)) / (2.0 * step);
    let found = values(&grad_argnums(power, Argnum::<1>)(&x, &w))[0];
    assert!((found - wanted).abs() < 1e-2, "{found} {wanted}");
    let forward = jvp(power, &(x.clone(), w.clone()), &(tree::map(&x, |t| t * 0.0), scalar(1.0))).1;
    near(&forward, &[found]);
    let (_, pushed) = linearize(power, &(x.clone(), w.clone()));
    near(&pushed(&(tree::map(&x, |t| t * 0.0), scalar(1.0))), &[found]);

    let choose = |x: &Tensor| {
        let p = x.greater(0.0);
        cond(&p, |x: &Tensor| x * x, |x: &Tensor| x.sin(), x)
    };
    near(&grad(choose)(&scalar(3.0)), &[6.0]);
    near(&grad(choose)(&scalar(-1.0)), &[(-1f64).cos()]);
    near(&grad(grad(choose))(&scalar(3.0)), &[2.0]);

    let uncounted = |x: &Tensor| while_loop(|x: &Tensor| x.less(100.0), |x: &Tensor| x * x, x);
    near(&jvp(uncounted, &(scalar(3.0),), &(scalar(1.0),)).1, &[8.0 * 3f64.powi(7)]);
    let wrong = value_and_grad(uncounted)(&scalar(3.0)).1;
    assert!(wrong.error().is_some_and(|e| e.message().contains("`scan`")), "{wrong:?}");
}
