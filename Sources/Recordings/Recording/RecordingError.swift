import Basics

/// Why a recording cannot be read, with the place and advice.
package enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or contains no recording.
  case unreadable(path: String, reason: String)
  /// The folder is not a bundle; the message comes from the code that opens bundles.
  case bundle(String)
  /// The folder is not a bundle, and contains none.
  case noTrials(path: String)

  /// A sentence for the operator.
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
