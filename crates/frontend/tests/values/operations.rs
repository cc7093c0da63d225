//! What the cases are called here.

use lawson_frontend::Tensor;
use lawson_frontend::tensor::{Ellipsis, NewAxis, Step, concatenate, index::Part, stack, where_};
use lawson_hlo::DType;

/// The result of the operation of that name; what follows the first word are constants.
pub fn apply(name: &str, x: &[Tensor]) -> Tensor {
    let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
    let numbers: Vec<i64> = rest.split(' ').filter_map(|w| w.parse().ok()).collect();
    None.or_else(|| unary(word, x))
        .or_else(|| binary(word, x))
        .or_else(|| with_numbers(word, &numbers, x))
        .or_else(|| reduction(word, rest, &numbers, x))
        .or_else(|| rearranged(name, x))
        .or_else(|| indexed(name, x))
        .or_else(|| changed(name, x))
        .unwrap_or_else(|| panic!("no operation of the name {name}"))
}

macro_rules! methods {
    ($word:expr, $x:expr, $arguments:tt, $($name:ident)*) => {
        match $word {
            $(stringify!($name) => Some($x[0].$name $arguments),)*
            _ => None,
        }
    };
}

fn unary(word: &str, x: &[Tensor]) -> Option<Tensor> {
    methods!(word, x, (), exp expm1 exp2 log log1p log2 log10 sqrt rsqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh
        acosh atanh erf sigmoid square reciprocal abs sign floor ceil round trunc negative isnan isinf isfinite clz
        population_count bitwise_not logical_not trace diag t)
}

fn binary(word: &str, x: &[Tensor]) -> Option<Tensor> {
    if x.len() != 2 {
        return None;
    }
    methods!(word, x, (&x[1]), add subtract multiply divide floor_divide remainder fmod maximum minimum equal not_equal less
        less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift
        right_shift right_shift_logical atan2 hypot logaddexp pow)
}

fn with_numbers(word: &str, n: &[i64], x: &[Tensor]) -> Option<Tensor> {
    Some(match word {
        "pow" => x[0].pow(n[0]),
        "cumsum" => x[0].cumsum(n[0]),
        "cumprod" => x[0].cumprod(n[0]),
        "cummax" => x[0].cummax(n[0]),
        "cummin" => x[0].cummin(n[0]),
        "cumlogsumexp" => x[0].cumlogsumexp(n[0]),
        "tril" => x[0].tril(n[0]),
        "triu" => x[0].triu(n[0]),
        "diagonal" => x[0].diagonal(n[0]),
        "roll" => x[0].roll(n[0], 2),
        "flip" => x[0].flip(n),
        "var_ddof" => x[0].var_ddof(n, 1.0),
        "average" => x[0].average(n, &x[1]),
        _ => return None,
    })
}

macro_rules! reductions {
    ($word:expr, $rest:expr, $n:expr, $x:expr, $($all:ident $some:ident $kept:ident;)*) => {
        match $word {
            $(stringify!($all) => Some(match $rest {
                "" => $x[0].$all(),
                rest if rest.starts_with("kept") => $x[0].$kept($n),
                _ => $x[0].$some($n),
            }),)*
            _ => None,
        }
    };
}

fn reduction(word: &str, rest: &str, n: &[i64], x: &[Tensor]) -> Option<Tensor> {
    let found = reductions!(word, rest, n, x,
        sum sum_axes sum_keepdims;
        prod prod_axes prod_keepdims;
        max max_axes max_keepdims;
        min min_axes min_keepdims;
        mean mean_axes mean_keepdims;
        var var_axes var_keepdims;
        std std_axes std_keepdims;
        all all_axes all_keepdims;
        any any_axes any_keepdims;
        logsumexp logsumexp_axes logsumexp_keepdims;
    );
    let of_one = || {
        reductions!(word, rest, n[0], x,
            argmax argmax_axis argmax_keepdims;
            argmin argmin_axis argmin_keepdims;
        )
    };
    found.or_else(of_one)
}

