import Basics
import Quantities

/// Appends the blocks of one waveform to a file of its own beside the journal, with the guarantees of `DurableWriter`:
/// appending never waits, what a sync has covered survives everything, and blocks that the disk refuses wait in memory.
package final class WaveformWriter: Sendable {
  /// Numbers and encodes blocks.
  private struct Blocks: DurableBacklog {
    var writes: WriteBacklog
    var dropped = 0
    /// Whether the trial has ended.
    var isClosed = false
  }

  private let writer: DurableWriter<Blocks>

  /// Makes a file that must not hold anything yet.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - clock: paces the waits for the disk.
  ///   - limit: how many bytes of blocks are kept in memory while the disk refuses them; beyond it blocks are dropped, and
  ///     their frames counted.
  ///   - report: called on the writer's thread.
  /// - Throws: `FileError`.
  convenience init(
    _ path: String, clock: any StationClock = MonotonicClock(), limit: Int = 64 << 20,
    report: @escaping @Sendable (DurableReport) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(path, at: DurablePlace(), on: SystemDisk(), clock: clock, limit: limit, report: report)
  }

  init(
    _ path: String, at place: DurablePlace, on volume: any DurableDisk = SystemDisk(), clock: any StationClock,
    limit: Int = 64 << 20, report: @escaping @Sendable (DurableReport) -> Void
  ) throws(FileError) {
    writer = try DurableWriter(
      path, at: place, on: volume, clock: clock, backlog: Blocks(writes: WriteBacklog(limit: limit)), report: report)
  }

  /// Appends a block, without waiting for it to be written.
  ///
  /// - Returns: its number; `nil` if there is no room for it, or the trial has ended.
  @discardableResult
  package func append(_ block: WaveformBlock) -> Int? {
    writer.append { blocks in
      guard !blocks.isClosed else { return nil }
      guard !blocks.writes.isFull else {
        blocks.dropped += block.frames
        return nil
      }
      let number = blocks.writes.appended
      blocks.writes.push(block.encoded(number: number), isBoundary: false)
      return number
    }
  }

  /// Takes nothing any more.
  func close() { writer.append { $0.isClosed = true } }

  /// Takes and writes nothing any more, so that the file may be removed and does not come back.
  func giveUp() async throws {
    close()
    try await writer.giveUp()
  }

  /// How many frames found no room.
  package var droppedFrames: Int { writer.append { $0.dropped } }

  /// How many blocks are on the disk.
  var durable: Int { writer.durable }

  /// Waits until everything appended before is on the disk.
  ///
  /// - Throws: `FileError` when the disk refuses; the blocks are kept and tried again.
  func flush() async throws { try await writer.flush() }
}
