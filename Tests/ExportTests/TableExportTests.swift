import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Export

@Suite("Exported tables")
struct TableExportTests {
  private let scratch: ScratchFolder
  private var tables: String { scratch["tables"] }

  init() throws { scratch = try ScratchFolder() }

  private func export(_ results: String, _ selection: TrialSelection = TrialSelection()) async throws -> ExportOutcome {
    try await TableExport(.csv, to: tables, version: "0.1.0")
      .write(SimulatedStudy.trials(results, selection)) { _, _ in }
  }

  private func rows(_ table: String) throws -> [[String]] {
    let text = String(decoding: try File.contents(of: "\(tables)/\(table).csv"), as: UTF8.self)
    return text.split(separator: "\n").map { TableRow.fields(of: String($0), ",").map(\.text) }
  }

  private func column(_ name: String, of table: String) throws -> [String] {
    let rows = try rows(table)
    let index = try #require(rows.first?.firstIndex(of: name))
    return rows.dropFirst().map { $0[index] }
  }

  private func check(_ program: String, _ arguments: [String]) throws -> String {
    let (status, output, error) = try Program.run(program, arguments)
    #expect(status == 0, "\(output)\n\(error)")
    return output
  }

  /// Asks Frictionless about the tables, where peers are asked.
  private func validate() throws {
    guard Peers.areAsked else { return }
    _ = try check("\(Repository.root)/.test-env/bin/frictionless", ["validate", "\(tables)/datapackage.json"])
  }

  @Test(
    "Frictionless finds no fault in the tables of any example study", .enabled(if: Peers.areAsked, "\(Peers.reason)"),
    arguments: SimulatedStudy.examples)
  func frictionless(example: String) async throws {
    try await SimulatedStudy.make(example, in: scratch["results"])
    let outcome = try await export(scratch["results"])
    #expect(outcome.problems.isEmpty && outcome.trials > 0, "\(outcome.problems)")
    try validate()
  }

  @Test(
    "pandas and R read the same tables, with the counts and the mean heart rates that the station has",
    .enabled(if: Peers.areAsked, "\(Peers.reason)"))
  func readers() async throws {
    try await SimulatedStudy.make("music-and-silence", in: scratch["results"])
    let outcome = try await export(scratch["results"])
    let counts = outcome.rows.map { "\($0.table.dropLast(4)) \($0.count)" }
    let (onsets, offsets) = (try column("onset_s", of: "trials"), try column("offset_s", of: "trials"))
    var stimuli: [String: ClosedRange<Double>] = [:]
    for (index, trial) in try column("trial", of: "trials").enumerated() {
      if let onset = Double(onsets[index]), let offset = Double(offsets[index]) { stimuli[trial] = onset...offset }
    }
    for (program, script) in [(Repository.python, "read.py"), ("Rscript", "read.R")] {
      let lines = try check(program, ["\(tables)/\(script)"]).split(separator: "\n").map {
        String($0.reversed().drop { $0 == " " }.reversed())
      }
      #expect(Array(lines.prefix(counts.count)) == counts)
      var sums: [String: (sum: Double, count: Double)] = [:]
      for place in try await SimulatedStudy.trials(scratch["results"]).order.places {
        for recording in try ExportedTrial(place).hearts {
          let beats = try #require(recording.beats)
          let wrong = Set(ArtefactCorrection.lipponenTarvainen.correct(beats).artefacts.map(\.index))
          guard let stimulus = stimuli[recording.trial?.trial ?? ""] else { continue }
          for index in beats.intervals.indices where !wrong.contains(index) && stimulus.contains(beats.ends[index]) {
            let old = sums[recording.trial?.condition ?? ""] ?? (0, 0)
            sums[recording.trial?.condition ?? ""] = (old.sum + beats.intervals[index], old.count + 1)
          }
        }
      }
      for (condition, all) in sums {
        #expect(lines.contains("\(condition): \((60_000 * all.count / all.sum).fixed(3)) /min"), "\(script) \(lines)")
      }
    }
  }

