import sys

from . import _call

_call(*sys.argv[1:4])
