import Basics

/// Text on a page, on one line or wrapped, in one size, with runs in bold, monospaced or in other colours.
package struct PageText: Hashable, Sendable {
  /// A run of text in one style.
  package struct Run: Hashable, Sendable {
    /// The text; line breaks and control characters count as spaces.
    package var text: String
    /// Whether the text is bold.
    package var isBold: Bool
    /// Whether the text is monospaced, as for commands and digests.
    package var isMonospaced: Bool
    /// The colour.
    package var colour: PageColour

    /// Creates a run.
    package init(_ text: String, isBold: Bool = false, isMonospaced: Bool = false, colour: PageColour = .text) {
      (self.text, self.isBold, self.isMonospaced, self.colour) = (text, isBold, isMonospaced, colour)
    }
  }

  /// The runs in order.
  package var runs: [Run]
  /// The font size, in points of 1/96 inch.
  package var size: Double
  /// The width of the lines in points; `nil` for text on one line.
  package var width: Double?
  /// The line height as a multiple of the font's own.
  package var lineHeight: Double
  /// Whether the lines are right-aligned, as for numbers.
  package var isRightAligned: Bool
  /// The height beyond which the text is truncated with “…”; `nil` for no limit.
  package var mostHeight: Double?
  /// Whether lines break at spaces only, as for commands, whose options contain hyphens.
  ///
  /// A word longer than a line is broken nevertheless.
  package var keepsWords = false

  /// Creates text.
  package init(
    _ runs: [Run], size: Double, width: Double? = nil, lineHeight: Double = 1.15, isRightAligned: Bool = false,
    mostHeight: Double? = nil
  ) {
    (self.runs, self.size, self.width) = (runs, size, width)
    (self.lineHeight, self.isRightAligned, self.mostHeight) = (lineHeight, isRightAligned, mostHeight)
  }

  /// The text in Pango's markup; no hyphen is inserted at a break within a word.
  var markup: String {
    runs.map { run in
      let weight = run.isBold ? " weight=\"bold\"" : ""
      let family = run.isMonospaced ? " face=\"\(FontStack.monospaced)\" size=\"92%\"" : ""
      let looks = "insert_hyphens=\"false\" foreground=\"\(run.colour.hex)\"\(weight)\(family)"
      let text = run.text.inOneLine
      return "<span \(looks)>\(keepsWords ? Self.unbroken(text) : text.escapedForXML)</span>"
    }.joined()
  }

  private static func unbroken(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.count > mostUnbroken
        ? String(word).escapedForXML : "<span allow_breaks=\"false\">\(String(word).escapedForXML)</span>"
    }.joined(separator: " ")
  }

  // The number of monospaced letters that fit on a line of a page.
  private static let mostUnbroken = 60
}

/// An opaque colour in the sRGB colour space.
package struct PageColour: Hashable, Sendable {
  let colour: Colour

  /// Creates a colour from its components: `0x0072b2`.
  package init(_ hex: UInt32) { colour = Colour(hex & 0xff_ffff) }

  /// The colour of text.
  package static let text = PageColour(Theme.light.surroundings.text)

  var hex: String { colour.hex }
}
