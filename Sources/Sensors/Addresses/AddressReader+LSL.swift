import Basics
import Quantities

extension AddressReader {
  /// Reads what follows `lsl:`.
  func lsl(_ rest: String) throws(SensorError) -> Reading {
    let (text, options) = try split(rest, known: Self.commonOptions + ["quantity"])
    guard !text.isEmpty, !text.contains("\0") else {
      throw error("the stream is missing", "say lsl:NAME, or a predicate as in lsl:type='HeartRate'")
    }
    var settings = LSLSettings(predicate: text)
    if !text.contains("="), !text.contains("(") {
      guard let predicate = Self.predicate(ofName: text) else {
        throw error("the name has both kinds of quotation marks", "write a predicate, as in lsl:source_id='ID'")
      }
      settings.predicate = predicate
    }
    if let names = options["quantity"] {
      for name in names.split(separator: ",", omittingEmptySubsequences: false) {
        settings.quantities.append(name == "-" ? nil : try quantity(String(name)))
      }
    }
    return (.lsl(settings), try latency(options), try location(options["location"]))
  }

  /// The predicate that streams of a name meet; `nil` where it cannot be written.
  static func predicate(ofName name: String) -> String? {
    guard let mark = ["'", "\""].first(where: { !name.contains($0) }) else { return nil }
    return "name=\(mark)\(name)\(mark)"
  }
}
