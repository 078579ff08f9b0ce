extension JSONValue {
  /// A value of a decodable type, as ``init(encoding:writesNull:)`` writes it.
  ///
  /// Whole numbers that are no durations go from 0 to 2^53. What a type does not ask for is ignored.
  ///
  /// - Parameter type: the type.
  /// - Returns: the value.
  /// - Throws: ``JSONCodingError`` for the first member that is missing or is not what the type wants.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(JSONCodingError) -> Value {
    try ValueDecoder(value: self, path: .root, codingPath: []).decode(type)
  }

  /// A value of a decodable type, and the members that it did not ask for: what another version has written.
  ///
  /// - Parameter type: the type.
  /// - Returns: the value, and the paths of the members that are not known to it, sorted.
  /// - Throws: ``JSONCodingError`` as ``decoded(as:)``.
  package func decodedWithUnknown<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(JSONCodingError) -> (value: Value, unknown: [String]) {
    let census = Census()
    let value = try ValueDecoder(value: self, path: .root, codingPath: [], census: census).decode(type)
    return (value, census.unknown)
  }
}

/// Which members of each object were asked for.
private final class Census {
  private var members: [JSONPointer: Set<String>] = [:]

  func meet(_ object: [String: JSONValue], at path: JSONPointer) {
    if members[path] == nil { members[path] = Set(object.keys) }
  }

  func ask(for name: String, at path: JSONPointer) { members[path]?.remove(name) }

  var unknown: [String] {
    members.flatMap { path, names in names.map { "\(path.appending($0))" } }.sorted()
  }
}

private struct ValueDecoder: Decoder {
  let value: JSONValue
  let path: JSONPointer
  let codingPath: [any CodingKey]
  var census: Census?
  /// Whether the object was made around a case of a tagged enumeration, and is not in the text.
  var isAroundCase = false
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func inside(_ value: JSONValue, _ key: any CodingKey, name: String) -> ValueDecoder {
    ValueDecoder(
      value: value, path: isAroundCase ? path : path.appending(name), codingPath: codingPath + [key], census: census)
  }

