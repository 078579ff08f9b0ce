import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("station measure, and trials with a camera")
struct MeasureCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private func make(_ change: (inout PulseFilm) -> Void = { _ in }) throws -> PulseFilm {
    var film = PulseFilm()
    change(&film)
    try film.make(bench.scratch["film.mkv"])
    return film
  }

  private func json(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)).value }

  @Test("A film's heart rate is printed and saved with its dates, source, device and participant")
  func film() async throws {
    let film = try make()
    let words = ["measure", "--sensor", "video:film.mkv", "--participant", "p1", "--json"]
    let measured = try await bench.run(words)
    #expect(measured.status == 0, "\(measured.complaints)")
    let answer = try json(measured.output)
    try AnswersTests.check([("measure", answer)])
    let rate = try #require(answer["heartRate"]?.number)
    #expect(abs(rate - film.meanRate) < 1)
    #expect((0.5...1).contains(try #require(answer["quality"]?.number)))
    let query = try await bench.run(["query", "heartRate", "--participant", "p1", "--json"])
    let sample = try json(query.output)
    #expect(sample["value"]?.number == rate)
    for key in ["startDate", "endDate", "uuid"] { #expect(sample[key]?.string == answer[key]?.string, "\(key)") }
    #expect(query.output.contains("station measure"))
  }

  @Test("With --no-save nothing is kept; any sensor can measure")
  func anySensor() async throws {
    let measured = try await bench.run(["measure", "--sensor", "simulated", "--for", "10s", "--no-save", "--json"])
    #expect(measured.status == 0, "\(measured.complaints)")
    #expect((40...120).contains(try #require(try json(measured.output)["heartRate"]?.number)))
    #expect(bench.names(in: "results").isEmpty)
  }

  @Test(
    "What failed is said with a code, exit status 1, and nothing saved",
    arguments: [
      ("noPulse", [150.0, 110, 90], 30.0, 0.0), ("tooDark", [9, 5, 4], 30, 0), ("movement", [150, 110, 90], 12, 60),
    ])
  func failure(code: String, level: [Double], length: Double, movement: Double) async throws {
    _ = try make { film in
      (film.depth, film.drift) = ([0, 0, 0], 1)
      (film.level, film.length, film.movement) = (level, length, movement)
    }
    let measured = try await bench.run(["measure", "--sensor", "video:film.mkv", "--json"])
    #expect(measured.status == 1)
    #expect(try json(measured.output)["failure"]?.string == code, "\(measured.output)")
    try AnswersTests.check([("measure", try json(measured.output))])
    #expect(measured.complaints.hasPrefix("station: no heart rate was measured: "))
    let query = try await bench.run(["query", "heartRate", "--json"])
    #expect(query.output.isEmpty && query.status == 0)
  }

  @Test("A client that may not write is refused before anything is measured")
  func client() async throws {
    _ = try make()
    #expect(try await bench.run(["measure", "--sensor", "video:film.mkv"]).status == 0)
    for share in ["no", nil] as [String?] {
      if let share {
        let words = ["store", "authorize", "org.example.app", "heartRate", "--share", share]
        #expect(try await bench.run(words).status == 0)
      }
      let client = share == nil ? "org.example.other" : "org.example.app"
      let refused = try await bench.run(["measure", "--sensor", "video:film.mkv", "--client", client])
      #expect(refused.status == 1, "\(refused.output)")
      #expect(!refused.output.contains("heart rate"))
    }
  }

  @Test(
    "Without ffmpeg, without the camera and without the film a clear error comes first",
    arguments: [
      (["measure", "--sensor", "video:film.mkv"], "/nowhere", "ffmpeg"),
      (["measure", "--sensor", "camera:/dev/video99"], "/usr/bin:/bin", "/dev/video99"),
      (["measure", "--sensor", "video:none.mkv"], "/usr/bin:/bin", "none.mkv"),
      (["measure"], "/usr/bin:/bin", "--sensor"),
      (["measure", "--sensor", "video:film.mkv", "--for", "1s"], "/usr/bin", "--for"),
    ])
  func refusals(words: [String], path: String, part: String) async throws {
    _ = try make { $0.length = 1 }
    let refused = try await bench.run(words, environment: ["PATH": path])
    #expect([1, 2].contains(refused.status))
    #expect(refused.complaints.contains(part) && refused.output.isEmpty)
  }

  @Test("A film that breaks off is measured as far as it goes, or says why not", arguments: [(0.8, 0), (0.05, 1)])
  func truncated(share: Double, status: Int32) async throws {
    _ = try make()
    let bytes = try Data(contentsOf: URL(filePath: bench.scratch["film.mkv"]))
    try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(filePath: bench.scratch["film.mkv"]))
    #expect(try await bench.run(["measure", "--sensor", "video:film.mkv", "--no-save"]).status == status)
  }

  // MARK: In a trial

  private static let recorders = [
    Bench.recorder("hr", "heartRate", "count/min", settle: 3), Bench.recorder("rr", "rrInterval", "ms", settle: 3),
    Bench.recorder("quality", "signalQuality", "%", settle: 3),
    #"{ "identifier": "trace", "quantityType": "photoplethysmogram", "unit": "count", "settle_s": 1 }"#,
  ]

  @Test("A trial records beats, heart rate, quality and the trace of a film, and its bundle verifies")
  func trial() async throws {
    _ = try make { $0.length = 40 }
    try bench.write(Bench.music(seconds: 16, recorders: Self.recorders, more: Bench.looped), to: "camera.json")
    let run = try await Turns.trials.take {
      try await bench.run(
        bench.trial(
          of: "camera.json",
          sensors: [
            "heartRate=video:film.mkv", "rrInterval=video:film.mkv", "signalQuality=video:film.mkv",
            "photoplethysmogram=video:film.mkv",
          ]))
    }
    let bundle = try #require(bench.bundles().last, "\(run.complaints)")
    let result = try bench.result(bundle)
    let samples = Dictionary(
      uniqueKeysWithValues: (result["recordings"]?.array ?? []).map { recording in
        (recording["recorder"]?.string ?? recording["identifier"]?.string ?? "", recording["samples"]?.integer ?? 0)
      })
    #expect(samples.values.allSatisfy { $0 > 0 } && samples.count == 4, "\(samples)\n\(run.output)\(run.complaints)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("Before a trial a camera has the time that it needs to find a pulse")
  func warmUp() async throws {
    _ = try make { ($0.length, $0.rate) = (40, 55) }
    #expect(unsafe mkfifo(bench.scratch["camera"], 0o600) == 0)
    try bench.write(Bench.music(seconds: 2, recorders: [Self.recorders[0]], more: Bench.looped), to: "camera.json")
    let null = unsafe open("/dev/null", O_RDWR)
    defer { close(null) }
    let feed = try RunningProgram(
      [
        "ffmpeg", "-nostdin", "-v", "quiet", "-re", "-i", bench.scratch["film.mkv"], "-c", "copy", "-flush_packets",
        "1", "-f", "mpjpeg", "-y", bench.scratch["camera"],
      ], environment: ["PATH=/usr/bin:/bin"], streams: [null, null, null])
    let run = try await Turns.trials.take {
      try await bench.run(bench.trial(of: "camera.json", sensors: ["heartRate=camera:camera"]))
    }
    _ = feed
    let bundle = try #require(bench.bundles().last, "\(run.complaints)")
    let samples = try bench.result(bundle)["recordings"]?.array?.first?["samples"]?.integer
    #expect(samples ?? 0 > 0, "\(run.output)\(run.complaints)")
  }

  /// An ffmpeg that hands over a film at its pace, and hangs or dies after three seconds, as a decoder may.
  private func decoder(_ end: String) throws {
    let text = """
      #!/bin/sh
      case "$*" in *-v*quiet*) exec /usr/bin/ffmpeg "$@" ;; esac
      /usr/bin/ffmpeg -nostdin -v error -re -i "\(bench.scratch["film.mkv"])" -t 3 -copyts -fps_mode passthrough \
        -enc_time_base -1 -vf scale=16:12:flags=area,format=rgb48le -c:v rawvideo -flush_packets 1 -f nut pipe:1
      \(end)
      """
    try FileManager.default.createDirectory(atPath: bench.scratch["bin"], withIntermediateDirectories: false)
    try bench.write(text, to: "bin/ffmpeg")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bench.scratch["bin/ffmpeg"])
  }

  @Test(
    "A decoder that hangs, dies or writes nonsense in a trial leaves a whole bundle with the loss in it",
    arguments: [
      "exec sleep 60", "kill -9 $$", "exec cat /dev/urandom", "echo '/dev/video0: Device or resource busy' >&2; exit 1",
    ])
  func faults(end: String) async throws {
    _ = try make { $0.length = 10 }
    try decoder(end)
    #expect(unsafe mkfifo(bench.scratch["camera"], 0o600) == 0)
    try bench.write(Bench.music(seconds: 9, recorders: Self.recorders, more: Bench.looped), to: "camera.json")
    let sensors = ["heartRate", "rrInterval", "signalQuality", "photoplethysmogram"].map { "\($0)=camera:camera" }
    let run = try await Turns.trials.take {
      let child = try bench.start(
        bench.trial(["--speaker", "silent", "--unattended", "--no-sensor-check"], of: "camera.json", sensors: sensors),
        environment: ["PATH": "\(bench.scratch["bin"]):/usr/local/bin:/usr/bin:/bin"])
      let status = await child.end()
      return (status, child.output.text + child.complaints.text)
    }
    let bundle = try #require(bench.bundles().last, "\(run)")
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "completed")
    #expect(result.caveats().contains("sensorLost"), "\(end): \(result.caveats()) \(run.1)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }
}
