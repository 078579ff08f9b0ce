import Study
import Testing

@testable import Sound

@Suite("What a server says about itself and its sinks")
struct SinkFactsTests {
  private static func sink(
    _ name: String, driver: String = "module-alsa-card.c", factory: String? = nil, access: String? = nil,
    fragment: Int? = nil, buffer: Int? = nil
  ) -> SinkFacts {
    SinkFacts(
      name: name, description: "", driver: driver, sampleRate: 48_000, channels: 2, volume: [100, 100], isMuted: false,
      factory: factory, access: access, fragmentBytes: fragment, bufferBytes: buffer, frameBytes: 4)
  }

  @Test(
    "a null sink cannot be heard, whoever made it",
    arguments: [
      (sink("silent", driver: "module-null-sink.c"), true), (sink("auto_null", driver: "module-null-sink.c"), true),
      (sink("auto_null", driver: "PipeWire"), true),
      (sink("booth", driver: "PipeWire", factory: "support.null-audio-sink"), true),
      (sink("booth", driver: "PipeWire", factory: "api.alsa.pcm.sink"), false), (sink("alsa_output.pci"), false),
      (sink("hall", driver: "module-tunnel-sink-new.c"), false),
    ])
  func null(sink: SinkFacts, isNull: Bool) {
    #expect(sink.isNull == isNull)
  }

  @Test("the refusal of a null sink names it and what could be heard instead")
  func refusal() {
    let error = SoundServerError.nullSink("auto_null", "", others: ["hall"])
    #expect(error.reason.contains("“auto_null”"))
    #expect(error.advice?.contains("“hall”") == true && error.advice?.contains("--speaker auto_null") == true)
  }

  @Test(
    "times are known as finely as the card's position, or PipeWire's cycle, is told",
    arguments: [
      (sink("silent"), "pulseaudio", SpeakerTiming.Basis.clock, 0),
      (sink("card", access: "mmap", fragment: 4096), "pulseaudio", .position, 21_333_333),
      (sink("card", access: "serial", fragment: 192), "pulseaudio", .position, 1_000_000),
      (sink("card", access: "mmap+timer", fragment: 65_536), "pulseaudio", .position, 500_000),
      (sink("card"), "PulseAudio (on PipeWire 0.3.65)", .cycle, 42_666_667),
    ])
  func timing(sink: SinkFacts, server: String, basis: SpeakerTiming.Basis, nanoseconds: Int64) {
    let timing = sink.timing(on: ServerFacts(name: server))
    #expect(timing == SpeakerTiming(basis: basis, granularity: .nanoseconds(nanoseconds)))
  }

  @Test(
    "the position of a card that the server drives by interrupts can be followed",
    arguments: [
      (sink("card", access: "mmap", buffer: 16_384), "pulseaudio", Int?.some(4096)),
      (sink("card", access: "serial", buffer: 16_384), "pulseaudio", 4096),
      (sink("card", access: "mmap+timer", buffer: 16_384), "pulseaudio", nil),
      (sink("card", access: "mmap"), "pulseaudio", nil), (sink("silent", buffer: 16_384), "pulseaudio", nil),
      (sink("card", access: "mmap", buffer: 16_384), "PulseAudio (on PipeWire 0.3.65)", nil),
    ])
  func buffer(sink: SinkFacts, server: String, frames: Int?) {
    #expect(sink.filledBuffer(on: ServerFacts(name: server)) == frames)
  }

  @Test("the operator is told of a null sink, of PipeWire's PulseAudio and of an unknown delay, and of nothing else")
  func notes() {
    func notes(_ kind: String, isAudible: Bool, _ basis: SpeakerTiming.Basis) -> Int {
      SpeakerDescription(
        SpeakerFacts(
          kind: kind, server: "PulseAudio (on PipeWire 0.3.65) 15.0.0", sink: "booth", isAudible: isAudible,
          timing: SpeakerTiming(basis: basis, granularity: .milliseconds(20))), lead: .zero
      ).notes.count
    }
    #expect(notes("pulseaudio", isAudible: true, .clock) == 0 && notes("pulseaudio", isAudible: true, .position) == 0)
    #expect(notes("silent", isAudible: false, .clock) == 0)
    for (latency, count) in [(OutputLatency.zero, 1), (OutputLatency(.milliseconds(40)), 0)] {
      let facts = SpeakerFacts(kind: "pipewire", sink: "filter", isAudible: true, outputLatency: latency)
      #expect(SpeakerDescription(facts, lead: .zero, hasUnknownDelay: true).notes.count == count)
    }
    #expect(notes("pulseaudio", isAudible: false, .clock) == 1 && notes("pulseaudio", isAudible: false, .cycle) == 2)
  }

  @Test("a client library that is missing is an error with the package that has it")
  func library() throws {
    try PulseLibrary.open()
    let error = #expect(throws: SoundServerError.self) {
      try PulseLibrary.check("libpulse.so.0: cannot open shared object file")
    }
    #expect(error?.reason.contains("libpulse.so.0") == true && error?.advice?.contains("libpulse0") == true)
  }
}
