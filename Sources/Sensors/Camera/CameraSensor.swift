import Basics
import CSystem
import Glibc
package import Quantities
import Signals
import Synchronization

/// A camera, or a film of one, in which the pulse is seen: the tip of a finger on the lens, or a face.
///
/// The program `ffmpeg` decodes the pictures, so that a decoder that crashes takes no trial with it. The sensor delivers
/// the raw trace of the picture's colours as a waveform (`photoplethysmogram` with the channels red, green
/// and blue), the beats and the heart rate of the pulse in it, and once a second the quality of that signal
/// (`signalQuality`) and, where there is no pulse, why. Pictures are not kept.
///
/// A beat is delivered about 2 s after it happened, 3 s with the mixtures of colours. A camera that is lost is tried again
/// with pauses of 0.5, 1, 2, 4 and then 8 s; a film is replayed at its pace, and ends.
struct CameraSensor: Sensor {
  /// The source that its samples are attributed to.
  let source: SensorSource

  /// `true` for a film: the samples were measured before.
  var isRecording: Bool { settings.isFilm }

  /// The heart's channels, the quality of the signal and its trace.
  var channels: [Channel] {
    Channel.ofHeartbeats + [Channel(.signalQuality, rate: 1), Channel(.photoplethysmogram, rate: settings.rate)]
  }

  /// The number of samples received over all streams.
  var readingsTaken: Int? { settings.isFilm ? nil : tally.count }

  /// 15 s: a pulse is found after ten beats, and decoding takes a moment to start.
  var warmUp: Duration { .seconds(15) }

  private let settings: CameraSettings
  private let isDevice: Bool
  private let tally = SampleTally()

  /// Creates a sensor, after the checks that need no waiting.
  ///
  /// - Parameters:
  ///   - settings: where the pictures come from and what is looked for in them.
  ///   - latency: the delay from what a picture shows to its time.
  ///   - name: the sensor as the operator named it.
  ///   - location: its place on the body.
  /// - Throws: ``SensorError`` where the camera, the film or the program that decodes them is missing.
  init(
    _ settings: CameraSettings, latency: Duration, name: String, location: Metadata.SensorLocation?
  ) throws(SensorError) {
    let path = settings.path
    func refusal(_ reason: String, _ advice: String) -> SensorError {
      SensorError("use the sensor", name, reason, advice: advice)
    }
    switch PathKind(path) {
    case nil:
      throw refusal(
        "there is no “\(path.visible)”",
        settings.isFilm ? "name the file of a film" : "plug the camera in; ls /dev/video* lists cameras")
    case .folder: throw refusal("“\(path.visible)” is a folder", "name a \(settings.isFilm ? "film" : "camera")")
    case .file where !settings.isFilm: throw refusal("“\(path.visible)” is an ordinary file", "use video:\(path)")
    case .stream where settings.isFilm: throw refusal("“\(path.visible)” is not a file", "use camera:\(path)")
    case .file, .stream: break
    }
    guard Self.hasProgram else {
      throw refusal("the program ffmpeg, which decodes pictures, is not installed", "run apt install ffmpeg")
    }
    self.settings = settings
    var status = stat()
    isDevice = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    let number = isDevice ? String(path.split(separator: "/").last ?? "") : ""
    let title = try? File.contents(of: "/sys/class/video4linux/\(number)/name", limit: 256)
    let text = title.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).visible }
    let label = text ?? (settings.isFilm ? "Film" : "Camera")
    source = SensorSource(
      name: name, latency: latency, device: Device(name: label, localIdentifier: isDevice ? path : nil),
      location: location ?? (settings.isOfFinger ? .finger : nil))
  }

  /// Starts the camera or the film.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let pictures = PictureConnection.Settings(
      camera: settings, isDevice: isDevice, latency: source.latency, device: source.device)
    let thread = SensorThread.Settings(
      clock: clock, tally: tally, capacity: PictureConnection.capacity, reconnects: !settings.isFilm)
    guard settings.isFilm else {
      return ConnectionFeed.events(
        of: .init(
          name: "“\(settings.path.visible)”", settings: thread,
          opening: .onThread { thread, _ throws(LinkFault) in try PictureConnection(pictures, on: thread).read() }))
    }
    let start = clock.now.advanced(by: source.latency)
    let film = FilmFeed(
      SensorThread(thread) { thread, _ throws(LinkFault) in
        try PictureConnection(pictures, filmFrom: start, on: thread).read()
      })
    return AsyncStream { await film.next() }
  }

  /// Whether the program that decodes pictures is in a folder of `PATH`.
  private static var hasProgram: Bool {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { unsafe access("\($0)/\(CameraSettings.program)", X_OK) == 0 }
  }
}

