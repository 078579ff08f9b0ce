import Laboratory
import SampleStore
import TestSupport
import Testing

/// The engines of participants' lists, which keep the same rules.
enum TestedList: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  case postgres

  var testDescription: String { rawValue }

  /// A place for a list of the test's own.
  func make() async throws -> TestList {
    switch self {
    case .sqlite:
      let folder = try ScratchFolder()
      return TestList(location: folder["participants.sqlite"], folder: folder)
    case .postgres:
      let database = try await ServerTests.makeDatabase()
      return TestList(location: try await PostgresServer.shared.url(database), folder: nil)
    }
  }
}

/// Where a list is, and the folder in which it lies for as long as the test uses it.
struct TestList {
  let location: String
  let folder: ScratchFolder?

  /// Opens the list as another station would.
  func open() async throws -> ParticipantList { try await ParticipantList.open(location) }
}

extension ParticipantList {
  /// Enrols a participant of a study without groups.
  @discardableResult
  func enrol(_ participant: String, in study: String) throws -> ListedParticipant {
    try enrol(participant, in: study, at: "2026-11-21T12:00:00.000Z") { _, _ in nil }
  }
}
