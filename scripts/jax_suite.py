"""JAX's own tests on Lawson, from a checkout of JAX: `make jax-suite JAX=path`.

Each file of tests is a part, run in a process of its own, and its verdicts are kept in `target/jax-suite`, by the commit of JAX: a
second run goes on with the files that are left. What Lawson fails or skips runs on XLA:CPU too, and counts where that passes. A file
that takes longer than `--minutes` counts as far as it came. `--only array_test lax_test` names files, `--again` forgets what is
known of them. Nothing of JAX is copied into this repository.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
VERDICTS = {"OK": "pass", "FAILED": "fail", "SKIPPED": "skip"}
# Files about other machines, several processes or other back ends.
LEFT_OUT = re.compile(r"pallas|mosaic|multiprocess|multi_process|tpu|gpu|distributed|cuda|rocm|export_back_compat|jax_to_ir")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jax", type=pathlib.Path, help="a checkout of JAX, of the version that is installed")
    parser.add_argument("--only", nargs="+", metavar="FILE", help="these files of tests, without .py")
    parser.add_argument("--again", action="store_true", help="run what was run before")
    parser.add_argument("--minutes", type=float, default=60, help="for each file and platform")
    chosen = parser.parse_args()
    kept = ROOT / "target/jax-suite" / commit(chosen.jax)
    kept.mkdir(parents=True, exist_ok=True)
    files = [f for f in sorted((chosen.jax / "tests").glob("*_test.py")) if not LEFT_OUT.search(f.name)]
    if chosen.only:
        files = [f for f in files if f.stem in chosen.only]
    if not files:
        sys.exit(f"there are no such tests in {chosen.jax / 'tests'}")
    total, causes = collections.Counter(), collections.Counter()
    for file in files:
        found = part(chosen, kept, file, "lawson")
        doubtful = [name for name, (verdict, _) in found.items() if verdict != "pass"]
        judged = part(chosen, kept, file, "cpu", doubtful) if doubtful else {}
        # What XLA:CPU skips or fails counts for nobody.
        found = {n: v for n, v in found.items() if n not in doubtful or judged.get(n, ("fail",))[0] == "pass"}
        counted = {name: v for name, v in found.items() if v[0] != "skip"}
        agreed = sum(verdict == "pass" for verdict, _ in counted.values())
        total.update(counted=len(counted), agreed=agreed, skipped=len(found) - len(counted))
        causes.update((file.stem, cause) for verdict, cause in counted.values() if verdict == "fail")
        print(f"{file.stem:40} {agreed} of {len(counted)}, {len(found) - len(counted)} skipped", flush=True)
    counted = max(total["counted"], 1)
    print(f"\nall: {total['agreed']} of {counted} ({100 * total['agreed'] / counted:.1f} %), {total['skipped']} skipped")
    for (file, cause), n in causes.most_common():
        print(f"  {n:5} {file}: {cause}")


def commit(checkout):
    try:
        done = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as e:
        sys.exit(f"{checkout} is no checkout of JAX: {e}")
    return done.stdout.strip()[:12]


def part(chosen, kept, file, platform, names=()):
    """The verdict and the cause of each test of a file, or of these, by its name."""
    result = kept / f"{file.stem}.{platform}.json"
    if result.exists() and not chosen.again:
        return json.loads(result.read_text())
    platforms = {"cpu": "cpu", "lawson": "lawson,cpu"}[platform]
    environment = {
        "JAX_NUM_GENERATED_CASES": "10",
        **os.environ,
        "JAX_PLATFORMS": platforms,
        # Its helpers for tests come from the installed package.
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    try:
        done = subprocess.run(
            [sys.executable, str(file), *names],
            cwd=chosen.jax,
            env=environment,
            timeout=60 * chosen.minutes,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        output, ended = done.stdout, f"exit code {done.returncode}"
    except subprocess.TimeoutExpired as e:
        output, ended = e.stdout or b"", f"cut off after {chosen.minutes:g} minutes"
    log = result.with_suffix(".log")
    log.write_bytes(output)
    verdicts = verdicts_of(output.decode(errors="replace"))
    if not verdicts or ended.startswith("cut") or "exit code -" in ended:
        print(f"{file.stem} on {platform}: {ended}; see {log}")
    if verdicts:
        result.write_text(json.dumps(verdicts, indent=0))
    return verdicts


def verdicts_of(log):
    """By the names of tests, which are without the arguments that some have behind them."""
    verdicts = {name: ("fail", "it did not end") for name in re.findall(r"^\[ RUN      \] (\S+)", log, re.M)}
    for word, name in re.findall(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+)", log, re.M):
        verdicts[name] = (VERDICTS[word], "")
    # At the end the failures stand once more, each with its traceback, whose last line says why.
    for section in re.split(r"^={70}$", log, flags=re.M)[1:]:
        head = re.search(r"^(?:FAIL|ERROR): (\S+)(?: \(\S*?(\w+)\.\1\))?", section, re.M)
        traceback = re.split(r"^-{70}$", section, flags=re.M)[1:2]
        if head and traceback:
            lines = [line for line in traceback[0].splitlines() if re.match(r"[\w.]*(Error|Exception|Failure)\b", line)]
            cause = re.sub(r"0x[0-9a-f]+|\d+", "N", lines[-1] if lines else "")[:120]
            for name in verdicts:
                if name.endswith(f".{head[1]}"):
                    verdicts[name] = ("fail", cause)
    return verdicts


if __name__ == "__main__":
    main()
