import Basics
import Bundles
import Glibc
import Pages
import Session
import Study
import Synchronization

/// The participant's page, as long as a session lasts, and its browser where the station starts one.
final class ServedPage: Sendable {
  let page: ParticipantPage
  private let console: Console
  private let server: PageServer
  private let door: PageDoor
  var address: String { door.address }
  private let browser = Mutex<ParticipantBrowser?>(nil)

  /// Serves it.
  ///
  /// - Throws: `PageServerError`, and `FileError` when its file cannot be written.
  init(
    _ phrases: Phrases, _ pictures: [StudyPicture: [UInt8]], _ monitor: MonitorFacts, on console: Console,
    isJSON: Bool = false, calls: @escaping @Sendable (ParticipantCall) -> Void = { _ in }
  ) throws {
    self.console = console
    page = ParticipantPage(
      phrases: phrases, pictures: pictures, monitor: monitor,
      report: { event in
        if case .called(let call) = event { calls(call) }
        event.words.map { console.report($0) }
      },
      follow: { console.show(status: $0) })
    server = try PageServer(page)
    door = try PageDoor(to: server)
    if let note = try Self.fontNote(phrases.tag) { console.report(note) }
    if monitor.delay == nil, pictures.keys.contains(where: { $0.start == .sound }) { console.report(Self.delayNote) }
    if monitor.width == nil, pictures.keys.contains(where: { $0.width != nil }) { console.report(Self.widthNote) }
    let place = "the participant's page: open \(door.path) in a browser of this computer"
    if isJSON { console.report(place) } else { console.line(place) }
  }

  private static let delayNote =
    "the delay of the participant's monitor was not measured, so that pictures may appear later than recorded; "
    + "measure it with “station check screen”"
  private static let widthNote =
    "the width of the participant's monitor is not known, so that pictures may not be as wide as the protocol says; "
    + "give it with “station check screen --width-mm”"

  /// What to know about the fonts for a language; `nil` where there is one.
  private static func fontNote(_ tag: String) throws -> String? {
    let language = tag.prefix { $0 != "-" }.lowercased()
    let folder = try TemporaryFolder()
    do {
      let fonts = try folder.use { try ProgramStart(["fc-list", ":lang=\(language)", "family"]).run(in: $0) }
      guard fonts.allSatisfy(\.isWhitespace) else { return nil }
    } catch {
      return "whether a font has the letters of “\(tag)” is not known, since fc-list failed; install fontconfig"
    }
    let package = ["zh", "ja", "ko"].contains(language) ? "fonts-noto-cjk" : "fonts-noto-core"
    return "no font of this computer has the letters of “\(tag)”, so that a browser shows boxes; install \(package)"
  }

  /// Starts the browser on the participant's screen.
  ///
  /// - Throws: ``Failure`` where none can run.
  func startBrowser(on screen: Int?) throws {
    let started = try ParticipantBrowser(at: door.path, screen: screen) { [page, console] reason, isRestarted in
      if isRestarted { page.restart() }
      console.report(
        "the participant's browser ended (\(reason)); " + (isRestarted ? "it is started again" : "open it yourself"))
    }
    browser.withLock { $0 = started }
  }

  func close() {
    page.end()
    server.close()
    browser.withLock { $0.take() }?.close()
    door.remove()
  }
}

extension PageEvent {
  /// What the operator reads at a terminal; `nil` for what needs no words.
  fileprivate var words: String? {
    switch self {
    case .called(.help): ParticipantCall.help.rawValue
    case .called(.stop):
      "\(ParticipantCall.stop.rawValue): Ctrl-C ends the trial; where it is paused, p goes on with it"
    case .happened(.hidden): "the participant's page is hidden"
    case .happened(.visible): "the participant's page is visible again"
    case .happened(.reloaded): "the participant's page was loaded again"
    case .happened(.fullScreenLeft): "the participant's page left the full screen"
    case .happened(.pictureBroken): "the participant's page cannot load a picture; see whether its file is whole"
    case .happened(.lost): "the participant's page is gone: no browser shows it"
    case .happened(.unresponsive): "the participant's page does not respond; load it again (F5)"
    case .happened(.responsive): "the participant's page responds again"
    case .happened(.fullScreenEntered), .happened(.focusLost), .happened(.focused), .happened(.browserRestarted): nil
    case .noticed(let text): text
    }
  }
}

/// Chromium on the participant's screen, with a profile of its own; it is started again when it ends.
private final class ParticipantBrowser: Sendable {
  private struct State {
    var process: pid_t?
    var isClosed = false
  }

  /// How often it is started within a minute before that is given up.
  private static let maxStarts = 5
  private static let missing = "chromium is not installed"

  private let state = Mutex(State())
  private let profile: TemporaryFolder
  private let words: [String]
  private let ended: @Sendable (_ reason: String, _ isRestarted: Bool) -> Void

