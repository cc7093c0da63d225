//! Regions, and the operations whose regions have a form of their own.

use super::Reader;
use super::op::Names;
use crate::error::Result;
use crate::ir::{Attr, Op, Region, Type, ValueId};
use rustc_hash::FxHashMap;

impl<'a> Reader<'a> {
    /// What follows `(`: `{…}, {…})`.
    pub fn generic_regions(&mut self, op: &mut Op) -> Result<()> {
        let own_values = matches!(&*op.name, "func.func" | "builtin.module");
        while !self.cursor.eat(")") {
            let region = match own_values {
                true => self.isolated(|reader| reader.region(Vec::new()))?,
                false => self.region(Vec::new())?,
            };
            op.regions.push(region);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        Ok(())
    }

    /// A region that knows no value from outside; it gets the types of those within.
    pub fn isolated(&mut self, read: impl FnOnce(&mut Self) -> Result<Region>) -> Result<Region> {
        let scopes = std::mem::take(&mut self.scopes);
        let types = std::mem::take(&mut self.types);
        let mut region = read(self)?;
        self.scopes = scopes;
        region.values = std::mem::replace(&mut self.types, types);
        Ok(region)
    }

    /// `{ ^bb0(%a: type): operations }`, with these arguments named before.
    pub fn region(&mut self, arguments: Vec<(&'a str, Type)>) -> Result<Region> {
        self.scopes.push(FxHashMap::default());
        let mut region = Region::default();
        for (name, ty) in arguments {
            region.args.extend(self.define(name, [ty]));
        }
        self.cursor.expect("{")?;
        if self.cursor.eat("^") {
            self.cursor.suffix();
            if self.cursor.peek() == Some(b'(') {
                for (name, ty) in self.arguments()? {
                    region.args.extend(self.define(name, [ty]));
                }
            }
            self.cursor.expect(":")?;
        }
        while !self.cursor.eat("}") {
            if self.cursor.peek() == Some(b'^') {
                return self.cursor.fail("jumps between blocks are not supported");
            }
            if self.cursor.peek().is_none() {
                return self.cursor.fail("`}` is expected, not the end of the text");
            }
            region.ops.push(self.operation()?);
        }
        self.scopes.pop();
        Ok(region)
    }

    /// `(%a: type loc(…), %b: type)`
    pub fn arguments(&mut self) -> Result<Vec<(&'a str, Type)>> {
        self.cursor.expect("(")?;
        let mut arguments = Vec::new();
        while !self.cursor.eat(")") {
            self.cursor.expect("%")?;
            let name = self.cursor.suffix();
            self.cursor.expect(":")?;
            arguments.push((name, self.ty()?));
            self.trailing_location()?;
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        Ok(arguments)
    }

    /// `(%x init: %i), (%y init: %j) applies stablehlo.add across dimensions = [0] : types`, or with
    /// `reducer(%a: t, %c: t) (%b: t, %d: t) {…}` at the end.
    pub fn reduce(&mut self, names: &Names<'a>) -> Result<Op> {
        let mut op = Op::named("stablehlo.reduce");
        let (mut inputs, mut inits) = (Vec::new(), Vec::new());
        while self.cursor.peek() == Some(b'(') {
            self.cursor.expect("(")?;
            inputs.push(self.operand()?);
            self.cursor.expect("init")?;
            self.cursor.expect(":")?;
            inits.push(self.operand()?);
            self.cursor.expect(")")?;
            self.cursor.eat(",");
        }
        let applied = match self.cursor.eat_word("applies") {
            true => self.cursor.word(),
            false => None,
        };
        let items = self.items()?;
        let types = self.types_of_custom(names)?;
        op.attrs = super::forms::flat(items.named);
        op.operands = [&inputs[..], &inits].concat();
        // With a location the operation stands before the reducer.
        self.trailing_location()?;
        op.regions = vec![match applied {
            Some(applied) => self.applied(applied, &op, inits.first().copied())?,
            None => self.reducer()?,
        }];
        op.results = self.results(names, types)?;
        Ok(op)
    }

    /// The region of an operation on two scalars.
    fn applied(&mut self, name: &str, op: &Op, init: Option<ValueId>) -> Result<Region> {
        let Some(init) = init.filter(|_| op.operands.len() == 2) else {
            return self.cursor.fail("`applies` is for one input and its initial value");
        };
        let ty = self.types[init.index()].clone();
        let mut add = || {
            self.types.push(ty.clone());
            ValueId(self.types.len() as u32 - 1)
        };
        let (a, b, result) = (add(), add(), add());
        let place = self.place();
        let applied = Op { operands: vec![a, b], results: vec![result], place, ..Op::named(name) };
        let ret = Op { operands: vec![result], place, ..Op::named("stablehlo.return") };
        Ok(Region { args: vec![a, b], ops: vec![applied, ret], values: Vec::new() })
    }

    /// `reducer(%a: t, %c: t) (%b: t, %d: t) {…}`: pairs, where the region takes all first ones, then all second ones.
    fn reducer(&mut self) -> Result<Region> {
        self.cursor.expect("reducer")?;
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        while self.cursor.peek() == Some(b'(') {
            let at = self.cursor.clone();
            let Ok([first, second]) = <[_; 2]>::try_from(self.arguments()?) else {
                return at.fail("a reducer takes pairs of values");
            };
            firsts.push(first);
            seconds.push(second);
        }
        firsts.extend(seconds);
        self.region(firsts)
    }

    /// `(%a = %x, %b = %y) : types attributes {…} cond {…} do {…}`
    pub fn while_loop(&mut self, names: &Names<'a>) -> Result<Op> {
        let mut op = Op::named("stablehlo.while");
        self.cursor.expect("(")?;
        let mut arguments = Vec::new();
        while !self.cursor.eat(")") {
            self.cursor.expect("%")?;
            let name = self.cursor.suffix();
            self.cursor.expect("=")?;
            op.operands.push(self.operand()?);
            arguments.push(name);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        let types: Vec<Type> = op.operands.iter().map(|o| self.types[o.index()].clone()).collect();
        if self.cursor.eat(":") {
            for i in 0..types.len() {
                if i > 0 {
                    self.cursor.expect(",")?;
                }
                self.ty()?;
            }
        }
        if self.cursor.eat_word("attributes") {
            op.attrs = self.dictionary()?;
        }
        let arguments: Vec<(&str, Type)> = arguments.into_iter().zip(types.iter().cloned()).collect();
        self.cursor.expect("cond")?;
        op.regions.push(self.region(arguments.clone())?);
        self.cursor.expect("do")?;
        op.regions.push(self.region(arguments)?);
        op.results = self.results(names, types)?;
        Ok(op)
    }

    /// `chlo.scan(%x, %y) inits(%i) dimension=0 attributes {…} {…} : (types) -> types`
    pub fn scan(&mut self, names: &Names<'a>) -> Result<Op> {
        let mut op = Op::named("chlo.scan");
        let inputs = self.operands_in_parentheses()?;
        self.cursor.expect("inits")?;
        let carries = self.operands_in_parentheses()?;
        self.cursor.expect("dimension")?;
        self.cursor.expect("=")?;
        let dimension = self.cursor.integer()?;
        if self.cursor.eat_word("attributes") {
            op.attrs = self.dictionary()?;
        }
        op.attrs.push(("dimension".into(), Attr::Int(dimension)));
        let sizes = [inputs.len() as i64, carries.len() as i64];
        op.attrs.push(("operandSegmentSizes".into(), Attr::Ints(sizes.into())));
        op.operands = [inputs, carries].concat();
        op.regions.push(self.region(Vec::new())?);
        let types = self.types_of_custom(names)?;
        op.results = self.results(names, types)?;
        Ok(op)
    }

    /// `(%x, %y)`
    fn operands_in_parentheses(&mut self) -> Result<Vec<ValueId>> {
        self.cursor.expect("(")?;
        let mut operands = Vec::new();
        while !self.cursor.eat(")") {
            operands.push(self.operand()?);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        Ok(operands)
    }

    /// `sdy.manual_computation(%x) in_shardings=… manual_axes={"i"} (%a: type) {…} : (types) -> types`
    pub fn manual_computation(&mut self, names: &Names<'a>) -> Result<Op> {
        let mut op = Op::named("sdy.manual_computation");
        op.operands = self.operands_in_parentheses()?;
        while let Some(word) = self.cursor.word() {
            self.cursor.expect("=")?;
            self.cursor.balanced()?;
            op.attrs.push((word.into(), Attr::Unit));
        }
        let arguments = self.arguments()?;
        op.regions.push(self.region(arguments)?);
        let types = self.types_of_custom(names)?;
        op.results = self.results(names, types)?;
        Ok(op)
    }
}
