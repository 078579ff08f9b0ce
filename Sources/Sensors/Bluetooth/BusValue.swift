/// A value in a message of D-Bus.
indirect enum BusValue: Hashable, Sendable {
  case bool(Bool)
  /// A whole number of any size; one above the largest is the largest.
  case integer(Int64)
  case double(Double)
  /// A text, a path of an object or a signature.
  case string(String)
  /// An array of bytes.
  case bytes([UInt8])
  /// Another array, or a structure.
  case list([BusValue])
  /// An array of pairs whose keys are texts; other keys are written as texts.
  case dictionary([String: BusValue])
  /// A value with its type, for sending; what is received comes without it.
  case variant(String, BusValue)

  /// The text; `nil` for other values.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The bytes; `nil` for other values.
  var octets: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  var isTrue: Bool { self == .bool(true) }

  /// The number; `nil` for other values.
  var number: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

  /// The values; empty for other values.
  var elements: [BusValue] { if case .list(let values) = self { values } else { [] } }

  /// The pairs; empty for other values.
  var members: [String: BusValue] { if case .dictionary(let members) = self { members } else { [:] } }
}

/// A value to send, with its type as D-Bus writes it: `a{sv}`.
struct BusArgument: Hashable, Sendable {
  let signature: String
  let value: BusValue

  init(_ signature: String, _ value: BusValue) { (self.signature, self.value) = (signature, value) }
}

/// A message of D-Bus that arrived.
struct BusMessage: Hashable, Sendable {
  /// What it is.
  enum Kind: Hashable, Sendable {
    /// A call that is to be answered; the number is the connection's.
    case call(Int)
    /// The answer to a call of ours.
    case answer(to: UInt64)
    /// An error in place of an answer.
    case refusal(of: UInt64, name: String, text: String)
    case signal
  }

  let kind: Kind
  /// The object; empty in answers.
  var path = ""
  var interface = ""
  var member = ""
  var body: [BusValue] = []
}
