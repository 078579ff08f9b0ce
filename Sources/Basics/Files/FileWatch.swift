import CSystem
import Dispatch
import Glibc
import Synchronization

/// Reports immediately when any process creates or writes a file.
///
/// It watches the folder, so that the file need not exist yet. Files whose names have the same prefix count too, such
/// as a database's log. If the kernel has no more watches available, it signals periodically instead.
package final class FileWatch: Sendable {
  private let bell = Bell()
  private let queue = DispatchQueue(label: "station.watch")
  // Dispatch sources are thread-safe, though their type is not marked Sendable.
  nonisolated(unsafe) private let source: any DispatchSourceProtocol
  /// The number of observed events; a later event replaces the echoes of an earlier one.
  private let seen = Mutex(0)
  private let echoes: [Int]

  /// The signalling period without a kernel watch, in milliseconds.
  private static let pulse = 50

  /// Watches a file.
  ///
  /// - Parameters:
  ///   - path: the file, whose folder has to exist.
  ///   - echoes: delays after an event, in milliseconds and ascending, at which to signal again: for events that are
  ///     reported shortly before their change becomes visible.
  package convenience init(_ path: String, echoes: [Int] = []) {
    let resolved = unsafe realpath(path, nil)
    defer { unsafe free(resolved) }
    let path = unsafe resolved.map { unsafe String(cString: $0) } ?? path
    self.init(folder: Folder.parent(of: path), names: Folder.name(of: path), echoes: echoes)
  }

  /// Watches a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder, which has to exist.
  ///   - name: the prefix of the watched names; empty for all names.
  ///   - echoes: as for a file.
  package init(folder: String, names name: String = "", echoes: [Int] = []) {
    self.echoes = echoes
    let watch = unsafe csystem_folder_watch_open(folder)
    guard watch >= 0 else {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now(), repeating: .milliseconds(Self.pulse))
      unsafe source = timer
      timer.setEventHandler { [bell] in bell.ring() }
      timer.resume()
      return
    }
    let reader = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
    unsafe source = reader
    reader.setCancelHandler { close(watch) }
    reader.setEventHandler { [weak self] in
      if unsafe csystem_folder_watch_read(watch, name) != 0 { self?.see() }
    }
    reader.resume()
  }

  deinit { unsafe source.cancel() }

  /// Waits for the next event, including a pending one, and returns `true`; returns `false` when the watch is stopped.
  package func wait() async -> Bool { await bell.wait() }

  package func stop() {
    unsafe source.cancel()
    bell.stop()
  }

  private func see() {
    bell.ring()
    guard !echoes.isEmpty else { return }
    let number = seen.withLock { seen in
      seen += 1
      return seen
    }
    echo(number, 0)
  }

  private func echo(_ number: Int, _ place: Int) {
    guard place < echoes.count else { return }
    let delay = echoes[place] - (place > 0 ? echoes[place - 1] : 0)
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, self.seen.withLock({ $0 }) == number else { return }
      self.bell.ring()
      self.echo(number, place + 1)
    }
  }
}
