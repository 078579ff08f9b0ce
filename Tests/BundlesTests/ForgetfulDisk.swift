import Basics
import Dispatch
import Synchronization

@testable import Bundles

/// A disk in memory whose calls can fail, and which forgets what was written before a failed sync, as Linux may: the next
/// sync succeeds and covers only what was written after the failure.
final class ForgetfulDisk: DurableDisk {
  /// A call that can fail.
  enum Call: CaseIterable { case open, write, truncate, synchronize }

  private struct State {
    /// What programs see, what would be found after a power failure, and what is on its way there.
    var seen: [UInt8] = []
    var kept: [UInt8] = []
    var dirty: [Range<Int>] = []
    /// What was kept after each sync that failed.
    var failures: [[UInt8]] = []
    var calls = 0
    var faults: Range<Int> = 0..<0
    var counted: [Call: Int] = [:]
  }

  private let state = Mutex(State())
  private let code: Int32
  /// Taken by each sync, and given back by ``releaseSync()``; `nil` where syncs wait for nothing.
  private let hold: DispatchSemaphore?
  /// Rung when a sync has begun, and when something was written.
  let began = Bell()
  let wrote = Bell()

  /// A disk whose calls of these numbers fail with this code; a write that fails writes half.
  ///
  /// Where it holds syncs, each waits, once it has begun, until ``releaseSync()``.
  init(failing faults: Range<Int>, code: Int32, holdsSyncs: Bool = false) {
    self.code = code
    hold = holdsSyncs ? DispatchSemaphore(value: 0) : nil
    state.withLock { $0.faults = faults }
  }

  /// What would be found after a power failure.
  var kept: [UInt8] { state.withLock { $0.kept } }
  /// What was kept after each sync that failed.
  var failures: [[UInt8]] { state.withLock { $0.failures } }
  /// How many calls there were in all, and of each kind.
  var calls: Int { state.withLock { $0.calls } }
  var counted: [Call: Int] { state.withLock { $0.counted } }

  /// What programs see.
  var seen: [UInt8] { state.withLock { $0.seen } }

  /// Lets one sync end.
  func releaseSync() { hold?.signal() }

  private func perform(_ call: Call, _ work: (inout State, _ fails: Bool) -> Void) throws(FileError) {
    let fails = state.withLock { state in
      let fails = state.faults.contains(state.calls)
      state.calls += 1
      state.counted[call, default: 0] += 1
      work(&state, fails)
      return fails
    }
    if fails { throw FileError("\(call)", "journal", code: code) }
  }

  func open(_ path: String, _ mode: File.Mode) throws(FileError) -> any DurableFile {
    try perform(.open) { _, _ in }
    return Opened(disk: self)
  }

  func synchronizeFolder(_ path: String) throws(FileError) {}

  private struct Opened: DurableFile {
    let disk: ForgetfulDisk

    func lock() throws(FileError) -> Bool { true }
    func size() throws(FileError) -> Int { disk.state.withLock { $0.seen.count } }
    func isAt(_ path: String) -> Bool { true }
    func reserve(_ size: Int) {}

    func read(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
      disk.state.withLock { Array($0.seen.dropFirst(position).prefix(count)) }
    }

    func write(_ bytes: [UInt8], at position: Int) throws(FileError) {
      try disk.perform(.write) { state, fails in
        let part = fails ? Array(bytes[..<(bytes.count / 2)]) : bytes
        let end = position + part.count
        state.seen += Array(repeating: 0, count: max(0, end - state.seen.count))
        state.seen.replaceSubrange(position..<end, with: part)
        state.dirty.append(position..<end)
      }
      disk.wrote.ring()
    }

    func truncate(to size: Int) throws(FileError) {
      try disk.perform(.truncate) { state, fails in
        guard !fails else { return }
        state.seen = Array(state.seen.prefix(size))
        state.kept = Array(state.kept.prefix(size))
        state.dirty = state.dirty.map { $0.clamped(to: 0..<size) }
      }
    }

    func synchronizeData() throws(FileError) {
      // What is written from here on is not covered.
      let dirty = disk.state.withLock { state in
        defer { state.dirty = [] }
        return state.dirty
      }
      disk.began.ring()
      disk.hold?.wait()
      try disk.perform(.synchronize) { state, fails in
        // The size is kept in any case; what was not written is full of zeros.
        state.kept += Array(repeating: 0, count: max(0, state.seen.count - state.kept.count))
        guard !fails else { return state.failures.append(state.kept) }
        for range in dirty { state.kept.replaceSubrange(range, with: state.seen[range]) }
      }
    }
  }
}
