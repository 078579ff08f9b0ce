import Foundation
import TestSupport
import Testing

@Suite("The Debian package")
struct PackageTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "It holds what is installed, and depends on what the program is linked to and on what it opens when it is needed")
  func package() throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["source/Scripts"], withIntermediateDirectories: true)
    let root = URL(filePath: Repository.root)
    for name in ["Scripts/package", "Scripts/install-station", "protocols", "Clips", "CHANGELOG.md"] {
      try FileManager.default.copyItem(
        at: root.appending(path: name), to: URL(filePath: bench.scratch["source/\(name)"]))
    }
    try bench.write("#!/bin/sh\nexit 0\n", to: "source/Scripts/install")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: bench.scratch["source/Scripts/install"])
    let made = try Program.run(
      bench.scratch["source/Scripts/package"], [bench.scratch["packages"]],
      environment: ["STATION_PROGRAM": Bench.station, "DEBEMAIL": "laboratory@example.org"])
    #expect(made.status == 0, "\(made.error)")
    let file = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(file.hasPrefix(bench.scratch["packages/station_"]) && file.hasSuffix(".deb"))

    func field(_ name: String) throws -> [String] {
      try Program.run("dpkg-deb", ["--field", file, name]).output.split(separator: ",").map {
        String($0.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0 != " " })
      }
    }
    let depends = try field("Depends")
    for package in [
      "libc6", "libsqlite3-0", "libmpg123-0", "libpulse0", "libsndfile1", "libpangocairo-1.0-0", "tzdata",
    ] {
      #expect(depends.contains(package), "\(depends)")
    }
    #expect(!depends.contains { $0.hasPrefix("libpq") || $0 == "pulseaudio" }, "\(depends)")
    #expect(try field("Recommends").contains("pulseaudio"))

    let unpacked = bench.scratch["unpacked"]
    #expect(try Program.run("dpkg-deb", ["--extract", file, unpacked]).status == 0)
    for name in [
      "bin/station", "share/man/man1/station.1.gz", "share/bash-completion/completions/station",
      "share/zsh/vendor-completions/_station", "share/station/protocols/music-heart-rate.json",
      "share/station/Clips/clips.json", "share/station/Clips/long/clips.json", "share/doc/station/copyright",
    ] { #expect(FileManager.default.fileExists(atPath: "\(unpacked)/usr/\(name)"), "\(name)") }
    let version = try Program.run("\(unpacked)/usr/bin/station", ["--version"])
    #expect(version.output.hasPrefix("station "))
  }
}
