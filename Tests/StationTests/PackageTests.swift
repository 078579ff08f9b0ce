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
    try FileManager.default.createDirectory(
      atPath: bench.scratch["source/Scripts/parts"], withIntermediateDirectories: true)
    let root = URL(filePath: Repository.root)
    for name in [
      "Scripts/package", "Scripts/parts/install-station", "Scripts/parts/articles-as-html", "protocols", "Clips",
      "CHANGELOG.md",
    ] {
      try FileManager.default.copyItem(
        at: root.appending(path: name), to: URL(filePath: bench.scratch["source/\(name)"]))
    }
    let articles = "Sources/station/Station.docc"
    try FileManager.default.createDirectory(
      atPath: bench.scratch["source/Sources/station"], withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: root.appending(path: articles), to: URL(filePath: bench.scratch["source/\(articles)"]))
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
      "libc6", "libsqlite3-0", "libmpg123-0", "libpulse0", "libsndfile1", "tzdata",
    ] {
      #expect(depends.contains(package), "\(depends)")
    }
    #expect(Set(depends).count == depends.count, "\(depends)")
    #expect(!depends.contains { $0.hasPrefix("libpq") || $0 == "pulseaudio" }, "\(depends)")
    // What apt installs unasked is small.
    #expect(try field("Recommends") == ["fonts-liberation2", "librsvg2-bin"])
    let suggested = Set(try field("Suggests"))
    #expect(
      suggested.isSuperset(of: ["chromium", "dbus", "espeak-ng", "ffmpeg", "pipewire-bin", "unzip"]), "\(suggested)")

    let unpacked = bench.scratch["unpacked"]
    #expect(try Program.run("dpkg-deb", ["--extract", file, unpacked]).status == 0)
    for name in [
      "bin/station", "share/man/man1/station.1.gz", "share/bash-completion/completions/station",
      "share/zsh/vendor-completions/_station", "share/station/protocols/music-heart-rate.json",
      "share/station/Clips/clips.json", "share/station/Clips/long/clips.json", "share/doc/station/copyright",
      "share/doc/station/html/index.html", "share/doc/station/html/FirstStudyFigure.svg",
    ] { #expect(FileManager.default.fileExists(atPath: "\(unpacked)/usr/\(name)"), "\(name)") }
    try pages(in: "\(unpacked)/usr/share/doc/station/html")
    let version = try Program.run("\(unpacked)/usr/bin/station", ["--version"])
    #expect(version.output.hasPrefix("station "))
  }

  /// Every article is a page, and every link of a page leads somewhere in the folder.
  private func pages(in folder: String) throws {
    let articles = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root)/Sources/station/Station.docc")
    for article in articles where article.hasSuffix(".md") {
      let name = article == "Station.md" ? "index.html" : article.replacing(".md", with: ".html")
      let page = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      for target in page.matches(of: /(?:href|src)="([^"]*)"/).map(\.1) where !target.contains(":") {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false)
        let file = parts[0].isEmpty ? name : String(parts[0])
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        #expect(parts.count == 1 || text.contains("id=\"\(parts[1])\""), "\(name): \(target)")
      }
    }
  }
}
