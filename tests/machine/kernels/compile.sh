#!/bin/sh
# Compiles every .cu of this folder to .ptx. The results are in the repository, for tests without
# nvcc.
#
#     sh compile.sh [nvcc] [output folder]
#
# -lineinfo writes the absolute path of the source; only its name is kept.
set -e
nvcc=${1:-nvcc}
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$here}
for source in "$here"/*.cu; do
  name=$(basename "$source" .cu)
  arch=$(sed -n 's|^// arch: ||p' "$source")
  "$nvcc" -std=c++20 -arch="${arch:-sm_90a}" -lineinfo -ptx "$source" -o "$out/$name.ptx.new"
  sed -E 's|^([[:space:]]*\.file[[:space:]]+[0-9]+[[:space:]]+")[^"]*/|\1|' "$out/$name.ptx.new" \
    > "$out/$name.ptx"
  rm "$out/$name.ptx.new"
done
