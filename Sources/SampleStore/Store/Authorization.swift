package import Basics
import Quantities

/// The decision about a client and a sample type, with HealthKit's raw values.
package enum AuthorizationStatus: Int64, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The operator has not decided yet.
  case notDetermined = 0
  /// Denied.
  case sharingDenied = 1
  /// Allowed.
  case sharingAuthorized = 2

  /// The name of the decision on the command line.
  package var description: String {
    switch self {
    case .notDetermined: "not determined"
    case .sharingDenied: "denied"
    case .sharingAuthorized: "authorized"
    }
  }
}

/// Whether a request could lead to a new decision, as far as the client may know.
package enum AuthorizationRequestStatus: Int, Hashable, Sendable {
  /// At least one of the types is undecided.
  case shouldRequest = 1
  /// Every type has been decided, whether allowed or denied.
  case unnecessary = 2
}

/// The permissions of a client for a type; only the operator sees both.
package struct Authorization: Hashable, Sendable {
  /// Whether the client may save and delete its own samples.
  package var share: AuthorizationStatus
  /// Whether the client may read the samples of other sources.
  package var read: AuthorizationStatus

  /// Creates the permissions of a client for a type.
  package init(share: AuthorizationStatus = .notDetermined, read: AuthorizationStatus = .notDetermined) {
    self.share = share
    self.read = read
  }
}

/// An access, or an attempted access, of a client.
package struct AuditEntry: Hashable, Sendable {
  /// The kind of access.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    /// The client saved samples.
    case save
    /// The client deleted samples.
    case delete
    /// The client queried samples, changes or statistics.
    case read
  }

  /// The store's response.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Granted.
    case allowed
    /// Refused; a reader receives only its own samples, and no error.
    case denied
    /// Refused because the operator has not decided yet.
    case notDetermined
  }

  /// The wall-clock time of the access.
  package let time: WallTime
  /// The client's name.
  package let client: String
  /// The kind of access.
  package let action: Action
  /// The type of the samples.
  package let type: SampleType
  /// The store's response.
  package let outcome: Outcome
}
