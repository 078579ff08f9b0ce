/// The path of a value in a JSON text, according to RFC 6901: `/steps/1/stepDuration`; empty for the whole text.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// Keys and element indices from the outermost to the innermost.
  package let parts: [String]

  /// The path of the whole text.
  package static let root = JSONPointer([])

  /// Creates a path from keys and element indices.
  package init(_ parts: [String]) { self.parts = parts }

  /// The path of a member of the object at this path.
  package func appending(_ key: String) -> JSONPointer { JSONPointer(parts + [key]) }

  /// The path of an element, numbered from 0, of the array at this path.
  package func appending(_ index: Int) -> JSONPointer { appending("\(index)") }

  func inside(_ part: String) -> JSONPointer { JSONPointer([part] + parts) }

  /// `/steps/1/stepDuration`; `~` is written `~0` and `/` is written `~1`.
  package var description: String {
    parts.map { part in
      "/" + String(part.flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }.joined()
  }
}

extension JSONNode {
  /// The value at a path; if there is none, the nearest enclosing value.
  package func nearest(to path: JSONPointer) -> JSONNode {
    var node = self
    for part in path.parts {
      switch node.content {
      case .object(let members):
        guard let member = members.first(where: { $0.key == part }) else { return node }
        node = member.value
      case .array(let elements):
        guard let index = Int(part), elements.indices.contains(index) else { return node }
        node = elements[index]
      default: return node
      }
    }
    return node
  }
}
