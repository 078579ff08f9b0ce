import Basics
import Study
import TestSupport
import Testing

@testable import Bundles
@testable import Quantities

@Suite("What a recorder cuts out of a stream")
struct RecorderCutTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static func gap(_ times: Range<Duration>, _ cause: TrialRecord.Gap.Cause) -> TrialRecord.Gap {
    TrialRecord.Gap(span: .init(times), cause: cause, reason: cause == .sensorLost ? "x" : nil)
  }

  /// A recording of one segment from 10 s to 40 s.
  private func recording(
    _ type: QuantityType = .heartRate, unit: Quantities.Unit = .countPerMinute,
    with extra: [(Int, JournalEvent)] = [], segments: [(Int, Int?)] = [(10_000, 40_000)]
  ) throws -> RecorderCut {
    var opening = TrialStory.opening
    opening.recorders = [
      TrialRecorder(
        step: "music", configuration: RecorderConfiguration(identifier: "r", quantityType: type, unit: unit),
        sensor: SensorSource(name: "simulated"))
    ]
    var events: [(Int, JournalEvent)] = extra
    for (index, segment) in segments.enumerated() {
      events.append((segment.0, .recorderStarted(recorder: "r", step: "music", segment: index)))
      if let stop = segment.1 {
        events.append((stop, .recorderStopped(recorder: "r", step: "music", segment: index)))
      }
    }
    events.append((50_000, .trialClosed(TrialStory.good().closing(.completed))))
    events.sort { $0.0 < $1.0 }
    var bytes = JournalRecord(sequence: 0, time: .zero, event: .trialOpened(opening)).line()
    for (index, event) in events.enumerated() {
      bytes += JournalRecord(sequence: index + 1, time: .milliseconds(event.0), event: event.1).line()
    }
    let path = scratch["journal-\(UInt64.random(in: .min ... .max))"]
    try File.create(path, bytes)
    return RecorderCut(opening.recorders[0], in: try TrialAccount(of: .file(path)))
  }

  @Test(
    "A sample belongs to it from the start to before the stop, and when it arrives within the settle window",
    arguments: [
      (9_999, 9_999, false, false), (10_000, 10_000, true, false), (39_999, 39_999, true, false),
      (39_999, 40_000, true, false), (39_999, 40_001, true, true), (39_999, 43_000, true, true),
      (39_999, 43_001, false, false), (40_000, 40_000, false, false), (9_999, 10_500, false, false),
    ])
  func cut(time: Int, arrival: Int, isTaken: Bool, isLate: Bool) throws {
    var recording = try recording()
    let samples = recording.take(TrialStory.reading(61, [], at: time, arriving: arrival), at: .milliseconds(time))
    #expect(samples.count == (isTaken ? 1 : 0))
    #expect(recording.samples == samples.count)
    #expect(recording.late == (isLate ? 1 : 0))
    #expect(samples.allSatisfy { $0.isLate == isLate })
  }

  @Test("Another sensor's readings and readings without a rate are not heart rates")
  func foreign() throws {
    var recording = try recording()
    var reading = TrialStory.reading(61, [], at: 20_000)
    reading.sensor = "other"
    #expect(recording.take(reading, at: .milliseconds(20_000)) == [])
    #expect(recording.take(TrialStory.reading(nil, [980], at: 20_000), at: .milliseconds(20_000)) == [])
  }

  @Test("A rate is written in the recorder's unit")
  func units() throws {
    var recording = try recording(unit: .countPerSecond)
    let samples = recording.take(TrialStory.reading(72, [], at: 20_000), at: .milliseconds(20_000))
    #expect(abs((samples.first?.value ?? 0) - 1.2) < 1e-12)
  }

  @Test("Intervals end at the beats that the last beat's time and they themselves give")
  func intervals() throws {
    var recording = try recording(.rrInterval, unit: .second)
    let samples = recording.take(
      TrialStory.reading(nil, [900, 800.5, 1000], at: 11_000), at: .milliseconds(11_000))
    // The beats were at 8.2995 s, 9.1995 s, 10.0 s and 11.0 s; the recorder started at 10 s.
    #expect(
      samples == [
        RecorderCut.Sample(start: .microseconds(9_199_500), end: .seconds(10), value: 0.8005, isLate: false),
        RecorderCut.Sample(start: .seconds(10), end: .seconds(11), value: 1, isLate: false),
      ])
  }

  @Test("Count, extremes, mean and last value are those of the samples by their own time")
  func summary() throws {
    var recording = try recording()
    for (time, rate) in [(12_000, 61.0), (14_000, 75), (13_000, 58), (14_000, 66)] {
      _ = recording.take(TrialStory.reading(rate, [], at: time, arriving: 15_000), at: .milliseconds(time))
    }
    #expect(recording.samples == 4)
    #expect(recording.smallest == 58)
    #expect(recording.largest == 75)
    #expect(recording.mean == 65)
    #expect(recording.lastValue == 66)
    #expect(recording.first == .seconds(12))
    #expect(recording.last == .seconds(14))
  }

  @Test(
    "More than ten seconds without a sample is a gap, at the start, between samples and at the end",
    arguments: [
      ([Int](stride(from: 10_000, to: 40_000, by: 1000)), []),
      ([Int](stride(from: 20_000, to: 40_000, by: 10_000)), []),
      ([21_000, 30_000], [(10_000, 21_000)]),
      ([11_000, 32_000], [(11_000, 32_000)]),
      ([15_000, 20_000], [(20_000, 40_000)]),
      ([], [(10_000, 40_000)]),
    ])
  func silence(times: [Int], gaps: [(Int, Int)]) throws {
    var recording = try recording()
    for time in times { _ = recording.take(TrialStory.reading(61, [], at: time), at: .milliseconds(time)) }
    #expect(
      recording.gaps
        == gaps.map { Self.gap(.milliseconds($0)..<(.milliseconds($1)), .silence) })
  }

  private static let whole = Array(10...39)
  private static let start = Array(10...15)
  private static let middle = Array(16...29)
  private static let end = Array(30...39)

  /// Seconds at which samples come, in the order of the journal, and the seconds of 30 that they cover.
  private static let covered: [([Int], Double)] = [
    (whole, 30), (Array(11...39), 30), (Array(15...39), 26), ([10], 5), ([39], 1), ([20, 30], 10),
    (Array(10...34), 30), (Array(10...32), 28), ([], 0), (whole.reversed(), 30),
    // A batch that comes late fills the hole.
    (start + end + middle, 30), (start + end + [25], 25),
  ]

  @Test(
    "A sample covers the time to the next, at most five seconds, in the order of their own times", arguments: covered)
  func coverage(times: [Int], covered: Double) throws {
    var recording = try recording()
    for time in times {
      _ = recording.take(TrialStory.reading(61, [], at: time * 1000, arriving: 40_000), at: .seconds(time))
    }
    #expect(recording.covered == .seconds(covered))
    #expect(abs(recording.coverage - covered / 30) < 1e-9)
  }

  @Test("A late batch that fills a hole leaves no gap, wherever it stands in the journal")
  func filledSilence() throws {
    var recording = try recording()
    for time in Array(10...12) + Array(30...39) {
      _ = recording.take(TrialStory.reading(61, [], at: time * 1000), at: .seconds(time))
    }
    #expect(recording.gaps == [Self.gap(.seconds(12)..<(.seconds(30)), .silence)])
    for time in 13...29 {
      _ = recording.take(TrialStory.reading(61, [], at: time * 1000, arriving: 40_000), at: .seconds(time))
    }
    #expect(recording.gaps == [])
  }

  @Test(
    "A loss that the sensor fills afterwards is not a gap, and what it fills in part is a shorter one",
    arguments: [
      ([Int](), [(15, 25)]), ([16, 17, 18, 19, 20, 21, 22, 23, 24], []), ([16, 17, 18, 19, 20], [(20, 25)]),
      ([16, 24], [(16, 24)]),
    ] as [([Int], [(Int, Int)])])
  func filledLoss(times: [Int], gaps: [(Int, Int)]) throws {
    let lost = JournalEvent.sensorLost(sensor: "simulated", reason: "x", isFinal: false)
    let back = JournalEvent.sensorConnected(sensor: "simulated", device: nil)
    var recording = try recording(with: [(15_000, lost), (25_000, back)])
    for time in [10, 11, 12, 13, 14] + Array(26...39) + times {
      _ = recording.take(TrialStory.reading(61, [], at: time * 1000), at: .seconds(time))
    }
    #expect(recording.gaps == gaps.map { Self.gap(.seconds($0)..<(.seconds($1)), .sensorLost) })
  }

  @Test("A silence that a lost sensor explains is reported once, cut to the recorder's segments")
  func loss() throws {
    let lost = JournalEvent.sensorLost(sensor: "simulated", reason: "x", isFinal: false)
    let back = JournalEvent.sensorConnected(sensor: "simulated", device: nil)
    var recording = try recording(with: [(5000, lost), (15_000, back), (35_000, lost), (36_000, lost)])
    for time in [16_000, 25_000, 34_000] {
      _ = recording.take(TrialStory.reading(61, [], at: time), at: .milliseconds(time))
    }
    #expect(
      recording.gaps == [
        Self.gap(.seconds(10)..<(.seconds(15)), .sensorLost),
        Self.gap(.seconds(35)..<(.seconds(40)), .sensorLost),
      ])
  }

  /// What a sensor says at a time: a rate and an interval with contact, only a rate, or that it has no contact.
  private enum Said { case beat, rate, off, offWithRate, contact, noPulse }

  private func take(_ said: [(Int, Said)], into recording: inout RecorderCut) {
    for (time, said) in said {
      let isOff = said == .off || said == .offWithRate
      var reading = TrialStory.reading(isOff || said == .contact ? nil : 60, said == .beat ? [1000] : [], at: time)
      reading.contact = !isOff
      if said == .noPulse {
        (reading.heartRate, reading.contact, reading.problem) = (nil, nil, .movement)
      }
      if said == .offWithRate { reading.heartRate = 60 }
      _ = recording.take(reading, at: .milliseconds(time))
    }
  }

  @Test(
    "More than two seconds in which the sensor says that it does not touch the skin are a gap from beat to beat",
    arguments: [
      ([(14_000, .beat), (15_000, .off), (20_000, .off), (22_000, .beat)], [(14_000, 21_000)]),
      ([(14_000, .rate), (15_000, .off), (16_000, .rate)], []),
      ([(14_000, .rate), (15_000, .off), (16_001, .rate)], [(14_000, 16_001)]),
      ([(14_000, .rate), (15_000, .offWithRate), (18_000, .offWithRate), (19_000, .rate)], [(14_000, 19_000)]),
      ([(14_000, .rate), (15_000, .off), (16_000, .contact), (19_000, .rate)], [(14_000, 19_000)]),
      ([(14_000, .rate), (16_000, .contact), (19_000, .rate)], []),
      // One sentence for a silence that began with it, from before the recorder or to its end.
      ([(8000, .rate), (9000, .off), (24_000, .rate)], [(10_000, 24_000)]),
      ([(9000, .rate), (11_000, .rate), (20_500, .rate), (21_000, .off)], [(20_500, 30_000)]),
      ([(9000, .off)], [(10_000, 30_000)]),
      ([(9000, .rate), (9500, .off), (11_000, .rate), (20_000, .rate)], []),
      // What was held back does not end it.
      ([(14_000, .rate), (18_000, .off), (16_000, .rate), (20_000, .rate)], [(16_000, 20_000)]),
    ] as [([(Int, Said)], [(Int, Int)])])
  private func contact(said: [(Int, Said)], gaps: [(Int, Int)]) throws {
    var recording = try recording(segments: [(10_000, 30_000)])
    take(said + (said.count > 1 && said.last?.1 != .off ? [(25_000, .rate), (29_000, .rate)] : []), into: &recording)
    #expect(
      recording.gaps == gaps.map { Self.gap(.milliseconds($0)..<(.milliseconds($1)), .noContact) })
  }

  @Test(
    "More than two seconds in which a sensor sees no pulse are a gap of their own kind",
    arguments: [
      ([(14_000, .rate), (15_000, .noPulse), (20_000, .rate)], [(14_000, 20_000)]),
      ([(14_000, .rate), (15_000, .noPulse), (16_000, .rate)], []),
      ([(10_000, .rate), (28_000, .noPulse)], [(10_000, 30_000)]),
    ] as [([(Int, Said)], [(Int, Int)])])
  private func pulse(said: [(Int, Said)], gaps: [(Int, Int)]) throws {
    var recording = try recording(segments: [(10_000, 30_000)])
    take(said + (said.last?.1 == .noPulse ? [] : [(25_000, .rate), (29_000, .rate)]), into: &recording)
    #expect(recording.gaps == gaps.map { Self.gap(.milliseconds($0)..<(.milliseconds($1)), .noPulse) })
  }

  @Test("Only seconds of low quality count, and those without a pulse do not")
  func lowQuality() throws {
    var recording = try recording(segments: [(10_000, 30_000)])
    for (second, quality) in [(5, 0.5), (11, 0.5), (12, 0.86), (13, 0.95), (14, 0), (15, 0.7), (31, 0.5)] {
      let sample = SensorSample(
        sensor: "simulated", channel: .signalQuality, value: quality, unit: .percent, contact: nil,
        arrived: .seconds(second), senderTime: nil)
      #expect(recording.take(sample, at: .seconds(second)) == nil)
    }
    #expect(recording.lowQualityLength == .seconds(2))
  }

  @Test("Where a sensor without contact is lost, each time is reported once, with its own reason")
  func contactAndLoss() throws {
    let lost = JournalEvent.sensorLost(sensor: "simulated", reason: "x", isFinal: false)
    let back = JournalEvent.sensorConnected(sensor: "simulated", device: nil)
    var recording = try recording(with: [(18_000, lost), (22_000, back), (30_000, lost), (30_000, back)])
    take([(14_000, .rate), (15_000, .off), (25_000, .rate), (28_000, .off), (39_000, .rate)], into: &recording)
    #expect(
      recording.gaps.map { "\($0.span.from.milliseconds)-\($0.span.to.milliseconds) \($0.cause)" } == [
        "14000.0-18000.0 noContact", "18000.0-22000.0 sensorLost", "22000.0-25000.0 noContact",
        "25000.0-39000.0 noContact",
      ])
    #expect(recording.length == .seconds(30))
  }

  @Test("A recorder that nothing stopped lasts to the trial's end and keeps its very last sample")
  func openEnd() throws {
    var recording = try recording(segments: [(10_000, 20_000), (45_000, nil)])
    #expect(recording.take(TrialStory.reading(61, [], at: 50_000), at: .seconds(50)).count == 1)
    #expect(recording.take(TrialStory.reading(61, [], at: 30_000), at: .seconds(30)).isEmpty)
    #expect(recording.spans.map(\.upperBound) == [.seconds(20), .seconds(50)])
  }
}
