import ctypes, io, json, os, resource, shutil, signal, socket, subprocess, sys, tarfile, threading

plan = json.loads(sys.argv[1])
CONTROL, OUTPUTS = 3, 4


def copy_stream(source, sink):
    try:
        while True:
            chunk = source.recv(65536)
            if not chunk:
                break
            sink.sendall(chunk)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def relay(port, path):
    server = socket.create_server(("127.0.0.1", port), backlog=64)

    def serve():
        while True:
            inner, _ = server.accept()
            outer = socket.socket(socket.AF_UNIX)
            try:
                outer.connect(path)
            except OSError:
                inner.close()
                continue
            for pair in ((inner, outer), (outer, inner)):
                threading.Thread(target=copy_stream, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()


def bound():
    limits = plan["limits"]
    kinds = {
        "memory": resource.RLIMIT_AS,
        "cpu": resource.RLIMIT_CPU,
        "file": resource.RLIMIT_FSIZE,
        "processes": resource.RLIMIT_NPROC,
        "descriptors": resource.RLIMIT_NOFILE,
    }
    for name, kind in kinds.items():
        if limits.get(name) is not None:
            resource.setrlimit(kind, (limits[name], limits[name]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: it ends when the launcher does
    except (OSError, AttributeError):
        pass


def listen_for_stop(child):
    asked = os.read(CONTROL, 1)
    try:
        os.killpg(child.pid, signal.SIGTERM if asked else signal.SIGKILL)
    except OSError:
        pass


def hand_out(folder):
    left = plan["outputBytes"]
    with os.fdopen(OUTPUTS, "wb") as pipe, tarfile.open(fileobj=pipe, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for parent, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(parent, name)
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                left -= os.path.getsize(path)
                if left < 0:
                    sys.stderr.write("The outputs are larger than allowed and were cut.\n")
                    return
                with open(path, "rb") as file:
                    content = file.read()
                entry = tarfile.TarInfo(os.path.relpath(path, folder))
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))


if plan["source"] is not None:
    shutil.copytree(plan["source"], plan["folder"], dirs_exist_ok=True)
os.makedirs(plan["outputs"], exist_ok=True)
os.makedirs(plan["cwd"], exist_ok=True)
if plan["relay"] is not None:
    relay(plan["relay"]["port"], plan["relay"]["socket"])
try:
    child = subprocess.Popen(
        plan["argv"], cwd=plan["cwd"], env=plan["env"], preexec_fn=bound, start_new_session=True
    )
except OSError as error:
    sys.stderr.write("%s: %s\n" % (plan["argv"][0], error.strerror))
    sys.exit(127)
threading.Thread(target=listen_for_stop, args=(child,), daemon=True).start()
code = child.wait()
try:
    os.killpg(child.pid, signal.SIGKILL)
except OSError:
    pass
try:
    hand_out(plan["outputs"])
except OSError:
    pass
sys.stdout.flush()
sys.stderr.flush()
os._exit(code if code >= 0 else 128 - code)
