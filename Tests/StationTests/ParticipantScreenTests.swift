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
      child.answer([("Weiter mit der Eingabetaste", "\n"), ("Thanks", "\n"), ("Vielen Dank", "q")])
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
