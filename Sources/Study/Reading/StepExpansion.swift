import Basics

extension ProtocolObject {
  static let include: ProtocolObject = ProtocolObject("in an inclusion", ["include", "prefix"])
  static let includedFile: ProtocolObject = ProtocolObject(
    "at the top of a file of steps", ["$schema", "format", "title", "source", "licence", "steps"])
}

/// Puts the steps of files in the place of `include`, the rows of tables in that of `conditionsFile`, and predefined steps
/// in that of their names.
///
/// What comes out is read as if it had been written so; the offset of each value says where it really was.
struct StepExpansion {
  /// The value of the key `format` in files of steps.
  static let format = "station.steps/1"

  /// A file whose steps are expanded.
  private struct Source {
    /// The names of its folder inside the protocol's folder.
    var folder: [String] = []
    /// The paths of the files that include each other, down to this one; without the protocol itself.
    var files: [String] = []
  }

  /// The files that were read.
  private(set) var text: ProtocolText
  private let problems: ProblemList
  private var count = 0

  init(_ text: ProtocolText, _ problems: ProblemList) { (self.text, self.problems) = (text, problems) }

  /// The protocol with every step in its place; what cannot be expanded is reported and left out.
  mutating func expand(_ root: JSONNode) -> JSONNode {
    let expanded = replacing("steps", of: root) { steps in
      expand(steps, as: JSONPointer(["steps"]), from: JSONPointer(["steps"]), in: Source())
    }
    return replacing("texts", of: withDigests(expanded)) { texts in
      guard case .object(let members) = texts.content else { return texts }
      let path = JSONPointer(["texts"])
      return texts.with(.object(members.map { $0.with(listTexts($0.value, at: path.appending($0.key), $0.key)) }))
    }
  }

  /// The protocol with the digests of its pictures; one that cannot be read is reported when its step is read.
  private func withDigests(_ node: JSONNode) -> JSONNode {
    node.withDigests { file in
      guard case .success(let bytes)? = problems.files?.contents(file) else { return nil }
      return "\(SHA256.digest(of: bytes))"
    }
  }

  /// Puts the texts of a file in the place of its name; what cannot be read stays as it is.
  private mutating func listTexts(_ file: JSONNode, at path: JSONPointer, _ language: String) -> JSONNode {
    let place = Located(node: file, path: path, problems: problems)
    guard place.quietString != nil, let (name, bytes) = place.fileNamedHere(from: []),
      let object = read(name, bytes)?.object("a file of texts, which is an object")
    else { return file }
    object.refuseKeys(beside: .fileOfTexts)
    _ = object["$schema"]?.string()
    if let format = object.required("format", "how this file is to be read: “\(StudyTexts.format)”") {
      _ = format.word("the format of a file of texts", among: [StudyTexts.format])
    }
    if let named = object["language"], named.quietString != language {
      named.report("the protocol names this file for “\(language)”, and it says \(named.node.phrase)")
    }
    problems.origins.note(path, is: .root)
    return object.place.node.with(.object(object.members.filter { ["phrases", "texts"].contains($0.key) }))
  }

  private func replacing(_ key: String, of node: JSONNode, by expand: (JSONNode) -> JSONNode) -> JSONNode {
    guard case .object(let members) = node.content, members.contains(where: { $0.key == key }) else { return node }
    return node.with(.object(members.map { $0.key == key ? $0.with(expand($0.value)) : $0 }))
  }

  /// Expands an array of steps.
  ///
  /// - Parameters:
  ///   - steps: the array.
  ///   - path: where it is in the expanded protocol.
  ///   - origin: where it is in its file.
  ///   - source: its file.
  /// - Returns: the steps, with included ones in place of their inclusion.
  private mutating func expand(
    _ steps: JSONNode, as path: JSONPointer, from origin: JSONPointer, in source: Source
  ) -> JSONNode {
    guard case .array(let elements) = steps.content else { return steps }
    var expanded: [JSONNode] = []
    for (index, element) in elements.enumerated() {
      add(element, to: &expanded, as: path, from: origin.appending(index), in: source)
    }
    return steps.with(.array(expanded))
  }