  func fail(_ reason: String) -> JSONCodingError { JSONCodingError(path: path, reason: reason) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.object else { throw fail("expected an object") }
    if !isAroundCase { census?.meet(members, at: path) }
    return KeyedDecodingContainer(ObjectDecoder<Key>(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw fail("expected an array") }
    return ArrayDecoder(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { LeafDecoder(decoder: self) }

  func decode<Value: Decodable>(_ type: Value.Type) throws(JSONCodingError) -> Value {
    do {
      if let leaf = try leaf(type), let value = leaf as? Value { return value }
      let decoded =
        if let tagged = type as? any TaggedInJSON.Type { try decode(type, tag: tagged.jsonTag) } else {
          try Value(from: self)
        }
      if let problem = (decoded as? any CheckedInJSON)?.jsonProblem { throw fail(problem) }
      return decoded
    } catch let error as JSONCodingError {
      throw error
    } catch DecodingError.dataCorrupted(let context) {
      // The word of an enumeration, or what the type says itself.
      let isWord = context.debugDescription.hasPrefix("Cannot initialize")
      throw fail(isWord ? "“\(value.string ?? "")” is not known here" : context.debugDescription)
    } catch {
      throw fail("\(error)")
    }
  }

  // Swift reads `{"lost":{"count":3}}`, which is made of `{"kind":"lost","count":3}`.
  private func decode<Value: Decodable>(_ type: Value.Type, tag: String) throws -> Value {
    guard let members = value.object else { throw fail("expected an object") }
    guard let code = members[tag] else { throw fail("“\(tag)” is missing") }
    guard let code = code.string else { throw fail("expected a string in “\(tag)”") }
    census?.meet(members, at: path)
    census?.ask(for: tag, at: path)
    func decode(as code: String) throws -> Value {
      try Value(
        from: ValueDecoder(
          value: .object([code: value]), path: path, codingPath: codingPath, census: census, isAroundCase: true))
    }
    do {
      return try decode(as: code)
    } catch DecodingError.typeMismatch {
      do { return try decode(as: "unknown") } catch DecodingError.typeMismatch {
        throw fail("“\(code)” is not known here as “\(tag)”")
      }
    }
  }

  /// What is no object and no array; `nil` for a type that decodes itself.
  private func leaf<Value>(_ type: Value.Type) throws(JSONCodingError) -> Any? {
    switch type {
    case is JSONValue.Type: return value
    case let type as any NamedInJSON.Type:
      let name = try known(value.string, "a string")
      guard let choice = type.init(name: name) else { throw fail("“\(name)” is not known here") }
      return choice
    case is String.Type: return try known(value.string, "a string")
    case is Bool.Type: return try known(value.bool, "true or false")
    case is Double.Type: return try known(value.number, "a number")
    case is Float.Type: return Float(try known(value.number, "a number"))
    case is Duration.Type:
      return Duration.nanoseconds(try known(value.integer, "a whole number of nanoseconds within 2^53"))
    case is UInt64.Type:
      if let text = value.string { return try known(UInt64(text), "a whole number from 0") }
      return UInt64(try count(UInt64.self))
    case let type as any FixedWidthInteger.Type: return try integer(type)
    default: return nil
    }
  }

  private func integer<Whole: FixedWidthInteger>(_ type: Whole.Type) throws(JSONCodingError) -> Whole {
    try count(type)
  }

  private func count<Whole: FixedWidthInteger>(_ type: Whole.Type) throws(JSONCodingError) -> Whole {
    let number = value.integer.flatMap { $0 >= 0 ? Whole(exactly: $0) : nil }
    return try known(number, "a whole number from 0 to \(min(UInt64(Whole.max), 1 << 53))")
  }

  private func known<Value>(_ value: Value?, _ wanted: String) throws(JSONCodingError) -> Value {
    guard let value else { throw fail("expected \(wanted)") }
    return value
  }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let members: [String: JSONValue]
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) -> Bool {
    decoder.census?.ask(for: key.stringValue, at: decoder.path)
    return (members[key.stringValue] ?? .null) == .null
  }

  private func isFlat<Value>(_ type: Value.Type, _ key: Key) -> Bool {
    type is any FlatInJSON.Type || key.stringValue == JSONKey.unlabelled
  }

  private func member(_ name: String, _ key: Key) throws -> ValueDecoder {
    decoder.census?.ask(for: name, at: decoder.path)
    guard let value = members[name], value != .null else { throw decoder.fail("“\(name)” is missing") }
    return decoder.inside(value, key, name: name)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if isFlat(type, key) { return try decoder.decode(type) }
    let name = JSONKey.name(of: key, for: type)
    decoder.census?.ask(for: name, at: decoder.path)
    if (members[name] ?? .null) == .null, let type = type as? any DefaultInJSON.Type,
      let value = type.jsonDefault as? Value
    {
      return value
    }
    return try member(name, key).decode(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    if isFlat(type, key) { return try decoder.decode(type) }
    let name = JSONKey.name(of: key, for: type)
    decoder.census?.ask(for: name, at: decoder.path)
    guard let value = members[name], value != .null else { return nil }
    return try decoder.inside(value, key, name: name).decode(type)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try member(key.stringValue, key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key.stringValue, key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    let key = JSONKey(stringValue: "super")
    return decoder.inside(members[key.stringValue] ?? .null, key, name: key.stringValue)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.inside(members[key.stringValue] ?? .null, key, name: key.stringValue)
  }
}

private struct ArrayDecoder: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [JSONValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next() throws -> ValueDecoder {
    guard !isAtEnd else { throw decoder.fail("it has only \(elements.count) elements") }
    defer { currentIndex += 1 }
    return decoder.inside(elements[currentIndex], JSONKey(intValue: currentIndex), name: "\(currentIndex)")
  }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

  mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct LeafDecoder: SingleValueDecodingContainer {
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
