"""An electrocardiogram of 250 Hz in lines of 20 ms, as a live amplifier sends it; the times of its R peaks are written down.

    python3 heart.py FILE SEED        # for the sensor lines:exec:…; FILE gets CLOCK_MONOTONIC in seconds, one line a beat
"""
import json
import math
import random
import sys
import time

#: Place, width and height of P, Q, R, S and T, in seconds and millivolts.
WAVES = [(-.16, .022, .12), (-.026, .008, -.12), (0, .011, 1.1), (.028, .010, -.25), (.30, .045, .30)]
RATE, BLOCK = 250, 5


def main():
    random.seed(int(sys.argv[2]))
    beats, frame = [0.5], 0
    with open(sys.argv[1], "a") as file:
        start = time.monotonic()
        while True:
            values = []
            for _ in range(BLOCK):
                t = frame / RATE
                while beats[-1] < t + 2:
                    breath = .04 * math.sin(2 * math.pi * .25 * beats[-1])
                    beats.append(beats[-1] + .85 + breath + random.gauss(0, .01))
                    file.write(f"{start + beats[-1]:.6f}\n")
                    file.flush()
                near = [beat for beat in beats[-8:] if -.5 < t - beat < 1]
                wave = sum(height * math.exp(-.5 * ((t - beat - place) / width) ** 2)
                           for beat in near for place, width, height in WAVES)
                values.append(round(wave + random.gauss(0, .01), 4))
                frame += 1
            # As soon as the last sample was taken.
            time.sleep(max(0, start + (frame - 1) / RATE - time.monotonic()))
            print(json.dumps({"t": (frame - 1) / RATE, "electrocardiogram": values, "samplingRate": RATE}), flush=True)


if __name__ == "__main__":
    main()
