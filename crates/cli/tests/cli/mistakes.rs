//! Small mistakes, each told by what it is.

use super::{Folder, NEGATE, plain, run};
use std::process::Command;

#[test]
fn what_has_no_effect_or_no_meaning_is_refused() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    for (flag, value) in [("--rtol", "1e-3"), ("--atol", "1e-3"), ("--max-mismatch", "0.1")] {
        let text = run(2, &["run", &m, flag, value]);
        assert!(text.contains(&format!("{flag}: nothing is compared without --expect")), "{text}");
    }
    let text = run(2, &["run", &m, "--fuel", "cse=1", "--fuel", "dce=1", "--fuel", "cse=2"]);
    assert!(text.contains("--fuel: pass `cse` is named twice"), "{text}");
    for words in [&["--random", "-1"][..], &["--random=-1"], &["--random", "x"]] {
        let text = run(2, &[&["run", &m], words].concat());
        assert!(text.contains("a seed is a whole number from 0 to 18446744073709551615"), "{text}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let folder = Folder::new();
    let with = folder.write("with.hlo", format!("\u{feff}{NEGATE}"));
    let without = folder.write("without.hlo", NEGATE);
    assert_eq!(run(0, &["run", &with]), run(0, &["run", &without]));
    let wide: Vec<u8> = "\u{feff}HloModule m".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(run(2, &["run", &folder.write("wide.hlo", wide)]).contains("UTF-16"));
}

#[test]
fn a_file_of_another_kind_is_no_machine() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    for (content, cause) in
        [(&b"\xff\xfe\0"[..], "not text"), (b"HloModule m\n", "not JSON"), (b"[1]", "no object")]
    {
        let text = plain(2, &["explain", &m, "--target", &folder.write("t", content)]);
        assert!(text.contains(cause) && text.contains("lawson doctor --calibrate"), "{text}");
    }
}

#[test]
fn a_device_that_is_not_there_is_told() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    for command in ["run", "bench", "explain"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_lawson"))
            .args([command, &m, "--device", "cuda"])
            // Where there are devices they are hidden.
            .env("CUDA_VISIBLE_DEVICES", "")
            .output()
            .expect("lawson runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let missing = text.contains("no driver of NVIDIA") || text.contains("finds no device");
        // The sentence is wrapped to the width of a terminal nowhere.
        assert!(missing && text.contains("use --device cpu"), "{text}");
    }
    let text = plain(2, &["run", &m, "--device", "cuda:x"]);
    assert!(text.contains("expected the number of a device"), "{text}");
}

#[test]
fn a_custom_call_without_a_function_has_its_line() {
    let folder = Folder::new();
    let m = folder.write(
        "m.hlo",
        "HloModule m\nENTRY e {\n  x = f32[4,4] parameter(0)\n  y = f32[4,4] negate(x)\n  \
         lu = (f32[4,4], s32[4], s32[]) custom-call(y), custom_call_target=\"lapack_sgetrf_ffi\"\n  \
         ROOT r = f32[4,4] get-tuple-element(lu), index=0\n}\n",
    );
    for device in ["cpu", "interpreter"] {
        let text = plain(2, &["run", &m, "--device", device]);
        for part in ["line 5: lu:", "\"lapack_sgetrf_ffi\"", "LAPACK", "with_custom_call"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[test]
fn too_little_address_space_is_told() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    // Enough for the program and its libraries, and not for the stack.
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 500000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_lawson"), "run", &m])
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("512 MiB of address space") && text.contains("ulimit -v"), "{text}");
}
