import Basics
import Quantities
import Study

/// The contents of the participant's screen.
struct ParticipantScreen: Sendable {
  var title = ""
  var texts: [String] = []
  var spoken = ""
  var remaining: Duration?
  var entry: OpenEntry?
  /// The mark of a continuous rating.
  var rating: AnalogueEntry?
  var hint = ""
  /// The trial's number in the session, at the bottom: `2 / 8`.
  var position = ""

  /// The maximum line width, for easy reading.
  private static let widest = 72

  /// The rows, centred on the terminal; rows that do not fit are cut off at the end.
  func rows(_ size: TerminalSize) -> [String] {
    let width = max(1, min(size.columns - 2, Self.widest))
    func wrapped(_ text: String) -> [String] { text.isEmpty ? [] : text.visibleLines.wrapped(to: width) }
    var blocks = [wrapped(title)] + texts.map(wrapped)
    if !spoken.isEmpty { blocks.append(wrapped("“\(spoken)”")) }
    if let remaining { blocks.append([remaining.clockText(rounding: .up)]) }
    if let rating { blocks.append(rating.rows(width: width)) }
    if let entry {
      blocks.append(wrapped(entry.question.prompt ?? ""))
      blocks.append(entry.entry.rows(width: width))
    }
    if !hint.isEmpty { blocks.append(wrapped(hint)) }
    let titleRows = blocks[0].count
    let lines = Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    let above = max(0, (size.rows - lines.count) / 2)
    let rows = lines.enumerated().map { index, line in
      let margin = String(repeating: " ", count: max(0, (size.columns - line.displayWidth) / 2))
      return margin + (index < titleRows ? "\u{1B}[1m\(line)\u{1B}[0m" : line)
    }
    let all = Array((Array(repeating: "", count: above) + rows).prefix(size.rows))
    guard !position.isEmpty, all.count < size.rows - 1 else { return all }
    let margin = String(repeating: " ", count: max(0, size.columns - position.displayWidth - 1))
    return all + Array(repeating: "", count: size.rows - 1 - all.count) + [margin + position]
  }
}

extension String {
  /// Its lines wrapped to a width: between words, and within words that are wider.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      var lines: [String] = []
      var current = ""
      func put(_ word: Substring) {
        let joined = current.isEmpty ? String(word) : current + " " + word
        guard joined.displayWidth > width else { return current = joined }
        if !current.isEmpty { lines.append(current) }
        current = ""
        for character in word {
          if current.displayWidth + character.displayWidth > width, !current.isEmpty {
            lines.append(current)
            current = ""
          }
          current.append(character)
        }
      }
      for word in line.split(separator: " ") { put(word) }
      return lines + [current]
    }
  }
}
