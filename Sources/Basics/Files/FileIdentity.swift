import CSystem
import Glibc

/// The identity of a file: its file system and its inode number.
package struct FileIdentity: Hashable, Sendable {
  /// The file system's device number.
  let device: UInt
  /// The inode number.
  let inode: UInt

  init(_ status: stat) {
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
  }

  /// Creates the identity of the file at a path, if it exists; links are not followed.
  package init?(of path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// A file's size, change time and inode number: equal stamps mean equal content.
package struct FileStamp: Hashable, Sendable {
  package let size: Int
  /// The change time in nanoseconds since 1970, which programs cannot set.
  package let nanoseconds: Int64
  /// The inode number.
  package let inode: UInt

  package init(size: Int, nanoseconds: Int64, inode: UInt) {
    (self.size, self.nanoseconds, self.inode) = (size, nanoseconds, inode)
  }

  init(_ status: stat) {
    var status = status
    unsafe (size, nanoseconds) = (Int(status.st_size), csystem_changed_nanoseconds(&status))
    inode = UInt(status.st_ino)
  }

  /// The stamp of the regular file at a path, if there is one; links are not followed.
  package init?(of path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  /// When the file was changed last, rounded down to the microsecond.
  package var changed: WallTime { WallTime(microseconds: nanoseconds / 1000) }
}

extension File {
  /// Whether a process on this computer holds the advisory lock of a file; the lock itself is not touched.
  ///
  /// - Parameter path: the file.
  /// - Returns: `nil` if the system does not report locks.
  package static func isLocked(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return isLocked(inode: UInt(status.st_ino), on: lockDevices(of: path, status)) {
      (try? File.contents(of: "/proc/locks")).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Whether one of several lists of locks contains a file; `nil` without a list.
  ///
  /// The kernel lists locks a page at a time: an entry that moves between two pages, because another lock is released
  /// meanwhile, is missing from a list.
  static func isLocked(inode: UInt, on devices: Set<String>, list: () -> String?) -> Bool? {
    for _ in 0..<8 {
      guard let locks = list() else { return nil }
      if isLocked(inode: inode, on: devices, in: locks) { return true }
    }
    return false
  }

  /// Whether a list in the form of `/proc/locks` contains a file.
  static func isLocked(inode: UInt, on devices: Set<String>, in locks: String) -> Bool {
    !lockHolders(.flock, inode: inode, on: devices, in: locks).isEmpty
  }

  /// The processes that lock a file, by a list in the form of `/proc/locks`:
  /// `1: FLOCK  ADVISORY  WRITE 1234 fd:01:131090 0 EOF`.
  ///
  /// The line of a waiting process has “->” after the number, and does not count.
  static func lockHolders(
    _ kind: LockHolder.Kind, inode: UInt, on devices: Set<String>, in locks: String
  ) -> [Int32] {
    locks.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 8, words[1] == kind.rawValue else { return nil }
      let numbers = words[5].split(separator: ":")
      guard numbers.count == 3, numbers[2] == String(inode), devices.contains("\(numbers[0]):\(numbers[1])")
      else { return nil }
      return Int32(words[4])
    }
  }

  /// The device numbers under which `/proc/locks` may list a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - status: what `stat` reports of it.
  ///   - mayOpen: whether the file may be opened and closed, which releases record locks of this process on it.
  /// - Returns: the numbers as the list has them: `fd:01`.
  static func lockDevices(of path: String, _ status: stat, mayOpen: Bool = true) -> Set<String> {
    Set([deviceName(UInt(status.st_dev)), mayOpen ? mountedDevice(of: path) : nil].compactMap(\.self))
  }

  // At least two hexadecimal digits, as in /proc/locks.
  private static func deviceName(_ device: UInt) -> String {
    name(Int(csystem_device_major(device)), Int(csystem_device_minor(device)))
  }

  private static func name(_ major: Int, _ minor: Int) -> String {
    [major, minor].map { number in
      let digits = String(number, radix: 16)
      return digits.count < 2 ? "0\(digits)" : digits
    }.joined(separator: ":")
  }

  // Some file systems, such as btrfs, report other device numbers in `stat` than in /proc/locks.
  private static func mountedDevice(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let own = try? File.contents(of: "/proc/self/fdinfo/\(descriptor)"),
      let mounts = try? File.contents(of: "/proc/self/mountinfo"),
      let mount = String(decoding: own, as: UTF8.self).split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") }),
      let number = mount.split(whereSeparator: \.isWhitespace).last
    else { return nil }
    for line in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4, words[0] == number else { continue }
      let numbers = words[2].split(separator: ":").compactMap { Int($0) }
      return numbers.count == 2 ? name(numbers[0], numbers[1]) : nil
    }
    return nil
  }
}
