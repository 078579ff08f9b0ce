"""A private PipeWire whose only sink is the simulated card of card.c, driven by PipeWire's own ALSA driver."""
import os
import shutil
import subprocess
import tempfile
import time

CONFIGURATION = """
context.properties = { core.daemon = true  core.name = pipewire-0  mem.allow-mlock = false
  default.clock.rate = 48000  default.clock.quantum = 1024  default.clock.min-quantum = 1024  default.clock.max-quantum = 1024 }
context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert  api.alsa.* = alsa/libspa-alsa
  support.* = support/libspa-support }
context.modules = [ { name = libpipewire-module-protocol-native } { name = libpipewire-module-client-node }
  { name = libpipewire-module-access } { name = libpipewire-module-metadata } { name = libpipewire-module-adapter }
  { name = libpipewire-module-link-factory } { name = libpipewire-module-spa-node-factory } ]
context.objects = [ { factory = adapter  args = { factory.name = api.alsa.pcm.sink  api.alsa.path = benchcard
  node.name = card  media.class = Audio/Sink  device.api = alsa  audio.position = [ FL FR ]  object.linger = true
  priority.driver = 20000  adapter.auto-port-config = { mode = dsp  monitor = false  position = preserve } } } ]
"""


class CardGraph:
    """Runs while the `with` lasts; the card's position moves by `step` frames, and its clock is `ppm` millionths fast."""

    rewinds = True

    def __init__(self, library, tap_file, step, ppm):
        self.folder = tempfile.mkdtemp(prefix="onset-")
        self.tap_file = tap_file
        with open(f"{self.folder}/asound.conf", "w") as file:
            file.write(f'pcm.benchcard {{ type benchcard }}\npcm_type.benchcard {{ lib "{library}" }}\n')
        with open(f"{self.folder}/card.conf", "w") as file:
            file.write(CONFIGURATION)
        self.environment = {
            **os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "LANG": "C",
            "ALSA_CONFIG_PATH": f"{self.folder}/asound.conf", "CARD_FILE": tap_file, "CARD_STEP": str(step),
            "CARD_PPM": str(ppm)}
        self.environment.pop("PULSE_SERVER", None)

    def __enter__(self):
        open(self.tap_file, "wb").close()
        self.process = subprocess.Popen(
            ["pipewire", "-c", f"{self.folder}/card.conf"], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/complaints", "a"), start_new_session=True)
        for _ in range(200):
            done = subprocess.run(["pw-cli", "ls", "Node"], env=self.environment, capture_output=True, text=True)
            if '"card"' in done.stdout:
                return self
            time.sleep(0.05)
        complaints = open(f"{self.folder}/complaints").read()
        self.__exit__()
        raise SystemExit(f"PipeWire does not start on the simulated card: {complaints}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
