import Basics
import Laboratory
import SampleStore

/// Where the participants' list is: what `--participants` or the settings name, else a file in the results folder.
struct ParticipantsLocation: Sendable {
  /// The `--participants` option.
  static let option = CommandSyntax.Option(
    "participants", value: "FILE|postgresql://…",
    "the participants' list (default: that of the settings, or participants.sqlite in the results folder)")

  /// The file, or the server's URL.
  let path: String

  /// Chooses the list.
  ///
  /// - Parameters:
  ///   - arguments: the call, with or without the option.
  ///   - settings: the settings that apply.
  ///   - results: the results folder.
  /// - Throws: ``Failure`` for an address with a password.
  init(_ arguments: Arguments, _ settings: AppliedSettings, results: String) throws {
    path = arguments["participants"] ?? settings.participants?.value ?? Self.file(in: results)
    try SampleStore.requireNoPassword(path, in: "participants")
  }

  /// The list in a results folder.
  static func file(in results: String) -> String { Folder.path("participants.sqlite", from: results) }

  /// Whether the list is on a server instead of in a file.
  var isServer: Bool { SampleStore.isServer(path) }

  /// The list in messages: the file, or that it is on a server.
  var name: String { isServer ? "postgresql://…" : path.visible }

  /// Opens the list, and creates it if there is none.
  func openOrMake() async throws -> ParticipantList {
    try await ParticipantList.open(path) { Console.standard.report("waiting for \($0)") }
  }

  /// Opens an existing list.
  ///
  /// - Throws: ``Failure`` if there is none, and the list's own errors.
  func open() async throws -> ParticipantList {
    guard let list = try await openIfThere() else {
      throw Failure(
        "there is no participants' list “\(path.visible)”; name another one with --participants, or enrol the first "
          + "participant with “station run”")
    }
    return list
  }

  /// Opens an existing list; `nil` if there is none.
  func openIfThere() async throws -> ParticipantList? {
    try isServer || Folder.find(path) ? try await openOrMake() : nil
  }
}
