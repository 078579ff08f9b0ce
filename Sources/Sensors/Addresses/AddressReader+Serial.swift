import Basics
import Quantities

extension AddressReader {
  /// Reads what follows `serial:`.
  func serial(_ rest: String) throws(SensorError) -> Reading {
    let inputs = (1...6).map { "a\($0)" }
    let (path, options) = try split(rest, known: Self.commonOptions + ["kind", "baud", "rate_hz"] + inputs)
    guard !path.isEmpty, !path.contains("\0") else {
      throw error("the port is missing", "say serial:/dev/ttyACM0?kind=pulsesensor")
    }
    let kinds = SerialSettings.Kind.allCases.map(\.rawValue)
    guard let name = options["kind"] else {
      throw error("what the device sends is missing", "add ?kind= and one of \(kinds.joined(separator: ", "))")
    }
    guard let kind = SerialSettings.Kind(rawValue: name) else {
      throw error("there is no kind of device “\(name)”", Spelling.advice(for: name, among: kinds))
    }
    var settings = SerialSettings(path: path, kind: kind)
    if let text = options["baud"] { settings.baud = try baud(text) }
    if let text = options["rate_hz"] {
      switch kind {
      case .pulseSensor: settings.rate = try number("rate_hz", text, 1...1000)
      case .bitalino:
        settings.rate = try number("rate_hz", text, 1...1000)
        guard BitalinoCommand.rate(settings.rate) != nil else {
          throw error("rate_hz is “\(text)”", "a BITalino knows 1, 10, 100 and 1000")
        }
      case .nonin, .lines: throw error("rate_hz is no option of kind=\(name)", nil)
      }
    }
    for (index, input) in inputs.enumerated() {
      guard let text = options[input] else { continue }
      guard kind == .bitalino else {
        throw error("\(input) is no option of kind=\(name)", "it is one of kind=bitalino")
      }
      settings.inputs.append(.init(number: index + 1, type: try type(of: text)))
    }
    guard kind != .bitalino || !settings.inputs.isEmpty else {
      throw error("what the BITalino measures is missing", "say at which input, as in a2=electrocardiogram")
    }
    return (.serial(settings), try latency(options), try location(options["location"]))
  }

  /// The speed of a serial port, in bits per second.
  func baud(_ text: String) throws(SensorError) -> Int {
    guard let baud = Int(text), SerialPort.speeds[baud] != nil else {
      throw error(
        "baud is “\(text)”", "it is one of \(SerialPort.speeds.keys.sorted().map(String.init).joined(separator: ", "))")
    }
    return baud
  }

  private func type(of text: String) throws(SensorError) -> QuantityType {
    let known = BitalinoDecoder.types
    if let type = QuantityType(channel: text), known.contains(type) { return type }
    throw error(
      "a BITalino's input cannot be “\(text)”", Spelling.advice(for: text, among: known.map(\.channelName)))
  }
}
