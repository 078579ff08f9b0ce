import Quantities
import Study

/// An output channel that carries a pulse at the onset of each stimulus, for the trigger input of an amplifier.
///
/// The pulse begins with the first frame of the stimulus, in the same stream, so that nothing can part them. Every sound has
/// the channels of the sink then, each on its own, so that the server mixes none of them into the pulse's.
package struct MarkerChannel: Hashable, Sendable {
  /// Where a sound's channels lie among those of a sink.
  struct Layout: Hashable, Sendable {
    /// The sound's channel on each of the sink's; `nil` for silence.
    let sources: [Int?]
    let marker: Int
    /// The length of the pulse, in frames; 0 without one.
    let length: Int

    /// The sample of the pulse's channel; `nil` of another one.
    func pulse(_ channel: Int, at frame: Int) -> Float? {
      channel == marker ? frame < length ? MarkerChannel.height : 0 : nil
    }
  }

  /// The channel, counted from 1.
  let number: Int
  let channels: Int
  static let pulse = Duration.milliseconds(10)
  /// The height of a pulse, beside full scale of 1; the sink's volume applies to it.
  static let height: Float = 0.9

  /// A channel, which the sink must have and the sound must leave free.
  package init(_ number: Int, of channels: Int, beside format: SoundFormat?) throws(MarkerChannelProblem) {
    (self.number, self.channels) = (number, channels)
    guard (1...max(1, channels)).contains(number) else { throw .missing(number, channels: channels) }
    try check(format)
  }

  /// Checks that a sound leaves the channel to the pulse, and has no more channels than the sink.
  func check(_ format: SoundFormat?) throws(MarkerChannelProblem) {
    guard let format else { return }
    guard number > format.channels else { throw .used(number, channels: format.channels) }
  }

  /// The format in which sounds of a format are played.
  package func format(of format: SoundFormat) -> SoundFormat {
    SoundFormat(sampleRate: format.sampleRate, channels: channels)
  }

  /// A sound on the channels of the sink, with a pulse at its first frame if it is marked.
  ///
  /// A sound of one channel is played on the first two, unless the second is the pulse's; channels beyond the pulse's, and
  /// those that a stimulus does not have, are silent.
  package func stimulus(_ sound: Stimulus, isMarked: Bool) -> Stimulus {
    let own = sound.format.channels
    let sources = (0..<channels).map { channel -> Int? in
      channel == number - 1 ? nil : channel < own ? channel : own == 1 && channel == 1 ? 0 : nil
    }
    let length = isMarked ? sound.format.frames(in: Self.pulse) : 0
    return Stimulus(
      sampleRate: sound.format.sampleRate,
      sound.samples.laidOut(Layout(sources: sources, marker: number - 1, length: length)))
  }
}

/// Why a channel of the sink cannot carry markers.
package enum MarkerChannelProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case missing(Int, channels: Int)
  case used(Int, channels: Int)

  package var description: String {
    switch self {
    case .missing(let number, let channels):
      "cannot put markers on channel \(number): the sink has \(channels == 1 ? "one channel" : "\(channels) channels"); "
        + "choose another sink with --speaker, or a profile of the card with more channels"
    case .used(let number, let channels):
      "cannot put markers on channel \(number): the clip is played there; a clip of \(channels) "
        + "\(channels == 1 ? "channel" : "channels") leaves those from \(channels + 1) on"
    }
  }
}
