import Basics
import Glibc
import Quantities
import TestSupport
import Testing

@testable import Sound

@Suite("Playing a clip at once", .timeLimit(.minutes(5)))
struct ClipPlayerTests {
  /// MPEG frames of silence: 1152 frames of 44.1 kHz each.
  private func reader(_ scratch: Scratch, mpegFrames: Int) throws -> ClipReader {
    try ClipReader(scratch.write(FrameBytes.repeated(FrameBytes.silence, mpegFrames)), hashing: false)
  }

  /// What a player refuses with; a player is consumed, which no closure may do.
  private func refusal(
    of player: consuming ClipPlayer, _ reader: inout ClipReader, progress: (Duration) -> Void = { _ in }
  ) throws -> SoundServerError? {
    do {
      _ = try player.play(&reader, progress: progress)
    } catch let error as SoundServerError {
      return error
    }
    return nil
  }

  @Test(
    "plays all of it, or as much as is asked for",
    arguments: [
      (asked: Int.max, played: 6 * 1152), (asked: 5000, played: 5000), (asked: 100_000, played: 6 * 1152),
    ])
  func plays(asked: Int, played: Int) throws {
    let server = try PrivateSoundServer()
    let player = try ClipPlayer(server: server.address, sink: "silent")
    var reader = try reader(Scratch(), mpegFrames: 6)
    var heard: [Duration] = []
    #expect(try player.play(&reader, frames: asked) { heard.append($0) } == played)
    #expect(heard.last == .nanoseconds(Frames(played).nanoseconds(rate: 44_100)))
    #expect(heard == heard.sorted())
  }

  @Test("tells what was heard, not what was handed over")
  func heard() throws {
    let server = try PrivateSoundServer()
    let player = try ClipPlayer(server: server.address, sink: "silent")
    let stopper = player.stopper
    var reader = try reader(Scratch(), mpegFrames: 5000)
    let clock = MonotonicClock()
    let start = clock.now
    var isAhead = false
    var heard = Duration.zero
    let played = try player.play(&reader) {
      heard = $0
      isAhead = isAhead || $0 > start.duration(to: clock.now) + .milliseconds(20)
      if $0 > .milliseconds(300) { stopper.stop() }
    }
    #expect(!isAhead && heard > .milliseconds(300))
    #expect(Frames(played).nanoseconds(rate: 44_100) > heard.nanoseconds)
  }

  @Test("stops with a reason where the sink is suspended or the server is frozen", arguments: [true, false])
  func stuck(suspended: Bool) throws {
    let server = try PrivateSoundServer()
    let player = try ClipPlayer(server: server.address, sink: "silent")
    let stopper = player.stopper
    var reader = try reader(Scratch(), mpegFrames: 5000)
    var isStuck = false
    let error = try refusal(of: player, &reader) { heard in
      guard heard > .milliseconds(100), !isStuck else { return }
      isStuck = true
      if suspended {
        // Sooner than the sound can have fallen to silence.
        server.tell("suspend-sink silent 1")
      } else {
        kill(server.processIdentifier, SIGSTOP)
      }
      stopper.stop()
    }
    #expect(
      error?.reason == (suspended ? "the sink “silent” is suspended" : "the sound server does not answer"))
    #expect(error?.advice != nil)
  }

  @Test("stops while it plays, and when everything is handed over", arguments: [5000, 70])
  func stops(mpegFrames: Int) throws {
    let server = try PrivateSoundServer()
    let player = try ClipPlayer(server: server.address, sink: "silent")
    let stopper = player.stopper
    var reader = try reader(Scratch(), mpegFrames: mpegFrames)
    let played = try player.play(&reader) { _ in stopper.stop() }
    #expect(played > 0 && played < mpegFrames * 1152)
  }

  @Test("ends when the sound has fallen to silence, and does not wait for the two seconds that were handed over")
  func stopsSoon() async throws {
    let server = try PrivateSoundServer()
    let ((played, lasted), lateness) = try await Lateness.during {
      let player = try ClipPlayer(server: server.address, sink: "silent")
      let stopper = player.stopper
      var reader = try reader(Scratch(), mpegFrames: 5000)
      var stop: ContinuousClock.Instant?
      let played = try player.play(&reader) { heard in
        guard heard > .milliseconds(200), stop == nil else { return }
        stop = .now
        stopper.stop()
      }
      return (played, try ContinuousClock.now - #require(stop))
    }
    #expect(played >= Int(0.2 * 44_100))
    if let excuse = lateness.excuse { try Test.cancel("\(excuse)") }
    #expect(played < 2 * 44_100)
    #expect(lasted < .milliseconds(1500), "\(lasted)")
  }

  @Test("plays at full volume and not muted, whatever the server remembers of an earlier stream")
  func volume() throws {
    let server = try PrivateSoundServer()
    server.tell("load-module module-stream-restore")
    for turn in 0..<2 {
      let player = try ClipPlayer(server: server.address, sink: "silent")
      let stopper = player.stopper
      var reader = try reader(Scratch(), mpegFrames: 5000)
      var streams = ""
      _ = try player.play(&reader) { _ in
        guard streams.isEmpty else { return }
        streams = server.tell("list-sink-inputs")
        server.tell("set-sink-input-volume \(turn) 16384")
        server.tell("set-sink-input-mute \(turn) 1")
        stopper.stop()
      }
      #expect(streams.contains("muted: no") && streams.contains("100%") && !streams.contains("25%"))
    }
  }

  @Test("a null sink is played to, named or not, and reported", arguments: [true, false])
  func nullSink(isNamed: Bool) throws {
    let server = try PrivateSoundServer(sink: "auto_null")
    defer { server.stop() }
    let player = try ClipPlayer(server: server.address, sink: isNamed ? "auto_null" : nil)
    var reader = try reader(Scratch(), mpegFrames: 6)
    var told: SpeakerDescription?
    _ = try player.play(&reader, opened: { told = $0 })
    #expect(told?.sink == "auto_null" && told?.isAudible == false && told?.notes.count == 1)
  }

  @Test("a sink that is not there is named")
  func wrongSink() throws {
    let server = try PrivateSoundServer()
    let player = try ClipPlayer(server: server.address, sink: "ears")
    var reader = try reader(Scratch(), mpegFrames: 6)
    let error = try refusal(of: player, &reader)
    #expect(error?.description.contains("“ears”: No such entity") == true)
  }

  @Test("a server that dies is an error, not a silence")
  func serverDies() throws {
    let server = try PrivateSoundServer()
    let player = try ClipPlayer(server: server.address, sink: "silent")
    var reader = try reader(Scratch(), mpegFrames: 5000)
    #expect(try refusal(of: player, &reader) { _ in server.stop() } != nil)
  }

  @Test("without a server there is an error that says what to do")
  func noServer() {
    let error = #expect(throws: SoundServerError.self) { _ = try ClipPlayer(server: "unix:/nonexistent/socket") }
    #expect(error?.advice == "start PipeWire or PulseAudio, or rehearse with --speaker silent")
  }
}
