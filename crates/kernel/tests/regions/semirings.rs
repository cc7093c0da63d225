//! Reductions of pairs of elements as products.

use crate::common::region::{plan_on, region_of, results_as_products};
use lawson_kernel::cost::figures;
use lawson_kernel::plan::plan;
use lawson_kernel::region::{Kind, Region, as_products};
use lawson_kernel::target::Target;

/// `combine(f(x[i, k], y[j, k]))` over k, for all i and j; or of y[k, j].
struct Pairs<'a> {
    dtype: &'a str,
    sides: [i64; 2],
    length: i64,
    turned: bool,
    /// An operation that gives `v` of `a` and `b`, which have the shape `s`.
    value: &'a str,
    combine: &'a str,
    init: &'a str,
}

const L1: Pairs<'_> = Pairs {
    dtype: "f32",
    sides: [37, 53],
    length: 19,
    turned: false,
    value: "d = s subtract(a, b)\nv = s abs(d)",
    combine: "add",
    init: "0",
};

impl Pairs<'_> {
    fn entry(&self) -> String {
        let Pairs { dtype, sides: [m, n], length: k, turned, value, combine, init } = self;
        let (y, dims) = if *turned { (format!("{k},{n}"), "2,1") } else { (format!("{n},{k}"), "1,2") };
        let value = value.replace(" s ", &format!(" {dtype}[{m},{n},{k}] "));
        format!(
            "x = {dtype}[{m},{k}] parameter(0)\ny = {dtype}[{y}] parameter(1)\n\
             a = {dtype}[{m},{n},{k}] broadcast(x), dimensions={{0,2}}\n\
             b = {dtype}[{m},{n},{k}] broadcast(y), dimensions={{{dims}}}\n{value}\n\
             z = {dtype}[] constant({init})\n\
             ROOT r = {dtype}[{m},{n}] reduce(v, z), dimensions={{2}}, to_apply={combine}"
        )
    }

    fn is_product(&self) -> bool {
        product(&self.entry()).is_some()
    }
}

/// The region of an entry, where it becomes a product.
fn product(entry: &str) -> Option<Region> {
    as_products(&region_of(entry), &Target::zen4())
}

/// That the code of all machines gives what the evaluator does.
fn agrees(entry: &str) {
    let results = results_as_products(entry).unwrap_or_else(|e| panic!("{e}\n{entry}"));
    assert!(results.is_some(), "no product: {entry}");
}

#[test]
fn pairs_are_products() {
    agrees(&L1.entry());
    agrees(&Pairs { turned: true, ..L1 }.entry());
    agrees(&Pairs { value: "v = s multiply(a, b)", ..L1 }.entry());
    agrees(&Pairs { value: "d = s subtract(b, a)\nv = s multiply(d, d)", length: 64, ..L1 }.entry());
    agrees(&Pairs { combine: "max", init: "-inf", ..L1 }.entry());
    agrees(&Pairs { value: "v = s add(a, b)", combine: "min", init: "inf", ..L1 }.entry());
    agrees(&Pairs { dtype: "s32", value: "v = s xor(a, b)", combine: "add_s32", ..L1 }.entry());
    agrees(&Pairs { dtype: "f64", turned: true, combine: "add_f64", init: "3", ..L1 }.entry());
}

#[test]
fn tiles_of_few_and_of_many() {
    for (sides, length) in [([4, 16], 8), ([5, 17], 9), ([29, 16], 70), ([6, 77], 33), ([7, 10], 12)] {
        for turned in [false, true] {
            agrees(&Pairs { sides, length, turned, ..L1 }.entry());
            agrees(
                &Pairs {
                    sides,
                    length,
                    turned,
                    dtype: "s32",
                    value: "v = s xor(a, b)",
                    combine: "add_s32",
                    ..L1
                }
                .entry(),
            );
        }
    }
    // Sums rest in memory between blocks of k.
    agrees(&Pairs { sides: [5, 17], length: 5000, combine: "max", init: "-inf", ..L1 }.entry());
}

