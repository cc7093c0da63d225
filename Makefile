# Two commands: `make demo` shows Lawson at work, `make test` checks it. Both install what is missing first.
# `make bench`, `make cartpole`, `make compile-times`, `make kernel-table`, `make layers` and `make gradients` compare with JAX, fetched from
# PyPI where it is missing; `make peers` with candle and burn, `make provers` with Plonky3, fetched from crates.io.
CARGO ?= cargo
export PATH := $(HOME)/.cargo/bin:$(PATH)

.PHONY: bench demo test test-long setup build lint cartpole compile-times kernel-table predictions small-modules planning layers decisions peers gradients provers harnesses jax jax-harnesses jax-dispatch jax-programs jax-libraries jax-endurance jax-suite stablehlo-suite plugin wheel wheel-test gpu-test gpu-bench

demo: setup
	$(CARGO) build --release --package lawson-cli
	@scripts/demo.sh

test: setup
	$(CARGO) test --workspace --no-fail-fast
	@scripts/harness_sample.sh

# The campaigns whose quick form `make test` runs: more random modules, more fuels for each pass.
test-long: setup
	LAWSON_LONG_TESTS=1 $(CARGO) test --package lawson-opt --test fuel
	LAWSON_LONG_TESTS=1 $(CARGO) test --package lawson --test truth --test property
	LAWSON_LONG_TESTS=1 $(CARGO) test --package lawson-kernel --lib quotient

build: setup
	$(CARGO) build --release --workspace

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

cartpole: build
	scripts/python.sh bench/cartpole.py

compile-times: build
	scripts/python.sh bench/compile_times.py

kernel-table: build
	scripts/python.sh bench/kernel_table.py --lawson target/release/lawson --xla

# Predicted beside measured times of every kernel of the benchmark, on this machine.
predictions: build
	scripts/python.sh bench/predictions.py

layers: build
	scripts/python.sh bench/layers.py

# Programs of new users with all of fusion, without, and with each pass switched off.
decisions: build
	python3 bench/decisions.py

# Lawson, XLA:CPU, torch, IREE and numpy in turns over programs and single operations; goes on where it was stopped. An hour for all,
# PART=products,softmax for some.
bench: plugin
	scripts/python.sh bench/suite/run.py $(if $(PART),--class $(PART))

# A training step beside candle and burn, which take minutes to build.
peers: setup
	cd bench/peers-rust && $(CARGO) build --release
	bench/peers-rust/target/release/train-step > bench/results/peers.md
	cat bench/results/peers.md

# Vector code of provers beside Plonky3, and large sets of constraints. Built in its folder, whose settings give Plonky3 its vectors.
provers: setup
	cd bench/provers && $(CARGO) build --release
	bench/provers/target/release/provers > bench/results/provers.md
	bench/provers/target/release/constraints >> bench/results/provers.md
	cat bench/results/provers.md

# A gradient beside XLA:CPU, and the bounds of derivatives made in Rust.
gradients: build
	cd bench/peers-rust && $(CARGO) build --release --no-default-features
	scripts/python.sh bench/gradients.py

# JAX's primitive harnesses as StableHLO, computed by the interpreter, beside XLA's results: half an hour.
harnesses: setup
	scripts/python.sh -c 'import absl' 2>/dev/null || scripts/python.sh -m pip install --quiet absl-py
	scripts/python.sh scripts/record_harnesses.py target/harnesses x64
	$(CARGO) run --release --package lawson-stablehlo --example harnesses target/harnesses

# The plugin of JAX: its tests in Python, and those of its C interface by pypjrt.
PLUGIN = LAWSON_LIBRARY=$(CURDIR)/target/release/liblawson_pjrt.so PYTHONPATH=$(CURDIR)/python JAX_PLATFORMS=lawson,cpu scripts/python.sh

jax: plugin
	$(PLUGIN) python/tests/test_plugin.py
	scripts/python.sh -c 'import pypjrt' 2>/dev/null || scripts/python.sh -m pip install --quiet pypjrt
	scripts/python.sh -m pypjrt.conform target/release/liblawson_pjrt.so