/// The events of a film, each when its pictures are shown.
final class FilmFeed: Sendable {
  private let thread: SensorThread
  private let isDone = Mutex(false)

  private var clock: any StationClock { thread.clock }

  init(_ thread: SensorThread) { self.thread = thread }

  deinit { thread.stop() }

  /// The next event; `nil` at the end, or when the task is cancelled.
  func next() async -> SensorEvent? {
    guard !isDone.withLock({ $0 }) else { return nil }
    let item = await withTaskCancellationHandler {
      await clock.hold { await thread.queue.next() }
    } onCancel: {
      thread.stop()
    }
    switch item {
    case .event(let event):
      guard let arrived = event.arrived else { return event }
      do { try await clock.sleep(until: arrived, tolerance: nil) } catch { return nil }
      return event
    case .closed(.stopped, _):
      isDone.withLock { $0 = true }
      return nil
    case .closed(.over(let reason), _), .closed(.broken(let reason), _):
      isDone.withLock { $0 = true }
      return .ended(reason: reason)
    }
  }
}

extension SensorEvent {
  /// When its samples arrived; `nil` for other events.
  fileprivate var arrived: Moment? {
    switch self {
    case .readings(let batch): batch.map(\.arrived).max()
    case .waveform(let frames): frames.arrived
    default: nil
    }
  }
}

