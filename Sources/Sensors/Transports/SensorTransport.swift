package import Quantities

/// A way to connect sensors: a row of the table of addresses.
struct SensorTransport: Sendable {
  /// What follows the scheme of an address.
  enum Rest: Sendable {
    case none, optional
    /// Something has to follow; the reason and the advice are for an address without it.
    case required(reason: String, advice: String)
  }

  /// A form of its addresses.
  struct Form: Sendable {
    let text: String
    var meaning = ""
  }

  /// What people call such a sensor, and the address to try.
  struct Nickname: Sendable {
    let address: String
    let words: Set<String>
    /// Whether the words may also be said of sensors of other transports.
    var isVague = false
  }

  /// The parts of an address.
  typealias Reading = (kind: any SensorKind, latency: Duration, location: Metadata.SensorLocation?)

  /// What its addresses begin with, up to a colon or the end.
  let scheme: String
  var rest = Rest.optional
  /// The forms of its addresses, as the help lists them.
  let forms: [Form]
  let nicknames: [Nickname]
  /// Reads what follows the scheme and a colon; `nil` where nothing follows.
  let read: @Sendable (_ reader: AddressReader, _ rest: String?) throws(SensorError) -> Reading
}

/// The sensor that an address names, and how it is used: the settings of one transport.
package protocol SensorKind: Hashable, Sendable {
  /// Creates the sensor, after the checks that need no waiting.
  ///
  /// - Parameters:
  ///   - name: the sensor as the operator named it.
  ///   - latency: the delay from a beat to its delivery.
  ///   - location: its place on the body.
  /// - Returns: the sensor.
  /// - Throws: ``SensorError`` for a sensor that cannot be used.
  func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor

  /// What to do about a sensor that does not answer: what comes after “cannot record …; ”.
  var remedy: String { get }

  /// Whether it sends lines of text.
  var sendsLines: Bool { get }
}

extension SensorKind {
  /// The advice for any device.
  package var remedy: String { "“station check sensor” and “station sensors” show what is on and in reach" }

  /// `false`: most devices have a format of their own.
  package var sendsLines: Bool { false }
}
