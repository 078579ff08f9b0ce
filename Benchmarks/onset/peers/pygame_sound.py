"""pygame.mixer: Sound.play(). Arguments: clip, trials (0 plays it once, as a program would), buffer."""
import json
import random
import sys
import time

import pygame

clip, trials, buffer = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
pygame.mixer.init(44100, -16, 2, buffer)
sound = pygame.mixer.Sound(clip)
if trials == 0:
    channel = sound.play()
    while channel.get_busy():
        pygame.time.wait(5)
    sys.exit()
random.seed(3)
time.sleep(2.5)
for _ in range(trials):
    time.sleep(0.5 + random.random() * 0.1)
    called = time.monotonic_ns()
    sound.play()
    print(json.dumps(dict(t_call=called, t_ret=time.monotonic_ns())), flush=True)
time.sleep(1)
