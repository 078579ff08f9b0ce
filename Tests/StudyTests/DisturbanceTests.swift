import Quantities
import Study
import Testing

@Suite("What disturbs a sound, in a journal's words")
struct DisturbanceTests {
  static let told: [(Disturbance<Duration>, what: String, detail: String?)] = [
    (.underrun(at: .nanoseconds(1_500_250_000)), "underrun", "at 1500.25 ms"),
    (.underrun(at: .nanoseconds(86_399_999_999_999)), "underrun", "at 86399999.999999 ms"),
    (.underrun(at: nil), "underrun", nil),
    (.moved(to: "head, phones"), "moved", "head, phones"),
    (.suspended, "suspended", nil), (.resumed, "resumed", nil), (.muted, "muted", nil), (.unmuted, "unmuted", nil),
    (.volumeChanged(to: volume([40], [100])), "volume", "sink 40 %, stream 100 %"),
    (.volumeChanged(to: volume([40.5, 100], [])), "volume", "sink 40.5/100 %, stream fixed"),
    (.volumeChanged(to: volume([], [100], isMuted: true)), "volume", "sink muted, stream 100 %"),
    (.slipped(by: .microseconds(12_500)), "slipped", "by 12.5 ms"),
    (.slipped(by: .microseconds(-300)), "slipped", "by -0.3 ms"),
    (.other(what: "hummed", detail: "at 50 Hz"), "hummed", "at 50 Hz"),
  ]

  private static func volume(_ sink: [Double], _ stream: [Double], isMuted: Bool = false) -> SpeakerVolume {
    SpeakerVolume(sink: sink, isSinkMuted: isMuted, stream: stream, isStreamMuted: false)
  }

  @Test("Each is written in its words and read back from them", arguments: told.indices)
  func words(index: Int) {
    let (disturbance, what, detail) = Self.told[index]
    #expect(disturbance.what == what)
    #expect(disturbance.detail == detail)
    #expect(Disturbance(what: what, detail: detail) == disturbance)
  }

  @Test(
    "Words that would not be written again byte for byte are kept as they are",
    arguments: [
      ("moved", nil), ("suspended", "by hand"), ("slipped", "by some time"), ("slipped", "by 12.50 ms"),
      ("slipped", nil), ("underrun", "at 1e300 ms"), ("underrun", "at nan ms"), ("volume", "loud"),
      ("volume", "sink 40 %"), ("volume", "sink 40/ %, stream 100 %"), ("volume", "sink 40/40 %, stream 100 %"),
    ] as [(String, String?)])
  func strange(what: String, detail: String?) {
    let read = Disturbance(what: what, detail: detail)
    #expect(read == .other(what: what, detail: detail))
    #expect(read.what == what && read.detail == detail)
  }

  @Test("Channels that are alike are written once, so that what is read back has one")
  func alike() {
    let even = Disturbance.volumeChanged(to: Self.volume([40, 40], [100, 100])) as Disturbance<Duration>
    let read = Disturbance(what: even.what, detail: even.detail)
    #expect(read == .volumeChanged(to: Self.volume([40], [100])))
    #expect(read.detail == even.detail)
  }
}
