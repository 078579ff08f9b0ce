import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Pictures and pages that other programs make")
struct RenderingTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let calls = [
    ["chart", "heartRate", "BUNDLE", "--output", "x.png"], ["chart", "heartRate", "BUNDLE", "--output", "x.pdf"],
    ["report", "BUNDLE", "--pdf", "x.pdf"],
  ]

  /// A call for a bundle, and a folder in which a program stands for both that make pictures and pages.
  private func prepare(_ call: [String], program: String?) async throws -> (words: [String], path: String) {
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["results"])
    try FileManager.default.createDirectory(atPath: bench.scratch["bin"], withIntermediateDirectories: false)
    if let program {
      for name in ["rsvg-convert", "chromium"] {
        try bench.write("#!/bin/sh\nbench='\(bench.path)'\n\(program)\n", to: "bin/\(name)")
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: bench.scratch["bin/\(name)"])
      }
    }
    return (call.map { $0 == "BUNDLE" ? bundle : $0 }, "\(bench.path)/bin")
  }

  /// What a command left behind: pictures, pages, and temporary folders, hidden ones too.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.path).filter {
      $0.contains("x.p") || $0.hasPrefix("station-") || $0.hasPrefix("report")
    }
  }

  @Test("Where the program is missing, the message says what to install", arguments: calls)
  func missing(call: [String]) async throws {
    let (words, path) = try await prepare(call, program: nil)
    let (status, output, complaints) = try await bench.run(words, environment: ["PATH": path])
    #expect(status == 1 && output.isEmpty)
    let package = call[0] == "report" ? "chromium" : "librsvg2-bin"
    #expect(complaints.contains("apt-get install \(package)") && complaints.contains("any browser"), "\(complaints)")
    #expect(try leftovers().isEmpty)
    // What needs no other program is made all the same.
    let own = call.map { $0 == "BUNDLE" ? words[call[0] == "report" ? 1 : 2] : $0 == "--pdf" ? "--output" : $0 }.map {
      $0.hasPrefix("x.") ? (call[0] == "report" ? "x.html" : "x.svg") : $0
    }
    #expect(try await bench.run(own, environment: ["PATH": path]).status == 0)
  }

  @Test("A program that fails is reported with its reason, one that makes nothing too", arguments: calls)
  func failing(call: [String]) async throws {
    for (program, reason) in [("echo no display >&2; exit 7", "no display"), ("exit 0", "it made no file")] {
      try? FileManager.default.removeItem(atPath: bench.scratch["bin"])
      try? FileManager.default.removeItem(atPath: bench.scratch["results"])
      let (words, path) = try await prepare(call, program: program)
      let (status, _, complaints) = try await bench.run(words, environment: ["PATH": "\(path):/usr/bin:/bin"])
      #expect(status == 1 && complaints.contains("failed: \(reason)"), "\(complaints)")
      #expect(try leftovers().isEmpty)
    }
  }

  @Test("A program that hangs is ended after 30 s")
  func hanging() async throws {
    let (words, path) = try await prepare(Self.calls[0], program: "sleep 600 & echo $! > $bench/started; wait")
    let (status, _, complaints) = try await bench.run(words, environment: ["PATH": "\(path):/usr/bin:/bin"])
    #expect(status == 1 && complaints.contains("did not end within 30 s"), "\(complaints)")
    #expect(try leftovers().isEmpty)
    try waitForEnd()
  }

  @Test("A signal ends the program, and nothing of its work is left", arguments: calls, [SIGINT, SIGTERM])
  func interrupted(call: [String], signal: Int32) async throws {
    let (words, path) = try await prepare(call, program: "sleep 600 & echo $! > .part; mv .part $bench/started; wait")
    let watch = FileWatch(bench.scratch["started"])
    let child = try bench.start(words, environment: ["PATH": "\(path):/usr/bin:/bin"])
    while !Folder.exists(bench.scratch["started"]) { _ = await watch.wait() }
    #expect(try leftovers().count == 1)
    child.send(signal)
    #expect([128 + signal, 128 + SIGTERM].contains(await child.end()))
    #expect(try leftovers().isEmpty)
    try waitForEnd()
  }

  /// Waits until what the program started has ended with it.
  private func waitForEnd() throws {
    let process = try String(contentsOfFile: bench.scratch["started"], encoding: .utf8).filter(\.isNumber)
    // A zombie of a parent that does not look after its children has ended too.
    while let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), !state.contains(") Z ") {
      poll(nil, 0, 5)
    }
  }

  @Test("The profile of the programs is empty, and theirs alone", arguments: calls)
  func profile(call: [String]) async throws {
    let (words, path) = try await prepare(call, program: "env >&2; ls -A \"$HOME\" >&2; exit 1")
    let (_, _, complaints) = try await bench.run(
      words, environment: ["PATH": "\(path):/usr/bin:/bin", "SECRET": "x", "HOME": bench.path])
    #expect(!complaints.contains("SECRET") && !complaints.contains("HOME=\(bench.path) "), "\(complaints)")
    #expect(complaints.contains("HOME=\(bench.path)/station-"))
  }
}
