import Basics
import Quantities
import Sound
import Study

/// Where the clips of a study are, which may be a folder of each participant's own.
struct StudyClips: Sendable {
  let read: ReadProtocol
  /// The folder of clips; `nil` for a protocol without music.
  let folder: String?
  /// Whether the folder was given in the call, in place of the protocol's.
  let isGiven: Bool

  private var studyProtocol: StudyProtocol { read.studyProtocol }

  /// Whether the clips depend on the participant.
  var isPersonal: Bool {
    folder.map {
      studyProtocol.clipFolders.contains(where: ParticipantFolder.isPersonal) || ParticipantFolder.isPersonal($0)
    }
      ?? false
  }

  /// Reads and checks the clips.
  ///
  /// - Parameters:
  ///   - participant: whose clips; `nil` checks those that are the same for everyone.
  ///   - person: in whose folders they lie; the participant's unless it is given.
  /// - Returns: the protocol of the participant, and the library; `nil` where there is nothing to read.
  /// - Throws: ``StudyRefusal`` with every problem.
  func load(
    for participant: String?, in person: String? = nil
  ) throws(StudyRefusal) -> (read: ReadProtocol, library: ClipLibrary?) {
    let own = participant.map { read.of(participant: $0) } ?? read
    guard let folder else { return (own, nil) }
    if isGiven, let named = studyProtocol.clips?.folder, ParticipantFolder.isPersonal(named),
      !ParticipantFolder.isPersonal(folder)
    {
      throw StudyRefusal(
        "the protocol has a folder of clips for each participant, “\(named.visible)”, and “\(folder.visible)” would be "
          + "that of all; write --clips with “\(ParticipantFolder.placeholder)” in the place of the code")
    }
    guard let participant else {
      let shared = studyProtocol.clipFolders.filter { !ParticipantFolder.isPersonal($0) }
      guard !ParticipantFolder.isPersonal(folder), !isPersonal || studyProtocol.hasSharedPools else {
        return (own, nil)
      }
      return (own, try library(folder, of: own, shared))
    }
    let person = person ?? participant
    try checkPlaces(of: participant, in: person)
    let places = Dictionary(
      studyProtocol.clipFolders.map {
        (ParticipantFolder.resolve($0, for: participant), ParticipantFolder.resolve($0, for: person))
      }
    ) { first, _ in first }
    return (own, try library(ParticipantFolder.resolve(folder, for: person), of: own, places.keys.sorted(), places))
  }

  private func library(
    _ folder: String, of read: ReadProtocol, _ subfolders: [String], _ places: [String: String] = [:]
  ) throws(StudyRefusal) -> ClipLibrary {
    let library: ClipLibrary
    do {
      library = try ClipLibrary(folder, subfolders: subfolders) { places[$0] ?? $0 }
    } catch {
      guard !isGiven else { throw StudyRefusal("\(error); name another folder with --clips") }
      throw StudyRefusal(problems: [read.unreadableClips("\(error)")])
    }
    let problems = read.problems(with: library.clips)
    guard !problems.isEmpty else { return library }
    // Where there is no clip at all, what lies in the folder instead is what the researcher looks for.
    let skipped = library.skipped.filter { library.clips.isEmpty || $0.reason == .soundFormat }
    let others = library.problems.map { "\($0)" } + skipped.map { "\($0)" }
    // The protocol's own folder was not looked into.
    if isGiven, library.clips.isEmpty {
      let advice = "put mp3, WAV or FLAC files there, or name another folder with --clips"
      throw StudyRefusal(problems: [], others: ["there is no clip in “\(folder.visible)”; \(advice)"] + others)
    }
    throw StudyRefusal(problems: problems, others: others)
  }

  // MARK: Folders of participants

  /// The folders that depend on the participant, from the folder in which the program runs.
  private var personalFolders: [String] {
    guard let folder else { return [] }
    let isAll = ParticipantFolder.isPersonal(folder)
    let inside = studyProtocol.clipFolders.filter { isAll || ParticipantFolder.isPersonal($0) }
      .map { Folder.path($0, from: folder) }
    return isAll ? [folder] + inside : inside
  }

  /// Refuses a folder that is another one by its capitals, and one that is also everyone's.
  private func checkPlaces(of participant: String, in person: String) throws(StudyRefusal) {
    let shared = studyProtocol.clipFolders.filter { !ParticipantFolder.isPersonal($0) }
    for own in studyProtocol.clipFolders.filter(ParticipantFolder.isPersonal) {
      let resolved = ParticipantFolder.resolve(own, for: participant)
      guard !shared.contains(resolved) else {
        throw StudyRefusal(
          "the clips of the participant “\(participant)” would lie in “\(resolved.visible)”, a folder for everyone; give "
            + "the participant another code")
      }
    }
    for template in personalFolders {
      for (parent, name) in Self.places(of: template, person) {
        guard let names = try? Folder.names(in: parent), !names.contains(name) else { continue }
        guard let other = names.first(where: { $0.lowercased() == name.lowercased() }) else { continue }
        throw StudyRefusal(
          "there is no folder “\(name.visible)” in “\(parent.visible)”, but “\(other.visible)”: capitals of codes and "
            + "folders must be the same")
      }
    }
  }

  /// The parts of a folder that depend on the participant, each with the folder that it lies in.
  private static func places(of template: String, _ participant: String) -> [(parent: String, name: String)] {
    var places: [(parent: String, name: String)] = []
    var parent = template.hasPrefix("/") ? "/" : "."
    for part in template.split(separator: "/").map(String.init) {
      let name = ParticipantFolder.resolve(part, for: participant)
      if ParticipantFolder.isPersonal(part) { places.append((parent, name)) }
      parent = Folder.path(name, from: parent)
    }
    return places
  }

  /// The participants who have all of their folders, sorted.
  var persons: [String] {
    guard let first = personalFolders.first, let place = Self.places(of: first, ParticipantFolder.placeholder).first
    else { return [] }
    let parts = place.name.split(
      separator: ParticipantFolder.placeholder, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let names = try? Folder.names(in: place.parent) else { return [] }
    let codes = names.compactMap { name -> String? in
      guard name.hasPrefix(parts[0]), name.hasSuffix(parts[1]),
        name.utf8.count >= parts[0].utf8.count + parts[1].utf8.count
      else { return nil }
      return String(name.dropFirst(parts[0].count).dropLast(parts[1].count))
    }
    return codes.filter { code in
      StudyCode.isLegal(code)
        && personalFolders.allSatisfy { Folder.isFolder(ParticipantFolder.resolve($0, for: code)) }
    }.sorted()
  }
}
