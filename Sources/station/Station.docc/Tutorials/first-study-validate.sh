station validate protocols/music-and-silence.json
