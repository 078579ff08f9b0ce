"""mpg123 -R: a loaded, paused clip is unpaused. Arguments: clip, trials."""
import json
import random
import subprocess
import sys
import time

clip, trials = sys.argv[1], int(sys.argv[2])
random.seed(3)
player = subprocess.Popen(
    ["mpg123", "-o", "pulse", "-R"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)


def tell(command):
    player.stdin.write(command + "\n")
    player.stdin.flush()


time.sleep(1)
for _ in range(trials):
    tell("LOADPAUSED " + clip)
    time.sleep(0.4 + random.random() * 0.1)
    called = time.monotonic_ns()
    tell("PAUSE")
    print(json.dumps(dict(t_call=called, t_ret=time.monotonic_ns())), flush=True)
    time.sleep(0.9)
    tell("STOP")
    time.sleep(0.2)
tell("QUIT")
player.wait(timeout=5)
