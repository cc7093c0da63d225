//! The Rust front end on native code: compiled functions, their signatures, donation, reports.

use lawson::hlo::DType;
use lawson::tensor::custom;
use lawson::{Tensor, Tree, grad, jit, value_and_grad, vmap};

fn scalar(x: f32) -> Tensor {
    Tensor::new(&[x], [])
}

fn cube(x: &Tensor) -> Tensor {
    &(x * x) * x
}

#[test]
fn derivatives_and_batches_run_compiled_and_at_once() {
    let x = Tensor::new(&[1f32, 2.0, 3.0], [3]);
    let expected = [3f32, 12.0, 27.0];
    assert_eq!(vmap(grad(cube))(&x).to_vec::<f32>(), Ok(expected.to_vec()));
    let compiled = jit(|x: &Tensor| vmap(grad(cube))(x));
    assert_eq!(compiled.call(&x).and_then(|y| Ok(y.to_vec::<f32>()?)), Ok(expected.to_vec()));
    let (value, slope) = value_and_grad(grad(cube))(&scalar(2.0));
    assert_eq!((value.item(), slope.item()), (Ok(12f32), Ok(12f32)));
}

#[test]
fn a_function_is_compiled_once_for_each_signature() {
    let square = jit(|x: &Vec<Tensor>| x.iter().map(|x| x * x).collect::<Vec<_>>());
    let two = vec![scalar(3.0), scalar(4.0)];
    for _ in 0..3 {
        let squares = square.call(&two).expect("it runs");
        assert_eq!((squares[0].item(), squares[1].item()), (Ok(9f32), Ok(16f32)));
    }
    assert_eq!(square.compiled(), 1);
    square.call(&vec![scalar(1.0)]).expect("it runs");
    square.call(&vec![Tensor::new(&[1f32, 2.0], [2])]).expect("it runs");
    assert_eq!(square.compiled(), 3);
}

#[derive(Clone, Tree)]
struct State<T: Tree> {
    position: Tensor,
    more: Option<T>,
    #[tree(fixed)]
    steps: usize,
}

#[test]
fn structs_are_arguments_and_results() {
    let step = jit(|s: &State<(Tensor, Tensor)>| {
        let mut next = s.clone();
        for _ in 0..s.steps {
            next.position = &next.position * &s.position;
        }
        next
    });
    let state = |steps| State { position: scalar(2.0), more: Some((scalar(5.0), scalar(6.0))), steps };
    let next = step.call(&state(2)).expect("it runs");
    assert_eq!(next.position.item(), Ok(8f32));
    assert_eq!(next.more.map(|m| m.1.item()), Some(Ok(6f32)));
    assert_eq!(step.call(&state(3)).expect("it runs").position.item(), Ok(16f32));
    assert_eq!(step.compiled(), 2);
}

#[test]
fn memory_that_is_given_up_is_that_of_the_result() {
    let double = jit(|x: &Tensor| x * x);
    let x = Tensor::new(&vec![3f32; 100_000], [100_000]);
    let place = x.array().expect("it is concrete").bytes().as_ptr();
    let y = double.call_owned(x).expect("it runs");
    assert_eq!(y.array().expect("it is concrete").bytes().as_ptr(), place);
    let shared = y.clone();
    let z = double.call_owned(y).expect("it runs");
    assert_eq!(
        (shared.to_vec::<f32>().expect("elements")[7], z.to_vec::<f32>().expect("elements")[7]),
        (9.0, 81.0)
    );
}

#[test]
fn large_arrays_that_are_no_arguments_are_parameters() {
    let weights = Tensor::new(&vec![2f32; 1000], [1000]);
    let scale = jit(|x: &Tensor| x * &weights);
    let x = Tensor::new(&vec![4f32; 1000], [1000]);
    let lowered = scale.lower(&x).expect("it lowers");
    assert_eq!((lowered.module().entry().parameters().len(), lowered.captured().len()), (2, 1));
    assert_eq!(scale.call(&x).expect("it runs").to_vec::<f32>(), Ok(vec![8f32; 1000]));
}

#[test]
fn reports_speak_of_lines_of_rust() {
    let f = jit(|x: &Tensor| cube(x));
    let x = Tensor::new(&vec![1f32; 64], [64]);
    let report = f.explain(&x).expect("it explains");
    assert_eq!(report.kernels.len(), 1);
    assert!(
        report.kernels[0].places.iter().any(|p| p.contains("frontend.rs:")),
        "{:?}",
        report.kernels[0].places
    );
    let text = f.lower(&x).expect("it lowers").to_string();
    assert!(lawson::load::parse(&text).is_ok(), "{text}");
}

#[test]
fn errors_name_the_line_and_both_shapes() {
    let f = jit(|x: &Tensor, y: &Tensor| cube(&(x * y)));
    let (x, y) = (Tensor::new(&[1f32; 6], [2, 3]), Tensor::new(&[1f32; 4], [4]));
    let line = line!() - 2;
    let e = f.call(&x, &y).expect_err("the dimensions do not broadcast");
    assert_eq!(e.code, lawson::ErrorCode::Trace);
    assert!(e.message.contains(&format!("frontend.rs:{line}:")), "{e}");
    assert!(e.message.contains("f32[2,3]") && e.message.contains("f32[4]"), "{e}");
}

#[test]
fn tensors_leave_a_function_as_its_results_alone() {
    let leaked = std::sync::Mutex::new(None);
    let f = jit(|x: &Tensor| {
        *leaked.lock().expect("one thread") = Some(x * x);
        x.clone()
    });
    f.call(&scalar(1.0)).expect("it runs");
    let inner = leaked.lock().expect("one thread").clone().expect("it was called");
    assert!(inner.to_vec::<f32>().is_err());
    let e = jit(|x: &Tensor| x * &inner).call(&scalar(1.0)).expect_err("it belongs to another function");
    assert!(e.message.contains("belongs to another function"), "{e}");
    assert!((&scalar(1.0) * &inner).error().is_some());
}

#[test]
fn functions_of_the_host_are_called_by_name() {
    custom::register("tests.halve", |operands, results| {
        let of = operands[0].as_slice::<f32>()?.iter();
        results[0].as_mut_slice::<f32>()?.iter_mut().zip(of).for_each(|(y, x)| *y = x / 2.0);
        Ok(())
    })
    .expect("the name is free");
    let halve = |x: &Tensor| custom::custom_call("tests.halve", &[x], &[(DType::F32, &[2])]).remove(0);
    let x = Tensor::new(&[3f32, 5.0], [2]);
    assert_eq!(halve(&x).to_vec::<f32>(), Ok(vec![1.5, 2.5]));
    let square_of_half = jit(move |x: &Tensor| {
        let h = halve(x);
        &h * &h
    });
    let client = lawson::Client::interpreter();
    assert_eq!(square_of_half.call(&x).expect("it runs").to_vec::<f32>(), Ok(vec![2.25, 6.25]));
    assert_eq!(
        square_of_half.client(client).call(&x).expect("it runs").to_vec::<f32>(),
        Ok(vec![2.25, 6.25])
    );
}
