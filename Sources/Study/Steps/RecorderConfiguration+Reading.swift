import Basics
import Quantities

extension RecorderConfiguration {
  /// Reads an element of the `recorderConfigurations` of a step; `nil` after reporting a problem.
  static func read(_ place: Located) -> RecorderConfiguration? { read(place, isOfStep: true) }

  /// Reads an element of the `recorderConfigurations` of a step or of the protocol; `nil` after reporting a problem.
  static func read(_ place: Located, isOfStep: Bool) -> RecorderConfiguration? {
    guard let object = place.object("a recorder, which is an object") else { return nil }
    object.refuseKeys(beside: isOfStep ? .recorder : .widerRecorder)
    let identifier = object.required("identifier", "what results call this recorder")?.identifier()
    let type = object.required("quantityType", "what is recorded, such as “heartRate” or “skinConductance”").flatMap(
      readType)
    let unit = object["unit"].flatMap { readUnit($0, of: type) }
    let settle = object["settle_s"]?.seconds(in: 0...60)
    let motion = object["motionContext"].flatMap(readMotion)
    let anchors = object["anchors"].flatMap { readAnchors($0, of: type) }
    let scopes = Scope.allCases.filter { $0 != .step }.map(\.rawValue)
    let scope =
      isOfStep ? .step : object["scope"]?.word("how long a recorder records", among: scopes).flatMap(Scope.init)
    if !isOfStep, type == .continuousRating {
      object["quantityType"]?.report(
        "a rating belongs to a step that says what is rated; put the recorder into the step")
    }
    guard let identifier, let type else { return nil }
    var recorder = RecorderConfiguration(
      identifier: identifier, quantityType: type, unit: unit ?? type.defaultUnit, settle: settle ?? .seconds(3),
      motionContext: motion ?? .notSet)
    recorder.scope = scope ?? .session
    recorder.anchors = anchors ?? [:]
    if !recorder.namesFile {
      object["identifier"]?.report(
        "“\(identifier)” is the name of a file of every bundle, and the samples of \(type.channelName) need a file of "
          + "their own; choose another, such as “\(type.channelName)”")
    }
    return recorder
  }

  private static func readAnchors(_ place: Located, of type: QuantityType?) -> [Int: String]? {
    guard let object = place.object("an object such as {\"0\": \"calm\", \"100\": \"excited\"}") else { return nil }
    if let type, type != .continuousRating { place.report("only a continuousRating has anchors") }
    object.refuseKeys(beside: ["0", "100"]) { _ in "a rating has anchors at 0 and 100" }
    return Dictionary(
      uniqueKeysWithValues: [0, 100].compactMap { end in
        object["\(end)"]?.name("a word for this end of the scale").map { (end, $0) }
      })
  }

  private static func readMotion(_ place: Located) -> Metadata.MotionContext? {
    guard let name = place.string("how active the participant is") else { return nil }
    let known = Metadata.MotionContext.allCases.filter { $0 != .notSet }
    if let context = known.first(where: { $0.name == name }) { return context }
    place.report("\(place.node.phrase) is not a motion; \(Spelling.advice(for: name, among: known.map(\.name)))")
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
