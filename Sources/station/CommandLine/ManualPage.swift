extension Command {
  /// The manual page, which Scripts/install station installs.
  static let manual = Command("manual", "prints the manual page: station manual | man -l -") { _ in
    Console.standard.write(Array(ManualPage(commands: Station.commands).text.utf8))
    return .done
  }
}

/// The manual page of all commands, in the man macros of troff.
struct ManualPage: Sendable {
  let commands: [Command]

  /// The page as troff source; it depends only on the commands.
  var text: String {
    var lines = [#".TH STATION 1 "" "station \#(Version.current)" "User Commands""#]
    lines += [".SH NAME", #"station \- run audio-stimulus experiments with heart-rate recording"#]
    lines += [".SH SYNOPSIS", ".B station", #".I COMMAND"#, #"[\fIoptions\fR]"#]
    lines += [".SH DESCRIPTION"]
    lines += Self.paragraph(
      "station runs a trial of a protocol (a JSON file): it draws a clip, plays it for exactly the configured "
        + "time, records heart rate, and writes one bundle per trial that links the clip to the heart data.")
    lines += Self.paragraph(
      "Options may appear anywhere after the command, as --name VALUE or --name=VALUE; what follows -- is an operand. "
        + "A trial may be named by its bundle's path, by its identifier, or by the beginning of the identifier.")
    lines += [".SH COMMANDS"]
    for command in commands { lines += Self.section(command) }
    lines += [".SH EXIT STATUS"]
    for status in ExitStatus.allCases { lines += Self.item("\(status.rawValue)", status.meaning) }
    lines += [".SH FILES"]
    lines += Self.item(
      "results/", "the results folder, unless --results names another: bundles, and trials in progress")
    lines += Self.item("results/station.sqlite", "the sample store, unless --store names another")
    lines += [".SH EXAMPLES"]
    lines += Self.example(
      "Run a trial without a sensor or a loudspeaker:",
      "station run music-heart-rate.json --participant demo --unattended --sensor heartRate=simulated --speaker silent")
    lines += Self.example("See what was recorded:", "station list", "station show 01a1f8ea")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ command: Command) -> [String] {
    var lines = [".SS \(quoted("station " + command.usageWords.joined(separator: " ")))"]
    lines += [escaped(command.summary)]
    for option in command.options { lines += item(option.shown, option.summary) }
    for section in command.sections {
      lines += paragraph(section.title)
      for row in section.rows { lines += item(row.term, row.text) }
    }
    return lines
  }

  private static func paragraph(_ text: String) -> [String] { [".PP", escaped(text)] }

  private static func item(_ term: String, _ text: String) -> [String] {
    [".TP", #"\fB"# + inline(term) + #"\fR"#, text.isEmpty ? #"\&"# : escaped(text)]
  }

  private static func example(_ text: String, _ commands: String...) -> [String] {
    paragraph(text) + [".PP", ".RS", ".nf"] + commands.map(escaped) + [".fi", ".RE"]
  }

  /// A line of text with every troff control character escaped.
  private static func escaped(_ text: String) -> String {
    let line = inline(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? #"\&"# + line : line
  }

  /// An argument of a macro.
  private static func quoted(_ text: String) -> String { "\"" + inline(text).replacing("\"", with: #"\(dq"#) + "\"" }

  private static func inline(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { line, scalar in
      switch scalar {
      case "\\": line += #"\e"#
      case "-": line += #"\-"#
      case "“": line += #"\(lq"#
      case "”": line += #"\(rq"#
      case "’": line += #"\(cq"#
      case "'": line += #"\(aq"#
      case "^": line += #"\(ha"#
      case "~": line += #"\(ti"#
      case "`": line += #"\(ga"#
      case _ where scalar.isASCII: line.unicodeScalars.append(scalar)
      default:
        let code = String(scalar.value, radix: 16, uppercase: true)
        line += #"\[u\#(String(repeating: "0", count: max(0, 4 - code.count)))\#(code)]"#
      }
    }
  }
}
