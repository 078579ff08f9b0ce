/// What a file of the station is that was given where another one is read, by its key `format`.
package enum OtherFormat: String, CaseIterable, Sendable {
  case studyProtocol = "station.protocol/1"
  case settings = "station.settings/1"
  case steps = "station.steps/1"
  case result = "station.result/1"
  case session = "station.session/1"
  case clips = "station.clips/1"

  /// What it is, and what to do with it.
  package var advice: String {
    switch self {
    case .studyProtocol: "this file is a protocol; “station validate” checks it"
    case .settings: "this file is the settings of a station; “station settings” checks and shows them"
    case .steps: #"this file holds steps, which a protocol includes with { "include": "FILE" }; check that protocol"#
    case .result: "this file is the result of a trial; “station verify” checks its bundle"
    case .session: "this file is the record of a session; “station show --replay” checks it"
    case .clips: "this file describes clips; “station clips” checks their folder"
    }
  }
}
