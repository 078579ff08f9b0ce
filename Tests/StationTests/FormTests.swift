import Basics
import Bundles
import Foundation
import Study
import TestSupport
import Testing

@Suite("A form in a trial")
struct FormTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(Self.study(display: #""participant""#), to: "rating.json")
    try bench.write(Self.study(display: #"{ "kinds": { "form": "operator" } }"#), to: "split.json")
  }

  private static func study(display: String) -> String {
    """
    { "format": "station.protocol/1", "identifier": "Rating", "version": "1.0", "display": \(display),
      "steps": [
        { "kind": "form", "identifier": "valence", "title": "How was it?",
          "question": { "kind": "scale", "minimum": 1, "maximum": 9,
            "anchors": { "1": "unpleasant", "5": "neutral", "9": "pleasant" } } },
        { "kind": "completion", "identifier": "end", "title": "Thanks" } ] }

    """
  }

  /// The record of the only trial.
  private func record() throws -> TrialRecord {
    let bundles = bench.bundles()
    try #require(bundles.count == 1)
    return try Bundles.Bundle(bundles[0]).record
  }

  @Test("A participant moves the mark with arrow keys and digits, and the answer is in the result")
  func participant() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "rating.json", sensors: []), input: .terminal)
      child.answer([
        ("How was it?", "\n"), ("Please choose a number from 1 to 9", "\u{1B}[C"), (">1<", "\n"), ("[1]", "8"),
        ("[8]", "\u{1B}OD"), ("[7]", "\n"), ("Thanks", "\n"), ("This is the end", "\u{10}"),
      ])
      #expect(await child.end() == 0)
      return child
    }
    let answers = try record().answers
    #expect(answers.map(\.step) == ["valence"] && answers.map(\.value) == [.integer(7)])
    #expect(answers.allSatisfy { $0.shown < $0.answered })
    #expect(child.output.text.contains("answer to valence: 7"))
  }

  @Test("The operator sees a step that the protocol chooses for the operator, as lines")
  func split() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "split.json", sensors: []), input: .terminal)
      child.answer([
        ("1 (unpleasant), 5 (neutral), 9 (pleasant)", "0\n"), ("0 is not on the scale", "3"),
        ("3; Return confirms", "\n"), ("Thanks", "\n"), ("This is the end", "\u{10}"),
      ])
      #expect(await child.end() == 0)
      return child
    }
    #expect(try record().answers.map(\.value) == [.integer(3)])
    #expect(child.output.text.contains("answer: 3"))
  }

  @Test("Through a pipe the number is typed on a line")
  func pipe() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "rating.json", sensors: []), input: .pipe)
      child.type("12\n4\n\n")
      child.closeInput()
      #expect(await child.end() == 0)
      return child
    }
    #expect(try record().answers.map(\.value) == [.integer(4)])
    #expect(child.output.text.contains("12 is not on the scale"))
  }

  @Test("An unattended trial leaves the question unanswered, and is suspect")
  func unattended() async throws {
    let run = try await Turns.trials.take {
      try await bench.run(bench.trial(["--unattended"], of: "rating.json", sensors: []))
    }
    #expect(run.status == 4)
    let record = try record()
    #expect(record.answers == [] && record.reasons == [.unanswered(step: "valence", question: "valence")])
  }
}
