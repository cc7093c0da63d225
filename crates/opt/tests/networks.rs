//! Networks of layers with extents as people have them, that no test computes: each has plans and code on every target.
//!
//! Which plans a kernel has, and whether fusions keep to them, depends on extents: those of other random modules are small, so that
//! they can be computed.

mod support;

use lawson_hlo::Module;
use lawson_kernel::lower::lower;
use lawson_kernel::plan::verify;
use lawson_kernel::program::Code;
use lawson_kernel::target::Target;
use lawson_opt::schedule::schedule;
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use support::values::Rng;

/// Networks; of `LAWSON_LONG_TESTS` so many times as many.
const NETWORKS: u64 = 24;
const LONG: u64 = 20;
const LAYERS: usize = 14;
const ROWS: [i64; 8] = [1, 7, 32, 100, 256, 1000, 2048, 5000];
const FEATURES: [i64; 8] = [1, 3, 8, 16, 33, 64, 128, 300];

/// An array of the network, `rows` × `columns`.
#[derive(Clone)]
struct Value {
    name: String,
    rows: i64,
    columns: i64,
}

impl Value {
    fn shape(&self) -> String {
        format!("f32[{},{}]", self.rows, self.columns)
    }
}

struct Network {
    rng: Rng,
    text: String,
    parameters: usize,
    names: usize,
    pool: Vec<Value>,
    rows: i64,
}

impl Network {
    fn new(seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let rows = ROWS[rng.next() as usize % ROWS.len()];
        Network { rng, text: String::new(), parameters: 0, names: 0, pool: Vec::new(), rows }
    }

    fn below(&mut self, n: usize) -> usize {
        (self.rng.next() >> 33) as usize % n
    }

    /// A new name for the result of this operation, in HLO text.
    fn add(&mut self, shape: &str, operation: &str) -> String {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.text += &format!("  {name} = {shape} {operation}\n");
        name
    }

    fn parameter(&mut self, shape: &str) -> String {
        self.parameters += 1;
        self.add(shape, &format!("parameter({})", self.parameters - 1))
    }

    fn matrix(&mut self, rows: i64, columns: i64) -> Value {
        let name = self.parameter(&format!("f32[{rows},{columns}]"));
        Value { name, rows, columns }
    }

    /// A value made before, preferably a late one.
    fn value(&mut self) -> Value {
        let n = self.pool.len();
        let back = self.below(n).min(self.below(n));
        self.pool[n - 1 - back].clone()
    }

    /// Another value of the same shape.
    fn like(&mut self, x: &Value) -> Value {
        let same: Vec<Value> =
            self.pool.iter().filter(|v| (v.rows, v.columns) == (x.rows, x.columns)).cloned().collect();
        let chosen = self.below(same.len());
        same[chosen].clone()
    }

    fn of(&mut self, like: &Value, operation: &str) -> Value {
        let name = self.add(&like.shape(), operation);
        Value { name, ..like.clone() }
    }

    fn spread(&mut self, like: &Value, from: &str, dim: &str) -> Value {
        self.of(like, &format!("broadcast({from}), dimensions={{{dim}}}"))
    }

    fn reduce(&mut self, x: &Value, dim: usize, by: &str) -> String {
        let kept = if dim == 0 { x.columns } else { x.rows };
        let init = if by == "add" { "zero" } else { "least" };
        self.add(
            &format!("f32[{kept}]"),
            &format!("reduce({}, {init}), dimensions={{{dim}}}, to_apply={by}", x.name),
        )
    }

