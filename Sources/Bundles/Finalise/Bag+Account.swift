import Basics

extension Bag {
  /// The bag of a trial's bundle.
  init(of trial: TrialIdentifier, _ account: TrialAccount, _ payload: [PayloadDigest]) {
    let end = account.opening.zero.wall.advanced(by: account.end)
    let version = String(account.opening.station.version.map { $0.isNewline ? " " : $0 })
    self.init(
      payload: payload,
      labels: [
        ("Bag-Software-Agent", "station \(version)"), ("Bagging-Date", String(end.description.prefix(10))),
        ("External-Identifier", trial.description),
      ])
  }

  /// Writes the tag files into a bundle's folder.
  func writeTags(in folder: String) throws(FileError) {
    for (name, bytes) in tagFiles { try File.create("\(folder)/\(name)", bytes, isPrivate: true) }
  }
}
