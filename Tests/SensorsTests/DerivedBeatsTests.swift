import Basics
import Quantities
import TestSupport
import Testing

@testable import Sensors

@Suite("Beats derived from waveforms, live")
struct DerivedBeatsTests {
  /// What a sensor sends until it ends, or for some seconds; the clock stands beyond them, and the times are in the events.
  private func events(of sensor: any Sensor, seconds: Int) async -> [SensorEvent] {
    let clock = HandClock()
    let end = clock.now.advanced(by: .seconds(seconds))
    let stream = sensor.events(on: clock)
    clock.advance(by: .seconds(seconds + 10))
    var events: [SensorEvent] = []
    for await event in stream {
      events.append(event)
      if case .waveform(let frames) = event, frames.end >= end { break }
    }
    return events
  }

  private func readings(_ events: [SensorEvent]) -> [HeartReading] {
    events.flatMap { event -> [HeartReading] in if case .readings(let batch) = event { batch } else { [] } }
  }

  @Test(
    "An electrocardiogram and a pulse wave give beats, a heart rate and a quality",
    arguments: ["electrocardiogram", "photoplethysmogram"])
  func simulated(quantity: String) async throws {
    let sensor = try SensorAddress("simulated:quantity=\(quantity),rate=72").sensor()
    #expect(sensor.channels.map(\.type).contains(.rrInterval))
    let events = await events(of: sensor, seconds: 60)
    let readings = readings(events)
    let intervals = readings.flatMap(\.rrIntervals)
    #expect(intervals.count > 55)
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    #expect(abs(60_000 / mean - 72) < 4)
    let qualities = readings.flatMap(\.samples).filter { $0.type == .signalQuality }.map(\.value)
    #expect(qualities.count >= 55 && qualities.suffix(40).allSatisfy { $0 > 0.7 })
    #expect(readings.allSatisfy { $0.happened <= $0.arrived })
    let notes = events.filter {
      if case .noted(let text) = $0 { text.contains("derived from its \(quantity)") } else { false }
    }
    #expect(notes.count == 1)
  }

  @Test("A sensor that sends beats of its own keeps them")
  func ownBeats() async throws {
    let frames = WaveformFrames(
      WaveformFormat(.electrocardiogram, rate: 250, channels: ["1"]), happened: Moment(nanoseconds: 0),
      arrived: Moment(nanoseconds: 0), values: [Float](repeating: 0, count: 500))
    let scripted = ScriptedSensor([
      .reading(at: .zero, heartRate: 61), ScriptedSensor.Cue(at: .seconds(1), .waveform(frames)),
      ScriptedSensor.Cue(at: .seconds(2), .ended(reason: "over")),
    ])
    let readings = readings(await events(of: DerivingSensor(scripted), seconds: 10))
    #expect(readings.map(\.heartRate) == [61])
  }

  /// A file of signals that another program wrote.
  private static let plus = "\(Repository.root)/\(Peers.files)/plus.edf"

  @Test(
    "A signal is replayed in blocks of the length that is asked for, and nothing else in blocks",
    arguments: [("", 50), ("?block_ms=10", 2), ("?block_ms=1000", 250)])
  func blocks(options: String, most: Int) async throws {
    let scratch = try ScratchFolder()
    let sensor = try SensorAddress("replay:\(Self.plus)\(options)").sensor()
    let counts = await events(of: sensor, seconds: 5).compactMap { event -> Int? in
      if case .waveform(let frames) = event { frames.count } else { nil }
    }
    #expect(counts.max() == most && counts.reduce(0, +) >= 1000)
    try File.create(scratch["rates.csv"], Array("hr\n60\n".utf8))
    let table = try SensorAddress("replay:\(scratch["rates.csv"])\(options)")
    if options.isEmpty { _ = try table.sensor() } else { #expect(throws: SensorError.self) { try table.sensor() } }
  }

  @Test(
    "A signal in a unit that is not one of its quantity is left out by name, or refused where it was chosen",
    arguments: [
      ("mV", true), ("uV", true), ("Volt", true), ("", true), ("n/a", true), ("adu", false), ("bpm", false),
      ("mmHg", false),
    ])
  func units(unit: String, isReplayed: Bool) async throws {
    let scratch = try ScratchFolder()
    var bytes = try File.contents(of: Self.plus)
    // In the header sixteen bytes for each name and eighty for each sensor come before the units.
    let count = try #require(Int(String(decoding: bytes[252..<256], as: UTF8.self).prefix { $0 != " " }))
    let names = (0..<count).map { String(decoding: bytes[(256 + 16 * $0)..<(272 + 16 * $0)], as: UTF8.self) }
    let place = 256 + 96 * count + 8 * (try #require(names.firstIndex { $0.hasPrefix("ECG II") }))
    bytes.replaceSubrange(
      place..<(place + 8), with: Array(unit.utf8) + Array(repeating: 0x20, count: 8 - unit.utf8.count))
    try File.create(scratch["unit.edf"], bytes)
    let events = await events(of: try SensorAddress("replay:\(scratch["unit.edf"])").sensor(), seconds: 100)
    let types = events.compactMap { event -> QuantityType? in
      if case .waveform(let frames) = event { frames.format.type } else { nil }
    }
    #expect(types.contains(.electrocardiogram) == isReplayed && types.contains(.respiration))
    let notes = events.filter { if case .noted(let text) = $0 { text.contains("“\(unit)”") } else { false } }
    #expect(notes.isEmpty == isReplayed)
    let chosen = Result { try SensorAddress("replay:\(scratch["unit.edf"])?source=ECG II").sensor() }
    #expect(((try? chosen.get()) != nil) == isReplayed)
  }

  @Test("The signals of an EDF file are replayed as waveforms, with their beats")
  func replay() async throws {
    let sensor = try SensorAddress("replay:\(Self.plus)").sensor()
    #expect(sensor.isRecording)
    let events = await events(of: sensor, seconds: 100)
    let all = events.compactMap { event -> WaveformFrames? in
      if case .waveform(let frames) = event { frames } else { nil }
    }
    #expect(Set(all.map(\.format.type)) == [.electrocardiogram, .respiration])
    #expect(all.filter { $0.format.type == .respiration }.reduce(0) { $0 + $1.count } == 1000)
    let frames = all.filter { $0.format.type == .electrocardiogram }
    #expect(frames.reduce(0) { $0 + $1.count } == 5000)
    for (before, next) in zip(frames, frames.dropFirst()) {
      #expect(abs(before.end.duration(to: next.happened).seconds - 0.004) < 1e-6)
    }
    guard case .ended = events.last else {
      Issue.record("the replay did not end")
      return
    }
    let other = #expect(throws: SensorError.self) {
      try SensorAddress("replay:\(Self.plus)?source=EEG").sensor()
    }
    #expect(try #require(other).description.contains("ECG II"))
  }
}
