import Basics
import CSystem
package import Quantities
import Synchronization

/// A serial port to which codes are written by a thread of its own, each at its moment.
///
/// A code is one byte. After the pulse the byte 0 follows, so that a device that shows the byte on eight lines has them low
/// again. A port that was unplugged is opened again for the next code.
package final class SerialMarkers: CodeOutput {
  /// The port and the pulse.
  package struct Settings: Hashable, Sendable {
    /// The path of the port.
    package var path: String
    /// The speed, in bits per second.
    var baud = 115_200
    /// How long a code stays before it is reset; zero leaves it.
    var pulse = Duration.milliseconds(10)

    /// Settings with every option at its default.
    init(path: String) { self.path = path }
  }

  private struct Job: Sendable {
    let number: Int
    let code: UInt8
    let due: Moment
    let report: @Sendable (MarkerDelivery) -> Void
  }

  private struct State: Sendable {
    var jobs: [Job] = []
    var count = 0
    var isStopped = false
    var opening: Result<Void, LinkFault>?

    /// Takes a job out; whether it still waited.
    mutating func take(_ number: Int) -> Bool {
      guard let index = jobs.firstIndex(where: { $0.number == number }) else { return false }
      jobs.remove(at: index)
      return true
    }
  }

  /// What the thread does next.
  private enum Step {
    case stop
    case wait(until: Moment?)
    case write(Job)
    case reset
  }

  /// The open port.
  private final class Line: Sendable {
    let port: SerialPort

    init(_ settings: Settings) throws(LinkFault) { port = try SerialPort(settings.path, baud: settings.baud) }
  }

  /// The output, as the operator named it.
  package let name: String
  private let settings: Settings
  private let alarm = Alarm()
  private let isOpened = Gate()
  private let state = Mutex(State())

  /// The last part of the wait for a moment is slept at the precision of the system's timers.
  private static let approach = Duration.milliseconds(3)

  /// Opens the port.
  ///
  /// - Parameters:
  ///   - settings: the port and the pulse.
  ///   - name: the output as the operator named it.
  /// - Returns: the port, open.
  /// - Throws: ``SensorError`` where the port cannot be opened.
  package static func open(_ settings: Settings, name: String) async throws(SensorError) -> SerialMarkers {
    let markers = SerialMarkers(settings, name: name)
    let isRunning = markers.alarm.works && WaitingThread.start { markers.run() }
    if isRunning { await markers.isOpened.pass() }
    let opening = markers.state.withLock { $0.opening } ?? .failure(LinkFault("no more threads to be had"))
    do throws(LinkFault) { try opening.get() } catch {
      throw SensorError("send markers to", name, error.reason)
    }
    return markers
  }

  private init(_ settings: Settings, name: String) { (self.settings, self.name) = (settings, name) }

  /// Has a code written at a moment.
  package func send(_ code: UInt8, at moment: Moment, report: @escaping @Sendable (MarkerDelivery) -> Void) -> Int {
    let number = state.withLock { state in
      state.count += 1
      state.jobs.append(Job(number: state.count, code: code, due: moment, report: report))
      return state.count
    }
    alarm.ring()
    return number
  }

  /// Takes a code back that was not written yet.
  package func cancel(_ number: Int) { state.withLock { $0.jobs.removeAll { $0.number == number } } }

  /// Closes the port, after the reset of a code that was written.
  package func close() {
    state.withLock { $0.isStopped = true }
    alarm.ring()
  }

  // MARK: On the thread

  private func run() {
    csystem_thread_be_punctual()
    let clock = MonotonicClock()
    var line: Line?
    do throws(LinkFault) {
      line = try Line(settings)
      state.withLock { $0.opening = .success(()) }
    } catch {
      state.withLock { $0.opening = .failure(error) }
    }
    isOpened.open()
    guard line != nil else { return }
    // The code that is to be reset, and when.
    var written: (job: Job, end: Moment)?
    while true {
      switch next(written?.end, at: clock.now) {
      case .stop: return
      case .wait(let end):
        let left = end.map { clock.now.duration(to: $0) - Self.approach }
        _ = alarm.wait([], milliseconds: left.map { Int32(clamping: max(0, Int64($0.milliseconds))) } ?? -1)
      case .write(let job):
        line = line ?? (try? Line(settings))
        csystem_sleep_until(job.due.nanoseconds)
        // It may have been taken back meanwhile.
        guard state.withLock({ $0.take(job.number) }) else { continue }
        let delivery = write(job.code, to: &line, clock)
        if case .sent = delivery, settings.pulse > .zero { written = (job, clock.now.advanced(by: settings.pulse)) }
        job.report(delivery)
      case .reset:
        guard let (job, end) = written.take() else { continue }
        csystem_sleep_until(end.nanoseconds)
        if case .failed(let reason) = write(0, to: &line, clock) {
          job.report(.failed(reason: "the code was not reset: \(reason)"))
        }
      }
    }
  }

  /// What is due within ``approach``, or how long to wait.
  private func next(_ reset: Moment?, at now: Moment) -> Step {
    state.withLock { state in
      let job = state.isStopped ? nil : state.jobs.min { $0.due < $1.due }
      let times = [job?.due, reset].compactMap(\.self)
      guard let first = times.min() else { return state.isStopped ? .stop : .wait(until: nil) }
      guard now.duration(to: first) <= Self.approach else { return .wait(until: first) }
      return job.flatMap { $0.due == first ? .write($0) : nil } ?? .reset
    }
  }

  private func write(_ byte: UInt8, to line: inout Line?, _ clock: MonotonicClock) -> MarkerDelivery {
    let open: Line
    do throws(LinkFault) {
      if let line { open = line } else { open = try Line(settings) }
    } catch {
      return .failed(reason: error.reason)
    }
    line = open
    let start = clock.now
    let code = open.port.write([byte])
    let length = start.duration(to: clock.now)
    guard code == 0 else {
      line = nil
      return .failed(reason: LinkFault("cannot write to “\(settings.path.visible)”", code).reason)
    }
    return .sent(MeasuredMoment(moment: start.advanced(by: length / 2), uncertainty: length / 2))
  }
}
