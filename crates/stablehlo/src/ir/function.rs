//! Functions and modules, from the operations that define them.

use super::{Attr, Function, Module, Op, Region, Type};
use crate::error::{Error, Result};

impl Function {
    /// The function that a `func.func` defines.
    pub fn of(mut op: Op) -> Result<Function> {
        let wrong = |what: &str| Error::malformed(op.place, format!("a function {what}"));
        let name = match op.attr("sym_name") {
            Some(Attr::String(name) | Attr::Symbol(name)) => name.clone(),
            _ => return Err(wrong("without a name")),
        };
        let signature = match op.attr("function_type") {
            Some(Attr::Type(Type::Function(signature))) => signature.clone(),
            _ => return Err(wrong("without a type")),
        };
        let arg_attrs = match op.attr("arg_attrs") {
            Some(Attr::Array(list)) => list.to_vec(),
            _ => Vec::new(),
        };
        let body = match &mut op.regions[..] {
            [body] => std::mem::take(body),
            _ => return Err(wrong("without a body")),
        };
        if body.args.len() != signature.inputs.len() {
            return Err(wrong("whose arguments are not those of its type"));
        }
        let results = signature.outputs.clone();
        Ok(Function { name, body, results, arg_attrs, place: op.place })
    }
}

impl Module {
    /// Takes the name, the attributes and the functions of a `builtin.module`.
    pub fn fill(&mut self, op: Op) -> Result<()> {
        if let Some(Attr::String(name) | Attr::Symbol(name)) = op.attr("sym_name") {
            self.name = name.clone();
        }
        self.attrs.extend(op.attrs.iter().chain(op.dict.iter().flat_map(|d| &**d)).cloned());
        let Region { ops, .. } = op.regions.into_iter().next().unwrap_or_default();
        for op in ops {
            match &*op.name {
                "func.func" => self.functions.push(Function::of(op)?),
                // Names of devices: there is one.
                "sdy.mesh" => {}
                "builtin.module" => {
                    return Err(Error::unsupported(op.place, "a module within a module is not supported"));
                }
                name => {
                    return Err(Error::unsupported(
                        op.place,
                        format!("op {name} is not supported outside of functions"),
                    ));
                }
            }
        }
        Ok(())
    }
}
