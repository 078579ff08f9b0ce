import Basics
import CSystem
import Glibc
import Quantities

/// An open serial port in raw mode, which no other program may open meanwhile.
struct SerialPort: ~Copyable {
  /// The port's descriptor, which never blocks.
  let descriptor: Descriptor

  private let path: String

  /// The speeds that a port can have, in bits per second.
  static let speeds: [Int: speed_t] = [
    1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600), 19_200: speed_t(B19200),
    38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200), 230_400: speed_t(B230400),
    460_800: speed_t(B460800), 500_000: speed_t(B500000), 921_600: speed_t(B921600), 1_000_000: speed_t(B1000000),
    2_000_000: speed_t(B2000000),
  ]

  /// Opens a port: eight bits, no parity, one stop bit, no flow control.
  ///
  /// - Throws: ``LinkFault`` with what to do about it.
  init(_ path: String, baud: Int) throws(LinkFault) {
    let name = "“\(path.visible)”"
    let number = unsafe open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw Self.fault(opening: name, errno) }
    let descriptor = Descriptor(number)
    guard isatty(number) != 0 else { throw LinkFault("\(name) is not a serial port") }
    // Two programs would each get half of the bytes. TIOCEXCL does not bind root, a lock does.
    guard flock(number, LOCK_EX | LOCK_NB) == 0, ioctl(number, UInt(TIOCEXCL)) == 0 else {
      throw Self.fault(opening: name, EBUSY)
    }
    var settings = termios()
    guard unsafe tcgetattr(number, &settings) == 0 else { throw LinkFault("cannot set up \(name)", errno) }
    unsafe cfmakeraw(&settings)
    // Without HUPCL, an Arduino is not reset by the next program that opens the port.
    settings.c_cflag &= ~tcflag_t(HUPCL | PARENB | CSTOPB) & ~tcflag_t(1 << 31)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
    let speed = Self.speeds[baud] ?? speed_t(B115200)
    unsafe cfsetispeed(&settings, speed)
    unsafe cfsetospeed(&settings, speed)
    guard unsafe tcsetattr(number, TCSANOW, &settings) == 0 else {
      throw LinkFault("cannot set up \(name) for \(baud) bits per second", errno)
    }
    self.descriptor = descriptor
    self.path = path
  }

  /// Discards what has arrived and was not read.
  func discardInput() { tcflush(descriptor.number, TCIFLUSH) }

  /// Writes bytes that fit into the port's buffer, as a few always do.
  ///
  /// - Returns: zero, or the system's error number.
  func write(_ bytes: [UInt8]) -> Int32 {
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
    return count == bytes.count ? 0 : count < 0 ? errno : EAGAIN
  }

  /// Why a port cannot be opened, and what to do.
  private static func fault(opening name: String, _ code: Int32) -> LinkFault {
    let action = "cannot open \(name)"
    switch code {
    case ENOENT, ENODEV, ENXIO: return LinkFault("\(name) is not there; plug the device in")
    case EACCES, EPERM:
      return LinkFault("\(action): \(systemReason(code)); add the user to the group “dialout” and log in again")
    case EBUSY, EWOULDBLOCK: return LinkFault("\(action): another program uses it; close that program")
    default: return LinkFault(action, code)
    }
  }
}

extension AddressReader {
  /// Reads the speed of a serial port, in bits per second.
  func baud(_ text: String) throws(SensorError) -> Int {
    guard let baud = Int(text), SerialPort.speeds[baud] != nil else {
      throw error(
        "baud is “\(text)”", "it is one of \(SerialPort.speeds.keys.sorted().map(String.init).joined(separator: ", "))")
    }
    return baud
  }
}

/// The frames of a device that samples evenly and sends no times: placed by their count, and that by their arrival.
///
/// Frames that the device numbered and that did not arrive leave a gap of their length.
struct FrameTrain: Sendable {
  /// Frames that follow each other without a gap.
  struct Run {
    /// How many frames were lost before, if the device counts them.
    var lost = 0
    /// The number of its frames.
    var count = 0
  }

  /// Frames that come so much later than their count says, in seconds, follow a loss of more frames than the device can
  /// count.
  static let maxDelay = 0.1

  /// The nominal number of frames per second, in Hz.
  let rate: Double
  /// The length of the device's own count, after which it begins again.
  let cycle: Int
  private var clock: FrameClock

  init(rate: Double, cycle: Int, latency: Duration) {
    (self.rate, self.cycle) = (rate, cycle)
    clock = FrameClock(latency: latency)
  }

  /// The time of the first frame of each run; all arrived together.
  mutating func moments(of runs: [Run], arrived: Moment) -> [Moment] {
    var left = runs.reduce(0) { $0 + $1.lost + $1.count }
    return runs.map { run in
      if run.lost > 0 {
        var lost = run.lost
        let late = clock.lateness(ofFrames: left, rate: rate, arrived: arrived)
        if late > Self.maxDelay { lost += cycle * Int((late * rate / Double(cycle)).rounded()) }
        clock.skip(lost, rate: rate)
      }
      left -= run.lost + run.count
      return clock.moments(of: [.init(count: run.count, rate: rate, end: nil)], arrived: arrived)[0]
    }
  }
}
