/// Which channels of a sound are played on which ports of a sink, by position.
struct ChannelMix: Hashable, Sendable {
  /// For each port, what each channel of the sound is multiplied by.
  let gains: [[Float]]
  /// Whether every channel has a port of its own, in the same order.
  private let isIdentity: Bool

  /// The gain of a channel that two loudspeakers share, or that moves to a neighbour: −3 dB.
  private static let shared: Float = 0.707_106_8

  /// Maps the channels of a sound, in the order of WAV files, to ports, named by their positions: `FL`, `FR`, `MONO`.
  init(channels: Int, ports: [String]) {
    let gains = Self.gains(channels, ports)
    self.gains = gains
    isIdentity =
      channels == ports.count
      && gains.indices.allSatisfy { port in gains[port].indices.allSatisfy { gains[port][$0] == ($0 == port ? 1 : 0) } }
  }

  /// Plays each channel on the port of the same number.
  init(straight channels: Int) {
    gains = (0..<channels).map { port in (0..<channels).map { $0 == port ? 1 : 0 } }
    isIdentity = true
  }

  /// Mixes frames of the sound into frames for the ports, appended to `output`.
  func mix(_ frames: ArraySlice<Float>, channels: Int, into output: inout [Float]) {
    if isIdentity { return output.append(contentsOf: frames) }
    for start in stride(from: frames.startIndex, to: frames.endIndex, by: channels) {
      for port in gains.indices {
        var sum: Float = 0
        for channel in 0..<channels where gains[port][channel] != 0 {
          sum += gains[port][channel] * frames[start + channel]
        }
        output.append(sum)
      }
    }
  }

  private static func gains(_ channels: Int, _ ports: [String]) -> [[Float]] {
    var gains = ports.map { _ in [Float](repeating: 0, count: channels) }
    func add(_ channel: Int, to names: [String], _ gain: Float) -> Bool {
      let found = ports.indices.filter { names.contains(ports[$0]) }
      for port in found { gains[port][channel] = gain }
      return !found.isEmpty
    }
    guard ports.count > 1 else {
      return ports.map { _ in [Float](repeating: 1 / Float(max(channels, 1)), count: channels) }
    }
    guard ports.contains("FL"), ports.contains("FR") else {
      // Ports without positions, such as those of a card's professional profile, are taken in their order.
      for port in ports.indices {
        if channels == 1, port < 2 { gains[port][0] = 1 } else if port < channels { gains[port][port] = 1 }
      }
      return gains
    }
    for (channel, position) in positions(channels).enumerated() {
      if position == "MONO" {
        _ = add(channel, to: ["FL", "FR"], 1)
      } else if !add(channel, to: [position], 1) {
        for (names, gain) in substitutes[position] ?? [] where add(channel, to: names, gain) { break }
      }
    }
    return gains
  }

  /// Where a channel is played that the sink does not have, the best choice first; without one it is not played.
  private static let substitutes: [String: [(ports: [String], gain: Float)]] = [
    "FC": [(["FL", "FR"], shared)], "RC": [(["RL", "RR"], shared), (["SL", "SR"], shared), (["FL", "FR"], 0.5)],
    "RL": [(["SL"], 1), (["FL"], shared)], "RR": [(["SR"], 1), (["FR"], shared)],
    "SL": [(["RL"], 1), (["FL"], shared)], "SR": [(["RR"], 1), (["FR"], shared)],
  ]

  /// The positions of a WAV file's channels; more channels than that have none.
  private static func positions(_ channels: Int) -> [String] {
    switch channels {
    case 1: ["MONO"]
    case 2: ["FL", "FR"]
    case 3: ["FL", "FR", "FC"]
    case 4: ["FL", "FR", "RL", "RR"]
    case 5: ["FL", "FR", "FC", "RL", "RR"]
    case 6: ["FL", "FR", "FC", "LFE", "RL", "RR"]
    case 7: ["FL", "FR", "FC", "LFE", "RC", "SL", "SR"]
    case 8: ["FL", "FR", "FC", "LFE", "RL", "RR", "SL", "SR"]
    default: ["FL", "FR"] + (2..<max(channels, 2)).map { "AUX\($0)" }
    }
  }
}
