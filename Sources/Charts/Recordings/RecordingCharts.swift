package import Analysis
import Basics
import Recordings

/// The charts of one recording: of a trial, or of any other stretch of heart data.
///
/// Every chart is a value that can still be changed before it is drawn: its heading, its axes' ranges, what it marks. One
/// that has nothing to show says why in its place.
package struct RecordingCharts: Sendable {
  /// What is drawn, with its artefacts dealt with.
  let analysed: AnalysedRecording

  /// What was recorded.
  package var recording: Recording { analysed.recording }

  /// The intervals as they were recorded beside what is drawn; empty where none were.
  var beats: CorrectedSeries { analysed.series }

  /// The choices of the measures that charts show: the ellipse of a Poincaré plot, a spectrum and its bands.
  var preset: AnalysisPreset { analysed.settings.preset }

  /// What was done about artefacts.
  var correction: ArtefactCorrection { analysed.settings.correction }

  /// The time that is drawn, in seconds on the recording's axis; `nil` for all of it.
  private let window: ClosedRange<Double>?

  /// The charts of a recording whose artefacts were dealt with already.
  package init(_ analysed: AnalysedRecording) { self.init(analysed, window: nil) }

  /// The charts of a recording, with its artefacts dealt with and its measures chosen as the settings say.
  package init(_ recording: Recording, _ settings: AnalysisSettings = AnalysisSettings()) {
    self.init(AnalysedRecording(recording, settings))
  }

  private init(_ analysed: AnalysedRecording, window: ClosedRange<Double>?) {
    self.analysed = analysed
    self.window = window
  }

  /// The charts of a part of it: of what lies wholly between two times, and of the sounds that were heard then.
  ///
  /// - Parameters:
  ///   - from: the beginning, in seconds on the recording's axis.
  ///   - to: the end.
  /// - Returns: the part; its times stay as they are.
  /// - Precondition: the end is not before the beginning.
  package func cut(from: Double, to: Double) -> RecordingCharts {
    var part = recording
    part.beats = part.beats?.cut(from: from, to: to)
    part.rates = HeartRates(
      zip(part.rates.times, part.rates.values).filter { HeartRateTrack.holds($0.0, from: from, to: to) }
        .map { (time: $0.0, value: $0.1) })
    part.trial?.sounds.removeAll { $0.onset >= to || $0.offset.map { $0 <= from } ?? false }
    // What a part is locked to is that of the whole, also where it lies outside.
    if let event = recording.event { part.events = [event.source] }
    return RecordingCharts(analysed.cut(to: part, from: from, to: to), window: from...to)
  }

  /// The intervals that are drawn; `nil` where there are none.
  var series: IntervalSeries? { beats.corrected.count > 0 ? beats.corrected : nil }

  /// The time of charts that are drawn over it; it says what it counts from.
  var time: HorizontalAxis {
    var axis = recording.trial == nil ? HorizontalAxis("Time in the recording", scale: .elapsed) : .sinceStart
    axis.range = window
    return axis
  }

  /// A time, or the nearest that is drawn.
  func drawn(_ time: Double) -> Double { window.map { min(max($0.lowerBound, time), $0.upperBound) } ?? time }

  /// What the heart rate is drawn from.
  var source: HeartRateSource {
    HeartRateSource(
      intervals: HeartRateTrack(beats.corrected), rates: recording.ratesTrack, in: recording.extent ?? 0...0)
  }

  /// What the recording is locked to: what sounded during the trial, with onset and offset as they were measured, or the
  /// step or the time that was chosen instead.
  package var stimuli: [StimulusMark] {
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

  /// A title, and below it whose heart it is and what was done to its beats.
  func heading(_ title: String, _ more: [String], noData: String) -> Heading {
    let words = (recording.trial?.caption ?? []) + more
    return Heading(title: title, subtitle: words.joined(separator: ", "), noDataText: noData)
  }

  /// How many intervals there are, and how many artefacts were dealt with.
  var beatsCaption: [String] {
    guard beats.raw.count > 0 else { return [] }
    let count = beats.artefacts.count
    let done = beats.artefacts.allSatisfy { $0.change == .leftOut } ? "left out" : "corrected"
    let artefacts = count == 0 ? [] : ["\(count.counted("artefact")) \(done)"]
    return [beats.raw.count.counted("interval")] + artefacts
  }
}

extension TrialFacts {
  /// Who, in which session, with which protocol, when.
  package var caption: [String] {
    ["participant \(participant)", "session \(session)", condition]
      + (start.map { ["\(String("\($0)".prefix(16)).replacing("T", with: " ")) UTC"] } ?? [])
  }
}
