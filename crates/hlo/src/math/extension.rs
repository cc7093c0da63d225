//! Arithmetic in extensions of prime fields, on coefficients, over [`PartOps`].
//!
//! Products are Karatsuba's (3, 6 and 9 multiplications for degrees 2, 3 and 4), reduced by u^d = w or u^d = u + w.
//! Inverses go through the norm, so that one inverse of the prime field is all they need; that of 0 is 0.

use super::composite::PartOps;
use crate::attrs::Attrs;
use crate::dtype::{DType, Extension};
use crate::opcode::Opcode;
use crate::scalar::Scalar;

/// Makes operations of the prime field `part` with `b`.
pub(super) struct Base<'b, B: PartOps> {
    b: &'b mut B,
    part: DType,
    /// What multiplies two coefficients: `multiply`, or for sums of products `dot` with its dimensions.
    product: (Opcode, Attrs),
}

impl<'b, B: PartOps> Base<'b, B> {
    pub fn new(b: &'b mut B, part: DType) -> Base<'b, B> {
        Base { b, part, product: (Opcode::Multiply, Attrs::None) }
    }

    /// Of operands whose products are summed.
    pub fn of_dot(b: &'b mut B, part: DType, dims: Attrs) -> Base<'b, B> {
        Base { b, part, product: (Opcode::Dot, dims) }
    }

    /// A product of two coefficients.
    fn pair(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        let (opcode, attrs) = self.product.clone();
        self.b.op(opcode, attrs, &[x, y], self.part)
    }

    pub fn inverse(&mut self, x: &B::Value) -> B::Value {
        self.op(Opcode::Inverse, &[x])
    }

    fn op(&mut self, opcode: Opcode, operands: &[&B::Value]) -> B::Value {
        self.b.op(opcode, Attrs::None, operands, self.part)
    }

    fn add(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Add, &[x, y])
    }

    fn subtract(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Subtract, &[x, y])
    }

