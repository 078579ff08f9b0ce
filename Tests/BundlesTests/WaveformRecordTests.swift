import Basics
import Quantities
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("Waveforms in the record of a trial")
struct WaveformRecordTests {
  private let scratch: ScratchFolder
  private let results: ResultsFolder

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
  }

  private static let type = QuantityType(channel: "electrocardiogram") ?? .heartRate
  private static let microvolt = try? Unit("mcV")

  private static func recorder(_ name: String, step: String = "music", unit: Unit? = nil) -> TrialRecorder {
    TrialRecorder(
      step: step, configuration: .init(identifier: name, quantityType: type, unit: unit ?? type.defaultUnit),
      sensor: SensorSource(name: "lines:exec:ecg"))
  }

  /// The trial of the story, with more recorders that record when those of the music do.
  private func story(_ recorders: [TrialRecorder]) -> (story: TrialStory, start: Duration, stop: Duration) {
    var story = TrialStory.good()
    story.opening.recorders += recorders
    story.events[0].event = .trialOpened(story.opening)
    var (start, stop) = (Duration.zero, Duration.zero)
    var events: [(time: Duration, event: JournalEvent)] = []
    var isStarted = false
    var isStopped = false
    for entry in story.events {
      events.append(entry)
      switch entry.event {
      case .recorderStarted(_, let step, let segment) where !isStarted:
        (isStarted, start) = (true, entry.time)
        for recorder in recorders {
          events.append((entry.time, .recorderStarted(recorder: recorder.identifier, step: step, segment: segment)))
        }
      case .recorderStopped(_, let step, let segment) where !isStopped:
        (isStopped, stop) = (true, entry.time)
        for recorder in recorders {
          events.append((entry.time, .recorderStopped(recorder: recorder.identifier, step: step, segment: segment)))
        }
      default: break
      }
    }
    story.events = events
    return (story, start, stop)
  }

  /// Blocks of 0.2 s with two channels at 100 Hz from before the recorder's start to after its stop; the values are the
  /// frames' numbers, and their negatives.
  private func blocks(until end: Duration, without missing: Set<Int> = []) -> [WaveformBlock] {
    (0..<Int(end.seconds * 5)).filter { !missing.contains($0) }.map { number in
      let frames = number * 20..<number * 20 + 20
      return WaveformBlock(
        time: .milliseconds(200 * number), arrived: .milliseconds(200 * number + 210), channels: 2,
        values: frames.flatMap { [Float($0), -Float($0)] })
    }
  }

  private func leave(_ story: TrialStory, _ bytes: [UInt8], closed: Bool = true, file: String = "ecg") throws -> Bundle
  {
    let head = WaveformHead(
      file: file, sensor: "lines:exec:ecg", quantityType: Self.type.identifier, unit: "mV", rate: 100,
      channels: ["I", "II"])
    var records = story.records
    if !closed { records.removeLast() }
    let headed = records.flatMap { record -> [UInt8] in
      let later = JournalRecord(sequence: record.sequence + 1, time: record.time, event: record.event)
      guard record.sequence > 0 else { return record.line() }
      guard record.sequence == 1 else { return later.line() }
      return JournalRecord(sequence: 1, time: record.time, event: .waveformOpened(head)).line() + later.line()
    }
    try story.leave(in: results, journal: headed)
    let folder = "\(results.openFolder)/\(TrialStory.trial)/waveforms"
    try Folder.ensure(folder, isPrivate: true)
    try File.create("\(folder)/\(file).blocks", bytes)
    _ = try results.recover()
    return try Bundle(results.bundlePath(of: try #require(TrialIdentifier(TrialStory.trial))))
  }

  private func encoded(_ blocks: [WaveformBlock]) -> [UInt8] {
    blocks.enumerated().flatMap { $0.element.encoded(number: $0.offset) }
  }

  @Test("A recorder counts the frames between its start and its stop, and sums them up in its unit")
  func cut() throws {
    let (story, start, stop) = story([Self.recorder("ecg", unit: Self.microvolt)])
    let bundle = try leave(story, encoded(blocks(until: stop + .seconds(2))))
    let recording = try #require(bundle.record.recordings.last)
    let first = Int((start.seconds * 100).rounded(.up))
    let last = Int((stop.seconds * 100).rounded(.up)) - 1
    #expect(recording.samples == last - first + 1)
    #expect(recording.firstSample == .milliseconds(10 * first) && recording.lastSample == .milliseconds(10 * last))
    #expect(recording.file == "data/waveforms/ecg.blocks" && recording.coverage == 1 && recording.gaps == [])
    #expect(recording.recorder.nominalRate == 100 && recording.late > 0)
    #expect(recording.waveform == TrialRecord.Waveform(unit: "mV", channels: ["I", "II"]))
    let summary = try #require(recording.summary)
    #expect((summary.min, summary.max) == (Double(-last) * 1000, Double(last) * 1000) && summary.mean == 0)
    #expect(bundle.record.verdict == .good)
    #expect(bundle.recordingFiles == ["data/heart.json"])
    #expect(Bundle.verify(bundle.path) == [])
    #expect(try bundle.readSamples().samples.allSatisfy { $0.type != Self.type })
  }

  @Test("Missing blocks are a gap from one second on", arguments: [(3, 0), (6, 1)])
  func gaps(count: Int, gaps: Int) throws {
    let (story, start, stop) = story([Self.recorder("ecg")])
    let first = Int(start.seconds * 5) + 2
    let bundle = try leave(
      story, encoded(blocks(until: stop + .seconds(1), without: Set(first..<first + count))))
    let recording = try #require(bundle.record.recordings.last)
    #expect(recording.gaps.count == gaps && recording.coverage < 1)
    #expect(bundle.record.reasons.contains { if case .silent = $0 { true } else { false } } == (gaps > 0))
  }

  @Test("Recorders of one waveform share its file, which has the name of the first")
  func shared() throws {
    let (story, _, stop) = story([Self.recorder("ecg"), Self.recorder("again")])
    let bundle = try leave(story, encoded(blocks(until: stop + .seconds(1))))
    let recordings = bundle.record.recordings.suffix(2)
    #expect(recordings.map(\.file) == ["data/waveforms/ecg.blocks", "data/waveforms/ecg.blocks"])
    #expect(Set(recordings.map(\.samples)).count == 1)
  }

  @Test("A damaged block is a caveat with its count, and the others are kept")
  func damaged() throws {
    let (story, _, stop) = story([Self.recorder("ecg")])
    var bytes = encoded(blocks(until: stop + .seconds(1)))
    bytes[48 + 5] ^= 1
    let bundle = try leave(story, bytes)
    #expect(bundle.record.reasons.contains(.waveformDamaged(recorder: "ecg", blocks: 1, bytes: 0)))
    #expect(bundle.record.recordings.last?.samples ?? 0 > 0)
  }

  @Test(
    "What follows the last whole block is torn, whatever it is, and the bundle verifies",
    arguments: [
      Array(repeating: UInt8(0), count: 4096), Array("STWF".utf8), Array(repeating: 7, count: 20),
      Array("STWFSTWF".utf8) + Array(repeating: 0, count: 100),
    ])
  func tail(of junk: [UInt8]) throws {
    let (story, _, stop) = story([Self.recorder("ecg")])
    let whole = encoded(blocks(until: stop + .seconds(1)))
    // A block whose frames never reached the disk, and bytes that are none.
    var torn = blocks(until: .milliseconds(200))[0].encoded(number: 99)
    for index in 60..<torn.count { torn[index] = 0 }
    let bundle = try leave(story, whole + junk + torn + junk)
    #expect(Bundle.verify(bundle.path) == [])
    #expect(!bundle.record.reasons.contains { if case .waveformDamaged = $0 { true } else { false } })
    #expect(try File.contents(of: bundle.path(of: "data/waveforms/ecg.blocks")) == whole)
  }

  @Test("Foreign bytes between blocks are skipped in one pass, counted, and the bundle verifies")
  func foreign() throws {
    let (story, _, stop) = story([Self.recorder("ecg")])
    let parts = blocks(until: stop + .seconds(1)).enumerated().map { $0.element.encoded(number: $0.offset) }
    let junk = Array(String(repeating: "STWF", count: 100_000).utf8) + [1, 2, 3]
    let bundle = try leave(story, parts[0] + junk + parts.dropFirst().flatMap { $0 })
    #expect(bundle.record.reasons.contains(.waveformDamaged(recorder: "ecg", blocks: 0, bytes: junk.count)))
    #expect(Bundle.verify(bundle.path) == [])
  }

  @Test("A frame at the very start belongs to a segment, one at its stop does not", arguments: [100.0, 250, 130, 512])
  func edges(rate: Double) {
    let block = WaveformBlock(
      time: .milliseconds(30), arrived: .seconds(9), channels: 1, values: (0..<2000).map { Float($0) })
    for frame in 0..<1999 {
      let (start, stop) = (block.time(of: frame, rate: rate), block.time(of: frame + 1, rate: rate))
      #expect(block.frames(from: start, to: stop, rate: rate) == frame..<frame + 1)
    }
    #expect(block.frames(from: .zero, to: .seconds(1000), rate: rate) == 0..<2000)
    #expect(block.frames(from: .seconds(100), to: .seconds(1000), rate: rate).isEmpty)
  }

  @Test("A trial that died lasts to its last block, although its journal says nothing more")
  func died() throws {
    var (story, start, _) = story([Self.recorder("ecg")])
    story.events = story.events.filter { $0.time <= start + .milliseconds(1) }
    let bundle = try leave(story, encoded(blocks(until: start + .seconds(20))), closed: false)
    let recording = try #require(bundle.record.recordings.last)
    #expect(abs(recording.length.seconds - 20) < 0.5 && recording.samples > 1900)
    #expect(Bundle.verify(bundle.path) == [] && bundle.record.closing.outcome == .recovered)
  }

  @Test("A recorder of a waveform that never came has no samples")
  func nothing() throws {
    let (story, _, _) = story([Self.recorder("ecg")])
    let bundle = try leave(story, [])
    let recording = try #require(bundle.record.recordings.last)
    #expect(recording.samples == 0 && recording.summary == nil)
    #expect(bundle.record.reasons.contains(.noSamples(sensor: "lines:exec:ecg", recorders: ["ecg"])))
  }
}
