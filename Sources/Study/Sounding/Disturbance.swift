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
  /// What another version of the station has told, in its words.
  case other(what: String, detail: String?)

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
    case .other(let what, let detail): .other(what: what, detail: detail)
    }
  }
}

extension Disturbance<Duration> {
  /// The word that a journal has for it: `underrun`.
  package var what: String { words.what }

  /// What a journal says of it beside the word: `at 1500.25 ms`.
  package var detail: String? { words.detail }

  private var words: (what: String, detail: String?) {
    switch self {
    case .underrun(let time): ("underrun", time.map { "at \($0.milliseconds) ms" })
    case .moved(let sink): ("moved", sink)
    case .suspended: ("suspended", nil)
    case .resumed: ("resumed", nil)
    case .muted: ("muted", nil)
    case .unmuted: ("unmuted", nil)
    case .volumeChanged(let volume): ("volume", "\(volume)")
    case .slipped(let slip): ("slipped", "by \(Self.microseconds(slip)) ms")
    case .otherProgram(let name): ("otherProgram", name)
    case .other(let what, let detail): (what, detail)
    }
  }

  /// A slip in milliseconds, down to whole microseconds, as what measures it deserves.
  private static func microseconds(_ slip: Duration) -> Double { Double(slip.nanoseconds / 1000) / 1000 }

  /// What a journal's words say; those that would not be written again byte for byte are kept as they are.
  package init(what: String, detail: String?) {
    if let read = Self.read(what, detail), read.words == (what, detail) {
      self = read
    } else {
      self = .other(what: what, detail: detail)
    }
  }

  private static func read(_ what: String, _ detail: String?) -> Self? {
    switch what {
    case "underrun":
      guard let detail else { return .underrun(at: nil) }
      return milliseconds(detail, after: "at ").map { .underrun(at: $0) }
    case "moved": return detail.map { .moved(to: $0) }
    case "suspended": return .suspended
    case "resumed": return .resumed
    case "muted": return .muted
    case "unmuted": return .unmuted
    case "volume": return detail.flatMap { SpeakerVolume($0) }.map { .volumeChanged(to: $0) }
    case "slipped": return detail.flatMap { milliseconds($0, after: "by ") }.map { .slipped(by: $0) }
    case "otherProgram": return detail.map { .otherProgram($0) }
    default: return nil
    }
  }

  /// The time in `at 1500.25 ms`, in whole nanoseconds.
  private static func milliseconds(_ text: String, after word: String) -> Duration? {
    guard text.hasPrefix(word), text.hasSuffix(" ms") else { return nil }
    guard let number = Double(text.dropFirst(word.count).dropLast(3)), number.magnitude < 9e9 else { return nil }
    return .nanoseconds(Int64((number * 1e6).rounded()))
  }
}
