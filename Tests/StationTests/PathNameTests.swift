import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Names of files and folders, whatever they are made of")
struct PathNameTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Commands that take a path, in whose place stands PATH.
  private static let commands = [
    ["validate", "PATH"], ["play", "PATH"], ["clips", "PATH"], ["list", "PATH"], ["list", "--results", "PATH"],
    ["show", "PATH"], ["verify", "PATH"], ["recover", "--results", "PATH"], ["analyse", "PATH"], ["report", "PATH"],
    ["chart", "heartRate", "PATH", "--output", "chart.svg"], ["query", "heartRate", "--store", "PATH"],
    ["query", "heartRate", "--results", "PATH"], ["log", "bodyMass", "70kg", "--store", "PATH"],
    ["store", "import", "PATH"], ["store", "add", "PATH"],
    [
      "run", "short.json", "--participant", "p1", "--unattended", "--speaker", "silent",
      "--sensor", "heartRate=simulated", "--results", "PATH",
    ],
  ]

  private static func words(_ command: [String], _ path: String) -> [String] {
    command.map { $0 == "PATH" ? path : $0 }
  }

  @Test("Bytes that are no UTF-8 are refused, and no other file is taken for what they name", arguments: commands)
  func bytes(command: [String]) async throws {
    // What a replacement of the bytes would name.
    let folder = bench.scratch["\u{FFFD}\u{FFFD}/bundles"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let before = bench.names(in: ".")
    let script =
      #"path=$(printf '\377\376'); for word; do shift; [ "$word" = PATH ] && word=$path; "#
      + #"set -- "$@" "$word"; done; exec "$0" "$@""#
    let child = try Child(
      "/bin/sh", ["-c", script, Bench.station] + command, in: bench.path, input: .nothing,
      environment: ["TMPDIR": bench.path, "LC_ALL": "C.UTF-8"])
    #expect(await child.end() == 2)
    let index = try #require(command.firstIndex(of: "PATH")) + 1
    #expect(child.complaints.text.contains("argument \(index), “\u{FFFD}\u{FFFD}”, is not valid UTF-8"))
    #expect(child.output.text.isEmpty)
    #expect(bench.names(in: ".") == before)
  }

  @Test(
    "Links that lead round in a circle are told as that, by every command that reads",
    arguments: commands.filter { $0[0] != "log" })
  func loop(command: [String]) async throws {
    try FileManager.default.createSymbolicLink(atPath: bench.scratch["one"], withDestinationPath: "other")
    try FileManager.default.createSymbolicLink(atPath: bench.scratch["other"], withDestinationPath: "one")
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    let run = try await bench.run(Self.words(command, "one"))
    #expect(run.status != 0)
    #expect((run.output + run.complaints).contains("Too many levels of symbolic links"), "\(run)")
  }

  @Test("A line break in a name is shown, and breaks no line", arguments: commands)
  func lineBreak(command: [String]) async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    let run = try await bench.run(Self.words(command, "no such\nfile"))
    let said = run.output + run.complaints
    #expect(!said.contains("no such\nfile"), "\(said)")
    // What may be made is made, under that very name.
    let makes = command.contains("run") || command.contains("log")
    #expect(makes ? run.status != 2 : run.status != 0 && said.contains(#"no such\nfile"#), "\(run)")
  }
}
