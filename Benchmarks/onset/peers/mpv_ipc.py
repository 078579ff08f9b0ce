"""mpv: a loaded, paused clip is unpaused over its socket. Arguments: clip, trials."""
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time

clip, trials = sys.argv[1], int(sys.argv[2])
random.seed(3)
path = os.path.join(os.environ["HOME"], f"mpv.{os.getpid()}")
player = subprocess.Popen(
    ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pulse", "--idle=yes", "--pause", "--keep-open=no",
     f"--input-ipc-server={path}"])
connection = socket.socket(socket.AF_UNIX)
for _ in range(100):
    try:
        connection.connect(path)
        break
    except OSError:
        time.sleep(0.05)


def tell(*command):
    connection.sendall(json.dumps({"command": command}).encode() + b"\n")


threading.Thread(target=lambda: [None for _ in iter(lambda: connection.recv(65536), b"")], daemon=True).start()
time.sleep(1)
for _ in range(trials):
    tell("set_property", "pause", True)
    tell("loadfile", clip)
    time.sleep(0.6 + random.random() * 0.1)
    called = time.monotonic_ns()
    tell("set_property", "pause", False)
    print(json.dumps(dict(t_call=called, t_ret=time.monotonic_ns())), flush=True)
    time.sleep(0.6)
tell("quit")
player.wait(timeout=5)
