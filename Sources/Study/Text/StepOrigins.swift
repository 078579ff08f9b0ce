import Basics

/// Where the steps of an expanded protocol were written: in its own file or in one that it includes.
struct StepOrigins: Sendable {
  private var written: [JSONPointer: JSONPointer] = [:]
  private var tables: Set<JSONPointer> = []

  /// Whether everything has the path that it was written with.
  var isEmpty: Bool { written.isEmpty && tables.isEmpty }

  /// Notes that what is at a path and inside of it was written in a table, which has no paths.
  mutating func note(table path: JSONPointer) { tables.insert(path) }

  /// Notes the path that an expanded step was written with.
  mutating func note(_ path: JSONPointer, is origin: JSONPointer) {
    written[path] = nil
    if written(path) != origin { written[path] = origin }
  }

  /// The path that a value of the expanded protocol was written with.
  func written(_ path: JSONPointer) -> JSONPointer {
    guard !isEmpty else { return path }
    for count in stride(from: path.parts.count, to: 0, by: -1) {
      let outer = JSONPointer(Array(path.parts.prefix(count)))
      if tables.contains(outer) { return .root }
      if let origin = written[outer] {
        return JSONPointer(origin.parts + path.parts.dropFirst(count))
      }
    }
    return path
  }
}
