//! Products with lanes along an axis that both operands have: computed in the order in which a map reads them.

use super::common::region::{agree, agree_as_planned, chosen, chosen_plan_and_code};

/// `r[m, n, c] = Σ_k a[m, k, c] · b[n, k, c]`, plus one where `shifted`.
fn of_channels(dtype: &str, [m, n, k, c]: [i64; 4], shifted: bool) -> String {
    let end = match shifted {
        true => format!(
            "t = {dtype}[{m},{n},{c}] transpose(d), dimensions={{1,2,0}}
  one = {dtype}[] constant(1)
  ones = {dtype}[{m},{n},{c}] broadcast(one), dimensions={{}}
  ROOT r = {dtype}[{m},{n},{c}] add(t, ones)"
        ),
        false => format!("ROOT r = {dtype}[{m},{n},{c}] transpose(d), dimensions={{1,2,0}}"),
    };
    format!(
        "  a = {dtype}[{m},{k},{c}] parameter(0)
  b = {dtype}[{n},{k},{c}] parameter(1)
  d = {dtype}[{c},{m},{n}] dot(a, b), lhs_batch_dims={{2}}, rhs_batch_dims={{2}}, lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}
  {end}"
    )
}

#[test]
fn shapes_and_types() {
    for (dtype, shape) in [
        ("f32", [8, 8, 5, 32]),
        ("f32", [9, 7, 12, 19]),
        ("f32", [2, 30, 3, 16]),
        ("f32", [30, 2, 1, 40]),
        ("f64", [6, 5, 9, 20]),
        ("bf16", [5, 9, 7, 18]),
        ("s32", [7, 6, 4, 24]),
    ] {
        for shifted in [false, true] {
            let entry = of_channels(dtype, shape, shifted);
            assert_eq!(agree_as_planned(&entry), Ok(()), "{entry}");
            let [plan, _] = chosen_plan_and_code(&entry);
            assert!(plan.contains("then stage 1") && plan.contains(" columns, k in blocks"), "{plan}");
        }
    }
}

/// A product over two axes whose results are read with both batch axes last, in another order.
#[test]
fn several_axes() {
    let entry = "  a = f32[3,5,4,2,17] parameter(0)
  b = f32[4,3,6,2,17] parameter(1)
  d = f32[2,17,5,6] dot(a, b), lhs_batch_dims={3,4}, rhs_batch_dims={3,4}, lhs_contracting_dims={0,2}, rhs_contracting_dims={1,0}
  ROOT r = f32[6,5,2,17] transpose(d), dimensions={3,2,0,1}";
    assert_eq!(agree_as_planned(entry), Ok(()));
    let [plan, _] = chosen_plan_and_code(entry);
    assert!(plan.contains(" columns, k in blocks"), "{plan}");
}

/// Results that end with an axis of one operand are another kernel's to turn, and so are those that somebody else reads.
#[test]
fn other_orders() {
    let turned = "  a = f32[8,9,5] parameter(0)
  b = f32[8,5,7] parameter(1)
  d = f32[8,9,7] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  ROOT r = f32[8,7,9] transpose(d), dimensions={0,2,1}";
    let read_twice = format!(
        "{}\n  ROOT both = (f32[8,6,32], f32[32,8,6]) tuple(r, d)",
        of_channels("f32", [8, 6, 5, 32], false).replace("ROOT ", "")
    );
    for entry in [turned, &read_twice] {
        assert_eq!(agree(entry), Ok(()), "{entry}");
        assert!(chosen(entry).is_err(), "{entry}");
    }
}
