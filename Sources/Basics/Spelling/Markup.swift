extension String {
  /// The text, escaped for use as content or attribute value in XML and HTML.
  package var escapedForXML: String {
    var escaped = ""
    for character in unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
