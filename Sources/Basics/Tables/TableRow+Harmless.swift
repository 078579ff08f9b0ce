extension TableRow {
  /// A text that no program takes for anything else in a table: on one line, without characters that change the writing
  /// direction, and not a formula of a spreadsheet.
  ///
  /// A text that begins with `=`, `+`, `-` or `@` and is neither a number nor a range such as `-60:0` gets an apostrophe before it, as spreadsheets expect it.
  package static func harmless(_ text: String) -> String {
    let shown = text.visible
    guard let first = shown.unicodeScalars.first, formulaBeginnings.contains(first), !isNumeric(shown) else {
      return shown
    }
    return "'\(shown)"
  }

  /// Whether a text is a number, or two with a colon between them.
  private static func isNumeric(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { Double($0) != nil }
  }

  /// The characters with which formulas begin, and their wide forms.
  private static let formulaBeginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
}
