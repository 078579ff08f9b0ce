import Basics
import Quantities
import Study
import Synchronization
import Testing

@testable import Sound

@Suite("A channel with pulses", .timeLimit(.minutes(5)))
struct MarkerChannelTests {
  private static func sound(_ channels: Int, frames: Int = 4800, rate: Int = 48_000) -> Stimulus {
    let samples = (0..<frames * channels).map { 0.25 + 0.001 * Float($0 % channels) }
    return Stimulus(format: SoundFormat(sampleRate: rate, channels: channels), samples: samples)
  }

  @Test(
    "A sink without the channel, and a clip that is played on it, are refused",
    arguments: [
      (3, 2, 2, .missing(3, channels: 2)), (2, 1, 1, .missing(2, channels: 1)), (2, 4, 2, .used(2, channels: 2)),
      (1, 2, 1, .used(1, channels: 1)), (3, 4, 2, nil), (2, 2, 1, nil), (6, 8, 5, nil),
      (6, 8, 6, .used(6, channels: 6)),
    ] as [(Int, Int, Int, MarkerChannelProblem?)])
  func refusals(number: Int, channels: Int, own: Int, expected: MarkerChannelProblem?) {
    let result = Result { () throws(MarkerChannelProblem) in
      try MarkerChannel(number, of: channels, beside: SoundFormat(sampleRate: 48_000, channels: own))
    }
    switch result {
    case .success: #expect(expected == nil)
    case .failure(let problem): #expect(problem == expected)
    }
  }

  @Test(
    "Clip and pulse lie on their channels, in pieces of any size, also after ramps, gains and what was played before",
    arguments: [
      (1, 4, 3, [0, 0, nil, nil]), (1, 2, 2, [0, nil]), (2, 4, 4, [0, 1, nil, nil]),
      (2, 6, 3, [0, 1, nil, nil, nil, nil]),
    ]
      as [(Int, Int, Int, [Int?])])
  func layout(own: Int, channels: Int, number: Int, sources: [Int?]) throws {
    let marker = try MarkerChannel(number, of: channels, beside: SoundFormat(sampleRate: 48_000, channels: own))
    let sound = Self.sound(own).amplified(decibels: -6).dropping(frames: 100, fadeIn: .milliseconds(5))
    let laidOut = marker.stimulus(sound, isMarked: true)
    #expect(laidOut.format == marker.format(of: sound.format) && laidOut.frames == sound.frames)
    var written = [Float](repeating: .nan, count: laidOut.samples.count)
    var span = written.mutableSpan
    for start in stride(from: 0, to: laidOut.frames, by: 997) {
      laidOut.samples.write(start..<min(start + 997, laidOut.frames), into: &span, at: start * channels)
    }
    let isSame = written == Array(laidOut.samples)
    #expect(isSame)
    var wrong: [Int] = []
    for frame in 0..<laidOut.frames {
      for channel in 0..<channels {
        let sample = written[frame * channels + channel]
        let expected: Float =
          channel == number - 1
          ? frame < 480 ? MarkerChannel.height : 0 : sources[channel].map { sound.samples[frame * own + $0] } ?? 0
        if sample != expected { wrong.append(frame) }
      }
    }
    #expect(wrong.isEmpty)
    let unmarked = marker.stimulus(sound, isMarked: false)
    #expect((0..<unmarked.frames).allSatisfy { unmarked.samples[$0 * channels + number - 1] == 0 })
  }

  // MARK: On real servers

  private typealias Listener = @Sendable (CaptureEvent) -> Void

  /// What the monitor of a sink heard while stimuli were played.
  private struct Heard {
    /// The frames from the first that is not silent to the last.
    var frames: [[Float]] = []
    /// How many frames of the last stimulus the speaker says that it played: fewer after an underrun.
    var played = 0
    /// How many frames the monitor's reader lost.
    var missing = 0
  }

