import Basics
import Quantities

extension RecorderConfiguration {
  /// Reads an element of `recorderConfigurations`; `nil` after reporting a problem.
  static func read(_ place: Located) -> RecorderConfiguration? {
    guard let object = place.object("a recorder, which is an object") else { return nil }
    object.refuseKeys(beside: .recorder)
    let identifier = object.required("identifier", "what results call this recorder")?.identifier()
    let type = object.required("quantityType", "what is recorded, such as “heartRate” or “skinConductance”").flatMap(
      readType)
    let unit = object["unit"].flatMap { readUnit($0, of: type) }
    let settle = object["settle_s"]?.seconds(in: 0...60)
    let motion = object["motionContext"].flatMap(readMotion)
    guard let identifier, let type else { return nil }
    let recorder = RecorderConfiguration(
      identifier: identifier, quantityType: type, unit: unit ?? type.defaultUnit, settle: settle ?? .seconds(3),
      motionContext: motion ?? .notSet)
    if !recorder.namesFile {
      object["identifier"]?.report(
        "“\(identifier)” is the name of a file of every bundle, and the samples of \(type.channelName) need a file of "
          + "their own; choose another, such as “\(type.channelName)”")
    }
    return recorder
  }

  private static func readMotion(_ place: Located) -> Metadata.MotionContext? {
    guard let name = place.string("how active the participant is") else { return nil }
    let known = Metadata.MotionContext.allCases.filter { $0 != .notSet }
    if let context = known.first(where: { $0.name == name }) { return context }
    place.report("\(place.node.phrase) is no motion; \(Spelling.advice(for: name, among: known.map(\.name)))")
    return nil
  }

  private static func readType(_ place: Located) -> QuantityType? {
    guard let name = place.string("a quantity type") else { return nil }
    if let type = QuantityType(channel: name) { return type }
    let advice = Spelling.advice(
      for: name, among: QuantityType.usual.map(\.channelName),
      aliases: QuantityType.recordable.flatMap { [$0.channelName, $0.identifier, $0.healthKitIdentifier] })
    place.report(
      "\(place.node.phrase) is not a quantity type; \(advice), and HealthKit's names for them")
    return nil
  }

  private static func readUnit(_ place: Located, of type: QuantityType?) -> Unit? {
    guard let symbol = place.string("a unit") else { return nil }
    let units = type?.recordedUnits ?? QuantityType.heartRate.recordedUnits + QuantityType.rrInterval.recordedUnits
    guard let unit = try? Unit(symbol) else {
      let aliases = units.contains(.countPerMinute) ? ["bpm", "beats/min"] : []
      let advice = Spelling.advice(for: symbol, among: units.map(\.symbol), aliases: aliases)
      place.report("\(place.node.phrase) is not a unit; \(advice)")
      return nil
    }
    guard units.contains(unit) else {
      let list = units.map { "“\($0)”" }.joined(separator: ", ")
      place.report(
        "“\(unit)” is a unit of \(unit.dimension), in which \(type.map { "\($0)" } ?? "this") is not recorded; there are \(list)"
      )
      return nil
    }
    return unit
  }
}
