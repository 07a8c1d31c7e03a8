"""A run that is sampled here and shown on a service: made, fed with draws, ended."""

import os
import sys
import threading
import time
import uuid

from .program import Stopped, _flatten, _plain, _request

# Numbers of one message: some megabytes of JSON.
_most_values = 200_000


class Run:
    """An experiment on the service. A thread sends what was added, every `seconds`; the sampler does not wait for it.

    While the service is away draws are kept and sent later, for up to `patience` seconds at the end. Sending twice
    changes nothing, since every draw has its chain and number. `model_id` and `data_id` name objects of the service;
    `settings` is shown with the run, `draws` is how many each chain will make.

    As a context: leaving it finishes the run; an exception ends it as failed, Ctrl-C as stopped, with all draws kept.
    """

    def __init__(
        self,
        name,
        server=None,
        token=None,
        model_id="",
        data_id="",
        settings=None,
        draws=None,
        seconds=1.0,
        patience=600.0,
    ):
        self.server = (server or os.environ.get("ERGODIC_SERVER", "http://127.0.0.1:8650")).rstrip("/")
        self._token = token or os.environ.get("ERGODIC_TOKEN", "")
        if not self._token:
            raise ValueError("An API token is needed: set ERGODIC_TOKEN or give token= (`ergodic token` makes one).")
        meta = {}
        if settings:
            meta["settings"] = dict(settings)
        if draws:
            meta["iteration_count"] = int(draws)
        payload = {"object_type": "experiment", "name": str(name)[:255], "run_on": "local", "meta": meta}
        payload.update(model_id=model_id, input_id=data_id)
        made = _request(self.server + "/api/object", self._token, {"payload": payload})
        self.id = made["short_id"]
        self.url = self.server + "/experiments/" + self.id
        self._key = {"batch_id": uuid.uuid4().hex, "run_id": uuid.uuid4().hex}
        self._seconds, self._patience = seconds, patience
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._waiting, self._sent = {}, {}  # chain -> {variable: [values]}, chain -> draws sent
        self._failure, self._said, self._is_stopped = None, False, False
        self._update(status="RUN")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._send_often, daemon=True)
        self._thread.start()
        _say("Ergodic: " + self.url)

    def add(self, draw, chain=1):
        """One draw of a chain: {variable: number, or nested lists or an array of them}.

        Arrays become variables named as Stan does, "theta[1]", "theta[1,2]". Raises Stopped when the owner stopped
        the run on the service, ValueError when the variables are not those of the chain's first draw.
        """
        named = [pair for variable, value in draw.items() for pair in _flatten(variable, value, ())]
        self.send({name: [value] for name, value in named}, chain)

    def send(self, columns, chain=1):
        """Several draws of a chain: {variable: [value, ...]}, all of one length, behind what was added before."""
        columns = {name: [_number(value) for value in values] for name, values in columns.items()}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) != 1:
            raise ValueError("The variables of chain %s have different numbers of draws." % chain)
        self._raise_failure()
        with self._lock:
            known = self._waiting.setdefault(_name(chain), {})
            if known and known.keys() != columns.keys():
                odd = sorted(known.keys() ^ columns.keys())[0]
                raise ValueError("%r is not in every draw of chain %s." % (odd, chain))
            for name, values in columns.items():
                known.setdefault(name, []).extend(values)

    @property
    def is_stopped(self):
        """The owner stopped the run on the service: nothing more is taken."""
        return self._is_stopped

    def log(self, line):
        """A line of the run's log."""
        message = {"action": "experiment:output", "data": str(line) + "\n"}
        item = {"group": "object_" + self.id, "type": "object_broadcast", "message": message}
        self._post({"object_type": "experiment.text_message", "datas": [item]})

    def finish(self):
        """Sends what waits and ends the run: the service judges it. Once more it changes nothing."""
        self._end("SAMPLE_FIN")

    def fail(self, reason):
        """Ends the run as failed; its draws are kept."""
        message = {"action": "experiment:error", "data": str(reason)}
        item = {"group": "object_" + self.id, "type": "object_broadcast", "message": message}
        self._end("ERR", {"object_type": "experiment.text_message", "datas": [item]})

    def stop(self):
        """Ends the run before its time; its draws are kept."""
        self._end(None)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _trace):
        if kind is None:
            self.finish()
        elif issubclass(kind, Stopped):
            self._close()
        elif issubclass(kind, KeyboardInterrupt):
            self.stop()
        else:
            self.fail("%s: %s" % (kind.__name__, error))
        return False

    def _end(self, status, message=None):
        if self._ended.is_set():
            return
        self._close()
        if self._is_stopped:
            return
        until = time.monotonic() + self._patience
        while True:
            try:
                self._send_all()
                if message is not None:
                    self._post(message)
                if status is None:
                    self._update(action="stop")
                else:
                    self._update(status=status)
                return
            except Stopped:
                return
            except _Away as away:
                if time.monotonic() > until:
                    raise RuntimeError("The service did not answer, so draws are missing there: %s" % away) from None
                time.sleep(min(1.0, self._seconds))

    def _close(self):
        self._ended.set()
        self._thread.join()

    def _send_often(self):
        while not self._ended.wait(self._seconds):
            try:
                self._send_all()
                if self._said:
                    _say("Ergodic: the service answers again.")
                self._said = False
            except _Away as away:
                if not self._said:
                    _say("Ergodic: no answer from the service (%s). Trying again; draws are kept." % away)
                self._said = True
            except Stopped:
                self._is_stopped = True
                return
            except Exception as error:
                self._failure = error
                return

    def _send_all(self):
        with self._sending:
            while self._send_some():
                pass

    def _send_some(self):
        """True: there is more. What was refused or lost waits on, under the same numbers."""
        with self._lock:
            batch = {}
            for chain, columns in self._waiting.items():
                most = max(1, _most_values // max(1, len(columns)))
                part = {name: values[:most] for name, values in columns.items()}
                if part and next(iter(part.values())):
                    batch[chain] = part
        if not batch:
            return False
        counts = {chain: len(next(iter(columns.values()))) for chain, columns in batch.items()}
        first = {chain: self._sent.get(chain, 0) + 1 for chain in batch}
        iteration = {chain: [first[chain], first[chain] + counts[chain] - 1] for chain in batch}
        logs = {"vars": batch, "iteration": iteration}
        self._post({"object_type": "experiment.protobuf_message", "logs": logs})
        with self._lock:
            for chain, count in counts.items():
                self._sent[chain] = first[chain] + count - 1
                for values in self._waiting[chain].values():
                    del values[:count]
        return True

    def _raise_failure(self):
        if self._is_stopped:
            raise Stopped(0)
        if self._failure is not None:
            raise self._failure

    def _update(self, **fields):
        payload = dict(object_type="experiment", **fields)
        if "status" in fields:
            info = dict(self._key, experiment_id=self.id, status=fields["status"])
            payload["meta"] = {"run_info": info}
        self._deliver(payload)

    def _post(self, message):
        self._deliver(dict(message, **self._key))

    def _deliver(self, payload):
        address = self.server + "/api/object/" + self.id
        try:
            _request(address, self._token, {"payload": payload}, tries=3)
        except RuntimeError as error:
            code = str(error).split(":")[0]
            if code in ("UNREACHABLE", "UNAVAILABLE", "RATE_LIMITED", "INTERNAL") or code.isdigit():
                raise _Away(str(error)) from None
            raise


class _Away(Exception):
    """No answer for now."""


def _name(chain):
    return chain if isinstance(chain, str) else "chain#%d" % chain


def _number(value):
    return _plain(value.tolist() if hasattr(value, "tolist") else value)


def _say(line):
    print(line, file=sys.stderr, flush=True)


# What PyMC's samplers say of themselves, under the names that Stan's have.
_stats = {
    "model_logp": "lp__",
    "lp": "lp__",
    "acceptance_rate": "accept_stat__",
    "mean_tree_accept": "accept_stat__",
    "step_size": "stepsize__",
    "tree_size": "n_leapfrog__",
    "n_steps": "n_leapfrog__",
    "tree_depth": "treedepth__",
    "depth": "treedepth__",
    "diverging": "divergent__",
    "energy": "energy__",
}


def watch_pymc(run):
    """The `callback` of `pm.sample` that shows every draw after tuning on `run`.

    When the owner stops the run on the service, sampling ends as with Ctrl-C: PyMC gives what it has.
    """

    def callback(trace, draw):
        if run.is_stopped:
            raise KeyboardInterrupt
        if draw.tuning:
            return
        point = trace.point(len(trace) - 1)
        # what PyMC samples on another scale stands beside the variable itself, as "tau_log__"
        values = {name: value for name, value in point.items() if not name.endswith("__")}
        for stats in draw.stats or ():
            for theirs, ours in _stats.items():
                if theirs in stats and ours not in values:
                    values[ours] = float(stats[theirs])
        try:
            run.add(values, chain=draw.chain + 1)
        except Stopped:
            raise KeyboardInterrupt from None

    return callback
