package import Basics

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

  /// Creates the permissions of a program.
  package init(client: String, type: SampleType, authorization: Authorization) {
    (self.client, self.type, self.authorization) = (client, type, authorization)
  }

  /// The permissions in words.
  package var description: String {
    "\(client.visible): \(type): save \(authorization.share.word), read \(authorization.read.word)"
  }

  /// The permissions as JSON.
  package var json: JSONValue {
    [
      "client": .string(client), "type": .string(type.healthKitIdentifier),
      "share": .string(authorization.share.word), "read": .string(authorization.read.word),
    ]
  }

  /// Permissions as a table.
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
