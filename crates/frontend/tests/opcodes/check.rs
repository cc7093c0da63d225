//! Whether derivatives are right: tangents against finite differences, cotangents against tangents.

use crate::derive::{self, parameters, varies};
use crate::evaluate::{complex, evaluate};
use crate::random::Random;
use lawson_hlo::{ArrayShape, Literal, Module, Scalar};

/// The step of finite differences, and what their error may be.
const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 2e-6;

/// Checks the derivative of the entry at these arguments, and `order - 1` derivatives of it.
#[track_caller]
pub fn derivatives(module: &Module, arguments: &[Literal], order: usize, random: &mut Random) {
    let name = || module.to_string();
    let jvp = derive::jvp(module).unwrap_or_else(|e| panic!("{e}\n{}", name()));
    let vjp = derive::vjp(module).unwrap_or_else(|e| panic!("{e}\n{}", name()));
    let own = parameters(module);
    let tangents: Vec<Literal> =
        own.iter().filter(|s| varies(s)).map(|s| random.between(s, -1.0, 1.0)).collect();
    let found = evaluate(&jvp, &[arguments, &tangents].concat());

    let ahead = varying(evaluate(module, &moved(arguments, &tangents, STEP)));
    let behind = varying(evaluate(module, &moved(arguments, &tangents, -STEP)));
    for ((tangent, a), b) in found.iter().zip(&ahead).zip(&behind) {
        let wanted = complex(a).into_iter().zip(complex(b));
        let wanted = wanted.map(|(a, b)| ((a.0 - b.0) / (2.0 * STEP), (a.1 - b.1) / (2.0 * STEP)));
        for (found, wanted) in complex(tangent).into_iter().zip(wanted) {
            let error = (found.0 - wanted.0).abs().max((found.1 - wanted.1).abs());
            let scale = 1.0 + wanted.0.abs().max(wanted.1.abs());
            assert!(
                error <= TOLERANCE * scale,
                "order {order}: tangent {found:?}, by differences {wanted:?}\n{}\n{jvp}",
                name()
            );
        }
    }

    let cotangents: Vec<Literal> = ahead.iter().map(|y| random.between(y.shape(), -1.0, 1.0)).collect();
    let all = [arguments, &cotangents].concat();
    let gradients = evaluate(&vjp, &all);
    let forward: f64 = found.iter().zip(&cotangents).map(|(t, ct)| product(t, ct)).sum();
    let backward: f64 = tangents.iter().zip(&gradients).map(|(t, ct)| product(t, ct)).sum();
    assert!(
        (forward - backward).abs() <= 1e-9 * (1.0 + forward.abs()),
        "order {order}: forward {forward}, backward {backward}\n{}\n{vjp}",
        name()
    );
    if order > 1 {
        derivatives(&vjp, &all, order - 1, random);
    }
}

/// Σ a·b, of complex numbers its real part.
fn product(a: &Literal, b: &Literal) -> f64 {
    complex(a).into_iter().zip(complex(b)).map(|(a, b)| a.0 * b.0 - a.1 * b.1).sum()
}

fn varying(results: Vec<Literal>) -> Vec<Literal> {
    results.into_iter().filter(|r| varies(r.shape())).collect()
}

/// The arguments, those that vary moved along their tangents.
fn moved(arguments: &[Literal], tangents: &[Literal], step: f64) -> Vec<Literal> {
    let mut tangents = tangents.iter();
    let one = |x: &Literal| {
        if !varies(x.shape()) {
            return x.clone();
        }
        let t = tangents.next().expect("as many as vary");
        let numbers = complex(x).into_iter().zip(complex(t));
        let numbers = numbers.map(|(x, t)| (x.0 + step * t.0, x.1 + step * t.1));
        let shape: &ArrayShape = x.shape();
        let element = |(re, im)| {
            if shape.dtype.is_complex() { Scalar::Complex(re, im) } else { Scalar::Float(re) }
        };
        Literal::from_scalars(shape.clone(), numbers.map(element))
    };
    arguments.iter().map(one).collect()
}
