import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Disks that are full, and folders that cannot be written")
struct DiskTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "Somebody else fills the disk in the middle of a trial: no line is lost, nothing half-written, recovered with room")
  func filledByOthers() async throws {
    let disk = try await SmallDisk(bench, megabytes: 24)
    let results = "\(disk.path)/results"
    // Longer than a busy computer takes to fill it.
    try bench.write(Bench.music(seconds: 6, more: Bench.looped), to: "filled.json")
    try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "filled.json", results: results))
      try await child.output.wait(for: "the clip sounds") { disk.fill() }
      #expect(await child.end() == 1)
      #expect(child.complaints.text.contains("No space left on device"))
      #expect(child.complaints.text.contains("everything recorded is safe in"))
      #expect(child.complaints.text.contains("station recover"))
      #expect(!child.complaints.text.contains("continues in memory"), "the journal had its room")
    }
    #expect(bench.bundles(in: results).isEmpty)
    #expect(bench.names(in: "\(results)/open").count == 1)
    let early = try await bench.run(["recover", "--results", results])
    #expect(early.status == 1)
    #expect(early.complaints.contains("No space left on device"))
    #expect(bench.bundles(in: results).isEmpty)

    try disk.clear()
    let recovered = try await bench.run(["recover", "--results", results])
    #expect(recovered.status == 0)
    #expect(recovered.output.contains("of a trial that had ended"))
    let bundle = try #require(bench.bundles(in: results).first)
    #expect(try await bench.run(["verify", bundle]).status == 0)
    #expect(try bench.result(bundle)["outcome"]?.string == "completed")
    #expect(bench.names(in: "\(results)/open").isEmpty)
  }

  /// A sensor whose records outgrow the journal's reserve within a second: each of them names it, by a name of 4 kB.
  private func flood() throws -> String {
    try bench.write(
      """
      import sys, time
      start = time.monotonic()
      for turn in range(1000):
          for i in range(50): print('{"hr":%d}' % (40 + i))
          sys.stdout.flush()
          time.sleep(max(0, start + (turn + 1) / 100 - time.monotonic()))

      """, to: "flood.py")
    try bench.write(Bench.music(seconds: 2), to: "long.json")
    return "lines:exec:exec python3 flood.py # \(String(repeating: "x", count: 4000))"
  }

  @Test("A journal that has outgrown its reserve waits in memory until there is room, and nothing is missing")
  func outgrown() async throws {
    let disk = try await SmallDisk(bench, megabytes: 48)
    let results = "\(disk.path)/results"
    let flood = try flood()
    try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "long.json", sensors: ["hr=\(flood)"], results: results))
      try await child.output.wait(for: "the clip sounds") { disk.fill() }
      try await child.complaints.wait(for: "No space left on device; recording continues in memory")
      try await child.complaints.wait(for: "the trial is over, but ")
      #expect(bench.bundles(in: results).isEmpty)
      try await disk.grow(to: 400)
      let status = await child.end()
      #expect([0, 4].contains(status), "\(child.complaints.text)")
      #expect(child.complaints.text.contains("the journal is being written again; no data were lost"))
    }
    let bundle = try #require(bench.bundles(in: results).first)
    #expect(try await bench.run(["verify", bundle]).status == 0)
    #expect(try bench.result(bundle)["outcome"]?.string == "completed")
    #expect(bench.names(in: "\(results)/open").isEmpty)
  }

  @Test("Ctrl-C gives up the wait for room: what is on the disk is recovered, what was in memory is counted")
  func givenUp() async throws {
    let disk = try await SmallDisk(bench, megabytes: 48)
    let results = "\(disk.path)/results"
    let flood = try flood()
    try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "long.json", sensors: ["hr=\(flood)"], results: results))
      try await child.output.wait(for: "the clip sounds") { disk.fill() }
      try await child.complaints.wait(for: "the trial is over, but ")
      child.send(SIGINT)
      #expect(await child.end() == 1)
      #expect(child.complaints.text.contains("No space left on device"))
      #expect(child.complaints.text.contains("station recover"))
    }
    #expect(bench.bundles(in: results).isEmpty)
    try await disk.grow(to: 400)
    let recovered = try await bench.run(["recover", "--results", results])
    #expect(recovered.status == 0, "\(recovered.complaints)")
    let bundle = try #require(bench.bundles(in: results).first)
    #expect(try await bench.run(["verify", bundle]).status == 0)
    #expect(try bench.result(bundle)["outcome"]?.string == "recovered")
    let samples = try bench.result(bundle)["recordings"]?.array?.first?["samples"]?.integer ?? 0
    #expect(samples > 0)
  }

  @Test("Each part of a session that waits for room says how many records it has before they are discarded")
  func nested() async throws {
    let disk = try await SmallDisk(bench, megabytes: 48)
    let results = "\(disk.path)/results"
    let flood = try flood()
    let recorder = #"{ "identifier": "all", "quantityType": "heartRate", "scope": "session" }"#
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Nested", "version": "1",
        "recorderConfigurations": [\(recorder)], "steps": [
          { "kind": "trials", "identifier": "pieces",
            "design": { "conditions": [{ "name": "rest", "clips": "silence" }], "order": "fixed" },
            "steps": [{ "kind": "rest", "identifier": "rest", "stepDuration": 2,
              "recorderConfigurations": [\(Bench.recorder("hr", "heartRate", "count/min"))] }] } ] }
      """, to: "nested.json")
    try await Turns.trials.take {
      // SQLite does not open a file below this path.
      let more = ["--unattended", "--participants", "participants.sqlite"]
      let words = bench.trial(more, of: "nested.json", sensors: ["heartRate=\(flood)"], results: results)
      let child = try bench.start(words)
      try await child.output.wait(for: "rest: started") { disk.fill() }
      try await child.complaints.wait(for: "trial 1 of 1 is over, but ") { child.send(SIGINT) }
      try await child.complaints.wait(for: "around its trials is over, but ") { child.send(SIGINT) }
      #expect(await child.end() == 1)
      // What was said before was discarded, and nothing else.
      let told = child.complaints.text.matches(of: /(\d+) records? (?:is|are) only in memory/).map(\.1)
      let discarded = child.complaints.text.matches(of: /(\d+) records? (?:is|are) discarded/).map(\.1)
      #expect(told.count == 2 && told == discarded, "\(child.complaints.text)")
    }
    #expect(bench.bundles(in: results).isEmpty)
  }

  @Test(
    "An export that fills the disk says so, leaves nothing half-written, and is made when there is room",
    arguments: ["table", "jsonl", "bids", "kubios", "bundle"])
  func export(form: String) async throws {
    let results = try await study()
    let disk = try await SmallDisk(bench, megabytes: 4)
    let trial = try #require(bench.names(in: "\(results)/bundles").first)
    func words(_ name: String) -> [String] {
      form == "bundle"
        ? ["export", form, trial, "--results", results, "--to", "\(disk.path)/\(name).tar"]
        : ["export", form, results, "--to", "\(disk.path)/\(name)"]
    }
    disk.fill()
    let full = try await bench.run(words("out"))
    #expect(full.status == 1 && full.complaints.contains("No space left on device"), "\(full.output)\(full.complaints)")
    let left = try Program.run("find", [disk.path, "-name", ".*.part"])
    #expect(left.output.isEmpty, "\(left.output)")
    try disk.clear()
    let made = try await bench.run(words("out"))
    #expect(made.status == 0, "\(made.complaints)")
    // The same as on a disk with room all the time.
    #expect(try await bench.run(words("again")).status == 0)
    let ending = form == "bundle" ? ".tar" : ""
    let same = try Program.run("diff", ["-r", "\(disk.path)/out\(ending)", "\(disk.path)/again\(ending)"])
    #expect(same.status == 0, "\(same.output)")
  }

  /// The results of a short simulated study.
  private func study() async throws -> String {
    let words = ["simulate", "short.json", "--participants", "2", "--seed", "5", "--results", "results"]
    let made = try await bench.run(words)
    try #require(made.status == 0, "\(made.complaints)")
    return "results"
  }

  @Test(
    "With a full disk of the outbox or the share nothing is lost, and all is sent when there is room",
    arguments: ["results", "share"])
  func sending(full: String) async throws {
    _ = try await study()
    // All of it in one process's view of the disk: an address is kept with its links resolved.
    let script = """
      mount --make-rprivate / 2>/dev/null; mkdir disk share && mount -t tmpfs -o size=8m none disk || exit 99
      [ "$2" = share ] && { share=disk; results=results; } || { share=share; cp -r results disk; results=disk/results; }
      cat /dev/zero > disk/filler 2>/dev/null
      "$1" send --to $share --results $results --wait 0 && exit 1
      [ "$2" = share ] && { "$1" outbox --results $results | grep -q space || exit 2; }
      [ -z "$(find $share -path '*/data/*')" ] || exit 3
      rm disk/filler
      "$1" send --to $share --results $results || exit 4
      diff -r $results/bundles $share || exit 5
      """
    let options = (geteuid() == 0 ? ["-m"] : ["-rm"]) + ["--propagation", "unchanged", "sh", "-c"]
    let inside = "cd \"$3\"\n\(script)"
    let (status, output, error) = try Program.run(
      "unshare", options + [inside, "sh", Bench.station, full, bench.path])
    if status == 99 { try skip("cannot mount a small disk for this test: \(error)") }
    #expect(status == 0 && error.contains(full == "share" ? "waits: " : "station: "), "\(status) \(output)\(error)")
  }

  @Test("A disk with too little room is refused before anything is played")
  func tooSmall() async throws {
    let disk = try await SmallDisk(bench, megabytes: 8)
    let (status, output, complaints) = try await bench.run(bench.trial(results: "\(disk.path)/results"))
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(complaints.contains("MiB are free on its disk"))
    #expect(complaints.contains("--results"))
  }

  @Test("A folder that cannot be written is refused before anything is played", arguments: ["file", "sealed"])
  func refused(kind: String) async throws {
    let disk = try await SmallDisk(bench, megabytes: 24)
    if kind == "file" {
      try bench.write("", to: "results")
    } else {
      try await disk.seal()
    }
    let results = kind == "file" ? "results" : "\(disk.path)/results"
    let (status, output, complaints) = try await bench.run(bench.trial(results: results))
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(complaints.contains("cannot record into “\(results)”"))
    #expect(complaints.contains("choose a folder that you may write with --results"))
  }
}

/// A disk of a few megabytes in memory, mounted where only one process sees it; others reach it through that process.
final class SmallDisk: Sendable {
  let path: String
  private let folder: String
  private let holder: Child

  init(_ bench: Bench, megabytes: Int) async throws {
    let folder = bench.scratch["disk"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Where the system's root is no mount of its own, as in a chroot, it cannot be made private, and `unshare` must not try.
    let script =
      #"mount --make-rprivate / 2>/dev/null; mount -t tmpfs -o size="$1"m none "$0" && echo mounted "#
      + #"&& while read -r word; do eval "$word"; done"#
    holder = try Child(
      "/usr/bin/unshare",
      (geteuid() == 0 ? ["-m"] : ["-rm"]) + ["--propagation", "unchanged", "sh", "-c", script, folder, "\(megabytes)"],
      in: bench.path, input: .pipe, patience: nil)
    do {
      try await holder.output.wait(for: "mounted")
    } catch {
      try Self.giveUp(holder.complaints.text)
      throw error
    }
    self.folder = folder
    path = "/proc/\(holder.identifier)/root\(folder)"
  }

  /// Where the system does not let a test mount a disk of its own, the test is skipped.
  private static func giveUp(_ reason: String) throws {
    try skip(
      """
      cannot mount a small disk for this test: \(reason); run the tests as root, or where users may have namespaces \
      (sysctl kernel.unprivileged_userns_clone=1)
      """)
  }

  deinit { holder.closeInput() }

  /// Takes every byte that is free.
  func fill() {
    let descriptor = unsafe open("\(path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 1, count: 4096)
    while unsafe write(descriptor, bytes, bytes.count) > 0 {}
    if errno != ENOSPC { Issue.record("the disk does not fill: error \(errno)") }
  }

  /// Gives the room back.
  func clear() throws { try FileManager.default.removeItem(atPath: "\(path)/filler") }

  /// Makes the disk one that can only be read.
  func seal() async throws { try await remount("ro") }

  /// Makes the disk larger.
  func grow(to megabytes: Int) async throws { try await remount("size=\(megabytes)m") }

  private func remount(_ option: String) async throws {
    holder.type("mount -o remount,\(option) \(folder) && echo \(option) done\n")
    try await holder.output.wait(for: "\(option) done")
  }
}
