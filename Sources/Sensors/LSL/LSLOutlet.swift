import CLSL
import Quantities

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