    fn layer(&mut self) {
        let x = self.value();
        let y = match self.below(20) {
            0 => self.linear(&x),
            1 => self.derivative_by_weights(&x),
            2 => {
                let back = self.matrix(FEATURES[3], x.columns);
                let columns = back.rows;
                let operation = format!(
                    "dot({}, {}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}",
                    x.name, back.name
                );
                let name = self.add(&format!("f32[{},{columns}]", x.rows), &operation);
                Value { name, rows: x.rows, columns }
            }
            3 => {
                let zeros = self.spread(&x, "zero", "");
                self.of(&x, &format!("maximum({}, {})", x.name, zeros.name))
            }
            4 => self.of(&x, &format!("tanh({})", x.name)),
            5 => {
                let other = self.like(&x);
                let operation = ["add", "multiply", "subtract"][self.below(3)];
                self.of(&x, &format!("{operation}({}, {})", x.name, other.name))
            }
            6 => self.softmax(&x),
            7 | 8 => {
                // What rows or columns have in common is taken away.
                let dim = self.below(2);
                let total = self.reduce(&x, dim, "add");
                let spread = self.spread(&x, &total, if dim == 0 { "1" } else { "0" });
                let operation = ["subtract", "multiply"][self.below(2)];
                self.of(&x, &format!("{operation}({}, {})", x.name, spread.name))
            }
            9 => self.sums_of_neighbours(&x),
            10 => {
                let name = self.add(
                    &format!("f32[{},{}]", x.columns, x.rows),
                    &format!("transpose({}), dimensions={{1,0}}", x.name),
                );
                Value { name, rows: x.columns, columns: x.rows }
            }
            11 => self.attention(&x),
            12 => self.running_sums(&x),
            13 => self.selected(&x),
            14 => self.sorted(&x),
            15 => self.halves(&x),
            16 => self.part(&x),
            17 => self.padded(&x),
            18 => self.convolved(&x),
            _ => {
                let other = self.value();
                if other.rows != x.rows {
                    return;
                }
                let columns = x.columns + other.columns;
                let name = self.add(
                    &format!("f32[{},{columns}]", x.rows),
                    &format!("concatenate({}, {}), dimensions={{1}}", x.name, other.name),
                );
                Value { name, rows: x.rows, columns }
            }
        };
        self.pool.push(y);
    }

    fn linear(&mut self, x: &Value) -> Value {
        let columns = FEATURES[self.below(FEATURES.len())];
        let weights = self.matrix(x.columns, columns);
        let operation = format!(
            "dot({}, {}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
            x.name, weights.name
        );
        let name = self.add(&format!("f32[{},{columns}]", x.rows), &operation);
        Value { name, rows: x.rows, columns }
    }

    /// The sum over all rows of products of columns.
    fn derivative_by_weights(&mut self, x: &Value) -> Value {
        let of_rows: Vec<Value> = self.pool.iter().filter(|v| v.rows == x.rows).cloned().collect();
        let chosen = self.below(of_rows.len());
        let y = of_rows[chosen].clone();
        let operation =
            format!("dot({}, {}), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}", x.name, y.name);
        let name = self.add(&format!("f32[{},{}]", x.columns, y.columns), &operation);
        Value { name, rows: x.columns, columns: y.columns }
    }

    fn softmax(&mut self, x: &Value) -> Value {
        let most = self.reduce(x, 1, "max");
        let most = self.spread(x, &most, "0");
        let less = self.of(x, &format!("subtract({}, {})", x.name, most.name));
        let powers = self.of(x, &format!("exponential({})", less.name));
        let total = self.reduce(&powers, 1, "add");
        let total = self.spread(x, &total, "0");
        self.of(x, &format!("divide({}, {})", powers.name, total.name))
    }

    /// Rows that edges choose, added to the rows that edges lead to.
    fn sums_of_neighbours(&mut self, x: &Value) -> Value {
        let edges = 3 * x.rows + 5;
        let [from, to] = [0, 1].map(|_| self.parameter(&format!("s32[{edges},1]")));
        let columns = x.columns;
        let gathered = self.add(
            &format!("f32[{edges},{columns}]"),
            &format!(
                "gather({}, {from}), offset_dims={{1}}, collapsed_slice_dims={{0}}, start_index_map={{0}}, \
                 index_vector_dim=1, slice_sizes={{1,{columns}}}",
                x.name
            ),
        );
        let zeros = self.spread(x, "zero", "");
        self.of(
            x,
            &format!(
                "scatter({}, {to}, {gathered}), update_window_dims={{1}}, inserted_window_dims={{0}}, \
                 scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add",
                zeros.name
            ),
        )
    }

