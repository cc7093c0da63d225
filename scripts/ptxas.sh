#!/usr/bin/env bash
# Fetches NVIDIA's assembler of PTX from its PyPI wheel (47 MB) into target/ptxas, where tests look for it. It is a tool
# of tests alone, under a licence of NVIDIA's own; nothing of it is part of Lawson.
set -eu
cd "$(dirname "$0")/.."

version=13.5.37
ptxas=target/ptxas/ptxas
if [ ! -x "$ptxas" ]; then
    mkdir -p target/ptxas
    python3 -m pip download --quiet --no-deps --dest target/ptxas "nvidia-cuda-nvcc==$version"
    python3 - target/ptxas <<'PYTHON'
import pathlib, sys, zipfile

folder = pathlib.Path(sys.argv[1])
(wheel,) = folder.glob("*.whl")
with zipfile.ZipFile(wheel) as files:
    (name,) = [n for n in files.namelist() if n.endswith("/bin/ptxas")]
    (folder / "ptxas").write_bytes(files.read(name))
(folder / "ptxas").chmod(0o755)
wheel.unlink()
PYTHON
fi
"$ptxas" --version
