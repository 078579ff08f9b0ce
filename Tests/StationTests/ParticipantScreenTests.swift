import Basics
import Foundation
import Quantities
import Study
import TestSupport
import Testing

@Suite("What a participant sees")
struct ParticipantScreenTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    let german = """
      "title": "Short", "phrases": { "continue": "Weiter mit der Eingabetaste", "end": "Vielen Dank" },
      """
    try bench.write(Bench.music(seconds: 1).replacing(#""title": "Short","#, with: german), to: "german.json")
  }

  @Test("Title, text, countdown and the protocol's words, nothing that is measured; the operator's summary comes after")
  func trial() async throws {
    let child = try await Turns.trials.take {
      let words = bench.trial(
        ["--speaker", "silent"], of: "german.json",
        sensors: [#"heartRate=lines:exec:for i in 1 2 3; do echo '{"hr":71}'; sleep 0.1; done; exit 3"#])
      let child = try bench.start(words, input: .terminal)
      child.answer([("Weiter mit der Eingabetaste", "\n"), ("Thanks", "\n"), ("Vielen Dank", "\u{10}")])
      _ = await child.end()
      return child
    }
    let parts = child.output.text.components(separatedBy: "\u{1B}[?1049l")
    try #require(parts.count == 2, "\(child.output.text)")
    let screen = parts[0].components(separatedBy: "\u{1B}[?1049h").last ?? ""
    for text in ["Hello", "Sit still.", "Listen", "0:01", "Thanks", "Vielen Dank"] { #expect(screen.contains(text)) }
    for text in ["♥", "71", "verdict", "clip name", "results/", "lines:exec"] { #expect(!screen.contains(text)) }
    for text in ["clip name: ", "verdict: ", "bundle: results/bundles/", "lines:exec"] {
      #expect(parts[1].contains(text))
    }
  }

  @Test("Letters are the participant's, and the operator's words are on no screen of the participant's")
  func letters() async throws {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Mini", "version": "1", "steps": [
        { "kind": "form", "identifier": "coffee", "title": "Coffee?", "optional": true,
          "question": { "kind": "boolean" } },
        { "kind": "completion", "identifier": "end", "title": "Thanks" } ] }
      """, to: "mini.json")
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial([], of: "mini.json", sensors: []), input: .terminal)
      child.answer([
        ("Coffee?", "p"), ("Coffee?", "s"), ("Coffee?", "q"), ("Coffee?", "\u{14}"), ("Coffee?", "\u{10}strap slipped"),
        ("operator: *************", "\r"), ("Coffee?", "\u{10}/pause\r"), ("Paused", "\u{10}/resume\r"),
        ("Paused", "y"), ("(x) Yes", "\n"), ("Thanks", "\n"), ("This is the end", "q"), ("This is the end", "\u{10}"),
      ])
      #expect(await child.end() == 4)
      return child
    }
    let result = try bench.result(try #require(bench.bundles().first))
    #expect(result["answers"]?.array?.first?["value"] == true)
    #expect(result["annotations"]?.array?.compactMap { $0["text"]?.string } == ["strap slipped"])
    #expect(result["steps"]?.array?.allSatisfy { $0["end"] == "finished" } == true)
    let parts = child.output.text.components(separatedBy: "\u{1B}[?1049l")
    #expect(parts.count == 2 && !parts[0].contains("slipped") && parts[1].contains("annotated: strap slipped"))
    let shown = result["answers"]?.array?.first?["shown_ns"]?.number ?? 0
    #expect(shown >= result["steps"]?.array?.first?["shown_ns"]?.number ?? .infinity)
  }

  @Test(
    "A text that the terminal's locale cannot show is refused before anything starts, where a person is to read it",
    arguments: [("Ευχαριστώ", false, 1), ("日本語", false, 1), ("größer", false, 0), ("Ευχαριστώ", true, 0)])
  func locale(title: String, isUnattended: Bool, status: Int32) async throws {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Mini", "version": "1", "steps": [
        { "kind": "completion", "identifier": "bye", "title": "\(title)" } ] }
      """, to: "mini.json")
    let words = bench.trial(isUnattended ? ["--unattended"] : [], of: "mini.json", sensors: [])
    let child = try await Turns.trials.take {
      let child = try bench.start(words, input: .terminal, environment: ["LC_ALL": "C"])
      if status != 1 { child.answer([("groser", "\n"), ("This is the end", "\u{10}")]) }
      #expect(await child.end() == status)
      return child
    }
    #expect(child.output.text.contains("LC_ALL=C.UTF-8") == (status == 1))
    #expect(bench.bundles().isEmpty == (status == 1))
  }

  @Test("Without anybody there the operator's lines are shown, on a terminal too")
  func unattended() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "german.json"), input: .terminal)
      _ = await child.end()
      return child
    }
    #expect(!child.output.text.contains("\u{1B}[?1049h"))
    #expect(child.output.text.contains("♥ "))
  }
}
