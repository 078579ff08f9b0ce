"""A private PulseAudio with a null sink at 48 kHz and the tap in it; nobody else's server is touched."""
import os
import shutil
import socket
import subprocess
import tempfile
import time


class Server:
    """Runs while the `with` lasts. A silent stream keeps the sink at blocks of 20 ms, as a sound card would.

    `rewinds=False` makes the sink that the station's own private server has: what it has taken stays taken.
    """

    def __init__(self, tap_library, tap_file, asound, rewinds=True):
        self.folder = tempfile.mkdtemp(prefix="onset-")
        self.address = f"unix:{self.folder}/native"
        self.tap_file = tap_file
        self.rewinds = rewinds
        own = dict(HOME=self.folder, XDG_RUNTIME_DIR=self.folder, PULSE_STATE_PATH=self.folder, LANG="C")
        libraries = subprocess.run(["pkg-config", "--variable=libdir", "libpulse"], capture_output=True, text=True)
        libraries = libraries.stdout.strip() or "/usr/lib/x86_64-linux-gnu"
        self.daemon_environment = dict(
            os.environ, **own, SINK_TAP_FILE=tap_file, LD_PRELOAD=tap_library,
            LD_LIBRARY_PATH=f"{libraries}/pulseaudio")
        #: What players are started with.
        self.environment = dict(
            os.environ, **own, PULSE_SERVER=self.address, ALSA_CONFIG_PATH=asound, SDL_AUDIODRIVER="pulseaudio",
            SDL_VIDEODRIVER="dummy", AUDIODRIVER="pulseaudio", PYGAME_HIDE_SUPPORT_PROMPT="1")
        self.processes = []

    def _start(self, command, environment):
        self.processes.append(subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(f"{self.folder}/complaints", "a"), start_new_session=True))

    def __enter__(self):
        open(self.tap_file, "wb").close()
        self._start(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-level=error",
             "--load=module-null-sink sink_name=test rate=48000 format=s16le channels=2"
             + ("" if self.rewinds else " norewinds=1"),
             f"--load=module-native-protocol-unix socket={self.folder}/native auth-anonymous=1"],
            self.daemon_environment)
        for _ in range(200):
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(f"{self.folder}/native")
                break
            except OSError:
                time.sleep(0.05)
        else:
            self.__exit__()
            raise SystemExit("PulseAudio does not start: " + open(f"{self.folder}/complaints").read())
        self._start(
            ["pacat", "-p", "--raw", "--rate=48000", "--format=s16le", "--channels=2", "--latency-msec=50",
             "--process-time-msec=5", "/dev/zero"], self.environment)
        time.sleep(2.5)
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        shutil.rmtree(self.folder)
