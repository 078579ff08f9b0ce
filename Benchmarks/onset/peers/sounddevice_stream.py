"""sounddevice: a running stream whose callback begins the clip. Arguments: clip (wav), trials (0: sd.play), latency."""
import json
import random
import sys
import time

import sounddevice
import soundfile

clip, trials, latency = sys.argv[1], int(sys.argv[2]), sys.argv[3]
samples, rate = soundfile.read(clip, dtype="float32")
if trials == 0:
    sounddevice.play(samples, rate, device="default")
    sounddevice.wait()
    sys.exit()
random.seed(3)
state = dict(position=None, claim=None)


def fill(output, frames, times, _):
    output[:] = 0
    if state["position"] is None:
        return
    if state["position"] == 0:
        state["offset"] = time.monotonic() - times.currentTime
        state["claim"] = times.outputBufferDacTime
    piece = samples[state["position"]:state["position"] + frames]
    output[:len(piece)] = piece
    state["position"] += frames
    if state["position"] >= len(samples):
        state["position"] = None


stream = sounddevice.OutputStream(rate, channels=2, callback=fill, latency=latency, device="default")
stream.start()
time.sleep(2.5)
for _ in range(trials):
    time.sleep(0.5 + random.random() * 0.1)
    state["claim"] = None
    called = time.monotonic_ns()
    state["position"] = 0
    while state["claim"] is None:
        time.sleep(0.001)
    offset = state["offset"] if abs(state["offset"]) > 0.5 else 0.0
    print(json.dumps(dict(t_call=called, claim=int((state["claim"] + offset) * 1e9))), flush=True)
time.sleep(1)
stream.stop()
