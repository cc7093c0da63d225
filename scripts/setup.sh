#!/usr/bin/env bash
# Installs what a build of Lawson needs and does not find: LLVM 19's headers and library, a C compiler.
# Installs on Debian 12 and 13 and Ubuntu 24.04; elsewhere it names what is missing and stops.
# Silent and quick when nothing is missing. LAWSON_SETUP=check never installs.
set -eu

missing=()
have() { command -v "$1" >/dev/null 2>&1; }

if ! have llvm-config-19 && ! [ -x "${LLVM_SYS_191_PREFIX:-/usr/lib/llvm-19}/bin/llvm-config" ]; then
    missing+=(llvm-19-dev)
fi
# Cargo links with `cc`; the LLVM bindings compile one C file, Lawson one of C++.
if ! have cc; then missing+=(gcc libc6-dev); fi
if ! have c++ && ! have g++; then missing+=(g++); fi
if ! have make; then missing+=(make); fi

if ! have cargo; then
    echo "setup: cargo is not installed; get it from https://rustup.rs and run this again" >&2
    exit 1
fi
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

id=unknown version=unknown
if [ -r /etc/os-release ]; then
    id=$(. /etc/os-release && echo "${ID:-unknown}")
    version=$(. /etc/os-release && echo "${VERSION_ID:-unknown}")
fi

explain() {
    cat >&2 <<TEXT
setup: $1
setup: Lawson needs LLVM 19 with headers and shared library, and a C and C++ compiler. As packages:
         Debian, Ubuntu   llvm-19-dev gcc g++ libc6-dev   (or from https://apt.llvm.org)
         Fedora           llvm19-devel gcc gcc-c++
         Arch             llvm19 gcc
         macOS            brew install llvm@19
setup: If LLVM 19 is in an unusual place, set LLVM_SYS_191_PREFIX to its prefix.
TEXT
    exit 1
}

case "$id-$version" in
debian-12 | debian-13 | ubuntu-24.04) ;;
*) explain "missing: ${missing[*]}; automatic installation knows Debian 12 and 13 and Ubuntu 24.04, this is $id $version" ;;
esac

[ "${LAWSON_SETUP:-}" != check ] || explain "missing: ${missing[*]}; not installed because LAWSON_SETUP=check"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    have sudo || explain "missing: ${missing[*]}; installing needs root or sudo"
    as_root=(sudo)
fi

install_packages() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "${missing[@]}"
}

echo "setup: installing ${missing[*]} with apt-get (LLVM 19 is about 640 MB on disk)"
# The lists may be absent or stale on a fresh machine: refresh them once.
"${as_root[@]}" apt-get update
install_packages || explain "apt-get could not install ${missing[*]}"
# A build that was tried before keeps the answer that LLVM is missing.
cd "$(dirname "$0")/.."
if [ -d target ]; then
    cargo clean --quiet --package llvm-sys
    cargo clean --quiet --release --package llvm-sys
fi
echo "setup: done"
