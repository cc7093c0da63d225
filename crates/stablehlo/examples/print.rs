//! Reads programs and prints each as StableHLO into a folder: `print FOLDER FILE…`.

use std::path::Path;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    for file in arguments {
        let bytes = std::fs::read(&file).expect("a program");
        let printed = lawson_stablehlo::read(&bytes).and_then(|m| lawson_stablehlo::print(&m));
        let name = Path::new(&file).file_name().expect("a name");
        match printed {
            Ok(text) => std::fs::write(Path::new(&folder).join(name), text).expect("a file"),
            Err(e) => eprintln!("{file}: {e}"),
        }
    }
}
