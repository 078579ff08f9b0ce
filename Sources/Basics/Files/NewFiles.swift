import Glibc
import Synchronization

/// Who may use the files and folders that this process creates: its user alone, unless it shares them.
package enum NewFiles: Sendable {
  private static let areShared = Atomic(false)

  /// Lets others use what is created from now on, as far as the process's umask allows; except for what is always private.
  package static func share() { areShared.store(true, ordering: .relaxed) }

  /// The permissions of a new file, before the umask.
  static func permissions(isPrivate: Bool) -> mode_t {
    isPrivate || !areShared.load(ordering: .relaxed) ? 0o600 : 0o666
  }

  /// The permissions of a new folder, before the umask.
  static func folderPermissions(isPrivate: Bool) -> mode_t {
    isPrivate || !areShared.load(ordering: .relaxed) ? 0o700 : 0o777
  }
}
