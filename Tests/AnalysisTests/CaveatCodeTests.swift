import Basics
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Analysis

@Suite("Caveats and missing numbers")
struct CaveatCodeTests {
  static let ofRecordings: [RecordingCaveat] = [
    .noSamples, .itemDropped(item: 3, reason: "it has no time"), .moreItemsDropped(count: 2),
    .rowsDropped(count: 1, rows: 9, first: []), .noSkinContact(count: 1, entry: .row),
    .outOfOrder(count: 2, entry: .reading), .repeated(count: 2, entry: .row), .notAboveZero(count: 2, entry: .rate),
    .intervalsTooLong(count: 1), .differentRates(times: 1, rates: 2),
    .withoutSeconds(time: "10:00", line: 2), .cutShort(reason: "byte 9: the end"), .gaps(count: 2, longest_s: 3.5),
    .intervalsMissing(count: 1), .blankLines(count: 4, first: [1, 2, 3]), .ratesContradictIntervals(ratio: 2.5),
    .timesTooShort(intervals_s: 80, times_s: 40), .timesOutOfScale(factor: 2), .smooth(r: 0.95, differences_r: 0.8),
    .implausibleIntervals(median_ms: 0.8), .implausibleRates(median: 1.25), .timesShifted(by_s: 12),
    .columnsNotRead(count: 1, first: ["“note”"]), .columnRises(column: "“moment”"),
    .decimalCommas(number: "853,8", line: 1), .heartFileChanged, .samplesMissing(found: 0, counted: 60),
    .endsEarly(found: 240, announced: 300, of: .record, found_s: 240, announced_s: 300),
    .goesOn(found: 320, announced: 300, of: .frame, found_s: 3.2, announced_s: 3), .annotationsCut(at_s: 12.5),
    .noRange(signal: "ECG"), .lastLineOpen(line: 5), .corrected(edits: 2, by: ["Rater A"]),
    .correctionsMisfit(count: 1, first: "edit 3"), .correctionsUnread(count: 1, first: "line 2"),
    .notCorrected(by: "Rater A"), .reviewed(by: ["Rater A"]),
  ]

  static let ofAnalyses: [AnalysisCaveat] = [
    .gapsInWindow(count: 1, known_s: 5, whole_s: 10, differences: nil), .longestStretch(gaps: 1, stretch_s: 5),
    .unlikeIntervals, .segments(covered_s: 256, available_s: 280), .slowHeart(bound_Hz: 0.4, half_Hz: 0.33),
    .short(known_s: 60, least_s: 300, source: "x", hasGaps: true), .fewIntervals(count: 9, least: 160, source: "x"),
    .noMoreIntervals(count: 100, limit: 200, source: "x"), .artefacts(share: 0.1),
    .partlyKnown(share: 0.85, from_s: 0, to_s: 20),
    .unlikeWindows(measure: .nn50, windows: [.init("rest", seconds: 10), .init("the event", seconds: 20)]),
    .sensorRates(rates: 1, intervals: 0.1), .wholeRecording(because: .noOnset), .soundPaused, .windowTooLong,
    .fewObservations(count: 3),
  ]

  static let missing: [MissingNumber] = [
    .nothingRecorded, .nothingBefore(event: "the stimulus"), .nothingAfter(event: "the stimulus"), .noOnset,
    .noSound(step: "rest"), .noStimulus, .noEnd(event: "the event"), .noTrial,
    .noEvent(events: ["step:x"], steps: ["rest"]), .noSteps,
    .noStep(step: "x", steps: []), .emptyStep(step: "x"), .noZero(because: .noOnset), .noIntervals, .noRates,
    .needsIntervals(measure: .rmssd), .partlyKnown(share: 0.1, from_s: 0, to_s: 20), .baselinePartlyKnown(share: 0.1),
    .noRatesAroundOnset, .overflow, .oneInterval, .oneDifference, .noDifferences, .fewRuns(length: 3),
    .noSimilarRuns(length: 2, tolerance_ms: 9.5), .constantIntervals, .fewForScales(limit: nil, intervals: 9),
    .tooLongForSpectrum(limit_h: 25), .fewForSpectrum, .noFrequencyInBand, .zeroBaseline,
    .ofBaseline(missing: .noIntervals), .badBaseline(step: "rest"), .unreadBaseline(step: "rest", because: "empty"),
    .noParticipant,
  ]

  @Test("have the codes that the published schema lists, their numbers and a sentence")
  func codes() throws {
    let schema = try JSONReader.read(File.contents(of: "\(Repository.root)/protocols/analysis.schema.json")).value
    func listed(_ name: String, _ member: String) -> [String] {
      schema["$defs"]?[name]?["properties"]?[member]?["enum"]?.array?.compactMap(\.string) ?? []
    }
    func check<Caveat: TaggedInJSON & Hashable & CustomStringConvertible>(_ caveats: [Caveat]) throws -> Set<String> {
      try Set(
        caveats.map { caveat in
          let json = caveat.json
          #expect(json["text"]?.string == "\(caveat)" && "\(caveat)".hasSuffix("."), "\(caveat)")
          #expect(try json.decoded(as: Caveat.self) == caveat)
          return try #require(json[Caveat.jsonTag]?.string)
        })
    }
    let codes = try check(Self.ofRecordings).union(try check(Self.ofAnalyses))
    #expect(codes.count == Self.ofRecordings.count + Self.ofAnalyses.count)
    #expect(codes.sorted() == listed("caveat", "caveat"))
    #expect(try check(Self.missing).sorted() == listed("missing", "reason"))
  }
}
