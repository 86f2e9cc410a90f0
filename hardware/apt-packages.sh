#!/bin/sh
# What the hardware checks need beyond pip: KiCad 9 (ERC, DRC, Gerbers) and graphviz (wiring diagrams).
# On Debian 12 KiCad 9 comes from the backports; Debian 13 has it itself. About 90 s and 70 to 120 MB of download.
set -e
command -v kicad-cli >/dev/null && command -v dot >/dev/null && exit 0
as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo
from=""
if grep -q bookworm /etc/os-release; then
    from="-t bookworm-backports"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -1)
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm-backports main" |
        $as_root tee /etc/apt/sources.list.d/bookworm-backports.list >/dev/null
fi
get="$as_root apt-get -q -y -o DPkg::Lock::Timeout=600"
$get update
# shellcheck disable=SC2086
$get install --no-install-recommends $from kicad kicad-symbols kicad-footprints
$get install --no-install-recommends graphviz
