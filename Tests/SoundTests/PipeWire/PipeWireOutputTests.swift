import Basics
import Quantities
import Study
import TestSupport
import Testing

@testable import Sound

/// What others do to a sink, by PipeWire's own programs.
@Suite("The output of a speaker on PipeWire", .timeLimit(.minutes(5)))
struct PipeWireOutputTests {
  private static let format = SoundFormat(sampleRate: 48_000, channels: 2)
  private static let long = Stimulus(format: format, samples: [Float](repeating: 0.25, count: 96_000 * 20))

  private let server: PrivatePipeWire
  private let speaker: PipeWireSpeaker

  init() async throws {
    server = try PrivatePipeWire()
    speaker = try await PipeWireSpeaker(remote: server.address, refusesNullSink: false)
  }

  private func tell(_ program: String, _ words: String...) throws {
    let result = try Program.run(program, words, environment: ["PIPEWIRE_REMOTE": server.address])
    try #require(result.status == 0, "\(result.error)")
  }

  private func setMute(_ isMuted: Bool) throws { try tell("pw-cli", "s", "silent", "Props", "{ mute: \(isMuted) }") }

  private func setVolume(_ factor: Double) throws {
    try tell("pw-cli", "s", "silent", "Props", "{ channelVolumes: [ \(factor), \(factor) ] }")
  }

  /// Plays a long stimulus, acts once it sounds, and returns the events until there are so many disturbances, that one, or
  /// its end.
  private func disturbances(
    _ count: Int, until last: PlaybackEvent? = nil, _ act: () throws -> Void
  ) async throws -> [PlaybackEvent] {
    let playback = try await speaker.play(Self.long, at: MonotonicClock().now)
    var events: [PlaybackEvent] = []
    for await event in playback.events {
      switch event {
      case .started: try act()
      case .ended: break
      default:
        events.append(event)
        if events.count == count || event == last { await playback.stop(fade: .zero) }
      }
    }
    return events
  }

  @Test("a muted sink is refused, with the way to unmute it, and so is one at zero")
  func refused() async throws {
    try await speaker.prepare(Self.format)
    try setMute(true)
    let muted = await #expect(throws: SoundServerError.self) { try await muteIsSeen() }
    #expect(muted?.reason == "the sink “silent” is muted" && muted?.advice?.contains("wpctl set-mute") == true)
    await speaker.close()
  }

  /// Prepares until the server's message of the change has come.
  private func muteIsSeen() async throws {
    let deadline = MonotonicClock().now.advanced(by: .seconds(10))
    while MonotonicClock().now < deadline {
      try await speaker.prepare(Self.format)
      await Task.yield()
    }
  }

  @Test("a change of the volume is a disturbance with the volume, and so is the mute")
  func volume() async throws {
    try await speaker.prepare(Self.format)
    #expect(
      speaker.description.volume
        == SpeakerVolume(sink: [100, 100], isSinkMuted: false, stream: [], isStreamMuted: false))
    let events = try await disturbances(3) {
      try setVolume(0.125)
      try setMute(true)
      try setMute(false)
    }
    let half = SpeakerVolume(sink: [50, 50], isSinkMuted: false, stream: [], isStreamMuted: false)
    #expect(events.contains(.disturbed(.volumeChanged(to: half))))
    #expect(events.contains(.disturbed(.muted)))
    await speaker.close()
  }

  @Test("a sink that goes away ends the sound with a reason")
  func sinkGoes() async throws {
    let events = try await disturbances(.max) { try tell("pw-cli", "destroy", "silent") }
    guard case .failed(let reason)? = events.last else { throw Unexpected(events) }
    #expect(reason.contains("the sink went away"))
    await speaker.close()
  }

  @Test("a link that someone removes ends the sound with a reason")
  func linkGoes() async throws {
    let events = try await disturbances(.max) { try tell("pw-link", "-d", "station:output_0_FL", "silent:playback_FL") }
    guard case .failed(let reason)? = events.last else { throw Unexpected(events) }
    #expect(reason.contains("the link to the sink “silent” was removed"))
    await speaker.close()
  }

  @Test("a link that someone removes before anything is played is an error as well")
  func linkGoesEarly() async throws {
    let connection = try PipeWireConnection(to: server.address)
    try await connection.settle()
    let sink = try connection.graph.sink(named: "silent", refusingNull: false)
    let output = try await PipeWireOutput.open(on: connection, sink: sink)
    try tell("pw-link", "-d", "station:output_0_FL", "silent:playback_FL")
    #expect(try await connection.wait(atMost: .seconds(10)) { $0.graph.activeLinks.count == 1 })
    let error = #expect(throws: SoundServerError.self) { try output.begin(filter: output.filter, volume: nil) }
    #expect(error?.reason.contains("link to the sink “silent” was removed") == true)
    output.close()
    await speaker.close()
  }

  @Test("after a lost output the first volume counts still, and another one is a disturbance")
  func volumeAfterLoss() async throws {
    let events = try await disturbances(.max) { try tell("pw-link", "-d", "station:output_0_FL", "silent:playback_FL") }
    guard case .failed? = events.last else { throw Unexpected(events) }
    try setVolume(0.125)
    try await speaker.prepare(Self.format)
    let half = SpeakerVolume(sink: [50, 50], isSinkMuted: false, stream: [], isStreamMuted: false)
    let change = PlaybackEvent.disturbed(.volumeChanged(to: half))
    #expect(try await disturbances(.max, until: change) {}.filter { !$0.isOfStarvation } == [change])
    #expect(speaker.description.volume?.sink == [100, 100])
    await speaker.close()
  }

  @Test("a graph whose rate changes between two sounds plays the next one whole, at its new rate")
  func rateChanges() async throws {
    try await speaker.prepare(Self.format)
    #expect(speaker.description.sinkRate == 48_000)
    try tell("pw-metadata", "-n", "settings", "0", "clock.force-rate", "44100")
    let deadline = MonotonicClock().now.advanced(by: .seconds(10))
    while speaker.description.sinkRate != 44_100, MonotonicClock().now < deadline {
      try await speaker.prepare(Self.format)
      await Task.yield()
    }
    #expect(speaker.description.sinkRate == 44_100)
    let short = Stimulus(format: Self.format, samples: [Float](repeating: 0.25, count: 9600))
    let playback = try await speaker.play(short, at: MonotonicClock().now)
    var frames: Int?
    var underruns = 0
    for await event in playback.events {
      switch event {
      case .ended(_, let played): frames = played
      case .disturbed(.underrun): underruns += 1
      default: break
      }
    }
    // On a busy computer cycles are lost; their frames are never missing without an underrun.
    #expect(frames == 4800 || underruns > 0)
    await speaker.close()
  }

  @Test("another program on the sink is reported by its name")
  func others() async throws {
    let second = try await PipeWireSpeaker(remote: server.address, refusesNullSink: false)
    try await second.prepare(Self.format)
    let other = PlaybackEvent.disturbed(.otherProgram("station"))
    #expect(try await disturbances(.max, until: other) {}.filter { !$0.isOfStarvation } == [other])
    await second.close()
    await speaker.close()
  }
}

extension PlaybackEvent {
  /// Whether a computer that is too busy to play in time is the reason.
  fileprivate var isOfStarvation: Bool {
    switch self {
    case .disturbed(.underrun), .disturbed(.shifted): true
    default: false
    }
  }
}
