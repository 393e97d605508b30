# What `run` needs to put a fresh Debian 12 machine into shape; sourced, with $root set to the top of the tree.
#
#     install_packages g++ cmake       Debian packages, only those that are missing, as root or with sudo
#     install_wheels cuda              the pinned Python wheels of .ci/wheels/cuda.txt, into build/python/cuda
#
# Both end the run with one sentence and exit code 3 when they cannot; what apt-get and pip said is in build/logs.

say() { printf '%s\n' "$*" >&2; }
step() { say "==> $*"; }
stop() {  # stop CODE SENTENCE
  local code=$1
  shift
  say "run: $*"
  exit "$code"
}

# Runs a command that talks too much: its words go to a log, and a line every ten seconds shows that it lives.
quietly() {  # quietly LOG COMMAND...
  local log=$1 started=$SECONDS told=$SECONDS rc=0
  shift
  mkdir -p "${log%/*}"
  "$@" >>"$log" 2>&1 </dev/null &
  local pid=$!
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    if ((SECONDS - told >= 10)); then
      told=$SECONDS
      say "    $((SECONDS - started)) s: $(tail -n 1 "$log" | tr -d '\r' | cut -c 1-90)"
    fi
  done
  wait "$pid" || rc=$?
  trap - INT TERM
  return "$rc"
}

# Packages that a part of the work needs and the rest does not.
try_install_packages() { (install_packages "$@"); }

# What a log says went wrong, in one line; the first complaint is the cause, the later ones follow from it.
reason_in() {  # reason_in LOG
  if grep -a -q -i -E 'failure resolving|name resolution|failed to establish a new connection|network is unreachable' "$1"; then
    echo "the network is not there"
  else
    { grep -a -E -m 1 '^(E: |ERROR: |CMake Error|.*[Ee]rror: )' "$1" || tail -n 1 "$1"; } | cut -c 1-300
  fi
}

at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }  # at_least VERSION MINIMUM

is_installed() {  # is_installed DEBIAN_PACKAGE: what it brings is there, wherever it came from
  case $1 in
    g++ | make | python3 | clang-format-19) command -v "$1" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    clang-16 | clang-19) command -v "clang++-${1#clang-}" >/dev/null ;;
    cmake) command -v cmake >/dev/null && at_least "$(cmake --version | sed -n '1s/[^0-9]*//p')" 3.25 ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    catch2) [ -e /usr/include/catch2/catch.hpp ] || [ -e /usr/local/include/catch2/catch_all.hpp ] ;;
    *) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed' ;;
  esac
}

install_packages() {
  local package missing=() as_root=() log=$root/build/logs/apt.log attempt
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null || stop 3 "this machine lacks ${missing[*]} (Debian's names) and has no apt-get to install them"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || stop 3 "this machine lacks ${missing[*]}: run as root, install sudo, or install them by hand"
    sudo -v || stop 3 "this machine lacks ${missing[*]}, and sudo was refused"
    as_root=(sudo)
  fi
  # Another program may hold apt's locks: wait for it, and try again what a network dropped.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a apt-get
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -y)
  step "installing Debian packages: ${missing[*]}"
  mkdir -p "${log%/*}"
  for attempt in 1 2 3 4; do
    : >"$log"
    if quietly "$log" "${apt[@]}" update && quietly "$log" "${apt[@]}" install --no-install-recommends "${missing[@]}"; then
      for package in "${missing[@]}"; do
        is_installed "$package" || stop 3 "$package was installed, and is still too old or not found"
      done
      return 0
    fi
    # What Debian does not have, or cannot be reached by name, does not come back by waiting.
    if grep -a -q -E 'Unable to locate package|has no installation candidate|failure resolving' "$log"; then break; fi
    ((attempt == 4)) || { say "    failed, trying again: $(reason_in "$log")"; sleep $((attempt * 10)); }
  done
  stop 3 "could not install ${missing[*]}: $(reason_in "$log") (all of it: ${log#"$root"/})"
}

have_wheels() { cmp -s "$root/.ci/wheels/$1.txt" "$root/build/python/$1/installed.txt"; }  # have_wheels NAME

# Returns 1 after a sentence; whether that ends the run is the caller's business.
try_install_wheels() {  # try_install_wheels NAME
  local name=$1 list=$root/.ci/wheels/$1.txt folder=$root/build/python/$1 log=$root/build/logs/pip-$1.log
  local venv=$root/build/python/venv
  ! have_wheels "$name" || return 0
  install_packages python3 python3-venv
  step "unpacking Python wheels into ${folder#"$root"/}: $(grep -v '^#' "$list" | tr '\n' ' ')"
  mkdir -p "${log%/*}"
  : >"$log"
  rm -rf "$folder" "$folder.new"
  if [ -x "$venv/bin/pip" ] || quietly "$log" python3 -m venv --clear "$venv"; then
    if quietly "$log" "$venv/bin/pip" install --disable-pip-version-check --progress-bar off --no-input --no-deps \
      --no-compile --retries 3 --timeout 60 --target "$folder.new" -r "$list"; then
      mv "$folder.new" "$folder"
      cp "$list" "$folder/installed.txt"
      return 0
    fi
  fi
  say "run: could not install the wheels of .ci/wheels/$name.txt: $(reason_in "$log") (all of it: ${log#"$root"/})"
  return 1
}

install_wheels() { try_install_wheels "$1" || stop 3 "that ends it; --cuda=none does without CUDA"; }
