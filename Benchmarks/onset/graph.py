"""A private PipeWire with session manager, pipewire-pulse and the tap as its default sink; nobody else's server is touched."""
import os
import shutil
import subprocess
import tempfile
import time


class Graph:
    """Runs while the `with` lasts. A silent stream keeps the graph running, as another program on a desktop would."""

    rewinds = True

    def __init__(self, tap_program, tap_file, asound):
        self.folder = tempfile.mkdtemp(prefix="onset-")
        self.tap_program = tap_program
        self.tap_file = tap_file
        self.environment = {
            **os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "LANG": "C",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus", "ALSA_CONFIG_PATH": asound,
            "SDL_AUDIODRIVER": "pulseaudio", "SDL_VIDEODRIVER": "dummy", "AUDIODRIVER": "pulseaudio",
            "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        # The station would take it for the wish to play through PulseAudio.
        self.environment.pop("PULSE_SERVER", None)
        self.processes = []

    def _start(self, *command):
        self.processes.append(subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(f"{self.folder}/complaints", "a"), start_new_session=True))

    def _wait(self, command, answer=""):
        for _ in range(200):
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
            if done.returncode == 0 and answer in done.stdout:
                return
            time.sleep(0.05)
        complaints = open(f"{self.folder}/complaints").read()
        self.__exit__()
        raise SystemExit(f"PipeWire does not start ({' '.join(command)}): {complaints}")

    def __enter__(self):
        open(self.tap_file, "wb").close()
        self._start("dbus-daemon", "--session", f"--address=unix:path={self.folder}/bus", "--nofork", "--nopidfile")
        self._wait(["test", "-S", f"{self.folder}/bus"])
        self._start("pipewire")
        self._wait(["pw-cli", "info", "0"])
        self._start("wireplumber")
        self._start("pipewire-pulse")
        self._wait(["pactl", "info"])
        self._start(self.tap_program, "test", self.tap_file)
        self._wait(["pactl", "list", "short", "sinks"], "test")
        self._wait(["pactl", "set-default-sink", "test"])
        self._wait(["pactl", "info"], "Default Sink: test")
        self._start("pacat", "-p", "--raw", "--rate=48000", "--format=float32le", "--channels=2", "/dev/zero")
        time.sleep(1)
        return self

    def set_quantum(self, frames):
        """Makes every cycle so long; 0 leaves it to the programs."""
        subprocess.run(
            ["pw-metadata", "-n", "settings", "0", "clock.force-quantum", str(frames)], env=self.environment,
            check=True, stdout=subprocess.DEVNULL)
        time.sleep(1)

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
