import Basics
import Bundles

/// The files of a data set that are of no single trial.
struct BIDSDataset {
  private let folder: String
  private let trials: [BIDSEntry]

  init(_ folder: String, _ trials: [BIDSEntry]) { (self.folder, self.trials) = (folder, trials) }

  /// Writes what a new data set begins with; what is there already stays as it is, but for the mark of simulated data.
  ///
  /// - Parameters:
  ///   - folder: the data set's folder.
  ///   - name: the data set's name.
  ///   - version: the program's version.
  ///   - day: the day of its first trial.
  ///   - pseudonymisation: the pseudonymisation to apply.
  ///   - given: members of the description that the user gives.
  ///   - isSimulated: whether any of the trials that are added is simulated.
  /// - Throws: `FileError`.
  static func begin(
    _ folder: String, name: String, version: String, since day: String, pseudonymisation: Pseudonymisation,
    given: [String: JSONValue], isSimulated: Bool
  ) throws(FileError) {
    if isSimulated, Folder.exists("\(folder)/dataset_description.json") { try markName(folder) }
    let name = isSimulated ? name + Self.nameMark : name
    let description: [String: JSONValue] = [
      "Name": .string(name), "BIDSVersion": "1.11.1", "DatasetType": "raw", "License": "n/a", "HEDVersion": "8.3.0",
      "Authors": ["n/a", "n/a"],
      "GeneratedBy": [["Name": "station", "Version": .string(version)]], "SourceDatasets": [["URL": "n/a"]],
    ]
    // First the file by which a later call knows the folder, whatever keeps this one from its end.
    var all = description.merging(given) { _, given in given }
    all["Name"] = .string(name)
    try make("\(folder)/dataset_description.json", .object(all))
    for part in ["sourcedata/station", "stimuli"] { try Folder.ensure("\(folder)/\(part)") }
    try make("\(folder)/README.md", readme(name, pseudonymisation))
    try make("\(folder)/CHANGES", "1.0.0 \(day)\n  - Exported by station \(version); later trials are added.\n")
    try make("\(folder)/participants.json", participants)
    try make("\(folder)/sessions.json", sessions)
    try make("\(folder)/scans.json", scans)
  }

  private static let nameMark = " (\(TrialSimulation.mark))"

  /// Marks the name of a data set, in its description and its README, to which simulated trials are added.
  private static func markName(_ folder: String) throws(FileError) {
    let (path, readme) = ("\(folder)/dataset_description.json", "\(folder)/README.md")
    guard case .object(var members)? = try? JSONReader.read(File.contents(of: path)).value,
      let name = members["Name"]?.string, !name.hasSuffix(nameMark)
    else { return }
    members["Name"] = .string(name + nameMark)
    try File.replaceWhole(path, JSONValue.object(members).encoded(pretty: true))
    guard let bytes = try? File.contents(of: readme), bytes.starts(with: "# \(name)\n".utf8) else { return }
    try File.replaceWhole(readme, Array("# \(name + nameMark)\n".utf8) + bytes.dropFirst("# \(name)\n".utf8.count))
  }

  private static func make(_ path: String, _ json: JSONValue) throws(FileError) {
    if !Folder.exists(path) { try File.replaceWhole(path, json.encoded(pretty: true)) }
  }

  private static func make(_ path: String, _ text: String) throws(FileError) {
    if !Folder.exists(path) { try File.replaceWhole(path, Array(text.utf8)) }
  }

  private static func readme(_ name: String, _ pseudonymisation: Pseudonymisation) -> String {
    let rest =
      pseudonymisation.isActive
      ? """
      Codes, identifiers or dates are replaced; what could identify a person is left out (names of stations and devices,
      answers in the participants' own words, annotations). Dates before 1925 are shifted ones.
      """
      : """
      `sourcedata/bundles/` has the station's bundle of every trial, unchanged: the journal, the protocol, and a result
      with the verdict and every caveat. `station verify` checks them. Corrections of a trial's beats are beside its bundle.
      """
    return """
      # \(name)

      Trials of an audio-stimulus experiment, recorded by `station` and exported as behavioural data with physiology.

      Each run is one trial. Its zero of time is the same for all of its files. `_events.tsv` has the steps, the stimulus
      with its measured onset and the uncertainty of it, answers and key presses. `_physio.tsv.gz` has the heart rate and
      other channels on a regular grid, `_physioevents.tsv.gz` every reading and every beat at the time at which it was
      true, and recordings of waveforms their frames.

      The verdict of each trial is in `_scans.tsv`: good, suspect or bad; and whether it is simulated. A trial that was performed again in its session
      is there as well. `stimuli/` has the clips that were available to the export, with their SHA-256.
      `sourcedata/station/trials.jsonl` lists the trials, and the labels that were given to names which BIDS does not allow.

      \(rest)

      """
  }

