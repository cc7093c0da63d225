//! `lawson grad` and `lawson vmap`: what cannot be transformed has its place.

use super::{Folder, plain};

const LOSS: &str = "HloModule m\nENTRY e {\n  n = s32[] parameter(0)\n  x = f32[2,3] parameter(1)\n  \
                    p = (f32[4], pred[]) parameter(2)\n  ROOT y = f32[] constant(1)\n}\n";

#[test]
fn a_wrong_argument_names_those_there_are() {
    let folder = Folder::new();
    let m = folder.write("loss.hlo", LOSS);
    let choice = "those of floating-point numbers or fields are 1 (x f32[2,3]), 2 (p f32[4])";
    for (wrt, cause) in [
        ("4", "there is no argument 4"),
        ("0", "argument 0 is s32[]"),
        ("1,3", "argument 3 is pred[]"),
        ("2,2", "argument 2 is named twice"),
    ] {
        let text = plain(2, &["grad", &m, "--wrt", wrt]);
        for part in [cause, choice, " --> ", "loss.hlo"] {
            assert!(text.contains(part), "no `{part}` in:\n{text}");
        }
    }
    assert!(plain(0, &["grad", &m, "--wrt", "2,1"]).contains("f32[4]"));
    let whole = folder.write(
        "whole.hlo",
        "HloModule m\nENTRY e {\n  n = s32[] parameter(0)\n  ROOT y = f32[] convert(n)\n}\n",
    );
    assert!(plain(2, &["grad", &whole]).contains("no argument is of floating-point numbers"));
}

#[test]
fn what_has_no_derivative_and_no_batch_is_underlined() {
    let folder = Folder::new();
    let call = "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n  z = f32[] negate(x)\n  \
                ROOT call.1 = f32[] custom-call(z), custom_call_target=\"mine\"\n}\n";
    let m = folder.write("call.hlo", call);
    let grad = ["call.hlo:5:8\n", "5 |   ROOT call.1 = f32[]", "        ^^^^^^\n", "mine"];
    let vmap = ["call.hlo:3:3\n", "3 |   x = f32[]", "  |   ^\n", "no axis 7"];
    for (command, parts) in
        [(&["grad", &m][..], grad), (&["vmap", &m, "--size", "3", "--in-axes", "7"], vmap)]
    {
        let text = plain(2, command);
        for part in parts {
            assert!(text.contains(part), "no `{part}` of {command:?} in:\n{text}");
        }
    }
}
