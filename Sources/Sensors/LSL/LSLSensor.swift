import Basics
package import Quantities

/// Which stream of the Lab Streaming Layer is recorded, and what of it.
package struct LSLSettings: Hashable, Sendable {
  /// The predicate that the stream meets, such as `name='Polar H10'`.
  var predicate: String
  /// The quantities of its channels in their order, `nil` for one that is not recorded; empty to go by the description.
  var quantities: [QuantityType?] = []

  /// Settings with every option at its default.
  init(predicate: String) { self.predicate = predicate }

  /// The predicate that streams meet of which a member has a value; `nil` where it cannot be written.
  static func predicate(_ member: String, _ value: String) -> String? {
    guard let mark = ["'", "\""].first(where: { !value.contains($0) }) else { return nil }
    return "\(member)=\(mark)\(value)\(mark)"
  }
}

/// A stream of the Lab Streaming Layer: heart rates, RR intervals, ratings, waveforms or other quantities.
///
/// Its samples have the sender's times, to which the difference of the clocks is added; the library measures it every few
/// seconds, and it is recorded with its uncertainty. A stream that is lost is searched for again with pauses of 0.5, 1, 2, 4
/// and then 8 s; one of another device is not taken for it.
struct LSLSensor: Sensor {
  /// The source that its samples are attributed to.
  let source: SensorSource

  /// The quantities that were chosen.
  var channels: [Channel] { settings.quantities.compactMap { $0.map { Channel($0) } } }

  /// The number of samples received over all streams.
  var readingsTaken: Int? { tally.count }

  /// How far the reading is behind.
  var backlog: ReadingBacklog? { tally.backlog }

  /// 5 s: to find the stream and to compare the clocks.
  var warmUp: Duration { .seconds(5) }

  private let settings: LSLSettings
  private let tally = SampleTally()
  private let first = LSLConnection.FirstStream()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - settings: which stream.
  ///   - latency: the delay from an event to the time that the sender gives it.
  ///   - name: the sensor as the operator named it.
  ///   - location: its place on the body.
  /// - Throws: ``SensorError`` where the library is not installed.
  init(
    _ settings: LSLSettings, latency: Duration, name: String, location: Metadata.SensorLocation?
  ) throws(SensorError) {
    do throws(LinkFault) { try LSLLibrary.open() } catch { throw SensorError("use the sensor", name, error.reason) }
    self.settings = settings
    source = SensorSource(name: name, latency: latency, location: location)
  }

  /// Connects, and delivers what arrives.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    ConnectionFeed.events(
      of: .init(
        name: "the stream \(settings.predicate.visible)", settings: .init(clock: clock, tally: tally),
        opening: .onThread { [settings, source, first] thread, frames throws(LinkFault) in
          try LSLConnection(settings, latency: source.latency, first: first, on: thread).read(&frames)
          return .stopped
        }))
  }
}

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
