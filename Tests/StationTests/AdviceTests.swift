import Basics
import Foundation
import TestSupport
import Testing

@testable import station

@Suite("What modules advise to type")
struct AdviceTests {
  /// The lines of code of every module but the command's own, which names its options itself, and of what other programs
  /// are told.
  private static let lines: [(place: String, text: String)] = {
    let sources = "\(Repository.root)/Sources"
    let files = (FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []).sorted()
    return files.filter { file in
      // These are how other programs are started, and scripts for them.
      file.hasSuffix(".swift") && !file.hasPrefix("station/") && !file.contains("/Private")
        && file != "Session/Running/SessionInhibitor.swift" && !file.hasPrefix("Sound/Speech/")
        && file != "Export/Tables/ReadingScripts.swift" && file != "Bundles/Archives/ArchiveForm.swift"
        && file != "Charts/Output/RenderingProgram.swift"
    }.flatMap { file -> [(String, String)] in
      let text = (try? String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)) ?? ""
      return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { ("\(file):\($0 + 1)", String($1)) }
        .filter { !$0.1.drop { $0 == " " }.hasPrefix("//") && !$0.1.contains("sha256sum --check") }
    }
  }()

  @Test("Every option that a module names is an option of some command")
  func options() {
    let known = Set(Station.commands.flatMap { $0.options.map(\.name) } + ["help", "version"])
    var found = 0
    for (place, text) in Self.lines {
      // A style sheet's variables are `var(--text)` and `--text:`.
      for match in text.matches(of: /(^|[^\w(\-])--([a-z][a-z\-]*)(:?)/) where match.3.isEmpty {
        found += 1
        #expect(known.contains(String(match.2)), "\(place) names “--\(match.2)”")
      }
    }
    #expect(found > 10, "\(Self.lines.count) lines of code were read")
  }

  @Test("Every command that a module names is one")
  func commands() {
    let known = Set(Station.commands.map(\.name))
    for (place, text) in Self.lines {
      for match in text.matches(of: /“station ([a-z]+)( [a-z]+)?/) {
        let names = [String(match.1), "\(match.1)\(match.2 ?? "")"]
        #expect(names.contains { known.contains($0) }, "\(place) names “station \(names[1])”")
      }
    }
  }

  /// Everything that means something to a shell, apart and within a word.
  private static let words: [String] = {
    let marks: [String] = ##"[]*?~#!;&|<>(){}$'"\`^%@"##.map { "\($0)" }
    let apart = [
      "", "results", "a/b.c_d-e+f=g,h:i9", "two words", "it's", "'\u{301}", "é", "\n", "\r\n", "\t", "-n", "--",
    ]
    return apart + marks + marks.map { "a\($0)b\($0)\($0)" } + ["~/a", "$HOME", "$(id)", "`id`", "a=~"]
  }()

  @Test("A word of a command comes out of a shell as it went in", arguments: words)
  func quoted(word: String) throws {
    let command = Command("some", "does something", options: StoreLocation.options) { _ in .done }
    // What is empty is no value of an option.
    let given =
      word.isEmpty ? "" : StoreLocation(try Arguments(["--results=\(word)", "--site=\(word)"], of: command)).given
    let all = word.isEmpty ? [word] : [word, "--results", word, "--site", word]
    let (status, output, _) = try Program.run("sh", ["-c", "printf '%s|' \(word.shellQuoted)\(given)"])
    let expected = all.map { $0 + "|" }.joined()
    #expect(status == 0 && Array(output.utf8) == Array(expected.utf8), "\(output)")
  }
}