    fn multiply(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Multiply, &[x, y])
    }

    fn negate(&mut self, x: &B::Value) -> B::Value {
        self.op(Opcode::Negate, &[x])
    }

    /// x·w: by additions for the constants of the known extensions where those are cheaper than a multiplication.
    fn times(&mut self, w: u64, x: &B::Value) -> B::Value {
        let p = match self.part.field() {
            Some(field) => field.prime.modulus(),
            None => return self.times_constant(w, x),
        };
        match w {
            1 => x.clone(),
            2 => self.add(x, x),
            3 => {
                let twice = self.add(x, x);
                self.add(&twice, x)
            }
            7 => {
                let mut power = x.clone();
                for _ in 0..3 {
                    power = self.add(&power, &power);
                }
                self.subtract(&power, x)
            }
            w if w == p - 1 => self.negate(x),
            w => self.times_constant(w, x),
        }
    }

    fn times_constant(&mut self, w: u64, x: &B::Value) -> B::Value {
        let w = self.b.constant(self.part, Scalar::Unsigned(w), x);
        self.multiply(x, &w)
    }

    /// The 2n − 1 coefficients of the product of two polynomials of n each.
    fn product(&mut self, x: &[B::Value], y: &[B::Value]) -> Vec<B::Value> {
        match x.len() {
            1 => vec![self.pair(&x[0], &y[0])],
            3 => self.product_of_three(x, y),
            n => {
                let half = n / 2;
                let low = self.product(&x[..half], &y[..half]);
                let high = self.product(&x[half..], &y[half..]);
                let (x, y) = (self.halves(x), self.halves(y));
                let both = self.product(&x, &y);
                let middle: Vec<_> = (0..both.len())
                    .map(|i| {
                        let rest = self.subtract(&both[i], &low[i]);
                        self.subtract(&rest, &high[i])
                    })
                    .collect();
                // Low and high do not overlap but for one place between them, which the middle alone fills.
                let mut sum: Vec<Option<B::Value>> = vec![None; 2 * n - 1];
                for (at, part) in [(0, low), (2 * half, high), (half, middle)] {
                    for (i, v) in part.into_iter().enumerate() {
                        let place = &mut sum[at + i];
                        *place = Some(match place {
                            Some(old) => self.op(Opcode::Add, &[old, &v]),
                            None => v,
                        });
                    }
                }
                sum.into_iter().flatten().collect()
            }
        }
    }

    /// The lower half plus the upper half.
    fn halves(&mut self, x: &[B::Value]) -> Vec<B::Value> {
        let (low, high) = x.split_at(x.len() / 2);
        low.iter().zip(high).map(|(l, h)| self.add(l, h)).collect()
    }

    fn product_of_three(&mut self, x: &[B::Value], y: &[B::Value]) -> Vec<B::Value> {
        let own: Vec<_> = (0..3).map(|i| self.pair(&x[i], &y[i])).collect();
        let mut cross = |i: usize, j: usize| {
            let (sx, sy) = (self.add(&x[i], &x[j]), self.add(&y[i], &y[j]));
            let both = self.pair(&sx, &sy);
            let rest = self.subtract(&both, &own[i]);
            self.subtract(&rest, &own[j])
        };
        let (c01, c02, c12) = (cross(0, 1), cross(0, 2), cross(1, 2));
        let middle = self.add(&c02, &own[1]);
        let [first, _, last]: [B::Value; 3] = own.try_into().ok().expect("three products");
        vec![first, c01, middle, c12, last]
    }

    /// A polynomial modulo that of the extension.
    fn reduced(&mut self, extension: Extension, mut product: Vec<B::Value>) -> Vec<B::Value> {
        let degree = extension.degree as usize;
        // From the highest down: what u^d brings may be high itself.
        while product.len() > degree {
            let top = product.pop().expect("there are more than `degree`");
            let at = product.len() - degree;
            let scaled = self.times(extension.w, &top);
            product[at] = self.op(Opcode::Add, &[&product[at], &scaled]);
            if extension.trinomial {
                product[at + 1] = self.op(Opcode::Add, &[&product[at + 1], &top]);
            }
        }
        product
    }

    /// x·y.
    pub fn extension_product(&mut self, e: Extension, x: &[B::Value], y: &[B::Value]) -> Vec<B::Value> {
        let product = self.product(x, y);
        self.reduced(e, product)
    }

    /// Each coefficient times an element of the prime field.
    pub fn scaled(&mut self, x: &[B::Value], by: &B::Value) -> Vec<B::Value> {
        x.iter().map(|c| self.pair(c, by)).collect()
    }

    /// The same with the element on the left.
    pub fn scaled_from_left(&mut self, by: &B::Value, x: &[B::Value]) -> Vec<B::Value> {
        x.iter().map(|c| self.pair(by, c)).collect()
    }

    /// x⁻¹.
    pub fn extension_inverse(&mut self, e: Extension, x: &[B::Value]) -> Vec<B::Value> {
        match x {
            [a, b] => {
                // (a + b·u)⁻¹ = (a − b·u) / (a² − w·b²)
                let (aa, bb) = (self.multiply(a, a), self.multiply(b, b));
                let bb = self.times(e.w, &bb);
                let norm = self.subtract(&aa, &bb);
                let inverse = self.inverse(&norm);
                let minus = self.negate(b);
                vec![self.multiply(a, &inverse), self.multiply(&minus, &inverse)]
            }
            [a, b, c, d] => {
                // Over v = u², x = A + B·u with A = a + c·v and B = b + d·v: x⁻¹ = (A − B·u) / (A² − v·B²).
                let over_v = Extension { degree: 2, ..e };
                let (even, odd) = ([a.clone(), c.clone()], [b.clone(), d.clone()]);
                let even_square = self.extension_product(over_v, &even, &even);
                let odd_square = self.extension_product(over_v, &odd, &odd);
                let wrapped = self.times(e.w, &odd_square[1]);
                let norm = [
                    self.subtract(&even_square[0], &wrapped),
                    self.subtract(&even_square[1], &odd_square[0]),
                ];
                let inverse = self.extension_inverse(over_v, &norm);
                let even = self.extension_product(over_v, &even, &inverse);
                let odd = self.extension_product(over_v, &odd, &inverse);
                let odd: Vec<_> = odd.iter().map(|v| self.negate(v)).collect();
                vec![even[0].clone(), odd[0].clone(), even[1].clone(), odd[1].clone()]
            }
            _ => self.inverse_by_cofactors(e, x),
        }
    }

    /// Of degree 3: the solution y of x·y = 1 by Cramer's rule, with the multiples x, x·u, x·u² as columns.
    fn inverse_by_cofactors(&mut self, e: Extension, x: &[B::Value]) -> Vec<B::Value> {
        let mut columns = vec![x.to_vec()];
        for _ in 1..3 {
            // Times u: one place up, the top one wrapped.
            let last = columns.last().expect("there is one");
            let (low, top) = (last[..2].to_vec(), last[2].clone());
            let mut next = vec![self.times(e.w, &top), low[0].clone(), low[1].clone()];
            if e.trinomial {
                next[1] = self.op(Opcode::Add, &[&next[1], &top]);
            }
            columns.push(next);
        }
        let mut minor = |i: usize, j: usize| {
            let a = self.op(Opcode::Multiply, &[&columns[i][1], &columns[j][2]]);
            let b = self.op(Opcode::Multiply, &[&columns[j][1], &columns[i][2]]);
            self.op(Opcode::Subtract, &[&a, &b])
        };
        let cofactors = [minor(1, 2), minor(2, 0), minor(0, 1)];
        let mut determinant = self.multiply(&columns[0][0], &cofactors[0]);
        for i in 1..3 {
            let term = self.multiply(&columns[i][0], &cofactors[i]);
            determinant = self.add(&determinant, &term);
        }
        let inverse = self.inverse(&determinant);
        self.scaled(&cofactors, &inverse)
    }
}
