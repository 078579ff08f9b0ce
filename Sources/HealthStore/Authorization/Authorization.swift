package import Basics
import Quantities

/// What was decided about a client and a type, with HealthKit's numbers.
package enum AuthorizationStatus: Int64, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Not decided yet.
  case notDetermined = 0
  /// It may not.
  case sharingDenied = 1
  /// It may.
  case sharingAuthorized = 2

  /// The word that commands use.
  package var description: String {
    switch self {
    case .notDetermined: "not determined"
    case .sharingDenied: "denied"
    case .sharingAuthorized: "authorized"
    }
  }
}

/// Whether asking would decide anything, as far as a client may know.
package enum AuthorizationRequestStatus: Int, Hashable, Sendable {
  /// Something has not been decided.
  case shouldRequest = 1
  /// Everything has been decided, one way or the other.
  case unnecessary = 2
}

/// What a client may do with a type; only the operator sees both.
package struct Authorization: Hashable, Sendable {
  /// Whether it may save and delete its own samples.
  package var share: AuthorizationStatus
  /// Whether it may read the samples of others.
  package var read: AuthorizationStatus

  /// A decision.
  package init(share: AuthorizationStatus = .notDetermined, read: AuthorizationStatus = .notDetermined) {
    self.share = share
    self.read = read
  }
}

/// One thing that a client did, or wanted to do.
package struct AuditEntry: Hashable, Sendable {
  /// What it was.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    /// It saved samples.
    case save
    /// It deleted samples.
    case delete
    /// It asked for samples, changes or statistics.
    case read
  }

  /// What came of it.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It was done.
    case allowed
    /// It was refused; a reader got its own samples only, and was not told.
    case denied
    /// It was refused because no decision had been made.
    case notDetermined
  }

  /// When.
  package let time: WallTime
  /// Who.
  package let client: String
  /// What.
  package let action: Action
  /// With what.
  package let type: SampleType
  /// What came of it.
  package let outcome: Outcome
}
