//! The operations of an artifact, with their regions.

use super::cursor::Cursor;
use super::properties::Properties;
use super::sections;
use super::table::Table;
use crate::error::{Error, Result};
use crate::ir::{Loc, MAX_DEPTH, Op, Region, Type, ValueId};

/// Reads operations.
pub struct Reader<'a> {
    pub table: Table<'a>,
    pub properties: Properties<'a>,
}

/// The values that operands may name, of one function.
#[derive(Default)]
pub struct Scope {
    /// Those of all open regions, outer ones first; `None` where none has been defined yet.
    known: Vec<Option<ValueId>>,
    /// The next one to be defined, of the innermost region.
    next: usize,
    /// Of every value of the function.
    pub types: Vec<Type>,
    depth: usize,
}

impl Scope {
    fn define(&mut self, at: &Cursor, ty: Type) -> Result<ValueId> {
        let id = ValueId(self.types.len() as u32);
        match self.known.get_mut(self.next) {
            Some(slot) => *slot = Some(id),
            None => return at.fail("a region defines more values than it announced"),
        }
        self.next += 1;
        self.types.push(ty);
        Ok(id)
    }

    fn operand(&self, cursor: &mut Cursor) -> Result<ValueId> {
        let at = *cursor;
        let n = cursor.index("value", self.known.len())?;
        match self.known[n] {
            Some(id) => Ok(id),
            None => at.fail(format!("value {n} is used before it is defined")),
        }
    }
}

impl<'a> Reader<'a> {
    /// The operations of a module: functions.
    pub fn block(&mut self, cursor: &mut Cursor<'a>, scope: &mut Scope) -> Result<Vec<Op>> {
        let (n, args) = cursor.flagged_count()?;
        if args {
            return cursor.fail("a module has arguments");
        }
        (0..n).map(|_| self.operation(cursor, scope)).collect()
    }

    fn operation(&mut self, cursor: &mut Cursor<'a>, scope: &mut Scope) -> Result<Op> {
        let place = cursor.place();
        let name = self.table.op_name(cursor)?;
        let mask = cursor.byte()?;
        let loc = self.table.location(cursor)?;
        let dict = match mask & 1 != 0 {
            true => match self.table.attr(cursor)? {
                crate::ir::Attr::Dict(entries) => Some(entries),
                _ => return cursor.fail("the attributes of an operation are no dictionary"),
            },
            false => None,
        };
        let attrs = match mask & 0x40 != 0 {
            true => self.properties.of(&mut self.table, &name, cursor)?,
            false => Vec::new(),
        };
        let mut results = Vec::new();
        if mask & 2 != 0 {
            for _ in 0..cursor.count()? {
                let at = *cursor;
                let ty = self.table.ty(cursor)?;
                results.push(scope.define(&at, ty)?);
            }
        }
        let operands = match mask & 4 != 0 {
            true => (0..cursor.count()?).map(|_| scope.operand(cursor)).collect::<Result<_>>()?,
            false => Vec::new(),
        };
        if mask & 8 != 0 {
            return Err(Error::unsupported(
                place,
                format!("op {}: jumps between blocks are not supported", name.name),
            ));
        }
        if mask & 0x20 != 0 {
            skip_use_lists(cursor, results.len())?;
        }
        let mut op = Op { name: name.name, operands, results, attrs, dict, regions: Vec::new(), loc, place };
        if mask & 0x10 != 0 {
            self.regions(cursor, scope, &mut op)?;
        }
        Ok(op)
    }

    /// The regions of an operation. Those that see no values from outside have numbers and a section of their own;
    /// those of functions and modules have values of their own, too.
    fn regions(&mut self, cursor: &mut Cursor<'a>, scope: &mut Scope, op: &mut Op) -> Result<()> {
        let (n, isolated) = cursor.flagged_count()?;
        if !isolated {
            op.regions = (0..n).map(|_| self.region(cursor, scope)).collect::<Result<_>>()?;
            return Ok(());
        }
        let outermost = matches!(&*op.name, "func.func" | "builtin.module");
        let mut own = Scope { depth: scope.depth, ..Scope::default() };
        if !outermost {
            own.types = std::mem::take(&mut scope.types);
        }
        if self.table.version < sections::SECTIONS_OF_REGIONS {
            op.regions = (0..n).map(|_| self.region(cursor, &mut own)).collect::<Result<_>>()?;
        } else {
            let at = *cursor;
            let (number, mut section) = sections::section(cursor)?;
            if number != sections::IR {
                return at.fail("the regions of an operation are in another section");
            }
            op.regions = (0..n).map(|_| self.region(&mut section, &mut own)).collect::<Result<_>>()?;
        }
        match (outermost, &mut op.regions[..]) {
            (true, [region]) => region.values = own.types,
            (true, _) => return cursor.fail(format!("{} has {n} regions", op.name)),
            (false, _) => scope.types = own.types,
        }
        Ok(())
    }

    fn region(&mut self, cursor: &mut Cursor<'a>, scope: &mut Scope) -> Result<Region> {
        let at = *cursor;
        scope.depth += 1;
        if scope.depth > MAX_DEPTH {
            return at.fail(format!("regions nest more than {MAX_DEPTH} deep"));
        }
        let region = match cursor.count()? {
            0 => Region::default(),
            1 => {
                let values = cursor.count()?;
                let (outer, next) = (scope.known.len(), scope.next);
                scope.next = outer;
                scope.known.resize(outer + values, None);
                let region = self.only_block(cursor, scope)?;
                scope.known.truncate(outer);
                scope.next = next;
                region
            }
            n => {
                let message = format!("a region of {n} blocks: jumps between blocks are not supported");
                return Err(Error::unsupported(at.place(), message));
            }
        };
        scope.depth -= 1;
        Ok(region)
    }

    fn only_block(&mut self, cursor: &mut Cursor<'a>, scope: &mut Scope) -> Result<Region> {
        let (n, has_args) = cursor.flagged_count()?;
        let mut region = Region::default();
        if has_args {
            for _ in 0..cursor.count()? {
                let at = *cursor;
                let ty = self.argument(cursor)?;
                region.args.push(scope.define(&at, ty)?);
            }
            if self.table.version >= sections::USE_LIST_ORDERS && cursor.byte()? != 0 {
                skip_use_lists(cursor, region.args.len())?;
            }
        }
        for _ in 0..n {
            region.ops.push(self.operation(cursor, scope)?);
        }
        Ok(region)
    }

    fn argument(&mut self, cursor: &mut Cursor) -> Result<Type> {
        if self.table.version < sections::FLAGGED_ARGUMENTS {
            let ty = self.table.ty(cursor)?;
            let _: Loc = self.table.location(cursor)?;
            return Ok(ty);
        }
        let at = *cursor;
        let (ty, located) = cursor.flagged()?;
        let ty = self.table.type_number(&at, ty)?;
        if located {
            self.table.location(cursor)?;
        }
        Ok(ty)
    }
}

/// The order in which uses of values were written: nothing that means anything here.
fn skip_use_lists(cursor: &mut Cursor, values: usize) -> Result<()> {
    let n = if values > 1 { cursor.count()? } else { 1 };
    for _ in 0..n {
        if values > 1 {
            cursor.varint()?;
        }
        let (indices, _) = cursor.flagged_count()?;
        for _ in 0..indices {
            cursor.varint()?;
        }
    }
    Ok(())
}
