import Study

/// The frames of a sound for the ports of a sink: at the graph's rate, mixed into the sink's channels, piece by piece.
struct SampleFeed: Sendable {
  /// The number of frames at the graph's rate.
  var frames: Int { Self.frames(samples.frames, from: ownRate, to: rate) }
  /// The number of the sound's own frames.
  var ownFrames: Int { samples.frames }
  private let ownRate: Int
  private let rate: Int
  private let samples: StimulusSamples
  private let mix: ChannelMix
  private let change: RateChange?
  private var taken = 0
  private var given = 0

  /// The number of frames that are worked on together.
  private static let piece = 4096

  init(_ stimulus: Stimulus, rate: Int, ports: [String]) throws(SoundServerError) {
    (ownRate, self.rate) = (stimulus.format.sampleRate, rate)
    samples = stimulus.samples
    mix =
      samples.isLaidOut && samples.channels == ports.count
      ? ChannelMix(straight: ports.count) : ChannelMix(channels: samples.channels, ports: ports)
    change = ownRate == rate ? nil : try RateChange(from: ownRate, to: rate, channels: samples.channels)
  }

  /// The number of frames that last as long at another rate, to the nearest frame.
  static func frames(_ count: Int, from rate: Int, to other: Int) -> Int {
    guard rate != other else { return count }
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
    return seconds * other + (2 * rest * other + rate) / (2 * rate)
  }

  /// The next frames, interleaved for the ports; fewer than asked for only at the end.
  mutating func next(_ count: Int) -> [Float] {
    let wanted = min(count, frames - given)
    var output: [Float] = []
    output.reserveCapacity(max(0, wanted) * mix.gains.count)
    while output.count < wanted * mix.gains.count {
      let room = min(Self.piece, wanted - output.count / mix.gains.count)
      mix.mix(piece(room)[...], channels: samples.channels, into: &output)
    }
    given += max(0, wanted)
    return output
  }

  /// The next frames of the sound at the graph's rate; silence beyond its end.
  private mutating func piece(_ count: Int) -> [Float] {
    var frames: [Float] = []
    if let change {
      while frames.count < count * samples.channels {
        let source = read(Self.piece)
        let room = count - frames.count / samples.channels
        let (used, given) = change.pass(source[...], into: &frames, room: room, isEnd: source.isEmpty)
        taken -= source.count / samples.channels - used
        if source.isEmpty, given == 0 { break }
      }
    } else {
      frames = read(count)
    }
    frames.append(contentsOf: repeatElement(0, count: count * samples.channels - frames.count))
    return frames
  }

  private mutating func read(_ count: Int) -> [Float] {
    let range = taken..<min(taken + count, samples.frames)
    var frames = [Float](repeating: 0, count: range.count * samples.channels)
    var span = frames.mutableSpan
    samples.write(range, into: &span, at: 0)
    // The end of a clip may be known by now.
    frames.removeLast(max(0, range.upperBound - max(range.lowerBound, samples.frames)) * samples.channels)
    taken += frames.count / samples.channels
    return frames
  }
}
