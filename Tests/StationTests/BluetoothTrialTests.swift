import Basics
import Foundation
import TestSupport
import Testing

/// With the strap that `Scripts/pretend bluetooth` runs, on a message bus of its own.
@Suite("A trial with a Bluetooth strap")
struct BluetoothTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"

  /// Starts a pretended strap; gives it, the environment in which it is in reach, and what to type for it.
  private func strap(
    _ options: [String] = []
  ) async throws -> (child: Child, environment: [String: String], address: String) {
    let (child, environment, addresses) = try await straps(1, options)
    return (child, environment, addresses[0])
  }

  private func straps(
    _ count: Int, _ options: [String] = []
  ) async throws -> (child: Child, environment: [String: String], addresses: [String]) {
    let child = try bench.pretend(["bluetooth"] + (count == 1 ? [] : ["--straps", "\(count)"]) + options)
    try await child.output.wait(for: "station check sensor bluetooth:A0:9E:1A:00:00:0\(count)")
    let lines = child.output.text.split(separator: "\n").map(String.init)
    let bus = try #require(lines.first { $0.hasPrefix("\(Self.variable)=") }).dropFirst(Self.variable.count + 1)
    let addresses = lines.filter { $0.hasPrefix("station check sensor ") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    try #require(addresses.count == count)
    return (child, [Self.variable: String(bus)], addresses)
  }

  @Test("Two straps are recorded side by side, each with a heart of its own")
  func two() async throws {
    let recorders = ["left", "right"].map { Bench.recorder($0, "heartRate", "count/min", settle: 1) }
    try bench.write(Bench.music(seconds: 4, recorders: recorders, more: Bench.looped), to: "long.json")
    let (status, output, complaints) = try await Turns.trials.take {
      let (child, environment, addresses) = try await straps(2)
      let words = bench.trial(of: "long.json", sensors: ["left=\(addresses[0])", "right=\(addresses[1])"])
      let answer = try await bench.run(words, environment: environment)
      child.send(SIGINT)
      #expect(await child.end() == 0)
      return answer
    }
    let bundle = try #require(bench.bundles().first, "\(status)\n\(output)\(complaints)")
    let recordings = try bench.result(bundle)["recordings"]?.array ?? []
    #expect(recordings.count == 2 && recordings.allSatisfy { $0["samples"]?.integer ?? 0 >= 3 })
    let written = try String(contentsOfFile: "\(bundle)/data/result.json", encoding: .utf8)
    #expect(written.contains("A0:9E:1A:00:00:01") && written.contains("A0:9E:1A:00:00:02"))
  }

  @Test(
    "A number of straps and a time between losses need straps, and have limits",
    arguments: [
      ["--straps", "2"], ["bluetooth", "--straps", "0"], ["bluetooth", "--lose-every", "9s"],
      ["lsl", "--lose-every", "20s"], ["serial", "strap"],
    ])
  func wrongStraps(words: [String]) async throws {
    #expect(try await bench.pretend(words).end() == 2)
  }

  @Test("keeps its beats, its device and the bytes that it sent", arguments: [false, true])
  func whole(withWaveform: Bool) async throws {
    var recorders = [Bench.recorder("hr", "heartRate", "count/min", settle: 1)]
    if withWaveform {
      recorders.append(Bench.recorder("ecg", "electrocardiogram", "mV", settle: 1))
      recorders.append(Bench.recorder("acc", "acceleration", "m/s^2", settle: 1))
    }
    try bench.write(Bench.music(seconds: 4, recorders: recorders, more: Bench.looped), to: "long.json")
    let (status, output, complaints) = try await Turns.trials.take {
      let (child, environment, address) = try await strap()
      let sensor = withWaveform ? "\(address)?waveforms=ecg,acc" : address
      let words = bench.trial(
        of: "long.json", sensors: ["hr=\(sensor)"] + (withWaveform ? ["ecg=\(sensor)", "acc=\(sensor)"] : []))
      let answer = try await bench.run(words, environment: environment)
      child.send(SIGINT)
      #expect(await child.end() == 0)
      return answer
    }
    let bundle = try #require(bench.bundles().first, "\(status)\n\(output)\(complaints)")
    let result = try bench.result(bundle)
    let recordings = result["recordings"]?.array ?? []
    #expect(recordings.count == recorders.count)
    for recording in recordings { #expect(recording["samples"]?.integer ?? 0 >= 3, "\(output)\(complaints)") }
    let text = try String(contentsOfFile: "\(bundle)/data/journal.jsonl", encoding: .utf8)
    #expect(text.contains(#""payload":"16"#))
    let written = try String(contentsOfFile: "\(bundle)/data/result.json", encoding: .utf8)
    #expect(written.contains("A0:9E:1A:00:00:01") && written.contains("H10"))
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("goes on after its link was lost in the middle of the clip, with the gap between")
  func comesBack() async throws {
    try bench.write(Bench.music(seconds: 16, more: Bench.looped), to: "long.json")
    let (run, said) = try await Turns.trials.take {
      let (child, environment, address) = try await strap(["--lose-every", "10s"])
      let run = try bench.start(bench.trial(of: "long.json", sensors: ["hr=\(address)"]), environment: environment)
      _ = await run.end()
      child.send(SIGINT)
      #expect(await child.end() == 0)
      return (run, child.output.text)
    }
    #expect(said.contains("is out of reach: ") && said.contains("is in reach again"))
    let bundle = try #require(bench.bundles().first, "\(run.output.text)\(run.complaints.text)")
    let recording = try #require(try bench.result(bundle)["recordings"]?.array?.first)
    let gaps = recording["gaps"]?.array ?? []
    // A trial that begins late meets the next loss too.
    #expect(!gaps.isEmpty && gaps.allSatisfy { $0["cause"]?.string == "sensorLost" }, "\(gaps)")
    let end = try #require(gaps.first?["to_ns"]?.integer)
    let journal = try String(contentsOfFile: "\(bundle)/data/journal.jsonl", encoding: .utf8)
    let arrivals = try journal.split(separator: "\n").filter { $0.contains(#""kind":"hr""#) }
      .compactMap { try JSONReader.read(Array($0.utf8)).value["arrived_ns"]?.integer }
    #expect(arrivals.contains { $0 >= end })
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("leaves a whole bundle with a gap where the bus disappears during the clip")
  func lost() async throws {
    try bench.write(Bench.music(seconds: 4, more: Bench.looped), to: "long.json")
    let run = try await Turns.trials.take {
      let (child, environment, address) = try await strap()
      let words = bench.trial(of: "long.json", sensors: ["hr=\(address)"])
      let run = try bench.start(words, environment: environment)
      // A program of its own: on a busy computer this test may go on only when the clip is over.
      let script =
        "until grep -qs stimulus.onset results/open/*/journal.jsonl; do sleep 0.05; done; kill -9 \(child.identifier)"
      let killer = try Child("/bin/sh", ["-c", script], in: bench.path)
      #expect(await killer.end() == 0)
      _ = await child.end()
      _ = await run.end()
      return run
    }
    let bundle = try #require(bench.bundles().first, "\(run.output.text)\(run.complaints.text)")
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "completed")
    #expect(result["playback"]?["framesPlayed"]?.integer == 176_400)
    #expect(result.caveats().contains("sensorLost"), "\(result.caveats())")
    let gaps = result["recordings"]?.array?.first?["gaps"]?.array ?? []
    #expect(!gaps.isEmpty)
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("is refused with what to do where there is no Bluetooth", arguments: [[], ["--json"]])
  func absent(options: [String]) async throws {
    let environment = [Self.variable: "unix:path=\(bench.path)/nothing"]
    let found = try await bench.run(["sensors", "--for", "1s"] + options, environment: environment)
    #expect(found.status == 0)
    #expect(found.output.contains("simulated"))
    #expect(found.output.contains("D-Bus"))
    let words = ["check", "sensor", "bluetooth", "--for", "1s"]
    let check = try await bench.run(words, environment: environment)
    #expect(check.status == 1)
    #expect(check.output.contains("D-Bus"))
  }

  @Test("is found by a search")
  func found() async throws {
    let (child, environment, address) = try await strap()
    let found = try await bench.run(["sensors", "--for", "2s", "--json"], environment: environment)
    let sensors = try JSONReader.read(Array(found.output.utf8)).value["sensors"]?.array ?? []
    let strap = try #require(sensors.first { $0["kind"]?.string == "bluetooth" })
    #expect(strap["address"]?.string == address)
    #expect(strap["signal_dBm"]?.integer == -58)
    child.send(SIGINT)
    #expect(await child.end() == 0)
  }
}
