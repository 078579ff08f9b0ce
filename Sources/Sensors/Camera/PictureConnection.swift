import Basics
import CSystem
import Glibc
import Quantities

/// The reading of one run of the program that decodes pictures.
///
/// A decoder can crash or hang over any film or camera; as a child it takes nothing with it.
struct PictureConnection: Sendable {
  /// What all runs of one stream share.
  struct Settings: Sendable {
    /// Where the pictures come from.
    let camera: CameraSettings
    /// Whether it is a Video4Linux device.
    let isDevice: Bool
    /// The delay from what a picture shows to its time.
    let latency: Duration
    /// The device, as far as it is known.
    let device: Device?
  }

  /// The maximum time without a picture of a camera before the program is taken for hung.
  static let silence = Duration.seconds(3)
  /// The maximum number of samples that wait for the consumer; a film waits while half of them do.
  static let capacity = 16_384

  private let settings: Settings
  private let start: Moment?
  private let thread: SensorThread

  private var queue: SampleQueue { thread.queue }
  private var isStopped: Bool { thread.isStopped }

  /// Prepares the run; `start` is when the first picture of a film is shown, `nil` for a camera.
  init(_ settings: Settings, filmFrom start: Moment? = nil, on thread: SensorThread) {
    (self.settings, self.start, self.thread) = (settings, start, thread)
  }

  /// Reads pictures to the end, or until the thread is stopped.
  func read() throws(LinkFault) -> SampleQueue.Ending {
    let child = try ChildProcess(settings.camera.command(isDevice: settings.isDevice), called: CameraSettings.program)
    thread.childGroup = child.group
    var reader = NutReader()
    var pictures = CameraPulse(settings.camera, latency: settings.latency)
    var clock = start.map { PictureClock.ofFilm(from: $0) } ?? .ofCamera()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var messages = LineSplitter()
    var message = ""
    var (count, fault): (Int, String?) = (0, nil)
    var isOpen = (output: true, messages: true)
    var heard = csystem_monotonic_nanoseconds()
    while isOpen.output, !isStopped, fault == nil {
      if start != nil, thread.waitForRoom() { continue }
      let answers = thread.wait(
        [(child.output.number, Int(POLLIN)), (isOpen.messages ? child.complaints.number : -1, Int(POLLIN))],
        milliseconds: start == nil ? 500 : -1)
      if answers[1] != 0 {
        isOpen.messages = Self.take(child.complaints.read(into: &buffer), &messages, &buffer, &message)
      }
      guard answers[0] != 0 else {
        let waited = Duration.nanoseconds(csystem_monotonic_nanoseconds() - heard)
        // Until the first picture, the feed's patience counts: some cameras are slow to start.
        if start == nil, count > 0, waited > Self.silence {
          fault = "no picture for \(Int(Self.silence.seconds)) s"
        }
        continue
      }
      switch child.output.read(into: &buffer) {
      case .bytes(let size):
        heard = csystem_monotonic_nanoseconds()
        do throws(NutReader.Fault) {
          for frame in try reader.take(buffer[..<size]) {
            guard let picture = Picture(frame.data), let time = frame.nanoseconds else { continue }
            if count == 0 { queue.add(.connected(settings.device)) }
            count += 1
            let now = thread.clock.now
            let moment = clock.moment(of: time, arrived: now)
            queue.add(pictures.take(picture, at: moment, arrived: start == nil ? now : moment))
          }
        } catch {
          fault = "what ffmpeg hands over cannot be read: \(error.reason)"
        }
      case .nothing: break
      case .end, .failed: isOpen.output = false
      }
    }
    queue.add(pictures.end(arrived: thread.clock.now))
    // What the program wrote before it ended is in the pipe by now.
    while isOpen.messages, !isStopped, fault == nil,
      thread.wait([(child.complaints.number, Int(POLLIN))], milliseconds: 100)[0] != 0
    {
      isOpen.messages = Self.take(child.complaints.read(into: &buffer), &messages, &buffer, &message)
    }
    messages.end { _, line in if let line { message = Self.text(line, else: message) } }
    thread.childGroup = nil
    let status = child.finish(isAsked: isStopped || fault != nil)
    if let fault { return start == nil ? .broken(fault) : .over(fault) }
    return ending(status: status, message: message, pictures: count)
  }

  private func ending(status: String, message: String, pictures count: Int) -> SampleQueue.Ending {
    let name = "“\(settings.camera.path.visible)”"
    let isWell = status == "status 0"
    let reason = CameraFault.reason(status: status, message: message)
    guard start != nil else {
      return .broken(isWell && message.isEmpty ? "\(name) sends no more pictures" : reason)
    }
    if !message.isEmpty, count > 0 { queue.add(.noted("has a damaged film: \(message)")) }
    guard count > 0 else { return .over(isWell ? "\(name) has no pictures" : "\(name): \(reason)") }
    return .over(isWell ? "\(name) has ended" : "\(name) broke off after \(count.counted("picture")): \(reason)")
  }

  /// Keeps the last line that the program wrote to its standard error; returns whether more may come.
  private static func take(
    _ arrival: Descriptor.Arrival, _ messages: inout LineSplitter, _ buffer: inout [UInt8], _ last: inout String
  ) -> Bool {
    switch arrival {
    case .bytes(let size):
      messages.take(buffer.span.extracting(0..<size)) { _, line in
        if let line { last = text(line, else: last) }
      }
      return true
    case .nothing: return true
    case .end, .failed: return false
    }
  }

  /// A line's text, cut after 200 characters; `other` for an empty one.
  private static func text(_ line: Span<UInt8>, else other: String) -> String {
    var bytes: [UInt8] = []
    for index in 0..<min(line.count, 800) { bytes.append(line[index]) }
    let text = String(decoding: bytes, as: UTF8.self).visible
    return text.isEmpty ? other : String(text.prefix(200))
  }
}

/// Why the program that decodes pictures ended, by its last message.
enum CameraFault {
  /// What is known of messages: a part of them, and what is wrong and what to do.
  private static let known = [
    ("Device or resource busy", "another program uses the camera; close it"),
    ("No such file or directory", "it is not there; is it plugged in?"),
    ("No such device", "the camera was unplugged"),
    ("Permission denied", "it must not be opened; add the user to the group “video”"),
    ("Inappropriate ioctl for device", "it is not a camera"),
    ("Not a video capture device", "it takes no pictures; many cameras have a second device, try the next"),
    ("Stream map '0:v:0' matches no streams", "it has no pictures"),
    ("Invalid data found when processing input", "it is not a film, or it is damaged"),
    ("moov atom not found", "it is not complete: its end, where the index is, is missing"),
    ("Cannot allocate memory", "too little memory"),
  ]

  /// The reason for people: ours where the message is known, then the message.
  ///
  /// - Parameters:
  ///   - status: how the program ended: `status 1`.
  ///   - message: its last line, or an empty text.
  /// - Returns: the reason, as a clause.
  static func reason(status: String, message: String) -> String {
    let own = known.first { message.contains($0.0) }?.1
    switch (own, message.isEmpty) {
    case (let own?, _): return "\(own) (ffmpeg: \(message))"
    case (nil, true): return "ffmpeg ended with \(status)"
    case (nil, false): return "ffmpeg ended with \(status): \(message)"
    }
  }
}