/// Where pictures come from, which part of them is used, and in which colours the pulse is looked for.
package struct CameraSettings: Hashable, Sendable {
  /// A part of the picture, as shares of its width and height.
  struct Region: Hashable, Sendable {
    /// The left edge.
    let x: Double
    /// The upper edge.
    let y: Double
    let width: Double
    let height: Double
  }

  /// The device or FIFO of a camera, or the file of a film.
  let path: String
  /// Whether it is a film, which is replayed at its pace.
  let isFilm: Bool
  /// The colours in which the pulse is looked for; with several the best one is taken.
  var colours = PulseColour.allCases
  /// The part of the picture; `nil` for all of it.
  var region: Region?
  /// The width and height asked of a device; `nil` for the device's choice.
  var size: String?
  /// The number of pictures per second asked of a device, in Hz; `nil` for the device's choice.
  var rate: Double?
  /// Whether a finger is to cover the lens, so that a picture with anything else shows no pulse.
  var isOfFinger = true

  /// Settings with every option at its default.
  init(path: String, isFilm: Bool) { (self.path, self.isFilm) = (path, isFilm) }

  /// The words of the command that hands over reduced pictures with their times.
  ///
  /// - Parameter isDevice: whether the path is a Video4Linux device.
  /// - Returns: the program and its arguments.
  func command(isDevice: Bool) -> [String] {
    var words = [Self.program, "-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "2"]
    if isDevice {
      words += ["-f", "v4l2"]
      if let size { words += ["-video_size", size] }
      if let rate { words += ["-framerate", "\(rate)"] }
    }
    if !isFilm { words += ["-fflags", "nobuffer", "-analyzeduration", "200000", "-probesize", "100000"] }
    // The prefix: a path such as a:b is no address of a protocol, and one that begins with a dash no option.
    words += ["-i", isDevice ? path : "file:\(path)"]
    var filter = "scale=\(Picture.columns):\(Picture.rows):flags=area,format=rgb48le"
    if let region {
      filter = "crop=iw*\(region.width):ih*\(region.height):iw*\(region.x):ih*\(region.y),\(filter)"
    }
    // Each picture once, with the time that it came with; `-1`: in the film's own unit of time.
    return words + [
      "-map", "0:v:0", "-copyts", "-fps_mode", "passthrough", "-enc_time_base", "-1", "-vf", filter, "-c:v", "rawvideo",
      "-flush_packets", "1", "-f", "nut", "pipe:1",
    ]
  }

  /// The program that decodes pictures.
  static let program = "ffmpeg"
}

extension SensorTransport {
  /// A camera, such as `/dev/video0`, or a FIFO with a film.
  ///
  /// Its options are `channel=auto|blue|green|red|pos|chrom`, `region=X,Y,WIDTH,HEIGHT` in shares of the picture,
  /// `size=640x480` and `fps=30`; a `location` other than `finger` means that no finger has to cover the lens, as with a
  /// face (`location=other`).
  static let camera = SensorTransport(
    scheme: "camera", rest: .required(reason: "the camera is missing", advice: "say camera:/dev/video0"),
    forms: [.init(text: "camera:DEVICE[?channel=COLOUR&…]")],
    nicknames: [.init(address: "camera:/dev/video0", words: ["webcam", "cam", "video0"])]
  ) { reader, rest throws(SensorError) in try reader.camera(rest ?? "", isFilm: false) }

  /// A film of a camera, replayed at its pace; its options are those of a camera but for `size` and `fps`.
  static let video = SensorTransport(
    scheme: "video", rest: .required(reason: "the film is missing", advice: "say video:FILE"),
    forms: [.init(text: "video:FILE[?channel=COLOUR&…]")],
    nicknames: [.init(address: "video:FILE", words: ["film", "movie", "mp4", "mkv"])]
  ) { reader, rest throws(SensorError) in try reader.camera(rest ?? "", isFilm: true) }
}

extension CameraSettings: SensorKind {
  /// Creates the sensor, after the check that the camera or the film is there.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try CameraSensor(self, latency: latency, name: name, location: location)
  }
}

extension AddressReader {
  fileprivate func camera(_ rest: String, isFilm: Bool) throws(SensorError) -> SensorTransport.Reading {
    let known = Self.commonOptions + ["channel", "region"] + (isFilm ? [] : ["size", "fps"])
    let (path, options) = try split(rest, known: known)
    guard !path.isEmpty, !path.contains("\0") else {
      throw error("the \(isFilm ? "film" : "camera") is missing", "say \(isFilm ? "video:FILE" : "camera:/dev/video0")")
    }
    var settings = CameraSettings(path: path, isFilm: isFilm)
    if let name = options["channel"], name != "auto" {
      guard let colour = PulseColour(rawValue: name) else {
        throw error(
          "there is no channel “\(name)”",
          Spelling.advice(for: name, among: ["auto"] + PulseColour.allCases.map(\.rawValue)))
      }
      settings.colours = [colour]
    }
    if let text = options["region"] { settings.region = try region(text) }
    if let text = options["size"] {
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ (16...8192).contains($0) }) else {
        throw error("size is “\(text)”", "it is width and height such as 640x480")
      }
      settings.size = text
    }
    if let text = options["fps"] { settings.rate = try number("fps", text, 5...240) }
    let place = try location(options["location"])
    settings.isOfFinger = place == nil || place == .finger
    return (settings, try latency(options), place)
  }

  private func region(_ text: String) throws(SensorError) -> CameraSettings.Region {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard parts.count == 4, parts.allSatisfy({ (0...1).contains($0) }), parts[2] >= 0.02, parts[3] >= 0.02,
      parts[0] + parts[2] <= 1, parts[1] + parts[3] <= 1
    else {
      throw error(
        "region is “\(text)”",
        "it is left edge, upper edge, width and height in shares of the picture, such as 0.3,0.2,0.4,0.4")
    }
    return CameraSettings.Region(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }
}
