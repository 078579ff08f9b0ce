import Basics
import Foundation
import Glibc
import Quantities
import Signals
import TestSupport
import Testing

@testable import Sensors

@Suite("A camera and films of one")
struct CameraSensorTests {
  /// Everything that a sensor delivers, as fast as it can.
  private static func events(_ sensor: any Sensor) async -> [SensorEvent] {
    await sensor.events(on: RecordingClock()).reduce(into: []) { $0.append($1) }
  }

  private static func readings(of events: [SensorEvent]) -> [HeartReading] {
    events.reduce(into: []) { readings, event in
      if case .readings(let batch) = event { readings += batch }
    }
  }

  private static func sensor(_ film: PulseFilm, _ options: String = "", cutAfter limit: Int? = nil) throws -> (
    sensor: any Sensor, folder: ScratchFolder
  ) {
    let scratch = try ScratchFolder()
    try film.make(scratch["film.mkv"], cutAfter: limit)
    return (try SensorAddress("video:\(scratch["film.mkv"])\(options)").sensor(), scratch)
  }

  private static func film(_ change: (inout PulseFilm) -> Void) -> PulseFilm {
    var film = PulseFilm()
    change(&film)
    return film
  }

  @Test(
    "A film's beats have the intervals that it was made with",
    arguments: [
      ("mjpeg", film { _ in }, ""), ("lossless", film { $0.codec = .ffv1 }, "?channel=blue"),
      ("H.264", film { ($0.codec, $0.noise) = (.h264, 8) }, ""),
      ("uneven times", film { ($0.codec, $0.jitter) = (.ffv1, 0.4) }, "?channel=blue"),
      ("fast", film { $0.rate = 140 }, ""),
    ])
  func beats(what: String, film: PulseFilm, options: String) async throws {
    let (sensor, folder) = try Self.sensor(film, options)
    let events = await Self.events(sensor)
    let readings = Self.readings(of: events)
    let intervals = readings.flatMap(\.rrIntervals)
    let rate = 60_000 * Double(intervals.count) / intervals.reduce(0, +)
    #expect(intervals.reduce(0, +) > 15_000, "\(what): \(intervals.count) intervals, \(events.suffix(2))")
    #expect(abs(rate - film.meanRate) < 1, "\(what): \(rate) instead of \(film.meanRate)")
    #expect(readings.allSatisfy { $0.happened <= $0.arrived })
    for reading in readings where !reading.rrIntervals.isEmpty {
      #expect(reading.contact == true && reading.heartRate != nil && reading.problem == nil)
    }
    // Once a second.
    let qualities = readings.flatMap(\.samples).filter { $0.type == .signalQuality }
    #expect((28...30).contains(qualities.count))
    _ = folder
  }

  @Test("The trace holds every picture's colours at its own time")
  func trace() async throws {
    let film = Self.film { ($0.codec, $0.length, $0.jitter) = (.ffv1, 5, 0.3) }
    let (sensor, folder) = try Self.sensor(film)
    let blocks: [WaveformFrames] = await Self.events(sensor).compactMap { event in
      if case .waveform(let frames) = event { frames } else { nil }
    }
    let first = try #require(blocks.first)
    #expect(first.format.type == .photoplethysmogram && first.format.channels == ["red", "green", "blue"])
    #expect(blocks.reduce(0) { $0 + $1.count } == 150)
    var place = 0
    for block in blocks {
      for frame in 0..<block.count {
        let time = first.happened.duration(to: block.happened).seconds + Double(frame) / block.format.rate
        // Matroska keeps times in milliseconds; within a block, frames are off by 2 ms at most.
        #expect(abs(time - film.times[place]) < 0.0035)
        for colour in 0..<3 {
          #expect(abs(Double(block.values[frame * 3 + colour]) - film.colours[place][colour]) < 1)
        }
        place += 1
      }
    }
    _ = folder
  }

  @Test(
    "What keeps the pulse from being seen is named",
    arguments: [
      (SignalProblem.tooDark, film { ($0.level, $0.depth, $0.noise) = ([9, 5, 4], [0, 0, 0], 1) }),
      (.tooBright, film { ($0.level, $0.depth, $0.drift) = ([255, 255, 255], [0, 0, 0], 0) }),
      (.noFinger, film { ($0.pattern, $0.depth) = (90, [0, 0, 0]) }),
      (.noFinger, film { ($0.level, $0.depth, $0.drift) = ([140, 130, 120], [0, 0, 0], 1) }),
      (.movement, film { ($0.movement, $0.depth, $0.length) = (40, [0, 0, 0], 20) }),
      (.tooFewPictures, film { $0.pictures = 8 }),
      (.noPulse, film { ($0.depth, $0.drift) = ([0, 0, 0], 1) }),
    ])
  func problems(problem: SignalProblem, film: PulseFilm) async throws {
    let (sensor, folder) = try Self.sensor(film)
    let readings = Self.readings(of: await Self.events(sensor))
    #expect(readings.contains { $0.problem == problem }, "\(readings.compactMap(\.problem))")
    #expect(readings.allSatisfy { $0.rrIntervals.isEmpty && $0.heartRate == nil })
    #expect(readings.contains { $0.contact == false } == (problem == .noFinger))
    _ = folder
  }

