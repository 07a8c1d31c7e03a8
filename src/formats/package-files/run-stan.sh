#!/bin/sh
# Samples this package with Ergodic's own engine, without a server: sh run.sh
# ERGODIC names the command where "ergodic" is not installed, for example "npm run -s --prefix /path/to/ergodic ergodic --".
set -eu
cd "$(dirname "$0")"
here=$(pwd)
exec ${ERGODIC:-ergodic} run "$here"/__PROGRAM__ \
  __OPTIONS__ \
  --out "$here"/output "$@"
