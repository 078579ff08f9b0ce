import CLSL
import Glibc

/// The receiving end of a stream, for one thread.
@safe struct LSLInlet: ~Copyable {
  /// What the stream says of itself.
  let stream: LSLStream
  private let handle: clsl_inlet
  /// Room for one frame and its time.
  private var values: [Double]
  private var times: [Double]

  /// How many frames are taken at once.
  private static let frames = 512
  /// How many seconds of a stream wait at most in the library.
  private static let buffer: Int32 = 360
  /// How long the sender may take to answer, in seconds.
  private static let patience = 3.0

  /// Connects to a stream.
  ///
  /// - Throws: ``LinkFault`` where it does not answer.
  init(_ info: LSLInfo) throws(LinkFault) {
    let title = info.stream.title
    guard let handle = unsafe clsl_inlet_new(info.handle, Self.buffer) else { throw LinkFault("cannot open \(title)") }
    var error: Int32 = 0
    let full = unsafe clsl_full_info(handle, Self.patience, &error)
    var stream = info.stream
    if let full = unsafe full { stream = unsafe LSLInfo(full).stream }
    if error == 0 { unsafe clsl_open_stream(handle, Self.patience, &error) }
    guard error == 0, (1...LSLStream.maxChannels).contains(stream.count) else {
      unsafe clsl_inlet_free(handle)
      throw error == 0
        ? LinkFault("\(title) has \(stream.count) channels; at most \(LSLStream.maxChannels) are recorded")
        : LinkFault("\(title) does not answer")
    }
    self.stream = stream
    values = Array(repeating: 0, count: stream.count)
    times = [0]
    unsafe self.handle = handle
  }

  deinit { unsafe clsl_inlet_free(handle) }

  /// What is added to the sender's times to get times of this computer, and how far that may be off, in seconds.
  ///
  /// - Throws: ``LinkFault`` where the sender's clock does not answer.
  func correction() throws(LinkFault) -> (offset: Double, uncertainty: Double) {
    var error: Int32 = 0
    var uncertainty = 0.0
    let offset = unsafe clsl_correction(handle, &uncertainty, Self.patience, &error)
    guard error == 0, offset.isFinite else { throw LinkFault("the clock of \(stream.title) does not answer") }
    return (offset, max(0, uncertainty.isFinite ? uncertainty : 0))
  }

  /// How many frames wait in the library.
  var waitingFrames: Int { unsafe Int(clsl_available(handle)) }

  /// The frames that have arrived, or the first that arrives in a time: the sender's times, and the values frame by frame.
  ///
  /// - Throws: ``LinkFault`` where the stream is lost.
  mutating func pull(within seconds: Double) throws(LinkFault) -> (times: [Double], values: [Double]) {
    guard !stream.isOfTexts else { return try pullTexts(within: seconds) }
    var frames: (times: [Double], values: [Double]) = ([], [])
    // One by one: for several the library waits until all have come, and drops them where the stream is lost meanwhile.
    while frames.times.count < Self.frames {
      var error: Int32 = 0
      let count = unsafe clsl_pull(
        handle, &values, &times, UInt(stream.count), 1, frames.times.isEmpty ? seconds : 0, &error)
      if Int(count) < stream.count {
        if frames.times.isEmpty { try check(error) }
        break
      }
      frames.times.append(times[0])
      frames.values += values
    }
    return frames
  }

  private mutating func pullTexts(within seconds: Double) throws(LinkFault) -> (times: [Double], values: [Double]) {
    var frames: (times: [Double], values: [Double]) = ([], [])
    var texts = unsafe [UnsafeMutablePointer<CChar>?](repeating: nil, count: stream.count)
    while frames.times.count < Self.frames {
      var error: Int32 = 0
      let time = unsafe clsl_pull_texts(
        handle, &texts, Int32(stream.count), frames.times.isEmpty ? seconds : 0, &error)
      if time == 0 || error != 0 {
        if frames.times.isEmpty { try check(error) }
        break
      }
      frames.times.append(time)
      for index in 0..<stream.count {
        let text: String? = unsafe texts[index].map { unsafe String(cString: $0) }
        // A text that is no number is no value.
        frames.values.append(text.flatMap { Double($0) } ?? .nan)
        unsafe clsl_text_free(texts[index])
        unsafe texts[index] = nil
      }
    }
    return frames
  }

  private func check(_ error: Int32) throws(LinkFault) {
    guard error == 0 || error == clsl_timed_out else { throw LinkFault("\(stream.title) was lost") }
  }
}
