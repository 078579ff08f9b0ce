import Quantities

/// The numbers of names that this process has seen; every process gives a name the same number.
struct Registry {
  private(set) var sources: [Int64: SourceRevision] = [:]
  private(set) var devices: [Int64: Device] = [:]
  private(set) var types: [Int64: QuantityType] = [:]
  private var sourceNumbers: [SourceRevision: Int64] = [:]
  private var deviceNumbers: [Device: Int64] = [:]
  /// The last lookups, since the samples of a batch usually share one source and one device.
  private var lastSource: (SourceRevision, Int64)?
  private var lastDevice: (Device, Int64)?
  private var lastType: (QuantityType, Int64)?

  /// Loads the names that other processes have added.
  mutating func refresh(_ kind: NameKind, _ engine: StoreEngine) throws {
    for (number, name) in try engine.names(kind) {
      switch kind {
      case .source where sources[number] == nil: try learn(Name.source(name), number)
      case .device where devices[number] == nil: try learn(Name.device(name), number)
      case .type where types[number] == nil: types[number] = try Name.type(name)
      default: break
      }
    }
  }

  /// The source revision of a row's number.
  mutating func source(_ number: Int64, _ engine: StoreEngine) throws -> SourceRevision {
    if let known = sources[number] { return known }
    try refresh(.source, engine)
    guard let source = sources[number] else { throw Self.missing(number) }
    return source
  }

  /// The device of a row's number.
  mutating func device(_ number: Int64, _ engine: StoreEngine) throws -> Device? {
    if number == 0 { return nil }
    if let known = devices[number] { return known }
    try refresh(.device, engine)
    guard let device = devices[number] else { throw Self.missing(number) }
    return device
  }

  /// The number of a revision, which is added to the store if new.
  mutating func number(of revision: SourceRevision, _ engine: StoreEngine) throws -> Int64 {
    if let (known, number) = lastSource, known == revision { return number }
    let number: Int64
    if let known = sourceNumbers[revision] {
      number = known
    } else {
      number = try Self.add(Name.text(revision), .source, engine)
      _ = try Self.add(revision.source.bundleIdentifier, .owner, engine)
      learn(revision, number)
    }
    lastSource = (revision, number)
    return number
  }

  /// Makes the next lookup compare bytes again: sources that are equal in Swift may differ in their bytes.
  mutating func forgetSourceNumbers() {
    sourceNumbers = [:]
    lastSource = nil
  }

  /// The number of a device, which is added to the store if new; 0 for none.
  mutating func number(of device: Device?, _ engine: StoreEngine) throws -> Int64 {
    guard let device else { return 0 }
    if let (known, number) = lastDevice, known == device { return number }
    let number: Int64
    if let known = deviceNumbers[device] {
      number = known
    } else {
      number = try Self.add(Name.text(device), .device, engine)
      learn(device, number)
    }
    lastDevice = (device, number)
    return number
  }

  /// The number of a type, which is added to the store if new.
  mutating func number(of type: QuantityType, _ engine: StoreEngine) throws -> Int64 {
    if let (known, number) = lastType, known == type { return number }
    let number = SampleType.quantity(type).number
    if try !isDefined(type, engine) {
      try engine.add(name: Name.text(type), number, .type)
      types[number] = type
    }
    lastType = (type, number)
    return number
  }

  /// Whether the type is defined in the store.
  ///
  /// - Throws: ``StoreError`` if the store defines it differently.
  mutating func isDefined(_ type: QuantityType, _ engine: StoreEngine) throws -> Bool {
    let number = SampleType.quantity(type).number
    if types[number] == nil { types[number] = try engine.names(.type)[number].map(Name.type) }
    guard let known = types[number] else { return false }
    guard known == type else {
      throw StoreError(
        .invalidArgument,
        "\(type) is kept in \(known.canonicalUnit) as \(known.aggregationStyle.rawValue) "
          + "in this store; define it so, or under another name")
    }
    return true
  }

  /// Records the name of a requested type that the store does not define.
  mutating func remember(asked type: QuantityType, _ engine: StoreEngine) throws {
    let number = SampleType.quantity(type).number
    guard types[number] == nil, try engine.names(.type)[number] == nil else { return }
    guard try engine.names(.askedType)[number] == nil else { return }
    try engine.add(name: Name.text(type), number, .askedType)
  }

  private static func add(_ text: String, _ kind: NameKind, _ engine: StoreEngine) throws -> Int64 {
    let number = Name.number(of: text)
    let known = try engine.names(kind)[number]
    if known == nil { try engine.add(name: text, number, kind) }
    guard known == nil || known == text else {
      throw StoreError(.invalidArgument, "“\(text)” cannot be distinguished from “\(known ?? "")”; change one of them")
    }
    return number
  }

  private mutating func learn(_ revision: SourceRevision, _ number: Int64) {
    sources[number] = revision
    sourceNumbers[revision] = number
  }

  private mutating func learn(_ device: Device, _ number: Int64) {
    devices[number] = device
    deviceNumbers[device] = number
  }

  private static func missing(_ number: Int64) -> StoreError {
    StoreError(.databaseInaccessible, "the store lacks the name \(number) that a sample has; rebuild it")
  }
}
