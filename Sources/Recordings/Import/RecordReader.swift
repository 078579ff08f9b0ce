/// Reads one kind of file from pieces that follow one another.
protocol RecordReader: AnyObject {
  /// What was read and not yet taken.
  var batch: ImportBatch { get set }

  /// What became of all records so far.
  var report: ImportReport { get }

  /// Reads the next piece, and what is left over of those before it.
  ///
  /// - Parameters:
  ///   - piece: the bytes.
  ///   - isLast: whether the file ends after them.
  /// - Throws: why nothing behind can be read; what came before is in the batch.
  func read(_ piece: [UInt8], isLast: Bool) throws(Fault)
}

/// Why nothing can be read behind a place of a file.
struct Fault: Error, Hashable {
  /// The line, from 1; `nil` in a file without lines.
  let line: Int?
  let column: Int
  let reason: String
}
