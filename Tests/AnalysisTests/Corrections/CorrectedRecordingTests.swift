import Basics
import Bundles
import Recordings
import TestSupport
import Testing

@testable import Analysis

@Suite("Recordings with corrections beside their bundles")
struct CorrectedRecordingTests {
  let scratch: ScratchFolder
  let path: String

  init() throws {
    scratch = try ScratchFolder()
    path = scratch["trial"]
    try MadeTrial().write(to: path)
  }

  private func read(_ choice: CorrectionChoice = .all) throws -> Recording {
    try #require(Recording.read(path: path, ReadingOptions(corrections: choice)).first)
  }

  private func add(
    _ edit: Correction.Edit, by author: String = "Rater A", seeing choice: CorrectionChoice = .all
  ) throws -> Correction {
    try BeatEditor(bundle: path, choice: choice).add(edit, reason: "seen", by: author)
  }

  /// Adds a line as another program may have written it.
  private func write(_ edit: Correction.Edit, change: (Correction.Basis) -> Correction.Basis) throws {
    let basis = Correction.Basis(
      recorder: "heartRate", sha256: try File.digest(of: "\(path)/data/heart.json").sha256)
    _ = try CorrectionsFile(ofBundle: path).append { corrections in
      Correction(
        number: corrections.nextNumber, time: WallTime(milliseconds: 0), author: "Rater B", reason: "seen",
        basis: change(basis), edit: edit)
    }
  }

