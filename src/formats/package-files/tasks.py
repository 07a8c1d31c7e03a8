"""Tasks of this package, for pyinvoke (pip install invoke; Debian: python3-invoke). invoke --list names them.

    invoke sample            runs the program here; the draws of the last time are replaced
    invoke sample --cmdstan  a Stan program with CmdStanPy instead of Ergodic's own engine
    invoke analyze           runs the analyzer; its file goes to analyzer_output/
    invoke login --token T   keeps a token of the service that workflow.yaml names
    invoke clean             removes draws, what the analyzer made, and tmp/

Nothing reaches the service unless workflow.yaml says so: sampling: {sync: ergodic}, analysis: {sync: ergodic}.
What cannot run here: a data script or an analyzer in JavaScript, and the service's own report. They need the service.
"""

import base64
import glob
import gzip
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid

from invoke import task
from invoke.exceptions import Exit
from invoke.util import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = os.path.join(HERE, "client", "Ergodic.py")
sys.path.insert(0, CLIENT)
import ergodic  # noqa: E402


def _here(*names):
    return os.path.join(HERE, *names)


def _entrance(folder):
    try:
        with open(_here(folder, ".metadata"), encoding="utf-8") as file:
            return json.load(file)["entrance_file"]
    except OSError:
        return ""


def _said(section, key, default=""):
    """What workflow.yaml says."""
    with open(_here("workflow.yaml"), encoding="utf-8") as file:
        values = (yaml.safe_load(file) or {}).get(section)
    value = values.get(key) if isinstance(values, dict) else None
    return default if value is None else value


def _is_synced(section):
    value = _said(section, "sync", False)
    return value is not False and str(value).lower() not in ("off", "false", "no", "")


def _is_stan():
    return os.path.exists(_here("run.R"))


def _draws():
    if _is_stan():
        return _here("output")
    given = _said("sampling", "mcmc_data", {})
    return _here((given.get("directory") if isinstance(given, dict) else None) or "mcmcdata")


def _analysis():
    return _here(_said("analysis", "output_dir", "analyzer_output"))


def _remove(folder):
    """Nothing but a folder of its own inside the package, whatever workflow.yaml calls it."""
    place = os.path.realpath(folder)
    first = os.path.relpath(place, os.path.realpath(HERE)).split(os.sep)[0]
    if first in ("..", ".", "model", "analyzer", "client"):
        raise Exit("%s is not removed: it is no folder for results." % folder)
    shutil.rmtree(place, ignore_errors=True)


# -- the service -------------------------------------------------------------------------------------------------------


def _token_file():
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "ergodic", "config.yaml")


def _endpoint():
    endpoint = str(_said("ergodic", "endpoint")).rstrip("/")
    if not endpoint.startswith(("http://", "https://")):
        raise Exit("workflow.yaml names no service (ergodic: {endpoint: https://...}).")
    return endpoint


def _kept_token():
    """Only for the service it was given for: a package of somebody else may name another."""
    try:
        with open(_token_file(), encoding="utf-8") as file:
            kept = (yaml.safe_load(file) or {}).get("auth") or {}
    except OSError:
        kept = {}
    if not kept.get("token") or kept.get("endpoint", _endpoint()) != _endpoint():
        raise Exit("No token for %s yet: invoke login --token TOKEN (or switch sync off in workflow.yaml)." % _endpoint())
    return kept["token"]


