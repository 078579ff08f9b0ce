"""PsychPortAudio, started 0.2 s ahead for a moment. Arguments: clip (wav), trials, latency class, latency in s or 0."""
import json
import random
import sys
import time

import soundfile
from psychtoolbox import GetSecs, PsychPortAudio, WaitSecs, audio

clip, trials, latency_class, latency = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
samples, rate = soundfile.read(clip, dtype="float32")
random.seed(3)
PsychPortAudio("EngineTunables", [], [], [], 0)  # or else it suspends every sink of PulseAudio
audio.verbosity(1)
options = dict(suggested_latency=latency) if latency else {}
stream = audio.Stream(mode=1, latency_class=latency_class, freq=rate, channels=2, **options)
stream.fill_buffer(samples)
time.sleep(2)
stream.start(1, GetSecs() + 0.2, 0)  # a first one for warming up
time.sleep(1)
stream.stop(1, 1)
for _ in range(trials):
    WaitSecs(0.4 + random.random() * 0.1)
    now, called = GetSecs(), time.monotonic_ns()
    offset, scheduled = called - now * 1e9, now + 0.2
    stream.start(1, scheduled, 0)
    returned = time.monotonic_ns()
    time.sleep(0.35)
    status = stream.status
    time.sleep(0.4)
    print(json.dumps(dict(
        t_call=called, t_ret=returned, t_sched=int(scheduled * 1e9 + offset),
        claim=int(status["StartTime"] * 1e9 + offset))), flush=True)
    stream.stop(1, 1)
stream.close()
