import Synchronization

/// The form of a type in JSON, which is looked up once: conformances are slow to find.
struct JSONForm: Sendable {
  /// Whether its members are those of the enclosing object.
  let isFlat: Bool
  /// Whether it is a scalar.
  let isLeaf: Bool
  /// The member that holds the name of the case; `nil` for other types than enumerations with one.
  let tag: String?
  /// Whether decoded values are validated.
  let isChecked: Bool

  private static let known = Mutex<[ObjectIdentifier: JSONForm]>([:])

  /// The form of a type.
  static func of<Value>(_ type: Value.Type) -> JSONForm {
    known.withLock { known in
      if let form = known[ObjectIdentifier(type)] { return form }
      let form = JSONForm(type)
      known[ObjectIdentifier(type)] = form
      return form
    }
  }

  private init<Value>(_ type: Value.Type) {
    isFlat = type is any FlatInJSON.Type
    isLeaf =
      type is String.Type || type is Double.Type || type is Float.Type || type is Bool.Type || type is Duration.Type
      || type is JSONValue.Type || type is any NamedInJSON.Type || type is any FixedWidthInteger.Type
    tag = (type as? any TaggedInJSON.Type)?.jsonTag
    isChecked = type is any CheckedInJSON.Type
  }
}
