import Basics
import TestSupport
import Testing

@testable import Sound

@Suite("Which sound server a trial is played through")
struct ServerChoiceTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// The speaker in the result of a trial; `nil` if there is no bundle.
  private func speaker(_ words: [String], _ environment: [String: String]) async throws -> JSONValue? {
    let trial = try await bench.run(bench.trial(["--unattended"] + words), environment: environment)
    #expect([0, 4].contains(trial.status), "\(trial.complaints)")
    return try bench.bundles().first.map { try bench.result($0)["speaker"] } ?? nil
  }

  @Test(
    "PipeWire where it runs, PulseAudio where PULSE_SERVER or the words name it, and the result says which",
    arguments: [
      ("room", false, "pipewire"), ("room", true, "pulseaudio"), ("pipewire:room", true, "pipewire"),
      ("pulse:room", true, "pulseaudio"),
    ])
  func choice(name: String, hasVariable: Bool, kind: String) async throws {
    try await Turns.trials.take {
      let graph = try PrivatePipeWire()
      let room = try GraphProgram("graph_room", ["room", "480"], on: graph.address)
      defer { withExtendedLifetime(room) {} }
      let server = try PrivateSoundServer(sink: "room")
      defer { server.stop() }
      var environment = ["PIPEWIRE_REMOTE": graph.address]
      if hasVariable { environment["PULSE_SERVER"] = server.address }
      let speaker = try #require(try await speaker(["--speaker", name], environment))
      #expect(speaker["kind"]?.string == kind && speaker["sink"]?.string == "room")
      #expect(speaker["server"]?.string?.isEmpty == false)
      #expect((speaker["quantum"]?.integer ?? 0 > 0) == (kind == "pipewire"))
    }
  }

  @Test("a silent trial needs no PulseAudio: without one, a private PipeWire plays it")
  func silentWithoutPulseAudio() async throws {
    try await Turns.trials.take {
      // Every program that there is, and no pulseaudio.
      let folder = bench.scratch["programs"]
      let script = """
        mkdir "$1" && for folder in $(echo "$PATH" | tr : ' '); do ln -s "$folder"/* "$1" 2>/dev/null; done; rm -f "$1/pulseaudio"
        """
      _ = try Program.run("sh", ["-c", script, "sh", folder])
      #expect(Folder.exists("\(folder)/pipewire") && !Folder.exists("\(folder)/pulseaudio"))
      let speaker = try #require(try await speaker(["--speaker", "silent"], ["PATH": folder]))
      // Only a graph of PipeWire has a quantum.
      #expect(speaker["quantum"]?.integer ?? 0 > 0 && speaker["audible"]?.bool == false, "\(speaker)")
    }
  }

  @Test(
    "a server that is named and does not run is refused, and nothing is recorded", arguments: ["pipewire", "pulse"])
  func missing(kind: String) async throws {
    let environment = ["PIPEWIRE_REMOTE": bench.scratch["none"], "PULSE_SERVER": "unix:" + bench.scratch["none"]]
    let trial = try await bench.run(
      bench.trial(["--unattended", "--speaker", "\(kind):room"]), environment: environment)
    #expect(trial.status == 1 && bench.bundles().isEmpty, "\(trial.complaints)")
    #expect(trial.complaints.contains("no server is running") || trial.complaints.contains("onnection refused"))
  }
}
