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

  /// What a sensor recorded around the trials, in the first of the bundles that has the step.
  func recording(like recording: Recording) -> Recording? {
    first { path in
      (try? Recording.read(path: path))?.first { $0.sensor == recording.sensor && Self.has(window, $0.trial) }
    }
  }

  /// What a sensor recorded of a quantity around the trials, in the first of the bundles that has the step.
  func channel(like channel: ChannelRecording) -> ChannelRecording? {
    first { path in
      (try? ChannelRecording.read(path: path))?.first {
        $0.series.sensor == channel.series.sensor && $0.series.type == channel.series.type && Self.has(window, $0.trial)
      }
    }
  }

  private func first<Found>(_ find: (String) -> Found?) -> Found? {
    for path in paths { if let found = find(path) { return found } }
    return nil
  }

  private static func has(_ window: AnalysisWindow, _ trial: TrialFacts?) -> Bool {
    trial?.steps.contains { .step($0.identifier) == window } ?? false
  }
}
