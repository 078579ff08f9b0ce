import Basics
package import Quantities

extension SensorTransport {
  /// The stream of the Lab Streaming Layer with a name, or the one that meets a predicate, such as
  /// `type='HeartRate' and hostname='lab2'`.
  ///
  /// `quantity` lists the quantities of the stream's channels in their order, joined by commas, with `-` for one that is not
  /// recorded (`quantity=heartRate,-`).
  static let lsl = SensorTransport(
    scheme: "lsl",
    rest: .required(reason: "the stream is missing", advice: "say lsl:NAME; station sensors lists streams"),
    forms: [.init(text: "lsl:NAME|PREDICATE[?quantity=…]")],
    nicknames: [.init(address: "lsl:NAME", words: ["stream", "labstreaminglayer", "xdf"])]
  ) { reader, rest throws(SensorError) in try reader.lsl(rest ?? "") }
}

extension LSLSettings: SensorKind {
  /// Creates the sensor, after the check that the library is installed.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try LSLSensor(self, latency: latency, name: name, location: location)
  }
}

extension AddressReader {
  fileprivate func lsl(_ rest: String) throws(SensorError) -> SensorTransport.Reading {
    let (text, options) = try split(rest, known: Self.commonOptions + ["quantity"])
    guard !text.isEmpty, !text.contains("\0") else {
      throw error("the stream is missing", "say lsl:NAME, or a predicate as in lsl:type='HeartRate'")
    }
    var settings = LSLSettings(predicate: text)
    if !text.contains("="), !text.contains("(") {
      guard let predicate = LSLSettings.predicate("name", text) else {
        throw error("the name has both kinds of quotation marks", "write a predicate, as in lsl:source_id='ID'")
      }
      settings.predicate = predicate
    }
    if let names = options["quantity"] {
      for name in names.split(separator: ",", omittingEmptySubsequences: false) {
        settings.quantities.append(name == "-" ? nil : try quantity(String(name)))
      }
    }
    return (settings, try latency(options), try location(options["location"]))
  }
}
