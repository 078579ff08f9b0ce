package import Basics
import Quantities

/// The decision about a client and a sample type, with HealthKit's raw values.
package enum AuthorizationStatus: Int64, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The operator has not decided yet.
  case notDetermined = 0
  case sharingDenied = 1
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
enum AuthorizationRequestStatus: Int, Hashable, Sendable {
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

  init(share: AuthorizationStatus = .notDetermined, read: AuthorizationStatus = .notDetermined) {
    self.share = share
    self.read = read
  }
}

/// An access, or an attempted access, of a client.
package struct AuditEntry: Hashable, Sendable {
  /// The kind of access.
  enum Action: String, Hashable, Sendable, CaseIterable {
    /// The client saved samples.
    case save
    /// The client deleted samples.
    case delete
    /// The client queried samples, changes or statistics.
    case read
  }

  /// The store's response.
  enum Outcome: String, Hashable, Sendable, CaseIterable {
    case allowed
    /// Refused; a reader receives only its own samples, and no error.
    case denied
    /// Refused because the operator has not decided yet.
    case notDetermined
  }

  /// The wall-clock time of the access.
  let time: WallTime
  /// The client's name.
  let client: String
  /// The kind of access.
  let action: Action
  let type: SampleType
  /// The store's response.
  let outcome: Outcome
}

extension AuthorizationStatus {
  /// The word for it in options and listings: `yes`, `no`, `ask`.
  package var word: String {
    switch self {
    case .sharingAuthorized: "yes"
    case .sharingDenied: "no"
    case .notDetermined: "ask"
    }
  }
}

/// The permissions of one program for one type.
package struct Permission: Sendable, CustomStringConvertible {
  private let client: String
  private let type: SampleType
  private let authorization: Authorization

  package init(client: String, type: SampleType, authorization: Authorization) {
    (self.client, self.type, self.authorization) = (client, type, authorization)
  }

  /// The permissions in words.
  package var description: String {
    "\(client.visible): \(type): save \(authorization.share.word), read \(authorization.read.word)"
  }

  package var json: JSONValue {
    [
      "client": .string(client), "type": .string(type.healthKitIdentifier),
      "share": .string(authorization.share.word), "read": .string(authorization.read.word),
    ]
  }

  package static func table(_ permissions: [Permission]) -> TextTable {
    var table = TextTable([("program", .left), ("type", .left), ("save", .left), ("read", .left)])
    for one in permissions {
      table.add([one.client, "\(one.type)", one.authorization.share.word, one.authorization.read.word])
    }
    return table
  }
}

extension SampleStore {
  /// All permissions, sorted by program and type.
  package func permissions() async throws -> [Permission] {
    try await authorizations().sorted { $0.key < $1.key }.flatMap { client, decided in
      decided.sorted { "\($0.key)" < "\($1.key)" }.map { type, authorization in
        Permission(client: client, type: type, authorization: authorization)
      }
    }
  }
}

extension AuditEntry {
  /// The access as JSON.
  package var json: JSONValue {
    [
      "time": .string(time.precise), "client": .string(client),
      "action": .string(action.rawValue), "type": .string(type.healthKitIdentifier),
      "outcome": .string(outcome.rawValue),
    ]
  }

  /// Accesses as a table.
  package static func table(_ entries: [AuditEntry]) -> TextTable {
    var table = TextTable([("time", .left), ("client", .left), ("action", .left), ("type", .left), ("outcome", .left)])
    for entry in entries {
      table.add([
        "\(entry.time)", entry.client.visible, entry.action.rawValue, "\(entry.type)",
        entry.outcome.rawValue,
      ])
    }
    return table
  }
}