  /// Writes the lists of participants, sessions and runs.
  ///
  /// - Parameter changed: the folders of sessions with new trials; lists of others stay as they are.
  /// - Throws: `FileError`.
  func writeLists(changed: Set<String>) throws(FileError) {
    var groups: [String: String] = [:]
    var sessions: [String: [String: String]] = [:]
    for entry in trials {
      if let group = entry.group { groups[entry.participant] = group }
      let known = sessions[entry.participant]?[entry.session]
      sessions[entry.participant, default: [:]][entry.session] = min(known ?? entry.start, entry.start)
    }
    let people = sessions.keys.sorted().map { ["sub-\($0)", BIDSText.cell(groups[$0])] }
    try Self.write("\(folder)/participants.tsv", [["participant_id", "group"]] + people)
    let entries = trials.filter { changed.contains($0.folder) }
    for person in Set(entries.map(\.participant)).sorted() {
      let rows = (sessions[person] ?? [:]).sorted { $0.key < $1.key }.map { ["ses-\($0.key)", $0.value] }
      try Self.write("\(folder)/sub-\(person)/sub-\(person)_sessions.tsv", [["session_id", "acq_time"]] + rows)
    }
    for (session, entries) in Dictionary(grouping: entries, by: \.folder) {
      let rows = entries.map { entry in
        [
          "beh/\(entry.stem)_events.tsv", entry.start, BIDSText.cell(entry.condition), BIDSText.cell(entry.clip),
          entry.outcome, entry.verdict, BIDSText.cell(entry.trial), entry.isSimulated ? "true" : "false",
          BIDSText.cell(entry.localStart), BIDSText.cell(entry.timeZone),
        ]
      }
      let head = [
        "filename", "acq_time", "condition", "clip", "outcome", "verdict", "trial", "simulated", "local_time",
        "time_zone",
      ]
      let name = session.replacing("/", with: "_")
      try Self.write("\(folder)/\(session)/\(name)_scans.tsv", [head] + rows)
    }
  }

  /// Writes a list over an earlier one, to which the laboratory may have added columns.
  private static func write(_ path: String, _ rows: [[String]]) throws(FileError) {
    let bytes = Folder.exists(path) ? BIDSText.table(rows, over: try File.contents(of: path)) : BIDSText.table(rows)
    try File.replaceWhole(path, bytes)
  }

  private static let participants: JSONValue = [
    "participant_id": BIDSText.column("the participant's label"), "group": BIDSText.column("the participant's group"),
  ]

  private static let sessions: JSONValue = [
    "session_id": BIDSText.column("the session's label"),
    "acq_time": BIDSText.column("when its first trial of this data set began"),
  ]

  private static let scans: JSONValue = [
    "filename": BIDSText.column("the events of the trial, whose other files have the same beginning"),
    "acq_time": BIDSText.column("when the trial began, by the calendar at its zero"),
    "condition": BIDSText.column(
      "the design's condition, or else the protocol's identifier; n/a for the steps around a session's trials"),
    "clip": BIDSText.column("the clip's name"), "outcome": BIDSText.column("how the trial ended"),
    "verdict": BIDSText.column("how far the trial can be trusted: good, suspect or bad"),
    "trial": BIDSText.column("the trial's identifier"),
    "local_time": BIDSText.column("acq_time by the station's local time, with its offset from UTC"),
    "time_zone": BIDSText.column("the station's time zone"),
    "simulated": BIDSText.column("whether the trial, or a sensor of it, was simulated: then it is not a person's"),
  ]
}
