//! The kernels whose traffic is bounded: each kind of plan, with rows that begin at multiples of a sector and with rows
//! that do not, at sizes that fill several blocks with a remainder.

/// A module, and what is asked of it.
pub struct Canonical {
    pub name: String,
    pub text: String,
    /// Whether all rows of all arrays begin at multiples of 32 bytes.
    pub aligned: bool,
    /// Elements of an operand that all rows share: it counts once for each block, whose cache has it from there on.
    pub shared: i64,
    /// Whether it is planned for a device with one multiprocessor, whose warps it keeps busy.
    pub fills_one: bool,
    /// What it may move of the least, where that is not the bound of all, and why.
    pub most: Option<(f64, &'static str)>,
}

/// The types of maps, with their bytes.
const TYPES: [(&str, i64); 4] = [("f32", 4), ("f16", 2), ("s8", 1), ("f64", 8)];

pub fn all() -> Vec<Canonical> {
    let mut all = Vec::new();
    let mut add = |name: String, text: String, aligned: bool| {
        all.push(Canonical { name, text, aligned, shared: 0, fills_one: false, most: None });
        all.len() - 1
    };
    let mut shared = Vec::new();
    let (mut bounds, mut on_one) = (Vec::new(), Vec::new());
    for (dtype, bytes) in TYPES {
        for n in [40_000, 32_768] {
            add(format!("map {dtype}[{n}]"), map(dtype, n), n * bytes % 32 == 0);
        }
    }
    for (rows, columns) in [(96, 256), (75, 331)] {
        let n = add(format!("map of rows [{rows},{columns}]"), biased(rows, columns), columns % 8 == 0);
        shared.push((n, columns));
    }
    for (rows, columns) in [(2112, 16), (1100, 64), (1100, 77), (256, 512), (16, 4096), (3, 20_000)] {
        add(format!("rows [{rows},{columns}]"), reduction(rows, columns, 1), columns % 8 == 0);
    }
    for columns in [32, 33, 48, 96, 100, 128, 256] {
        add(format!("rows [531,{columns}]"), reduction(531, columns, 1), columns % 8 == 0);
    }
    for (dtype, bytes) in TYPES {
        for (rows, columns) in [(531, 64), (350, 200)] {
            let aligned = columns * bytes % 32 == 0;
            add(
                format!("greatest of rows {dtype}[{rows},{columns}]"),
                greatest(dtype, rows, columns),
                aligned,
            );
        }
    }
    for columns in [32, 64, 100] {
        let aligned = columns % 8 == 0;
        add(format!("greatest of rows and where [531,{columns}]"), arg_greatest(531, columns), aligned);
        add(format!("map of rows and its sums [528,{columns}]"), map_and_sum(528, columns), aligned);
        add(format!("exponentials of rows [531,{columns}]"), exponentials(531, columns), aligned);
        add(format!("log-sum-exp of rows [531,{columns}]"), log_sum_exp(531, columns), aligned);
    }
    for (rows, columns) in [(64, 2048), (512, 256), (1000, 64), (331, 75)] {
        add(format!("columns [{rows},{columns}]"), reduction(rows, columns, 0), columns % 8 == 0);
    }
    for (rows, columns) in [(1100, 64), (1100, 77), (40, 384), (150, 1024), (16, 4096)] {
        add(format!("softmax [{rows},{columns}]"), softmax(rows, columns), columns % 8 == 0);
        let n = add(format!("layer norm [{rows},{columns}]"), layer_norm(rows, columns), columns % 8 == 0);
        shared.push((n, columns));
    }
    for (dtype, bytes) in TYPES {
        for (rows, columns) in [(192, 256), (150, 331)] {
            let aligned = rows * bytes % 32 == 0 && columns * bytes % 32 == 0;
            let n =
                add(format!("transpose {dtype}[{rows},{columns}]"), transpose(dtype, rows, columns), aligned);
            if !aligned {
                // Squares follow each other then, of s8 first.
                let most = [1.47, 1.26, 1.15, 1.12][bytes.ilog2() as usize];
                bounds.push((n, (most, "there are not enough squares for several of each warp")));
            }
        }
        let name = format!("transpose {dtype}[523,700] on one multiprocessor");
        on_one.push(add(name, transpose(dtype, 523, 700), false));
    }
    for (left, right) in [(64, 192), (75, 180)] {
        let aligned = left % 8 == 0 && right % 8 == 0;
        add(format!("concatenate [200,{left}] [200,{right}]"), concatenate(200, left, right), aligned);
    }
    for n in [1 << 17, 100_003, 1 << 21] {
        add(format!("sum [{n}]"), full(n), true);
    }
    shared.into_iter().for_each(|(n, elements)| all[n].shared = elements);
    on_one.into_iter().for_each(|n| all[n].fills_one = true);
    bounds.into_iter().for_each(|(n, most)| all[n].most = Some(most));
    all
}

const SUM: &str =
    "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n";
const MAX: &str =
    "max {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] maximum(a, b)\n}\n";

pub fn map(dtype: &str, n: i64) -> String {
    format!(
        "HloModule m\nENTRY e {{\n  x = {dtype}[{n}] parameter(0)\n  y = {dtype}[{n}] parameter(1)\n  \
         p = {dtype}[{n}] multiply(x, y)\n  ROOT s = {dtype}[{n}] add(p, x)\n}}\n"
    )
}

/// A bias for each column is added.
fn biased(rows: i64, columns: i64) -> String {
    let shape = format!("f32[{rows},{columns}]");
    format!(
        "HloModule m\nENTRY e {{\n  x = {shape} parameter(0)\n  b = f32[{columns}] parameter(1)\n  \
         bb = {shape} broadcast(b), dimensions={{1}}\n  ROOT s = {shape} add(x, bb)\n}}\n"
    )
}

pub fn reduction(rows: i64, columns: i64, along: usize) -> String {
    let kept = [rows, columns][1 - along];
    format!(
        "HloModule m\n{SUM}ENTRY e {{\n  x = f32[{rows},{columns}] parameter(0)\n  zero = f32[] constant(0)\n  \
         ROOT r = f32[{kept}] reduce(x, zero), dimensions={{{along}}}, to_apply=sum\n}}\n"
    )
}

/// The greatest element of each row.
fn greatest(dtype: &str, rows: i64, columns: i64) -> String {
    let least = if dtype == "s8" { "-128" } else { "-inf" };
    format!(
        "HloModule m\n{}ENTRY e {{\n  x = {dtype}[{rows},{columns}] parameter(0)\n  \
         low = {dtype}[] constant({least})\n  \
         ROOT r = {dtype}[{rows}] reduce(x, low), dimensions={{1}}, to_apply=max\n}}\n",
        MAX.replace("f32", dtype)
    )
}

/// The greatest element of each row and its position.
fn arg_greatest(rows: i64, columns: i64) -> String {
    format!(
        "HloModule m\nbest {{\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n  b = f32[] parameter(2)\n  \
         j = s32[] parameter(3)\n  g = pred[] compare(a, b), direction=GE\n  v = f32[] select(g, a, b)\n  \
         k = s32[] select(g, i, j)\n  ROOT t = (f32[], s32[]) tuple(v, k)\n}}\n\
         ENTRY e {{\n  x = f32[{rows},{columns}] parameter(0)\n  low = f32[] constant(-inf)\n  \
         zero = s32[] constant(0)\n  n = s32[{rows},{columns}] iota(), iota_dimension=1\n  \
         ROOT r = (f32[{rows}], s32[{rows}]) reduce(x, n, low, zero), dimensions={{1}}, to_apply=best\n}}\n"
    )
}

/// A map and the sums of its rows.
fn map_and_sum(rows: i64, columns: i64) -> String {
    let shape = format!("f32[{rows},{columns}]");
    format!(
        "HloModule m\n{SUM}ENTRY e {{\n  x = {shape} parameter(0)\n  zero = f32[] constant(0)\n  \
         q = {shape} multiply(x, x)\n  r = f32[{rows}] reduce(q, zero), dimensions={{1}}, to_apply=sum\n  \
         ROOT t = ({shape}, f32[{rows}]) tuple(q, r)\n}}\n"
    )
}

/// Sums of elements whose code is long.
fn exponentials(rows: i64, columns: i64) -> String {
    format!(
        "HloModule m\n{SUM}ENTRY e {{\n  x = f32[{rows},{columns}] parameter(0)\n  zero = f32[] constant(0)\n  \
         q = f32[{rows},{columns}] exponential(x)\n  s = f32[{rows}] reduce(q, zero), dimensions={{1}}, to_apply=sum\n  \
         ROOT r = f32[{rows}] log(s)\n}}\n"
    )
}

/// A nest of stages with two values for each row.
fn log_sum_exp(rows: i64, columns: i64) -> String {
    let (shape, row) = (format!("f32[{rows},{columns}]"), format!("f32[{rows}]"));
    format!(
        "HloModule m\n{SUM}{MAX}ENTRY e {{\n  x = {shape} parameter(0)\n  low = f32[] constant(-inf)\n  \
         zero = f32[] constant(0)\n  m = {row} reduce(x, low), dimensions={{1}}, to_apply=max\n  \
         mb = {shape} broadcast(m), dimensions={{0}}\n  s = {shape} subtract(x, mb)\n  e = {shape} exponential(s)\n  \
         z = {row} reduce(e, zero), dimensions={{1}}, to_apply=sum\n  l = {row} log(z)\n  a = {row} add(l, m)\n  \
         ROOT t = ({row}, {row}) tuple(a, m)\n}}\n"
    )
}

pub fn full(n: i64) -> String {
    format!(
        "HloModule m\n{SUM}ENTRY e {{\n  x = f32[{n}] parameter(0)\n  zero = f32[] constant(0)\n  \
         ROOT r = f32[] reduce(x, zero), dimensions={{0}}, to_apply=sum\n}}\n"
    )
}

pub fn softmax(rows: i64, columns: i64) -> String {
    let (shape, row) = (format!("f32[{rows},{columns}]"), format!("f32[{rows}]"));
    format!(
        "HloModule m\n{SUM}{MAX}ENTRY e {{\n  x = {shape} parameter(0)\n  low = f32[] constant(-inf)\n  \
         zero = f32[] constant(0)\n  m = {row} reduce(x, low), dimensions={{1}}, to_apply=max\n  \
         mb = {shape} broadcast(m), dimensions={{0}}\n  s = {shape} subtract(x, mb)\n  e = {shape} exponential(s)\n  \
         z = {row} reduce(e, zero), dimensions={{1}}, to_apply=sum\n  zb = {shape} broadcast(z), dimensions={{0}}\n  \
         ROOT d = {shape} divide(e, zb)\n}}\n"
    )
}

pub fn layer_norm(rows: i64, columns: i64) -> String {
    let (shape, row, column) =
        (format!("f32[{rows},{columns}]"), format!("f32[{rows}]"), format!("f32[{columns}]"));
    format!(
        "HloModule m\n{SUM}ENTRY e {{\n  x = {shape} parameter(0)\n  g = {column} parameter(1)\n  \
         zero = f32[] constant(0)\n  n = f32[] constant({columns})\n  nb = {row} broadcast(n), dimensions={{}}\n  \
         t = {row} reduce(x, zero), dimensions={{1}}, to_apply=sum\n  mean = {row} divide(t, nb)\n  \
         mb = {shape} broadcast(mean), dimensions={{0}}\n  c = {shape} subtract(x, mb)\n  q = {shape} multiply(c, c)\n  \
         v = {row} reduce(q, zero), dimensions={{1}}, to_apply=sum\n  var = {row} divide(v, nb)\n  \
         eps = f32[] constant(1e-5)\n  eb = {row} broadcast(eps), dimensions={{}}\n  ve = {row} add(var, eb)\n  \
         r = {row} rsqrt(ve)\n  rb = {shape} broadcast(r), dimensions={{0}}\n  s = {shape} multiply(c, rb)\n  \
         gb = {shape} broadcast(g), dimensions={{1}}\n  ROOT o = {shape} multiply(s, gb)\n}}\n"
    )
}

pub fn transpose(dtype: &str, rows: i64, columns: i64) -> String {
    format!(
        "HloModule m\nENTRY e {{\n  x = {dtype}[{rows},{columns}] parameter(0)\n  \
         ROOT t = {dtype}[{columns},{rows}] transpose(x), dimensions={{1,0}}\n}}\n"
    )
}

fn concatenate(rows: i64, left: i64, right: i64) -> String {
    format!(
        "HloModule m\nENTRY e {{\n  x = f32[{rows},{left}] parameter(0)\n  y = f32[{rows},{right}] parameter(1)\n  \
         ROOT c = f32[{rows},{}] concatenate(x, y), dimensions={{1}}\n}}\n",
        left + right
    )
}
