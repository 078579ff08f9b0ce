package import Analysis
import Basics
import Bundles
import Recordings

/// The charts of one recording: of a trial, or of any other heart data.
///
/// Every chart is a value that can be modified before it is drawn: its heading, its axis ranges, its annotations. A
/// chart without data shows the reason instead.
package struct RecordingCharts: Sendable {
  /// The recording after artefact correction.
  let analysed: AnalysedRecording

  package var recording: Recording { analysed.recording }

  /// The raw and the corrected intervals; empty if there are none.
  var beats: CorrectedSeries { analysed.series }

  /// The preset of the displayed measures: the ellipse of a Poincaré plot, a spectrum and its bands.
  var preset: AnalysisPreset { analysed.settings.preset }

  /// The method of artefact correction.
  var correction: ArtefactCorrection { analysed.settings.correction }

  /// The displayed time, in seconds on the recording's axis; `nil` for all of it.
  private let window: ClosedRange<Double>?

  /// Creates the charts of a recording that has already been analysed.
  package init(_ analysed: AnalysedRecording) { self.init(analysed, window: nil) }

  /// Creates the charts of a recording, with artefact correction and measures according to the settings.
  init(_ recording: Recording, _ settings: AnalysisSettings = AnalysisSettings()) {
    self.init(AnalysedRecording(recording, settings))
  }

  private init(_ analysed: AnalysedRecording, window: ClosedRange<Double>?) {
    self.analysed = analysed
    self.window = window
  }

  /// The charts of a window: the data that lie completely between two times, and the sounds during that time.
  ///
  /// - Parameters:
  ///   - from: the start, in seconds on the recording's axis.
  ///   - to: the end.
  /// - Returns: the charts of the window, with unchanged times.
  /// - Precondition: the end is not before the start.
  package func cut(from: Double, to: Double) -> RecordingCharts {
    var part = recording
    part.beats = part.beats?.cut(from: from, to: to)
    part.rates = HeartRates(
      zip(part.rates.times, part.rates.values).filter { HeartRateTrack.holds($0.0, from: from, to: to) }
        .map { (time: $0.0, value: $0.1) })
    part.trial?.sounds.removeAll { $0.onset >= to || $0.offset.map { $0 <= from } ?? false }
    // The window keeps the event of the whole recording, even if it lies outside.
    if let event = recording.event { part.events = [event.source] }
    return RecordingCharts(analysed.cut(to: part, from: from, to: to), window: from...to)
  }

  /// The displayed intervals; `nil` if there are none.
  var series: IntervalSeries? { beats.corrected.count > 0 ? beats.corrected : nil }

  /// The time axis, whose title names its zero.
  var time: HorizontalAxis {
    var axis = recording.trial == nil ? HorizontalAxis("Time in the recording", scale: .elapsed) : .sinceStart
    axis.range = window
    return axis
  }

  /// A time, clamped to the displayed window.
  func drawn(_ time: Double) -> Double { window.map { min(max($0.lowerBound, time), $0.upperBound) } ?? time }

  /// The source of the displayed heart rate.
  var source: HeartRateSource {
    HeartRateSource(
      intervals: HeartRateTrack(beats.corrected), rates: recording.ratesTrack, in: recording.extent ?? 0...0)
  }

  /// The events that the recording is aligned to: the trial's sounds with measured onset and offset, or the step or
  /// time chosen instead.
  var stimuli: [StimulusMark] {
    guard let event = recording.event, event.source != .stimulus else {
      return (recording.trial?.sounds ?? []).map {
        StimulusMark(onset: $0.onset, offset: $0.offset, label: recording.trial?.clip ?? "sound")
      }
    }
    if let window, event.onset >= window.upperBound || event.offset.map({ $0 <= window.lowerBound }) ?? false {
      return []
    }
    let label = if case .step(let name) = event.source { name } else { "event" }
    return [StimulusMark(onset: event.onset, offset: event.offset, label: label)]
  }

  /// A title, with a subtitle of the participant's and trial's details and the treatment of the beats.
  func heading(_ title: String, _ more: [String], noData: String) -> Heading {
    let words = (recording.trial?.caption ?? []) + more
    return Heading(
      title: title, subtitle: words.joined(separator: ", "), noDataText: noData,
      isSimulated: recording.isSimulated)
  }

  /// Which people's corrections are used.
  var correctionsCaption: [String] { [recording.corrections?.caption].compactMap(\.self) }

  /// The number of intervals, of artefacts corrected or left out, and of people's corrections.
  var beatsCaption: [String] {
    guard beats.raw.count > 0 else { return correctionsCaption }
    let count = beats.artefacts.count
    let done = beats.artefacts.allSatisfy { $0.change == .leftOut } ? "left out" : "corrected"
    let artefacts = count == 0 ? [] : ["\(count.counted("artefact")) \(done)"]
    return [beats.raw.count.counted("interval")] + artefacts + correctionsCaption
  }
}

extension TrialFacts {
  /// The participant, session, condition and date.
  package var caption: [String] {
    ["participant \(participant)", "session \(session)", conditionWords]
      + (start.map { ["\(String("\($0)".prefix(16)).replacing("T", with: " ")) UTC"] } ?? [])
  }
}
