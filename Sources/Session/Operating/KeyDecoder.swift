package import Quantities
import Study

/// Converts the bytes that a terminal sends into keys; arrow keys are escape sequences, and other characters are UTF-8.
///
/// Bytes that are not UTF-8 and most control characters mean nothing. A paste of megabytes is cut off: of more
/// than `maxTextLength` characters without a Return or another key between them, no answer takes the rest.
package struct KeyDecoder: Sendable {
  private enum State {
    case plain
    /// Right after an escape character.
    case escaped
    /// Within `ESC [ …`, until its last byte; with the bytes before it.
    case control([UInt8])
    /// Right after `ESC O`, as terminals in application mode send.
    case single
    /// Within a character of several bytes, of which so many are missing.
    case character([UInt8], missing: Int)
  }

  private var state = State.plain
  private var last: UInt8 = 0
  /// How many characters came without another key between them.
  private var length = 0

  /// The most characters that are taken in a row: twice those of the longest answer.
  static let maxTextLength = 20_000

  package init() {}

  /// Takes the next byte; `nil` where no key is complete, and for keys that mean nothing here.
  package mutating func take(_ byte: UInt8) -> OperatorKey? {
    guard let key = decode(byte) else { return nil }
    switch key {
    case .letter where !key.isBackspace:
      length = min(length + 1, Self.maxTextLength + 1)
      return length > Self.maxTextLength ? nil : key
    default:
      length = 0
      return key
    }
  }

  private mutating func decode(_ byte: UInt8) -> OperatorKey? {
    defer { last = byte }
    // A control character ends every sequence.
    guard byte >= 0x20 else { return takeControl(byte) }
    switch state {
    case .plain: return byte < 0x80 ? .letter(Character(Unicode.Scalar(byte))) : begin(byte)
    case .escaped where byte == UInt8(ascii: "["):
      state = .control([])
      return nil
    case .escaped where byte == UInt8(ascii: "O"):
      state = .single
      return nil
    case .escaped:
      state = .plain
      return decode(byte)
    case .control(let bytes) where byte < 0x40:
      // No key has a longer number; what follows means nothing.
      if bytes.count < 8 { state = .control(bytes + [byte]) }
      return nil
    case .control(let bytes):
      state = .plain
      return byte == UInt8(ascii: "~") ? Self.jump(bytes) : Self.moving(byte)
    case .single:
      state = .plain
      return Self.moving(byte)
    case .character(let bytes, let missing):
      state = .plain
      guard byte & 0xC0 == 0x80 else { return decode(byte) }
      guard missing == 1 else {
        state = .character(bytes + [byte], missing: missing - 1)
        return nil
      }
      return Self.character(bytes + [byte])
    }
  }

  private mutating func begin(_ byte: UInt8) -> OperatorKey? {
    switch byte {
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    default: break
    }
    return nil
  }

  private static func character(_ bytes: [UInt8]) -> OperatorKey? {
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first,
      scalar.properties.generalCategory != .control
    else { return nil }
    return .letter(Character(scalar))
  }

  private mutating func takeControl(_ byte: UInt8) -> OperatorKey? {
    state = byte == 0x1B ? .escaped : .plain
    switch byte {
    case 0x1B: return nil
    // CR LF, the end of a line on Windows, is one Return.
    case 10: return last == 13 ? nil : .enter
    case 13: return .enter
    // Backspace, tab, Ctrl-N and Ctrl-P; the others mean nothing.
    case 8, 9, 0x0E, 0x10: return .letter(Character(Unicode.Scalar(byte)))
    default: return nil
    }
  }

  private static func moving(_ byte: UInt8) -> OperatorKey? {
    switch byte {
    case UInt8(ascii: "A"): .arrow(.up)
    case UInt8(ascii: "B"): .arrow(.down)
    case UInt8(ascii: "C"): .arrow(.right)
    case UInt8(ascii: "D"): .arrow(.left)
    case UInt8(ascii: "H"): .jump(.home)
    case UInt8(ascii: "F"): .jump(.end)
    default: nil
    }
  }

  private static func jump(_ number: [UInt8]) -> OperatorKey? {
    switch String(decoding: number, as: UTF8.self) {
    case "1", "7": .jump(.home)
    case "4", "8": .jump(.end)
    case "5": .jump(.pageUp)
    case "6": .jump(.pageDown)
    default: nil
    }
  }
}

extension OperatorKey {
  /// The key's name in protocols and results; empty for the end of the input.
  var name: String {
    switch self {
    case .enter: KeyName.enter.rawValue
    case .letter(" "), .typed(" "): KeyName.space.rawValue
    case .letter(let character), .typed(let character): String(character)
    case .arrow(.left): KeyName.left.rawValue
    case .arrow(.right): KeyName.right.rawValue
    case .arrow(.up): KeyName.up.rawValue
    case .arrow(.down): KeyName.down.rawValue
    case .repeated(let key): key.name
    case .jump, .end: ""
    }
  }
}

/// Tells what a terminal repeats while a key is held down from what a person presses.
///
/// A terminal repeats a held key after 0.25 to 0.7 s, and then 10 to 50 times a second; no person presses a key three times
/// that fast. A key soon after the same one is therefore kept back until it is known whether a further one follows within
/// `period`: if so, they are repeats until the key is let go. Repeats of Return are left out, since it always acts; the
/// others become ``OperatorKey/repeated(_:)``, since a held key may move a cursor, and a scanner or a paste sends the same
/// character as fast. Every other key passes at once.
package struct HeldKey: Sendable {
  /// Keys that are kept back wait this long for a further one.
  static let period = Duration.milliseconds(120)

  /// A held key is repeated for the first time within this.
  private static let delay = Duration.seconds(1)

  private enum Fate {
    case passed
    /// It is kept back.
    case kept
    case repeated
  }

  /// The key that came last, when, and what became of it.
  private var last: (key: OperatorKey, made: Moment, fate: Fate)

  /// Begins at a moment at which the Return that started the program may still be held down.
  package init(since start: Moment) { last = (.enter, start, .passed) }

  /// When the key that is kept back counts, unless a key comes before; `nil` for none.
  package var due: Moment? { last.fate == .kept ? last.made.advanced(by: Self.period) : nil }

  /// Takes the next key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - now: when it was read.
  /// - Returns: the keys that are known by now, with the moments at which they were read.
  package mutating func take(_ key: OperatorKey, at now: Moment) -> [(key: OperatorKey, made: Moment)] {
    let before = last
    let gap = before.made.duration(to: now)
    switch before.fate {
    case .passed where key == before.key && gap < Self.delay:
      last = (key, now, .kept)
      return []
    case .kept where key == before.key && gap < Self.period, .repeated where key == before.key && gap < Self.period:
      last = (key, now, .repeated)
      guard key != .enter else { return [] }
      return (before.fate == .kept ? [(.repeated(key), before.made)] : []) + [(.repeated(key), now)]
    case .kept where key == before.key, .repeated where key == before.key:
      defer { last = (key, now, .kept) }
      return release()
    case .passed, .kept, .repeated:
      defer { last = (key, now, .passed) }
      return release() + [(key, now)]
    }
  }

  /// Lets the key pass that is kept back, since no other followed it in time.
  package mutating func release() -> [(key: OperatorKey, made: Moment)] {
    guard last.fate == .kept else { return [] }
    last.fate = .passed
    return [(last.key, last.made)]
  }
}
