import Basics
import Bundles
package import Recordings

/// Which recordings of bundles and files are used, and how files are read.
package struct RecordingChoice: Sendable {
  /// The sensor's name; `nil` for all.
  let sensor: String?
  /// The recorder's identifier; `nil` for what all recorders of a sensor have together.
  let recorder: String?
  /// The events that windows and responses are locked to.
  package let events: [EventSource]
  /// The units that files do not specify themselves, and how items are put together.
  package let reading: ReadingOptions

  package init(sensor: String?, recorder: String?, events: [EventSource], reading: ReadingOptions) {
    (self.sensor, self.recorder, self.events, self.reading) = (sensor, recorder, events, reading)
  }

  /// The chosen recordings of a bundle or file, at least one.
  ///
  /// - Throws: ``NoSuchRecording``, and read errors.
  package func recordings(of path: String) throws -> [Recording] {
    try chosen(from: try Recording.read(path: path, reading), of: path)
  }

  /// The chosen recordings of a bundle or file: those of a heart, and those of other quantities; at least one of either.
  ///
  /// - Throws: ``NoSuchRecording``, and read errors.
  package func everything(of path: String) throws -> (hearts: [Recording], channels: [ChannelRecording]) {
    if reading.detection != nil { return (try recordings(of: path), []) }
    let channels = try channels(of: path)
    return (try hearts(from: try Recording.read(path: path, reading), of: path, besides: channels), channels)
  }

  /// What is put together of many trials: the chosen recordings of a heart, or those of the chosen recorder, if it
  /// recorded another quantity.
  ///
  /// - Throws: ``NoSuchRecording``, and read errors.
  package func oneKind(of path: String) throws -> (hearts: [Recording], channels: [ChannelRecording]) {
    if recorder != nil, reading.detection == nil {
      let channels = try channels(of: path)
      if !channels.isEmpty { return ([], channels) }
    }
    return (try recordings(of: path), [])
  }

  /// The chosen ones of a path's recordings of a heart; none if others were chosen, or no heart was recorded.
  package func hearts(
    from recordings: [Recording], of path: String, besides channels: [ChannelRecording]
  ) throws(NoSuchRecording) -> [Recording] {
    guard !channels.isEmpty else { return try chosen(from: recordings, of: path) }
    let hearts = (try? chosen(from: recordings, of: path)) ?? []
    return hearts.filter { !$0.isEmpty || !$0.caveats.isEmpty }
  }

  /// The chosen recordings of a bundle's other quantities than the heart's; none for what is no bundle.
  package func channels(of path: String) throws(RecordingError) -> [ChannelRecording] {
    chosen(from: try ChannelRecording.read(path: path, by: reading.grouping))
  }

  /// The chosen ones of a bundle's recordings of other quantities, locked to the chosen events.
  package func chosen(from channels: [ChannelRecording]) -> [ChannelRecording] {
    channels.compactMap { channel in
      guard recorder.map({ $0 == channel.series.recorder }) ?? true,
        sensor.map({ $0 == channel.series.sensor }) ?? true
      else { return nil }
      var channel = channel
      channel.events = events
      return channel
    }
  }

  /// The chosen ones of a bundle's waveforms, locked to the chosen events.
  package func chosen(from waveforms: [WaveformRecording]) -> [WaveformRecording] {
    waveforms.compactMap { waveform in
      guard recorder.map({ $0 == waveform.recorder }) ?? true, sensor.map({ $0 == waveform.sensor }) ?? true else {
        return nil
      }
      var waveform = waveform
      waveform.events = events
      return waveform
    }
  }

  /// The chosen ones of a path's recordings, locked to the chosen events.
  package func chosen(from recordings: [Recording], of path: String) throws(NoSuchRecording) -> [Recording] {
    if let recorder, reading.detection == nil,
      (try? WaveformRecording.all(path: path))?.contains(where: { $0.recorder == recorder }) ?? false
    {
      throw NoSuchRecording(path: path, noun: "recorder", name: recorder, known: nil, isWaveform: true)
    }
    let ofRecorder = try Self.chosen(recorder, "recorder", from: recordings, path) { $0.recorder }
    return try Self.chosen(sensor, "sensor", from: ofRecorder, path) { $0.sensorName }.map { $0.locked(to: events) }
  }

  private static func chosen(
    _ name: String?, _ noun: String, from recordings: [Recording], _ path: String, called: (Recording) -> String?
  ) throws(NoSuchRecording) -> [Recording] {
    guard let name else { return recordings }
    let chosen = recordings.filter { called($0) == name }
    guard chosen.isEmpty else { return chosen }
    let others = noun == "recorder" ? (try? Bundle(path).record.recordings.map(\.recorder.identifier)) ?? [] : []
    let hearts = recordings.allSatisfy(\.isEmpty) ? [] : recordings.compactMap(called)
    let known = hearts + others.filter { !hearts.contains($0) }
    throw NoSuchRecording(
      path: path, noun: noun, name: name, known: known.isEmpty && recordings.allSatisfy(\.isEmpty) ? nil : known)
  }
}

/// The error for a sensor or recorder that a bundle or file does not have.
package struct NoSuchRecording: Error, Hashable, CustomStringConvertible {
  /// The bundle or file.
  let path: String
  /// `sensor` or `recorder`.
  let noun: String
  /// The requested name.
  let name: String
  /// The names that it has; `nil` if it has no heart data.
  let known: [String]?
  /// Whether that recorder recorded a waveform.
  let isWaveform: Bool

  init(path: String, noun: String, name: String, known: [String]?, isWaveform: Bool = false) {
    (self.path, self.noun, self.name, self.known, self.isWaveform) = (path, noun, name, known, isWaveform)
  }

  /// What is missing, and what there is.
  package var description: String {
    guard !isWaveform else {
      return
        "“\(name)” of “\(path.visible)” is a waveform, which has no measures: “--detect” finds heartbeats in it, “station chart recording --recorder "
        + "\(name)” draws it, “station show --recorder \(name)” prints it"
    }
    let advice = known.map { $0.isEmpty ? "its recordings name none" : Spelling.advice(for: name, among: $0) }
    return "“\(path.visible)” has no \(noun) “\(name)”; \(advice ?? "it has no heart data")"
  }
}

extension Recording {
  /// The sensor's name in messages; “unnamed” if it has none.
  package var sensorName: String { heart.sensor ?? "unnamed" }
}

/// What a recorder of another quantity than the heart's recorded, with the windows and events of its trial.
package protocol RecordingInTrial: Sendable {
  /// A recording of a heart in the same trial: its windows and events are this one's too.
  var frame: Recording { get set }
}

extension RecordingInTrial {
  /// The trial that it belongs to; `nil` for one outside a trial.
  package var trial: TrialFacts? { frame.trial }

  /// What windows and responses are locked to: the first of these that it has.
  var events: [EventSource] {
    get { frame.events }
    set { frame.events = newValue }
  }

  /// The event that it has; `nil` without one.
  package var event: TrialEvent? { frame.event }

  /// Why there is no onset.
  package var onsetIsMissing: MissingNumber { frame.onsetIsMissing }

  /// From the first moment of which something is known to the last; `nil` where nothing was recorded.
  package var extent: ClosedRange<Double>? { frame.channelExtent }

  /// Where a window lies in this recording.
  package func place(_ window: AnalysisWindow) -> PlacedWindow { frame.place(window) }
}
