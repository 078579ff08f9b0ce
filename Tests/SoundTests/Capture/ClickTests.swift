import Basics
import Quantities
import Testing

@testable import Sound

@Suite("A click in a recording")
struct ClickTests {
  /// A recording of the click at this frame, with noise of an amplitude and an echo 3 ms later.
  private static func recording(
    at frame: Int, rate: Int = 48_000, gain: Float = 1, noise: Float = 0, echo: Float = 0
  ) -> [Float] {
    var random = SplitMix64(seed: 7)
    var samples = (0..<rate / 2).map { _ in noise * Float.random(in: -1...1, using: &random) }
    let later = frame + rate * 3 / 1000
    for (index, sample) in Click(rate: rate).samples.enumerated() {
      samples[frame + index] += gain * sample
      samples[later + index] += echo * sample
    }
    return samples.map { min(max($0, -1), 1) }
  }

  @Test(
    "is found at its frame: soft, turned over, in noise, and before an echo that is louder",
    arguments: [
      (1, 0, 0), (0.001, 0, 0), (-0.5, 0, 0), (0.1, 0.02, 0), (0.4, 0.01, 0.6),
    ] as [(Float, Float, Float)])
  func found(gain: Float, noise: Float, echo: Float) throws {
    for rate in [44_100, 48_000, 96_000] {
      let heard = Self.recording(at: 7321, rate: rate, gain: gain, noise: noise, echo: echo)
      let finding = try #require(Click(rate: rate).find(in: heard))
      #expect(abs(finding.index - 7321) < (noise > 0.015 ? 0.5 : 0.05))
      #expect(finding.isHeard && !finding.isClipped)
      #expect(abs(finding.gain - abs(gain)) <= 0.15 * abs(gain))
    }
  }

  @Test("is not found in noise, nor in silence, nor in a recording that is too short")
  func unheard() throws {
    let noise = Self.recording(at: 7321, gain: 0, noise: 0.3)
    #expect(try #require(Click(rate: 48_000).find(in: noise)).isHeard == false)
    #expect(Click(rate: 48_000).find(in: [Float](repeating: 0, count: 24_000)) == nil)
    #expect(Click(rate: 48_000).find(in: [0.5, 0.5]) == nil)
  }

  @Test("is clipped where the recording is")
  func clipped() throws {
    #expect(try #require(Click(rate: 48_000).find(in: Self.recording(at: 100, gain: 4))).isClipped)
  }
}

@Suite("The result of a loop-back check")
struct LoopbackResultTests {
  private static func result(_ unexplained: [Int], input: Duration = .zero) -> LoopbackResult {
    LoopbackResult(
      source: CaptureDescription(
        server: "s", source: "mic", isMonitor: false, rate: 48_000, channels: 1, inputLatency: input),
      trials: unexplained.enumerated().map { index, microseconds in
        let played = Moment(nanoseconds: Int64(index) * 500_000_000)
        return LoopbackTrial(
          played: MeasuredMoment(moment: played, uncertainty: .microseconds(50)),
          heard: played.advanced(by: .microseconds(microseconds)))
      })
  }

  @Test("bounds the output latency between zero and all that is unexplained")
  func bound() throws {
    let result = Self.result([6000, 6100, 6000, 5900, 6000], input: .milliseconds(21))
    #expect(result.unexplained == .milliseconds(6) && result.roundTrip == .milliseconds(27))
    #expect(abs(result.course.deviation.milliseconds - 0.0707) < 0.001)
    #expect(result.uncertainty == .microseconds(150))
    #expect(
      try result.outputLatency()
        == OutputLatency(.milliseconds(3), uncertainty: .microseconds(3150), basis: .loopback))
    let measured = OutputLatency(.milliseconds(7), uncertainty: .milliseconds(1), basis: .measured)
    #expect(result.allows(measured))
    #expect(!result.allows(OutputLatency(.milliseconds(9), uncertainty: .milliseconds(1), basis: .measured)))
  }

  @Test("a click that was heard before it was played has no output latency, unless the uncertainty explains it")
  func early() throws {
    #expect(try Self.result([-40, -45]).outputLatency().latency == .zero)
    #expect(throws: LoopbackFailure.early(source: "mic", milliseconds: 2)) {
      try Self.result([-2000, -2000]).outputLatency()
    }
  }
}
