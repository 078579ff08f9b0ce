import Quantities

/// When a journal is brought to the disk: at a boundary at once, otherwise at most once in a while.
struct SyncPolicy {
  /// What is to be done now.
  enum Decision: Equatable {
    case now
    case at(Moment)
    case nothing
  }

  /// The least time between two that no boundary asks for.
  let interval: Duration

  private var last: Moment?

  init(interval: Duration = .seconds(1)) { self.interval = interval }

  /// What to do after something was written.
  func decide(isUnsynced: Bool, isUrgent: Bool, now: Moment) -> Decision {
    guard isUnsynced else { return .nothing }
    guard !isUrgent, let last, now < last.advanced(by: interval) else { return .now }
    return .at(last.advanced(by: interval))
  }

  /// Takes note that the disk was waited for.
  mutating func synchronized(at now: Moment) { last = now }
}
