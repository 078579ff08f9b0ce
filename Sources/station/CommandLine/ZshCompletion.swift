import Basics

/// Completion of commands, options and values in zsh, with descriptions.
struct ZshCompletion: Sendable {
  let commands: [Command]

  /// The script, for a file `_station` in a folder of `fpath`.
  var text: String {
    """
    #compdef station
    # zsh completion for station; made by “station completion zsh”

    _station_trials() {
      local -a trials
      trials=(results/bundles/*(N/:t))
      _alternative 'files:file:_files' 'trials:trial:compadd -a trials'
    }

    _station() {
      local command
      if (( CURRENT == 2 )); then
        local -a known
        known=(
    \(lines(commands.firstWords.map(firstWord)))
        )
        _describe -t commands command known
        return
      fi
      command=$words[2]
      case $command in
    \(lines(commands.groups.map(group)))
        *) shift words; (( CURRENT -= 1 )) ;;
      esac
      case $command in
    \(lines(commands.map(arguments)))
      esac
    }

    if [[ $funcstack[1] == _station ]]; then _station "$@"; else compdef _station station; fi

    """
  }

  private func lines(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  private func firstWord(_ name: String) -> String {
    let members = commands.filter { $0.group == name }.map(\.member)
    let summary = commands.first { $0.name == name }?.summary ?? members.joined(separator: ", ")
    return "      \("\(name):\(summary)".singleQuoted)"
  }

  private func group(_ group: (name: String, members: [Command])) -> String {
    let members = group.members.map { "          \("\($0.member):\($0.summary)".singleQuoted)" }
    return """
          \(group.name))
            if (( CURRENT == 3 )); then
              local -a known
              known=(
      \(lines(members))
              )
              _describe -t commands \("\(group.name) command".singleQuoted) known
              return
            fi
            command="$command $words[3]"
            shift 2 words; (( CURRENT -= 2 )) ;;
      """
  }

  private func arguments(_ command: Command) -> String {
    var specifications = command.options.map { option in
      let name = (option.repeats ? "*" : "") + "--\(option.name)" + (option.value == nil ? "" : "=")
      let value = option.value.map { ":\(colonless($0)):\(action(option.completedValue ?? .nothing))" } ?? ""
      return (name + "[\(bracketless(option.summary))]" + value).singleQuoted
    }
    specifications.append("'(- *)--help[show the options]'")
    if !command.operands.isEmpty {
      specifications.append("*:\(colonless(command.operands)):\(action(command.completedOperand))".singleQuoted)
    }
    let all = specifications.joined(separator: " \\\n        ")
    return "    \(command.name.singleQuoted))\n      _arguments -S \\\n        \(all) ;;"
  }

  private func action(_ words: CompletedWords) -> String {
    switch words {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .trials: "_station_trials"
    case .words(let words): "(\(words.map { $0.replacing(":", with: "\\:") }.joined(separator: " ")))"
    }
  }

  private func colonless(_ text: String) -> String { text.replacing(":", with: "\\:") }

  private func bracketless(_ text: String) -> String {
    colonless(text.replacing("[", with: "\\[").replacing("]", with: "\\]"))
  }
}
