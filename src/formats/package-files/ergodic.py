"""What a Python program of a run may use: its data and settings, and the way to send draws. Standard library only.

    import ergodic
    values = ergodic.data()                      # the run's data: a dict for JSON, a dict of columns for CSV, else bytes
    chains = ergodic.settings()["num_chains"]
    ergodic.sample(({"mu": mu} for mu in draws), chain=1)
"""

import csv
import io
import json
import math
import os
import runpy
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["Stopped", "answer", "data", "output", "post_draws", "sample", "settings"]


class Stopped(SystemExit):
    """The owner stopped the run: nothing more is taken. The program may end in order, and does so by itself."""


# A program runs in the folder of its model; data and settings stand beside it. Functions run beside theirs.
_root = os.path.abspath(".." if os.path.basename(os.getcwd()) == "model" else ".")


def _beside(name):
    return os.path.join(_root, name)


def settings():
    """The settings of the run as a dict, complete, with the seed."""
    with open(_beside("settings.json"), encoding="utf-8") as file:
        return json.load(file)


def data():
    """The data of the run: JSON as it is, CSV as a dict of columns (numbers where all are), else bytes; None without."""
    place = os.environ.get("ERGODIC_DATA_FILE") or _beside("data")
    if not os.path.exists(place):
        return None
    with open(place, "rb") as file:
        content = file.read()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    try:
        return json.loads(text)
    except ValueError:
        pass
    if "," not in text.split("\n", 1)[0]:
        return content
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: _numbers([row[name] for row in rows]) for name in (rows[0] if rows else {})}


def _numbers(column):
    try:
        return [float(cell) for cell in column]
    except (TypeError, ValueError):
        return column


def output(*values):
    """A line of the run's log, at once. What is printed goes there too."""
    print(*values, flush=True)


def answer(value):
    """What a function gives back: anything that JSON can say, and what numpy makes of numbers."""
    with open(os.path.join(os.environ["ERGODIC_OUTPUT_DIR"], "answer.json"), "w", encoding="utf-8") as file:
        json.dump(_mark(value), file)


def post_draws(chain, values, first_iteration):
    """Stores draws of a chain: `values` is {variable: [value, ...]}, the first of each at `first_iteration` (from 1).

    Sent twice it changes nothing. Raises Stopped when the owner stopped the run. Without a service (ERGODIC_SYNC is
    not TRUE) they are added to a CSV file a chain in ERGODIC_MCMC_DATA_PATH: chain, variable, iteration, value.
    """
    name = chain if isinstance(chain, str) else "chain#%d" % chain
    columns = {variable: [_plain(value) for value in column] for variable, column in values.items()}
    count = len(next(iter(columns.values()), []))
    if count == 0:
        return
    last = first_iteration + count - 1
    if os.environ.get("ERGODIC_SYNC", "").upper() != "TRUE":
        return _append(name, columns, first_iteration)
    _post(
        {
            "object_type": "experiment.protobuf_message",
            "batch_id": os.environ["BATCH_ID"],
            "run_id": os.environ["RUN_ID"],
            "logs": {"vars": {name: columns}, "iteration": {name: [first_iteration, last]}},
        }
    )


def _append(chain, columns, first):
    folder = os.path.join(_root, os.environ.get("ERGODIC_MCMC_DATA_PATH", "mcmcdata"))
    os.makedirs(folder, exist_ok=True)
    place = os.path.join(folder, urllib.parse.quote(chain, safe="") + ".csv")
    with open(place, "a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for variable, column in columns.items():
            for i, value in enumerate(column):
                writer.writerow([chain, variable, first + i, value])


def sample(draws, chain=1, first_iteration=1, seconds=1.0):
    """Sends the draws of one chain as they come: an iterable of {variable: value or nested lists of values}.

    Lists become variables named as Stan does, "theta[1]", "theta[1,2]". Posts every `seconds`. Gives their number.
    """
    columns, first, done, since = {}, first_iteration, 0, time.monotonic()
    for draw in draws:
        for variable, value in draw.items():
            for name, scalar in _flatten(variable, value, ()):
                columns.setdefault(name, []).append(scalar)
        done += 1
        if time.monotonic() - since >= seconds:
            post_draws(chain, columns, first)
            columns, first, since = {}, first_iteration + done, time.monotonic()
    post_draws(chain, columns, first)
    return done


def _flatten(name, value, place):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        for i, part in enumerate(value, 1):
            yield from _flatten(name, part, place + (str(i),))
    else:
        yield (name + "[" + ",".join(place) + "]" if place else name), value


def _plain(value):
    return value if isinstance(value, (bool, int, float, str)) or value is None else float(value)


def _post(payload):
    address = os.environ["ERGODIC_SERVER_ENDPOINT"] + "/api/object/" + os.environ["EXPERIMENT_ID"]
    return _request(address, os.environ["ERGODIC_AUTH_TOKEN"], {"payload": payload})


def _request(address, token, body, tries=6):
    """POST of JSON, GET without a body; gives the answer's data. Goes again while the service is away."""
    request = urllib.request.Request(
        address,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"},
    )
    for attempt in range(tries):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            body = error.read().decode("utf-8", "replace")
            try:
                failure = json.loads(body)
            except ValueError:
                failure = {"code": str(error.code), "message": body[:200]}
            if failure.get("code") == "CONFLICT" and failure.get("message") == "stopped":
                raise Stopped(0) from None
            if error.code < 500 and error.code != 429:
                raise RuntimeError("%s: %s" % (failure.get("code"), failure.get("message"))) from None
        except OSError as error:
            failure = {"code": "UNREACHABLE", "message": str(error)}
        if attempt == tries - 1:
            raise RuntimeError("%s: %s" % (failure.get("code"), failure.get("message")))
        time.sleep(min(30, 0.2 * 2**attempt))


# JSON has no NaN and no infinities: to and from the service they cross as marked texts.
def _mark(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return "\x01" + ("NaN" if value != value else "Infinity" if value > 0 else "-Infinity")
    if isinstance(value, dict):
        return {str(key): _mark(item) for key, item in value.items()}
    return [_mark(item) for item in value] if isinstance(value, (list, tuple)) else value


def _unmark(value):
    if isinstance(value, str) and value.startswith("\x01"):
        return float(value[1:].replace("Infinity", "inf"))
    if isinstance(value, dict):
        return {key: _unmark(item) for key, item in value.items()}
    return [_unmark(item) for item in value] if isinstance(value, list) else value


def _call(form, entrance, place):
    """Runs a script with the path of its parameters, then its `run` (of a function) or `parse` (of a data script)."""
    with open(place, encoding="utf-8") as file:
        given = _unmark(json.load(file))
    sys.argv = [entrance, place]
    sys.path.insert(0, os.path.dirname(os.path.abspath(entrance)))
    space = runpy.run_path(entrance, run_name="__main__")
    if os.path.exists(os.path.join(os.environ["ERGODIC_OUTPUT_DIR"], "answer.json")):
        return
    if form == "data" and callable(space.get("parse")):
        answer(space["parse"](given["workflow"], given["data"]))
    elif form == "function" and callable(space.get("run")):
        answer(space["run"](given))


if __name__ == "__main__":
    _call(*sys.argv[1:4])
