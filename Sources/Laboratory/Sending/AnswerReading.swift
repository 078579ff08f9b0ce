import Basics

/// What an answer of a server means for a bundle.
enum AnswerReading: Sendable {
  /// How much content of an answer is read, in bytes.
  static let maxAnswerLength = 1 << 20

  /// The longest words of a server that are kept, in characters.
  private static let maxDetailLength = 300

  /// What a status that is no success means; `nil` for a success (2xx).
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - now: the time, for a `Retry-After` that is a date where the server gives no date of its own.
  /// - Returns: what became of the bundle.
  static func failure(_ answer: HTTPAnswer, at now: WallTime) -> SendOutcome? {
    let problem = SendProblem.status(answer.status, detail: detail(of: answer))
    let wait = RetryAfter.wait(answer.headers, at: now)
    switch answer.status {
    case 200..<300: return nil
    case 300..<400:
      let host = answer.headers["location"].flatMap(answer.quoted).flatMap { URLParts($0)?.host }
      return .refused(.redirect(answer.status, host: host), .settings)
    case 401, 403, 404, 405, 407: return .refused(problem, .settings)
    case 408, 409, 425, 500, 501, 505...: return .failed(problem, wait == nil ? .bundle : .destination, wait: wait)
    case 429, 502, 503, 504: return .failed(problem, .destination, wait: wait)
    case 400..<500: return .refused(problem, .bundle)
    default: return .failed(problem, .bundle, wait: wait)
    }
  }

  /// What a fault means.
  static func failure(_ fault: TransferFault) -> SendOutcome {
    switch fault.kind {
    case .connection, .timeout: .failed(.transfer(fault), .destination, wait: nil)
    case .certificate, .configuration, .cancelled: .failed(.transfer(fault), .settings, wait: nil)
    case .tooLong: .failed(.transfer(fault), .bundle, wait: nil)
    case .reading: .failed(.transfer(fault), .bundle, wait: nil)
    }
  }

  /// The server's own words: title and detail of a problem document (RFC 9457).
  private static func detail(of answer: HTTPAnswer) -> ServerWords? {
    guard answer.headers["content-type"]?.lowercased().hasPrefix("application/problem+json") == true,
      let document = try? JSONReader.read(answer.body).value
    else { return nil }
    let words = [document["title"]?.string, document["detail"]?.string].compactMap(\.self)
    let errors = (document["errors"]?.array ?? []).prefix(3).compactMap { error -> String? in
      guard let detail = error["detail"]?.string else { return nil }
      return (error["pointer"]?.string).map { "\($0): \(detail)" } ?? detail
    }
    let text = (words + errors).joined(separator: "; ")
    if text.isEmpty { return nil }
    // More than is kept: a secret may be cut.
    return answer.quoted(String(text.prefix(10 * maxDetailLength))).map { .said(String($0.prefix(maxDetailLength))) }
      ?? .withheld
  }
}

/// `Retry-After` (RFC 9110, 10.2.3): a number of seconds or a date.
enum RetryAfter: Sendable {
  /// How long a server asks to wait; `nil` if it does not.
  ///
  /// A date is compared with the server's own `Date`, so that a difference between the two clocks does not matter.
  static func wait(_ headers: [String: String], at now: WallTime) -> Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
    guard let date = date(text) else { return nil }
    let wait = (headers["date"].flatMap(self.date) ?? now).duration(to: date)
    return max(wait, .zero)
  }

  /// Reads an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`, and the form of RFC 850.
  static func date(_ text: String) -> WallTime? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.split(whereSeparator: { $0 == " " || $0 == "-" })
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
      let month = months.firstIndex(of: String(words[2])),
      let number = Int(words[3])
    else { return nil }
    let year = words[3].count == 2 ? (number < 70 ? 2000 : 1900) + number : number
    func digits(_ value: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
    }
    return WallTime("\(digits(year, 4))-\(digits(month + 1, 2))-\(digits(day, 2))T\(words[4])Z")
  }
}
