import Basics

/// Why a recording cannot be read, with the place and the remedy.
package enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or is nothing that holds a recording.
  case unreadable(path: String, reason: String)
  /// The folder is no bundle, as whoever opens bundles words it.
  case bundle(String)
  /// The folder is no bundle, and holds none.
  case noTrials(path: String)

  /// A sentence for the person at the bench.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "“\(path.visible)” cannot be read: \(reason)"
    case .bundle(let error): error
    case .noTrials(let path):
      "“\(path.visible)” is neither a bundle nor a results folder, and holds no bundles; name a trial's bundle, or the folder that "
        + "“station run --results” was given"
    }
  }
}
