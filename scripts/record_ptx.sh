#!/bin/sh
# Writes the PTX that crates/ptx/tests reads from the LLVM IR beside it: scripts/record_ptx.sh. Needs opt and llc of LLVM 19.
set -eu
cd "$(dirname "$0")/../crates/ptx/tests/texts"
for name in programs forms; do
    for target in sm_75:ptx63 sm_80:ptx70 sm_90:ptx85; do
        opt-19 -O2 -S "$name.ll" | llc-19 -O3 -march=nvptx64 -mcpu="${target%%:*}" -mattr="+${target##*:}" -o "${name}_${target%%:*}.ptx"
    done
done
opt-19 -O2 -S sm_90.ll | llc-19 -O3 -march=nvptx64 -mcpu=sm_90 -mattr=+ptx85 -o sm_90.ptx
