import Basics
import Testing

@testable import Analysis
@testable import Bundles
@testable import Recordings

@Suite("Beats that people correct")
struct EditedBeatsTests {
  typealias Edit = Correction.Edit

  private static func at(_ seconds: Double) -> Duration { Duration(seconds: seconds) }

  private static func edited(
    _ raw: IntervalSeries, _ edits: Edit...
  ) throws(CorrectionMisfit) -> (beats: EditedBeats, series: IntervalSeries) {
    var beats = EditedBeats(raw, extent: raw.start...raw.end)
    for (number, edit) in edits.enumerated() { try beats.apply(edit, number: number + 1) }
    return (beats, beats.series(raw))
  }

  /// Beats at 0, 1, 2 … 10 s.
  private static let regular = IntervalSeries(Array(repeating: 1000, count: 10))
  /// Beats at 0, 1, 2, 3 and at 8, 9, 10 s.
  private static let gap = IntervalSeries([1000, 1000, 1000, 1000, 1000], ends: [1, 2, 3, 9, 10])

  private static func ones(_ count: Int) -> [Double] { Array(repeating: 1000, count: count) }

  private static let changed: [(edit: Edit, intervals: [Double], settled: Set<Int>)] = [
    (.deleteBeat(t: at(3)), ones(2) + [2000] + ones(6), [2]), (.deleteBeat(t: at(0)), ones(9), []),
    (.deleteBeat(t: at(10)), ones(9), []), (.insertBeat(t: at(9.25)), ones(9) + [250, 750], [9, 10]),
    (.insertBeat(t: at(11.5)), ones(10) + [1500], [10]),
    (.moveBeat(from: at(1), to: at(1.25)), [1250, 750] + ones(8), [0, 1]),
  ]

  @Test("change the intervals beside them, and no others", arguments: Self.changed)
  func changes(edit: Edit, intervals: [Double], settled: Set<Int>) throws {
    let series = try Self.edited(Self.regular, edit).series
    #expect(series.intervals == intervals)
    #expect(series.breaks == [] && series.settled == settled)
  }

  @Test("A beat beside a gap that is moved into it leaves the gap", arguments: [(3.0, 3.5), (8.0, 6.5)])
  func movedIntoGap(from: Double, to: Double) throws {
    let series = try Self.edited(Self.gap, .moveBeat(from: Self.at(from), to: Self.at(to))).series
    #expect(series.breaks == [3] && series.intervals.count == 5)
    #expect(series.settled.count == 1 && series.intervals.allSatisfy { $0 == 1000 || $0 == 1500 || $0 == 2500 })
  }

  @Test("No interval crosses an unusable stretch")
  func unusable() throws {
    let (beats, series) = try Self.edited(Self.regular, .unusable(from: Self.at(3.5), to: Self.at(5)))
    #expect(series.ends == [1, 2, 3, 6, 7, 8, 9, 10] && series.breaks == [3] && series.settled.isEmpty)
    #expect(beats.beats.count == 11)
  }

  @Test(
    "A beat in a gap has intervals to neighbours that are near enough that none is missing",
    arguments: [
      (times: [4.0], ends: [1.0, 2, 3, 4, 9, 10], breaks: [4]),
      (times: [4.0, 5, 6, 7], ends: [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], breaks: []),
      (times: [5.5], ends: [1.0, 2, 3, 5.5, 8, 9, 10], breaks: []),
    ])
  func gaps(times: [Double], ends: [Double], breaks: [Int]) throws {
    var beats = EditedBeats(Self.gap, extent: 0...10)
    for (number, time) in times.enumerated() { try beats.apply(.insertBeat(t: Self.at(time)), number: number + 1) }
    let series = beats.series(Self.gap)
    #expect(series.ends == ends && series.breaks == breaks)
  }

  @Test("Beats that are deleted one after another leave a gap instead of a long interval")
  func deleted() throws {
    let series = try Self.edited(
      Self.regular, .deleteBeat(t: Self.at(3)), .deleteBeat(t: Self.at(4)), .deleteBeat(t: Self.at(5))
    ).series
    #expect(series.intervals == Array(repeating: 1000, count: 6) && series.breaks == [2])
  }

  private static let refused: [(edits: [Edit], misfit: CorrectionMisfit)] = [
    ([.deleteBeat(t: at(3.4))], .noBeat(nearest_s: -0.4)), ([.insertBeat(t: at(4.01))], .beatThere),
    ([.insertBeat(t: at(60))], .outside), ([.unusable(from: at(20), to: at(30))], .outside),
    ([.moveBeat(from: at(2), to: at(5))], .beatThere), ([.moveBeat(from: at(2), to: at(50))], .outside),
    ([.deleteBeat(t: at(3)), .deleteBeat(t: at(3.001))], .changedBefore(by: 1)),
    ([.moveBeat(from: at(3), to: at(3.2)), .deleteBeat(t: at(3))], .changedBefore(by: 1)),
    ([.unknown(edit: "stretch")], .unknownEdit),
  ]

