package import Basics
import Quantities

/// The heart rates as the tutorials' programs post them: an array of objects with `hr`, `startDate` and `endDate`, all
/// strings.
///
/// Dates have the form that Swift prints, `2026-11-20 11:08:31 +0000`, and therefore whole seconds.
package enum TutorialJSON: Sendable {
  /// The media type.
  package static let type = "application/json"

  /// The heart rates of a bundle, in the order of its heart file.
  ///
  /// - Throws: ``SendProblem`` for heart data that cannot be read.
  package static func bytes(of bundle: OutgoingBundle) throws(SendProblem) -> [UInt8] {
    let bytes = try bundle.contents(of: BundleFiles.heart)
    let items: [JSONValue]
    do throws(JSONProblems) {
      items = try JSONReader.read(bytes).value["items"]?.array ?? []
    } catch {
      throw .bundleUnreadable("“\(BundleFiles.heart)” is not JSON: \(error)")
    }
    return JSONValue.array(items.compactMap(row)).encoded(pretty: true)
  }

  /// An item of a heart file or a store; `nil` for one that is not a heart rate.
  package static func row(_ item: JSONValue) -> JSONValue? {
    guard let type = item["type"]?.string, QuantityType(healthKit: type) == .heartRate,
      let value = item["value"]?.number, let symbol = item["unit"]?.string, let unit = try? Unit(symbol),
      unit.isCompatible(with: .countPerMinute), let end = (item["endDate"]?.string).flatMap(WallTime.init)
    else { return nil }
    let start = (item["startDate"]?.string).flatMap(WallTime.init) ?? end
    let rate = unit == .countPerMinute ? value : unit.convert(value, to: .countPerMinute)
    return ["hr": .string("\(rate)"), "startDate": .string(date(start)), "endDate": .string(date(end))]
  }

  private static func date(_ time: WallTime) -> String {
    let text = time.precise
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000"
  }
}

/// The files of a bundle that are sent as JSON.
enum BundleFiles: Sendable {
  static let heart = "data/heart.json"
  static let result = "data/result.json"
}
