"""What Expyriment (GPL) and PsychoPy (GPL) make of designs; run as a program of its own, never imported by others.

    python peers.py squares MOST                    Latin squares of 1 to MOST conditions as JSON
    python peers.py blocks COUNT REPETITIONS SEEDS  PsychoPy's blocks: a list of orders as JSON
    python peers.py time HOW TRIALS ROUNDS          milliseconds, as JSON, for orders of four conditions

HOW is `expyriment` (a block of trials, shuffled), `expyriment-maxrun` (its shuffle with max_repetitions), `psychopy`
(TrialHandler, fullRandom), `psychopy-blocks` (TrialHandler, random), `python` (random.shuffle), `python-maxrun` (the same,
mended by exchanges until no run is too long) or `python-rejection` (shuffled again until no run is too long).
"""

import json
import os
import random
import sys
import time
from contextlib import redirect_stdout

CONDITIONS = 4
MAX_RUN = 2
# A rejection that has found nothing by then never will.
PATIENCE = 2.0


def squares(count):
    from expyriment.design import permute
    return {kind: permute.latin_square(count, kind) for kind in ("cycled", "balanced")}


def blocks(count, repetitions, seeds):
    from psychopy.data import TrialHandler
    conditions = [{"condition": index} for index in range(count)]
    return [[trial["condition"] for trial in TrialHandler(conditions, repetitions, method="random", seed=seed)]
            for seed in range(seeds)]


def runs_are_short(order):
    run, last = 0, None
    for condition in order:
        run, last = run + 1 if condition == last else 1, condition
        if run > MAX_RUN:
            return False
    return True


def plain(trials, check):
    order = [condition for condition in range(CONDITIONS) for _ in range(trials // CONDITIONS)]
    start = time.monotonic()
    while True:
        random.shuffle(order)
        if check is None or check(order):
            return order
        if time.monotonic() - start > PATIENCE:
            return None


def mended(trials):
    """Shuffles, then exchanges the trial that makes a run too long with another one, until there is none."""
    order = plain(trials, None)
    place = 0
    while place < trials:
        if order[max(0, place - MAX_RUN):place + 1].count(order[place]) <= MAX_RUN:
            place += 1
            continue
        other = random.randrange(trials)
        order[place], order[other] = order[other], order[place]
        place = max(0, min(place, other - MAX_RUN))
    return order if runs_are_short(order) else None


def expyriment_block(trials, max_repetitions):
    from expyriment import design
    block = design.Block()
    for condition in range(CONDITIONS):
        trial = design.Trial()
        trial.set_factor("condition", condition)
        block.add_trial(trial, copies=trials // CONDITIONS)
    if max_repetitions is None:
        block.shuffle_trials()
    elif not block.shuffle_trials(max_repetitions=max_repetitions):
        return None
    return block.trials


def psychopy(trials, method):
    """The order alone, without the objects that are handed out trial by trial."""
    from psychopy.data import TrialHandler
    conditions = [{"condition": index} for index in range(CONDITIONS)]
    return TrialHandler(conditions, trials // CONDITIONS, method=method).sequenceIndices.T.flatten().tolist()


def measure(how, trials, rounds):
    ways = {
        "expyriment": lambda: expyriment_block(trials, None),
        "expyriment-maxrun": lambda: expyriment_block(trials, MAX_RUN),
        "psychopy": lambda: psychopy(trials, "fullRandom"), "psychopy-blocks": lambda: psychopy(trials, "random"),
        "python": lambda: plain(trials, None), "python-maxrun": lambda: mended(trials),
        "python-rejection": lambda: plain(trials, runs_are_short),
    }
    ways[how]() if how != "python-rejection" else None  # Imports are not timed.
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        made = ways[how]()
        times.append((time.perf_counter() - start) * 1000)
        if made is None:
            return None
    return times


def main():
    words = sys.argv[1:]
    with redirect_stdout(open(os.devnull, "w")):
        match words:
            case ["squares", most]: answer = {count: squares(count) for count in range(1, int(most) + 1)}
            case ["blocks", *numbers]: answer = blocks(*map(int, numbers))
            case ["time", how, trials, rounds]: answer = measure(how, int(trials), int(rounds))
            case _: sys.exit(__doc__)
    print(json.dumps(answer))


main()
