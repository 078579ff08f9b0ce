import Basics
import Quantities
import Recordings

/// A JSON object as a sample: `{"hr": 72, "rr": [830.1, 841], "contact": true, "t": 12.5, "skinConductance": 2.31}`.
///
/// Keys other than those of a heart name channels; `rr` is a number or an array, `contact` is `true`, `false`, `1` or
/// `0`; `null` equals a missing key. The channel of a waveform holds an array of consecutive values, or of arrays with a
/// value for each channel, and `samplingRate` the number of frames per second: `{"electrocardiogram": [0.1, 0.2],
/// "samplingRate": 250}`.
enum JSONRow {
  /// Parses the common case without building a tree: known keys, numbers, no escapes.
  ///
  /// - Returns: `false` for anything else, valid or not, which ``readStrictly(_:)`` then parses.
  static func readQuickly(
    _ line: Span<UInt8>, from start: Int, _ channels: inout ChannelNames, into sample: inout Sample
  ) -> Bool {
    var position = start + 1
    var seen: UInt8 = 0
    while true {
      FlatJSON.skipSpace(line, &position)
      guard let name = FlatJSON.string(line, &position) else { return false }
      guard let column = column(line, name) else {
        guard readChannel(line, name, &position, &channels, into: &sample) else { return false }
        if FlatJSON.take(line, &position, ",") { continue }
        return isEnd(line, &position)
      }
      let bit: UInt8 =
        switch column {
        case .rate: 1
        case .interval: 2
        case .contact: 4
        case .time: 8
        default: 0
        }
      guard bit != 0, seen & bit == 0 else { return false }
      seen |= bit
      FlatJSON.skipSpace(line, &position)
      guard FlatJSON.take(line, &position, ":") else { return false }
      FlatJSON.skipSpace(line, &position)
      switch column {
      case .rate:
        guard let value = FlatJSON.number(line, &position) else { return false }
        sample.heartRate = value
      case .time:
        guard let value = FlatJSON.number(line, &position) else { return false }
        sample.time = value
      case .interval:
        guard intervals(line, &position, into: &sample) else { return false }
      case .contact:
        guard let value = truth(line, &position) else { return false }
        sample.contact = value
      default: return false
      }
      FlatJSON.skipSpace(line, &position)
      if FlatJSON.take(line, &position, ",") { continue }
      return isEnd(line, &position)
    }
  }

  /// Parses an array of numbers, or of arrays of equally many numbers; not empty.
  private static func frames(_ line: Span<UInt8>, _ position: inout Int) -> (values: [Float], width: Int)? {
    let start = position
    var values: [Double] = []
    if FlatJSON.numbers(line, &position, into: &values) {
      return values.isEmpty || !values.allSatisfy(isFloat) ? nil : (values.map { Float($0) }, 1)
    }
    position = start
    values = []
    guard FlatJSON.take(line, &position, "[") else { return nil }
    var width: Int?
    repeat {
      FlatJSON.skipSpace(line, &position)
      let count = values.count
      guard FlatJSON.numbers(line, &position, into: &values), values.count > count,
        width ?? (values.count - count) == values.count - count
      else { return nil }
      width = values.count - count
      FlatJSON.skipSpace(line, &position)
    } while FlatJSON.take(line, &position, ",")
    guard FlatJSON.take(line, &position, "]"), let width, width <= WaveformFormat.maxChannels,
      values.allSatisfy(isFloat)
    else { return nil }
    return (values.map { Float($0) }, width)
  }

  /// Whether a number is one of single precision, as frames are kept.
  private static func isFloat(_ value: Double) -> Bool { Float(value).isFinite }

  private static func isEnd(_ line: Span<UInt8>, _ position: inout Int) -> Bool {
    guard FlatJSON.take(line, &position, "}") else { return false }
    FlatJSON.skipSpace(line, &position)
    return position == line.count
  }

