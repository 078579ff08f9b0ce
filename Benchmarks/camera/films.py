"""Films of a fingertip or a face with known beats: `films.py FILE KEY=VALUE…` encodes one and prints its beats as JSON.

Blood darkens all colours; the brightness drifts by a slow sine and a random walk, each place has a texture and noise.
"""

import json
import subprocess
import sys

import numpy

CODECS = {
    "ffv1": ["-c:v", "ffv1", "-pix_fmt", "gbrp"],
    "mjpeg": ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj422p"],
    "crf18": ["-c:v", "libx264", "-crf", "18", "-preset", "veryfast", "-pix_fmt", "yuv420p"],
}
FINGER = dict(depth=(0.2, 0.6, 2.0), level=(150, 110, 90), drift=8.0)
FACE = dict(depth=(0.2, 0.6, 0.3), level=(150, 110, 90), drift=4.0)


def beats(generator, rate, final, length):
    times = [-1.0]
    while times[-1] < length + 2:
        now = rate + (final - rate) * min(max(times[-1] / length, 0), 1)
        vary = 1 + 0.03 * numpy.sin(0.2 * numpy.pi * times[-1]) + 0.01 * generator.standard_normal()
        times.append(times[-1] + 60 / now * vary)
    return numpy.array(times)


def wave(times, beats):
    """A steep systolic and a lower dicrotic wave in each interval."""
    index = numpy.clip(numpy.searchsorted(beats, times, side="right") - 1, 0, len(beats) - 2)
    phase = (times - beats[index]) / (beats[index + 1] - beats[index])
    return numpy.exp(-(((phase - 0.25) / 0.10) ** 2)) + 0.35 * numpy.exp(-(((phase - 0.55) / 0.12) ** 2))


def make(path, seed=1, rate=72, final=None, length=30, fps=30, width=64, height=64, noise=3.0, movement=0.0, jitter=0.0,
         codec="mjpeg", depth=FINGER["depth"], level=FINGER["level"], drift=FINGER["drift"]):
    """Encodes a film; returns the times of its beats and pictures."""
    generator = numpy.random.default_rng(seed)
    truth = beats(generator, rate, final or rate, length)
    count = int(length * fps)
    steps = (1 + jitter * generator.uniform(-1, 1, count)) / fps
    times = numpy.concatenate([[0], numpy.cumsum(steps)[:-1]])
    shift = drift * numpy.sin(2 * numpy.pi * times / 17)
    shift += drift * 0.5 * numpy.cumsum(generator.standard_normal(count)) / numpy.sqrt(count)
    for _ in range(3 if movement else 0):
        start = int(generator.integers(0, count - fps))
        shift[start:start + fps] += movement * numpy.sin(numpy.linspace(0, 2 * numpy.pi, fps))
    colours = numpy.array(level) + shift[:, None] * numpy.array([1, 0.9, 0.8]) - wave(times, truth)[:, None] * numpy.array(depth)
    texture = generator.normal(0, 6, (height, width, 1)).astype(numpy.float32)
    # Drawn once and cut from another place for each picture: drawing it anew takes most of the time.
    pool = generator.normal(0, noise, (height * 2, width * 2, 3)).astype(numpy.float32)
    command = ["ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(fps), "-i", "-"]
    if jitter:
        tree = expression([int(round(time * 1e6)) for time in times], 0)
        command += ["-vf", f"settb=1/1000000,setpts='{tree}'", "-fps_mode", "passthrough", "-enc_time_base", "1/1000000"]
    encoder = subprocess.Popen(command + CODECS[codec] + [path], stdin=subprocess.PIPE)
    for colour in colours.astype(numpy.float32):
        y, x = generator.integers(0, height), generator.integers(0, width)
        picture = colour + texture + pool[y:y + height, x:x + width]
        encoder.stdin.write(numpy.clip(picture + 0.5, 0, 255).astype(numpy.uint8).tobytes())
    encoder.stdin.close()
    if encoder.wait() != 0:
        sys.exit("ffmpeg could not encode the film")
    return truth, times


def expression(values, first):
    """The value for the number of a picture, as a tree of comparisons in ffmpeg's language."""
    if len(values) == 1:
        return str(values[0])
    middle = len(values) // 2
    return f"if(lt(N,{first + middle}),{expression(values[:middle], first)},{expression(values[middle:], first + middle)})"


if __name__ == "__main__":
    for line in sys.stdin:
        job = json.loads(line)
        truth, _ = make(**job)
        print(json.dumps([float(beat) for beat in truth]), flush=True)
