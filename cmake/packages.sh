# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# For the two set-up commands: install_packages <package>... installs what a Debian machine lacks of them, as root or
# through sudo. Elsewhere it names what is needed and goes on.

install_packages() {
  local package
  local missing=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian machine; needed under Debian's names: $*"
    return 0
  fi
  for package in "$@"; do
    # shellcheck disable=SC2016  # dpkg-query's own variable
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local as_root=(env)
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages: ${missing[*]}. Run this as root, or install sudo." >&2
      return 1
    fi
    as_root=(sudo env)
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
}