    /// Softmax of the products of rows, for each of four heads, times the rows: of few rows, since all meet all.
    fn attention(&mut self, x: &Value) -> Value {
        let (rows, columns) = (x.rows, x.columns);
        if columns % 4 != 0 || rows > 300 {
            return self.of(x, &format!("negate({})", x.name));
        }
        let width = columns / 4;
        let (split, heads) = (format!("f32[{rows},4,{width}]"), format!("f32[4,{rows},{width}]"));
        let parts = self.add(&split, &format!("reshape({})", x.name));
        let h = self.add(&heads, &format!("transpose({parts}), dimensions={{1,0,2}}"));
        let square = format!("f32[4,{rows},{rows}]");
        let products = format!(
            "dot({h}, {h}), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, rhs_contracting_dims={{2}}"
        );
        let s = self.add(&square, &products);
        let line = format!("f32[4,{rows}]");
        let most = self.add(&line, &format!("reduce({s}, least), dimensions={{2}}, to_apply=max"));
        let most = self.add(&square, &format!("broadcast({most}), dimensions={{0,1}}"));
        let s = self.add(&square, &format!("subtract({s}, {most})"));
        let s = self.add(&square, &format!("exponential({s})"));
        let total = self.add(&line, &format!("reduce({s}, zero), dimensions={{2}}, to_apply=add"));
        let total = self.add(&square, &format!("broadcast({total}), dimensions={{0,1}}"));
        let s = self.add(&square, &format!("divide({s}, {total})"));
        let mixed = format!(
            "dot({s}, {h}), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, rhs_contracting_dims={{1}}"
        );
        let y = self.add(&heads, &mixed);
        let y = self.add(&split, &format!("transpose({y}), dimensions={{1,0,2}}"));
        self.of(x, &format!("reshape({y})"))
    }

    /// Along rows or columns, from either end.
    fn running_sums(&mut self, x: &Value) -> Value {
        let (size, pad) = match self.below(4) {
            0 => (format!("{}x1", x.rows), format!("{}_0x0_0", x.rows - 1)),
            1 => (format!("{}x1", x.rows), format!("0_{}x0_0", x.rows - 1)),
            2 => (format!("1x{}", x.columns), format!("0_0x{}_0", x.columns - 1)),
            _ => (format!("1x{}", x.columns), format!("0_0x0_{}", x.columns - 1)),
        };
        self.of(
            x,
            &format!("reduce-window({}, zero), window={{size={size} pad={pad}}}, to_apply=add", x.name),
        )
    }

    /// The largest elements of each row.
    fn selected(&mut self, x: &Value) -> Value {
        let k = [1, 2, 5, 20, 100][self.below(5)].min(x.columns);
        let shape = format!("f32[{},{k}]", x.rows);
        let both = self.add(
            &format!("({shape}, s32[{},{k}])", x.rows),
            &format!("topk({}), k={k}, largest=true", x.name),
        );
        let name = self.add(&shape, &format!("get-tuple-element({both}), index=0"));
        Value { name, rows: x.rows, columns: k }
    }

    fn sorted(&mut self, x: &Value) -> Value {
        let dim = self.below(2);
        self.of(x, &format!("sort({}), dimensions={{{dim}}}, to_apply=less", x.name))
    }

    /// A product of 16-bit floats.
    fn halves(&mut self, x: &Value) -> Value {
        let dtype = ["bf16", "f16"][self.below(2)];
        let columns = FEATURES[self.below(FEATURES.len())];
        let weights = self.parameter(&format!("{dtype}[{},{columns}]", x.columns));
        let h = self.add(&format!("{dtype}[{},{}]", x.rows, x.columns), &format!("convert({})", x.name));
        let product = format!("dot({h}, {weights}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}");
        let y = self.add(&format!("{dtype}[{},{columns}]", x.rows), &product);
        let name = self.add(&format!("f32[{},{columns}]", x.rows), &format!("convert({y})"));
        Value { name, rows: x.rows, columns }
    }

    /// Some columns, each or every other of them.
    fn part(&mut self, x: &Value) -> Value {
        let (first, step) = (self.below(x.columns as usize) as i64, 1 + self.below(2) as i64);
        let columns = (x.columns - first + step - 1) / step;
        let ranges = format!("[0:{}], [{first}:{}:{step}]", x.rows, x.columns);
        let name = self
            .add(&format!("f32[{},{columns}]", x.rows), &format!("slice({}), slice={{{ranges}}}", x.name));
        Value { name, rows: x.rows, columns }
    }

