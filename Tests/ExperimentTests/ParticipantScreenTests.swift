import Basics
import Quantities
import Testing

@testable import Experiment

@Suite("How a participant's screen is laid out")
struct ParticipantScreenTests {
  @Test("Long lines are broken between words, and words that are longer inside")
  func wrapped() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("abcdefgh ij".wrapped(to: 5) == ["abcde", "fgh", "ij"])
    #expect("a\n\nb".wrapped(to: 5) == ["a", "", "b"])
    #expect("".wrapped(to: 5) == [""])
  }

  @Test("The rows are in the middle and fit the terminal", arguments: [(80, 24), (20, 5), (1, 1)])
  func rows(columns: Int, rows: Int) {
    let screen = ParticipantScreen(
      title: "Listen", texts: ["To what you hear, as long as it lasts."], remaining: .seconds(29.2), hint: "Paused")
    let size = TerminalSize(columns: columns, rows: rows)
    let shown = screen.rows(size)
    #expect(shown.count <= rows)
    #expect(shown.allSatisfy { $0.replacing(/\u{1B}\[[01]m/, with: "").displayWidth <= columns })
    if columns == 80 {
      #expect(shown.contains { $0.hasSuffix(" 0:30") })
      #expect(shown.first { !$0.isEmpty } == String(repeating: " ", count: 37) + "\u{1B}[1mListen\u{1B}[0m")
    }
  }
}
