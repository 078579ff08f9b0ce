import Basics
import Quantities

/// What can go wrong with a sound that still goes on.
///
/// A speaker tells times on its clock, as a `Moment`; a journal keeps them since the trial's zero, as a `Duration`.
package enum Disturbance<Time: Hashable & Sendable>: Hashable, Sendable {
  /// The stream ran dry for a time, at this one where it is known.
  case underrun(at: Time?)
  /// The server moved the stream to another sink.
  case moved(to: String)
  /// The sink was suspended by someone.
  case suspended
  /// The sink went on.
  case resumed
  /// The sink or the stream was muted, or its volume set to zero.
  case muted
  /// It can be heard again.
  case unmuted
  /// Somebody changed the volume.
  case volumeChanged(to: SpeakerVolume)
  /// What is left sounds so much later, or earlier where negative, than the onset and the frames say.
  case slipped(by: Duration)
  /// Another program plays through the same sink, under this name.
  case otherProgram(String)
  /// What another version of the station has written, by its word.
  case other(String)

  /// The same with its time told otherwise.
  package func map<Other>(_ change: (Time) -> Other) -> Disturbance<Other> {
    switch self {
    case .underrun(let time): .underrun(at: time.map(change))
    case .moved(let sink): .moved(to: sink)
    case .suspended: .suspended
    case .resumed: .resumed
    case .muted: .muted
    case .unmuted: .unmuted
    case .volumeChanged(let volume): .volumeChanged(to: volume)
    case .slipped(let slip): .slipped(by: slip)
    case .otherProgram(let name): .otherProgram(name)
    case .other(let code): .other(code)
    }
  }
}

extension Disturbance<Duration> {
  /// The word that files have for it: `underrun`.
  package var code: String {
    switch self {
    case .underrun: "underrun"
    case .moved: "moved"
    case .suspended: "suspended"
    case .resumed: "resumed"
    case .muted: "muted"
    case .unmuted: "unmuted"
    case .volumeChanged: "volume"
    case .slipped: "slipped"
    case .otherProgram: "otherProgram"
    case .other(let code): code
    }
  }
}

extension Disturbance: Decodable, Encodable, FlatInJSON where Time == Duration {
  private enum CodingKeys: String, CodingKey {
    case code = "what"
    case at, by, sink, volume, program
  }

  /// Reads a journal's; one that lacks what it needs is known by its word alone.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let code = try members.decode(String.self, forKey: .code)
    let known: Self? =
      switch code {
      case "underrun": .underrun(at: try members.decodeIfPresent(Duration.self, forKey: .at))
      case "moved": try members.decodeIfPresent(String.self, forKey: .sink).map { .moved(to: $0) }
      case "suspended": .suspended
      case "resumed": .resumed
      case "muted": .muted
      case "unmuted": .unmuted
      case "volume":
        try members.decodeIfPresent(SpeakerVolume.self, forKey: .volume).map { .volumeChanged(to: $0) }
      case "slipped": try members.decodeIfPresent(Duration.self, forKey: .by).map { .slipped(by: $0) }
      case "otherProgram": try members.decodeIfPresent(String.self, forKey: .program).map { .otherProgram($0) }
      default: nil
      }
    self = known ?? .other(code)
  }

  /// Writes its word, and beside it what else is known.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(code, forKey: .code)
    switch self {
    case .underrun(let time): try members.encodeIfPresent(time, forKey: .at)
    case .moved(let sink): try members.encode(sink, forKey: .sink)
    case .volumeChanged(let volume): try members.encode(volume, forKey: .volume)
    case .slipped(let slip): try members.encode(slip, forKey: .by)
    case .otherProgram(let name): try members.encode(name, forKey: .program)
    case .suspended, .resumed, .muted, .unmuted, .other: break
    }
  }
}

extension Disturbance: CustomStringConvertible where Time == Duration {
  /// What it is for people: `buffer underrun at 1500.25 ms`.
  package var description: String {
    switch self {
    case .underrun(let time): "buffer underrun" + (time.map { " at \($0.milliseconds) ms" } ?? "")
    case .moved(let sink): "moved to the sink “\(sink.visible)”"
    case .suspended: "sink suspended"
    case .resumed: "sink resumed"
    case .muted: "muted"
    case .unmuted: "unmuted"
    case .volumeChanged(let volume): "volume changed to \(volume)"
    case .slipped(let slip): "playback shifted by \(Double(slip.nanoseconds / 1000) / 1000) ms"
    case .otherProgram(let name): "“\(name.visible)” plays through the same sink"
    case .other(let code): code.visible
    }
  }
}
