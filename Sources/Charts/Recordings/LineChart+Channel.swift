package import Analysis
import Basics
import Quantities
import Recordings

extension LineChart {
  /// The samples of one recorder of another quantity than the heart's over time, with the stimulus shaded.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - window: the displayed time in seconds on the recording's axis; `nil` for all of it.
  /// - Returns: the chart, with the unit on the axis.
  package static func channel(_ recording: ChannelRecording, window: ClosedRange<Double>? = nil) -> LineChart {
    let series = recording.series
    let longest = recording.track.pace?.longest ?? .infinity
    var points: [DataPoint] = []
    for (time, value) in zip(series.times, series.values) where window?.contains(time) ?? true {
      if let last = points.last, time - last.x > longest { points.append(DataPoint((last.x + time) / 2, .nan)) }
      points.append(DataPoint(time, value))
    }
    let sounds = recording.trial?.sounds ?? []
    let isLocked = recording.event.map { $0.source != .stimulus } ?? false
    let stimuli =
      isLocked
      ? recording.event.map { [StimulusMark(onset: $0.onset, offset: $0.offset, label: "event")] } ?? []
      : sounds.map { StimulusMark(onset: $0.onset, offset: $0.offset, label: recording.trial?.clip ?? "sound") }
    let name = series.type.title
    var axis = HorizontalAxis.sinceStart
    axis.range = window
    return LineChart(
      Heading(
        title: name,
        subtitle: ((recording.trial?.caption ?? []) + ["recorder \(series.recorder)"]).joined(separator: ", "),
        noDataText: "No sample was recorded"),
      plots: [Plot(name, points)], horizontal: axis, vertical: Axis("\(name) (\(series.unit.symbol))"),
      annotations: Annotations(
        stimuli: stimuli.filter { mark in
          window.map { mark.onset < $0.upperBound && (mark.offset ?? .infinity) > $0.lowerBound } ?? true
        }))
  }
}

extension QuantityType {
  /// The channel's name as a title: `Skin conductance`.
  package var title: String {
    let words = channelName.reduce(into: "") { text, letter in
      text += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