# JAX's primitive harnesses on Lawson and on XLA:CPU: a fixed sample of 300, or all of them in an hour with `make jax-harnesses SAMPLE=`.
SAMPLE ?= --sample 300
jax-harnesses: plugin
	scripts/python.sh -c 'import absl' 2>/dev/null || scripts/python.sh -m pip install --quiet absl-py
	$(PLUGIN) bench/jax_harnesses.py $(SAMPLE)
	$(PLUGIN) bench/jax_harnesses.py --x64 $(SAMPLE)

# Programs with libraries on top of JAX, on Lawson and on XLA:CPU, with the libraries that they need from PyPI.
jax-programs: plugin
	scripts/python.sh -m pip install --quiet flax equinox optax diffrax numpyro blackjax optimistix
	$(PLUGIN) bench/jax_programs.py

# Whole libraries on top of JAX, on Lawson and on XLA:CPU: those of the packages in `bench/jax_libraries.py` that are there.
jax-libraries: plugin
	$(PLUGIN) bench/jax_libraries.py

# 10,000 compilations, 1,000,000 calls and 16 threads in one process.
jax-endurance: plugin
	$(PLUGIN) bench/jax_endurance.py

# JAX's own tests from a checkout of its version 0.10.2: `make jax-suite JAX=path`. It goes on where it was stopped.
jax-suite: plugin
	scripts/python.sh -c 'import absl' 2>/dev/null || scripts/python.sh -m pip install --quiet absl-py
	$(PLUGIN) scripts/jax_suite.py $(abspath $(JAX)) $(SUITE)

# StableHLO's golden artifacts, interpreter tests and test data from a checkout of it: `make stablehlo-suite STABLEHLO=path`.
stablehlo-suite: setup
	$(CARGO) run --release --package lawson-stablehlo --example golden $(STABLEHLO)
	python3 scripts/split_interpreter_tests.py $(STABLEHLO)/stablehlo/tests/interpret target/stablehlo-suite
	$(CARGO) run --release --package lawson-stablehlo --example harnesses target/stablehlo-suite
	$(CARGO) run --release --package lawson-stablehlo --example harnesses $(STABLEHLO)/stablehlo/testdata

# What a call costs beside its work.
jax-dispatch: plugin
	$(PLUGIN) bench/jax_dispatch.py

plugin: setup
	$(CARGO) build --release --package lawson-pjrt

wheel: setup
	scripts/wheel.sh

# The wheel in an environment that has nothing else.
wheel-test: wheel
	rm -rf target/wheel/fresh && python3 -m venv target/wheel/fresh
	target/wheel/fresh/bin/pip install --quiet dist/jax_lawson-*.whl
	cd target/wheel && JAX_PLATFORMS=lawson fresh/bin/python $(CURDIR)/python/tests/first.py

# All programs at full size, the cases of `tests/hlo/run` and random modules on the first graphics processor of this machine, where
# there is one.
gpu-test: build
	@if target/release/lawson doctor --quick | grep -q '^cuda:0 '; then \
		LAWSON_TEST_DEVICE=cuda LAWSON_LONG_TESTS=1 $(CARGO) test --package lawson --test on_device --test devices && \
		seq -f %03g 0 20 | LAWSON_TEST_DEVICE=cuda LAWSON_LONG_TESTS=1 xargs -P $$(nproc) -I{} \
			$(CARGO) test --quiet --package lawson --test property -- emulated_{}; \
	else \
		echo "gpu-test: skipped, nothing was tested:"; target/release/lawson doctor --quick | grep '^CUDA '; \
	fi

# The table of it: maps, reductions, programs beside XLA and torch.compile, prime fields, what submitting costs.
gpu-bench: build
	python3 bench/gpu.py

small-modules: build
	python3 bench/small_modules.py

# How long planning takes, by the size of the module.
planning: build
	python3 bench/planning.py

setup:
	@scripts/setup.sh
