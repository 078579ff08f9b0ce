import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Trials with a device at a serial port")
struct SerialTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// When the device is unplugged.
  enum Unplugging: Hashable {
    case after(seconds: Double)
    /// A second after the clip has begun, by the trial's journal.
    case duringClip
  }

  /// A Nonin oximeter behind the link `port`, which is unplugged after so many seconds, or a second after the clip has begun
  /// where none are given, and plugged in again a second later.
  private static let oximeter = """
    import glob, os, pty, sys, time, tty
    def sounds():
        return any('"stimulus.onset"' in open(path).read() for path in glob.glob('results/open/*/journal.jsonl'))
    def plug(seconds):
        device, port = pty.openpty()
        tty.setraw(port)
        os.set_blocking(device, False)
        if os.path.islink('port'):
            os.remove('port')
        os.symlink(os.ttyname(port), 'port')
        start = time.monotonic()
        number = 0
        while seconds is None or time.monotonic() < start + seconds:
            if seconds is None and sounds():
                seconds = time.monotonic() - start + 1
            while number < (time.monotonic() - start) * 75:
                place = number % 25
                packet = [1, 0x81 if place == 0 else 0x80, number % 200, {0: 0, 1: 72, 2: 97}.get(place, 0)]
                try:
                    os.write(device, bytes(packet + [sum(packet) % 256]))
                except BlockingIOError:
                    pass
                number += 1
            time.sleep(0.01)
        os.remove('port')
        os.close(port)
        os.close(device)
    plug(float(sys.argv[1]) if len(sys.argv) > 1 else None)
    time.sleep(1)
    plug(120)
    """

  private func plug(_ unplugging: Unplugging) async throws -> RunningProgram {
    try bench.write(Self.oximeter, to: "oximeter.py")
    let null = unsafe open("/dev/null", O_RDWR)
    defer { close(null) }
    let seconds = if case .after(let seconds) = unplugging { " \(seconds)" } else { "" }
    let program = try RunningProgram(
      ["/bin/sh", "-c", "cd '\(bench.scratch[""])' && exec python3 oximeter.py\(seconds)"],
      environment: ["PATH=/usr/bin:/bin"], streams: [null, null, null])
    while unsafe access(bench.scratch["port"], F_OK) != 0 { await Task.yield() }
    return program
  }

  @Test(
    "A device that is unplugged at any time leaves a whole bundle with the gap in it, and is found again",
    arguments: [.after(seconds: 1.5), .after(seconds: 3), .duringClip, .after(seconds: 8)] as [Unplugging])
  func unplugged(_ unplugging: Unplugging) async throws {
    let recorders = [
      Bench.recorder("hr", "heartRate", "count/min", settle: 1),
      #"{ "identifier": "trace", "quantityType": "photoplethysmogram", "unit": "count", "settle_s": 1 }"#,
    ]
    try bench.write(Bench.music(seconds: 6, recorders: recorders, more: Bench.looped), to: "serial.json")
    let run = try await Turns.trials.take {
      let device = try await plug(unplugging)
      let sensor = "serial:port?kind=nonin"
      let run = try await bench.run(
        bench.trial(of: "serial.json", sensors: ["heartRate=\(sensor)", "photoplethysmogram=\(sensor)"]))
      _ = device
      return run
    }
    guard let bundle = bench.bundles().last else {
      // A busy machine opened it too late: the session is refused with the reason.
      #expect(unplugging != .duringClip && run.status != 0 && run.complaints.contains("was unplugged"), "\(run)")
      return
    }
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "completed", "\(run.output)\(run.complaints)")
    let samples = (result["recordings"]?.array ?? []).map { $0["samples"]?.integer ?? 0 }
    #expect(samples.count == 2 && samples.allSatisfy { $0 > 0 }, "\(samples)\n\(run.output)\(run.complaints)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
    // Unplugged before or after the clip, the trial has no gap.
    if unplugging == .duringClip { #expect(result.caveats().contains("sensorLost"), "\(run.output)\(run.complaints)") }
  }
}
