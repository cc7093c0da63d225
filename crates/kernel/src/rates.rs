//! What an operation weighs: the one table that decisions, figures and plans share.
//!
//! The unit is one multiply-add on f32 in full vectors, so a weight is also about how many instructions the code of an
//! operation has. The weights of a processor were measured on Lawson's own vector code, those of a graphics processor
//! follow from its units; `lawson doctor --calibrate` measures them anew.

use lawson_hlo::dtype::{Field, Float, Prime, Storage, TypeKind, WideField, Width};
use lawson_hlo::{DType, Instruction, Opcode};

macro_rules! rates {
    ($($(#[$doc:meta])* $name:ident: $cpu:literal, $gpu:literal;)*) => {
        /// Weights of operations on f32, and what other types add.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Rates { $($(#[$doc])* pub $name: i64,)* }

        impl Rates {
            /// Vector code of a processor.
            pub const CPU: Rates = Rates { $($name: $cpu,)* };
            /// A graphics processor for computing: special functions have units of their own.
            pub const GPU: Rates = Rates { $($name: $gpu,)* };

            /// Each weight with its name.
            pub fn fields(&self) -> Vec<(&'static str, i64)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// The weight of this name.
            pub fn field(&mut self, name: &str) -> Option<&mut i64> {
                match name { $(stringify!($name) => Some(&mut self.$name),)* _ => None }
            }
        }
    };
}

rates! {
    /// Reading an element of an array: the access and its share of the addresses.
    load: 2, 2;
    divide: 10, 10;
    square_root: 12, 10;
    cube_root: 16, 24;
    /// `exponential`, and what is made of it.
    exponential: 12, 10;
    logarithm: 16, 12;
    tanh: 18, 16;
    erf: 12, 20;
    sine: 12, 24;
    tangent: 20, 32;
    /// `atan2` and other inverses.
    arc_tangent: 18, 32;
    power: 65, 40;
    /// The remainder of floats.
    remainder: 20, 40;
    /// Of 32 bits, each element by itself.
    integer_divide: 95, 24;
    /// The same by a constant: the upper half of a product, and what it lacks.
    constant_divide: 10, 12;
    /// Two opposite shifts by constants and their union: one instruction where vectors have it.
    rotate: 1, 1;
    /// Times as much on f64.
    wide: 2, 2;
    /// More for each result that is rounded to f16, bf16 or a smaller float.
    half: 10, 1;
    /// Each multiply-add of a register tile, in hundredths: they wait for nothing, as the unit's do.
    product: 100, 100;
    /// Each element of an operand of a product that is copied to the shape of the register tile.
    pack: 12, 2;
    /// Each element that a vector reaches by itself, since its neighbours lie elsewhere; of one task's lines where they
    /// stay in the first-level cache.
    gather: 16, 4;
    /// Times as much where the lines are fetched anew for each element.
    far: 16, 2;
    /// Each element of a square that is read in line and turned in registers.
    turn: 8, 2;
    /// What sorting and selecting in vectors weighs, in hundredths of what its operations do: half of them move elements between
    /// lanes.
    sort: 100, 100;
    /// Each operation of a Fourier transform of a library, in hundredths.
    transform: 300, 300;
    /// Each element of a merge of sorted runs: the next comparison waits for what this one chose. Scalar code.
    merge: 330, 64;
    /// Each element that is put in its place among those selected so far: the next one waits for it.
    place: 400, 64;
}

/// An integer divided by a power of two: shifts, and for a negative number what it lacks.
pub(crate) const SHIFTED: i64 = 3;
/// From this weight on an operation is not repeated for nothing.
const EXPENSIVE: i64 = 4;
/// From this weight on the code of a function of floats counts.
const LONG: i64 = 40;

impl Rates {
    /// The weight of one element of an operation on this type.
    pub fn weight(&self, opcode: Opcode, dtype: DType) -> i64 {
        use Opcode::*;
        if let Some(weight) = dtype.field().and_then(|field| field_weight(opcode, field)) {
            return weight * self.scale(dtype);
        }
        if let Some(weight) = dtype.wide_field().and_then(|field| wide_field_weight(opcode, field)) {
            return weight;
        }
        let unit = match opcode {
            // Other names for the same memory, or offsets of loads.
            Constant | Parameter | Broadcast | Reshape | Bitcast | Copy | Slice | DynamicSlice | Reverse => {
                return 0;
            }
            Gather => return 4,
            Pad | Concatenate | DynamicUpdateSlice => return 2 * self.scale(dtype),
            Divide | Remainder if dtype.is_integer() => self.integer_divide,
            Multiply if dtype.is_long_integer() => 3,
            Divide => self.divide,
            Remainder => self.remainder,
            Sqrt | Rsqrt => self.square_root + if opcode == Rsqrt { self.divide } else { 0 },
            Cbrt => self.cube_root,
            Exponential | ExponentialMinusOne => self.exponential,
            Logistic => self.exponential + self.divide,
            Cosh | Sinh => self.exponential + self.divide,
            Log | LogPlusOne => self.logarithm,
            Acosh | Asinh | Atanh => self.logarithm + self.square_root,
            Tanh => self.tanh,
            Erf => self.erf,
            Sine | Cosine => self.sine,
            Tan => self.tangent,
            Atan2 | Acos | Asin => self.arc_tangent,
            Power => self.power,
            _ => 1,
        };
        unit * self.scale(dtype) + self.rounding(dtype)
    }

    /// The least that an operation weighs, whatever its operands are.
    pub fn least(&self, opcode: Opcode, dtype: DType) -> i64 {
        match opcode {
            Opcode::Divide | Opcode::Remainder if dtype.is_integer() => self.scale(dtype),
            Opcode::Or if dtype.is_integer() => (self.rotate - 2) * self.scale(dtype),
            _ => self.weight(opcode, dtype),
        }
    }

    /// What an inverse weighs that shares its exponentiation with no others: squarings and products of a power of about as
    /// many digits as the modulus.
    pub fn inverse_alone(&self, dtype: DType) -> i64 {
        let product = self.weight(Opcode::Multiply, dtype);
        let digits = match (dtype.field(), dtype.wide_field()) {
            (Some(field), _) => i64::from(field.prime.parameters().word.bits()),
            (None, Some(_)) => WIDE_DIGITS,
            (None, None) => 0,
        };
        (digits + digits / 4 + 8) * product
    }

    /// What rounding a result to a narrow float takes.
    pub(crate) fn rounding(&self, dtype: DType) -> i64 {
        match dtype.part().float() {
            Some(Float::F16 | Float::Bf16 | Float::Small(_)) => self.half,
            Some(Float::F32 | Float::F64) | None => 0,
        }
    }

    /// How much more room or time an element takes than one of f32.
    pub(crate) fn scale(&self, dtype: DType) -> i64 {
        match dtype.kind() {
            TypeKind::Signed(Width::W64) | TypeKind::Unsigned(Width::W64) => 2,
            TypeKind::Float(Float::F64) => self.wide,
            TypeKind::Field(field) => match field.prime.parameters().word {
                Width::W64 => 2,
                Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16 | Width::W32 => 1,
            },
            TypeKind::Pred => 1,
            TypeKind::Signed(Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16 | Width::W32)
            | TypeKind::Unsigned(Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16 | Width::W32) => {
                1
            }
            TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::Small(_)) => 1,
            TypeKind::Composite(composite) => composite.parts() as i64 * self.scale(composite.part),
        }
    }

    /// The weight of sorting one element of so many, with the values that go along: merges between two arrays.
    pub fn sort(&self, length: i64, values: usize) -> i64 {
        (self.merge + 4 * values as i64) * sort_depth(length)
    }

    /// The weight of sorting one element of so many in vectors of so many lanes: vectors are sorted, then runs of them merged
    /// by networks. Of numbers of 64 bits a vector holds half as many.
    pub fn sort_in_vectors(&self, length: i64, lanes: i64, wide: bool) -> i64 {
        let stages = i64::from((lanes.max(2) as u64).ilog2());
        // Columns of eight vectors take 19 comparisons; each merge of twice as many columns compares in one bit more.
        let block = 5 + 3 * stages + stages * (stages + 1) / 2;
        let merge = 5 * stages + 1;
        let levels = (sort_depth(length - 1) - stages - 3).max(0);
        (block + levels * merge) * if wide { 3 } else { 1 } * self.sort / 100 + 6 * self.load
    }

    /// The weight of one element of short rows that a network sorts in lanes: about so many comparisons of two operations each. Half
    /// as many numbers of 64 bits are in a vector, and of them an operation takes two, beside putting them together.
    pub fn sort_in_lanes(&self, length: i64, wide: bool) -> i64 {
        let depth = sort_depth(length - 1);
        depth * (depth + 1) / 2 * if wide { 5 } else { 1 } * self.sort / 100 + 2 * self.load
    }

    /// The weight of one element of a row of which the first `kept` are selected: it is read, kept and compared, and few
    /// are put in their place.
    pub fn select(&self, length: i64, kept: i64) -> i64 {
        // Of so many parts of the row the largest elements are known; the least of them lets through so many.
        let parts = (kept.max(1) as u64).next_power_of_two();
        let candidates = parts as f64 * (1.0 + (parts as f64).ln());
        let placed = candidates * (self.place + 2 * parts as i64) as f64;
        3 * self.load + (placed / length.max(1) as f64) as i64
    }

    /// The same by counting, for each bit of a key, how many elements reach it; those wanted are compared with each other.
    pub fn select_by_counting(&self, (length, kept): (i64, i64), floor: bool) -> i64 {
        const BITS: i64 = 32;
        let parts = (kept.max(1) as u64).next_power_of_two();
        let candidates = (parts as f64 * (1.0 + (parts as f64).ln())) as i64;
        let (counted, first) =
            if floor { (candidates.min(length), 3 * self.load) } else { (length, 2 * self.load) };
        let ranks = kept.saturating_mul(kept.saturating_mul(4) + 2 * self.place);
        // Each bit waits for the sum of the bit before.
        let work = BITS * self.place + counted * (BITS * self.load + self.place / 4) + ranks;
        first + work / length.max(1) * self.sort / 100
    }

    /// The same where rows lie side by side in lanes, and each element is put in its place.
    pub fn select_in_lanes(&self, kept: i64) -> i64 {
        self.gather + 5 * kept
    }
}

/// Instructions of an operation on elements of a prime field, as vector code counts them; `None` where it is as of an
/// integer.
fn field_weight(opcode: Opcode, field: Field) -> Option<i64> {
    let product = match (field.prime, field.storage) {
        (Prime::BabyBear | Prime::KoalaBear, Storage::Montgomery) => 13,
        (Prime::BabyBear | Prime::KoalaBear, Storage::Plain) => 26,
        (Prime::Mersenne31, _) => 11,
        (Prime::Goldilocks, _) => 26,
    };
    let of_value = match field.storage {
        Storage::Plain => 1,
        Storage::Montgomery => 2 * product,
    };
    let digits = i64::from(field.prime.parameters().word.bits());
    Some(match opcode {
        Opcode::Add | Opcode::Subtract | Opcode::Negate => 3,
        Opcode::Multiply => product,
        // Three products and a share of an exponentiation.
        Opcode::Inverse => 5 * product,
        Opcode::Divide => 6 * product,
        Opcode::Power => 2 * digits * product,
        Opcode::Maximum | Opcode::Minimum | Opcode::Compare => of_value,
        Opcode::Convert => product,
        _ => return None,
    })
}

/// Binary digits of the modulus of a field of more than 64 bits.
const WIDE_DIGITS: i64 = 254;

/// The same of a field of more than 64 bits, measured on eight lanes of limbs of 52 bits.
fn wide_field_weight(opcode: Opcode, field: WideField) -> Option<i64> {
    const PRODUCT: i64 = 125;
    let (product, of_value) = match field.storage {
        Storage::Montgomery => (PRODUCT, 2 * PRODUCT),
        Storage::Plain => (PRODUCT * 4 / 3, 12),
    };
    Some(match opcode {
        Opcode::Add | Opcode::Subtract | Opcode::Negate => 28,
        Opcode::Multiply => product,
        // Three products and a share of an exponentiation.
        Opcode::Inverse => 5 * product,
        Opcode::Divide => 6 * product,
        Opcode::Power => 2 * 64 * product,
        Opcode::Maximum | Opcode::Minimum | Opcode::Compare => of_value,
        Opcode::Convert => PRODUCT,
        _ => return None,
    })
}

/// Merges that each element takes part in.
pub fn sort_depth(length: i64) -> i64 {
    64 - (length.max(1) as u64).leading_zeros() as i64
}

/// Whether repeating an operation is out of the question: elementary functions, divisions, products of fields, reads
/// through indices. Of floats it is the opcode that tells, whatever their rounding costs.
pub fn is_expensive(instr: &Instruction) -> bool {
    let dtype = instr.shape.leaves().first().map_or(DType::F32, |a| a.dtype);
    expensive(instr.opcode, dtype)
}

/// Whether its code is long beside that of other functions: some hundred operations, which take milliseconds to compile.
pub fn is_long(instr: &Instruction) -> bool {
    let is_float = instr.shape.leaves().first().is_some_and(|a| a.dtype.is_float());
    is_float && Rates::CPU.weight(instr.opcode, DType::F32) >= LONG
}

fn expensive(opcode: Opcode, dtype: DType) -> bool {
    Rates::CPU.weight(opcode, if dtype.is_field() { dtype } else { DType::F32 }) >= EXPENSIVE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_by_itself_weighs_more_than_one_that_shares() {
        for &dtype in DType::ALL.iter().filter(|d| d.is_field()) {
            let (alone, shared) =
                (Rates::CPU.inverse_alone(dtype), Rates::CPU.weight(Opcode::Inverse, dtype));
            assert!(alone > 5 * shared, "{dtype}: {alone} alone, {shared} shared");
        }
    }

    #[test]
    fn types_weigh_what_their_lanes_cost() {
        let cpu = Rates::CPU;
        let w = |op, dtype| cpu.weight(op, dtype);
        assert_eq!(w(Opcode::Add, DType::F32), 1);
        assert_eq!(w(Opcode::Add, DType::F64), 2);
        assert_eq!(w(Opcode::Tanh, DType::F64), 2 * w(Opcode::Tanh, DType::F32));
        assert_eq!(w(Opcode::Divide, DType::S64), 2 * w(Opcode::Divide, DType::S32));
        assert!(w(Opcode::Divide, DType::S32) > 4 * w(Opcode::Divide, DType::F32));
        assert!(w(Opcode::Add, DType::Bf16) > w(Opcode::Add, DType::F32));
        assert_eq!(w(Opcode::Broadcast, DType::F64), 0);
    }

    #[test]
    fn elementary_functions_and_divisions_are_expensive() {
        for opcode in Opcode::ALL.iter().copied().filter(|o| o.is_transcendental()) {
            assert!(expensive(opcode, DType::F32), "{opcode}");
        }
        let of = |opcode| expensive(opcode, DType::F32);
        assert!(of(Opcode::Divide) && of(Opcode::Gather));
        assert!(!of(Opcode::Add) && !of(Opcode::Select) && !of(Opcode::Pad));
        assert!(!of(Opcode::Multiply) && expensive(Opcode::Multiply, DType::BabyBear));
        assert!(expensive(Opcode::Multiply, DType::Bn254Sf) && expensive(Opcode::Add, DType::Bn254SfMont));
        assert!(!expensive(Opcode::Add, DType::BabyBear) && !expensive(Opcode::Add, DType::Bf16));
    }

    #[test]
    fn every_weight_has_a_name() {
        let mut rates = Rates::CPU;
        for (name, value) in Rates::GPU.fields() {
            *rates.field(name).expect(name) = value;
        }
        assert_eq!(rates, Rates::GPU);
        assert_eq!(rates.field("abacus"), None);
    }
}
