#!/bin/bash
# Installs a faster rp2040py: the same release, rebuilt from its source package without the limited
# C API and with rp2040py.patch, which lets the emulator's own loop pace the PIO (I2S) while the CPU
# sleeps. Three times as fast or better; without it the tests run all the same.
#
#     tests/emulator/fast_emulator.sh               into the Python in use
#
# The wheel is kept in ~/.cache/roboto/wheels. Needs gcc; takes one to two minutes, once.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
version=0.3.6
tag=$(python3 -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
sum=$(sha256sum "$here/rp2040py.patch" | cut -c1-8)
store=$HOME/.cache/roboto/wheels/$sum
wheel=$(echo "$store"/rp2040py-$version-$tag-$tag-*.whl)

if [ ! -f "$wheel" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    python3 -m pip download -q --no-deps --no-binary rp2040py -d "$work" "rp2040py==$version"
    tar -xf "$work"/rp2040py-*.tar.gz -C "$work"
    patch -s -p1 -d "$work/rp2040py-$version" < "$here/rp2040py.patch"
    mkdir -p "$store"
    python3 -m pip wheel -q --no-deps -w "$store" "$work/rp2040py-$version"
    wheel=$(echo "$store"/rp2040py-$version-$tag-$tag-*.whl)
fi
python3 -m pip install -q --force-reinstall --no-deps "$wheel"
echo "fast_emulator: installed $(basename "$wheel")"
