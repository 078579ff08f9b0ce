import Basics
import Bundles

/// A report on a trial, a session or a results folder, ready to be written as HTML.
///
/// A report is a value: equal input gives equal reports.
package struct Report: Sendable {
  /// The document title, shown in a browser's tab.
  let title: String
  let kind: String
  /// The main heading.
  let heading: StyledText
  /// A sentence below the heading.
  let lead: StyledText
  /// The sections in order.
  let sections: [Section]
  /// The footer of every page.
  let footer: StyledText
  /// The closing remark.
  let closing: StyledText = "The numbers describe what was recorded; no test of significance was made."

  // The mark of simulated data begins the title and the lead, and ends the footer of every page.
  init(
    kind: String, heading: StyledText, lead: StyledText, sections: [Section], footer: StyledText, mark: String? = nil
  ) {
    self.kind = kind
    self.heading = heading
    self.lead = mark.map { StyledText($0.sentence, .strong) + " " + lead } ?? lead
    self.sections = sections
    self.footer = mark.map { footer + " " + StyledText($0.sentence, .strong) } ?? footer
    title = (mark == nil ? "" : "\(TrialSimulation.mark.sentence.dropLast()) · ") + "\(heading.text) · \(kind)"
  }
}

extension String {
  /// The text with escapes for characters that break lines or change the writing direction, and without noncharacters.
  var printable: String {
    var text = visible
    text.unicodeScalars.removeAll { $0.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains($0.value) }
    return text
  }

  /// The text split at the escapes, `\\u{202E}`, that ``printable`` has inserted.
  ///
  /// Escapes are left-to-right everywhere, and right-to-left text would reorder their parts.
  var escapes: [(text: String, isEscape: Bool)] {
    var parts: [(String, Bool)] = []
    for (place, piece) in split(separator: "\\u{", omittingEmptySubsequences: false).enumerated() {
      guard place > 0 else {
        parts.append((String(piece), false))
        continue
      }
      guard let end = piece.firstIndex(of: "}") else {
        parts.append(("\\u{" + piece, false))
        continue
      }
      parts.append(("\\u{" + piece[...end], true))
      parts.append((String(piece[piece.index(after: end)...]), false))
    }
    return parts.filter { !$0.0.isEmpty }
  }

  /// The length of the longest run without a line-break opportunity, in characters.
  var longestWord: Int { split { $0 == " " || $0 == "\u{a0}" }.map(\.count).max() ?? 0 }
}
