extension JSONValue {
  /// Encodes a value as JSON.
  ///
  /// A `Duration` becomes an integer of nanoseconds within ±2^53 under its key with the suffix `_ns`, a `UInt64` above
  /// 2^53 becomes a string of digits, and a number that is not finite is treated as missing. A ``FlatInJSON`` type is
  /// merged into the enclosing object, and a ``TaggedInJSON`` type becomes a single object.
  ///
  /// - Parameters:
  ///   - value: the value to encode.
  ///   - writesNull: whether missing values are written as `null` rather than omitted.
  /// - Throws: what the value's own `encode(to:)` throws.
  package init(encoding value: some Encodable, writesNull: Bool = false) throws {
    let encoder = ValueEncoder(node: EncodedNode(), codingPath: [], writesNull: writesNull)
    try encoder.encode(value)
    self = encoder.node.value
  }
}

/// A value under construction.
private final class EncodedNode {
  enum Content {
    case leaf(JSONValue)
    case object([String: EncodedNode])
    case array([EncodedNode])
  }

  var content = Content.leaf(.null)

  var value: JSONValue {
    switch content {
    case .leaf(let value): value
    case .object(let members): .object(members.mapValues(\.value))
    case .array(let elements): .array(elements.map(\.value))
    }
  }

  var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  var isObject: Bool { if case .object = content { true } else { false } }

  /// Adds the members of an object; any other value takes the place of what is here.
  func merge(_ other: EncodedNode) {
    guard case .object(let members) = other.content else {
      content = other.content
      return
    }
    beginObject()
    for (name, inner) in members { member(name).content = inner.content }
  }

  func beginObject() { if case .object = content {} else { content = .object([:]) } }

  func beginArray() { if case .array = content {} else { content = .array([]) } }

  func member(_ name: String) -> EncodedNode {
    guard case .object(var members) = content else { return EncodedNode() }
    content = .leaf(.null)
    let node = EncodedNode()
    members[name] = node
    content = .object(members)
    return node
  }

  func element() -> EncodedNode {
    guard case .array(var elements) = content else { return EncodedNode() }
    content = .leaf(.null)
    let node = EncodedNode()
    elements.append(node)
    content = .array(elements)
    return node
  }
}

private struct ValueEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let writesNull: Bool
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func inside(_ node: EncodedNode, _ key: any CodingKey) -> ValueEncoder {
    ValueEncoder(node: node, codingPath: codingPath + [key], writesNull: writesNull)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(ObjectEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return ArrayEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { LeafEncoder(encoder: self) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let scalar = JSONForm.knownScalar(Value.self), let json = Self.json(value, as: scalar) {
      node.content = .leaf(json)
      return
    }
    try value.encode(to: self)
    if case .array = node.content { return }
    let form = JSONForm.of(Value.self)
    if let scalar = form.scalar, let json = Self.json(value, as: scalar) { node.content = .leaf(json) }
    if let tag = form.tag { nameCase(by: tag) }
  }

  private static func json<Scalar: ScalarInJSON>(_ value: some Any, as type: Scalar.Type) -> JSONValue? {
    (value as? Scalar)?.scalarInJSON
  }

  // Converts Swift's form `{"lost":{"count":3}}` to `{"kind":"lost","count":3}`.
  private func nameCase(by tag: String) {
    guard case .object(let cases) = node.content, let (code, payload) = cases.first else { return }
    node.content = .object([:])
    node.member(tag).content = .leaf(.string(code))
    if payload.isObject { node.merge(payload) }
  }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func null(_ name: String) { if encoder.writesNull { _ = encoder.node.member(name) } }

  func encodeNil(forKey key: Key) { null(key.stringValue) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let name = JSONKey.name(of: key, for: Value.self)
    let isUnlabelled = key.stringValue == JSONKey.unlabelled
    if let number = value as? Double, !number.isFinite, !isUnlabelled { return null(name) }
    let inner = EncodedNode()
    try encoder.inside(inner, key).encode(value)
    if isUnlabelled || inner.isObject && JSONForm.of(Value.self).isFlat {
      encoder.node.merge(inner)
    } else {
      encoder.node.member(name).content = inner.content
    }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try optional(value, key) }

  // The protocol requires one overload for each type.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }

  private func optional<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { null(JSONKey.name(of: key, for: Value.self)) }
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    encoder.inside(encoder.node.member(key.stringValue), key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.inside(encoder.node.member(key.stringValue), key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let key = JSONKey(stringValue: "super")
    return encoder.inside(encoder.node.member(key.stringValue), key)
  }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.inside(encoder.node.member(key.stringValue), key) }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  private func next() -> ValueEncoder {
    let key = JSONKey(intValue: count)
    return encoder.inside(encoder.node.element(), key)
  }

  func encodeNil() { _ = encoder.node.element() }

  func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  func superEncoder() -> any Encoder { next() }
}

private struct LeafEncoder: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.node.content = .leaf(.null) }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
}
