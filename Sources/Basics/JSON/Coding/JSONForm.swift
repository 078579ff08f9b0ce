import Synchronization

/// A type whose form in JSON is not the one that Swift derives: a ``FlatInJSON``, ``TaggedInJSON``, ``NamedInJSON`` or
/// ``CheckedInJSON`` one.
///
/// The four have one protocol above them, since the runtime searches long for each conformance that it is asked for.
package protocol FormedInJSON: SendableMetatype {
  /// Whether the members are those of the enclosing object.
  static var isFlatInJSON: Bool { get }
  /// The member that holds the name of an enumeration's case; `nil` for other types.
  static var tagInJSON: String? { get }
  /// The type itself, if it is a scalar.
  static var scalarInJSON: (any ScalarInJSON.Type)? { get }
  /// The problem with a decoded value; `nil` if it is valid.
  var problemInJSON: String? { get }
}

extension FormedInJSON {
  package static var isFlatInJSON: Bool { false }
  package static var tagInJSON: String? { nil }
  package static var scalarInJSON: (any ScalarInJSON.Type)? { nil }
  package var problemInJSON: String? { nil }
}

extension FlatInJSON { package static var isFlatInJSON: Bool { true } }

extension TaggedInJSON { package static var tagInJSON: String? { jsonTag } }

extension NamedInJSON { package static var scalarInJSON: (any ScalarInJSON.Type)? { self } }

extension CheckedInJSON { package var problemInJSON: String? { jsonProblem } }

/// The form of a type in JSON, which is looked up once.
struct JSONForm: Sendable {
  /// Whether its members are those of the enclosing object.
  let isFlat: Bool
  /// The member that holds the name of the case; `nil` for other types than enumerations with one.
  let tag: String?
  /// The type itself, if it is a scalar.
  let scalar: (any ScalarInJSON.Type)?
  /// The type itself, if it has a form of its own.
  private let formed: (any FormedInJSON.Type)?

  /// The forms that were looked up; those of the scalars are known.
  private static let known = Mutex(
    Dictionary(uniqueKeysWithValues: scalars.map { (ObjectIdentifier($0), JSONForm(scalar: $0)) }))

  private static let scalars: [any ScalarInJSON.Type] = [
    String.self, Bool.self, Double.self, Float.self, Duration.self, JSONValue.self, Int.self, Int8.self, Int16.self,
    Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
  ]

  /// The form of a type; that of an array is not looked up, since it has none of its own.
  static func of<Value>(_ type: Value.Type, isArray: Bool = false) -> JSONForm {
    known.withLock { known in
      if let form = known[ObjectIdentifier(type)] { return form }
      let form = JSONForm(isArray ? nil : type as? any FormedInJSON.Type)
      if isArray { return form }
      known[ObjectIdentifier(type)] = form
      return form
    }
  }

  /// The type itself, if it is known to be a scalar.
  static func knownScalar<Value>(_ type: Value.Type) -> (any ScalarInJSON.Type)? {
    known.withLock { $0[ObjectIdentifier(type)]?.scalar }
  }

  private init(_ formed: (any FormedInJSON.Type)?) {
    isFlat = formed?.isFlatInJSON ?? false
    tag = formed?.tagInJSON
    scalar = formed?.scalarInJSON
    self.formed = formed
  }

  private init(scalar: any ScalarInJSON.Type) { (isFlat, tag, self.scalar, formed) = (false, nil, scalar, nil) }

  /// The problem with a decoded value of the type; `nil` if it is valid.
  func problem(of value: some Any) -> String? {
    func problem<Formed: FormedInJSON>(_ type: Formed.Type) -> String? { (value as? Formed)?.problemInJSON }
    return formed.flatMap { problem($0) }
  }
}
