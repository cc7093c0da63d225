//! What users choose: once for a client, and for single programs by `jax.jit(f, compiler_options={…})`.
//!
//! Options of programs begin with `lawson_`; those of a client are the same without that. Options of XLA are taken and have
//! no effect, so that programs that tune XLA run unchanged. All others are errors.

use crate::abi::failure::Failure;
use crate::abi::named::Value;
use crate::abi::python::Python;
use crate::queue;
use lawson::Options;
use lawson::options::{Denormals, Effort, FusionSpec, Numerics, parse_bytes, parse_fuel, parse_seconds};
use lawson::tune;
use std::time::Duration;

#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How many devices a client shows.
    pub devices: usize,
    /// Runs may go on beside the caller.
    pub runs_beside: bool,
    /// How programs are compiled.
    pub options: Options,
    /// What programs call that call Python.
    pub python: Option<Python>,
    /// What a program is asked for beside its results.
    pub wishes: Wishes,
}

/// What a program is asked for beside its results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Wishes {
    /// The report of `lawson explain` among the properties of the program.
    pub explain: bool,
    /// Kernels are timed when the program is run.
    pub profile: bool,
    /// Scopes and instructions that have to be one kernel.
    pub fused: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            devices: 1,
            // A thread beside the only processor would take turns with the caller.
            runs_beside: std::thread::available_parallelism().map_or(true, |n| n.get() > 1),
            options: Options::default(),
            python: None,
            wishes: Wishes::default(),
        }
    }
}

/// More than anybody needs of one processor.
const MOST_DEVICES: i64 = 1024;

impl Settings {
    /// Takes an option of a client.
    ///
    /// # Errors
    /// It is unknown, or its value is.
    pub fn set_of_client(&mut self, name: &str, value: Option<Value>) -> Result<(), Failure> {
        let value = value.ok_or_else(|| wrong(name, "its type is unknown"))?;
        match (name, number(&value)) {
            ("devices", Some(n @ 1..=MOST_DEVICES)) => self.devices = n as usize,
            ("devices", _) => {
                return Err(wrong(name, &format!("{value:?} is not a number from 1 to {MOST_DEVICES}")));
            }
            ("async", _) => {
                self.runs_beside = one_of(name, &value, &[true, false], |on| if on { "on" } else { "off" })?
            }
            ("python_callback", Some(address)) => {
                self.python = Python::at(address as usize, queue::finish_all)
            }
            _ => return self.set(name, &value),
        }
        Ok(())
    }

    /// Takes an option of a program.
    ///
    /// # Errors
    /// It is unknown, or its value is.
    pub fn set_of_program(&mut self, name: &str, value: &Value) -> Result<(), Failure> {
        match name.strip_prefix("lawson_") {
            Some(own) => self.set(own, value),
            None if name.starts_with("xla_") => Ok(()),
            // In the words of XLA, which callers look for.
            None => Err(Failure::invalid(format!(
                "[option] No such compile option: '{name}'; options of Lawson begin with `lawson_`"
            ))),
        }
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), Failure> {
        let options = &mut self.options;
        match name {
            "numerics" => {
                let all = [Numerics::Strict, Numerics::Standard, Numerics::Fast];
                options.numerics = one_of(name, value, &all, Numerics::name)?;
            }
            "denormals" => options.denormals = one_of(name, value, &Denormals::ALL, Denormals::name)?,
            "compile" => options.effort = one_of(name, value, &[Effort::Fast, Effort::Full], Effort::name)?,
            "fusion" => {
                let spec: Result<FusionSpec, String> = text(name, value)?.parse();
                options.fusion = spec.map_err(|e| wrong(name, &e))?;
            }
            "threads" => match number(value) {
                Some(n @ 1..=1024) => options.threads = n as usize,
                _ => return Err(wrong(name, &format!("{value:?} is not a number from 1 to 1024"))),
            },
            "target" => {
                let named = Options { target: Some(text(name, value)?.into()), ..options.clone() };
                named.machine().map_err(|e| wrong(name, &e.to_string()))?;
                *options = named;
            }
            "max_memory" => {
                options.max_memory = match value {
                    Value::Int(bytes) => u64::try_from(*bytes).map_err(|e| wrong(name, &e.to_string()))?,
                    _ => parse_bytes(text(name, value)?).map_err(|e| wrong(name, &e))?,
                };
            }
            "fuel" => {
                for part in text(name, value)?.split(',') {
                    let (pass, n) = parse_fuel(part.trim()).map_err(|e| wrong(name, &e))?;
                    options.fuel.insert(pass, n);
                }
            }
            "tune" => options.tune = limit(name, value)?,
            "explain" => self.wishes.explain = flag(name, value)?,
            "profile" => self.wishes.profile = flag(name, value)?,
            "assert_fused" => self.wishes.fused = names(text(name, value)?),
            _ => return Err(wrong(name, "Lawson has no such option")),
        }
        Ok(())
    }
}

fn wrong(name: &str, why: &str) -> Failure {
    Failure::invalid(format!("[option] the option `{name}`: {why}"))
}

