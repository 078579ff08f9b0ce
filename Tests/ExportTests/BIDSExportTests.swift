import Analysis
import Basics
import Bundles
import TestSupport
import Testing

@testable import Export

@Suite("BIDS data sets")
struct BIDSExportTests {
  private let scratch: ScratchFolder
  private var results: String { scratch["results"] }
  private var dataset: String { scratch["bids"] }

  // The validator reads nothing below /dev.
  init() throws { scratch = try ScratchFolder(isOnDisk: true) }

  private func export(
    _ selection: TrialSelection = TrialSelection(), pseudonymisation: Pseudonymisation = .none, clips: String? = nil,
    to folder: String? = nil
  ) async throws -> ExportOutcome {
    try await BIDSExport(to: folder ?? dataset, version: "0.1.0", pseudonymisation: pseudonymisation, clips: clips)
      .write([results], selection) { _, _ in }
  }

  /// The issues that the validator of BIDS finds, where peers are asked.
  private func issues() throws -> [String] {
    guard Peers.areAsked else { return [] }
    let (_, output, error) = try Program.run(
      "\(Repository.root)/.test-env/bin/bids-validator-deno", [dataset, "--max-rows", "-1", "--format", "json"])
    let document = try JSONReader.read(Array(output.utf8)).value
    let issues = try #require(document["issues"]?["issues"]?.array, "\(output)\(error)")
    return issues.map { $0.text() }
  }

