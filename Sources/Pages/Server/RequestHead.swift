/// The head of a request, as far as a page's server reads it.
package struct RequestHead: Hashable, Sendable {
  var method: String
  /// The path of the address, without what follows a question mark.
  var path: String
  /// The fields that decide on a request, by their names in lower case.
  ///
  /// One that is sent twice has no value, since neither can be believed.
  var fields: [String: String?]

  /// The names of those fields.
  static let read = ["host", "origin", "authorization", "content-type", "sec-fetch-site", "sec-fetch-dest"]

  /// The value of a field; `nil` where it is missing or was sent twice.
  subscript(field: String) -> String? { fields[field] ?? nil }

  /// Whether a field is there, with one value or several.
  func has(_ field: String) -> Bool { fields.keys.contains(field) }
}

/// Who may ask a server for what: decided by a request's head alone.
package struct RequestGate: Sendable {
  /// The port that the server listens at.
  let port: UInt16
  let token: PageToken
  /// What the addresses of the page's stream and messages begin with.
  let name: String

  /// What a request asks for.
  enum Wish: Hashable, Sendable {
    /// A file of the page, by its path; it needs no token.
    case file
    case stream
    /// It brings a message.
    case message
  }

  /// The maximum length of a message, in bytes: a page of 100 questions has room for texts of 10,000 characters each.
  static let maxMessage = 4 << 20
  /// How much is read of a longer one, so that its sender hears why it is refused.
  static let maxRefused = 16 << 20

  /// Decides on a request.
  ///
  /// Names of other hosts are refused, since a page of theirs could have made them mean this computer (DNS rebinding), and
  /// so is what a page of another origin asks.
  ///
  /// - Returns: what it may have.
  /// - Throws: ``RequestRefusal``.
  func admit(_ head: RequestHead) throws(RequestRefusal) -> Wish {
    guard let host = head["host"], host == "127.0.0.1:\(port)" || host == "localhost:\(port)" else {
      throw RequestRefusal(status: 403, reason: "the field Host names another computer")
    }
    let isPost = head.method == "POST"
    if head.has("origin") || isPost, head["origin"] != "http://\(host)" {
      throw RequestRefusal(status: 403, reason: "it comes from a page of another origin")
    }
    // The file that leads a browser here links to “/”, which is served without a token: other sites may link to it too.
    let isLink = head.path == "/" && head["sec-fetch-dest"] == "document"
    if let site = head["sec-fetch-site"], site != "same-origin", site != "none", !isLink {
      throw RequestRefusal(status: 403, reason: "it comes from a page of another site")
    }
    let wish: Wish =
      switch head.path {
      case "/\(name)/stream": .stream
      case "/\(name)/message": .message
      default: .file
      }
    guard head.method == (wish == .message ? "POST" : "GET") else {
      throw RequestRefusal(status: 405, reason: "the method is not for this address")
    }
    guard wish != .file else { return wish }
    guard let given = head["authorization"], token.isMeant(by: given) else {
      throw RequestRefusal(status: 401, reason: "the token is not that of the page")
    }
    if wish == .message, head["content-type"] != "application/json" {
      throw RequestRefusal(status: 415, reason: "a message is application/json")
    }
    return wish
  }
}

/// Why a request is not answered.
struct RequestRefusal: Error, Hashable {
  /// The status of HTTP.
  var status: UInt32
  var reason: String
}
