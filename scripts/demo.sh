#!/usr/bin/env bash
# Runs a softmax as JAX lowered it: checks it against XLA's result, shows what was fused, times it.
set -eu
cd "$(dirname "$0")/.."
lawson=target/release/lawson

step() { printf '\n$ lawson %s\n' "$*"; "$lawson" "$@"; }

step run examples/softmax/softmax.hlo --inputs examples/softmax/inputs.npz --expect examples/softmax/outputs.npz
step explain examples/softmax/softmax_full.hlo
step bench examples/softmax/softmax_full.hlo --vs off
