import CSystem
import Glibc

/// A file descriptor with one owner, closed with it.
struct Descriptor: ~Copyable {
  /// The number that the system gave it.
  let number: Int32

  private let isBorrowed: Bool

  init(_ number: Int32) {
    self.number = number
    isBorrowed = false
  }

  /// A descriptor that somebody else closes: standard input.
  init(borrowing number: Int32) {
    self.number = number
    isBorrowed = true
  }

  deinit { if !isBorrowed { close(number) } }

  /// What a read brought.
  enum Arrival {
    case bytes(Int)
    case end
    case nothing
    case failed(Int32)
  }

  /// Reads what is there into a buffer.
  func read(into buffer: inout [UInt8]) -> Arrival {
    let result = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
    if result > 0 { return .bytes(result) }
    if result == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .nothing : .failed(errno)
  }
}

/// What wakes a thread that waits for a descriptor: a counter of the kernel's that becomes readable.
final class Alarm: Sendable {
  private let number: Int32

  /// Whether there was a descriptor to be had for it.
  var works: Bool { number >= 0 }

  /// An alarm.
  init() { number = csystem_alarm_open() }

  deinit { if number >= 0 { close(number) } }

  /// Rings, from any thread.
  func ring() { csystem_alarm_ring(number) }

  /// Waits until it rings, or one of the descriptors has something to say, or the time is over.
  ///
  /// - Parameters:
  ///   - descriptors: what is waited for, with `poll`'s events.
  ///   - milliseconds: the longest wait; negative for ever.
  /// - Returns: for each descriptor, `poll`'s answer.
  func wait(_ descriptors: [(number: Int32, events: Int)], milliseconds: Int32 = -1) -> [Int16] {
    var polled = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)]
    for (number, events) in descriptors { polled.append(pollfd(fd: number, events: Int16(events), revents: 0)) }
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    guard count > 0 else { return Array(repeating: 0, count: descriptors.count) }
    if polled[0].revents != 0 { csystem_alarm_clear(number) }
    return polled.dropFirst().map(\.revents)
  }
}
