package import Basics

/// One row of the outbox: a bundle, and a destination that it is to reach.
package struct OutboxItem: Hashable, Sendable {
  /// What identifies a row.
  package struct Key: Hashable, Sendable {
    package var destination: OutboxDestination
    /// The trial's identifier.
    package var trial: String
  }

  /// What has become of a bundle at its destination.
  package enum State: Int, CaseIterable, Sendable {
    /// It is to be sent, perhaps again.
    case waiting = 0
    /// It was refused, and is not sent again before someone asks for it.
    case parked = 1
    case sent = 2

    /// The word in listings and in JSON.
    package var name: String {
      switch self {
      case .waiting: "waiting"
      case .parked: "parked"
      case .sent: "sent"
      }
    }
  }

  /// The bundle and the destination.
  package var key: Key
  /// The bundle's folder; in a results folder relative to that, so that the whole may be moved.
  package var path: String
  package var state = State.waiting
  /// How often sending it was tried.
  package var attempts = 0
  /// When it was added.
  package var queued: WallTime
  /// When it is to be tried next, or has arrived.
  package var due: WallTime
  /// When it was last tried.
  package var tried: WallTime?
  /// Why it was not sent at the last attempt, as a code; `nil` if it was, or was not tried.
  package var problem: String?
  /// The same in words.
  package var reason: String?
  /// How its arrival was confirmed, as a code; `nil` before that.
  package var confirmation: String?
  /// What the destination said about it: the receipt.
  package var receipt: String?

  init(key: Key, path: String, queued: WallTime) {
    (self.key, self.path, self.queued, self.due) = (key, path, queued, queued)
  }
}

/// Where bundles are sent, and in which form.
package struct OutboxDestination: Hashable, Sendable {
  /// The address: a URL without a password, or a folder.
  package var address: String
  /// The form in which bundles are sent there, as a code.
  package var form: String
}

/// Until when a destination that did not answer is left alone.
package struct OutboxHold: Hashable, Sendable {
  /// How many attempts in a row it has not answered.
  var failures: Int
  /// When it is to be tried again.
  package var until: WallTime

  /// Whether the destination asked for it, rather than that it was not reached.
  package var isRequested: Bool
}

/// How many bundles a destination has in each state.
package struct OutboxCount: Hashable, Sendable {
  package let destination: OutboxDestination
  /// Those to be sent.
  package let waiting: Int
  /// Those that were refused.
  package let parked: Int
  /// Those that have arrived.
  package let sent: Int
  /// Until when the destination is left alone; `nil` if it is not.
  package let hold: OutboxHold?
}
