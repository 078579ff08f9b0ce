/// A JSON value with its position in the text.
package struct JSONNode: Sendable {
  package let content: Content

  /// The offset of its first byte in the text.
  package let offset: Int

  /// The original digits of a number that a double cannot represent exactly; `nil` for any other value.
  let written: String?

  init(content: Content, offset: Int, written: String? = nil) {
    (self.content, self.offset, self.written) = (content, offset, written)
  }

  /// Creates the node of a value that stands for another one in a text.
  ///
  /// - Parameters:
  ///   - value: the value; the members of objects are in the order of their keys.
  ///   - offset: where the other one is.
  package init(_ value: JSONValue, at offset: Int) {
    let content: Content =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let value): .number(value)
      case .string(let value): .string(value)
      case .array(let elements): .array(elements.map { JSONNode($0, at: offset) })
      case .object(let members):
        .object(
          members.sorted { $0.key < $1.key }.map {
            JSONMember(key: $0.key, keyOffset: offset, value: JSONNode($0.value, at: offset))
          })
      }
    self.init(content: content, offset: offset)
  }

  /// The node with another content.
  package func with(_ content: Content) -> JSONNode { JSONNode(content: content, offset: offset) }

  /// The node with all offsets increased by a number.
  package func moved(by distance: Int) -> JSONNode {
    let content: Content =
      switch self.content {
      case .array(let elements): .array(elements.map { $0.moved(by: distance) })
      case .object(let members): .object(members.map { $0.moved(by: distance) })
      case let other: other
      }
    return JSONNode(content: content, offset: offset + distance, written: written)
  }

  /// The kinds of JSON value, with their content.
  package enum Content: Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as the nearest double.
    case number(Double)
    /// A string with its escapes resolved.
    case string(String)
    /// Values in order.
    case array([JSONNode])
    /// Members in the order of the text; no key is given twice.
    case object([JSONMember])
  }

  /// The value without positions.
  package var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members):
      .object(Dictionary(members.map { ($0.key, $0.value.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// A description for messages: `the string “30”`, `the number 30`, `an object`.
  package var phrase: String {
    switch content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "the number \(written?.shortened ?? value.text())"
    case .string(""): "an empty string"
    case .string(let value): "the string “\(value.shortened)”"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// One member of a JSON object.
package struct JSONMember: Sendable {
  /// The key with its escapes resolved.
  package let key: String

  /// The offset of the key's opening quote in the text.
  package let keyOffset: Int

  /// The member's value.
  package let value: JSONNode

  package init(key: String, keyOffset: Int, value: JSONNode) {
    (self.key, self.keyOffset, self.value) = (key, keyOffset, value)
  }

  /// The member with another value.
  package func with(_ value: JSONNode) -> JSONMember { JSONMember(key: key, keyOffset: keyOffset, value: value) }

  fileprivate func moved(by distance: Int) -> JSONMember {
    JSONMember(key: key, keyOffset: keyOffset + distance, value: value.moved(by: distance))
  }
}