  @Test("A scene without a finger that changes like a pulse is not a pulse, unless no finger has to cover the lens")
  func scene() async throws {
    let film = Self.film { $0.pattern = 90 }
    for (options, isFound) in [("?channel=blue", false), ("?channel=blue&location=other", true)] {
      let (sensor, folder) = try Self.sensor(film, options)
      let readings = Self.readings(of: await Self.events(sensor))
      #expect(readings.contains { !$0.rrIntervals.isEmpty } == isFound, "\(options)")
      _ = folder
    }
  }

  @Test("Only the region is looked at")
  func region() async throws {
    let film = Self.film { $0.codec = .ffv1 }
    let (sensor, folder) = try Self.sensor(film, "?region=0.25,0.25,0.5,0.5&channel=blue")
    let readings = Self.readings(of: await Self.events(sensor))
    #expect(readings.contains { !$0.rrIntervals.isEmpty })
    _ = folder
  }

  @Test("A film that breaks off delivers what there is and says why")
  func truncated() async throws {
    let (sensor, folder) = try Self.sensor(PulseFilm(), cutAfter: 150_000)
    let events = await Self.events(sensor)
    #expect(events.contains { if case .readings = $0 { true } else { false } })
    guard case .ended(let reason) = events.last else {
      Issue.record("it did not end: \(String(describing: events.last))")
      return
    }
    #expect(!reason.isEmpty)
    _ = folder
  }

  @Test(
    "A file that is not a film ends with a reason",
    arguments: [
      "", "not a film at all, only a text that someone has named so", "\u{1}\u{2}\u{3}RIFF\u{0}\u{0}AVI LIST",
    ])
  func noFilm(content: String) async throws {
    let scratch = try ScratchFolder()
    try Data(content.utf8).write(to: URL(filePath: scratch["film.avi"]))
    let events = await Self.events(try SensorAddress("video:\(scratch["film.avi"])").sensor())
    guard events.count == 1, case .ended(let reason) = events[0] else {
      Issue.record("\(events)")
      return
    }
    #expect(reason.contains("film.avi"))
  }

  @Test("Hostile films neither crash nor hang the station", arguments: 1...6 as ClosedRange<UInt64>)
  func hostile(seed: UInt64) async throws {
    let scratch = try ScratchFolder()
    try Self.film { $0.length = 3 }.make(scratch["film.mkv"])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: scratch["film.mkv"])))
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
    try Data(bytes).write(to: URL(filePath: scratch["film.mkv"]))
    let events = await Self.events(try SensorAddress("video:\(scratch["film.mkv"])").sensor())
    guard case .ended = events.last else {
      Issue.record("\(String(describing: events.last))")
      return
    }
  }

  // MARK: A live camera

  /// A camera that is a FIFO: it sends a film of 30 s at its pace until it is closed, as a network camera does.
  private static func feed(_ scratch: ScratchFolder) throws -> RunningProgram {
    try Self.film { $0.length = 6 }.make(scratch["film.mkv"])
    #expect(unsafe mkfifo(scratch["camera"], 0o600) == 0)
    let null = unsafe open("/dev/null", O_RDWR)
    defer { close(null) }
    return try RunningProgram(
      [
        "ffmpeg", "-nostdin", "-v", "quiet", "-re", "-stream_loop", "100", "-i", scratch["film.mkv"], "-c", "copy",
        "-flush_packets", "1", "-f", "mpjpeg", "-y", scratch["camera"],
      ], environment: ["PATH=/usr/bin:/bin"], streams: [null, null, null])
  }

  @Test("A camera that is unplugged is lost, and heard again when it is back")
  func unplugged() async throws {
    let scratch = try ScratchFolder()
    let sensor = try { () throws in
      #expect(unsafe mkfifo(scratch["camera"], 0o600) == 0)
      defer { unsafe _ = unlink(scratch["camera"]) }
      return try SensorAddress("camera:\(scratch["camera"])").sensor()
    }()
    var feed: RunningProgram? = try Self.feed(scratch)
    var seen: [String] = []
    for await event in sensor.events(on: MonotonicClock()) {
      switch event {
      case .connected:
        seen.append("connected")
        if seen.count == 3 { return #expect(seen == ["connected", "lost", "connected"]) }
      case .waveform where seen == ["connected"]:
        feed?.send(SIGKILL)
        feed = nil
      case .lost(let reason):
        #expect(!reason.isEmpty)
        if seen.last == "connected" { seen.append("lost") }
        unsafe _ = unlink(scratch["camera"])
        if feed == nil { feed = try Self.feed(scratch) }
      default: break
      }
    }
    Issue.record("the stream ended: \(seen)")
  }
}
