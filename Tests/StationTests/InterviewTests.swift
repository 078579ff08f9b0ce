import Basics
import Bundles
import Foundation
import Glibc
import Study
import TestSupport
import Testing

/// Questions of every kind, answered at a pseudo-terminal and through a pipe.
@Suite("An interview in a trial")
struct InterviewTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(Self.interview, to: "interview.json")
    try bench.write(Self.essay, to: "essay.json")
  }

  private static let interview = """
    { "format": "station.protocol/1", "identifier": "Interview", "version": "1.0", "steps": [
        { "kind": "form", "identifier": "you", "title": "About you", "questions": [
          { "kind": "text", "identifier": "words", "prompt": "Your own words – please" },
          { "kind": "integer", "identifier": "age", "prompt": "How old", "minimum": 18, "maximum": 99, "unit": "years" },
          { "kind": "decimal", "identifier": "height", "prompt": "How tall", "unit": "m" },
          { "kind": "boolean", "identifier": "slept", "prompt": "Did you sleep" },
          { "kind": "choice", "identifier": "hand", "prompt": "Which hand",
            "choices": [{ "value": "l", "text": "the left one" }, { "value": "r", "text": "the right one" }] },
          { "kind": "choices", "identifier": "players", "prompt": "Which players", "choices": ["radio", "phone", "piano"] },
          { "kind": "date", "identifier": "born", "prompt": "Born when" },
          { "kind": "time", "identifier": "up", "prompt": "Got up when", "required": false },
          { "kind": "visualAnalogue", "identifier": "pain", "prompt": "How much pain",
            "anchors": { "0": "none", "100": "the worst" } } ] },
        { "kind": "completion", "identifier": "end", "title": "Thanks" } ] }

    """

  private static let essay = """
    { "format": "station.protocol/1", "identifier": "Essay", "version": "1.0", "steps": [
        { "kind": "form", "identifier": "essay", "title": "Write",
          "question": { "kind": "text", "maximumLength": 500 } },
        { "kind": "completion", "identifier": "end", "title": "Thanks" } ] }

    """

  private static let dialogue = [
    ("Your own words", "\n"), ("Please answer this question", "I slept, \u{1B}[31mps über\u{202E}x\u{7F}\n"),
    ("How old", "x"), ("enter a whole number", "\u{7F}17\n"), ("from 18 to 99", "\u{7F}8\n"), ("How tall", "1,75\n"),
    ("Did you sleep", "\u{1B}[A\n"), ("Press Return to confirm", "\n"),
    ("Which hand", "2\n"), ("Which players", "13\n"), ("Born when", "2023-02-29\n"),
    ("1999-12-31", "\u{7F}8\n"), ("Got up when", "\n"), ("How much pain", "5\u{1B}[D\n"), ("Thanks", "\n"),
    ("This is the end", "\u{10}"),
  ]

  private static let answers: [AnswerValue] = [
    .text("I slept, ps über\u{202E}"), .integer(18), .decimal(1.75), .boolean(false), .text("r"),
    .choices(["radio", "piano"]), .text("2023-02-28"), .integer(49),
  ]

  /// The record of the only trial, whose bundle is verified.
  private func record() async throws -> TrialRecord {
    let bundles = bench.bundles()
    try #require(bundles.count == 1)
    #expect(try await bench.run(["verify", bundles[0]]).status == 0)
    return try Bundles.Bundle(bundles[0]).record
  }

  private static func resize(_ child: Child, columns: UInt16, rows: UInt16) throws {
    let terminal = try #require(child.terminal)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    /// TIOCSWINSZ of <asm/ioctls.h>.
    #expect(unsafe ioctl(terminal.near.fileDescriptor, 0x5414, &size) == 0)
  }

  /// The rows that were drawn on the whole screen, without their attributes.
  private static func rows(_ text: Substring) -> [String] {
    text.matches(of: /\u{1B}\[[0-9]+;1H\u{1B}\[K(.*?)(?=\u{1B}\[(?:[0-9]+;1H|2J|\?)|$)/).map {
      String($0.1.replacing(/\u{1B}\[[01]m/, with: ""))
    }
  }

  @Test(
    "At a terminal of 60 columns that becomes one of 40, every kind of question takes its answer and refuses others")
  func terminal() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "interview.json", sensors: []), input: .terminal)
      try Self.resize(child, columns: 60, rows: 20)
      child.answer(Self.dialogue)
      try await child.output.wait(for: "Which hand") { try? Self.resize(child, columns: 40, rows: 12) }
      #expect(await child.end() == 0)
      return child
    }
    let record = try await record()
    #expect(record.answers.map(\.value) == Self.answers)
    #expect(record.answers.map(\.step) == Array(repeating: "you", count: Self.answers.count))
    #expect(record.answers.allSatisfy { $0.shown < $0.answered })
    let screen = child.output.text.split(separator: "\u{1B}[?1049l")[0]
    let rows = Self.rows(screen)
    #expect(rows.count > 50 && rows.allSatisfy { $0.displayWidth <= 60 })
    #expect(!child.output.text.contains("\u{202E}") && child.output.text.contains("ps über\\u{202E}"))
    // The width that the participant sees at the end is that of the smaller terminal.
    #expect(rows.suffix(12).allSatisfy { $0.displayWidth <= 40 }, "\(rows.suffix(12))")
  }

  @Test("A terminal without UTF-8 gets ASCII, and the answers are the same")
  func ascii() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(
        bench.trial([], of: "interview.json", sensors: []), input: .terminal,
        environment: ["LC_ALL": "de_DE.ISO-8859-1"])
      child.answer(Self.dialogue)
      #expect(await child.end() == 0)
      return child
    }
    #expect(try await record().answers.map(\.value) == Self.answers)
    #expect(child.output.text.utf8.allSatisfy { $0 < 0x80 })
    #expect(child.output.text.contains("Your own words - please") && child.output.text.contains("ps uber"))
  }

  @Test("Through a pipe each answer is a line")
  func pipe() async throws {
    let lines = [
      "", "pause, then stop", "seventeen", "18", "1.75", "perhaps", "no", "3", "the right one", "1, 3", "2023-02-29",
      "2023-02-28", "", "49", "",
    ]
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "interview.json", sensors: []), input: .pipe)
      child.type(lines.map { $0 + "\n" }.joined())
      child.closeInput()
      #expect(await child.end() == 0)
      return child
    }
    #expect(
      try await record().answers.map(\.value) == [.text("pause, then stop")] + Self.answers.dropFirst())
    for refused in ["seventeen", "perhaps", "3", "2023-02-29"] {
      #expect(child.output.text.contains("“\(refused)” is not"))
    }
  }

  @Test("Ten megabytes of hostile text become an answer of the maximum length; terminal and bundle are whole")
  func paste() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "essay.json", sensors: []), input: .terminal)
      let before = try #require(child.terminal).settings
      try await child.output.wait(for: "Type your answer")
      let paste = "\u{202E}ab\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31m\u{0}é\u{301}"
      let text = String(repeating: paste, count: 10_000_000 / paste.utf8.count)
      // Typed on another thread, while the program reads and draws.
      Thread.detachNewThread {
        child.type(text)
        child.type("\n")
      }
      child.answer([("Thanks", "\n"), ("This is the end", "\u{10}")])
      #expect(await child.end() == 0)
      #expect(try #require(child.terminal).settings == before)
      return child
    }
    let answers = try await record().answers
    guard case .text(let text)? = answers.first?.value else {
      Issue.record("no answer")
      return
    }
    #expect(text.unicodeScalars.count == 500 && text.hasPrefix("\u{202E}ab]0;title"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    #expect(!child.output.text.contains("\u{202E}") && !child.output.text.contains("\u{1B}]0"))
  }
}
