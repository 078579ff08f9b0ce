import Basics
import Bundles
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Consent, on the program that people run")
struct ConsentTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(Self.study, to: "study.json")
  }

  private static let name = "Wilhelmina Zwölf"

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Study", "version": "1",
      "steps": [
        { "kind": "consent", "identifier": "consent", "title": "Our study", "version": "1.2", "sections": [
          { "title": "What we do", "text": "You rest." }, { "text": "You can stop at any time." } ] },
        { "kind": "sensorCheck", "identifier": "strap", "limit_s": 5 },
        { "kind": "countdown", "identifier": "ready", "stepDuration": 3 },
        { "kind": "trials", "identifier": "rests",
          "design": { "conditions": [{ "name": "a", "clips": "silence" }, { "name": "b", "clips": "silence" }],
                      "order": "fixed" },
          "steps": [
            { "kind": "rest", "identifier": "rest", "stepDuration": 0.5, "shouldStartTimerAutomatically": true,
              "shouldContinueOnFinish": true,
              "recorderConfigurations": [{ "identifier": "heart", "quantityType": "heartRate" }] } ] },
        { "kind": "completion", "identifier": "end", "title": "Goodbye" } ] }
    """

  private func session(_ dialogue: [(String, String)]) async throws -> Child {
    try await Turns.trials.take {
      let child = try bench.start(
        ["run", "study.json", "--participant", "p1", "--sensor", "heartRate=\(Bench.steady)"], input: .terminal)
      child.answer(dialogue)
      #expect(await child.end() == 0)
      return child
    }
  }

  @Test("A signature is in a private file only, and samples begin after consent")
  func given() async throws {
    let child = try await session(
      [
        ("Do you agree", "\u{1B}[B"), (">( ) Yes", "\n"), ("(x) Yes", "\n"), ("full name", Self.name + "\n"),
        ("Goodbye", "\n"), ("This is the end", "\u{10}"),
      ])
    for words in ["What we do", "You rest.", "You can stop at any time."] { #expect(child.output.text.contains(words)) }
    let bundles = bench.bundles()
    let results = try bundles.map { try bench.result($0) }
    #expect(results.count == 3, "\(child.output.text)")
    let around = try #require(results.first { $0["place"]?["trial"] == .null })
    let consent = around["notes"]?.array?.first?["members"]
    #expect(consent?["given"] == true && consent?["version"] == "1.2")
    #expect(around["answers"]?.array?.compactMap { $0["question"]?.string } == ["agreement"])
    let consents = bench.names(in: "results/consents")
    try #require(consents.count == 2)
    let paths = consents.sorted().map { bench.scratch["results/consents/\($0)"] }
    let (copy, path) = (try String(contentsOfFile: paths[0], encoding: .utf8), paths[1])
    let signed = try JSONReader.read(File.contents(of: path)).value
    for words in ["What we do", "You rest.", Self.name, signed["sha256"]?.string ?? "?", ">Our study<"] {
      #expect(copy.contains(words), "\(copy)")
    }
    #expect(signed["signature"]?.string == Self.name && signed["participant"] == "p1")
    #expect(signed["sha256"] == consent?["sha256"])
    for path in paths {
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }
    let folder = try FileManager.default.attributesOfItem(atPath: bench.scratch["results/consents"])
    #expect(folder[.posixPermissions] as? Int == 0o700)
    let elsewhere = try Program.run("grep", ["-rlaF", "Wilhelmina", bench.scratch["results"]])
    #expect(elsewhere.output.split(separator: "\n").map(String.init).sorted() == paths)
    for bundle in bundles { #expect(try await bench.run(["verify", bundle]).status == 0) }
    let journal = try String(contentsOfFile: "\(bundles[0])/data/journal.jsonl", encoding: .utf8)
    let before = journal.components(separatedBy: #""note":"consent""#)[0]
    #expect(journal.contains(#""note":"consent""#) && !before.contains(#""kind":"hr""#))
  }

  @Test("A participant who does not agree ends the session, and nothing but the refusal is recorded")
  func declined() async throws {
    let child = try await session(
      [("Do you agree", "n\n"), ("want to end here", "y\n"), ("decided not to take part", "\u{10}")])
    let results = try bench.bundles().map { try bench.result($0) }
    #expect(results.count == 1 && results[0]["outcome"] == "declined", "\(child.output.text)")
    #expect(results[0]["notes"]?.array?.first?["members"]?["given"] == false && results[0]["verdict"] == "good")
    let journal = try String(contentsOfFile: "\(bench.bundles()[0])/data/journal.jsonl", encoding: .utf8)
    #expect(!journal.contains(#""kind":"hr""#))
    #expect(bench.names(in: "results/consents") == [])
    let again = try await bench.run(
      ["run", "study.json", "--participant", "p1", "--sensor", "heartRate=\(Bench.steady)", "--resume", "--unattended"])
    #expect(again.status == 1)
  }

  @Test("Keys that are typed ahead, and a key that is held, pass no page that was not on the screen")
  func ahead() async throws {
    let child = try await session([
      ("Do you agree", "\n\n\n\nn\nn\n"), ("want to end here", "y\n"), ("decided not to take part", "q\u{10}"),
    ])
    let result = try #require(try bench.bundles().map { try bench.result($0) }.first, "\(child.output.text)")
    #expect(result["notes"]?.array?.first?["members"]?["given"] == false)
    let steps = result["steps"]?.array ?? []
    #expect(steps.count == 1)
    for step in steps { #expect((step["left_ns"]?.number ?? 0) - (step["shown_ns"]?.number ?? 0) > 100_000_000) }
  }

  @Test("A page that does not fit the terminal is scrolled, and goes on only when its end was on the screen")
  func long() async throws {
    let text = String(repeating: "Please read this with care. ", count: 40) + "LAST WORDS."
    try bench.write(Self.study.replacing("You rest.", with: text), to: "study.json")
    let child = try await Turns.trials.take {
      let child = try bench.start(
        ["run", "study.json", "--participant", "p1", "--sensor", "heartRate=\(Bench.steady)"], input: .terminal)
      let terminal = try #require(child.terminal)
      var size = winsize(ws_row: 10, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
      /// TIOCSWINSZ of <asm/ioctls.h>.
      #expect(unsafe ioctl(terminal.near.fileDescriptor, 0x5414, &size) == 0)
      child.answer([
        ("More below", "\n"), ("More below", "\n"), ("More below", "n\n"), ("More below", "\u{1B}[F"),
        ("Do you agree", "n\n"), ("want to end", "y\n"), ("decided not", "\u{10}"),
      ])
      #expect(await child.end() == 0)
      return child
    }
    let result = try #require(try bench.bundles().map { try bench.result($0) }.first, "\(child.output.text)")
    #expect(result["outcome"] == "declined")
  }

  @Test("Unattended, no one can consent, and nothing is recorded")
  func unattended() async throws {
    let run = try await bench.run(
      ["run", "study.json", "--participant", "p1", "--sensor", "heartRate=\(Bench.steady)", "--unattended"])
    #expect(run.status == 1 && run.complaints.contains("consent"))
    #expect(bench.bundles() == [] && bench.names(in: "results/sessions") == [])
  }
}
