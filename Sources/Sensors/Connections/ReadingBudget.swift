import Synchronization

/// The pace at which all sources are read together; those that send more than can be read share it equally.
///
/// A source that keeps within its share is not held back by others.
final class ReadingBudget: Sendable {
  /// The budget of all sensors of the program.
  static let shared = ReadingBudget(.standard)

  let pace: ReadingPace

  /// Until when each source is held back, in nanoseconds of real time.
  private let heldBack = Mutex<[ObjectIdentifier: Int64]>([:])

  /// How long a source that was held back counts as one that sends too much.
  private static let memory: Int64 = 1_000_000_000

  init(_ pace: ReadingPace) { self.pace = pace }

  /// The budget of a pace: that of all sensors, or one of its own for another pace.
  static func of(_ pace: ReadingPace) -> ReadingBudget { pace == .standard ? shared : ReadingBudget(pace) }

  /// Among how many sources the pace is divided: a source, and the others that send too much.
  func sharers(with source: ObjectIdentifier, now: Int64) -> Int {
    heldBack.withLock { heldBack in
      heldBack = heldBack.filter { $0.value > now - Self.memory }
      return heldBack.count + (heldBack[source] == nil ? 1 : 0)
    }
  }

  /// Notes that a source is held back.
  func hold(_ source: ObjectIdentifier, until end: Int64) { heldBack.withLock { $0[source] = end } }
}
