import Testing

@testable import Sound

@Suite("The channels of a sound on the ports of a sink")
struct ChannelMixTests {
  @Test(
    "go where their position is, and where there is none to the nearest",
    arguments: [
      (["FL", "FR"], 1, [[1], [1]]), (["FL", "FR"], 2, [[1, 0], [0, 1]]), (["MONO"], 1, [[1]]),
      (["MONO"], 2, [[0.5, 0.5]]), (["FR", "FL"], 2, [[0, 1], [1, 0]]),
      (["FL", "FR", "FC", "LFE"], 1, [[1], [1], [0], [0]]),
      (["FL", "FR", "RL", "RR"], 4, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
      (["FL", "FR"], 3, [[1, 0, 0.707_106_8], [0, 1, 0.707_106_8]]),
      (["FL", "FR", "SL", "SR"], 4, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
      (["AUX0", "AUX1", "AUX2"], 2, [[1, 0], [0, 1], [0, 0]]), (["AUX0", "AUX1", "AUX2"], 1, [[1], [1], [0]]),
    ] as [([String], Int, [[Float]])])
  func gains(ports: [String], channels: Int, gains: [[Float]]) {
    #expect(ChannelMix(channels: channels, ports: ports).gains == gains)
  }

  @Test("mixes frames one after the other")
  func mix() {
    var output: [Float] = [9]
    ChannelMix(channels: 2, ports: ["FR", "FL", "MONO"]).mix([1, 2, 3, 4][...], channels: 2, into: &output)
    #expect(output == [9, 2, 1, 0, 4, 3, 0])
  }
}