#[test]
fn others_stay_reductions() {
    assert!(L1.is_product());
    assert!(!Pairs { length: 7, ..L1 }.is_product(), "short");
    assert!(!Pairs { length: 1025, ..L1 }.is_product(), "a long chain of roundings");
    assert!(Pairs { length: 1025, combine: "max", init: "-inf", ..L1 }.is_product(), "which are none here");
    assert!(!Pairs { sides: [3, 53], ..L1 }.is_product(), "few rows");
    assert!(!Pairs { sides: [37, 15], ..L1 }.is_product(), "less than a vector");
    assert!(!Pairs { sides: [37, 7], length: 16, ..L1 }.is_product(), "less than half of one");
    assert!(Pairs { sides: [37, 8], ..L1 }.is_product(), "half a vector");
    assert!(Pairs { sides: [37, 10], length: 16, ..L1 }.is_product(), "short rows");
    assert!(!Pairs { value: "d = s subtract(a, b)\nv = s tanh(d)", ..L1 }.is_product(), "long elements");
    assert!(!Pairs { value: "v = s abs(a)", ..L1 }.is_product(), "one operand");
    let minor_kept = Pairs { turned: true, combine: "max", init: "-inf", ..L1 }.entry();
    // The region's order follows the dimension that is reduced, which is the last one here.
    assert!(product(&minor_kept).is_some());
    let entry = "x = f32[37,19] parameter(0)\ny = f32[19,53] parameter(1)\n\
         a = f32[37,19,53] broadcast(x), dimensions={0,1}\nb = f32[37,19,53] broadcast(y), dimensions={1,2}\n\
         v = f32[37,19,53] OP(a, b)\nz = f32[] constant(0)\n\
         ROOT r = f32[37,53] reduce(v, z), dimensions={1}, to_apply=COMBINE";
    let of =
        |op: &str, combine: &str| product(&entry.replace("OP", op).replace("COMBINE", combine)).is_some();
    assert!(of("multiply", "add"));
    assert!(!of("add", "max") && !of("minimum", "add"));
    // What is made of one operand alone is computed once.
    let of_clipped =
        entry.replace("OP", "multiply").replace("COMBINE", "add").replace("broadcast(x)", "broadcast(c)");
    let clipped = of_clipped.replace("y = f32", "c = f32[37,19] maximum(x, x)\ny = f32");
    assert!(product(&clipped).is_some());
}

#[test]
fn what_elements_share_stays_a_reduction() {
    let entry = "x = f32[37,19] parameter(0)\ny = f32[53,19] parameter(1)\nw = f32[19] parameter(2)\n\
         a = f32[37,53,19] broadcast(x), dimensions={0,2}\nb = f32[37,53,19] broadcast(y), dimensions={1,2}\n\
         c = f32[37,53,19] broadcast(w), dimensions={2}\n\
         d = f32[37,53,19] subtract(a, b)\nv = f32[37,53,19] multiply(d, c)\nz = f32[] constant(0)\n\
         ROOT r = f32[37,53] reduce(v, z), dimensions={2}, to_apply=add";
    assert!(product(entry).is_none());
}

#[test]
fn operations_take_registers_from_the_tile() {
    let sums_of_tile = |pairs: Pairs<'_>| {
        let region = product(&Pairs { sides: [256, 256], ..pairs }.entry()).expect("a product");
        assert!(matches!(region.stages[0].kind, Kind::Contract { semiring: Some(_), .. }), "{region}");
        let plan = plan_on(&region, &Target::zen4());
        let (_, tile) = plan.split_once("tile of ").unwrap_or_else(|| panic!("{plan}"));
        let sides = tile.split(' ').filter_map(|word| word.parse::<i64>().ok()).take(2);
        sides.product::<i64>()
    };
    let sums = sums_of_tile(Pairs { value: "v = s multiply(a, b)", ..L1 });
    let extremes = sums_of_tile(Pairs { combine: "max", init: "-inf", ..L1 });
    assert!(sums > extremes, "{sums} {extremes}");
}

#[test]
fn operations_of_pairs_are_counted() {
    let counted = |entry: &str| {
        let (region, target) = (product(entry).expect("a product"), Target::zen4());
        let plan = plan(&region, &target, figures::work).expect("a plan");
        figures::count(&region, &plan, &target).flops
    };
    let Pairs { sides: [m, n], length, .. } = L1;
    // A subtraction, an absolute value, an addition.
    assert_eq!(counted(&L1.entry()), 3 * m * n * length);
    assert_eq!(counted(&Pairs { value: "v = s multiply(a, b)", ..L1 }.entry()), 2 * m * n * length);
}
