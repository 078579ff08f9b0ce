import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Export

@Suite("Waveforms exported as EDF+")
struct EDFExportTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// What two other implementations read of a file, as JSON by their names.
  private func read(_ path: String) throws -> [String: JSONValue] {
    let script = """
      import json, sys
      import edfio, pyedflib
      path = sys.argv[1]
      with pyedflib.EdfReader(path) as file:
          onsets, durations, texts = file.readAnnotations()
          first = {
              "type": file.filetype, "rate": file.getSampleFrequency(0), "label": file.getLabel(0),
              "unit": file.getPhysicalDimension(0), "digital": file.readSignal(0, digital=True).tolist(),
              "values": file.readSignal(0).tolist(), "texts": list(map(str, texts)),
              "onsets": list(map(float, onsets)), "patient": file.getPatientCode(), "name": file.getPatientName(),
              "start": file.getStartdatetime().isoformat(), "channels": file.signals_in_file,
          }
      file = edfio.read_edf(path)
      signal = file.signals[0]
      second = {
          "rate": signal.sampling_frequency, "label": signal.label, "unit": signal.physical_dimension,
          "digital": signal.digital.tolist(), "values": signal.data.tolist(),
          "texts": [a.text for a in file.annotations], "onsets": [a.onset for a in file.annotations],
          "patient": file.patient.code, "name": file.patient.name, "channels": len(file.signals),
      }
      print(json.dumps({"pyedflib": first, "edfio": second}))
      """
    let (status, output, error) = try Program.run(Repository.python, ["-c", script, path])
    try #require(status == 0, "\(error)")
    return try #require(try JSONReader.read(Array(output.utf8)).value.object)
  }

  private func numbers(_ value: JSONValue?) -> [Double] { (value?.array ?? []).compactMap(\.number) }
  private func texts(_ value: JSONValue?) -> [String] { (value?.array ?? []).compactMap(\.string) }

  private func file(
    _ values: [Double], rate: Double = 250, fraction: Double = 0.25, annotations: [EDFAnnotation] = []
  ) throws -> String {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).edf"]
    let start = try #require(WallTime("2026-11-20T10:00:00Z"))
    try File.create(
      path,
      EDFFile(
        patient: "p 01", start: start, isDated: true, fraction: fraction,
        rhythm: #require(EDFRhythm(rate: rate, channels: 1)),
        signals: [try EDFSignal(label: "ecg", unit: "\u{B5}V", values: values)], annotations: annotations
      ).bytes)
    return path
  }

  @Test("Whole numbers, as a converter gives them, are kept exactly")
  func exact() throws {
    let values = (0..<1000).map { Double(($0 * 7919) % 65_000 - 32_500) }
    for (name, peer) in try read(file(values)) {
      #expect(numbers(peer["digital"]).prefix(1000) == values[...], "\(name)")
      #expect(numbers(peer["values"]).prefix(1000) == values[...], "\(name)")
      #expect(peer["rate"]?.number == 250 && peer["label"]?.string == "ecg" && peer["unit"]?.string == "uV", "\(name)")
      // A blank would end the code: it is written as “_”, which readers take for one.
      #expect(["p 01", "p_01"].contains(peer["patient"]?.string ?? ""), "\(name)")
      #expect(["", "X"].contains(peer["name"]?.string ?? ""), "\(name)")
    }
  }

  @Test(
    "Other values are within half a level of their range",
    arguments: [(-1.25, 3.5), (0.0001, 0.0002), (-30_000.5, 5e6), (1.5, 1.5), (-9e5, -8e5)])
  func scaled(low: Double, high: Double) throws {
    let values = (0..<500).map { low + (high - low) * Double(($0 * 37) % 500) / 499 }
    // The limits have eight characters.
    let level = (high - low) / 65_000 + max(low.magnitude, high.magnitude) * 1e-6 + 1e-6 / 65_000
    for (name, peer) in try read(file(values)) {
      for (found, value) in zip(numbers(peer["values"]), values) {
        #expect((found - value).magnitude <= level, "\(name): \(found), not \(value)")
      }
    }
  }

  @Test("Missing frames have the value that no frame has otherwise")
  func missing() throws {
    let values = [-32_767, 5, .nan, 7, 32_767]
    for (name, peer) in try read(file(values)) {
      #expect(numbers(peer["digital"]).prefix(6) == [-32_767, 5, -32_768, 7, 32_767, -32_768], "\(name)")
    }
  }

  @Test("Sampling rates that are no whole numbers are kept", arguments: [62.5, 0.5, 128, 1000, 51.2, 130.0123, 0.1])
  func rates(rate: Double) throws {
    for (name, peer) in try read(file((0..<3000).map { Double($0 % 100) }, rate: rate)) {
      let found = try #require(peer["rate"]?.number)
      #expect((found / rate - 1).magnitude < 1e-6, "\(name): \(found)")
    }
  }

  @Test("Annotations have their times and texts, however many there are")
  func annotations() throws {
    let given = (0..<200).map {
      EDFAnnotation(onset: Double($0) / 8 - 1, duration: $0 % 3 == 0 ? 0.5 : nil, text: "nº \($0)")
    }
    // Those of a moment before the file are allowed too.
    let path = try file((0..<2500).map { Double($0 % 50) }, annotations: given)
    for (name, peer) in try read(path) {
      #expect(texts(peer["texts"]).sorted() == given.map(\.text).sorted(), "\(name)")
      // The first record begins 0.25 s after the file's second; readers count from either.
      let onsets = numbers(peer["onsets"]).sorted()
      #expect(
        zip(onsets, given).allSatisfy { found, wanted in
          [0, 0.25].contains { (found + $0 - wanted.onset).magnitude < 1e-4 }
        }, "\(name)")
    }
  }

  @Test(
    "A trial's waveform has its values, steps and no more of the participant than a code", arguments: [false, true])
  func trial(isPseudonymisationd: Bool) async throws {
    try File.create(scratch["ecg.json"], Array(BIDSExportTests.withWaveform.utf8))
    try await SimulatedStudy.make(scratch["ecg.json"], participants: 1, in: scratch["results"])
    let pseudonymisation =
      isPseudonymisationd
      ? try Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["key"]) : Pseudonymisation.none
    let selection = try await SimulatedStudy.trials(scratch["results"])
    let export = DocumentExport(.edf, to: scratch["edf"], pseudonymisation: pseudonymisation)
    let outcome = try await export.write(selection) { _, _ in }
    #expect(outcome.problems == [] && outcome.files == outcome.trials && outcome.files > 0)
    let place = try #require(selection.order.places.first)
    let trial = try ExportedTrial(place, pseudonymisation)
    let waveform = try #require(WaveformRecording.all(of: trial.bundle).first)
    var frames: [Double] = []
    try waveform.read { frames.append($1[0]) }
    let path = "\(scratch["edf"])/\(trial.identifier).edf"
    let range = (frames.max() ?? 0) - (frames.min() ?? 0)
    for (name, peer) in try read(path) {
      let values = numbers(peer["values"]).map { $0 * waveform.scale }
      #expect(zip(values, frames).allSatisfy { ($0 - $1).magnitude <= range / 60_000 }, "\(name)")
      #expect(values.count >= frames.count && !frames.isEmpty && peer["rate"]?.number == waveform.rate, "\(name)")
      #expect(texts(peer["texts"]).contains { $0.hasPrefix("step ") }, "\(name)")
      #expect(peer["patient"]?.string == trial.participant, "\(name)")
      if let start = peer["start"]?.string { #expect(start.hasPrefix("1985-01-01") == isPseudonymisationd, "\(start)") }
    }
    // Our own readers know what it is.
    let back = try SignalFile(path)
    #expect(back.channels.map(\.quantity) == [.electrocardiogram] && back.caveats.isEmpty)
    let values = try (0..<back.pieces).flatMap { try back.blocks(ofPiece: $0, of: [0]).flatMap(\.values) }
    #expect(zip(values, frames).allSatisfy { (Double($0) * waveform.scale - $1).magnitude <= range / 60_000 })
    #expect(try Recording.read(path: path, ReadingOptions(detection: .init())).first?.detection?.channel == "ECG")
    // The same export again has the same bytes.
    let bytes = try File.contents(of: path)
    _ = try await export.write(selection) { _, _ in }
    #expect(try File.contents(of: path) == bytes)
    if isPseudonymisationd {
      let text = String(decoding: bytes.prefix(256), as: UTF8.self)
      #expect(text.contains("Startdate X") && !text.contains(trial.facts.participant + " "))
    }
  }

  @Test("The intervals that Kubios gets are those that a list of intervals has")
  func kubios() async throws {
    try await SimulatedStudy.make("music-heart-rate", participants: 1, in: scratch["results"])
    let selection = try await SimulatedStudy.trials(scratch["results"])
    _ = try await DocumentExport(.kubios, to: scratch["kubios"]).write(selection) { _, _ in }
    let trial = try ExportedTrial(#require(selection.order.places.first))
    let beats = try #require(trial.hearts.first?.beats)
    var intervals: [Double] = []
    for name in try Folder.names(in: scratch["kubios"]).filter({ $0.hasPrefix(trial.identifier) }).sorted() {
      intervals += try HeartRecording.read(path: "\(scratch["kubios"])/\(name)").first?.beats?.intervals ?? []
    }
    #expect(intervals.count == beats.count && intervals.count > 10)
    #expect(zip(intervals, beats.intervals).allSatisfy { ($0 - $1).magnitude <= 5e-5 })
  }

  @Test("A missing frame of ours is none when it is read, and a value of another program's file remains")
  func readBack() throws {
    let path = try file([100, -5, .nan, .nan, 7] + Array(repeating: 1, count: 245))
    let values = try values(path)
    #expect(values[0] == 100 && values[1] == -5 && values[2].isNaN && values[3].isNaN && values[4] == 7)
    var bytes = try File.contents(of: path)
    // The recording's identification says who made the file.
    bytes.replaceSubrange(88..<168, with: Array("Startdate X X X other".utf8) + Array(repeating: 0x20, count: 59))
    let other = scratch["other.edf"]
    try File.create(other, bytes)
    #expect(try self.values(other)[2] == -32_768)
  }

  private func values(_ path: String) throws -> [Float] {
    let file = try SignalFile(path)
    return try file.blocks(ofPiece: 0, of: [0]).flatMap(\.values)
  }

  @Test(
    "Values that the header has no room for are refused, not cut",
    arguments: [[0, 123_456_789_012], [-10_000_000.5, 0], [3e9, 3e9]])
  func range(values: [Double]) {
    #expect(throws: EDFProblem.self) { try EDFSignal(label: "count", unit: "1", values: values) }
  }
}
