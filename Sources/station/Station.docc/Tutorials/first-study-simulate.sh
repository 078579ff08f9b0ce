station simulate protocols/music-and-silence.json --participants 3 --seed 1 --results first-study