  @Test("Corrections are used unless they are not wanted, and every reader is told whose they are")
  func used() throws {
    let raw = try read()
    #expect(raw.corrections == nil)
    _ = try add(.deleteBeat(t: .seconds(5)))
    _ = try add(.unusable(from: .seconds(50), to: .seconds(55)), by: "Rater B")
    let corrected = try read()
    #expect(corrected.heart.beats?.count == 59)
    #expect(corrected.heart.rates.values.count == raw.heart.rates.values.count - 5)
    #expect(corrected.corrections?.caption == "2 corrections by Rater A, Rater B")
    #expect(corrected.caveats.contains(.corrected(edits: 2, by: ["Rater A", "Rater B"])))
    #expect(
      corrected.caveats.contains {
        if case .gaps(1, let longest) = $0 { (longest - 5).magnitude < 1e-6 } else { false }
      })
    let none = try read(.none)
    #expect(none.heart.beats == raw.heart.beats && none.caveats == raw.caveats && none.corrections == nil)
    let first = try read(.author("Rater A"))
    #expect(first.heart.beats?.count == 64 && first.corrections?.authors == ["Rater A"])
    #expect(try read(.author("Nemo")).caveats.contains(.notCorrected(by: "Nemo")))
    let measured = RecordingAnalysis(corrected, TrialAnalysis()).json
    #expect(measured["corrections"]?["used"] == 2 && measured["corrections"]?["entries"]?.array?.count == 2)
  }

  private static let unused: [(edit: Correction.Edit, change: Int, misfit: CorrectionMisfit?)] = [
    (.deleteBeat(t: .seconds(5)), 0, .otherData),
    (.deleteBeat(t: .seconds(5)), 1, .otherDetector(made: "x/1 in “ecg”", now: "the sensor")),
    (.unusable(from: .seconds(5), to: .seconds(6)), 1, nil),
    (.deleteBeat(t: .seconds(5)), 2, .noRecorder(recorder: "other")),
    (.undo(of: 9), 3, .nothingToUndo(number: 9)),
  ]

  @Test(
    "A correction of other data, another detector or another recorder is not used, and said to be so",
    arguments: Self.unused)
  func misfits(edit: Correction.Edit, change: Int, misfit: CorrectionMisfit?) throws {
    let raw = try read().heart.beats
    try write(edit) { basis in
      Correction.Basis(
        recorder: change == 2 ? "other" : basis.recorder,
        sha256: change == 0 ? String(repeating: "0", count: 64) : basis.sha256,
        detector: change == 1 ? "x/1" : nil, channel: change == 1 ? "ecg" : nil)
    }
    let recording = try read()
    #expect((recording.heart.beats == raw) == (misfit != nil))
    let isSaid = recording.caveats.contains { if case .correctionsMisfit(1, _) = $0 { true } else { false } }
    #expect(isSaid == (misfit != nil && change != 2))
    let listed = try CorrectionsListing(bundle: path)
    #expect(listed.entries.map(\.state) == [misfit.map { .misfit($0) } ?? .applied])
  }

  @Test("What does not fit when it is made is refused, and written nowhere")
  func refused() throws {
    #expect(throws: BeatEditorError.misfit(.insertBeat(t: .milliseconds(5010)), .beatThere)) {
      try add(.insertBeat(t: .milliseconds(5010)))
    }
    #expect(throws: BeatEditorError.self) { try add(.deleteBeat(t: .milliseconds(5500))) }
    #expect(!CorrectionsFile(ofBundle: path).isThere)
    #expect(throws: BeatEditorError.self) { try add(.unusable(from: .seconds(5), to: .seconds(5))) }
    #expect(throws: BeatEditorError.reserved("none")) { try add(.reviewed, by: "none") }
    #expect(throws: BeatEditorError.self) { try add(.reviewed, by: " ") }
    #expect(try CorrectionsFile(ofBundle: path).read().all.isEmpty)
  }

  @Test("An undone correction counts again when its undoing is undone")
  func redone() throws {
    let made = try add(.deleteBeat(t: .seconds(5)))
    let undo = try add(.undo(of: made.number))
    #expect(try read().heart.beats?.count == 65)
    #expect(throws: BeatEditorError.misfit(.undo(of: 1), .nothingToUndo(number: 1))) { try add(.undo(of: 1)) }
    _ = try add(.undo(of: undo.number))
    #expect(try read().heart.beats?.count == 64)
    #expect(try CorrectionsListing(bundle: path).entries.map(\.state) == [.applied, .undone, .applied])
  }

  @Test("A review counts until the beats are corrected again")
  func reviewed() throws {
    _ = try add(.deleteBeat(t: .seconds(5)))
    _ = try add(.reviewed, by: "Rater B")
    #expect(try read().corrections?.reviewers == ["Rater B"])
    _ = try add(.deleteBeat(t: .seconds(7)))
    let recording = try read()
    #expect(recording.corrections?.reviewers == [])
    #expect(recording.corrections?.misfits.map(\.misfit) == [.editedSince(by: 3)])
  }

  @Test(
    "Beats are corrected by those alone whose corrections are seen",
    arguments: [CorrectionChoice.none, .author("Rater A")])
  func notSeen(choice: CorrectionChoice) throws {
    #expect(throws: BeatEditorError.notSeen("Rater B", choice)) {
      try add(.deleteBeat(t: .seconds(5)), by: "Rater B", seeing: choice)
    }
    #expect(try read().corrections == nil)
  }

  @Test("Of another person's correction that is not seen, the undo says nothing")
  func unseenUndo() throws {
    _ = try add(.deleteBeat(t: .seconds(5)))
    _ = try add(.undo(of: 1), by: "Rater B")
    #expect(try read().corrections?.entries.map(\.state) == [.undone, .applied])
    #expect(try read(.author("Rater B")).corrections?.misfits.isEmpty ?? true)
  }

  @Test("Two people who correct without seeing each other's corrections are compared")
  func compared() throws {
    for (author, times) in [("Rater A", [5, 7]), ("Rater B", [5, 9])] {
      for time in times { _ = try add(.deleteBeat(t: .seconds(time)), by: author, seeing: .author(author)) }
    }
    // Together, the same correction counts once.
    #expect(try read().heart.beats?.count == 62)
    #expect(try CorrectionsListing(bundle: path).entries.map(\.state) == [.applied, .applied, .repeats(1), .applied])
    let comparison = try CorrectionComparison("Rater A", "Rater B", AnalysisSettings()) {
      try BeatEditor(bundle: path, choice: $0)
    }
    #expect(comparison.edits.both.map(\.number) == [1])
    #expect(comparison.edits.onlyOne.map(\.number) == [2] && comparison.edits.onlyOther.map(\.number) == [4])
    #expect(comparison.beats == (63, 1, 1))
    #expect(comparison.one.measurements.map(\.measure) == CorrectionComparison.measures)
  }

  @Test("Of heart rates without beats only stretches can be marked")
  func rates() throws {
    let rates = scratch["rates"]
    var trial = MadeTrial()
    trial.changes = { _ in ["rr_ms": nil] }
    try trial.write(to: rates)
    let editor = try BeatEditor(bundle: rates)
    #expect(throws: BeatEditorError.misfit(.deleteBeat(t: .seconds(5)), .noBeats)) {
      try editor.add(.deleteBeat(t: .seconds(5)), reason: "seen", by: "Rater A")
    }
    _ = try editor.add(.unusable(from: .seconds(5), to: .seconds(8)), reason: "seen", by: "Rater A")
    let before = editor.recording.heart.rates.values.count
    #expect(try Recording.read(path: rates).first?.heart.rates.values.count == before - 3)
  }

  @Test("A tachogram has every beat with its interval, artefacts, corrections and stretches")
  func tachogram() throws {
    _ = try add(.moveBeat(from: .seconds(5), to: .milliseconds(5250)))
    _ = try add(.unusable(from: .seconds(10), to: .seconds(12)))
    let tachogram = try BeatEditor(bundle: path).json()
    let beats = try #require(tachogram["beats"]?.array)
    #expect(beats.count == 66 && beats[0]["interval_ms"] == .null)
    #expect(beats[5]["t_ns"] == 5_250_000_000 && beats[5]["edit"] == 1 && beats[5]["isSettled"] == true)
    let intervals = beats.map { $0["interval_ms"]?.number ?? .nan }
    #expect((intervals[5] - 1250).magnitude < 1e-3 && (intervals[6] - 750).magnitude < 1e-3)
    #expect(beats[11]["interval_ms"] == .null && beats[13]["interval_ms"]?.number == 1000)
    #expect(tachogram["unusable"]?.array == [["from_ns": 10_000_000_000, "to_ns": 12_000_000_000]])
    #expect(tachogram["corrections"]?["used"] == 2)
  }
}
