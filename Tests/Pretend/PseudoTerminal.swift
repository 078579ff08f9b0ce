import Basics
import CSystem
import Glibc

@testable import Sensors

/// A pair of connected terminals: what is written to one end is read at the other, as at the ends of a serial cable.
struct PseudoTerminal: ~Copyable {
  /// The end of the device, which never blocks.
  let device: Descriptor
  /// The path of the other end, which a program opens as a serial port.
  let path: String

  /// Holds the other end open in raw mode, so that nothing is echoed and closing it is no hangup.
  private let port: Descriptor

  /// Opens a pair.
  ///
  /// - Throws: ``LinkFault`` with the system's reason.
  init() throws(LinkFault) {
    let action = "cannot open a pseudo-terminal"
    let number = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw LinkFault(action, errno) }
    let device = Descriptor(number)
    // TIOCSPTLCK and TIOCGPTN of <asm/ioctls.h>: unlock the other end, and ask for its number.
    var (locked, place): (Int32, Int32) = (0, 0)
    guard unsafe ioctl(number, 0x4004_5431, &locked) == 0, unsafe ioctl(number, 0x8004_5430, &place) == 0 else {
      throw LinkFault(action, errno)
    }
    let path = "/dev/pts/\(place)"
    let other = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard other >= 0 else { throw LinkFault(action, errno) }
    let port = Descriptor(other)
    var settings = termios()
    unsafe _ = tcgetattr(other, &settings)
    unsafe cfmakeraw(&settings)
    unsafe _ = tcsetattr(other, TCSANOW, &settings)
    self.device = device
    self.path = path
    self.port = port
  }

  /// Writes what fits into the line; the rest is lost, as with a device that no program reads.
  func send(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe _ = write(device.number, $0.baseAddress, $0.count) }
  }

  /// What has arrived.
  func received() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    guard case .bytes(let count) = device.read(into: &buffer) else { return [] }
    return Array(buffer[..<count])
  }
}
