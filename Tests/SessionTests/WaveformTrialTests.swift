import Basics
import Sensors
import Study
import Synchronization
import TestSupport
import Testing

@testable import Bundles
@testable import Quantities
@testable import Session

@Suite("Waveforms in a trial")
struct WaveformTrialTests {
  private let scratch: ScratchFolder
  private let clock = HandClock()
  private let type: QuantityType

  init() throws {
    scratch = try ScratchFolder()
    type = try #require(QuantityType(channel: "electrocardiogram"))
  }

  private func opening() throws -> TrialOpening {
    let recorders = [("ecg", "strap"), ("again", "strap"), ("other", "second")].map { name, sensor in
      TrialRecorder(
        step: "rest", configuration: .init(identifier: name, quantityType: type, unit: type.defaultUnit),
        sensor: SensorSource(name: sensor))
    }
    let head = TrialHead(
      trial: TrialIdentifier(time: WallTime(milliseconds: 1_763_636_911_250)).description,
      studyProtocol: ProtocolReference(identifier: "Rest", version: "1", sha256: ""), participant: "p", session: "1",
      seed: 1, zero: CalendarReading(clock.wallReading(), since: clock.now),
      station: StationFacts(identifier: "test", version: "1", system: "Linux", timeZone: nil), speaker: nil,
      isUnattended: true)
    return TrialOpening(head: head, recorders: recorders)
  }

  private func frames(_ rate: Double = 100, channels: Int = 1, count: Int = 20) -> WaveformFrames {
    WaveformFrames(
      WaveformFormat(type, rate: rate, channels: (1...channels).map { "\($0)" }),
      happened: clock.now, arrived: clock.now.advanced(by: .milliseconds(200)),
      values: Array(repeating: 0.5, count: count * channels))
  }

  @Test("Each waveform has one file and one head, and what no recorder records or changes its form is told once")
  func heads() async throws {
    let results = ResultsFolder(scratch["results"], requiredBytes: 0)
    let opening = try opening()
    let trial = try results.openTrial(
      identifier: try #require(TrialIdentifier(opening.trial)), protocolBytes: [], clock: clock)
    let waveforms = try TrialWaveforms(opening) { try trial.openWaveform($0) }
    let journal = MemoryJournal()
    let log = TrialLog(journal: journal, zero: clock.now, clock: clock)
    #expect(waveforms.take(frames(), from: "strap", log) == nil)
    #expect(waveforms.take(frames(), from: "strap", log) == nil)
    #expect(waveforms.take(frames(50, channels: 2), from: "second", log) == nil)
    let heads = journal.records.compactMap { record -> WaveformHead? in
      if case .waveformOpened(let head) = record.event { head } else { nil }
    }
    #expect(heads.map(\.file) == ["ecg", "other"] && heads.map(\.rate) == [100, 50])
    #expect(heads.map(\.channels) == [["1"], ["1", "2"]] && heads.allSatisfy { $0.unit == "mV" })
    #expect(heads.allSatisfy { $0.quantityType == "electrocardiogram" })
    let folder = "\(results.path)/open/\(opening.trial)/waveforms"
    #expect(try Folder.names(in: folder).sorted() == ["ecg.blocks", "other.blocks"])

    let changed = waveforms.take(frames(200), from: "strap", log)
    #expect(changed?.contains("changed its electrocardiogram") == true)
    #expect(waveforms.take(frames(200), from: "strap", log) == nil)
    #expect(waveforms.dropped == ["strap": 40])
    #expect(waveforms.take(frames(), from: "third", log)?.contains("which no recorder records") == true)
    #expect(waveforms.take(frames(), from: "third", log) == nil)
    #expect(waveforms.dropped == ["strap": 40])
    try await trial.discard()
  }

  @Test("Frames from before a trial listens are kept for it")
  func kept() async throws {
    let script = (0..<5).map { ScriptedSensor.Cue(at: .milliseconds(200 * $0), .waveform(frames())) }
    let hub = try SensorHub([ScriptedSensor(script, source: SensorSource(name: "strap"))], clock: clock)
    let heard = Heard()
    hub.keepSamples()
    await withTaskGroup { group in
      group.addTask { await hub.run() }
      while clock.now < Moment(nanoseconds: 0).advanced(by: .seconds(3600)) {
        if hub.signs(of: "strap").readings == 100 { break }
        if let next = clock.nextDeadline { clock.advance(to: next) }
        await Task.yield()
      }
      #expect(hub.signs(of: "strap").shows(type))
      let listening = await hub.listen { _, event in heard.add(event.samples) }
      await hub.catchUp(within: .seconds(1))
      await hub.stopListening(listening)
      group.cancelAll()
    }
    #expect(heard.count == 100)
  }
}

/// Counts samples.
private final class Heard: Sendable {
  private let total = Mutex(0)
  var count: Int { total.withLock { $0 } }
  func add(_ count: Int) { total.withLock { $0 += count } }
}
