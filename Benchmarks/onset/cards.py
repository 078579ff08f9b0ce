"""A private PipeWire or PulseAudio whose only sink is the simulated card of card.c, driven by the server's own ALSA driver."""
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


# A sink that plays nothing itself; what it is given is played by the card, which drives the graph.
VIRTUAL = """
context.objects = [ { factory = adapter  args = { factory.name = support.null-audio-sink  node.name = virtual
  media.class = Audio/Sink  audio.position = [ FL FR ]  object.linger = true  priority.driver = 1000
  adapter.auto-port-config = { mode = dsp  monitor = true  position = preserve } } } ]
"""


class Card:
    """Runs while the `with` lasts. The card's position moves by `step` frames, its clock is `ppm` millionths fast."""

    rewinds = True

    def __init__(self, library, tap_file, step, ppm, rate=48000):
        self.folder = tempfile.mkdtemp(prefix="onset-")
        self.library, self.tap_file = library, tap_file
        with open(f"{self.folder}/asound.conf", "w") as file:
            file.write(f'pcm.benchcard {{ type benchcard }}\npcm_type.benchcard {{ lib "{library}" }}\n')
        self.environment = {
            **os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "LANG": "C",
            "ALSA_CONFIG_PATH": f"{self.folder}/asound.conf", "CARD_FILE": tap_file, "CARD_STEP": str(step),
            "CARD_PPM": str(ppm), "CARD_RATE": str(rate)}
        self.environment.pop("PULSE_SERVER", None)

    def start(self, command, environment, question, answer):
        """Starts the server, and asks until its answer holds the card's name."""
        open(self.tap_file, "wb").close()
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(f"{self.folder}/complaints", "a"), start_new_session=True)
        for _ in range(200):
            done = subprocess.run(question, env=self.environment, capture_output=True, text=True)
            if answer in done.stdout:
                return self
            time.sleep(0.05)
        complaints = open(f"{self.folder}/complaints").read()
        self.__exit__()
        raise SystemExit(f"{command[0]} does not start on the simulated card: {complaints}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class CardGraph(Card):
    """The card under PipeWire, in a graph of 48 kHz."""

    speaker = "pipewire:card"
    configuration = CONFIGURATION

    def __enter__(self):
        with open(f"{self.folder}/card.conf", "w") as file:
            file.write(self.configuration)
        return self.start(
            ["pipewire", "-c", f"{self.folder}/card.conf"], self.environment, ["pw-cli", "ls", "Node"], '"card"')


class VirtualGraph(CardGraph):
    """The card behind a virtual sink, whose monitor is linked to it."""

    speaker = "pipewire:virtual"
    configuration = CONFIGURATION.replace("\ncontext.objects = [", VIRTUAL.rstrip()[:-1].rstrip(), 1)

    def __enter__(self):
        super().__enter__()
        for channel in ("FL", "FR"):
            link = ["pw-link", f"virtual:monitor_{channel}", f"card:playback_{channel}"]
            for _ in range(100):
                if subprocess.run(link, env=self.environment, capture_output=True).returncode == 0:
                    break
                time.sleep(0.05)
            else:
                self.__exit__()
                raise SystemExit("the virtual sink cannot be linked to the card")
        return self


class CardServer(Card):
    """The card under PulseAudio, by interrupts: buffers of four periods of 1,024 frames."""

    speaker = "pulse:card"

    def __enter__(self):
        address = f"unix:{self.folder}/native"
        rate = self.environment["CARD_RATE"]
        environment = {**self.environment, "PULSE_STATE_PATH": self.folder, "LD_PRELOAD": self.library}
        self.environment["PULSE_SERVER"] = address
        return self.start(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-level=error",
             f"--load=module-alsa-sink device=benchcard sink_name=card tsched=0 rate={rate} fragments=4 fragment_size=4096",
             f"--load=module-native-protocol-unix socket={self.folder}/native auth-anonymous=1"],
            environment, ["pactl", "list", "short", "sinks"], "card")
