import Basics
import Quantities

/// The members of a journal's JSON object, read by the type that each must have.
struct JournalFields {
  let members: [String: JSONValue]

  init(_ value: JSONValue) throws(FieldProblem) {
    guard case .object(let members) = value else { throw FieldProblem(reason: "expected an object") }
    self.members = members
  }

  func string(_ key: String) throws(FieldProblem) -> String { try known(key, try optionalString(key)) }
  func number(_ key: String) throws(FieldProblem) -> Double { try known(key, try optionalNumber(key)) }
  func bool(_ key: String) throws(FieldProblem) -> Bool { try known(key, try optionalBool(key)) }
  func object(_ key: String) throws(FieldProblem) -> JournalFields { try known(key, try optionalObject(key)) }

  /// A whole number that counts or numbers something.
  func count(_ key: String) throws(FieldProblem) -> Int { try within(Plausible.counts, key, try integer(key)) }

  /// A time since the trial's zero, before or after it.
  func time(_ key: String) throws(FieldProblem) -> Duration {
    .nanoseconds(try within(Plausible.nanoseconds, key, try integer(key)))
  }

  /// A length of time, which is not negative.
  func length(_ key: String) throws(FieldProblem) -> Duration { .nanoseconds(try count(key)) }

  func optionalString(_ key: String) throws(FieldProblem) -> String? { try read(key, "a string", \.string) }
  func optionalCount(_ key: String) throws(FieldProblem) -> Int? {
    try optionalInteger(key).map { number throws(FieldProblem) in try within(Plausible.counts, key, number) }
  }
  func optionalNumber(_ key: String) throws(FieldProblem) -> Double? { try read(key, "a number", \.number) }
  func optionalBool(_ key: String) throws(FieldProblem) -> Bool? { try read(key, "true or false", \.bool) }

  func optionalObject(_ key: String) throws(FieldProblem) -> JournalFields? {
    guard let members = try read(key, "an object", \.object) else { return nil }
    return try JournalFields(.object(members))
  }

  func objects(_ key: String) throws(FieldProblem) -> [JournalFields] {
    try array(key).map { element throws(FieldProblem) in try JournalFields(element) }
  }

  func strings(_ key: String) throws(FieldProblem) -> [String] {
    try array(key).map { element throws(FieldProblem) in try known(key, element.string) }
  }

  func numbers(_ key: String, in range: ClosedRange<Double>) throws(FieldProblem) -> [Double] {
    try array(key).map { element throws(FieldProblem) in try within(range, key, try known(key, element.number)) }
  }

  func optionalNumber(_ key: String, in range: ClosedRange<Double>) throws(FieldProblem) -> Double? {
    try optionalNumber(key).map { number throws(FieldProblem) in try within(range, key, number) }
  }

  /// A time of the calendar.
  func wall(_ key: String) throws(FieldProblem) -> WallTime {
    let text = try string(key)
    guard let wall = WallTime(text) else { throw FieldProblem(reason: "“\(text)” in “\(key)” is not a time") }
    return wall
  }

  /// A seed, which is a string where a number would not be exact.
  func seed(_ key: String) throws(FieldProblem) -> UInt64 {
    if let number = members[key]?.integer, number >= 0 { return UInt64(number) }
    return try known(key, members[key]?.string.flatMap { UInt64($0) })
  }

  /// One of a list of words.
  func choice<Choice: RawRepresentable<String>>(_ key: String) throws(FieldProblem) -> Choice {
    let word = try string(key)
    guard let choice = Choice(rawValue: word) else { throw FieldProblem(reason: "“\(word)” is no “\(key)”") }
    return choice
  }

  /// The device in `device`, if there is one.
  func device() throws(FieldProblem) -> Device? {
    guard let fields = try optionalObject("device") else { return nil }
    return Device(
      name: try fields.optionalString("name"), manufacturer: try fields.optionalString("manufacturer"),
      model: try fields.optionalString("model"), hardwareVersion: try fields.optionalString("hardwareVersion"),
      firmwareVersion: try fields.optionalString("firmwareVersion"),
      softwareVersion: try fields.optionalString("softwareVersion"),
      localIdentifier: try fields.optionalString("localIdentifier"),
      udiDeviceIdentifier: try fields.optionalString("udiDeviceIdentifier"))
  }

  /// Where a sensor sits, if that is said.
  func location() throws(FieldProblem) -> Metadata.SensorLocation? {
    guard let name = try optionalString("location") else { return nil }
    return try known("location", Metadata.SensorLocation(name: name))
  }

  /// How active the participant is.
  func motionContext() throws(FieldProblem) -> Metadata.MotionContext {
    guard let name = try optionalString("motionContext") else { return .notSet }
    return try known("motionContext", Metadata.MotionContext(name: name))
  }

  private func integer(_ key: String) throws(FieldProblem) -> Int { try known(key, try optionalInteger(key)) }

  private func optionalInteger(_ key: String) throws(FieldProblem) -> Int? {
    try read(key, "a whole number", \.integer)
  }

  private func within<Number>(_ range: ClosedRange<Number>, _ key: String, _ number: Number) throws(FieldProblem)
    -> Number
  {
    guard range.contains(number) else {
      throw FieldProblem(
        reason: "“\(key)” is \(number), which lies outside of \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func array(_ key: String) throws(FieldProblem) -> [JSONValue] {
    try known(key, try read(key, "an array", \.array))
  }

  private func known<Value>(_ key: String, _ value: Value?) throws(FieldProblem) -> Value {
    guard let value else { throw FieldProblem(reason: "“\(key)” is missing or of the wrong type") }
    return value
  }

  private func read<Value>(_ key: String, _ wanted: String, _ part: (JSONValue) -> Value?) throws(FieldProblem)
    -> Value?
  {
    guard let value = members[key], value != .null else { return nil }
    guard let part = part(value) else { throw FieldProblem(reason: "expected \(wanted) in “\(key)”") }
    return part
  }
}

/// Why an object is not what it should be.
struct FieldProblem: Error {
  let reason: String
}
