#!/usr/bin/env bash
# A fixed sample of JAX's primitive harnesses on the plugin that `cargo test` has built, beside XLA:CPU. Tests install nothing: where
# Python has no JAX, it says so and tests nothing.
set -eu
cd "$(dirname "$0")/.."

library=$PWD/target/debug/deps/liblawson_pjrt.so
for python in python3 target/python/bin/python none; do
    "$python" -c 'import jax, absl' >/dev/null 2>&1 && break
done
if [ "$python" = none ]; then
    echo "harness sample: skipped, nothing was tested: Python has no JAX; \`make jax-harnesses\` installs it in target/python"
    exit 0
fi
LAWSON_LIBRARY=$library PYTHONPATH=$PWD/python JAX_PLATFORMS=lawson,cpu \
    exec "$python" bench/jax_harnesses.py --sample 300
