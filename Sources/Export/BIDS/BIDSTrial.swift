import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

/// A trial that is written into a data set under its names.
struct BIDSTrial: Sendable {
  let path: String
  let entry: BIDSEntry

  /// Writes the trial's files.
  ///
  /// They are of no use until the ledger has the trial, so that they need not be written beside their names.
  ///
  /// - Returns: the trial's entry, complete, and what is to be said of it.
  /// - Throws: `FileError` where it cannot be written; `BundleError` and `RecordingError` where it cannot be read.
  func write(
    to dataset: String, _ pseudonymisation: Pseudonymisation, _ stimuli: BIDSStimuli, _ given: BIDSDescription,
    _ corrections: CorrectionChoice
  ) throws -> WrittenTrial<BIDSEntry> {
    var entry = entry
    try Folder.ensure("\(dataset)/\(entry.folder)/beh")
    let trial = try ExportedTrial(TrialPlace(path: path), pseudonymisation, corrections: corrections)
    let record = trial.record
    entry.group = record.group
    entry.correctionsSHA256 = ExportedTrial.correctionsDigest(ofBundle: path, corrections)
    (entry.localStart, entry.timeZone) = (trial.localTime(trial.start), trial.timeZone)
    func file(_ suffix: String) -> String { "\(dataset)/\(entry.path(suffix))" }
    let stimulus = try stimuli.place(trial.bundle)
    try Self.write(file("events.tsv"), BIDSEvents(trial, stimulus: stimulus).table)
    let sidecar = "\(dataset)/task-\(entry.task)_events.json"
    if !Folder.exists(sidecar) {
      let text = BIDSEvents.sidecar(
        record, title: trial.bundle.protocolTitle, isHidden: pseudonymisation.isActive, given: given.task)
      try File.replaceWhole(sidecar, text.encoded(pretty: true))
    }
    let end = max(record.startDate.duration(to: record.endDate), record.steps.last?.left ?? .zero).seconds
    var labels = DistinctLabels()
    var series = trial.hearts.map { heart in
      let recorder = record.recordings.first { $0.isOfHeartbeats && $0.recorder.sensor.name == heart.sensor }
      return (
        recorder: recorder, name: recorder?.recorder.identifier ?? "heartRate", series: BIDSSeries(heart: heart),
        corrections: trial.corrections(of: heart)
      )
    }
    series += trial.channels.map { channel in
      let recorder = record.recordings.first { $0.recorder.identifier == channel.series.recorder }
      return (recorder, channel.series.recorder, BIDSSeries(channel: channel), nil)
    }
    for one in series where !one.series.isEmpty {
      let name = labels.label(one.name)
      var common = common(record, one.recorder, pseudonymisation)
      if let corrections = one.corrections { common["BeatCorrections"] = .string(corrections) }
      try Self.write(file("recording-\(name)_physio.tsv.gz"), try Gzip.file(of: one.series.grid(to: end)))
      try Self.write(file("recording-\(name)_physio.json"), one.series.gridSidecar(common).encoded(pretty: true))
      try Self.write(file("recording-\(name)_physioevents.tsv.gz"), try Gzip.file(of: one.series.events))
      let about = common.filter { ["TaskName", "BeatCorrections"].contains($0.key) }
      try Self.write(file("recording-\(name)_physioevents.json"), one.series.eventsSidecar(about).encoded(pretty: true))
    }
    for recording in WaveformRecording.all(of: trial.bundle) {
      guard let waveform = BIDSWaveform(recording) else { continue }
      let name = labels.label(recording.recorder)
      let sidecar = try waveform.write(
        to: file("recording-\(name)_physio.tsv.gz"), common(record, recording.recording, pseudonymisation))
      try Self.write(file("recording-\(name)_physio.json"), sidecar.encoded(pretty: true))
    }
    if !pseudonymisation.isActive {
      let copy = "\(dataset)/sourcedata/bundles/\(entry.trial)"
      try Self.copy(path, to: copy)
      let file = CorrectionsFile(ofBundle: path)
      if file.isThere { try Self.write(CorrectionsFile(ofBundle: copy).path, try File.contents(of: file.path)) }
    }
    return WrittenTrial(entry: entry, isCorrected: trial.corrections != nil, notes: trial.correctionNotes)
  }

  /// Removes what was written of a trial that cannot be read whole.
  func remove(from dataset: String) {
    let folder = "\(dataset)/\(entry.folder)/beh"
    for name in (try? Folder.names(in: folder)) ?? [] where name.hasPrefix("\(entry.stem)_") {
      try? Folder.removeFile("\(folder)/\(name)")
    }
    let copy = "\(dataset)/sourcedata/bundles/\(entry.trial)"
    try? Folder.removeFile(CorrectionsFile(ofBundle: copy).path)
    try? Folder.removeTree(copy)
  }

  /// What all sidecars of recordings say: the task, the measured times, the device.
  private func common(
    _ record: TrialRecord, _ recording: TrialRecord.Recording?, _ pseudonymisation: Pseudonymisation
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = ["TaskName": .string(record.studyProtocol.identifier)]
    if let onset = record.playback?.onset {
      members["StimulusOnset"] = .number((onset.time.seconds * 1e9).rounded() / 1e9)
      members["StimulusOnsetUncertainty"] = .number((onset.uncertainty.seconds * 1e9).rounded() / 1e9)
    }
    members["ClockUncertainty"] = .number((record.zero.uncertainty.seconds * 1e9).rounded() / 1e9)
    guard let recording else { return members }
    members["Coverage"] = .number(recording.coverage)
    members["SensorLatency"] = .number(recording.recorder.sensor.latency.seconds)
    if !pseudonymisation.isActive, let device = recording.recorder.sensor.device {
      if let maker = device.manufacturer { members["Manufacturer"] = .string(maker) }
      if let model = device.model { members["ManufacturersModelName"] = .string(model) }
      if let version = device.firmwareVersion { members["SoftwareVersions"] = .string(version) }
    }
    return members
  }

  /// Writes a file; one that an interrupted export has left is written again.
  private static func write(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    let file = try File(path, .ensure)
    try file.truncate(to: 0)
    try file.write(bytes)
  }

  private static func copy(_ source: String, to target: String) throws(FileError) {
    try Folder.ensure(target)
    for name in try Folder.names(in: source) {
      let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
      switch Folder.kind(of: from) {
      case .folder: try copy(from, to: to)
      case .regular:
        let input = try File(inside: source, name)
        let output = try File(to, .ensure)
        try output.truncate(to: 0)
        while case let piece = try input.read(upTo: 1 << 18), !piece.isEmpty { try output.write(piece) }
      default: throw FileError("copy", from, code: FileError.irregular)
      }
    }
  }
}
