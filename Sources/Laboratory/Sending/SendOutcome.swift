/// What became of an attempt to send a bundle.
package enum SendOutcome: Hashable, Sendable {
  /// It has arrived.
  case sent(Confirmation, receipt: String?)
  /// It was refused, and would be refused again.
  case refused(SendProblem, Scope)
  /// It was not sent, which may be different later, and not before the destination's time.
  case failed(SendProblem, Scope, wait: Duration?)

  /// Whether it has arrived.
  var isSent: Bool {
    if case .sent = self { true } else { false }
  }

  /// What an outcome says about other bundles for the same destination.
  package enum Scope: Sendable {
    /// Nothing: the next one is sent.
    case bundle
    /// The destination does not answer as it should: it is left alone for a while.
    case destination
    /// The address, the token or the certificates have to be corrected: nothing else is sent this time.
    case settings
  }
}

/// How the arrival of a bundle was confirmed.
package enum Confirmation: String, Sendable {
  /// The receiver's receipt has the digest of the bundle.
  case receipt
  /// The destination computed the same checksum.
  case checksum
  /// What was written was read again, and is the same.
  case readBack
  /// A status of success is all that the destination says; a bundle may arrive there more than once.
  case status
}

/// What a server says of an answer that is no success.
package enum ServerWords: Hashable, Sendable {
  /// Its words.
  case said(String)
  /// It may repeat a secret of the request.
  case withheld
}

/// Why a bundle was not sent.
package enum SendProblem: Error, Hashable, Sendable {
  /// There was no complete answer.
  case transfer(TransferFault)
  /// The server answered with this status, and perhaps with words of its own.
  case status(Int, detail: ServerWords?)
  /// The server names another address, of this host.
  case redirect(Int, host: String?)
  /// The server's success has no receipt.
  case noReceipt(Int)
  /// The receipt is for something else: the member that differs.
  case otherReceipt(member: String)
  /// The destination holds other data under the name of the bundle.
  case taken
  /// What was read back is not what was written.
  case otherContent
  /// There is no bundle any more.
  case bundleMissing
  /// The bundle cannot be read, with the reason.
  case bundleUnreadable(String)
  /// A file of the bundle is not what its manifest says.
  case bundleChanged(file: String)
  /// There is no such folder to send to.
  case noFolder(String)
  /// A file at the destination could not be used, with the reason.
  case file(String)

  /// A word for programs.
  package var code: String {
    switch self {
    case .transfer(let fault): fault.kind.rawValue
    case .status(let status, _): "status\(status)"
    case .redirect: "redirect"
    case .noReceipt: "noReceipt"
    case .otherReceipt: "otherReceipt"
    case .taken: "taken"
    case .otherContent: "otherContent"
    case .bundleMissing: "bundleMissing"
    case .bundleUnreadable: "bundleUnreadable"
    case .bundleChanged: "bundleChanged"
    case .noFolder: "noFolder"
    case .file: "file"
    }
  }
}
