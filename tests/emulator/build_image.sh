#!/bin/bash
# Builds a stock MicroPython image for the Raspberry Pi Pico (board RPI_PICO) from Debian's source
# packages, for the emulated board of the tests. Needs no internet but a Debian mirror.
#
#     tests/emulator/build_image.sh [FOLDER]        default: ~/.cache/roboto/image
#     BOARD=WEACTSTUDIO tests/emulator/build_image.sh ~/.cache/roboto/image-16M      a board with 16 MB
#     BOARD=WEACTSTUDIO VARIANT=FLASH_4M tests/emulator/build_image.sh ~/.cache/roboto/image-4M     or 8M
#
# Leaves firmware.uf2 and firmware.elf in FOLDER, the work in FOLDER/build. Takes two minutes, once:
# does nothing where firmware.uf2 is there already.
# MicroPython comes from Debian 13 (trixie), whatever the machine runs: MICROPYTHON_SUITE=, JOBS=.
set -euo pipefail
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1757635200}       # the same bytes every time
target=$(realpath -m "${1:-$HOME/.cache/roboto/image}")
board=${BOARD:-RPI_PICO}
suite=${MICROPYTHON_SUITE:-trixie}
jobs=${JOBS:-$(nproc)}
work=$target/build
[ ! -f "$target/firmware.uf2" ] || { echo "build_image: $target/firmware.uf2 is there"; exit 0; }
packages=$(dirname "$target")/micropython-$suite                   # shared by the boards' images
mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"

say() { echo "build_image: $*"; }

# The cross compiler and the tools of the build, where they are missing.
missing=()
for package in gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib \
               cmake make g++ python3 xz-utils; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    say "installing ${missing[*]}"
    root=(); [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get -q update
    "${root[@]}" apt-get -qy install --no-install-recommends "${missing[@]}"
fi

# The sources, through a private apt configuration: the machine's own stays as it is. The mirror is
# the first one the machine itself uses; signatures are checked with Debian's keyring.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
         grep -v security | head -1)
signed="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
printf '%s %s %s %s main\n' deb "$signed" "${mirror%/}" "$suite" \
       deb-src "$signed" "${mirror%/}" "$suite" > "$work/apt/sources.list"
apt=(apt-get -q
     -o Dir::Etc::sourcelist="$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
     -o Dir::State::Lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache"
     -o APT::Sandbox::User=root -o Acquire::Languages=none)
if [ ! -d "$packages" ]; then
    say "fetching the sources of $suite"
    "${apt[@]}" update
    rm -rf "$packages.part" && mkdir "$packages.part"
    (cd "$packages.part" &&
     "${apt[@]}" source --download-only "micropython/$suite" &&
     "${apt[@]}" download "pico-sdk-source/$suite" "tinyusb-source/$suite")
    mv "$packages.part" "$packages"
fi

# MicroPython as its authors released it (Debian's patches concern the unix port), with the SDK and
# the USB stack that Debian keeps in packages of their own.
cd "$work"
rm -rf micropython sdk tinyusb out
mkdir micropython
tar -xf "$packages"/micropython_*.orig.tar.xz -C micropython --strip-components=1
dpkg-deb -x "$packages"/pico-sdk-source_*.deb sdk
dpkg-deb -x "$packages"/tinyusb-source_*.deb tinyusb
rm -rf micropython/lib/tinyusb
cp -a tinyusb/usr/src/tinyusb micropython/lib/tinyusb
mkdir -p micropython/lib/micropython-lib
touch micropython/lib/micropython-lib/README.md                 # only its presence is checked

# What these sources lack is switched off: TLS and what hangs on it.
port=micropython/ports/rp2
sed -i -e 's/^set(MICROPY_SSL_MBEDTLS ON)/set(MICROPY_SSL_MBEDTLS OFF)/' \
       -e '/^ *mbedtls\/mbedtls_port\.c$/d' \
       -e '/^target_link_libraries(.*micropy_lib_mbedtls)$/d' \
       -e '/^list(APPEND GIT_SUBMODULES lib\/\(mbedtls\|tinyusb\))$/d' $port/CMakeLists.txt
sed -i -e 's/^\(#define MICROPY_SSL_MBEDTLS  *\)(1)/\1(0)/' \
       -e 's/^\(#define MICROPY_PY_HASHLIB_SHA1  *\)(1)/\1(0)/' \
       -e 's/^\(#define MICROPY_PY_CRYPTOLIB  *\)(1)/\1(0)/' $port/mpconfigport.h
cat > manifest.py <<'PY'
freeze("$(PORT_DIR)/modules")
include("$(MPY_DIR)/extmod/asyncio")
PY

say "building with $jobs jobs"
cmake -S $port -B out -G "Unix Makefiles" -DMICROPY_BOARD="$board" ${VARIANT:+-DMICROPY_BOARD_VARIANT="$VARIANT"} \
      -DMICROPY_BOARD_DIR="$work/$port/boards/$board" \
      -DMICROPY_FROZEN_MANIFEST="$work/manifest.py" \
      -DPICO_SDK_PATH_OVERRIDE="$work/sdk/usr/src/pico-sdk" \
      -DPICO_SDK_PATH="$work/sdk/usr/src/pico-sdk" -DPICO_NO_PICOTOOL=1 > cmake.log 2>&1 ||
    { tail -40 cmake.log; exit 1; }
make -C out -j"$jobs" > make.log 2>&1 || { tail -40 make.log; exit 1; }
python3 micropython/tools/uf2conv.py -b 0x10000000 -f 0xe48bff56 -c -o firmware.uf2 out/firmware.bin
cp out/firmware.elf "$target/"
mv firmware.uf2 "$target/"                                      # last: its presence says all is well
say "done: $target/firmware.uf2"
