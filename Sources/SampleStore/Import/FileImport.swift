import Basics
import Quantities
package import Recordings

/// The import of other programs' files into a store, each sample once.
package struct FileImport: Sendable {
  private let options: ImportOptions
  private let isPreview: Bool
  private let open: @Sendable () async throws -> SampleStore
  private let progress: @Sendable (String, Bool) -> Void

  /// Prepares an import.
  ///
  /// - Parameters:
  ///   - options: what the files do not specify themselves.
  ///   - isPreview: whether the files are only read.
  ///   - open: opens the store, and creates it if there is none.
  ///   - progress: called with how far a file was read, and whether another tenth of a large file was reached.
  package init(
    options: ImportOptions, isPreview: Bool, open: @escaping @Sendable () async throws -> SampleStore,
    progress: @escaping @Sendable (_ text: String, _ isTenth: Bool) -> Void
  ) {
    (self.options, self.isPreview) = (options, isPreview)
    (self.open, self.progress) = (open, progress)
  }

  /// Imports one file; the first file with something to store creates the store if there is none.
  ///
  /// - Throws: the store's errors; the file's errors are in the summary.
  package func take(_ path: String, into known: inout SampleStore?, _ summary: inout ImportSummary) async throws {
    var file: SampleFile
    do throws(ImportError) {
      file = try SampleFile(path, options: options)
    } catch {
      summary.fault = error
      return
    }
    defer { summary.report = file.report }
    summary.fault = try await withThrowingTaskGroup(of: SaveReport.self) { group -> ImportError? in
      var batch = ImportBatch()
      var fault: ImportError?
      var isAtEnd = false
      var told = 0
      while !isAtEnd {
        var next: ImportBatch?
        // Keep the records before the fault.
        do throws(ImportError) { next = try file.next() } catch { fault = error }
        isAtEnd = next == nil
        if let next { batch.append(next) }
        guard isAtEnd || batch.weight >= Self.samplesPerWrite else { continue }
        // One batch is written while the next is read; memory never holds more than these two.
        if let saved = try await group.next() { summary.count(saved) }
        try Task.checkCancellation()
        let full = batch
        batch = ImportBatch()
        guard !isPreview, !full.isEmpty else { continue }
        let store = if let known { known } else { try await open() }
        known = store
        group.addTask { try await store.save(full.samples, series: full.series, whenPresent: .keep) }
        let part = file.size < Self.sizeWithProgress ? 0 : 10 * file.position / file.size
        progress(Self.words(path, file.position, file.size), part > told && part < 10)
        told = part
      }
      if let saved = try await group.next() { summary.count(saved) }
      return fault
    }
    guard !isPreview, file.report.person != Person() else { return }
    let store = if let known { known } else { try await open() }
    known = store
    summary.characteristics = try await takePerson(file.report.person, into: store)
  }

  /// Stores the date of birth and sex from the file, unless the store has them already.
  ///
  /// - Returns: the file's values, each with the value that the store had.
  private func takePerson(_ person: Person, into store: SampleStore) async throws -> [ImportSummary.Characteristic] {
    let code = options.participant ?? ""
    let whose = code.isEmpty ? "" : " of \(code)"
    let known = try await store.characteristics(of: code)
    try await store.changeCharacteristics(of: code) { characteristics in
      characteristics.dateOfBirth = characteristics.dateOfBirth ?? person.dateOfBirth
      if characteristics.biologicalSex == .notSet { characteristics.biologicalSex = person.sex }
    }
    var found: [ImportSummary.Characteristic] = []
    if let date = person.dateOfBirth {
      found.append(
        .init(
          name: "dateOfBirth", words: "date of birth\(whose)", value: "\(date)",
          known: known.dateOfBirth.map { "\($0)" }, doubt: Self.doubt(date)))
    }
    if person.sex != .notSet {
      found.append(
        .init(
          name: "biologicalSex", words: "biological sex\(whose)", value: person.sex.rawValue,
          known: known.biologicalSex == .notSet ? nil : known.biologicalSex.rawValue))
    }
    return found
  }

  /// Why a date of birth is implausible; `nil` if it is plausible.
  private static func doubt(_ date: CalendarDate) -> String? {
    guard let today = CalendarDate(String(TimeZone.current.text(.now).prefix(10))) else { return nil }
    let age = date.years(until: today)
    return age < 0 ? "it is in the future" : age > 130 ? "it is more than 130 years ago" : nil
  }

  // A pipe has no size.
  private static func words(_ path: String, _ position: Int, _ size: Int) -> String {
    size == 0 ? "\(path): \(position >> 20) MiB" : "\(path): \(position >> 20) of \(size >> 20) MiB"
  }

  /// From this file size on, every tenth of a file is announced.
  private static let sizeWithProgress = 64 << 20

  /// The number of samples in a write: more take more memory, fewer take more time.
  private static let samplesPerWrite = 13_000
}