  /// Parses the value of a channel, and the space after it.
  private static func readChannel(
    _ line: Span<UInt8>, _ name: Range<Int>, _ position: inout Int, _ channels: inout ChannelNames,
    into sample: inout Sample
  ) -> Bool {
    FlatJSON.skipSpace(line, &position)
    guard FlatJSON.take(line, &position, ":") else { return false }
    FlatJSON.skipSpace(line, &position)
    if FlatJSON.isEqual(line, name, "samplingRate") {
      guard sample.samplingRate == nil, let rate = FlatJSON.number(line, &position) else { return false }
      sample.samplingRate = rate
      FlatJSON.skipSpace(line, &position)
      return true
    }
    if position < line.count, line[position] == UInt8(ascii: "[") {
      guard let name = String(validating: line.extracting(name).copied, as: UTF8.self),
        let channel = channels.channel(name), let (values, width) = frames(line, &position),
        sample.take(values, width: width, of: channel) == nil
      else { return false }
      FlatJSON.skipSpace(line, &position)
      return true
    }
    // Other names for heart rates and intervals are left to the strict reading.
    guard let value = FlatJSON.number(line, &position),
      let name = String(validating: line.extracting(name).copied, as: UTF8.self), column(name) == nil,
      let channel = channels.channel(name), sample.take(value, of: channel) == nil
    else { return false }
    FlatJSON.skipSpace(line, &position)
    return true
  }

  /// Parses any JSON object; for other text, returns what is wrong with it.
  static func readStrictly(_ line: Span<UInt8>, _ channels: inout ChannelNames) -> Row {
    let bytes = line.copied
    let node: JSONNode
    do {
      node = try JSONReader.read(bytes)
    } catch {
      guard let problem = error.problems.first else { return .unreadable("not JSON") }
      return .unreadable("column \(TextPlace(offset: problem.offset, in: bytes).column): \(problem.reason)")
    }
    var sample = Sample()
    if let problem = read(node, &channels, into: &sample) { return .unreadable(problem) }
    return Row(checking: sample)
  }

  /// Parses a JSON object into a sample.
  ///
  /// - Returns: why it cannot be parsed; `nil` on success.
  private static func read(
    _ node: JSONNode, _ channels: inout ChannelNames, into sample: inout Sample
  ) -> String? {
    guard case .object(let members) = node.content else { return "expected an object, not \(node.phrase)" }
    var seen: [HeartColumn: String] = [:]
    var unit: String?
    for member in members {
      if ["unit", "units"].contains(member.key.lowercased()), case .string(let text) = member.value.content {
        unit = text
        continue
      }
      guard let column = column(member.key) else {
        if let problem = read(member.key, member.value, &channels, into: &sample) { return problem }
        continue
      }
      if let other = seen.updateValue(member.key, forKey: column) { return "both “\(other)” and “\(member.key)”" }
      switch (column, member.value.content) {
      case (_, .null): continue
      case (.rate, .number(let value)): sample.heartRate = value
      case (.time, .number(let value)): sample.time = value
      case (.interval, .number(let value)): sample.rrIntervals = [value]
      case (.interval, .array(let elements)):
        for element in elements {
          guard case .number(let value) = element.content else {
            return "“\(member.key)” has \(element.phrase) where a number of milliseconds was expected"
          }
          sample.rrIntervals.append(value)
        }
      case (.contact, .bool(let value)): sample.contact = value
      case (.contact, .number(let value)) where value == 0 || value == 1: sample.contact = value == 1
      default: return "“\(member.key)” is \(member.value.phrase); expected \(wanted(column))"
      }
    }
    return unit.flatMap { convert(&sample, from: $0) }
  }

  /// Converts the values of an object that names their unit.
  ///
  /// - Returns: why they cannot be; `nil` on success.
  private static func convert(_ sample: inout Sample, from symbol: String) -> String? {
    let shown = "“\(symbol.prefix(24).visible)”"
    let quantities =
      [sample.heartRate.map { _ in QuantityType.heartRate }, sample.rrIntervals.isEmpty ? nil : .rrInterval]
      .compactMap(\.self) + sample.values.map(\.channel.type) + sample.waveforms.map(\.channel.type)
    guard let type = quantities.first else { return nil }
    guard quantities.count == 1 else {
      return "a unit \(shown) beside several values; name units in the keys, such as “skinConductance_uS”"
    }
    guard let unit = type.unit(written: symbol) else { return "\(shown) is not a unit of \(type.channelName)" }
    sample.heartRate = sample.heartRate.map { unit.convert($0, to: .countPerMinute) }
    sample.rrIntervals = sample.rrIntervals.map { unit.convert($0, to: .millisecond) }
    sample.values = sample.values.map { Sample.Value(channel: Channel(type, unit: unit), value: $0.value) }
    sample.waveforms = sample.waveforms.map {
      Sample.Waveform(channel: Channel(type, unit: unit, rate: $0.channel.rate), width: $0.width, values: $0.values)
    }
    return nil
  }