  @Test("The frames of waveforms are samples where they are asked for, in both forms")
  func waveforms() async throws {
    try File.create(scratch["ecg.json"], Array(BIDSExportTests.withWaveform.utf8))
    try await SimulatedStudy.make(scratch["ecg.json"], participants: 1, in: scratch["results"])
    let selection = try await SimulatedStudy.trials(scratch["results"])
    let bundle = try Bundle(#require(selection.order.places.first).path)
    let waveform = try #require(WaveformRecording.all(of: bundle).first)
    var frames: [(time: Double, value: Double)] = []
    try waveform.read { frames.append(($0, $1[0])) }
    let channel = try #require(waveform.channels.first)
    func isFrame(_ time: Double?, _ value: Double?, at index: Int) -> Bool {
      guard let time, let value else { return false }
      return (time - frames[index].time).magnitude < 1e-6 && (value - frames[index].value).magnitude < 1e-9
    }

    #expect(try await export(scratch["results"]).problems == [])
    #expect(try column("channel", of: "samples").allSatisfy(\.isEmpty))

    _ = try await TableExport(.csv, to: tables, version: "0.1.0", includesWaveforms: true).write(selection) { _, _ in }
    let rows = try rows("samples")
    let head = try #require(rows.first)
    let places = try ["channel", "unit", "time_s", "value"].map { try #require(head.firstIndex(of: $0)) }
    let own = rows.dropFirst().filter { $0[places[0]] == channel }
    #expect(own.count == frames.count && frames.count > 100)
    #expect(own.allSatisfy { $0[places[1]] == waveform.unit.symbol })
    #expect(own.enumerated().allSatisfy { isFrame(Double($1[places[2]]), Double($1[places[3]]), at: $0) })
    try validate()

    _ = try await TableExport(.jsonLines, to: scratch["lines"], version: "0.1.0", includesWaveforms: true)
      .write(selection) { _, _ in }
    let texts = try SimulatedStudy.contents(of: scratch["lines/samples"]).sorted { $0.key < $1.key }.map(\.value)
    let lines = try texts.joined().split(separator: UInt8(ascii: "\n")).map { try JSONReader.read(Array($0)).value }
    let same = lines.filter { $0["channel"]?.string == channel }
    #expect(same.count == frames.count)
    #expect(same.enumerated().allSatisfy { isFrame($1["time_s"]?.number, $1["value"]?.number, at: $0) })
  }

  @Test("The beats of one trial are read back from its table as from the bundle")
  func roundTrip() async throws {
    try await SimulatedStudy.make("music-heart-rate", participants: 2, in: scratch["results"])
    for place in try await SimulatedStudy.trials(scratch["results"]).order.places {
      let heart = try #require(try ExportedTrial(place).hearts.first)
      let beats = try #require(heart.beats)
      #expect(try await export(place.path).trials == 1)
      let read = try #require(try HeartRecording.read(path: "\(tables)/beats.csv").first)
      let found = try #require(read.beats)
      #expect(read.sensor == heart.sensor && found.count == beats.count && beats.count > 10)
      #expect(zip(found.intervals, beats.intervals).allSatisfy { ($0 - $1).magnitude <= 5e-5 })
      let shift = found.ends[0] - beats.ends[0]
      #expect(zip(found.ends, beats.ends).allSatisfy { ($0 - $1 - shift).magnitude <= 1e-5 })
    }
  }

  @Test("A damaged waveform is a problem, and nothing of its trial is in a table")
  func damagedWaveform() async throws {
    try File.create(scratch["ecg.json"], Array(BIDSExportTests.withWaveform.utf8))
    try await SimulatedStudy.make(scratch["ecg.json"], participants: 1, in: scratch["results"])
    let selection = try await SimulatedStudy.trials(scratch["results"])
    let bundle = try Bundle(#require(selection.order.places.first).path)
    let recording = try #require(bundle.record.recordings.first { $0.isWaveform })
    let file = "\(bundle.path)/\(recording.file)"
    try File.replaceWhole(file, File.contents(of: file).map { $0 == 0 ? 1 : $0 })
    let outcome = try await TableExport(.csv, to: tables, version: "0.1.0", includesWaveforms: true)
      .write(selection) { _, _ in }
    #expect(outcome.problems.count == 1 && outcome.problems.first?.contains(".blocks") == true, "\(outcome.problems)")
    #expect(outcome.trials == selection.order.places.count - 1)
  }

  @Test("The same results give the same bytes, also over an earlier export")
  func deterministic() async throws {
    try await SimulatedStudy.make("rating", in: scratch["results"])
    _ = try await export(scratch["results"])
    let first = try SimulatedStudy.contents(of: tables)
    _ = try await export(scratch["results"])
    #expect(try SimulatedStudy.contents(of: tables) == first)
    #expect(
      first.keys.sorted() == [
        "answers.csv", "beats.csv", "datapackage.json", "keys.csv", "read.R", "read.py", "samples.csv", "screens.csv",
        "trials.csv",
      ])
  }

  @Test("An edited script stays as it is, and is named", arguments: ["read.R", "read.py"])
  func changedScript(name: String) async throws {
    try await SimulatedStudy.make("rating", in: scratch["results"])
    #expect(try await export(scratch["results"]).keptScripts.isEmpty)
    let script = "\(tables)/\(name)"
    let written = try File.contents(of: script)
    let own = written + Array("plot(beats)\n".utf8)
    try File.replaceWhole(script, own)
    #expect(try await export(scratch["results"]).keptScripts == [name])
    #expect(try File.contents(of: script) == own)
    try Folder.removeFile(script)
    #expect(try await export(scratch["results"]).keptScripts.isEmpty)
    #expect(try File.contents(of: script) == written)
  }

  @Test("A beat has its time from the onset, its step and its interval")
  func beats() async throws {
    var trial = MadeTrial()
    // One beat too many, in the middle of a second.
    trial.intervals.replaceSubrange(10...10, with: [480, 520])
    try trial.write(to: scratch["results/bundles/trial-1"])
    _ = try await export(scratch["results"])
    #expect(
      try rows("beats")[1] == [
        "P01", "1", "trial-1", "MusicTask", "rain", "false", "strap", "rest", "1", "-18.99", "1000", "60", "false",
        "false", "",
      ])
    #expect(try column("artefact", of: "beats").filter { !$0.isEmpty } == ["extra"])
    #expect(try column("step", of: "beats").filter { $0 == "music" }.count == 27)
    #expect(try column("onset_s", of: "trials") == ["19.99"])
    #expect(try column("value", of: "samples").prefix(2) == ["60", "60"])
  }

  @Test(
    "Only the chosen trials are taken",
    arguments: [
      (TrialSelection(participant: "P02"), ["trial-2"]),
      (TrialSelection(session: "1"), ["trial-1", "trial-2", "trial-3"]),
      (TrialSelection(verdict: .good), ["trial-1", "trial-2"]),
      (TrialSelection(trials: ["trial-3", "TRIAL-1"]), ["trial-1", "trial-3"]),
    ])
  func choices(selection: TrialSelection, expected: [String]) async throws {
    for number in 1...3 {
      var trial = MadeTrial()
      trial.participant = number == 2 ? "P02" : "P01"
      trial.verdict = number == 3 ? "bad" : "good"
      try trial.write(to: scratch["results/bundles/trial-\(number)"])
    }
    let outcome = try await export(scratch["results"], selection)
    #expect(try column("trial", of: "trials") == expected && outcome.trials == expected.count)
    #expect(Set(try column("trial", of: "beats")) == Set(expected))
  }

  @Test(
    "Hostile texts become harmless cells",
    arguments: [
      ("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")"), ("@SUM(A1)", "'@SUM(A1)"), ("-2+3", "'-2+3"),
      ("a\nb\tc", "a\\nb\\u{9}c"), ("\u{202E}gpj", "\\u{202E}gpj"), ("NA", "NA"), ("a,b", "a,b"), ("＝1+1", "'＝1+1"),
    ])
  func hostile(text: String, cell: String) async throws {
    var trial = MadeTrial()
    (trial.clip, trial.condition) = (text, text)
    try trial.write(to: scratch["results/bundles/trial-1"])
    _ = try await export(scratch["results"])
    #expect(try column("clip", of: "trials") == [cell] && Set(try column("condition", of: "beats")) == [cell])
    guard Peers.areAsked else { return }
    let read = "import runpy, sys; t = runpy.run_path(sys.argv[1])['read'](); print(t['trials']['clip'][0])"
    #expect(try check(Repository.python, ["-c", read, "\(tables)/read.py"]) == cell + "\n")
  }

  @Test("With pseudonyms and shifted dates nothing is left that could identify, and times keep their distances")
  func pseudonymised() async throws {
    for number in 1...2 {
      var trial = MadeTrial()
      trial.start = trial.start.advanced(by: .seconds(3600 * number))
      trial.changes = { _ in ["source": "lines:tcp://10.0.0.7:9000"] }
      try trial.write(to: scratch["results/bundles/trial-\(number)"])
    }
    let pseudonymisation = try Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["key"])
    let trials = try await SimulatedStudy.trials(scratch["results"])
    let outcome = try await TableExport(.csv, to: tables, version: "0.1.0", pseudonymisation: pseudonymisation).write(
      trials
    ) { _, _ in
    }
    #expect(outcome.trials == 2 && !outcome.omissions.isEmpty)
    for (name, bytes) in try SimulatedStudy.contents(of: tables) {
      let text = String(decoding: bytes, as: UTF8.self)
      for secret in ["P01", "trial-1", "2025-", "10.0.0.7"] { #expect(!text.contains(secret), "\(secret) in \(name)") }
    }
    let starts = try column("start", of: "trials").compactMap { WallTime($0) }
    #expect(starts.count == 2 && starts[0].duration(to: starts[1]) == .seconds(3600))
    #expect(starts[0] < WallTime("1925-01-01T00:00:00Z") ?? .earliest)
    #expect(Set(try column("participant", of: "beats")).count == 1)
  }

  @Test("A folder with other files is left alone, and a changed bundle is a problem")
  func refusals() async throws {
    try MadeTrial().write(to: scratch["results/bundles/trial-1"])
    try Folder.ensure(tables)
    try File.create("\(tables)/thesis.txt", [65])
    await #expect(throws: ExportError.folderInUse(path: tables, kind: .table)) {
      try await export(scratch["results"])
    }
    try Folder.removeFile("\(tables)/thesis.txt")
    // Nor is a data package or a set of queries that another program made.
    try File.create("\(tables)/datapackage.json", Array(#"{"name": "sleep-study"}"#.utf8))
    await #expect(throws: ExportError.folderInUse(path: tables, kind: .table)) {
      try await export(scratch["results"])
    }
    try Folder.removeFile("\(tables)/datapackage.json")
    try Folder.ensure(scratch["results/bundles/trial-2/data"])
    try File.create(scratch["results/bundles/trial-2/data/result.json"], Array("{".utf8))
    let outcome = try await export(scratch["results"])
    #expect(outcome.trials == 1 && outcome.problems.count == 1)
  }
}
