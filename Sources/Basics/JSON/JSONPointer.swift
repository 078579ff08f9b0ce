/// The path of a value in a JSON text, as RFC 6901 writes it: `/steps/1/stepDuration`; empty for the whole text.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// Keys and element numbers from the outside inwards.
  package let parts: [String]

  /// The path of the whole text.
  package static let root = JSONPointer([])

  /// A path of these keys and element numbers.
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
  /// The value at a path; where nothing stands there, the nearest value around it.
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
