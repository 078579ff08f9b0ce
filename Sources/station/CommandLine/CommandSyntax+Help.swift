extension CommandSyntax {
  /// `station run PROTOCOL --participant ID [options]`, as the help and the errors show it.
  var usage: String { "station \(usageWords.joined(separator: " "))" }

  /// The words of the usage line after the program's name.
  var usageWords: [String] {
    let required = options.filter(\.isRequired).map(\.spelling)
    let rest = required.count == options.count ? "" : "[options]"
    return ([name, operands] + required + [rest]).filter { !$0.isEmpty }
  }

  /// The help screen, with lines of at most `width` columns unless a single word is longer.
  func help(width: Int) -> String {
    let layout = HelpLayout(width: width)
    var lines = layout.wrapped("usage: \(usage)", indent: 0, hanging: 7)
    lines += [""] + layout.wrapped(summary)
    let rows = options.map { HelpLayout.Row($0.shown, $0.summary) }
    if !rows.isEmpty { lines += [""] + layout.table(rows) }
    for section in sections { lines += [""] + layout.wrapped(section.title) + layout.table(section.rows) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CommandSyntax.Option {
  /// `--sensor NAME=SENSOR…`, in a help screen: “…” marks an option that may be given several times.
  var shown: String { spelling + (repeats ? "…" : "") }

  /// `--participant ID`.
  var spelling: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}
