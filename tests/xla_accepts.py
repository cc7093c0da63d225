#!/usr/bin/env python3
"""Says which HLO files XLA's own parser accepts.

    python3 tests/xla_accepts.py FILE...      one line for each file that is refused; exit 1 if there is one
    python3 tests/xla_accepts.py --all FILE…  one line for each file: ok, refused or aborted

Needs jaxlib; without it nothing is checked and the exit status is 0. The parser runs in a process of its own,
because a failed CHECK of XLA ends the process: that costs one file, not the rest.
"""

import os
import subprocess
import sys


def serve():
    """Reads a file name a line, answers `ok` or `refused: why`."""
    from jaxlib import _hlo

    for line in sys.stdin:
        with open(line.rstrip("\n")) as file:
            text = file.read()
        try:
            _hlo.hlo_module_from_text(text)
            answer = "ok"
        except Exception as error:  # jaxlib's error type differs from version to version
            answer = "refused: " + " ".join(str(error).split())[:300]
        print(answer, flush=True)


def start():
    return subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def main(arguments):
    if arguments[:1] == ["--serve"]:
        serve()
        return 0
    try:
        import jaxlib  # noqa: F401
    except ImportError:
        print("jaxlib is not installed: nothing checked")
        return 0
    show_all = arguments[:1] == ["--all"]
    worker = start()
    refused = 0
    files = arguments[1:] if show_all else arguments
    for file in files:
        worker.stdin.write(file + "\n")
        worker.stdin.flush()
        answer = worker.stdout.readline().strip()
        if not answer:
            answer = "aborted"
            worker.wait()
            worker = start()
        refused += answer != "ok"
        if show_all or answer != "ok":
            print(f"{file}: {answer}")
    worker.stdin.close()
    worker.wait()
    print(f"{len(files) - refused} accepted, {refused} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
