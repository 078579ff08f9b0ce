import Foundation
import TestSupport
import Testing

@Suite("The scripts")
struct ScriptTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func write(_ text: String, to name: String, isProgram: Bool = false) throws {
    let path = scratch[name]
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
  }

  private func program(_ name: String, _ body: String) throws {
    try write("#!/bin/sh\n\(body)\n", to: name, isProgram: true)
  }

  // MARK: State in headers

  @Test(
    "A static variable in a C header is found with its line, wherever it hides",
    arguments: [
      "static int counter = -1;", "static const char *pointer;", "static int table[3];",
      "static inline int next(void) { static int calls; return ++calls; }", "static int (*callback)(int);",
      "static _Thread_local int each;", "static __attribute__((unused)) int unused_one;",
      "static struct point { int x; } origin;", "static\n  int below;",
    ])
  func state(declaration: String) throws {
    try write("#pragma once\n\(declaration)\n", to: "headers/shim.h")
    let run = try Program.run("\(Repository.root)/Scripts/parts/check-headers", [scratch["headers"]])
    #expect(run.status == 1)
    #expect(run.error.contains("/shim.h:2: "))
  }

  @Test(
    "Functions, constants, comments and texts in a C header are no state",
    arguments: [
      "static inline int one(void) { return 1; }", "static const int fine = 1;", "// static int counter;",
      "/* static\nint counter; */", #"static const char *const text = "static int x;";"#,
      "static inline void *(*find(void))(int);", "#define A static int x;", "extern int elsewhere;",
    ])
  func stateless(declaration: String) throws {
    try write("#pragma once\n\(declaration)\n", to: "headers/shim.h")
    let run = try Program.run("\(Repository.root)/Scripts/parts/check-headers", [scratch["headers"]])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.hasPrefix("C headers: 1 checked"))
  }

  @Test("The headers of this repository hold no state")
  func ourHeaders() throws {
    let run = try Program.run("\(Repository.root)/Scripts/parts/check-headers")
    #expect(run.status == 0, "\(run.error)")
  }

  // MARK: Links

  @Test(
    "A link that leads nowhere is found with its line",
    arguments: [
      "[a](nowhere.md)", "[a](there.md#nothing)", "[a](/etc/passwd)", "<doc:There>", "![a](none.svg)", "[a]: gone.md",
    ])
  func dead(link: String) throws {
    try write("# There\n", to: "docs/there.md")
    try write(
      "# Page\n\nSee \(link) for more.\n".replacing("See [a]: gone.md for more.", with: "[a]: gone.md"),
      to: "docs/page.md")
    let run = try Program.run("\(Repository.root)/Scripts/parts/check-links", [scratch["docs"]])
    #expect(run.status == 1)
    #expect(run.error.contains("page.md:3: "))
  }

  @Test("Links to files, folders and headings lead somewhere; code and other computers are left alone")
  func live() throws {
    try write("# There\n\n## What it is (and is not)\n", to: "docs/there.md")
    try write(
      "# Page\n\n[a](there.md) [b](there.md#what-it-is-and-is-not) [c](#page) [d](../docs) [e](https://example.org/x)\n"
        + "`[f](nowhere.md)`\n\n    [g](nowhere.md)\n\n```\n[h](nowhere.md)\n```\n", to: "docs/page.md")
    let run = try Program.run("\(Repository.root)/Scripts/parts/check-links", [scratch["docs"]])
    #expect(run.status == 0, "\(run.error)")
  }

  @Test("What only DocC understands becomes a plain link, and DocC is given its own form of it")
  func rewritten() throws {
    try write("# Choosing sensors\n", to: "docs/ChoosingSensors.md")
    try write("# Page\n\nSee <doc:ChoosingSensors>.\n\n- <doc:ChoosingSensors>\n", to: "docs/page.md")
    let script = "\(Repository.root)/Scripts/parts/check-links"
    #expect(try Program.run(script, ["--fix", scratch["docs"]]).status == 0)
    let plain = "[Choosing sensors](ChoosingSensors.md)"
    #expect(
      try String(contentsOfFile: scratch["docs/page.md"], encoding: .utf8) == "# Page\n\nSee \(plain).\n\n- \(plain)\n")
    #expect(try Program.run(script, ["--for-docc", scratch["docs"], scratch["copy"]]).status == 0)
    let ours = "[Choosing sensors](doc:ChoosingSensors)"
    let copy = try String(contentsOfFile: scratch["copy/page.md"], encoding: .utf8)
    #expect(copy == "# Page\n\nSee \(ours).\n\n- <doc:ChoosingSensors>\n")
  }

  // MARK: Installing packages

  /// Runs Scripts/install on a computer where every package is missing and installing `pulseaudio` would remove another.
  private func install(_ purposes: [String]) throws -> (status: Int, error: String, installed: [String]) {
    for name in ["swift", "sudo"] { try program("bin/\(name)", #"[ "$#" -eq 0 ] || exec "$@""#) }
    try program("bin/dpkg-query", "exit 1")
    try program(
      "bin/apt-get",
      """
      echo "$*" >> '\(scratch["calls"])'
      case "$*" in
        *--simulate*pulseaudio*) echo 'Inst pulseaudio (16.1 Debian:12)'; echo 'Remv pipewire-audio [0.3.65]' ;;
      esac
      """)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try Program.run(
      "\(Repository.root)/Scripts/install", purposes, environment: ["PATH": "\(scratch["bin"]):\(path)"])
    let calls = (try? String(contentsOfFile: scratch["calls"], encoding: .utf8)) ?? ""
    let changing = calls.split(separator: "\n").filter { $0.contains(" install ") || $0.hasPrefix("install ") }
    return (run.status, run.error, changing.map(String.init).filter { !$0.contains("--simulate") })
  }

  @Test("On a desktop with PipeWire the program pulseaudio is left out and said to be; the library is installed")
  func pipeWire() throws {
    let (status, error, installed) = try install(["run", "silent"])
    #expect(status == 0)
    #expect(error.contains("pulseaudio") && error.contains("pipewire-audio") && error.contains("--speaker silent"))
    #expect(installed.count == 1)
    #expect(
      installed.allSatisfy { $0.contains("--no-remove") && $0.contains(" libpulse0") && !$0.contains("pulseaudio") })
  }

  @Test(
    "What needs the program pulseaudio refuses to remove a package for it, and changes nothing",
    arguments: ["test", "bench"])
  func pipeWireTests(purpose: String) throws {
    let (status, error, installed) = try install(["run", purpose])
    #expect(status == 1)
    #expect(error.contains("pipewire-audio"))
    #expect(installed.isEmpty)
  }

  @Test("Using the station does not need the program pulseaudio")
  func withoutServer() throws {
    let (status, error, installed) = try install(["run"])
    #expect(status == 0 && error.isEmpty)
    #expect(installed.allSatisfy { !$0.contains("pulseaudio") })
  }

  // MARK: Building

  @Test(
    "A build says how far it is while it lasts, prints where the program lies, and shows everything where it fails",
    arguments: [0, 1])
  func building(status: Int) throws {
    try FileManager.default.createDirectory(atPath: scratch["Scripts/parts"], withIntermediateDirectories: true)
    for name in ["Scripts/build", "Scripts/parts/progress", "Package.swift"] {
      try FileManager.default.copyItem(atPath: "\(Repository.root)/\(name)", toPath: scratch[name])
    }
    // A build that goes on until its second module was reported.
    try program(
      "bin/swift",
      """
      case "$*" in *--show-bin-path*) echo '\(scratch["bin"])'; exit ;; esac
      echo 'Building for production...'; echo '[3/9] Compiling First a.swift'; echo '[4/9] Compiling Second b.swift'
      until grep -q 'step 4 of 9' '\(scratch["errors"])'; do sleep 0.01; done
      echo 'the end of the log'; exit \(status)
      """)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try Program.run(
      "bash", ["-c", "'\(scratch["Scripts/build"])' 2>'\(scratch["errors"])'"],
      environment: ["PATH": "\(scratch["bin"]):\(path)", "STATION_PROGRESS": "0.05"])
    let errors = try String(contentsOfFile: scratch["errors"], encoding: .utf8)
    #expect(run.status == status)
    #expect(run.output == (status == 0 ? "\(scratch["bin"])/station\n" : ""))
    #expect(errors.contains(/: 2 of at most [0-9]+ modules compiled, step 4 of 9, 0 min/))
    #expect(errors.contains("Compiling First a.swift") == (status != 0))
    #expect(errors.hasSuffix("the end of the log\n") == (status != 0))
  }

  @Test("Tests say how many have ended, of all of the run; a command that is done at once leaves no line")
  func testing() throws {
    let suite = #"{"payload":{"kind":"testEnded","testID":"T.Suite"}}"#
    let ended = #"{"payload":{"kind":"testEnded","messages":[],"testID":"T.Suite\/a()\/A.swift:3:2"}}"#
    let functions = String(repeating: #"{"payload":{"kind":"function"}}"# + "\n", count: 3)
    try write("\(functions)\(ended)\n\(suite)\n", to: "events.jsonl")
    let script = """
      cd '\(Repository.root)' && Scripts/parts/progress Testing '\(scratch["log"])' --events '\(scratch["events.jsonl"])' \
        bash -c "until grep -q 1.of.3.tests '\(scratch["errors"])'; do sleep 0.01; done" 2>'\(scratch["errors"])'
      """
    #expect(try Program.run("bash", ["-c", script], environment: ["STATION_PROGRESS": "0.05"]).status == 0)
    let quick = try Program.run("\(Repository.root)/Scripts/parts/progress", ["Text", scratch["log"], "true"])
    #expect(quick.status == 0 && quick.output.isEmpty && quick.error.isEmpty)
  }

  // MARK: Running

  @Test(
    "Options of Scripts/run replace its own",
    arguments: [
      ([], "--unattended --participant demo --sensor heartRate=simulated --speaker silent", "build run silent"),
      (
        ["--participant", "p02"],
        "--unattended --sensor heartRate=simulated --speaker silent --participant p02", "build run silent"
      ),
      (
        ["--speaker=usb", "--seed", "7"],
        "--unattended --participant demo --sensor heartRate=simulated --speaker=usb --seed 7", "build run"
      ),
      (
        ["--sensor", "heartRate=lines:-", "--unattended"],
        "--participant demo --speaker silent --sensor heartRate=lines:- --unattended", "build run silent"
      ),
    ] as [([String], String, String)])
  func overriding(words: [String], expected: String, purposes: String) throws {
    try FileManager.default.createDirectory(atPath: scratch["Scripts"], withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(Repository.root)/Scripts/run", toPath: scratch["Scripts/run"])
    try program("Scripts/install", #"echo "installing: $*""#)
    try program("Scripts/build", "echo '\(scratch["station"])'")
    try program("bin/pulseaudio", "exit 0")
    try program("station", #"echo "station: $*""#)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try Program.run(
      scratch["Scripts/run"], words, environment: ["PATH": "\(scratch["bin"]):\(path)"])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("installing: \(purposes)\n"))
    #expect(run.output.contains("station: run protocols/music-heart-rate.json \(expected)\n"))
  }

  // MARK: Kinds

  @Test(
    "Without a kind, or with one that is not there, a script names its kinds", arguments: ["fuzz", "torture"],
    [[], ["nothing"]] as [[String]])
  func kinds(script: String, words: [String]) throws {
    let run = try Program.run("\(Repository.root)/Scripts/\(script)", words)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.error.hasPrefix("usage: Scripts/\(script) "))
  }

  // MARK: Installing the station

  @Test("The station is installed under a folder, and removed again without touching anything else")
  func installing() throws {
    try program("station", "echo \"$*\"")
    try write("mine", to: "prefix/share/station/notes.txt")
    let script = "\(Repository.root)/Scripts/install"
    let environment = ["STATION_PROGRAM": scratch["station"]]
    let run = try Program.run(script, ["station", scratch["prefix"]], environment: environment)
    #expect(run.status == 0, "\(run.error)")
    let files = [
      "bin/station", "share/man/man1/station.1", "share/bash-completion/completions/station",
      "share/zsh/site-functions/_station", "share/station/protocols/music-heart-rate.json",
      "share/station/Clips/clips.json", "share/station/Clips/long/clips.json",
    ]
    func uninstall() throws -> Int {
      try Program.run(script, ["station", "--uninstall", scratch["prefix"]], environment: environment).status
    }
    func isThere(_ file: String) -> Bool { FileManager.default.fileExists(atPath: scratch["prefix/\(file)"]) }
    #expect(files.filter { !isThere($0) }.isEmpty)
    #expect(try String(contentsOfFile: scratch["prefix/share/man/man1/station.1"], encoding: .utf8) == "manual\n")
    #expect(try Program.run(scratch["prefix/bin/station"], ["hello"]).output == "hello\n")
    #expect(try uninstall() == 0)
    #expect(files.filter(isThere).isEmpty)
    #expect(isThere("share/station/notes.txt"))
    #expect(try uninstall() == 1)
  }
}
