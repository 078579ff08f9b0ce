package import Quantities
import Synchronization

/// A stream of the Lab Streaming Layer on which markers are published as texts.
package protocol MarkerStream: Sendable {
  /// Its address, as the operator wrote it.
  var name: String { get }

  /// Whether any program receives it now.
  var isReceived: Bool { get }

  /// Publishes a text that belongs to a moment.
  ///
  /// - Returns: why it was not taken; `nil` on success.
  func publish(_ text: String, at moment: Moment) -> String?

  /// Ends the stream.
  func close()
}

/// Markers as a stream of texts, as programs that record streams expect them.
package final class LSLMarkers: MarkerStream {
  /// The output, as the operator named it.
  package let name: String
  private let outlet: Mutex<LSLOutlet?>

  /// Offers the stream.
  ///
  /// - Parameters:
  ///   - stream: the stream's name.
  ///   - name: the output as the operator named it.
  /// - Throws: ``SensorError`` where the library is not installed.
  package init(stream: String, name: String) throws(SensorError) {
    self.name = name
    var description = LSLStream()
    (description.name, description.type, description.isOfTexts) = (stream, "Markers", true)
    // The same at the next session, so that programs that record it go on with it.
    description.source = "station-markers-\(stream)"
    description.labels = [LSLStream.Label(label: "marker", type: "Markers")]
    do throws(LinkFault) { outlet = Mutex(try LSLOutlet(description)) } catch {
      throw SensorError("send markers to", name, error.reason)
    }
  }

  /// Publishes a text that belongs to a moment.
  package func publish(_ text: String, at moment: Moment) -> String? {
    guard let outlet = outlet.withLock({ $0 }) else { return "the stream is closed" }
    guard outlet.isReceived else { return "no program receives the stream" }
    return outlet.push(text, at: moment) ? nil : "liblsl did not take it"
  }

  /// Whether any program receives the stream now.
  package var isReceived: Bool { outlet.withLock { $0 }?.isReceived ?? false }

  /// Ends the stream.
  package func close() { outlet.withLock { $0 = nil } }
}
