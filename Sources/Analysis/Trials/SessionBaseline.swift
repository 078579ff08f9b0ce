import Bundles
import Quantities
import Recordings

/// Finds the baseline of a trial among the steps around the trials of its session.
///
/// A rest before the first trial is the baseline of every trial of its session. It is recorded in a bundle of its own; a
/// session that was resumed has several of them, and the last one before the trial counts first.
struct SessionBaseline: Sendable {
  /// The window, with the step that the trial itself does not have.
  let window: AnalysisWindow
  /// The bundles of the steps around the trials of the session, the one that counts first in front.
  let paths: [String]

  /// `nil` where the trial has the step, or the window is none.
  init?(_ window: AnalysisWindow, _ trial: TrialFacts?, at place: TrialPlace) {
    guard case .step(let name) = window, let trial, !trial.steps.contains(where: { $0.identifier == name }) else {
      return nil
    }
    (self.window, paths) = (window, place.around)
  }

  /// What was found around the trials.
  enum Found<Value> {
    case value(Value)
    /// A step that is not used, with the reason and the part of the session that has it.
    case problem(MissingNumber, TrialFacts)
    case nothing

    /// The recording; `nil` where there is none to use.
    var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// Why the step is not used.
    var problem: (reason: MissingNumber, trial: TrialFacts)? {
      if case .problem(let reason, let trial) = self { (reason, trial) } else { nil }
    }
  }

  /// What a sensor recorded around the trials, in the first of the bundles that has the step and is not bad, read as the
  /// trial was read.
  ///
  /// The recorder of the trial counts; where there is none, all recorders of the sensor.
  func recording(like recording: Recording, _ options: ReadingOptions) -> Found<Recording> {
    first { path throws(RecordingError) in
      let all = try Recording.read(path: path, options).filter { $0.sensor == recording.sensor }
      if let same = all.first(where: { $0.recorder == recording.recorder }) { return same }
      guard options.detection == nil, options.grouping == .recorder else { return all.first }
      let ofSensor = ReadingOptions(corrections: options.corrections)
      return try Recording.read(path: path, ofSensor).first { $0.sensor == recording.sensor }
    }
  }

  /// What a sensor recorded of a quantity around the trials, in the first of the bundles that has the step and is not bad.
  func channel(like channel: ChannelRecording) -> Found<ChannelRecording> {
    first { path throws(RecordingError) in
      try ChannelRecording.read(path: path).first {
        $0.series.sensor == channel.series.sensor && $0.series.type == channel.series.type
      }
    }
  }

  private func first<Value>(_ find: (String) throws(RecordingError) -> Value?) -> Found<Value> {
    guard case .step(let name) = window else { return .nothing }
    var problem: (MissingNumber, TrialFacts)?
    for path in paths {
      guard let trial = (try? Bundle(path)).map({ TrialFacts($0.record) }), Self.has(window, trial) else { continue }
      guard TrialOmission.of(trial, by: nil, among: [.bad]) == nil else {
        problem = problem ?? (.badBaseline(step: name), trial)
        continue
      }
      do throws(RecordingError) {
        if let found = try find(path) { return .value(found) }
      } catch {
        problem = problem ?? (.unreadBaseline(step: name, because: "\(error)"), trial)
      }
    }
    return problem.map { .problem($0, $1) } ?? .nothing
  }

  private static func has(_ window: AnalysisWindow, _ trial: TrialFacts?) -> Bool {
    trial?.steps.contains { .step($0.identifier) == window } ?? false
  }
}
