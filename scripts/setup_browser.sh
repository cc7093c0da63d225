#!/usr/bin/env bash
# Installs Chromium where it is missing, for the one test that opens the page of `lawson explain --html`.
# CI calls it; `make test` does not: without a browser that test says so and passes.
set -eu

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
skip() {
    echo "setup: $1; the test of the explain page will be skipped" >&2
    exit 0
}
command -v apt-get >/dev/null 2>&1 || skip "no Chromium, and no apt-get to install it"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || skip "no Chromium, and installing needs root or sudo"
    as_root=(sudo)
fi
echo "setup: installing chromium with apt-get"
"${as_root[@]}" apt-get update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium ||
    skip "apt-get could not install chromium"
