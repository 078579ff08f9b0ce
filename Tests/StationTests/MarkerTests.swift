import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Trials with markers for other devices")
struct MarkerTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// The device's end of a serial cable behind the link `port`: notes each byte with the time of its arrival, until it has
  /// so many, and is unplugged then.
  private static let listener = """
    import os, pty, sys, time, tty
    device, port = pty.openpty()
    tty.setraw(port)
    os.symlink(os.ttyname(port), 'link')
    os.rename('link', 'port')
    heard = open('heard', 'w', buffering=1)
    for _ in range(int(sys.argv[1])):
        byte = os.read(device, 1)
        print(time.monotonic_ns(), byte[0], file=heard)
    os.remove('port')
    """

  private func plug(_ bytes: Int) async throws -> RunningProgram {
    try bench.write(Self.listener, to: "listener.py")
    let null = unsafe open("/dev/null", O_RDWR)
    defer { close(null) }
    let program = try RunningProgram(
      ["/bin/sh", "-c", "cd '\(bench.scratch[""])' && exec python3 listener.py \(bytes)"],
      environment: ["PATH=/usr/bin:/bin"], streams: [null, null, null])
    while unsafe access(bench.scratch["port"], F_OK) != 0 { await Task.yield() }
    return program
  }

  private func heard() throws -> [(nanoseconds: Int, byte: Int)] {
    let text = try String(contentsOfFile: bench.scratch["heard"], encoding: .utf8)
    return text.split(separator: "\n").map { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      return (numbers[0], numbers[1])
    }
  }

  @Test("A code comes to the device at the measured onset, and the result has its times")
  func code() async throws {
    try bench.write(Bench.music(seconds: 2, more: Bench.looped), to: "short.json")
    let run = try await Turns.trials.take {
      let device = try await plug(2)
      let run = try await bench.run(
        bench.trial(["--speaker", "silent", "--unattended", "--markers", "serial:port?pulse_ms=50"]))
      _ = device
      return run
    }
    let result = try bench.result(try #require(bench.bundles().last, "\(run.output)\(run.complaints)"))
    let markers = result["markers"]?.array ?? []
    let marker = try #require(markers.first)
    #expect(markers.count == 1 && marker["code"]?.integer == 1 && marker["output"]?.string == "serial:port?pulse_ms=50")
    #expect(marker["failure"] == .null && marker["intended_ns"] == result["playback"]?["scheduled_ns"])
    let zero = try #require(result["place"]?["zero_ns"]?.integer)
    let sent = try #require(marker["sent"]?["t_ns"]?.integer)
    let uncertainty = try #require(marker["sent"]?["uncertainty_ns"]?.integer)
    let heard = try heard()
    #expect(heard.map(\.byte) == [1, 0])
    // Nothing comes before it was sent; how long it took to be noticed is the computer's affair.
    #expect(heard[0].nanoseconds >= zero + sent - uncertainty)
    #expect(heard[1].nanoseconds - heard[0].nanoseconds > 10_000_000)
    #expect(result.caveats().contains("markerShifted") || abs(heard[0].nanoseconds - zero - sent) < 1_000_000_000)
    #expect(try await bench.run(["verify", "results"]).status == 0)
  }

  @Test("A pulse on the channel that a clip leaves free has the time of the onset")
  func pulse() async throws {
    try bench.write(Bench.music(seconds: 1, more: Bench.looped), to: "short.json")
    let run = try await Turns.trials.take {
      try await bench.run(bench.trial(["--speaker", "silent", "--unattended", "--markers", "audio:2"]))
    }
    let result = try bench.result(try #require(bench.bundles().last, "\(run.output)\(run.complaints)"))
    let markers = result["markers"]?.array ?? []
    #expect(markers.count == 1 && markers.first?["sent"] == result["playback"]?["onset"])
    #expect(markers.first?["output"]?.string == "audio:2" && markers.first?["code"] == .null)
  }

  @Test("A device that was unplugged is a caveat, and the trial goes on")
  func unplugged() async throws {
    try bench.write(Bench.music(seconds: 1, more: Bench.looped), to: "short.json")
    let run = try await Turns.trials.take {
      // It is gone after the reset of the first trial's code.
      let device = try await plug(2)
      let run = try await bench.run(
        bench.trial(["--speaker", "silent", "--unattended", "--repeat", "2", "--markers", "serial:port"]))
      _ = device
      return run
    }
    let bundles = try bench.bundles().map { try bench.result($0) }
    #expect(bundles.map { $0["outcome"]?.string } == ["completed", "completed"], "\(run.output)\(run.complaints)")
    #expect(bundles.map { $0.caveats().contains("markersFailed") } == [false, true], "\(run.output)")
    #expect(run.status == 4)
  }

  @Test(
    "An output that cannot be used is refused before anything is recorded",
    arguments: [
      ("serial:nowhere", 1), ("audio:3", 1), ("audio:1", 1), ("audio:0", 2), ("paralel:1", 2),
    ])
  func refused(output: String, status: Int32) async throws {
    try bench.write(Bench.music(seconds: 1, more: Bench.looped), to: "short.json")
    let run = try await bench.run(bench.trial(["--speaker", "silent", "--unattended", "--markers", output]))
    #expect(run.status == status && run.complaints.contains("marker"), "\(run.complaints)")
    #expect(bench.bundles().isEmpty)
  }
}
