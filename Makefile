# Two commands: `make demo` shows Lawson at work, `make test` checks it. Both install what is missing first.
CARGO ?= cargo
export PATH := $(HOME)/.cargo/bin:$(PATH)

.PHONY: demo test setup build lint

demo: setup
	$(CARGO) build --release --package lawson
	@scripts/demo.sh

test: setup
	$(CARGO) test --workspace --no-fail-fast

build: setup
	$(CARGO) build --release --workspace

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

setup:
	@scripts/setup.sh
