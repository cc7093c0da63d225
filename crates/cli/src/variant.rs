//! What `--vs` times beside the module as asked for.

use lawson::options::{Denormals, Effort, FusionSpec, Numerics};
use lawson::{Options, tune};
use std::str::FromStr;
use std::time::Duration;

/// Other settings, with the name the user gave them.
#[derive(Clone, Debug)]
pub struct Variant {
    pub name: String,
    fusion: Option<FusionSpec>,
    effort: Option<Effort>,
    numerics: Option<Numerics>,
    denormals: Option<Denormals>,
    /// Whether plans are measured, and for how long at most.
    tune: Option<Option<Duration>>,
}

impl FromStr for Variant {
    type Err = String;

    /// Words joined by `+`: those of a fusion setting, `compile-…`, `numerics-…`, `denormals-…`, `tuned`, `untuned`.
    fn from_str(text: &str) -> Result<Variant, String> {
        let name = text.to_string();
        let mut out =
            Variant { name, fusion: None, effort: None, numerics: None, denormals: None, tune: None };
        let mut fusion = Vec::new();
        for word in text.split('+').map(str::trim) {
            match word {
                "compile-fast" => out.effort = Some(Effort::Fast),
                "compile-full" => out.effort = Some(Effort::Full),
                "numerics-strict" => out.numerics = Some(Numerics::Strict),
                "numerics-standard" => out.numerics = Some(Numerics::Standard),
                "numerics-fast" => out.numerics = Some(Numerics::Fast),
                "denormals-keep" => out.denormals = Some(Denormals::Keep),
                "denormals-flush" => out.denormals = Some(Denormals::Flush),
                "tuned" => out.tune = Some(Some(tune::DEFAULT_LIMIT)),
                "untuned" => out.tune = Some(None),
                _ => fusion.push(word),
            }
        }
        if !fusion.is_empty() {
            let spec = fusion.join("+").parse();
            out.fusion = Some(spec.map_err(|e| {
                format!("{e}, compile-fast|full, numerics-strict|standard|fast, denormals-keep|flush, tuned, untuned")
            })?);
        }
        Ok(out)
    }
}

impl Variant {
    /// These settings instead of those asked for.
    pub fn of(&self, options: &Options) -> Options {
        let asked = options.clone();
        Options {
            fusion: self.fusion.clone().unwrap_or(asked.fusion),
            effort: self.effort.unwrap_or(asked.effort),
            numerics: self.numerics.unwrap_or(asked.numerics),
            denormals: self.denormals.unwrap_or(asked.denormals),
            tune: self.tune.unwrap_or(asked.tune),
            ..asked
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_replace_what_they_name() {
        let options = |text: &str| text.parse::<Variant>().map(|v| v.of(&Options::default()));
        let both = options("compile-fast+no-dot+max").expect("valid");
        assert_eq!((both.effort, both.fusion.to_string().as_str()), (Effort::Fast, "max,no-dot"));
        assert_eq!(options("numerics-fast").expect("valid").numerics, Numerics::Fast);
        assert_eq!(options("denormals-flush").expect("valid").denormals, Denormals::Flush);
        assert_eq!(options("tuned").expect("valid").tune, Some(tune::DEFAULT_LIMIT));
        assert_eq!(options("tuned+untuned"), Ok(Options::default()));
        assert_eq!(options("compile-full"), Ok(Options::default()));
        assert!(options("compile-slow").is_err() && options("").is_err());
    }
}