fn rearranged(name: &str, x: &[Tensor]) -> Option<Tensor> {
    Some(match name {
        "clip" => x[0].clip(&x[1], &x[2]),
        "clamp" => x[0].clamp(&x[1], &x[2]),
        "where" => where_(&x[0], &x[1], &x[2]),
        "arange" => Tensor::arange(2..7, DType::F32),
        "arange_by" => Tensor::arange_by(1.0, 2.05, 0.25, DType::F32),
        "linspace" => Tensor::linspace(-1.0, 2.0, 7, DType::F32),
        "eye" => Tensor::eye(3, 4, 1, DType::S32),
        "tri" => Tensor::tri(3, 4, -1, DType::F32),
        "pad" => x[0].pad([(1, 2), (0, 0), (3, 0)], 9),
        "pad_edge" => x[0].pad_edge([(1, 2), (0, 0), (3, 1)]),
        "diff" => x[0].diff(1),
        "tile" => x[0].tile([2, 1, 3, 2]),
        "tile short" => x[0].tile([2]),
        "repeat" => x[0].repeat(2, 1),
        "concatenate" => concatenate(x, 1),
        "stack" => stack(x, -1),
        "split" => x[0].split(2, 2)[1].clone(),
        "split_at" => x[0].split_at(&[1, 3], 2)[1].clone(),
        "reshape" => x[0].reshape([4, -1]),
        "transpose" => x[0].transpose([2, 0, 1]),
        "swapaxes" => x[0].swapaxes(0, -1),
        "moveaxis" => x[0].moveaxis(0, -1),
        "expand_dims" => x[0].expand_dims([0, -1]),
        "squeeze" => x[0].squeeze(1),
        "broadcast_to" => x[0].broadcast_to([2, 2, 3, 4]),
        name => match name.split_once(' ')? {
            ("bitcast", dtype) => x[0].bitcast(DType::from_name(dtype)?),
            ("astype", dtype) => x[0].astype(DType::from_name(dtype)?),
            _ => return None,
        },
    })
}

fn indexed(name: &str, x: &[Tensor]) -> Option<Tensor> {
    Some(match name {
        "index integer" => x[0].index(1),
        "index parts" => x[0].index((0, 1..3, (..).step(2))),
        "index back" => x[0].index((Ellipsis, (..).step(-1))),
        "index steps" => x[0].index(((..).step(-1), (-1..0).step(-1), Part::new(3, 0, -2))),
        "index new" => x[0].index((.., NewAxis, 0, Ellipsis, NewAxis)),
        "index negative" => x[0].index((-1, ..-1, -3..)),
        "index beyond" => x[0].index((5.., 1..100)),
        "index scalar" => x[0].index((.., &x[1], 1..=2)),
        "index scalars" => x[0].index((&x[1], (..).step(-1), &x[2])),
        "dynamic_slice" => x[0].dynamic_slice(&[&x[1], &1, &-3], [1, 2, 2]),
        _ => return None,
    })
}

fn changed(name: &str, x: &[Tensor]) -> Option<Tensor> {
    Some(match name {
        "at set integer" => x[0].at(1).set(9.0),
        "at set parts" => x[0].at((0, 1..3, (..).step(2))).set(&x[1]),
        "at set back" => x[0].at((.., (..).step(-1), 1)).set(&x[1]),
        "at set empty" => x[0].at((.., 3.., (..).step(2))).set(1.0),
        "at add parts" => x[0].at((.., 1.., Part::new(3, 0, -2))).add(10.0),
        "at add block" => x[0].at((1.., ..2)).add(10.0),
        "at multiply block" => x[0].at((1.., ..2)).multiply(10.0),
        "at min block" => x[0].at((1.., ..2)).min(0.0),
        "at max block" => x[0].at((1.., ..2)).max(0.0),
        "at set scalar" => x[0].at((.., &x[1], (..).step(2))).set(7.0),
        "at add scalar" => x[0].at((&x[1], 1..)).add(7.0),
        "dynamic_update_slice" => {
            let ones = Tensor::ones([1, 2, 2], DType::F32);
            x[0].dynamic_update_slice(&ones, &[&x[1], &1, &3])
        }
        _ => return None,
    })
}
