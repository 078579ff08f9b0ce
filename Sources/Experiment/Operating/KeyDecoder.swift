/// Converts the bytes that a terminal sends into keys; arrow keys are escape sequences.
package struct KeyDecoder: Sendable {
  private enum State {
    case plain
    /// Right after an escape character.
    case escaped
    /// Within `ESC [ …`, until its last byte.
    case control
    /// Right after `ESC O`, as terminals in application mode send.
    case single
  }

  private var state = State.plain
  private var last: UInt8 = 0

  /// Creates a decoder at the beginning of the input.
  package init() {}

  /// Takes the next byte; `nil` where no key is complete, and for keys that mean nothing here.
  package mutating func take(_ byte: UInt8) -> OperatorKey? {
    defer { last = byte }
    // A control character ends every sequence.
    guard byte >= 0x20 else { return takeControl(byte) }
    switch state {
    case .plain: return byte < 0x80 ? .letter(Character(Unicode.Scalar(byte))) : nil
    case .escaped where byte == UInt8(ascii: "["):
      state = .control
      return nil
    case .escaped where byte == UInt8(ascii: "O"):
      state = .single
      return nil
    case .escaped:
      state = .plain
      return take(byte)
    case .control where byte < 0x40: return nil
    case .control, .single:
      state = .plain
      return Self.arrow(byte).map { .arrow($0) }
    }
  }

  private mutating func takeControl(_ byte: UInt8) -> OperatorKey? {
    state = byte == 0x1B ? .escaped : .plain
    switch byte {
    case 0x1B: return nil
    // CR LF, the end of a line on Windows, is one Return.
    case 10: return last == 13 ? nil : .enter
    case 13: return .enter
    default: return .letter(Character(Unicode.Scalar(byte)))
    }
  }

  private static func arrow(_ byte: UInt8) -> Arrow? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}

extension OperatorKey {
  /// The command that the key gives to a trial.
  var command: TrialInput? {
    switch self {
    case .enter: .next
    case .letter("p"): .togglePause
    case .letter("s"): .skip
    case .end: .inputEnded
    case .letter, .arrow: nil
    }
  }
}
