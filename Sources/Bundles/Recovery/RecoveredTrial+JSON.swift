package import Basics

extension RecoveredTrial {
  /// What became of the trial, as JSON.
  package var json: JSONValue {
    let (fate, path, reason): (String, String?, String?) =
      switch self.fate {
      case .finished(let path, isWhole: true): ("finished", path, nil)
      case .finished(let path, isWhole: false): ("recovered", path, nil)
      case .cleared(let path): ("cleared", path, nil)
      case .empty: ("removed", nil, nil)
      case .running: ("running", nil, nil)
      case .failed(let reason): ("failed", nil, reason)
      }
    return [
      "trial": .string(name), "fate": .string(fate), "path": .text(path),
      "reason": .text(reason),
    ]
  }
}
