"""Makes programs that check themselves of StableHLO's interpreter tests (stablehlo/tests/interpret of its repository), a file for each
function, which `cargo run --example harnesses -p lawson-stablehlo FOLDER` reads: constants to compare with become operations.
Run: python scripts/split_interpreter_tests.py INTERPRET FOLDER
"""

import glob
import os
import re
import sys

CONSTANT = re.compile(r"check\.expect_(eq|almost_eq|close)_const (%[\w#]+),\s+(dense(?:_resource)?<[^:]*>)([^:]* :\s+(tensor<[^\n,{]*>)[^\n]*)")
VALUES = re.compile(r"check\.expect_(eq|almost_eq|close) (%[\w#]+), (%[\w#]+)([^:\n]* : (tensor<[^,\n{]*>)[^\n]*)")
TOLERANCE = re.compile(r"tolerance = ([\d.e+-]+)")


def checked(text):
    """A program with comparisons as calls."""

    def constant(found):
        kind, value, wanted, rest, of = found.groups()
        name = f"%expected_{found.start()}"
        return f"{name} = stablehlo.constant {wanted} : {of}\n  " + call(found.start(), kind, value, name, rest, of)

    text = CONSTANT.sub(constant, text)
    return VALUES.sub(lambda found: call(found.start(), *found.groups()), text)


def call(at, kind, found, wanted, rest, of):
    """The comparison, of `almost_eq` with its tolerance, 0.001 where none is named."""
    operands, types, first = f"{found}, {wanted}", f"{of}, {of}", ""
    if kind == "almost_eq":
        named = TOLERANCE.search(rest)
        first = f"%tolerance_{at} = stablehlo.constant dense<{named.group(1) if named else 0.001}> : tensor<f64>\n  "
        operands, types = f"{operands}, %tolerance_{at}", f"{types}, tensor<f64>"
    return f"{first}stablehlo.custom_call @check.expect_{kind}({operands}) {{has_side_effect = true}} : ({types}) -> ()"


def main(source, folder):
    os.makedirs(folder, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(source, "**", "*.mlir"), recursive=True)):
        with open(path) as text:
            chunks = text.read().split("// -----")
        for number, chunk in enumerate(chunks):
            names = re.findall(r"func\.func (?:public |private )?@([\w.]+)\(\)", chunk)
            if not names or "check." not in chunk:
                continue
            chunk = re.sub(rf"func\.func (?:public )?@{re.escape(names[-1])}\(", "func.func public @main(", chunk)
            body = checked(chunk)
            if "module @" not in body:
                body = "module {\n" + body + "\n}\n"
            name = os.path.splitext(os.path.basename(path))[0]
            with open(os.path.join(folder, f"{name}-{number}-{names[-1]}.mlir"), "w") as out:
                out.write(body)


if __name__ == "__main__":
    main(*sys.argv[1:])
