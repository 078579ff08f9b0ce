import Basics

/// Where bundles are sent, and in which form.
package struct Destination: Hashable, Sendable {
  /// The form in which bundles are sent.
  package enum Form: String, CaseIterable, Sendable {
    /// The whole bundle, to a receiver that answers with a receipt.
    case bundle
    /// The heart rates as the tutorials post them.
    case json
    /// The result and the heart data as one JSON document.
    case trial = "station.trial/1"
  }

  /// A kind of destination.
  package enum Kind: Hashable, Sendable {
    case server(url: String, Form)
    /// A folder on a WebDAV server, by its URL with `http` or `https`.
    case webDAV(url: String)
    /// A bucket of an S3 server, by its URL with `http` or `https`.
    case s3(url: String)
    /// A folder, such as a network share, by its absolute path.
    case folder(String)
  }

  package let kind: Kind

  /// Reads an address; those that mean the same place are the same destination: `https://HOST/` and `https://host`.
  ///
  /// - Parameters:
  ///   - text: a URL or a folder's path.
  ///   - form: the form; `nil` for the usual one.
  ///   - isInsecure: whether other computers may be reached without TLS.
  /// - Throws: ``DestinationError``.
  package init(_ text: String, form: Form?, isInsecure: Bool) throws(DestinationError) {
    guard text.contains("://") else {
      guard form == nil || form == .bundle else { throw .formOfFolder }
      kind = .folder(Self.absolute(text))
      return
    }
    guard let parts = URLParts(text) else { throw .malformed(text) }
    guard parts.user == nil else { throw .password(parts.origin) }
    guard ["https", "davs", "s3+https"].contains(parts.scheme) || parts.isLoopback || isInsecure else {
      throw .plain(host: parts.host)
    }
    switch parts.scheme {
    case "http", "https":
      let form = form ?? .bundle
      // A document may be posted to any URL, where a slash at the end can matter.
      let path = form == .bundle ? ReceiverDelivery.base(of: parts) : parts.path == "/" ? "" : parts.path
      kind = .server(url: "\(parts.origin)\(path)\(parts.rest)", form)
    case "davs", "dav":
      guard form == nil || form == .bundle else { throw .formOfFolder }
      let url =
        (parts.scheme == "davs" ? "https" : "http") + parts.origin.dropFirst(parts.scheme.count) + parts.trimmedPath
      kind = .webDAV(url: url)
    case "s3+https", "s3+http":
      guard form == nil || form == .bundle else { throw .formOfFolder }
      guard !parts.trimmedPath.isEmpty else { throw .noBucket }
      kind = .s3(url: String(parts.origin.dropFirst(3)) + parts.trimmedPath)
    default: throw .scheme(parts.scheme)
    }
  }

  package var row: OutboxDestination {
    switch kind {
    case .server(let url, let form): OutboxDestination(address: url, form: form.rawValue)
    case .webDAV(let url): OutboxDestination(address: "dav" + url.dropFirst(4), form: "webdav")
    case .s3(let url): OutboxDestination(address: "s3+\(url)", form: "s3")
    case .folder(let path): OutboxDestination(address: path, form: "folder")
    }
  }

  /// The address for people, without what may be secret in a query.
  package var shown: String { Self.shown(row.address) }

  /// An address for people, without what may be secret in a query.
  package static func shown(_ address: String) -> String {
    guard let parts = URLParts(address), !parts.rest.isEmpty else { return address.visible }
    return "\(parts.origin)\(parts.path)?…".visible
  }

  private static func absolute(_ path: String) -> String {
    if let real = Folder.realPath(path) { return real }
    let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
    return path.hasPrefix("/") ? trimmed : "\(Folder.realPath(".") ?? ".")/\(trimmed)"
  }
}

/// Why bundles cannot be sent to an address.
package enum DestinationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not a URL.
  case malformed(String)
  /// It has a user's name or a password.
  case password(String)
  /// It would send data and token through a network without TLS.
  case plain(host: String)
  /// Its scheme is not known.
  case scheme(String)
  /// An address for S3 names no bucket.
  case noBucket
  /// A folder takes whole bundles alone.
  case formOfFolder

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .malformed(let text):
      "“\(text.visible)” is not an address: expected for example https://receiver.example.org or a folder"
    case .password(let origin):
      "an address with a name or a password is visible to every user of this computer: write \(origin), and put the "
        + "secret into a file for --token-file, or into \(AccessToken.variable)"
    case .plain(let host):
      "data and token would cross the network to “\(host.visible)” unencrypted: use https://, or --insecure to accept that"
    case .scheme(let scheme):
      "addresses with \(scheme.visible):// are not known: use https://, davs://, s3+https:// or a folder"
    case .noBucket: "an address for S3 names a bucket: s3+https://HOST/BUCKET"
    case .formOfFolder: "--format is for servers; a folder takes whole bundles"
    }
  }
}