  @Test("What does not fit says why, and changes nothing", arguments: Self.refused)
  func misfits(edits: [Edit], misfit: CorrectionMisfit) throws {
    var beats = EditedBeats(Self.regular, extent: 0...10)
    for (number, edit) in edits.dropLast().enumerated() { try beats.apply(edit, number: number + 1) }
    let before = beats.series(Self.regular)
    let last = try #require(edits.last)
    let thrown = #expect(throws: CorrectionMisfit.self) { try beats.apply(last, number: edits.count) }
    if case .noBeat(let distance?) = thrown {
      #expect((distance + 0.4).magnitude < 1e-9)
    } else {
      #expect(thrown == misfit)
    }
    #expect(beats.series(Self.regular) == before)
    #expect("\(misfit)".hasSuffix(".") && misfit.json["misfit"] != nil)
  }

  @Test("Later corrections find beats where earlier ones put them")
  func chains() throws {
    let series = try Self.edited(
      Self.regular, .insertBeat(t: Self.at(4.5)), .moveBeat(from: Self.at(4.5), to: Self.at(4.6)),
      .deleteBeat(t: Self.at(4.6))
    ).series
    #expect(series.intervals == Self.regular.intervals)
  }

  @Test(
    "A correction of artefacts leaves the intervals that people made",
    arguments: [ArtefactCorrection.lipponenTarvainen, .range(RangeFilter(limits: 300...1500))])
  func settled(correction: ArtefactCorrection) throws {
    // An extra beat in the middle of an interval, and the pause that remains without a beat that a person took out.
    let raw = IntervalSeries((0..<60).map { 900 + 20 * Double($0 % 3) })
    let (first, second) = (raw.ends[20], raw.ends[40])
    let edits: [Edit] = [.insertBeat(t: Self.at(first + 0.3)), .deleteBeat(t: Self.at(second))]
    var beats = EditedBeats(raw, extent: 0...raw.end)
    for (number, edit) in edits.enumerated() { try beats.apply(edit, number: number + 1) }
    let series = beats.series(raw)
    let corrected = correction.correct(series)
    #expect(corrected.artefacts.isEmpty && corrected.corrected.intervals == series.intervals)
    // The same beats without the people are artefacts.
    let unsettled = IntervalSeries(checked: series.intervals, ends: series.ends, breaks: series.breaks)
    #expect(!correction.correct(unsettled).artefacts.isEmpty)
  }

  @Test("Artefacts beside a person's beat are still corrected")
  func besides() throws {
    var intervals = (0..<80).map { 900 + 20 * Double($0 % 3) }
    (intervals[60], intervals[61]) = (500, 1320)
    let raw = IntervalSeries(intervals)
    let series = try Self.edited(raw, .insertBeat(t: Self.at(raw.ends[20] + 0.3))).series
    let artefacts = ArtefactCorrection.lipponenTarvainen.correct(series).artefacts
    #expect(artefacts.map(\.index) == [61] && artefacts.allSatisfy { $0.kind == .ectopic })
  }

  @Test(
    "After random corrections whose undoing is undone at last, the beats are as they were recorded", arguments: 0..<40)
  func undone(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let raw =
      seed.isMultiple(of: 2)
      ? Self.gap : IntervalSeries((0..<50).map { _ in Double.random(in: 500...1300, using: &random) })
    var recording = Recording(path: "x", recorder: "heart", beats: raw)
    let whole = recording.heart
    let basis = Correction.Basis(recorder: "heart", sha256: "0")
    var all = Corrections([])
    func add(_ edit: Edit) {
      all = all.with(
        Correction(
          number: all.nextNumber, time: WallTime(milliseconds: 0), author: "Rater A", reason: "x", basis: basis,
          edit: edit)
      )
    }
    for _ in 0..<30 {
      let time = Self.at(Double.random(in: -1...raw.end + 1, using: &random))
      let beat = Self.at(raw.ends.randomElement(using: &random) ?? 0)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: add(.deleteBeat(t: beat))
      case 1: add(.insertBeat(t: time))
      case 2: add(.moveBeat(from: beat, to: time))
      case 3: add(.unusable(from: time, to: time + .milliseconds(1500)))
      default: add(.undo(of: Int.random(in: 1...max(1, all.nextNumber - 1), using: &random)))
      }
    }
    recording.apply(ChosenCorrections(all, of: nil), sha256: "0")
    let corrected = recording.heart.beats ?? IntervalSeries([])
    // Beats are in order, and no interval overlaps another.
    #expect(zip(corrected.ends, corrected.ends.dropFirst()).allSatisfy { $0 < $1 })
    #expect(corrected.intervals.allSatisfy { $0 > 0 })
    let undone = Corrections.undone(all.all)
    for correction in all.all where !undone.contains(correction.number) && correction.edit.needsReason {
      add(.undo(of: correction.number))
    }
    var again = Recording(whole)
    again.apply(ChosenCorrections(all, of: nil), sha256: "0")
    #expect(again.heart.beats == raw && again.corrections?.used.isEmpty ?? false)
  }
}
