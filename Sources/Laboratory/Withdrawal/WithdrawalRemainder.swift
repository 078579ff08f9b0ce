/// What a withdrawal does not reach and a person has to remove.
package enum WithdrawalRemainder: Hashable, Sendable {
  /// Trials or records that cannot be read, and may be the participant's.
  case unreadable([String])
  /// Stores that a rebuild kept, which still have the samples.
  case oldStores([String])
  /// The participant is still in other studies.
  case otherStudies([String])
  /// Bundles were sent to these destinations.
  case sent([String])
  /// The store or the list is on a server, whose files, logs, replicas and backups are its administrator's.
  case server
  /// Copies: exports, reports, charts, other results folders, other stations, backups and the trash.
  case copies
  /// What was removed may remain readable on the disk until its blocks are used again.
  case disk

  /// The case's name for programs.
  package var code: String {
    switch self {
    case .unreadable: "unreadable"
    case .oldStores: "oldStores"
    case .otherStudies: "otherStudies"
    case .sent: "sent"
    case .server: "server"
    case .copies: "copies"
    case .disk: "disk"
    }
  }

  /// What it names: paths or studies.
  package var names: [String] {
    switch self {
    case .unreadable(let names), .oldStores(let names), .otherStudies(let names), .sent(let names): names
    case .server, .copies, .disk: []
    }
  }

  /// What there is, and what to do.
  package var description: String {
    let list = names.map { "“\($0)”" }.joined(separator: ", ")
    return switch self {
    case .unreadable: "cannot be read, and may be of this participant: \(list); look at them by hand"
    case .oldStores: "old stores that a rebuild kept still have the samples: \(list); remove them"
    case .otherStudies: "the participant remains in other studies: \(list); leave --study out to remove all"
    case .sent: "bundles of the participant were sent, or may have been, to: \(list); have them removed there"
    case .server:
      "on the server the rows are deleted; its logs, replicas and backups belong to its administrator"
    case .copies:
      "exports, reports, charts, copies of bundles, backups, the trash, other results folders, and stores and lists of other "
        + "stations are not touched"
    case .disk:
      "until their blocks are used again, deleted files may be recovered from the disk; an encrypted disk prevents that"
    }
  }
}