  /// Starts it.
  ///
  /// - Parameters:
  ///   - door: the file that leads to the page.
  ///   - screen: the number of the monitor, from 1; `nil` for the one that the window manager chooses.
  ///   - ended: called when it has ended by itself.
  /// - Throws: ``Failure`` where none can run.
  init(at door: String, screen: Int?, ended: @escaping @Sendable (String, Bool) -> Void) throws {
    guard geteuid() != 0 else {
      throw Failure(
        "--browser does not start Chromium as root, for whom it has no sandbox; run the station as another user, or use --page and open the page yourself"
      )
    }
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { (name: String) in unsafe getenv(name) != nil }) else {
      throw Failure(
        "--browser needs a graphical session, and neither DISPLAY nor WAYLAND_DISPLAY is set; start the station in one, or use --page"
      )
    }
    let place = try screen.map { try Monitor.number($0) }
    profile = try TemporaryFolder()
    words =
      [
        "chromium", "--user-data-dir=\(profile.path)", "--app=file://\(door)", "--kiosk", "--no-first-run",
        "--no-default-browser-check", "--disable-sync", "--disable-background-networking", "--disable-component-update",
        "--disable-features=Translate", "--disable-session-crashed-bubble", "--noerrdialogs", "--password-store=basic",
        "--overscroll-history-navigation=0",
      ]
      + (place.map { ["--window-position=\($0.x),\($0.y)", "--window-size=\($0.width),\($0.height)"] } ?? [])
    self.ended = ended
    guard try start() else {
      throw Failure("--browser: \(Self.missing); install it, or use --page with another browser")
    }
    WaitingThread.start { [self] in watch() }
  }

  /// Starts the program; whether it is there.
  private func start() throws -> Bool {
    try state.withLock { state in
      guard !state.isClosed else { return true }
      let started = ProgramStart(words).start()
      guard started.error == 0 else {
        guard started.error == ENOENT else {
          throw Failure("--browser: chromium cannot be started (error \(started.error))")
        }
        return false
      }
      state.process = started.process
      return true
    }
  }

  private func watch() {
    var starts: [ContinuousClock.Instant] = [.now]
    while let process = state.withLock({ $0.process }) {
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
      let isClosed = state.withLock { state in
        state.process = nil
        return state.isClosed
      }
      guard !isClosed else { return }
      starts = starts.filter { $0.duration(to: .now) < .seconds(60) }
      let goesOn = starts.count < Self.maxStarts
      ended(status & 0x7F == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)", goesOn)
      guard goesOn, (try? start()) ?? false else { return }
      starts.append(.now)
    }
  }

  /// Ends it with everything that it has started.
  func close() {
    let process = state.withLock { state in
      state.isClosed = true
      return state.process
    }
    if let process {
      kill(-process, SIGTERM)
      for _ in 0..<100 where state.withLock({ $0.process != nil }) { usleep(20_000) }
      kill(-process, SIGKILL)
    }
    profile.remove()
  }
}

/// Where a monitor of an X11 session is, in pixels of all monitors.
private struct Monitor {
  var width: Int
  var height: Int
  var x: Int
  var y: Int

  /// Finds a monitor by its number from 1, in the order of `xrandr --listmonitors`.
  ///
  /// - Throws: ``Failure`` under Wayland, where no program places its window, and where there is no such monitor.
  static func number(_ number: Int) throws -> Monitor {
    if unsafe getenv("WAYLAND_DISPLAY") != nil {
      throw Failure(
        "--screen places a window, which Wayland does not let a program do; under Wayland run the browser on the participant's monitor in cage, or let sway place it, and leave --screen out"
      )
    }
    let folder = try TemporaryFolder()
    let listed: String
    do {
      listed = try folder.use { try ProgramStart(["xrandr", "--listmonitors"]).run(in: $0) }
    } catch {
      throw Failure(
        "--screen: the monitors are not known, since xrandr failed; install x11-xserver-utils, or leave --screen out")
    }
    let monitors = listed.split(separator: "\n").compactMap(Self.init)
    guard number <= monitors.count else {
      throw Failure(
        "--screen \(number): this session has \(monitors.count.counted("monitor")); choose 1 to \(monitors.count)")
    }
    return monitors[number - 1]
  }

  /// A line such as ` 1: +HDMI-1 1920/527x1080/296+1366+0  HDMI-1`; `nil` for any other.
  private init?(_ line: Substring) {
    guard let found = line.firstMatch(of: /(\d+)\/\d+x(\d+)\/\d+\+(-?\d+)\+(-?\d+)/),
      let width = Int(found.1), let height = Int(found.2), let x = Int(found.3), let y = Int(found.4)
    else { return nil }
    (self.width, self.height, self.x, self.y) = (width, height, x, y)
  }
}
