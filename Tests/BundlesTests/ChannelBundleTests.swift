import Basics
import Quantities
import Recordings
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("Bundles of other quantities than the heart's")
struct ChannelBundleTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func recover(_ story: TrialStory, in folder: String = "results") throws -> Bundle {
    let results = ResultsFolder(scratch[folder])
    try story.leave(in: results, journal: story.journal)
    _ = try results.recover()
    return try Bundle(results.bundlePath(of: try #require(TrialIdentifier(story.opening.trial))))
  }

  private static let skin = TrialStory.skinConductance

  @Test("A recorder of skin conductance has a file of its own, and the heart's file is what it was without it")
  func files() throws {
    let bundle = try recover(.withSkinConductance())
    let plain = try recover(.good(), in: "plain")
    #expect(bundle.recordingFiles == ["data/heart.json", "data/skin.json"])
    let recording = try #require(bundle.record.recordings.last)
    #expect(recording.file == "data/skin.json" && recording.recorder.nominalRate == 4)
    #expect(recording.samples == 12 && recording.coverage == 1 && recording.gaps == [])
    let summary = try #require(recording.summary)
    #expect((summary.min, summary.max, summary.last) == (2.2, 3.3, 3.3))
    #expect(bundle.record.verdict == .good)
    #expect(Bundle.verify(bundle.path) == [])
    func withoutSequences(_ bundle: Bundle) throws -> [JSONValue] {
      try #require(JSONReader.read(try bundle.heart()).value["items"]?.array).map { item in
        var members = item.object ?? [:]
        members["seq"] = nil
        return .object(members)
      }
    }
    #expect(try withoutSequences(bundle) == withoutSequences(plain))
  }

  @Test("Its items are those of a heart file, with their own type and unit")
  func items() throws {
    let bundle = try recover(.withSkinConductance())
    let items = try JSONReader.read(File.contents(of: bundle.path(of: "data/skin.json"))).value["items"]?.array
    let first = try #require(items?.first?.object)
    #expect(first["type"]?.string == "HKQuantityTypeIdentifierElectrodermalActivity")
    #expect(first["unit"]?.string == "mcS" && first["value"]?.number == 2.2)
    #expect(first["t_ns"]?.integer == 1_000_000_000 && first["arrived_ns"]?.integer == 1_005_000_000)
    #expect(first["sender_s"]?.number == 1 && first["source"]?.string == "lines:exec:eda")
    #expect(first["startDate"] == first["endDate"] && first["seq"]?.integer != nil)
  }

  @Test("A store is given its samples with their unit, beside the heart's")
  func samples() throws {
    let samples = try recover(.withSkinConductance()).readSamples()
    let own = samples.samples.filter { $0.type == Self.skin }
    #expect(own.count == 12 && samples.problems == [])
    #expect(try own.map { try $0.quantity.value(in: Self.skin.defaultUnit) }.min() == 2.2)
    #expect(Set(own.map(\.uuid)).count == 12)
    #expect(samples.samples.count == 12 + (try recover(.good(), in: "plain").readSamples().samples.count))
    #expect(samples.series.count == 1)
  }

  @Test("A changed file is found by the check and refused by a store")
  func changed() throws {
    let bundle = try recover(.withSkinConductance())
    let path = bundle.path(of: "data/skin.json")
    let text = String(decoding: try File.contents(of: path), as: UTF8.self)
    try Folder.removeFile(path)
    try File.create(path, Array(text.replacing("\"value\":2.2}", with: "\"value\":9.9}").utf8))
    #expect(Bundle.verify(bundle.path).contains { $0.contains("data/skin.json") })
    #expect(throws: BundleError.self) { try bundle.readSamples() }
  }

  @Test(
    "Gaps and coverage go by the nominal rate, or by the silence of ten seconds without one",
    arguments: [(4.0, 1), (nil, 1), (0.1, 0)] as [(Double?, Int)])
  func gaps(rate: Double?, silences: Int) throws {
    // Nothing for eleven seconds of fifteen.
    var story = TrialStory.withSkinConductance { $0 < 5 ? 2 : nil }
    story.opening.recorders[2].nominalRate = rate
    story.events[0].event = .trialOpened(story.opening)
    for index in story.events.indices where story.events[index].time >= .milliseconds(3900) {
      story.events[index].time += .seconds(11)
    }
    let recording = try #require(recover(story).record.recordings.last)
    #expect(recording.gaps.count { $0.cause == .silence } == silences)
  }

  @Test("Values outside of what is plausible for the quantity are kept, and weigh by their share")
  func implausible() throws {
    let bundle = try recover(.withSkinConductance { $0 == 5 ? 300 : 2 })
    let recording = try #require(bundle.record.recordings.last)
    #expect(recording.samples == 12 && recording.summary?.max == 300)
    #expect(
      bundle.record.reasons.contains(
        .implausible(recorder: "skin", count: 1, samples: 12, from: 0, to: 100, unit: "mcS")))
  }
}
