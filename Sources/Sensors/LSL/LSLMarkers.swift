import CLSL
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

/// The sending end of a stream; its functions may be called from any thread.
@safe final class LSLOutlet: Sendable {
  // The library's own lock guards it.
  nonisolated(unsafe) private let handle: clsl_outlet
  private let channels: Int

  /// Offers a stream.
  ///
  /// - Parameter stream: what it says of itself.
  /// - Throws: ``LinkFault`` where the library is not installed, or cannot offer it.
  init(_ stream: LSLStream) throws(LinkFault) {
    try LSLLibrary.open()
    let format = stream.isOfTexts ? clsl_strings : clsl_doubles
    guard
      let made = unsafe clsl_info_new(
        stream.name, stream.type, Int32(stream.count), stream.rate, format, stream.source)
    else { throw LinkFault("cannot describe \(stream.title)") }
    let info = unsafe LSLInfo(made)
    for label in stream.labels { unsafe clsl_add_channel(info.handle, label.label, label.type, label.unit) }
    guard let handle = unsafe clsl_outlet_new(info.handle) else { throw LinkFault("cannot offer \(stream.title)") }
    unsafe self.handle = handle
    channels = stream.count
  }

  deinit { unsafe clsl_outlet_free(handle) }

  /// Whether any program receives the stream now; what is sent while none does is lost.
  var isReceived: Bool { unsafe clsl_is_received(handle) != 0 }

  /// Sends a text that belongs to a moment.
  ///
  /// - Returns: whether the library took it.
  func push(_ text: String, at moment: Moment) -> Bool {
    unsafe clsl_push_text(handle, text, Double(moment.nanoseconds) / 1e9) == 0
  }

  /// Sends a frame that belongs to a moment.
  ///
  /// - Returns: whether the library took it.
  @discardableResult
  func push(_ values: [Double], at moment: Moment) -> Bool {
    precondition(values.count == channels, "a frame has a value for each channel")
    return unsafe clsl_push(handle, values, Double(moment.nanoseconds) / 1e9) == 0
  }
}