  private mutating func add(
    _ element: JSONNode, to steps: inout [JSONNode], as array: JSONPointer, from origin: JSONPointer, in source: Source
  ) {
    let path = array.appending(steps.count)
    problems.origins.note(path, is: origin)
    let place = Located(node: element, path: path, problems: problems)
    if let file = place.quietMember("include") {
      let before = steps.count
      include(file, of: place, into: &steps, as: array, in: source)
      if steps.count == before { problems.lacksSteps = true }
    } else if place.quietMember("kind")?.quietString == FitnessCheck.kind {
      let made = FitnessCheck.steps(place)
      if made.isEmpty { problems.lacksSteps = true }
      for step in made {
        problems.origins.note(array.appending(steps.count), is: origin)
        steps.append(step)
      }
    } else {
      steps.append(expandInside(element, as: path, from: origin, in: source))
    }
  }

  /// Expands the steps inside of a step.
  private mutating func expandInside(
    _ step: JSONNode, as path: JSONPointer, from origin: JSONPointer, in source: Source
  ) -> JSONNode {
    var expansion = self
    defer { self = expansion }
    func inside(_ keys: String...) -> (JSONNode) -> JSONNode {
      { steps in
        expansion.expand(
          steps, as: JSONPointer(path.parts + keys), from: JSONPointer(origin.parts + keys), in: source)
      }
    }
    let expanded = replacing("steps", of: step, by: inside("steps"))
    let withBreaks = replacing("breaks", of: expanded) { replacing("steps", of: $0, by: inside("breaks", "steps")) }
    let place = Located(node: withBreaks, path: path, problems: problems)
    let arePlayed = (place.quietMember("steps")?.quietElements ?? []).contains { step in
      step.quietKind == "music" && step.quietMember("clip")?.quietMember("choose")?.quietString == "condition"
    }
    return replacing("design", of: withBreaks) { design in
      expansion.listConditions(
        of: Located(node: design, path: path.appending("design"), problems: problems), arePlayed: arePlayed)
    }
  }

  /// Puts the rows of a table in the place of its name; a design whose table cannot be read stays as it is.
  private mutating func listConditions(of design: Located, arePlayed: Bool) -> JSONNode {
    guard case .object(let members) = design.node.content, let file = design.quietMember("conditionsFile"),
      design.quietMember("conditions") == nil, design.quietMember("factors") == nil,
      let (path, bytes) = file.fileNamedHere(from: [])
    else { return design.node }
    let start = text.add(path, bytes)
    guard let conditions = ConditionsFile(at: start, problems).read(bytes, arePlayed: arePlayed) else {
      return design.node
    }
    problems.origins.note(table: design.path.appending("conditions"))
    let list = file.node.with(.array(conditions))
    return design.node.with(
      .object(
        members.map {
          $0.key == "conditionsFile" ? JSONMember(key: "conditions", keyOffset: $0.keyOffset, value: list) : $0
        }))
  }

  // MARK: Files

  private mutating func include(
    _ file: Located, of place: Located, into steps: inout [JSONNode], as array: JSONPointer, in source: Source
  ) {
    place.object("an inclusion, which is an object")?.refuseKeys(beside: .include)
    let prefixPlace = place.quietMember("prefix")
    let prefix = prefixPlace.map { $0.identifier() }
    guard prefixPlace == nil || prefix != nil, let (path, bytes) = file.fileNamedHere(from: source.folder) else {
      return
    }
    guard !source.files.contains(path) else {
      file.report("“\(path.visible)” includes itself: \((source.files + [path]).joined(separator: " → "))")
      return
    }
    guard let included = readSteps(path, bytes) else { return }
    let names = Set(included.quietElements.compactMap { $0.quietMember("identifier")?.quietString })
    let inner = Source(
      folder: path.split(separator: "/").dropLast().map(String.init), files: source.files + [path])
    for (index, element) in included.quietElements.enumerated() {
      count += 1
      guard count <= StudyProtocolReader.maxSteps else {
        file.report("more than \(StudyProtocolReader.maxSteps) steps are included")
        return
      }
      let own = inner.folder.isEmpty ? element.node : element.node.withPictures(in: inner.folder.joined(separator: "/"))
      let step = prefix.flatMap(\.self).map { own.prefixed($0, names) } ?? own
      add(step, to: &steps, as: array, from: JSONPointer(["steps"]).appending(index), in: inner)
    }
  }

  /// A file beside the protocol; `nil` after reporting that it is not JSON.
  private mutating func read(_ path: String, _ bytes: [UInt8]) -> Located? {
    let start = text.add(path, bytes)
    func add(_ found: [JSONProblem]) {
      for problem in found { problems.add(at: start + problem.offset, problem.path) { problem.reason } }
    }
    do throws(JSONProblems) {
      let (node, duplicates) = try JSONReader.readWithDuplicates(bytes)
      add(duplicates)
      return Located(node: node.moved(by: start), path: .root, problems: problems)
    } catch {
      add(error.problems)
      return nil
    }
  }

