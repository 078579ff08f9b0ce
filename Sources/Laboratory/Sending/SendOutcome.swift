import Basics

/// What became of an attempt to send a bundle.
package enum SendOutcome: Hashable, Sendable {
  case sent(Confirmation, receipt: String?)
  /// It was refused, and would be refused again.
  case refused(SendProblem, Scope)
  /// It was not sent, which may be different later, and not before the destination's time.
  case failed(SendProblem, Scope, wait: Duration?)

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
  var code: String {
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

extension SendProblem: CustomStringConvertible {
  /// What failed, why, and what to do, for people.
  package var description: String {
    switch self {
    case .transfer(let fault): Self.description(of: fault)
    case .status(let status, let detail):
      "the server answered \(status)\(Self.meaning(of: status))" + (detail.map(Self.description) ?? "")
        + Self.advice(for: status)
    case .redirect(let status, let host):
      "the server answered \(status) and names another address" + (host.map { " at \($0.visible)" } ?? "")
        + ", which is not followed; send to that address itself if you trust it"
    case .noReceipt(let status):
      "the server answered \(status) without a receipt; is this the receiver's address?"
    case .otherReceipt(let member): "the server's receipt has another “\(member)” than the bundle"
    case .taken: "the destination holds other data under this trial's name; remove or rename them there"
    case .otherContent: "what was read back is not what was written"
    case .bundleMissing: "the bundle is no longer there"
    case .bundleUnreadable(let reason): "the bundle cannot be read: \(reason.visible)"
    case .bundleChanged(let file):
      "“\(file.visible)” is not what the bundle's manifest says; see “station verify”"
    case .noFolder(let path): "there is no folder “\(path.visible)”; mount the share, or make the folder"
    case .file(let reason): reason
    }
  }

  private static func description(of words: ServerWords) -> String {
    switch words {
    case .said(let text): ": \(text.visible)"
    case .withheld: "; its explanation is not shown, because it may repeat the token"
    }
  }

  private static func description(of fault: TransferFault) -> String {
    let reason = fault.reason.visible
    return switch fault.kind {
    case .connection: "no complete answer from the server: \(reason)"
    case .timeout: "the server did not go on: \(reason)"
    case .certificate:
      "the server's certificate was not accepted: \(reason); a laboratory's own authority is named with --ca"
    case .tooLong: reason
    case .reading: reason
    case .configuration: "the request could not be made: \(reason)"
    case .cancelled: "sending was interrupted"
    }
  }

  /// The usual name of a status, in parentheses.
  private static func meaning(of status: Int) -> String {
    let names = [
      400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed",
      407: "proxy authentication required", 408: "timeout", 409: "conflict", 411: "length required",
      412: "precondition failed", 413: "too large", 415: "unsupported form", 422: "not accepted", 425: "too early",
      429: "too many requests", 500: "internal error", 501: "not implemented", 502: "bad gateway", 503: "unavailable",
      504: "gateway timeout", 507: "its disk is full",
    ]
    return names[status].map { " (\($0))" } ?? ""
  }

  private static func advice(for status: Int) -> String {
    switch status {
    case 401, 403: "; check the token, see “station send --help”"
    case 404, 405: "; check the address"
    case 413: "; the server takes no bundle of this size"
    case 415: "; choose another --format"
    default: ""
    }
  }
}
