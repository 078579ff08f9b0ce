import Basics

/// What a database of the station holds, in the words of messages.
package enum DatabaseContents: Hashable, Sendable {
  /// The samples of a store, an index of the bundles.
  case samples
  /// The participants of studies.
  case participants

  /// The database with its file or server: `store “results/station.sqlite”`.
  func called(_ name: String) -> String {
    switch self {
    case .samples: "store “\(name.visible)”"
    case .participants: "participants' list “\(name.visible)”"
    }
  }

  /// The schema of its tables on a server.
  var schema: String {
    switch self {
    case .samples: "station"
    case .participants: "station_participants"
    }
  }

  /// What to do with a damaged one.
  var rescue: String {
    switch self {
    case .samples: "keep a copy, and rebuild it from the bundles"
    case .participants: "keep a copy, and restore it from a backup"
    }
  }
}
