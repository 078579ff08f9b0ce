"""Reads what sink_tap.so wrote, rebuilds what the sink really played, and finds tone bursts on CLOCK_MONOTONIC."""
import os
import struct

import numpy as np

RECORD = struct.Struct("<IIqqII")
MAGIC = 0x31504154
RATE = 48000
FRAME_BYTES = 4
NS_PER_FRAME = 1e9 / RATE


def set_rate(rate):
    """The frames per second of what the tap wrote; 48,000 at first."""
    global RATE, NS_PER_FRAME
    RATE, NS_PER_FRAME = rate, 1e9 / rate


def position(path):
    """Where the tap's file ends now: pass it to bursts() to see only what is played from here on."""
    return os.path.getsize(path)


def played(path, offset=0):
    """The left channel of everything that was finally played, with the play time of every block's first frame."""
    with open(path, "rb") as file:
        file.seek(offset)
        data = file.read()
    blocks, at = [], 0
    while at + RECORD.size <= len(data):
        magic, kind, when, latency, length, payload = RECORD.unpack_from(data, at)
        at += RECORD.size
        if magic != MAGIC:
            raise ValueError("the tap's file is damaged")
        if at + payload > len(data):
            break
        frames = length // FRAME_BYTES
        if kind == 1:
            samples = np.frombuffer(data, "<i2", payload // 2, at)[::2] if payload else np.zeros(frames, "<i2")
            blocks.append([when + latency * 1000, samples[:frames]])
            at += payload
            continue
        if kind == 3:
            continue
        while frames > 0 and blocks:  # rewound: what was rendered last is taken back
            last = blocks[-1]
            if len(last[1]) <= frames:
                frames -= len(last[1])
                blocks.pop()
            else:
                last[1] = last[1][:-frames]
                frames = 0
    if not blocks:
        return np.zeros(0), np.zeros(0, int), np.zeros(0)
    starts = np.cumsum([0] + [len(b[1]) for b in blocks[:-1]])
    return np.concatenate([b[1] for b in blocks]).astype(float), starts, np.array([b[0] for b in blocks], float)


def misses(path, offset=0):
    """The moments at which a sink of PipeWire's was late itself, or missed cycles: there it is no truth."""
    with open(path, "rb") as file:
        file.seek(offset)
        data = file.read()
    found, at = [], 0
    while at + RECORD.size <= len(data):
        _, kind, when, _, _, payload = RECORD.unpack_from(data, at)
        at += RECORD.size + payload
        if kind == 3:
            found.append(when)
    return found


def bursts(path, offset=0, gap_ms=50.0, drop_ms=2.0, frequency=1000.0):
    """Every burst: onset_ns, end_ns, length_ms (in frames of the sink, free of its clock's error), drops, drop_ms.

    A clip begins at the peak of a cosine. A resampled one rings before that, so a threshold would fire early by up to
    0.1 ms: the onset is where the tone's phase is zero, nearest to where half its height is crossed. Lengths go from
    crossing to crossing of half the height, where ringing at both ends cancels.
    """
    samples, starts, times = played(path, offset)
    loud = np.flatnonzero(np.abs(samples) > 1638)
    if not len(loud):
        return []
    cuts = np.flatnonzero(np.diff(loud) > gap_ms * RATE / 1000)
    found = []
    for first, last in zip(loud[np.concatenate([[0], cuts + 1])], loud[np.concatenate([cuts, [len(loud) - 1]])]):
        inside = loud[(loud >= first) & (loud <= last)]
        holes = np.diff(inside)
        holes = holes[holes > drop_ms * RATE / 1000]
        height = np.percentile(np.abs(samples[first:last + 1]), 98) / 2
        onset, end = _crossing(samples, first, 1, height), _crossing(samples, last, -1, height)
        phase = _phase_zero(samples, onset, frequency)
        found.append(dict(
            onset_ns=_time(phase if phase is not None else onset + 0.5, starts, times),
            end_ns=_time(end + 0.5, starts, times), length_ms=(end - onset) * 1000 / RATE, drops=len(holes),
            drop_ms=float(holes.sum()) * 1000 / RATE))
    return found


def _crossing(samples, near, step, height):
    """Where |samples| first exceeds `height`, going in from just outside a burst; between frames."""
    at = near - 4 * step
    while 0 <= at < len(samples) and abs(samples[at]) <= height:
        at += step
    before = abs(samples[at - step]) if 0 <= at - step < len(samples) else 0.0
    inside = abs(samples[at]) if 0 <= at < len(samples) else height
    share = (inside - height) / (inside - before) if inside > before else 0.0
    return at - step * share


def _phase_zero(samples, onset, frequency):
    """The place near `onset` where the tone that follows has phase zero; None where the tone does not begin there."""
    first = int(round(onset)) + 1200
    tone = samples[first:first + 4800]
    if len(tone) < 2400:
        return None
    omega = 2 * np.pi * frequency / RATE
    index = np.arange(len(tone) // 48 * 48)
    tone = tone[:len(index)]
    phase = np.arctan2(-np.dot(tone, np.sin(omega * index)), np.dot(tone, np.cos(omega * index)))
    period = RATE / frequency
    zero = first - phase / omega
    zero -= round((zero - onset) / period) * period
    return zero if abs(zero - onset) < 4 else None


def _time(frame, starts, times):
    block = max(0, np.searchsorted(starts, frame, "right") - 1)
    return int(times[block] + (frame - starts[block]) * NS_PER_FRAME)
