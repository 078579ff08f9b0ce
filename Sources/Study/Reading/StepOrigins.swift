import Basics

/// Where the steps of an expanded protocol were written: in its own file or in one that it includes.
struct StepOrigins: Sendable {
  private var written: [JSONPointer: JSONPointer] = [:]

  /// Whether every step has the path that it was written with.
  var isEmpty: Bool { written.isEmpty }

  /// Notes the path that an expanded step was written with.
  mutating func note(_ path: JSONPointer, is origin: JSONPointer) {
    written[path] = nil
    if written(path) != origin { written[path] = origin }
  }

  /// The path that a value of the expanded protocol was written with.
  func written(_ path: JSONPointer) -> JSONPointer {
    guard !written.isEmpty else { return path }
    for count in stride(from: path.parts.count, to: 0, by: -1) {
      if let origin = written[JSONPointer(Array(path.parts.prefix(count)))] {
        return JSONPointer(origin.parts + path.parts.dropFirst(count))
      }
    }
    return path
  }
}
