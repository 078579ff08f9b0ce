station plan protocols/music-and-silence.json --index 1 --seed 1