fn text<'v>(name: &str, value: &'v Value) -> Result<&'v str, Failure> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(wrong(name, &format!("{value:?} is not text"))),
    }
}

/// Names between commas, or one on each line where there are several lines, since names of scopes may have commas.
fn names(text: &str) -> Vec<String> {
    let between = if text.contains('\n') { '\n' } else { ',' };
    text.split(between).map(str::trim).filter(|n| !n.is_empty()).map(str::to_string).collect()
}

/// A number, also as text: JAX's options from the command line are texts.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(n) => Some(*n),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Ints(_) | Value::Float(_) | Value::Bool(_) => None,
    }
}

/// How long something may take that is on or off, or takes so many seconds.
fn limit(name: &str, value: &Value) -> Result<Option<Duration>, Failure> {
    let seconds = match value {
        Value::Int(n) => n.to_string(),
        Value::Float(x) => x.to_string(),
        Value::Text(text) if flag(name, value).is_err() => text.trim().to_string(),
        Value::Text(_) | Value::Bool(_) | Value::Ints(_) => {
            return Ok(flag(name, value)?.then_some(tune::DEFAULT_LIMIT));
        }
    };
    let told = |e: String| wrong(name, &format!("{value:?} is neither true nor false, and {e}"));
    parse_seconds(&seconds).map(Some).map_err(told)
}

fn flag(name: &str, value: &Value) -> Result<bool, Failure> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(wrong(name, &format!("{value:?} is neither true nor false"))),
    }
}

fn one_of<T: Copy>(
    name: &str,
    value: &Value,
    all: &[T],
    word: impl Fn(T) -> &'static str,
) -> Result<T, Failure> {
    let found = match value {
        Value::Text(text) => all.iter().copied().find(|&v| word(v) == text),
        _ => None,
    };
    found.ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|&v| word(v)).collect();
        wrong(name, &format!("{value:?} is none of {}", words.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_command() {
        let mut s = Settings::default();
        for (name, value) in [
            ("lawson_numerics", Value::Text("strict".into())),
            ("lawson_compile", Value::Text("fast".into())),
            ("lawson_threads", Value::Int(3)),
            ("lawson_max_memory", Value::Text("1GiB".into())),
            ("lawson_fuel", Value::Text("cse=4".into())),
            ("lawson_fusion", Value::Text("off".into())),
            ("lawson_explain", Value::Bool(true)),
            ("lawson_tune", Value::Float(2.5)),
            ("lawson_assert_fused", Value::Text("softmax, gelu".into())),
            ("xla_cpu_enable_fast_math", Value::Bool(true)),
        ] {
            s.set_of_program(name, &value).expect(name);
        }
        let words = s.options.words().join(" ".as_ref());
        let expected = "--threads 3 --numerics strict --fusion off --compile fast --max-memory 1073741824 --fuel cse=4 \
             --tune=2.5";
        assert_eq!(words, expected);
        assert!(s.wishes.explain && s.wishes.fused == ["softmax", "gelu"]);
    }

    #[test]
    fn names_may_have_commas() {
        assert_eq!(names("softmax, gelu,"), ["softmax", "gelu"]);
        assert_eq!(names("mean(a, b)\n"), ["mean(a, b)"]);
        assert_eq!(names("a,b\nc"), ["a,b", "c"]);
        assert!(names("").is_empty() && names(" , ").is_empty() && names("\n").is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let mut s = Settings::default();
        for (name, value, why) in [
            ("lawson_numerics", Value::Text("loose".into()), "is none of strict, standard, fast"),
            ("lawson_denormals", Value::Text("lose".into()), "is none of keep, flush"),
            ("lawson_colour", Value::Bool(true), "no such option"),
            (
                "numerics",
                Value::Text("strict".into()),
                "No such compile option: 'numerics'; options of Lawson begin with",
            ),
            ("lawson_target", Value::Text("z80".into()), "z80"),
            ("lawson_threads", Value::Int(0), "is not a number from 1 to 1024"),
            ("lawson_explain", Value::Int(1), "is neither true nor false"),
            ("lawson_tune", Value::Text("soon".into()), "a number of seconds is needed"),
        ] {
            let e = s.set_of_program(name, &value).expect_err(name);
            assert!(e.message.starts_with("[option]") && e.message.contains(why), "{}", e.message);
        }
        for (value, limit) in [
            (Value::Bool(true), Some(tune::DEFAULT_LIMIT)),
            (Value::Text("true".into()), Some(tune::DEFAULT_LIMIT)),
            (Value::Text("3".into()), Some(Duration::from_secs(3))),
            (Value::Bool(false), None),
        ] {
            s.set_of_program("lawson_tune", &value).expect("a limit");
            assert_eq!(s.options.tune, limit);
        }
        assert!(s.set_of_client("devices", Some(Value::Int(0))).is_err());
        s.set_of_client("devices", Some(Value::Int(4))).expect("four devices");
        assert_eq!(s, Settings { devices: 4, ..Settings::default() });
    }
}