  /// What the validator lets pass and no reader can use: recordings without rows or without a rate, rows of another width,
  /// carriage returns, and stimuli that are empty or other ones than their descriptions say.
  private func ownFaults() throws -> [String] {
    var faults: [String] = []
    let contents = try SimulatedStudy.contents(of: dataset).filter { !$0.key.hasPrefix("sourcedata/bundles") }
    for (path, bytes) in contents {
      let stem = path.split(separator: ".").first.map(String.init) ?? path
      if path.hasSuffix("_physio.json") || path.hasSuffix("_physioevents.json") {
        let sidecar = try JSONReader.read(bytes).value
        let width = sidecar["Columns"]?.array?.count ?? 0
        let (_, text, _) = try Program.run("gzip", ["-dc", "\(dataset)/\(stem).tsv.gz"])
        let rows = text.split(separator: "\n").map { $0.split(separator: "\t").count }
        if rows.isEmpty || rows.contains(where: { $0 != width }) { faults.append("\(path): rows of \(Set(rows))") }
        if path.hasSuffix("_physio.json"), (sidecar["SamplingFrequency"]?.number ?? 0) <= 0 {
          faults.append("\(path): no rate")
        }
      } else if path.hasSuffix(".tsv") {
        let isOdd = bytes.contains(UInt8(ascii: "\r")) || bytes.starts(with: [0xEF, 0xBB])
        if isOdd { faults.append("\(path): CR or BOM") }
      } else if path.hasPrefix("stimuli/"), !path.hasSuffix(".json") {
        let sidecar = try JSONReader.read(#require(contents["\(stem).json"])).value
        if bytes.isEmpty || SHA256.digest(of: bytes).description != sidecar["SHA256"]?.string { faults.append(path) }
      }
    }
    if contents["participants.tsv"] == nil { faults.append("no participants.tsv") }
    return faults
  }

  @Test("The BIDS validator finds neither errors nor warnings in any example study", arguments: SimulatedStudy.examples)
  func validator(example: String) async throws {
    try await SimulatedStudy.make(example, in: results)
    let outcome = try await export(clips: "\(Repository.root)/Clips")
    #expect(outcome.problems.isEmpty && outcome.added > 0, "\(outcome.problems)")
    #expect(try issues() == [])
    #expect(try ownFaults() == [])
  }

  @Test("A waveform is a recording of its own, with every frame that the bundle has")
  func waveforms() async throws {
    try File.create(scratch["ecg.json"], Array(Self.withWaveform.utf8))
    try await SimulatedStudy.make(scratch["ecg.json"], participants: 1, in: results)
    _ = try await export()
    #expect(try issues() == [])
    #expect(try ownFaults() == [])
    let path = try #require(try ResultsFolder(results).trials().first)
    let bundle = try Bundle(ResultsFolder(results).bundlePath(named: path))
    let waveform = try #require(WaveformRecording.all(of: bundle).first)
    let rate = try #require(waveform.rate)
    var frames: [(time: Double, value: Double)] = []
    try waveform.read { frames.append(($0, $1[0])) }
    let files = try SimulatedStudy.contents(of: dataset)
    let name = try #require(files.keys.first { $0.hasSuffix("recording-ecg_physio.json") })
    let sidecar = try JSONReader.read(#require(files[name])).value
    #expect(sidecar["SamplingFrequency"]?.number == rate && sidecar["StartTime"]?.number == frames.first?.time)
    let (_, text, _) = try Program.run("gzip", ["-dc", "\(dataset)/\(name.dropLast(4))tsv.gz"])
    let values = text.split(separator: "\n").map { Double($0.split(separator: "\t")[0]) }
    #expect(values.count { $0 != nil } == frames.count && !frames.isEmpty)
    for frame in frames {
      let place = Int(((frame.time - frames[0].time) * rate).rounded())
      #expect(values[place].map { ($0 - frame.value).magnitude < 1e-8 } == true)
    }
  }

  static let withWaveform = """
    { "format": "station.protocol/1", "identifier": "ECG", "version": "1",
      "steps": [ { "kind": "rest", "identifier": "rest", "title": "Rest", "stepDuration": 3,
        "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,
        "recorderConfigurations": [
          { "identifier": "ecg", "quantityType": "electrocardiogram", "unit": "mV" },
          { "identifier": "hr", "quantityType": "heartRate", "unit": "count/min" } ] } ] }
    """

  @Test("It finds none where codes are replaced and dates are shifted, and nothing of them is left")
  func pseudonymised() async throws {
    try await SimulatedStudy.make("music-and-silence", in: results)
    let pseudonymisation = try Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["key"])
    _ = try await export(pseudonymisation: pseudonymisation, clips: "\(Repository.root)/Clips")
    #expect(try issues() == [])
    let trials = try ResultsFolder(results).trials()
    for (path, bytes) in try SimulatedStudy.contents(of: dataset) where !path.hasPrefix("stimuli/") {
      let text = path + "\n" + String(decoding: bytes, as: UTF8.self)
      for secret in ["sim1", "sim2", "booth", "2026-"] + trials {
        #expect(!text.contains(secret), "\(secret) in \(path)")
      }
    }
    // The key stays: the same pseudonyms in another export, and other ones by another key.
    let names = try Folder.names(in: dataset).filter { $0.hasPrefix("sub-") }
    _ = try await export(
      pseudonymisation: Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["key"]),
      to: scratch["again"])
    #expect(try Folder.names(in: scratch["again"]).filter { $0.hasPrefix("sub-") } == names)
    _ = try await export(
      pseudonymisation: Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["other"]),
      to: scratch["third"])
    #expect(try Folder.names(in: scratch["third"]).filter { $0.hasPrefix("sub-") } != names)
  }

  @Test("New trials are added, and of what was there only the lists change")
  func incremental() async throws {
    try await SimulatedStudy.make("music-and-silence", participants: 3, in: results)
    _ = try await export(TrialSelection(participant: "sim1"))
    let before = try SimulatedStudy.contents(of: dataset)
    let outcome = try await export()
    #expect(outcome.added > 0 && outcome.trials > outcome.added)
    let after = try SimulatedStudy.contents(of: dataset)
    let changed = before.keys.filter { before[$0] != after[$0] }.sorted()
    #expect(changed == ["participants.tsv", "sourcedata/station/trials.jsonl"])
    #expect(try issues() == [])
    // All in one call says the same of every trial.
    _ = try await export(to: scratch["whole"])
    #expect(try SimulatedStudy.contents(of: scratch["whole"]) == after)
    #expect(try await export().added == 0)
    #expect(try SimulatedStudy.contents(of: dataset) == after)
  }

  @Test("Columns and rows that a laboratory adds to the lists stay when trials are added")
  func ownColumns() async throws {
    try await SimulatedStudy.make("music-and-silence", participants: 2, in: results)
    _ = try await export(TrialSelection(participant: "sim1"))
    let list = "participant_id\tage\tgroup\r\nsub-sim1\t31\tn/a\r\nsub-x\t40\tcontrol\r\n"
    try File.replaceWhole("\(dataset)/participants.tsv", Array(list.utf8))
    _ = try await export()
    let rows = String(decoding: try File.contents(of: "\(dataset)/participants.tsv"), as: UTF8.self)
    #expect(
      rows == "participant_id\tgroup\tage\nsub-sim1\tn/a\t31\nsub-sim2\tn/a\tn/a\nsub-x\tcontrol\t40\n", "\(rows)")
  }

  @Test("A trial that lies in two results folders is in the data set once")
  func copies() async throws {
    try await SimulatedStudy.make("silent-control", participants: 1, in: results)
    let copied = try Program.run("cp", ["-r", results, scratch["copy"]])
    try #require(copied.status == 0)
    let outcome = try await BIDSExport(to: dataset, version: "0.1.0")
      .write([results, scratch["copy"]], TrialSelection()) { _, _ in }
    #expect(outcome.added > 0 && outcome.problems.count == outcome.added, "\(outcome.problems)")
    #expect(try issues() == [])
  }

  @Test("Another data set is left alone")
  func foreign() async throws {
    try await SimulatedStudy.make("silent-control", participants: 1, in: results)
    try Folder.ensure(dataset)
    let description = #"{"Name": "Sleep", "BIDSVersion": "1.9.0", "GeneratedBy": [{"Name": "heudiconv"}]}"#
    try File.create("\(dataset)/dataset_description.json", Array(description.utf8))
    await #expect(throws: ExportError.folderInUse(path: dataset, kind: .bids)) { try await export() }
    #expect(try Folder.names(in: dataset) == ["dataset_description.json"])
  }

  @Test("A trial with a damaged waveform leaves none of its files in the data set")
  func damaged() async throws {
    try File.create(scratch["ecg.json"], Array(Self.withWaveform.utf8))
    try await SimulatedStudy.make(scratch["ecg.json"], participants: 1, in: results)
    let trials = try ResultsFolder(results).trials()
    let bundle = try Bundle(ResultsFolder(results).bundlePath(named: #require(trials.first)))
    let recording = try #require(bundle.record.recordings.first { $0.isWaveform })
    let file = "\(bundle.path)/\(recording.file)"
    try File.replaceWhole(file, File.contents(of: file).map { $0 == 0 ? 1 : $0 })
    let outcome = try await export()
    #expect(outcome.added == trials.count - 1 && outcome.problems.count == 1, "\(outcome.problems)")
    let files = try SimulatedStudy.contents(of: dataset).keys
    #expect(files.count { $0.hasSuffix("_events.tsv") } == outcome.added)
    #expect(!files.contains { $0.contains(bundle.record.trial) })
  }

  @Test("Names that BIDS forbids get labels of their own, which the data set keeps")
  func labels() async throws {
    for (number, participant) in ["p-1", "p1", "P1", "_"].enumerated() {
      var trial = MadeTrial()
      trial.participant = participant
      trial.condition = "Music & silence"
      try trial.write(to: "\(results)/bundles/trial-\(number)")
    }
    _ = try await export()
    let people = try Folder.names(in: dataset).filter { $0.hasPrefix("sub-") }
    #expect(people == ["sub-P1x3", "sub-p1", "sub-p1x2", "sub-x"])
    let ledger = String(decoding: try File.contents(of: "\(dataset)/sourcedata/station/trials.jsonl"), as: UTF8.self)
    #expect(ledger.contains(#""p-1":"p1""#) && ledger.contains(#""Music & silence":"Musicsilence""#))
    #expect(try issues() == [])
  }

  @Test("Bundles in it are whole, and a heart rate is held for five seconds at most")
  func content() async throws {
    var trial = MadeTrial()
    trial.changes = { $0 > 3 ? ["contact": false] : [:] }
    try trial.write(to: "\(results)/bundles/trial-1")
    _ = try await export()
    #expect(
      try SimulatedStudy.contents(of: "\(dataset)/sourcedata/bundles/trial-1")
        == SimulatedStudy.contents(of: "\(results)/bundles/trial-1"))
    let file = "\(dataset)/sub-P01/ses-1/beh/sub-P01_ses-1_task-MusicTask_run-1_recording-heartRate"
    let (_, grid, _) = try Program.run("gzip", ["-dc", "\(file)_physio.tsv.gz"])
    let lines = grid.split(separator: "\n").map(String.init)
    #expect(Array(lines.prefix(11)) == (0...10).map { "\($0)\t\((1...9).contains($0) ? "60" : "n/a")" })
    let (_, events, _) = try Program.run("gzip", ["-dc", "\(file)_physioevents.tsv.gz"])
    #expect(
      Set(events.split(separator: "\n").prefix(2).map(String.init)) == [
        "1\t0\theart_rate\t60\tn/a", "1\t0\tbeat\t60\t1",
      ])
  }

  @Test("Other options need another folder")
  func otherOptions() async throws {
    try MadeTrial().write(to: "\(results)/bundles/trial-1")
    _ = try await export()
    let pseudonymisation = try Pseudonymisation(hidesCodes: true, shiftsDates: false, keyFile: scratch["key"])
    await #expect(throws: ExportError.self) { try await export(pseudonymisation: pseudonymisation) }
    await #expect(throws: ExportError.self) { try await export(to: "\(results)/bundles/trial-1/data") }
  }

  @Test("A data set to which simulated trials are added gets their mark, once, and keeps its name")
  func marked() async throws {
    let named = ["Name": JSONValue.string("Rain")]
    for (folder, isSimulated) in [("people", false), ("made", true), ("made2", true)] {
      if isSimulated {
        try await SimulatedStudy.make("one-clip", participants: 1, in: scratch[folder])
      } else {
        try MadeTrial().write(to: scratch["\(folder)/bundles/01a1f8ea-0000-7000-8000-000000000001"])
      }
      let outcome = try await BIDSExport(
        to: dataset, version: "0.1.0", pseudonymisation: .none, clips: nil, given: BIDSDescription(named)
      ).write([scratch[folder]], TrialSelection(includesSimulated: true)) { _, _ in }
      #expect(outcome.problems.isEmpty, "\(outcome.problems)")
      let description = try JSONReader.read(File.contents(of: "\(dataset)/dataset_description.json")).value
      let name = isSimulated ? "Rain (simulated data)" : "Rain"
      #expect(description["Name"]?.string == name)
      let readme = String(decoding: try File.contents(of: "\(dataset)/README.md"), as: UTF8.self)
      #expect(readme.hasPrefix("# \(name)\n"))
    }
  }
}