  /// Plays stimuli, and listens to the monitor of the sink meanwhile.
  private static func heard(
    _ stimuli: [Stimulus], through speaker: any Speaker, _ open: (@escaping Listener) async throws -> any Capture
  ) async throws -> Heard {
    var result = Heard()
    let blocks = Mutex<[CapturedBlock]>([])
    let capture = try await open { event in
      if case .block(let block) = event { blocks.withLock { $0.append(block) } }
    }
    let channels = capture.description.channels
    #expect(channels == speaker.description.channels)
    for stimulus in stimuli {
      try await speaker.prepare(stimulus.format)
      let soon = MonotonicClock().now.advanced(by: speaker.description.lead + .milliseconds(50))
      for await event in try await speaker.play(stimulus, at: soon).events {
        if case .ended(_, let frames) = event { result.played = frames }
      }
    }
    // What was played last comes through the monitor a little later.
    let end = MonotonicClock().now
    while blocks.withLock({ $0.last.map { $0.start < end } ?? true }) { await Task.yield() }
    capture.close()
    let samples = blocks.withLock { $0.flatMap(\.samples) }
    let numbers = blocks.withLock { $0.map(\.frame) }
    if let first = numbers.first, let last = blocks.withLock({ $0.last }) {
      result.missing = last.frame + last.samples.count / channels - first - samples.count / channels
    }
    let frames = stride(from: 0, to: samples.count - channels + 1, by: channels).map {
      Array(samples[$0..<$0 + channels])
    }
    guard let first = frames.firstIndex(where: { $0.contains { $0 != 0 } }),
      let last = frames.lastIndex(where: { $0.contains { $0 != 0 } })
    else { return result }
    result.frames = Array(frames[first...last])
    return result
  }

  /// Compares what was heard with a clip of a constant level, whose first frame and that of the pulse are the same.
  private static func check(_ heard: Heard, own: Int, number: Int) throws {
    let (frames, missing) = (heard.frames, heard.missing)
    let whole = 4800
    let first = try #require(frames.first)
    // On a busy computer cycles may be lost, at the beginning as well: the speaker reports its own. The monitor or its
    // reader may have lost others, and not every loss of those is told.
    let isWhole = heard.played == whole && missing == 0
    if isWhole { #expect(frames.count == whole) }
    for channel in first.indices {
      let isPulse = channel == number - 1
      let isHeard = isPulse || channel < own || own == 1 && channel == 1
      if isWhole {
        #expect((abs(first[channel]) > 0.2) == isHeard, "channel \(channel + 1) of the first frame: \(first)")
      }
      let loud = frames.count { abs($0[channel]) > 0.2 }
      let most = isPulse ? 480 : isHeard ? whole : 0
      let atLeast = isWhole ? most : 0
      #expect((atLeast...most).contains(loud), "channel \(channel + 1): \(loud), \(missing) missing")
    }
  }

  @Test(
    "On PulseAudio the pulse is on the frame of the clip's first sample, and nothing else is on its channel",
    arguments: [(2, 4, 3), (1, 4, 4), (1, 2, 2), (2, 8, 8)])
  func pulseAudio(own: Int, channels: Int, number: Int) async throws {
    let server = try PrivateSoundServer(channels: channels)
    let speaker = try await PulseSpeaker(server: server.address, refusesNullSink: false)
    let marker = try MarkerChannel(number, of: speaker.description.channels, beside: nil)
    // A tone before the clip is laid out as well, or the server would play it on all channels.
    let tone = marker.stimulus(Self.sound(2, frames: 480).amplified(decibels: -100), isMarked: false)
    var heard = try await Self.heard([tone, marker.stimulus(Self.sound(own), isMarked: true)], through: speaker) {
      try await PulseCapture.open(server: server.address, source: "silent.monitor", listener: $0)
    }
    await speaker.close()
    heard.frames = Array(heard.frames.drop { $0.allSatisfy { abs($0) < 0.01 } })
    try Self.check(heard, own: own, number: number)
  }

  @Test(
    "On PipeWire the pulse is on the frame of the clip's first sample, and nothing else is on its channel",
    arguments: [
      (2, 3, ["FL", "FR", "RL", "RR"]), (1, 4, ["FL", "FR", "RL", "RR"]), (1, 2, ["FL", "FR"]),
      (2, 5, ["FL", "FR", "RL", "RR", "FC", "LFE", "SL", "SR"]), (2, 3, ["AUX0", "AUX1", "AUX2", "AUX3"]),
    ])
  func pipeWire(own: Int, number: Int, channels: [String]) async throws {
    let server = try PrivatePipeWire(channels: channels, hasMonitor: true)
    let speaker = try await PipeWireSpeaker(remote: server.address, refusesNullSink: false)
    let marker = try MarkerChannel(number, of: channels.count, beside: nil)
    let heard = try await Self.heard([marker.stimulus(Self.sound(own), isMarked: true)], through: speaker) {
      try await PipeWireCapture.open(remote: server.address, source: "silent.monitor", listener: $0)
    }
    await speaker.close()
    try Self.check(heard, own: own, number: number)
  }
}
