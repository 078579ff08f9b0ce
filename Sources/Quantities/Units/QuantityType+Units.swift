extension QuantityType {
  /// The unit of this quantity that a device, a stream or a table writes; `nil` for one that is unknown or of another
  /// dimension.
  ///
  /// It is HealthKit's spelling, the same in other capitals, or another usual one: `°C`, `Beats per minute`, `uS`. The
  /// quantity decides between two readings: `us` are microseconds of an interval and microsiemens of the skin.
  package func unit(written text: String) -> Unit? {
    let text = text.filter { !$0.isWhitespace }
    guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
    return WrittenUnit.readings(of: text).lazy.compactMap { try? Unit($0) }
      .first { $0.isCompatible(with: canonicalUnit) }
  }

  /// Whether a text beside a value names no unit, as some programs fill the field.
  package static func isUnstated(unit text: String) -> Bool {
    ["", "-", "n/a", "na", "none", "null", "unknown"].contains(text.lowercased().filter { !$0.isWhitespace })
  }
}

/// The units that a table writes beside its values, each read once.
package struct WrittenUnits: Sendable {
  private struct Key: Hashable {
    let type: QuantityType
    let text: String
  }

  // A table with more units is only read more slowly.
  private static let maxCount = 1000

  private var known: [Key: Unit] = [:]

  package init() {}

  /// The unit of a quantity that a text means.
  ///
  /// - Throws: why there is none; a unit of another dimension is returned.
  package mutating func unit(_ text: String, of type: QuantityType) throws(QuantityError) -> Unit {
    let key = Key(type: type, text: text)
    if let unit = known[key] { return unit }
    let unit = if let unit = type.unit(written: text) { unit } else { try Unit(text) }
    if known.count < Self.maxCount { known[key] = unit }
    return unit
  }
}

/// The usual spellings of units other than HealthKit's.
private enum WrittenUnit {
  /// HealthKit's spellings that a text without spaces may mean, the likeliest first.
  static func readings(of text: String) -> [String] {
    let folded = text.lowercased()
    var readings = [text]
    if let first = text.first, ["u", "µ", "μ"].contains(first) { readings.append("mc\(text.dropFirst())") }
    readings += spellings[folded, default: []]
    guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { return readings }
    return readings + caseless(folded)
  }

  /// HealthKit's units for a unit in small letters.
  private static func caseless(_ folded: String) -> [String] {
    let isSymbol = folded.allSatisfy { $0.isLetter || $0 == "_" || $0 == "%" }
    guard !isSymbol else { return symbols[folded, default: []] }
    var unit = ""
    var word = ""
    for character in folded + " " {
      if character.isLetter || character == "_" || character == "%" {
        word.append(character)
      } else {
        unit += (symbols[word]?.first ?? word) + (character == " " ? "" : String(character))
        word = ""
      }
    }
    return [unit]
  }

  /// HealthKit's symbols by their small letters; of two that differ only in capitals the thousandth, not the million,
  /// and none where both are usual.
  private static let symbols: [String: [String]] = {
    var symbols: [String: [String]] = [:]
    for symbol in UnitSymbol.all where !symbol.takesMolarMass && !["M", "G", "T"].contains(symbol.text.prefix(1)) {
      symbols[symbol.text.lowercased(), default: []].append(symbol.text)
    }
    symbols["cal"] = nil
    return symbols
  }()

  private static let spellings: [String: [String]] = {
    let lists: [String: String] = [
      "count/min": """
      bpm bpm. beats/min beats/minute beat/min beatsperminute beatsperminute(bpm) 1/min /min min-1 min^-1 min⁻¹ \
      1/minute perminute count/minute counts/min counts/minute countsperminute countperminute pulses/min pulses/minute \
      pulse/min breaths/min breaths/minute breath/min breathsperminute br/min brpm brthpm respirations/min \
      respirations/minute rpm cpm cycles/min cycles/minute cyclesperminute steps/min spm
      """,
      "count/s": "beats/s beats/sec beatspersecond 1/s counts/s breaths/s breaths/sec cycles/s",
      "ms": "msec msecs millis millisec millisecond milliseconds", "s": "sec secs second seconds",
      "mcs": "us usec microsecond microseconds", "ns": "nsec nanosecond nanoseconds", "min": "minute minutes mins",
      "hr": "h hour hours hrs", "d": "day days",
      "degC": """
      °c c ºc ˚c oc ℃ celsius centigrade degcelsius degreecelsius degreescelsius degreec degreesc deg.c deg_c °celsius
      """,
      "degF": """
      °f f ºf ˚f of ℉ fahrenheit degfahrenheit degreefahrenheit degreesfahrenheit degreef degreesf deg.f deg_f \
      °fahrenheit
      """,
      "K": "kelvin kelvins", "V": "volt volts", "mV": "millivolt millivolts", "mcV": "uv microvolt microvolts",
      "nV": "nanovolt nanovolts", "S": "siemens mho", "mS": "millisiemens mmho",
      "mcS": "us microsiemens usiemens µsiemens μsiemens umho µmho μmho micromho micromhos", "nS": "nanosiemens",
      "%": "percent percentage pct", "m/s^2": "m/s² m/s2 m/s/s m/sec^2 m/sec² m/sec/sec ms-2 ms^-2 m.s-2 m.s^-2 m·s⁻²",
      "mm": "millimeter millimeters millimetre millimetres", "cm": "centimeter centimeters centimetre centimetres",
      "m": "meter meters metre metres", "kg": "kgs kilogram kilograms", "lb": "lbs pound pounds", "g": "gram grams",
      "hPa": "mbar millibar", "mmHg": "torr", "cmAq": "cmh2o cmh₂o", "L/min": "lpm liters/min litres/min liter/min",
      "count": "counts steps",
    ]
    var spellings: [String: [String]] = [:]
    for (unit, words) in lists.sorted(by: { $0.key < $1.key }) {
      for word in words.split(whereSeparator: \.isWhitespace) { spellings[String(word), default: []].append(unit) }
    }
    return spellings
  }()
}
