extension String {
  /// The text on one line, without characters that are invalid in XML or on a terminal.
  var inOneLine: String {
    var line = String.UnicodeScalarView()
    for character in unicodeScalars {
      switch character.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
      case .unassigned where character.value & 0xfffe == 0xfffe: continue
      default: line.append(character)
      }
    }
    return String(line)
  }

  /// Whether the first letter with a direction is right-to-left (Unicode Standard Annex 9, rules P2, P3).
  var isRightToLeft: Bool {
    for character in unicodeScalars {
      switch character.value {
      case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff:
        if character.properties.isAlphabetic { return true }
      default:
        if character.properties.isAlphabetic { return false }
      }
    }
    return false
  }
}
