import Basics

/// Reports every process's commits to one SQLite file soon after they are made.
///
/// A writer touches the database after each commit, which the kernel reports immediately. A writer that dies in between
/// has at least written to the log before. Since that write is reported shortly before the commit becomes visible, the
/// watch signals a few more times after it.
struct SQLiteWatch: StoreWatch {
  private let watch: FileWatch

  init(database path: String) { watch = FileWatch(path, echoes: [4, 12, 28, 60, 120, 250, 500, 1000]) }

  func wait() async -> Bool { await watch.wait() }

  func stop() { watch.stop() }
}
