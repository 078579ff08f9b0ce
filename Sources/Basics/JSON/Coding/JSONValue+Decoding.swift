extension JSONValue {
  /// Decodes a value that ``init(encoding:writesNull:)`` has encoded.
  ///
  /// Integers other than durations range from 0 to 2^53. Unknown members are ignored.
  ///
  /// - Parameter type: the type.
  /// - Returns: the value.
  /// - Throws: ``JSONCodingError`` for the first member that is missing or does not match the type.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(JSONCodingError) -> Value {
    try ValueDecoder(value: self).decode(type)
  }

  /// The paths of the members that a decodable type does not know, such as those of another version.
  ///
  /// - Parameter type: the type.
  /// - Returns: the paths, sorted.
  /// - Throws: ``JSONCodingError`` as ``decoded(as:)``.
  package func unknownMembers<Value: Decodable>(of type: Value.Type) throws(JSONCodingError) -> [String] {
    let census = Census()
    _ = try ValueDecoder(value: self, census: census).decode(type)
    return census.unknown.map(\.description).sorted()
  }
}

extension JSONValue { fileprivate var isArray: Bool { if case .array = self { true } else { false } } }

/// Tracks which members of the decoded objects are requested.
private final class Census {
  private var path = JSONPointer.root
  private var members: [JSONPointer: Set<String>] = [:]

  var unknown: [JSONPointer] { members.flatMap { path, names in names.map { path.appending($0) } } }

  func enter(_ name: String) { path = path.appending(name) }

  func leave() { path = JSONPointer(path.parts.dropLast()) }

  func meet(_ object: [String: JSONValue]) { if members[path] == nil { members[path] = Set(object.keys) } }

  func ask(for name: String) { members[path]?.remove(name) }
}

/// A decoder without a coding path: errors are given their path while they propagate.
private struct ValueDecoder: Decoder {
  let value: JSONValue
  var census: Census?
  /// Whether the object was synthesised around a case of a tagged enumeration, and is not in the text.
  var isAroundCase = false
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func fail(_ reason: String) -> JSONCodingError { JSONCodingError(path: .root, reason: reason) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw fail("expected an object") }
    if !isAroundCase { census?.meet(members) }
    return KeyedDecodingContainer(ObjectDecoder<Key>(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw fail("expected an array") }
    return ArrayDecoder(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { LeafDecoder(decoder: self) }

  /// Decodes a nested value, and adds its name to the path of errors.
  func decode<Value: Decodable>(_ type: Value.Type, of inner: JSONValue, named name: String) throws -> Value {
    census?.enter(name)
    defer { census?.leave() }
    do throws(JSONCodingError) {
      return try ValueDecoder(value: inner, census: census).decode(type)
    } catch {
      throw JSONCodingError(path: error.path.inside(name), reason: error.reason)
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws(JSONCodingError) -> Value {
    do {
      let form = JSONForm.of(type, isArray: value.isArray)
      if let scalar = form.scalar, let value: Value = try self.scalar(scalar) { return value }
      let decoded = if let tag = form.tag { try decode(type, tag: tag) } else { try Value(from: self) }
      if let problem = form.problem(of: decoded) { throw fail(problem) }
      return decoded
    } catch let error as JSONCodingError {
      throw error
    } catch DecodingError.dataCorrupted(let context) {
      // An unknown raw value of an enumeration, or the type's own message.
      let isWord = context.debugDescription.hasPrefix("Cannot initialize")
      throw fail(isWord ? "“\(value.string ?? "")” is not known here" : context.debugDescription)
    } catch {
      throw fail("\(error)")
    }
  }

  // Converts `{"kind":"lost","count":3}` to the form that Swift decodes, `{"lost":{"count":3}}`.
  private func decode<Value: Decodable>(_ type: Value.Type, tag: String) throws -> Value {
    guard let members = value.object else { throw fail("expected an object") }
    guard let code = members[tag] else { throw fail("“\(tag)” is missing") }
    guard let code = code.string else { throw fail("expected a string in “\(tag)”") }
    census?.meet(members)
    census?.ask(for: tag)
    func decode(as code: String) throws -> Value {
      try Value(from: ValueDecoder(value: .object([code: value]), census: census, isAroundCase: true))
    }
    do {
      return try decode(as: code)
    } catch DecodingError.typeMismatch {
      do { return try decode(as: "unknown") } catch DecodingError.typeMismatch {
        throw fail("“\(code)” is not known here as “\(tag)”")
      }
    }
  }

  private func scalar<Scalar: ScalarInJSON, Value>(_ type: Scalar.Type) throws(JSONCodingError) -> Value? {
    try Scalar(scalarInJSON: value) as? Value
  }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let members: [String: JSONValue]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) -> Bool {
    decoder.census?.ask(for: key.stringValue)
    return (members[key.stringValue] ?? .null) == .null
  }

  private func isFlat<Value>(_ type: Value.Type, _ key: Key) -> Bool {
    key.stringValue == JSONKey.unlabelled
      || JSONForm.of(type, isArray: members[key.stringValue]?.isArray ?? false).isFlat
  }

  /// The member with a name; `nil` if it is missing or `null`.
  private func member(_ name: String) -> JSONValue? {
    decoder.census?.ask(for: name)
    guard let value = members[name] else { return nil }
    if case .null = value { return nil }
    return value
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if isFlat(type, key) { return try decoder.decode(type) }
    let name = JSONKey.name(of: key, for: type)
    if let value = member(name) { return try decoder.decode(type, of: value, named: name) }
    throw decoder.fail("“\(name)” is missing")
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    if isFlat(type, key) { return try decoder.decode(type) }
    let name = JSONKey.name(of: key, for: type)
    return try member(name).map { try decoder.decode(type, of: $0, named: name) }
  }

  // Scalars, which are most members, are read without looking at their types.

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    member(key.stringValue) == nil ? nil : try scalar(key)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    member(key.stringValue) == nil ? nil : try scalar(key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    member(key.stringValue) == nil ? nil : try scalar(key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    member(key.stringValue) == nil ? nil : try scalar(key)
  }

  private func scalar<Value: ScalarInJSON & Decodable>(_ key: Key) throws -> Value {
    let name = key.stringValue
    if name == JSONKey.unlabelled { return try decoder.decode(Value.self) }
    guard let value = member(name) else { throw decoder.fail("“\(name)” is missing") }
    do throws(JSONCodingError) {
      return try Value(scalarInJSON: value)
    } catch {
      throw JSONCodingError(path: error.path.inside(name), reason: error.reason)
    }
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try inner(JSONKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

  private func inner(_ key: any CodingKey) throws -> ValueDecoder {
    guard let value = member(key.stringValue) else { throw decoder.fail("“\(key.stringValue)” is missing") }
    return ValueDecoder(value: value, census: decoder.census)
  }
}

private struct ArrayDecoder: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [JSONValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next() throws -> JSONValue {
    guard !isAtEnd else { throw decoder.fail("it has only \(elements.count) elements") }
    defer { currentIndex += 1 }
    return elements[currentIndex]
  }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.decode(type, of: next(), named: "\(currentIndex - 1)")
  }

  mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
    try ValueDecoder(value: next(), census: decoder.census).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try ValueDecoder(value: next(), census: decoder.census).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { ValueDecoder(value: try next(), census: decoder.census) }
}

private struct LeafDecoder: SingleValueDecodingContainer {
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
