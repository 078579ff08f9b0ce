import Basics
import CSystem
import Glibc
package import Quantities
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
package struct CameraSensor: Sensor {
  /// The source that its samples are attributed to.
  package let source: SensorSource

  /// `true` for a film: the samples were measured before.
  package var isRecording: Bool { settings.isFilm }

  /// The heart's channels, the quality of the signal and its trace.
  package var channels: [Channel] {
    Channel.ofHeartbeats + [Channel(.signalQuality, rate: 1), Channel(.photoplethysmogram, rate: settings.rate)]
  }

  /// The number of samples received over all streams.
  package var readingsTaken: Int? { settings.isFilm ? nil : tally.count }

  /// 15 s: a pulse is found after ten beats, and decoding takes a moment to start.
  package var warmUp: Duration { .seconds(15) }

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
  package init(
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
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
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
