import Testing

@testable import Session

@Suite("The choice of a speaker")
struct SpeakerChoiceTests {
  @Test(
    "is a sink, on a server if one is named",
    arguments: [
      (nil, .standard), ("default", .standard), ("silent", .silent), ("hdmi", .sink("hdmi", on: nil)),
      ("pipewire:hdmi", .sink("hdmi", on: .pipeWire)), ("pulse:hdmi", .sink("hdmi", on: .pulseAudio)),
      ("pipewire:default", .defaultSink(on: .pipeWire)), ("pulse:", .defaultSink(on: .pulseAudio)),
      ("pulse:silent", .sink("silent", on: .pulseAudio)), ("bluez_sink.00:11", .sink("bluez_sink.00:11", on: nil)),
    ] as [(String?, SpeakerChoice)])
  func choice(option: String?, choice: SpeakerChoice) {
    #expect(SpeakerChoice(option) == choice)
  }
}
