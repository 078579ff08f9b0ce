import Basics
package import Quantities

/// A recording during a step; the station determines its sensor.
package struct RecorderConfiguration: Hashable, Sendable {
  /// The maximum number of recorders of a step, and of those that a protocol has for all of its steps.
  static let maxCount = 100

  /// The recorder's identifier, unique in its protocol.
  package var identifier: String
  /// The quantity to record.
  package var quantityType: QuantityType
  /// The unit of the written values.
  package var unit: Unit
  /// How long after the step's end the recorder accepts samples whose time lies within the step.
  package var settle: Duration
  /// The participant's motion context, as the protocol declares it: the station does not measure it.
  package var motionContext: Metadata.MotionContext
  /// How long it records.
  package var scope = Scope.step
  /// The words at the ends of the scale of a continuous rating, by percent.
  package var anchors: [Int: String] = [:]

  /// How long a recorder records.
  package enum Scope: String, Sendable, CaseIterable, Codable {
    /// While its step is active.
    case step
    /// From the beginning of a trial to its end.
    case trial
    /// From the beginning of a session to its end, through all its trials.
    case session
  }

  /// Whether it records heart rates or RR intervals, which share a file of the bundle.
  package var isOfHeartbeats: Bool { QuantityType.ofHeartbeats.contains(quantityType) }

  /// The names of a bundle's own files, in lower case: what is recorded in a file of its own cannot have them.
  static let reservedNames = ["heart", "result", "events", "journal", "protocol", "clip", "waveforms"]

  /// Whether a bundle can have a file of the recorder's name.
  var namesFile: Bool {
    isOfHeartbeats
      || !Self.reservedNames.contains(identifier.lowercased()) && !identifier.contains("/")
        && !identifier.hasPrefix(".") && identifier.utf8.count <= 64
  }

  package init(
    identifier: String, quantityType: QuantityType, unit: Unit, settle: Duration = .seconds(3),
    motionContext: Metadata.MotionContext = .notSet
  ) {
    self.motionContext = motionContext
    self.identifier = identifier
    self.quantityType = quantityType
    self.unit = unit
    self.settle = settle
  }
}

extension RecorderConfiguration: FlatInJSON {
  private enum CodingKeys: String, CodingKey {
    case identifier, quantityType, unit, settle, motionContext, scope
  }

  /// Decodes a configuration from a journal.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let type = try members.decode(String.self, forKey: .quantityType)
    guard let quantityType = QuantityType(healthKit: type) else {
      throw DecodingError.dataCorruptedError(
        forKey: .quantityType, in: members, debugDescription: "no sensor records a quantity type “\(type)”")
    }
    let symbol = try members.decode(String.self, forKey: .unit)
    guard let unit = try? Unit(symbol), unit.isCompatible(with: quantityType.defaultUnit) else {
      throw DecodingError.dataCorruptedError(
        forKey: .unit, in: members, debugDescription: "“\(symbol)” is not a unit of \(quantityType)")
    }
    let settle = try members.decode(Duration.self, forKey: .settle)
    guard settle >= .zero else {
      throw DecodingError.dataCorruptedError(
        forKey: .settle, in: members, debugDescription: "“settle_ns” is negative")
    }
    self.init(
      identifier: try members.decode(String.self, forKey: .identifier), quantityType: quantityType, unit: unit,
      settle: settle,
      motionContext: try members.decodeIfPresent(Metadata.MotionContext.self, forKey: .motionContext) ?? .notSet)
    scope = try members.decodeIfPresent(Scope.self, forKey: .scope) ?? .step
    guard namesFile else {
      throw DecodingError.dataCorruptedError(
        forKey: .identifier, in: members, debugDescription: "“\(identifier)” cannot be the name of a file of samples")
    }
  }

  /// Encodes the configuration.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(identifier, forKey: .identifier)
    try members.encode(quantityType.identifier, forKey: .quantityType)
    try members.encode(unit.symbol, forKey: .unit)
    try members.encode(settle, forKey: .settle)
    try members.encodeIfPresent(scope == .step ? nil : scope, forKey: .scope)
    try members.encodeIfPresent(motionContext == .notSet ? nil : motionContext, forKey: .motionContext)
  }
}

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
