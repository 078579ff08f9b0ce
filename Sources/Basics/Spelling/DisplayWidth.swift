extension StringProtocol {
  /// The width of the text in terminal columns: East Asian wide characters and emoji take two, combining marks none.
  ///
  /// The ranges are those of Unicode's East Asian Width (UAX #11), `W` and `F`, as whole blocks.
  package var displayWidth: Int {
    // Most texts are plain: their characters need not be told apart.
    utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// The width of the character in terminal columns: zero, one or two.
  package var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return unicodeScalars.contains("\u{FE0F}") ? 2 : 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
    0x20000...0x3FFFD,
  ]
}

extension String {
  /// The text padded with spaces to a width in terminal columns.
  package func padded(to width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - displayWidth))
    return isRight ? space + self : self + space
  }

  /// The beginning of the text that fits into a number of terminal columns.
  package func cut(to columns: Int) -> String {
    var width = 0
    return String(
      prefix { character in
        width += character.displayWidth
        return width <= columns
      })
  }
}

/// The size of a terminal in columns and rows.
package struct TerminalSize: Hashable, Sendable {
  /// The number of columns.
  package let columns: Int
  /// The number of rows.
  package let rows: Int

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

extension StringProtocol {
  /// The text made safe for display: control characters and characters that break lines or change the writing direction
  /// are written as `\\u{1B}`, and a line break as `\\n`.
  package var visible: String { escaped(except: []) }

  /// The text made safe for display, with its line breaks kept.
  package var visibleLines: String { escaped(except: ["\n"]) }

  private func escaped(except kept: Set<Unicode.Scalar>) -> String {
    guard unicodeScalars.contains(where: { $0.isObeyed && !kept.contains($0) }) else { return String(self) }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case _ where kept.contains(scalar) || !scalar.isObeyed: text.unicodeScalars.append(scalar)
      case "\n": text += "\\n"
      default: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, a line separator, or a character that changes the writing direction.
  fileprivate var isObeyed: Bool {
    switch value {
    case 0x20..<0x7F: false
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default:
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