  /// The steps of a file; `nil` after reporting a problem.
  private mutating func readSteps(_ path: String, _ bytes: [UInt8]) -> Located? {
    guard let object = read(path, bytes)?.object("a file of steps, which is an object") else { return nil }
    object.refuseKeys(beside: .includedFile)
    for key in ["$schema", "title", "source", "licence"] { _ = object[key]?.string() }
    if let format = object.required("format", "how this file is to be read: “\(Self.format)”") {
      _ = format.word("the format of a file of steps", among: [Self.format])
    }
    guard let steps = object.required("steps", "the steps that are included"),
      steps.filledElements("an array of steps", atMost: StudyProtocolReader.maxSteps) != nil
    else { return nil }
    return steps
  }
}

extension JSONNode {
  /// The node with a prefix before the identifiers of its steps and recorders, and before these steps in its rules.
  ///
  /// - Parameters:
  ///   - prefix: the prefix.
  ///   - names: the identifiers of the steps that get it.
  ///   - isInQuestion: whether the node is a question, whose own identifier stays.
  /// - Returns: the node with the prefix.
  fileprivate func prefixed(_ prefix: String, _ names: Set<String>, isInQuestion: Bool = false) -> JSONNode {
    switch content {
    case .array(let elements):
      return with(.array(elements.map { $0.prefixed(prefix, names, isInQuestion: isInQuestion) }))
    case .object(let members):
      return with(
        .object(
          members.map { member in
            if member.key.hasPrefix("x-") { return member }
            guard case .string(let text) = member.value.content else {
              let isQuestion = isInQuestion || member.key == "question" || member.key == "questions"
              return member.with(member.value.prefixed(prefix, names, isInQuestion: isQuestion))
            }
            let isOwn =
              switch member.key {
              case "identifier": !isInQuestion
              case "goTo", "step": names.contains(text)
              case "answer": names.contains { text == $0 || text.hasPrefix($0 + ".") }
              default: false
              }
            return isOwn ? member.with(member.value.with(.string(prefix + text))) : member
          }))
    default: return self
    }
  }
}

extension Step {
  /// Reads an element of `steps`; `nil` after reporting a problem.
  static func read(_ place: Located) -> Step? {
    guard let object = place.object("a step, which is an object") else { return nil }
    let words = names
    let list = words.dropLast().joined(separator: ", ") + words.suffix(1).map { " or \($0)" }.joined()
    let type = object.required("kind", "what the step does: \(list)").flatMap(readType)
    object.refuseKeys(beside: type.map { ProtocolObject($0) } ?? .step)
    let identifier = object.required("identifier", "what results call this step")?.identifier()
    let title = object["title"]?.string()
    let text = object["text"]?.string()
    let detailText = object["detailText"]?.string()
    let picture = object["picture"].flatMap { PictureChoice.read($0, of: type) }
    let isOptional = object["optional"]?.bool() ?? false
    let skipWhen = object["skipWhen"].flatMap(Rule.read)
    let navigation = object["navigation"].flatMap(NavigationRule.readAll) ?? []
    // The times and recorders of a step of unknown kind can still be checked.
    let kind: (any StepContent)? = type?.read(object)
    if type == nil { _ = ActiveStep.read(object) }
    let isRepeated = object["repeatOnResume"]?.bool() ?? false
    let groups = object["groups"].flatMap(StudyGroups.readNames)
    guard let identifier, let kind else { return nil }
    var step = Step(
      identifier: identifier, title: title, text: text, detailText: detailText, isOptional: isOptional,
      skipWhen: skipWhen, navigation: navigation, kind: kind)
    step.isRepeatedOnResume = isRepeated
    step.groups = groups
    step.pictureChoice = picture
    return step
  }

  private static func readType(_ place: Located) -> (any StepReading.Type)? {
    place.word("a kind of step", among: names).flatMap(StepKinds.named)
  }

  private static let names = StepKinds.names + [FitnessCheck.kind]

  /// Reads an array of steps; `nil` after reporting that there are none.
  static func readAll(_ place: Located) -> [Step]? {
    let (what, most) = ("an array of steps", StudyProtocolReader.maxSteps)
    guard !place.problems.lacksSteps else { return place.elements(what, atMost: most)?.compactMap(Step.read) }
    guard let elements = place.filledElements(what, atMost: most) else { return nil }
    let steps = elements.map(Step.read)
    NavigationCheck(steps, at: elements).run()
    return steps.compactMap(\.self)
  }
}
