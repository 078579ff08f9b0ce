import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Checking sensors without a trial", .timeLimit(.minutes(5)))
struct CheckSensorTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Ends by itself after two samples and two lines that cannot be read.
  private static let mixed = #"lines:exec:printf '{"hr":61,"rr":[980]}\n72,830\nnonsense\n{"heart_rate":72}\n'"#
  private static let unreadable = #"lines:exec:echo $$ >>pids; while sleep 0.1; do echo '{"heart_rate":72}'; done"#
  private static let mute = "lines:exec:echo $$ >>pids; exec sleep 600"
  private static let good = #"lines:exec:echo $$ >>pids; while sleep 0.1; do echo '{"hr":72,"contact":true}'; done"#

  private func expectNoChildLeft() throws {
    let pids = try String(contentsOfFile: bench.scratch["pids"], encoding: .utf8).split(separator: "\n")
    #expect(!pids.isEmpty)
    for pid in pids { #expect(kill(try #require(pid_t(pid)), 0) < 0, "the sensor's process \(pid) still runs") }
  }

  private func fault(_ line: Int, _ reason: String) -> JSONValue {
    ["line": .integer(line), "reason": .string(reason)]
  }

  @Test("The summary for programs counts what was read and what was not, with line and reason")
  func json() async throws {
    let (status, output, complaints) = try await bench.run(
      ["check", "sensor", "--json", Self.mixed, "lines:exec:echo dead >&2; exit 3"])
    #expect(status == 1 && complaints.isEmpty, "\(complaints)")
    let sensors = try #require(try JSONReader.read(Array(output.utf8)).value["sensors"]?.array)
    #expect(sensors.compactMap { $0["sensor"]?.string } == [Self.mixed, "lines:exec:echo dead >&2; exit 3"])
    #expect(sensors.compactMap { $0["connection"]?.string } == ["ended", "ended"])
    #expect(sensors.compactMap { $0["samples"]?.integer } == [2, 0])
    #expect(sensors.compactMap { $0["rrIntervals"]?.integer } == [2, 0])
    #expect(sensors.compactMap { $0["unreadableLines"]?.integer } == [2, 0])
    #expect(sensors.map { $0["isRecordable"] } == [.bool(true), .bool(false)])
    #expect(sensors[0]["heartRate"]?.number == 72)
    #expect(sensors[0]["firstUnreadable"]?["line"]?.integer == 3)
    #expect(sensors[0]["lastUnreadable"] == fault(4, "neither hr nor rr nor contact nor another channel"))
    #expect(sensors[1]["reason"]?.string?.contains("ended with status 3; its last words: “dead”") == true)
    let alone = try await bench.run(["check", "sensor", "--json", Self.mixed])
    #expect(alone.status == 0, "\(alone.complaints)")
  }

  @Test(
    "A sensor that does not answer is reported with what to do about a sensor of its kind",
    arguments: [
      ("lines:exec:pyhton3 sensor.py", "run the command in a shell"),
      ("lines:exec:exit 3", "run the command in a shell"),
      ("lines:tcp://localhost:1", "see that the program that sends the lines runs"),
      ("bluetooth", "install dbus and bluez"),
    ])
  func remedies(sensor: String, remedy: String) async throws {
    let words = bench.trial(sensors: ["heartRate=\(sensor)"])
    let run = try await bench.run(words, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bench.path)/none"])
    #expect(run.status == 1 && run.complaints.contains("; \(remedy)"), "\(run.complaints)")
    #expect(!run.complaints.contains("in reach, and try again"))
  }

  @Test("Columns of a replayed table that are not read are named, in text and for programs")
  func unreadColumns() async throws {
    try bench.write("time,hr,foo\n0,72,a\n0.1,73,b\n", to: "rates.csv")
    let words = ["check", "sensor", "replay:rates.csv"]
    let text = try await bench.run(words)
    #expect(text.status == 0 && text.output.contains("has one column that is not read: “foo”"), "\(text)")
    let output = try await bench.run(words + ["--json"]).output
    let sensors = try #require(try JSONReader.read(Array(output.utf8)).value["sensors"]?.array)
    #expect(sensors[0]["notes"]?.array == ["has one column that is not read: “foo”"])
  }

  @Test("A text with an unknown header is not replayed as heart rates")
  func unknownHeader() async throws {
    try bench.write("sample\n77\n81\n85\n", to: "sample.csv")
    let (status, _, complaints) = try await bench.run(["check", "sensor", "replay:sample.csv"])
    #expect(status != 0 && complaints.contains("line 1: “sample” is not a number"), "\(complaints)")
  }

  @Test("The lines of one sensor name it only in the summary")
  func one() async throws {
    let (status, output, complaints) = try await bench.run(["check", "sensor", Self.mixed])
    #expect(status == 0 && complaints.isEmpty, "\(complaints)")
    let lines = output.split(separator: "\n").map { $0.split(separator: "s  ", maxSplits: 1).last ?? $0 }
    let expected = [
      "connected", "61 /min, RR 980 ms, delay 830 ms", "72 /min, RR 830 ms",
      "line 4 not read: neither hr nor rr nor contact nor another channel",
    ]
    for line in expected { #expect(lines.contains(line[...]), "\(output)") }
    #expect(output.contains("line 3 not read: "))
    #expect(output.components(separatedBy: Self.mixed).count == 2, "\(output)")
    #expect(output.contains("2 samples in 0.") && output.contains("; 2 lines not read\n"))
  }

  @Test("Several sensors are numbered; an interrupt ends all of them in order", arguments: [SIGINT, SIGTERM, SIGHUP])
  func several(signal: Int32) async throws {
    let sensors = [Self.good, Self.unreadable, Self.mute, "lines:exec:exit 3"]
    let child = try bench.start(["check", "sensor"] + sensors)
    for (number, sensor) in sensors.enumerated() {
      try await child.output.wait(for: "[\(number + 1)] \(sensor)\n")
      try await child.output.wait(for: "s  [\(number + 1)] connected\n")
    }
    try await child.output.wait(for: "s  [1] 72 /min, skin contact\n", times: 2)
    try await child.output.wait(for: "s  [2] line 2 not read: neither hr nor rr nor contact nor another channel\n")
    try await child.output.wait(for: "s  [4] ended: “exit 3” ended with status 3\n")
    try await child.output.wait(for: "s  [3] had sent no reading 3 s after it connected\n")
    child.send(signal)
    // Not every sensor sent something that can be recorded.
    #expect(await child.end() == 1)
    #expect(child.complaints.text.isEmpty, "\(child.complaints.text)")
    let output = child.output.text
    for part in [
      "\(Self.unreadable): no samples in ", "first line not read: line 1: neither hr", "no plausible sample: no data",
    ] {
      #expect(output.contains(part), "\(part) in\n\(output)")
    }
    try expectNoChildLeft()
  }

  @Test("An interrupt ends the check of a good sensor with status 0")
  func good() async throws {
    let child = try bench.start(["check", "sensor", Self.good])
    try await child.output.wait(for: "72 /min, skin contact") { child.send(SIGINT) }
    #expect(await child.end() == 0)
    try expectNoChildLeft()
  }

  @Test("A pipe that is not read holds up neither an interrupt nor the end")
  func unreadPipe() async throws {
    // The pipe is full before the first line.
    let script = #"""
      mkfifo full; exec 3<>full; head -c 65536 /dev/zero >&3; "$0" check sensor "$1" >&3 & child=$!
      while [ ! -s pids ]; do sleep 0.05; done; sleep 0.5; kill -TERM $child; wait $child; echo "status $?"
      """#
    let child = try Child("/bin/bash", ["-c", script, Bench.station, Self.good], in: bench.path)
    #expect(await child.end() == 0)
    // What was printed is not whole.
    #expect(child.output.text == "status 1\n", "\(child.complaints.text)")
    try expectNoChildLeft()
  }

  @Test("On a terminal of 60 columns the status fits one row, and the end leaves the terminal whole")
  func narrow() async throws {
    let child = try bench.start(
      ["check", "sensor", Self.good, Self.unreadable, Self.mute, "lines:exec:exit 3"], input: .terminal)
    let terminal = try #require(child.terminal)
    var size = winsize(ws_row: 20, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
    /// TIOCSWINSZ of <asm/ioctls.h>.
    #expect(unsafe ioctl(terminal.near.fileDescriptor, 0x5414, &size) == 0)
    try await child.output.wait(for: "[1] connected")
    // Of this second all that is drawn is as narrow as the terminal.
    try await child.output.wait(for: "had sent no reading 3 s after")
    let before = child.output.text.utf8.count
    let drawings = child.output.text.components(separatedBy: "[1] 72 /min | ").count
    try await child.output.wait(for: "[1] 72 /min | ", times: drawings + 1)
    child.type("\u{3}")
    #expect(await child.end() == 1)
    let drawn = String(decoding: Array(child.output.text.utf8)[before...], as: UTF8.self)
    let statuses = drawn.split(separator: "\r\u{1B}[K").filter { !$0.contains("\n") }
    #expect(!statuses.isEmpty)
    // The terminal itself shows the key as ^C.
    for status in statuses { #expect(status.replacing("^C", with: "").count < 60, "\(status)") }
    #expect(drawn.contains("[1] 72 /min | [2] no data"), "\(drawn)")
    try expectNoChildLeft()
  }

  @Test(
    "Wrong addresses and options are refused before anything is started",
    arguments: [
      ["strap:AA"], [], ["lines:"], ["lines:exec:"], ["simulated:rate=x"], ["simulated", "simulated"],
      ["--for", "3x", "simulated"], ["--for", "0s", "simulated"], ["simulated", "lines:tcp://host"],
    ])
  func wrong(words: [String]) async throws {
    let (status, output, complaints) = try await bench.run(["check", "sensor"] + words)
    #expect(status == 2, "\(output)\(complaints)")
    #expect(output.isEmpty)
    #expect(complaints.contains("station check sensor"), "\(complaints)")
  }
}
