import Basics
import Quantities

/// A disturbance of a sound that continues to play.
///
/// A speaker gives times on its clock, as a `Moment`; a journal stores them since the trial's zero, as a `Duration`.
package enum Disturbance<Time: Hashable & Sendable>: Hashable, Sendable {
  /// A buffer underrun, with its time if known.
  case underrun(at: Time?)
  case moved(to: String)
  /// The sink was suspended by another program or the server.
  case suspended
  case resumed
  /// The sink or the stream was muted, or its volume set to zero.
  case muted
  case unmuted
  case volumeChanged(to: SpeakerVolume)
  /// A playback shift: the rest sounds this much later (negative: earlier) than onset and frame count imply.
  case shifted(by: Duration)
  case otherProgram(String)
  /// A disturbance written by another version of the station, by its code.
  case other(String)

  /// The same disturbance with its time converted.
  package func map<Other>(_ change: (Time) -> Other) -> Disturbance<Other> {
    switch self {
    case .underrun(let time): .underrun(at: time.map(change))
    case .moved(let sink): .moved(to: sink)
    case .suspended: .suspended
    case .resumed: .resumed
    case .muted: .muted
    case .unmuted: .unmuted
    case .volumeChanged(let volume): .volumeChanged(to: volume)
    case .shifted(let slip): .shifted(by: slip)
    case .otherProgram(let name): .otherProgram(name)
    case .other(let code): .other(code)
    }
  }
}

extension Disturbance: Decodable, Encodable, FormedInJSON, TaggedInJSON, FlatInJSON where Time == Duration {
  package static var jsonTag: String { "what" }

  private enum CodingKeys: String, CodingKey {
    case underrun, moved, shifted, suspended, resumed, muted, unmuted, otherProgram
    case volumeChanged = "volume"
    case other = "unknown"
  }

  private enum MovedCodingKeys: String, CodingKey { case to = "sink" }
  private enum VolumeChangedCodingKeys: String, CodingKey { case to = "volume" }
  private enum OtherProgramCodingKeys: String, CodingKey { case _0 = "program" }
  private enum OtherCodingKeys: String, CodingKey { case _0 = "what" }
}

extension Disturbance: CustomStringConvertible where Time == Duration {
  /// The message: `buffer underrun at 1500.25 ms`.
  package var description: String {
    switch self {
    case .underrun(let time): "buffer underrun" + (time.map { " at \($0.milliseconds) ms" } ?? "")
    case .moved(let sink): "moved to the sink “\(sink.visible)”"
    case .suspended: "sink suspended"
    case .resumed: "sink resumed"
    case .muted: "muted"
    case .unmuted: "unmuted"
    case .volumeChanged(let volume): "volume changed to \(volume)"
    case .shifted(let slip): "playback shifted by \(Double(slip.nanoseconds / 1000) / 1000) ms"
    case .otherProgram(let name): "“\(name.visible)” plays through the same sink"
    case .other(let code): code.visible
    }
  }
}