def _ask(token, method, path, payload=None):
    request = urllib.request.Request(
        _endpoint() + path,
        method=method,
        data=None if payload is None else json.dumps({"payload": payload}).encode(),
        headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        if error.code == 401:
            raise Exit("The token is invalid: %s does not know it. invoke login --token TOKEN" % _endpoint())
        try:
            message = json.loads(error.read().decode("utf-8", "replace"))["message"]
        except (ValueError, KeyError, TypeError):
            message = "status %d" % error.code
        raise Exit("%s: %s" % (_endpoint(), message))
    except OSError as error:
        raise Exit("No answer from %s: %s" % (_endpoint(), error))


@task(help={"token": "of the service; without one the kept token is checked"})
def login(_, token=""):
    """Keeps a token of the service, or checks the one that is kept."""
    token = token or _kept_token()
    user = _ask(token, "GET", "/base/user")
    os.makedirs(os.path.dirname(_token_file()), exist_ok=True)
    with open(os.open(_token_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        yaml.safe_dump({"auth": {"endpoint": _endpoint(), "token": token}}, file)
    print(user["username"])


class _Run:
    """A run of a program here that the service shows as an experiment of the workflow."""

    def __init__(self, token):
        self.token, self.lines, self.since = token, [], time.monotonic()
        self.ids = {"batch_id": uuid.uuid4().hex[:22], "run_id": uuid.uuid4().hex[:22]}
        workflow_id = str(_said("ergodic", "workflow_id"))
        workflow = _ask(token, "GET", "/api/object/" + workflow_id) if workflow_id else {}
        made = {
            "object_type": "experiment",
            "name": str(_said("ergodic", "experiment_name")) or workflow.get("name") or "from elsewhere",
            "model_id": workflow.get("model_id") or "",
            "workflow_id": workflow_id,
            "input_id": workflow.get("data_id") or "",
            "meta": {"status": "RUN"},
            "run_on": "local",
        }
        self.experiment = _ask(token, "POST", "/api/object", made)["short_id"]
        self.environment = {"BATCH_ID": self.ids["batch_id"], "RUN_ID": self.ids["run_id"], "WORKFLOW_ID": workflow_id}
        self.environment.update(EXPERIMENT_ID=self.experiment, ERGODIC_SYNC="TRUE", ERGODIC_AUTH_TOKEN=token)
        self.environment["ERGODIC_SERVER_ENDPOINT"] = _endpoint()
        self.become("RUN")
        self.report([{"action": "start"}])

    def post(self, payload):
        return _ask(self.token, "POST", "/api/object/" + self.experiment, payload)

    def become(self, status):
        info = dict(self.ids, experiment_id=self.experiment, status=status)
        self.post({"object_type": "experiment", "status": status, "meta": {"run_info": info}})

    def report(self, messages):
        group = {"group": "object_" + self.experiment, "type": "object_broadcast"}
        datas = [dict(group, message=message) for message in messages]
        self.post(dict(self.ids, object_type="experiment.text_message", experiment_id=self.experiment, datas=datas))

    def line(self, text):
        self.lines.append(text)
        if time.monotonic() - self.since > 1:
            self.flush()

    def flush(self):
        lines, self.lines, self.since = self.lines, [], time.monotonic()
        if lines:
            self.report([{"action": "experiment:output", "data": line} for line in lines])

    def end(self, code):
        self.flush()
        if code != 0:
            self.report([{"action": "experiment:error", "data": str(code)}])
        self.become("ERR" if code != 0 else "SAMPLE_FIN")
        self.report([{"action": "experiment:finish"}])


# -- sampling ----------------------------------------------------------------------------------------------------------


def _ergodic():
    """The command, where it is."""
    command = shlex.split(os.environ.get("ERGODIC", "ergodic"))
    if shutil.which(command[0]) is None:
        raise Exit(
            '"%s" is not installed here. Name it in ERGODIC (see run.sh), or: invoke sample --cmdstan' % command[0]
        )
    return command


def _python(arguments, cwd, **variables):
    environment = dict(os.environ, PYTHONPATH=CLIENT, **variables)
    return subprocess.run([sys.executable, "-u"] + arguments, cwd=cwd, env=environment, stderr=subprocess.PIPE, text=True)


def _prepare():
    """Runs the data script, where there is one; gives the file of its data, or None."""
    if os.path.exists(_here("data.js")):
        raise Exit("data.js prepares the data inside the service only. Download the package of an experiment: it has them.")
    if not os.path.exists(_here("data.py")):
        return None
    data = ""
    if os.path.exists(_here("data.json")):
        with open(_here("data.json"), encoding="utf-8") as file:
            data = json.load(file)
    elif os.path.exists(_here("data")):
        with open(_here("data"), encoding="utf-8", errors="replace") as file:
            data = file.read()
    with open(_here("settings.json"), encoding="utf-8") as file:
        settings = json.load(file)
    workflow = {"id": str(_said("ergodic", "workflow_id")), "settings": settings}
    os.makedirs(_here("tmp"), exist_ok=True)
    with open(_here("tmp", "script-input"), "w", encoding="utf-8") as file:
        json.dump(ergodic._mark({"workflow": workflow, "data": data}), file)
    done = _python(["-m", "ergodic", "data", "data.py", _here("tmp", "script-input")], HERE, ERGODIC_OUTPUT_DIR=_here("tmp"))
    sys.stderr.write(done.stderr)
    answer = _here("tmp", "answer.json")
    if done.returncode != 0 or not os.path.exists(answer):
        raise Exit("data.py failed: it must define parse(workflow, data).")
    with open(answer, encoding="utf-8") as file:
        parsed = ergodic._unmark(json.load(file))
    os.remove(answer)
    with open(_here("tmp", "parsed-data"), "w", encoding="utf-8") as file:
        json.dump(parsed, file)
    return _here("tmp", "parsed-data")


def _watch(command, variables, run):
    child = subprocess.Popen(
        command, cwd=HERE, env=dict(os.environ, **variables), stdout=subprocess.PIPE, text=True, errors="replace"
    )
    try:
        for line in child.stdout:
            print(line, end="", flush=True)
            if run is not None:
                run.line(line.rstrip("\n"))
        return child.wait()
    except BaseException:
        child.terminate()
        child.wait()
        raise


@task(aliases=["sampling"], help={"cmdstan": "a Stan program with CmdStanPy (run.py)"})
def sample(_, cmdstan=False):
    """Runs the program and keeps its draws here."""
    if not os.path.exists(_here("run.sh")):
        raise Exit("Nobody knows how to run this program: README.txt says what is here.")
    if cmdstan and not _is_stan():
        raise Exit("--cmdstan is for Stan programs.")
    token = _kept_token() if _is_synced("sampling") else None
    if _is_stan() and not (cmdstan and token is None):
        _ergodic()
    data = _prepare()
    _remove(_draws())
    if _is_stan():
        return _sample_stan(data, cmdstan, token)
    run = None if token is None else _Run(token)
    variables = {"ERGODIC_MCMC_DATA_PATH": _draws(), **({} if data is None else {"ERGODIC_DATA_FILE": data})}
    variables.update({} if run is None else run.environment)
    code = 1
    try:
        code = _watch(["sh", "run.sh"], variables, run)
    finally:
        if run is not None:
            run.end(code)
            print(run.experiment)
    if code != 0:
        raise Exit("The program ended with code %d." % code)


def _sample_stan(data, cmdstan, token):
    command = [sys.executable, "run.py"] if cmdstan else ["sh", "run.sh"] + ([] if data is None else ["--data", data])
    code = _watch(command, {} if data is None else {"ERGODIC_DATA_FILE": data}, None)
    if code != 0:
        raise Exit("Sampling ended with code %d." % code)
    if token is None:
        return
    variables = {"ERGODIC_SERVER": _endpoint(), "ERGODIC_TOKEN": token}
    name = str(_said("ergodic", "experiment_name")) or _entrance("model")
    files = sorted(glob.glob(os.path.join(glob.escape(_draws()), "*.csv")))
    if _watch(_ergodic() + ["import", "--name", name] + files, variables, None) != 0:
        raise Exit("The draws are in %s, but the service did not take them." % _draws())


# -- analysis ----------------------------------------------------------------------------------------------------------


@task(aliases=["analyse", "analysis", "analyzer", "analyser"], help={"experiment": "id that the analyzer gets"})
def analyze(_, experiment=""):
    """Runs the analyzer on the draws."""
    entrance = _entrance("analyzer")
    if entrance == "":
        raise Exit("No analyzer is in this package. The service's own report is made by the service only.")
    if entrance.endswith((".js", ".mjs")):
        raise Exit("An analyzer in JavaScript runs inside the service only.")
    token = _kept_token() if _is_synced("analysis") else None
    output = _analysis()
    _remove(output)
    os.makedirs(output)
    workflow = str(_said("ergodic", "workflow_id"))
    given = {"ergodic_server_endpoint": str(_said("ergodic", "endpoint")), "experiment_id": experiment, "workflow_id": workflow}
    place = os.path.join(output, "input_params")
    with open(place, "w", encoding="utf-8") as file:
        json.dump(given, file)
    variables = {"WORKFLOW_ID": workflow, "WORKFLOW_DIR": HERE, "ERGODIC_MCMC_DATA_PATH": _draws()}
    variables.update(ERGODIC_ANALYSIS_SYNC="FALSE", ERGODIC_ANALYZE_OUTPUT_DIR=output, ERGODIC_OUTPUT_DIR=output)
    if token is not None:
        variables.update(ERGODIC_ANALYSIS_SYNC="TRUE", ERGODIC_AUTH_TOKEN=token, ERGODIC_SERVER_ENDPOINT=_endpoint())
    if entrance.endswith(".py"):
        done = _python(["-m", "ergodic", "function", entrance, place], _here("analyzer"), **variables)
    else:
        program = ["Rscript"] if entrance.lower().endswith(".r") else ["julia", "--project"]
        environment = dict(os.environ, **variables)
        command = program + [entrance, place]
        done = subprocess.run(command, cwd=_here("analyzer"), env=environment, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(done.stderr)
    made = _write_answer(output) if done.returncode == 0 else None
    if token is not None:
        packed = ""
        if made is not None:
            with open(made, "rb") as file:
                packed = base64.b64encode(gzip.compress(file.read())).decode()
        lines = done.stderr.splitlines()
        report = {"object_type": "workflow.analyzer_result", "return_code": done.returncode, "errlines": lines}
        _ask(token, "POST", "/api/object/" + workflow, dict(report, result=packed))
    if done.returncode != 0:
        raise Exit("The analyzer ended with code %d." % done.returncode)
    print("The analyzer made no file." if made is None else made)


def _write_answer(output):
    """The analyzer's file: one that it wrote, or its answer as the service would keep it. None: there is none."""
    answer = os.path.join(output, "answer.json")
    if os.path.exists(answer):
        with open(answer, encoding="utf-8") as file:
            value = json.load(file)
        value = {"html": value} if isinstance(value, str) else value
        if isinstance(value, dict) and isinstance(value.get("html", value.get("base64")), str):
            content = value["html"].encode() if "html" in value else base64.b64decode(value["base64"])
            name = os.path.basename(str(value.get("file_name") or "")) or "output.html"
            os.remove(answer)
            with open(os.path.join(output, name), "wb") as file:
                file.write(content)
            return os.path.join(output, name)
    names = sorted(name for name in os.listdir(output) if name != "input_params")
    return os.path.join(output, "output.html" if "output.html" in names else names[0]) if names else None


@task
def clean(_):
    """Removes draws, what the analyzer made, and tmp/."""
    for folder in (_draws(), _analysis(), _here("tmp")):
        _remove(folder)
