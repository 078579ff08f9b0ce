import Basics
import Bundles
import Quantities
import Recordings
import Signals

extension Recording {
  /// The beats that are found in the waveforms of a bundle, or in a signal of a file.
  ///
  /// - Parameters:
  ///   - path: the bundle's folder, or the file.
  ///   - options: the channel.
  ///   - choice: which corrections of people are used.
  /// - Returns: a recording for each electrocardiogram and pulse wave of a bundle; one of a file.
  /// - Throws: `RecordingError` where there is no such waveform, with what there is.
  static func detected(
    path: String, _ options: ReadingOptions.Detection, _ choice: CorrectionChoice
  ) throws(RecordingError) -> [Recording] {
    guard Folder.isFolder(path) else { return [Recording(try detected(in: try SignalFile(path), options))] }
    let bundle: Bundle
    do throws(BundleError) { bundle = try Bundle(path) } catch { throw .bundle("\(error)") }
    let waveforms = WaveformRecording.all(of: bundle).filter { DetectedBeats.kind(of: $0.type) != nil }
    guard !waveforms.isEmpty else {
      throw .unreadable(
        path: path, reason: "it has no electrocardiogram and no photoplethysmogram, in which heartbeats could be found")
    }
    let chosen = try ChosenCorrections(choice, besides: path)
    let recorded = try read(bundle, ReadingOptions(corrections: .none)).first { ($0.beats?.count ?? 0) > 0 }
    let others = recorded.map { ($0.beats?.beats ?? [], $0.sensorName) }
    let trial = TrialFacts(bundle.record)
    var recordings: [Recording] = []
    if let channel = options.channel, !waveforms.contains(where: { $0.channels.contains(channel) }) {
      let first = waveforms[0]
      throw .unreadable(
        path: path,
        reason:
          "“\(first.recorder)” has no channel “\(channel)”; \(Spelling.advice(for: channel, among: first.channels))")
    }
    for waveform in waveforms {
      guard let rate = waveform.rate, let kind = DetectedBeats.kind(of: waveform.type) else { continue }
      let usual = waveform.channels.contains("green") ? "green" : waveform.channels.first
      let place = waveform.channels.firstIndex { $0 == options.channel ?? usual }
      guard let place else { continue }
      guard var beats = DetectedBeats(kind, channel: waveform.channels[place], rate: rate) else {
        throw .tooSlow(path, waveform.recorder, rate, kind)
      }
      try waveform.read { time, values in beats.take(values[place], at: time) }
      let heart = beats.recording(
        path: path, recorder: waveform.recorder, sensor: waveform.sensor, others: others)
      var recording = Recording(heart, trial: trial)
      if let chosen { recording.apply(chosen, sha256: try waveform.digest()) }
      recordings.append(recording)
    }
    return recordings.isEmpty ? [Recording(.nothing(path), trial: trial)] : recordings
  }

  private static func detected(
    in file: SignalFile, _ options: ReadingOptions.Detection
  ) throws(RecordingError) -> HeartRecording {
    let names = file.channels.map(\.label)
    guard !names.isEmpty else {
      throw .unreadable(
        path: file.path, reason: "it has no signals; without “--detect” the beats that it marks are analysed")
    }
    let place: Int?
    if let name = options.channel {
      place = names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name.lowercased() }
      guard place != nil else {
        throw .unreadable(
          path: file.path, reason: "it has no signal “\(name)”; \(Spelling.advice(for: name, among: names))")
      }
    } else {
      let kinds = file.channels.map { DetectedBeats.kind(of: $0.quantity) }
      place = kinds.firstIndex(of: .electrocardiogram) ?? kinds.firstIndex(of: .photoplethysmogram)
    }
    guard let place else {
      throw .unreadable(
        path: file.path,
        reason:
          "none of its signals \(file.names) is named as an electrocardiogram or a pulse wave; choose one with --channel NAME"
      )
    }
    let channel = file.channels[place]
    let kind = DetectedBeats.kind(of: channel.quantity) ?? .electrocardiogram
    guard var beats = DetectedBeats(kind, channel: channel.label, rate: channel.rate) else {
      throw .tooSlow(file.path, channel.label, channel.rate, kind)
    }
    for piece in 0..<file.pieces {
      for block in try file.blocks(ofPiece: piece, of: [place]) {
        for (index, value) in block.values.enumerated() {
          beats.take(Double(value), at: block.time + Double(index) / channel.rate)
        }
      }
    }
    let marked = try file.annotatedBeats().times
    var recording = beats.recording(
      path: file.path, sensor: channel.label, others: marked.count > 1 ? (marked, "annotations") : nil)
    recording.isInSimulatedFile = file.isSimulated
    recording.caveats += file.caveats + (channel.hasRange ? [] : [.noRange(signal: channel.label)])
    return recording
  }
}

extension RecordingError {
  /// A waveform has too few samples per second.
  fileprivate static func tooSlow(
    _ path: String, _ name: String, _ rate: Double, _ kind: BeatDetector.Kind
  ) -> RecordingError {
    .unreadable(
      path: path,
      reason:
        "“\(name.visible)” has \(rate.brief) samples per second; heartbeats are found from \(kind.minRate.brief) on")
  }
}

extension IntervalSeries {
  /// The times of its beats, ascending.
  var beats: [Double] {
    var beats: [Double] = []
    let breaks = Set(breaks)
    for place in intervals.indices {
      if place == 0 || breaks.contains(place) { beats.append(ends[place] - intervals[place] / 1000) }
      beats.append(ends[place])
    }
    return beats
  }
}
