extension TableRow {
  /// A text that no program takes for anything else in a table: on one line, without characters that change the writing
  /// direction, and not a formula of a spreadsheet.
  ///
  /// A text that begins with `=`, `+`, `-` or `@` and is no number gets an apostrophe before it, as spreadsheets expect it.
  package static func harmless(_ text: String) -> String {
    let shown = text.visible
    guard let first = shown.unicodeScalars.first, formulaBeginnings.contains(first), Double(shown) == nil else {
      return shown
    }
    return "'\(shown)"
  }

  /// The characters with which formulas begin, and their wide forms.
  private static let formulaBeginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
}
