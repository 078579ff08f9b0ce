import CSystem
import Glibc

/// An owned file descriptor, closed with its owner.
package struct Descriptor: ~Copyable {
  /// The number that the system assigned.
  package let number: Int32

  private let isBorrowed: Bool

  package init(_ number: Int32) {
    self.number = number
    isBorrowed = false
  }

  /// Wraps a descriptor that this value must not close, such as standard input.
  package init(borrowing number: Int32) {
    self.number = number
    isBorrowed = true
  }

  deinit { if !isBorrowed { close(number) } }

  /// How many bytes wait to be read; 0 where the system does not say it.
  package var waitingBytes: Int {
    // FIONREAD of <asm/ioctls.h>.
    let request: UInt = 0x541B
    var count: Int32 = 0
    return unsafe ioctl(number, request, &count) == 0 ? Int(count) : 0
  }

  /// The result of a read.
  package enum Arrival {
    case bytes(Int)
    case end
    case nothing
    case failed(Int32)
  }

  /// Reads the available bytes into a buffer.
  package func read(into buffer: inout [UInt8]) -> Arrival {
    let result = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
    if result > 0 { return .bytes(result) }
    if result == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .nothing : .failed(errno)
  }
}

/// An event counter (eventfd) that wakes a thread waiting in `poll`.
package final class Alarm: Sendable {
  private let number: Int32

  /// Whether the system provided a descriptor.
  package var works: Bool { number >= 0 }

  package init() { number = csystem_alarm_open() }

  deinit { if number >= 0 { close(number) } }

  /// Wakes the waiting thread; may be called from any thread.
  package func ring() { csystem_alarm_ring(number) }

  /// Waits until the alarm rings, a descriptor is ready, or the timeout expires.
  ///
  /// - Parameters:
  ///   - descriptors: the descriptors to wait for, with `poll`'s events.
  ///   - milliseconds: the timeout; negative for none.
  /// - Returns: `poll`'s result for each descriptor.
  package func wait(_ descriptors: [(number: Int32, events: Int)], milliseconds: Int32 = -1) -> [Int16] {
    var polled = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)]
    for (number, events) in descriptors { polled.append(pollfd(fd: number, events: Int16(events), revents: 0)) }
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    guard count > 0 else { return Array(repeating: 0, count: descriptors.count) }
    if polled[0].revents != 0 { csystem_alarm_clear(number) }
    return polled.dropFirst().map(\.revents)
  }
}
