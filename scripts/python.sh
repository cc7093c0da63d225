#!/usr/bin/env bash
# Runs a Python script of this repository with JAX and Matplotlib: those of the caller's Python where it has them,
# else those of a virtual environment in target/python, which is made the first time (about 200 MB from PyPI).
set -eu
cd "$(dirname "$0")/.."

python=python3
if ! "$python" -c 'import jax, matplotlib' >/dev/null 2>&1; then
    python=target/python/bin/python
    if ! "$python" -c 'import jax, matplotlib' >/dev/null 2>&1; then
        if ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
            echo "python: needs Python 3 with venv (Debian, Ubuntu: apt-get install python3-venv)" >&2
            exit 1
        fi
        echo "python: installing JAX, NumPy and Matplotlib into target/python" >&2
        python3 -m venv target/python
        "$python" -m pip install --quiet jax==0.10.2 numpy matplotlib
    fi
fi
exec "$python" "$@"
