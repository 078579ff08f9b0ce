import Foundation
import TestSupport
import Testing

@Suite("How station is called")
struct CallingTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  /// Puts copies of a bundle into a results folder under these names.
  private func put(_ names: String..., in results: String = "results") throws {
    try FileManager.default.createDirectory(
      atPath: bench.scratch["\(results)/bundles"], withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(
        atPath: "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle",
        toPath: bench.scratch["\(results)/bundles/\(name)"])
    }
  }

  private static let first = "01a2031e-0000-7000-8000-000000000001"
  private static let second = "01a2031f-0000-7000-8000-000000000002"

  /// The bundle's own trial.
  private static let own = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"

  @Test("Arguments are read whatever a library that is loaded before the program does to the environment")
  func movedEnvironment() async throws {
    try bench.write(
      """
      #include <stdio.h>
      #include <stdlib.h>
      __attribute__((constructor)) static void grow(void) {
        for (int i = 0; i < 100; i++) {
          char name[16];
          snprintf(name, sizeof name, "GROWN_%d", i);
          setenv(name, "yes", 1);
        }
      }

      """, to: "grow.c")
    let made = try Program.run("clang", ["-shared", "-fPIC", "-o", bench.scratch["grow.so"], bench.scratch["grow.c"]])
    guard made.status == 0 else { throw MissingProgram(name: "clang", reason: made.error) }
    let environment = ["LD_PRELOAD": bench.scratch["grow.so"]]
    #expect(try await bench.run(["--version"], environment: environment).output.hasPrefix("station "))
    for word in ["two words", "å/ß"] {
      let run = try await bench.run(["show", "--results", word, "01a2031e"], environment: environment)
      #expect(run.status == 1 && run.complaints.contains("“\(word)”"), "\(run.complaints)")
    }
  }

  // MARK: Naming trials

  @Test(
    "A trial is named by its identifier, or by a beginning that only one has",
    arguments: [first, "01a2031e", "01A2031E", "01a2031e-0000"])
  func identifiers(word: String) async throws {
    try put(Self.first, Self.second)
    for command in [
      ["show", word, "--json"], ["analyse", word, "--json"], ["report", word, "--output", "-"],
    ] {
      let (status, output, complaints) = try await bench.run(command)
      #expect(status == 0, "\(command): \(complaints)")
      #expect(!output.isEmpty)
    }
    let chart = try await bench.run(["chart", "heartRate", word, "--output", "rate.svg"])
    #expect(chart.status == 0, "\(chart.complaints)")
  }

  @Test("--results says where the trial lies")
  func elsewhere() async throws {
    try put(Self.first, in: "elsewhere")
    #expect(try await bench.run(["show", "01a2031e"]).status == 1)
    #expect(try await bench.run(["show", "01a2031e", "--results", "elsewhere"]).status == 0)
  }

  @Test("A beginning that several trials have names them all")
  func ambiguous() async throws {
    try put(Self.first, Self.second)
    let (status, output, complaints) = try await bench.run(["show", "01a203"])
    #expect(status == 1 && output.isEmpty)
    #expect(complaints.contains(Self.first) && complaints.contains(Self.second))
  }

  @Test("What is there under a name goes before the identifiers, and a word that names nothing stays what it is")
  func paths() async throws {
    try put(Self.first)
    try bench.write("800\n810\n790\n", to: "01a2")
    #expect(try await bench.run(["analyse", "01a2"]).status == 0)
    #expect(try await bench.run(["show", "beef"]).complaints.contains("cannot read the bundle “beef”"))
    #expect(try await bench.run(["show", "01a2031d"]).complaints.contains("there is no trial “01a2031d”"))
  }

  @Test("Listing and verifying take a results folder")
  func folders() async throws {
    try put(Self.own, Self.second, in: "elsewhere")
    let list = try await bench.run(["list", "elsewhere", "--json"])
    #expect(list.status == 0)
    #expect(list.output.contains(Self.own) && list.output.contains(Self.second))
    #expect(try await bench.run(["list", "elsewhere", "--results", "x"]).status == 2)
    #expect(try await bench.run(["verify", "019a9c2e", "--results", "elsewhere"]).status == 0)
    // The second one has the name of another trial than its own.
    let verify = try await bench.run(["verify", "elsewhere", "--json"])
    #expect(verify.status == 1)
    #expect(verify.output.contains("\"isWhole\": true") && verify.output.contains("\"isWhole\": false"))
  }

  // MARK: Help

  @Test(
    "Help and version are where people look for them",
    arguments: [
      (["-h"], ["--help"]), (["help"], ["--help"]), (["run", "-h"], ["run", "--help"]),
      (["help", "run"], ["run", "--help"]),
      (["help", "chart", "pie"], ["chart", "pie", "--help"]), (["chart", "-h"], ["chart", "--help"]),
      (["-v"], ["--version"]),
    ])
  func synonyms(words: [String], long: [String]) async throws {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 0 && complaints.isEmpty)
    let expected = try await bench.run(long).output
    #expect(output == expected)
  }

  @Test("What follows -- is an operand, also where it looks like a call for help")
  func operands() async throws {
    let (status, output, _) = try await bench.run(["show", "--", "-h"])
    #expect(status == 1 && output.isEmpty)
  }

  @Test("Help fits into the terminal, and into 80 columns in a pipe", arguments: [60, 100])
  func width(columns: Int) async throws {
    for command in ["", "run", "analyse", "chart heartRate", "store import"] {
      let child = try Child(
        "/bin/sh", ["-c", "stty rows 24 cols \(columns); exec \(Bench.station) \(command) --help"], in: bench.path,
        input: .terminal)
      #expect(await child.end() == 0)
      let lines = child.output.text.split(whereSeparator: \.isNewline)
      let widest = lines.map(\.count).max() ?? 0
      #expect(widest <= columns && widest > columns / 2, "\(command): \(widest)")
      let piped = try await bench.run(command.split(separator: " ").map(String.init) + ["--help"])
      #expect(piped.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }

  @Test("The help of run names the forms of sensors and the keys")
  func runHelp() async throws {
    let help = try await bench.run(["run", "--help"]).output
    for word in [
      "simulated", "replay:FILE", "lines:tcp://HOST:PORT", "lines:exec:COMMAND", "  Return ", "  p ", "  s ",
      "  Ctrl-C ",
    ] {
      #expect(help.contains(word), "\(word)")
    }
  }

  // MARK: Codes of participants

  @Test(
    "A code that BIDS has no place for is refused with the character that is wrong, and with one that may be used",
    arguments: [
      ("p_1", "“_”", "--participant p1"), ("sub-01", "“-”", "--participant 01"), ("p 1", "“ ”", "--participant p1"),
      ("jörg", "“ö”", "--participant jrg"), (String(repeating: "p", count: 65), "65", "64"),
    ])
  func codes(code: String, wrong: String, remedy: String) async throws {
    let (status, _, complaints) = try await bench.run(["run", "short.json", "--participant", code])
    #expect(status == 2)
    #expect(complaints.contains(wrong) && complaints.contains(remedy))
  }

  // MARK: Standard input

  @Test("validate - reads a protocol from standard input")
  func standardInput() async throws {
    for (text, status) in [(Bench.music(seconds: 1), Int32(0)), ("{", 3), ("", 3)] {
      let child = try bench.start(["validate", "-", "--json"], input: .pipe)
      child.type(text)
      child.closeInput()
      #expect(await child.end() == status)
      #expect(child.output.text.contains("\"file\": \"-\""))
    }
    let child = try bench.start(["validate", "-"], input: .pipe)
    child.type("{\n  x")
    child.closeInput()
    #expect(await child.end() == 3)
    #expect(child.complaints.text.contains("<stdin>:2:3: "))
  }

  // MARK: Manual and completion

  @Test("The manual page names every command and option, and troff has nothing to object to")
  func manual() async throws {
    let page = try await bench.run(["manual"]).output
    #expect(page.unicodeScalars.allSatisfy { $0.isASCII })
    for word in ["station run PROTOCOL", #"\-\-participant"#, #"\-\-speaker"#, "station chart poincare", "EXIT STATUS"]
    {
      #expect(page.contains(word), "\(word)")
    }
    guard let troff = try? Program.run("groff", ["-man", "-Tutf8", "-ww"], input: page) else { return }
    #expect(troff.status == 0 && troff.error.isEmpty, "\(troff.error)")
  }

  @Test(
    "bash completes commands, options, values and trials",
    arguments: [
      (["sta"], "stats"), (["chart", "poi"], "poincare"), (["run", "--part"], "--participant"),
      (["run", "--speaker", "s"], "silent"), (["chart", "pie", "--by", "mo"], "mood"),
      (["chart", "pie", "--by", "=", "mo"], "mood"), (["analyse", "--preset", "neu"], "neuroKit2"),
      (["query", "heartR"], "heartRate"), (["show", "01a2"], first), (["list", "res"], "results"),
    ])
  func bash(words: [String], expected: String) async throws {
    try put(Self.first)
    try bench.write(try await bench.run(["completion", "bash"]).output, to: "completion")
    let line = (["station"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      set -u; cd '\(bench.path)'; . ./completion; COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
      _station; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try Program.run("bash", ["-c", script])
    #expect(run.error.isEmpty)
    #expect(run.output.split(separator: "\n").contains(Substring(expected)), "\(run.output)")
  }
}
