"""Builds the wheel for `pip install ./clients/python`: standard library only, so that no network is needed.

The module that programs of a run import (src/formats/package-files/ergodic.py) is part of it, as `ergodic.program`.
"""

import base64
import hashlib
import os
import re
import zipfile

_here = os.path.dirname(os.path.abspath(__file__))
_program = os.path.join(_here, "..", "..", "src", "formats", "package-files", "ergodic.py")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with open(os.path.join(_here, "pyproject.toml"), encoding="utf-8") as file:
        facts = dict(re.findall(r'^(\w+(?:-\w+)*) = "(.*)"$', file.read(), re.MULTILINE))
    stem = "ergodic-" + facts["version"]
    metadata = "Metadata-Version: 2.1\nName: ergodic\nVersion: %s\nSummary: %s\nRequires-Python: %s\n" % (
        facts["version"],
        facts["description"],
        facts["requires-python"],
    )
    wheel = "Wheel-Version: 1.0\nGenerator: ergodic\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {"ergodic/program.py": _read(_program)}
    for name in sorted(os.listdir(os.path.join(_here, "ergodic"))):
        if name.endswith(".py"):
            files["ergodic/" + name] = _read(os.path.join(_here, "ergodic", name))
    files[stem + ".dist-info/METADATA"] = metadata.encode()
    files[stem + ".dist-info/WHEEL"] = wheel.encode()
    record = stem + ".dist-info/RECORD"
    rows = ["%s,sha256=%s,%d" % (name, _digest(content), len(content)) for name, content in files.items()]
    files[record] = "\n".join(rows + [record + ",,", ""]).encode()
    name = stem + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for place, content in files.items():
            archive.writestr(place, content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install from the folder: pip install ./clients/python")


def _read(place):
    with open(place, "rb") as file:
        return file.read()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
