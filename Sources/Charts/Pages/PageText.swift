import Basics

/// Words on a page, in one line or broken into lines, in one size, some of them bold, of even width or in other colours.
package struct PageText: Hashable, Sendable {
  /// Words that look the same.
  package struct Run: Hashable, Sendable {
    /// The words; line breaks and control characters count as spaces.
    package var text: String
    /// Whether they are bold.
    package var isBold: Bool
    /// Whether every letter is equally wide, as in commands and digests.
    package var isMonospaced: Bool
    /// Their colour.
    package var colour: PageColour

    /// Words.
    package init(_ text: String, isBold: Bool = false, isMonospaced: Bool = false, colour: PageColour = .text) {
      (self.text, self.isBold, self.isMonospaced, self.colour) = (text, isBold, isMonospaced, colour)
    }
  }

  /// The words, in their order.
  package var runs: [Run]
  /// The letters' size, in points of 1/96 inch.
  package var size: Double
  /// The width of the lines in points; `nil` for words that stand in one line.
  package var width: Double?
  /// The height of a line as a multiple of what the font asks for.
  package var lineHeight: Double
  /// Whether lines end at the right edge, as numbers do.
  package var isRightAligned: Bool
  /// The height beyond which words are cut and “…” is put; `nil` for all of them.
  package var mostHeight: Double?
  /// Whether lines end only at spaces, as in commands, whose options have hyphens; a word longer than a line is broken all
  /// the same.
  package var keepsWords = false

  /// Words.
  package init(
    _ runs: [Run], size: Double, width: Double? = nil, lineHeight: Double = 1.15, isRightAligned: Bool = false,
    mostHeight: Double? = nil
  ) {
    (self.runs, self.size, self.width) = (runs, size, width)
    (self.lineHeight, self.isRightAligned, self.mostHeight) = (lineHeight, isRightAligned, mostHeight)
  }

  /// The words in Pango's markup; where a line ends within a word, no hyphen is put that is not there.
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

  // So many letters of even width fit into a line of a page.
  private static let mostUnbroken = 60
}

/// A solid colour of the sRGB space.
package struct PageColour: Hashable, Sendable {
  let colour: Colour

  /// The colour with these parts: `0x0072b2`.
  package init(_ hex: UInt32) { colour = Colour(hex & 0xff_ffff) }

  /// What words are written in.
  package static let text = PageColour(Theme.light.surroundings.text)

  var hex: String { colour.hex }
}
