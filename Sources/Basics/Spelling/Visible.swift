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
