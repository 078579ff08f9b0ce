import Basics
package import Quantities

extension SensorTransport {
  /// A device at a serial port, such as `/dev/ttyACM0`.
  ///
  /// `baud` is the speed in bits per second; each ``SerialKind`` has options of its own besides.
  static let serial = SensorTransport(
    scheme: "serial",
    rest: .required(reason: "the port is missing", advice: "say serial:/dev/ttyACM0?kind=pulsesensor"),
    forms: [
      .init(
        text: "serial:PORT?kind=KIND[&…]", meaning: "a device at a serial port: pulsesensor, nonin, bitalino or lines")
    ],
    nicknames: SerialKind.all.map { .init(address: "serial:PORT?kind=\($0.name)", words: $0.words) }
      + [.init(address: "serial:PORT?kind=KIND", words: ["usb", "tty", "com", "port", "rs232"], isVague: true)]
  ) { reader, rest throws(SensorError) in try reader.serial(rest ?? "") }
}

extension SerialSettings: SensorKind {
  /// Creates the sensor, after the check that there is such a port.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try SerialSensor(self, latency: latency, name: name, location: location)
  }

  /// Whether its kind is that of lines.
  package var sendsLines: Bool { kind == .lines }
}

extension AddressReader {
  fileprivate func serial(_ rest: String) throws(SensorError) -> SensorTransport.Reading {
    var special: [String] = []
    for option in SerialKind.all.flatMap(\.options) where !special.contains(option) { special.append(option) }
    let (path, options) = try split(rest, known: Self.commonOptions + ["kind", "baud"] + special)
    guard !path.isEmpty, !path.contains("\0") else {
      throw error("the port is missing", "say serial:/dev/ttyACM0?kind=pulsesensor")
    }
    let kinds = SerialKind.all.map(\.name)
    guard let name = options["kind"] else {
      throw error("what the device sends is missing", "add ?kind= and one of \(kinds.joined(separator: ", "))")
    }
    guard let kind = SerialKind(named: name) else {
      throw error("there is no kind of device “\(name)”", Spelling.advice(for: name, among: kinds))
    }
    var settings = SerialSettings(path: path, kind: kind)
    if let text = options["baud"] { settings.baud = try baud(text) }
    if let other = special.first(where: { options[$0] != nil && !kind.options.contains($0) }) {
      let owners = SerialKind.all.filter { $0.options.contains(other) }
      throw error(
        "\(other) is not an option of kind=\(name)", owners.count == 1 ? "it is one of kind=\(owners[0].name)" : nil)
    }
    try kind.read(self, options, &settings)
    return (settings, try latency(options), try location(options["location"]))
  }
}
