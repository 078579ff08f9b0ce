import Basics

extension StudyProtocol {
  /// Reads the whole file; `nil` after reporting a problem.
  static func read(_ place: Located) -> StudyProtocol? {
    guard let object = place.object("a protocol, which is an object") else { return nil }
    guard readFormat(object) else { return nil }
    object.refuseKeys(beside: .top)
    _ = object["$schema"]?.string()
    let identifier = object.required("identifier", "what results call this protocol")?.identifier()
    let version = object.required("version", "which version of the protocol this is, such as “1.0”")?.version()
    let title = object["title"]?.string()
    let language = object["language"].flatMap(readLanguage)
    let sessions = object["sessions"]?.wholeNumber("a number of sessions", in: 1...1000)
    let clips = object["clips"].flatMap(ClipsSource.read)
    let groups = object["groups"].flatMap(StudyGroups.read)
    let sensorCheck = object["sensorCheck"].flatMap(readSensorCheck) ?? SensorCheckStep.defaultLimit
    let maximumLevel = object["maximumLevel_dBSPL"]?.number("a level in dB SPL", in: 30...120)
    let display = object["display"].flatMap(Displays.read) ?? Displays(.participant)
    var phrases = object["phrases"].flatMap(Phrases.read) ?? Phrases()
    phrases.ownLanguage = language
    let translations = object["texts"].flatMap { StudyTexts.readAll($0, of: place) }
    if let texts = object["texts"], language == nil {
      texts.report("the protocol's own language is missing; say it with “language”, such as “en”")
    }
    let verdict = object["verdict"].flatMap(VerdictThresholds.read)
    let recorders = object["recorderConfigurations"]?
      .elements("an array of recorders", atMost: RecorderConfiguration.maxCount)?
      .compactMap { RecorderConfiguration.read($0, isOfStep: false) }
    let steps = object.required("steps", "what happens, in order").flatMap(Step.readAll)
    checkRules(place)
    guard let identifier, let version, let steps else { return nil }
    var studyProtocol = StudyProtocol(
      identifier: identifier, version: version, title: title, sessions: sessions ?? 1, clips: clips, groups: groups,
      display: display, phrases: phrases, sensorCheck: sensorCheck, verdict: verdict ?? VerdictThresholds(),
      steps: steps)
    studyProtocol.recorderConfigurations = recorders ?? []
    studyProtocol.language = language
    studyProtocol.translations = translations ?? []
    studyProtocol.namedMaximumLevel = maximumLevel
    return studyProtocol
  }

  /// Checks the format; whether the rest can be that of a protocol.
  private static func readFormat(_ object: LocatedObject) -> Bool {
    let meaning = "how this file is to be read: “\(StudyProtocolReader.format)”"
    guard let place = object.required("format", meaning), let format = place.string() else { return true }
    guard format != StudyProtocolReader.format else { return true }
    if let other = OtherFormat(rawValue: format) {
      place.report("\(place.node.phrase) is not the format of a protocol; \(other.advice)")
      return false
    }
    place.report(
      "\(place.node.phrase) is not a format that this station reads; it reads “\(StudyProtocolReader.format)”")
    return true
  }

  /// Reads the tag of a language.
  private static func readLanguage(_ place: Located) -> String? {
    guard let tag = place.string() else { return nil }
    guard StudyTexts.isLanguage(tag) else {
      place.expected("the tag of a language, such as “en” or “pt-BR”")
      return nil
    }
    return tag
  }

  /// Reads how long to wait for sensors: a number of seconds, or a boolean.
  private static func readSensorCheck(_ place: Located) -> Duration? {
    if case .bool(let isWanted) = place.node.content { return isWanted ? SensorCheckStep.defaultLimit : .zero }
    guard case .number = place.node.content else {
      place.expected("a number of seconds, true or false")
      return nil
    }
    return place.seconds(in: 0...3600)
  }
}

extension ClipsSource {
  /// Reads `clips`; `nil` after reporting a problem.
  static func read(_ place: Located) -> ClipsSource? {
    guard let object = place.object("an object with a “folder”") else { return nil }
    object.refuseKeys(beside: .clips)
    let embed = object["embed"]?.bool() ?? false
    let meaning = "where the clips are, seen from the protocol's own folder"
    guard let folder = object.required("folder", meaning)?.name("the path of a folder") else { return nil }
    if let problem = ParticipantFolder.problem(with: folder) {
      object["folder"]?.report(problem)
      return nil
    }
    return ClipsSource(folder: folder, embed: embed)
  }
}

extension VerdictThresholds {
  /// Reads `verdict`; `nil` after reporting a problem.
  static func read(_ place: Located) -> VerdictThresholds? {
    guard let object = place.object("an object with thresholds such as “goodCoverage”") else { return nil }
    object.refuseKeys(beside: .verdict)
    var thresholds = VerdictThresholds()
    func share(_ key: String) -> Double? { object[key]?.number("a share", in: 0...1) }
    if let value = share("goodCoverage") { thresholds.goodCoverage = value }
    if let value = share("suspectCoverage") { thresholds.suspectCoverage = value }
    if let value = object["sampleHold_s"]?.seconds(in: 1...10) { thresholds.sampleHold = value }
    if let value = share("contactLoss") { thresholds.contactLoss = value }
    if let value = share("goodImplausible") { thresholds.goodImplausible = value }
    if let value = share("suspectImplausible") { thresholds.suspectImplausible = value }
    if let value = share("suspectPlayed") { thresholds.suspectPlayed = value }
    if let value = object["onsetTolerance_ms"]?.milliseconds(in: 0...1000) { thresholds.onsetTolerance = value }
    if let value = object["onsetUncertainty_ms"]?.milliseconds(in: 0...1000) { thresholds.onsetUncertainty = value }
    if let value = object["loudnessTolerance_LU"]?.number("a number of LU", in: 0...70) {
      thresholds.loudnessTolerance = value
    }
    if let value = object["clockDrift_s"]?.seconds(in: 0...3600) { thresholds.clockDrift = value }
    if thresholds.suspectCoverage > thresholds.goodCoverage {
      (object["suspectCoverage"] ?? object["goodCoverage"])?.report(
        "suspectCoverage (\(thresholds.suspectCoverage)) is above goodCoverage (\(thresholds.goodCoverage))")
    }
    if thresholds.suspectImplausible < thresholds.goodImplausible {
      (object["suspectImplausible"] ?? object["goodImplausible"])?.report(
        "suspectImplausible (\(thresholds.suspectImplausible)) is below goodImplausible (\(thresholds.goodImplausible))"
      )
    }
    return thresholds
  }
}