  private static func read(
    _ key: String, _ node: JSONNode, _ channels: inout ChannelNames, into sample: inout Sample
  ) -> String? {
    if key == "samplingRate" {
      guard case .number(let rate) = node.content else { return "“\(key)” is \(node.phrase); expected a number in Hz" }
      sample.samplingRate = rate
      return nil
    }
    guard let channel = channels.channel(key) else { return nil }
    switch node.content {
    case .null: return nil
    case .array(let elements) where channel.type.isWaveform: return read(key, elements, of: channel, into: &sample)
    case .number(let value): return sample.take(value, of: channel)
    default: return "“\(key)” is \(node.phrase); expected a number in \(channel.unit)"
    }
  }

  private static func read(
    _ key: String, _ elements: [JSONNode], of channel: Channel, into sample: inout Sample
  ) -> String? {
    var values: [Float] = []
    var width: Int?
    for element in elements {
      let frame = if case .array(let inner) = element.content { inner } else { [element] }
      for node in frame {
        guard case .number(let value) = node.content, isFloat(value) else {
          return "“\(key)” has \(node.phrase) where a number in \(channel.unit) was expected"
        }
        values.append(Float(value))
      }
      if width ?? frame.count != frame.count { return "“\(key)” has frames of \(width ?? 0) and \(frame.count) values" }
      width = frame.count
    }
    guard let width, width > 0 else { return "“\(key)” is empty" }
    guard width <= WaveformFormat.maxChannels else { return "“\(key)” has frames of \(width) values" }
    return sample.take(values, width: width, of: channel)
  }

  private static func column(_ key: String) -> HeartColumn? {
    switch key.lowercased() {
    case "hr", "bpm": .rate
    case "rr", "rr_ms": .interval
    case "contact": .contact
    case "t", "time": .time
    default: nil
    }
  }

  private static func wanted(_ column: HeartColumn) -> String {
    switch column {
    case .rate: "a number of beats a minute"
    case .interval: "a number of milliseconds or an array of such"
    case .contact: "true, false, 1 or 0"
    case .time: "a number of seconds"
    default: "anything"
    }
  }

  // MARK: The plain case

  private static func column(_ line: Span<UInt8>, _ name: Range<Int>) -> HeartColumn? {
    if FlatJSON.isEqual(line, name, "hr") || FlatJSON.isEqual(line, name, "bpm") { return .rate }
    if FlatJSON.isEqual(line, name, "rr") { return .interval }
    if FlatJSON.isEqual(line, name, "t") { return .time }
    return FlatJSON.isEqual(line, name, "contact") ? .contact : nil
  }

  private static func intervals(_ line: Span<UInt8>, _ position: inout Int, into sample: inout Sample) -> Bool {
    guard position < line.count, line[position] != UInt8(ascii: "[") else {
      return FlatJSON.numbers(line, &position, into: &sample.rrIntervals)
    }
    guard let value = FlatJSON.number(line, &position) else { return false }
    sample.rrIntervals = [value]
    return true
  }

  private static func truth(_ line: Span<UInt8>, _ position: inout Int) -> Bool? {
    let start = position
    if let truth = FlatJSON.truth(line, &position) { return truth }
    position = start
    guard let number = FlatJSON.number(line, &position), number == 0 || number == 1 else { return nil }
    return number == 1
  }
}

extension Span<UInt8> {
  /// A copy of the bytes.
  var copied: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in indices { bytes.append(self[index]) }
    return bytes
  }
}
