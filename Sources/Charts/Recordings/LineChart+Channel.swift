package import Analysis
import Basics
import Bundles
import Quantities
package import Recordings

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
    let name = series.type.title
    var axis = HorizontalAxis.sinceStart
    axis.range = window
    return LineChart(
      Heading(
        title: name,
        subtitle: ((recording.trial?.caption ?? []) + ["recorder \(series.recorder)"]).joined(separator: ", "),
        noDataText: "No sample was recorded", isSimulated: recording.trial?.simulation.isSimulated ?? false),
      plots: [Plot(name, points)], horizontal: axis, vertical: Axis("\(name) (\(series.unit.symbol))"),
      annotations: Annotations(stimuli: stimuli(of: recording.trial, recording.event, in: window)))
  }

  /// The first channels of a waveform over time, with the stimulus shaded.
  ///
  /// - Parameters:
  ///   - recording: the waveform.
  ///   - window: the displayed time in seconds since the trial's zero; `nil` for all of it.
  /// - Returns: the chart, with the unit on the axis.
  /// - Throws: `RecordingError` where its file cannot be read.
  package static func waveform(
    _ recording: WaveformRecording, window: ClosedRange<Double>? = nil
  ) throws(RecordingError) -> LineChart {
    let traces = try recording.traces(in: window)
    let name = recording.type.title
    var axis = HorizontalAxis.sinceStart
    axis.range = window
    var more = ["recorder \(recording.recorder)"]
    if traces.count < recording.channels.count {
      more.append("the first \(traces.count) of \(recording.channels.count) channels")
    }
    return LineChart(
      Heading(
        title: name, subtitle: ((recording.trial?.caption ?? []) + more).joined(separator: ", "),
        noDataText: "No frame was recorded", isSimulated: recording.trial?.simulation.isSimulated ?? false),
      plots: traces.map { trace in
        Plot(traces.count == 1 ? name : trace.channel, trace.points.map { DataPoint($0.time, $0.value) })
      }, horizontal: axis, vertical: Axis("\(name) (\(recording.unit.symbol))"),
      annotations: Annotations(stimuli: stimuli(of: recording.trial, recording.event, in: window)))
  }

  /// The sounds of a trial in a window, or the event that its recordings are locked to instead.
  private static func stimuli(
    of trial: TrialFacts?, _ event: TrialEvent?, in window: ClosedRange<Double>?
  ) -> [StimulusMark] {
    let isLocked = event.map { $0.source != .stimulus } ?? false
    let all =
      isLocked
      ? event.map { [StimulusMark(onset: $0.onset, offset: $0.offset, label: "event")] } ?? []
      : (trial?.sounds ?? []).map { StimulusMark(onset: $0.onset, offset: $0.offset, label: trial?.clip ?? "sound") }
    return all.filter { mark in
      window.map { mark.onset < $0.upperBound && (mark.offset ?? .infinity) > $0.lowerBound } ?? true
    }
  }
}

extension QuantityType {
  /// The channel's name as a title: `Skin conductance`.
  package var title: String {
    let words = spacedName
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension LineChart {
  /// The heart rates from the sensors so far, during a running trial.
  ///
  /// - Parameters:
  ///   - sensors: the rates, by sensor name.
  ///   - sounds: the measured sounds so far.
  ///   - clip: the label of the sound.
  ///   - window: the displayed time, in seconds since the trial's zero.
  ///   - now: the present, which ends the shading of a sound that is still playing.
  /// - Returns: the chart.
  package static func heartRates(
    _ sensors: [(name: String, rates: HeartRates)], sounds: [TrialFacts.Sound], clip: String?,
    window: ClosedRange<Double>, now: Double
  ) -> LineChart {
    let label = clip ?? "sound"
    let heard = sounds.filter { $0.onset < window.upperBound && ($0.offset ?? .infinity) > window.lowerBound }
    let open = heard.filter { $0.offset == nil }
    // A sensor without rates in the window may have delivered some earlier.
    let isSilent = sensors.contains { !$0.rates.times.isEmpty }
    return LineChart(
      Heading(noDataText: isSilent ? "No heart rate in the time that is shown" : "No heart rate yet"),
      plots: sensors.map { LineChart.Plot($0.name, $0.rates.points) },
      horizontal: HorizontalAxis(HorizontalAxis.sinceStart.title, scale: .elapsed, range: window),
      vertical: .heartRate,
      annotations: Annotations(
        stimuli: heard.filter { $0.offset != nil }.map {
          StimulusMark(onset: $0.onset, offset: $0.offset, label: label)
        },
        spans: open.map { ShadedSpan(from: $0.onset, to: max($0.onset, now), label: label) },
        instants: open.map { MarkedInstant(at: $0.onset, label: "onset") }))
  }
}

extension HeartRates {
  /// The rates at their times, with a NaN in each gap to break the line.
  var points: [DataPoint] {
    let longest = HeartRateTrack(rates: values, times: times).pace?.longest ?? .infinity
    var points: [DataPoint] = []
    points.reserveCapacity(times.count)
    for (time, value) in zip(times, values) {
      if let last = points.last, time - last.x > longest { points.append(DataPoint((last.x + time) / 2, .nan)) }
      points.append(DataPoint(time, value))
    }
    return points
  }
}
