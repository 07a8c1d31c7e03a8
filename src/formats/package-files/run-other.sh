#!/bin/sh
# Runs this program without a server; draws that it sends are written to mcmcdata/.
set -eu
cd "$(dirname "$0")/model"
export ERGODIC_SYNC="${ERGODIC_SYNC:-FALSE}" ERGODIC_MCMC_DATA_PATH="${ERGODIC_MCMC_DATA_PATH:-mcmcdata}"
export PYTHONPATH=../client/Ergodic.py
exec __INTERPRETER__ __ENTRANCE__ "$@"