    fn padded(&mut self, x: &Value) -> Value {
        let columns = x.columns + 3;
        let name = self
            .add(&format!("f32[{},{columns}]", x.rows), &format!("pad({}, zero), padding=0_0x1_2", x.name));
        Value { name, rows: x.rows, columns }
    }

    /// Rows as a picture of one channel, with four kernels of 3 × 3, of which the sum is left.
    fn convolved(&mut self, x: &Value) -> Value {
        let (rows, columns) = (x.rows, x.columns);
        let picture = self.add(&format!("f32[1,{rows},{columns},1]"), &format!("reshape({})", x.name));
        let kernels = self.parameter("f32[3,3,1,4]");
        let convolution = format!(
            "convolution({picture}, {kernels}), window={{size=3x3 pad=1_1x1_1}}, dim_labels=b01f_01io->b01f"
        );
        let y = self.add(&format!("f32[1,{rows},{columns},4]"), &convolution);
        self.of(x, &format!("reduce({y}, zero), dimensions={{0,3}}, to_apply=add"))
    }

    fn module(mut self) -> Module {
        let columns = FEATURES[self.below(FEATURES.len())];
        let first = self.matrix(self.rows, columns);
        self.pool.push(first);
        for _ in 0..LAYERS {
            self.layer();
        }
        let outputs: Vec<Value> = self.pool.iter().rev().take(4).cloned().collect();
        let shapes: Vec<String> = outputs.iter().map(Value::shape).collect();
        let names: Vec<&str> = outputs.iter().map(|v| v.name.as_str()).collect();
        let text = format!(
            "HloModule network\n\nadd {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}}\n\n\
             max {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] maximum(a, b)\n}}\n\n\
             less {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
             ROOT s = pred[] compare(a, b), direction=LT, type=TOTALORDER\n}}\n\n\
             ENTRY main {{\n  zero = f32[] constant(0)\n  least = f32[] constant(-inf)\n{}  ROOT all = ({}) tuple({})\n}}\n",
            self.text,
            shapes.join(", "),
            names.join(", ")
        );
        Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }
}

/// Why a module has no plans or no code for a target.
fn fault(module: &Module, target: &Target, numerics: Numerics) -> Option<String> {
    let mut after = module.clone();
    let options = Options { target: target.clone(), numerics, ..Options::default() };
    if let Err(e) = pipeline::run(&mut PassContext::new(options), &mut after, pipeline::PIPELINE) {
        return Some(format!("passes: {}", e[0]));
    }
    let program = match schedule(&after, target, numerics) {
        Ok(scheduled) => scheduled.program,
        Err(e) => return Some(format!("plans: {e}\n{after}")),
    };
    program.kernels.iter().find_map(|kernel| {
        let Code::Planned(planned) = &kernel.code else { return None };
        if let Err(e) = verify(&planned.region, &planned.plan) {
            return Some(format!("the plan of {}: {e:?}\n{}", kernel.name, planned.region));
        }
        let code = lower(&planned.region, &planned.plan, &kernel.name);
        code.err().map(|e| format!("code of {}: {e}\n{}", kernel.name, planned.region))
    })
}

#[test]
fn networks_have_plans_and_code_on_every_target() {
    let long = std::env::var_os("LAWSON_LONG_TESTS").is_some();
    let targets = [
        Target::zen4(),
        Target::sapphire_rapids(),
        Target::haswell(),
        Target::neon(),
        Target::h100(),
        Target::turing(),
    ];
    for seed in 0..if long { LONG * NETWORKS } else { NETWORKS } {
        let module = Network::new(seed).module();
        for (n, target) in targets.iter().enumerate() {
            let numerics = [Numerics::Standard, Numerics::Strict, Numerics::Fast][(seed as usize + n) % 3];
            if let Some(fault) = fault(&module, target, numerics) {
                panic!("seed {seed}, target {n}, {numerics:?}: {fault}\n{module}");
            }
        }
    }
}
