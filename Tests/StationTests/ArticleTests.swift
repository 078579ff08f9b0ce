import Basics
import Foundation
import TestSupport
import Testing

@Suite("What the articles show")
struct ArticleTests {
  private static let articles = [
    "WritingAProtocol", "AskingQuestions", "AskingForConsent", "SoundInASession", "FollowingHeartbeats",
  ]

  private static func text(of article: String) throws -> String {
    try String(contentsOfFile: "\(Repository.root)/Sources/station/Station.docc/\(article).md", encoding: .utf8)
  }

  private static let script = "\(Repository.root)/Scripts/parts/check-articles"

  /// The files whose commands people type; where peers are asked, those that need them.
  private static let files: [String] = {
    let folder = "Sources/station/Station.docc"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/\(folder)")) ?? []
    let files =
      ["README.md", "CONTRIBUTING.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    guard Peers.areAsked else { return files }
    return files.filter { name in
      (try? String(contentsOfFile: "\(Repository.root)/\(name)", encoding: .utf8))?.contains("pandas") ?? false
    }
  }()

  @Test("Every command of an article runs, in the order of the text", arguments: files)
  func commands(file: String) async throws {
    let bench = try Bench()
    let (status, said) = try await Self.read("\(Repository.root)/\(file)", in: bench)
    #expect(status == 0, "\(said)")
  }

  /// Reads an article as Scripts/parts/check-articles does: the status, and everything that it said.
  static func read(_ file: String, _ options: [String] = [], in bench: Bench) async throws -> (Int32, String) {
    try await Turns.trials.take {
      let child = try Child(
        script, options + [file], in: bench.path, environment: ["STATION_PROGRAM": Bench.station], patience: 1200)
      let status = await child.end()
      return (status, child.output.text + child.complaints.text)
    }
  }

  @Test("Each reason for not running a command is that of a command that is there")
  func reasons() throws {
    let run = try Program.run(Self.script, ["--list"])
    #expect(run.status == 0, "\(run.error)")
  }

  @Test(
    "A command of an article that fails, or that the help does not know, is found with its line",
    arguments: [
      ("    station validate none.json\n", "new.md:3: station validate none.json"),
      ("    $ station list \\\n        --no-such-option\n", "new.md:3: station list --no-such-option"),
      ("```\nstation analyse results/none\n```\n", "new.md:4: station analyse results/none"),
      ("```python\nraise SystemExit(1)\n```\n", "new.md:4: python3 block.py"),
      ("```json\n{ \"format\": \"station.protocol/1\" }\n```\n", "new.md:4: station validate block.json"),
      ("See `station list --no-such-option`.\n", "new.md:3: station list --no-such-option"),
      ("See `station nothing`.\n", "new.md:3: station nothing"),
    ])
  func broken(text: String, place: String) async throws {
    let bench = try Bench()
    try bench.write("# New\n\n\(text)", to: "new.md")
    let (status, said) = try await Self.read(bench.scratch["new.md"], in: bench)
    #expect(status == 1 && said.contains(place), "\(said)")
    #expect(said.contains(" 1 problem"), "\(said)")
  }

  @Test("What a command prints is not a command, and a file that the text names is there for the commands after it")
  func whole() async throws {
    let bench = try Bench()
    try bench.write(
      """
      # New

      Save it as `scale.py`:

      ```python
      print("trial 1")
      ```

          $ python3 scale.py
          trial 1
          $ station --version && mkdir inside && cd inside
          station 0.1.0

      Here it goes on; `station list --json` prints JSON:

          ls ../scale.py

      """, to: "new.md")
    let (status, said) = try await Self.read(bench.scratch["new.md"], in: bench)
    #expect(status == 0 && said.contains("3 commands run, 0 not run for a reason, 0 problems"), "\(said)")
  }

  @Test("The articles on protocols name every key of the schema")
  func keys() throws {
    let bytes = try Data(contentsOf: URL(filePath: "\(Repository.root)/protocols/protocol.schema.json"))
    var keys: Set<String> = []
    func collect(_ value: JSONValue) {
      if case .object(let members) = value["properties"] { keys.formUnion(members.map(\.key)) }
      switch value {
      case .object(let members): for member in members { collect(member.value) }
      case .array(let elements): for element in elements { collect(element) }
      default: break
      }
    }
    collect(try JSONReader.read(Array(bytes)).value)
    #expect(keys.count > 40)
    let article = try Self.articles.map(Self.text).joined()
    let missing = keys.filter { !article.contains("`\($0)`") && !article.contains("\"\($0)\"") }
    #expect(missing.isEmpty)
  }
}
