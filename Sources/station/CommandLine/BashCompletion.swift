import Basics

/// Completion of commands, options and values in bash.
struct BashCompletion: Sendable {
  let commands: [Command]

  /// The script; it does not need the bash-completion package.
  var text: String {
    """
    # bash completion for station; made by “station completion bash”

    _station_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
    _station_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
    _station_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
    _station_trials() {
      local path
      _station_files
      for path in results/bundles/"$cur"*; do [[ ! -d $path ]] || COMPREPLY+=("${path##*/}"); done
    }

    _station() {
      local cur prev command
      COMPREPLY=()
      cur=${COMP_WORDS[COMP_CWORD]}
      prev=${COMP_WORDS[COMP_CWORD-1]}
      # bash takes --name=VALUE for three words.
      if [[ $cur == = ]]; then
        cur=
      elif [[ $prev == = ]] && ((COMP_CWORD > 1)); then
        prev=${COMP_WORDS[COMP_CWORD-2]}
      fi
      if ((COMP_CWORD == 1)); then
        _station_words \((commands.firstWords + ["help", "--help", "--version"]).joined(separator: " ").singleQuoted)
        return
      fi
      command=${COMP_WORDS[1]}
      case $command in
    \(lines(commands.groups.map(group)))
      esac
      case "$command $prev" in
    \(lines(commands.flatMap(values)))
      esac
      if [[ $cur == -* ]]; then
        case $command in
    \(lines(commands.map(options)))
        esac
        return
      fi
      case $command in
    \(lines(commands.compactMap(operand)))
      esac
    }
    complete -F _station station

    """
  }

  private func lines(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  private func group(_ group: (name: String, members: [Command])) -> String {
    let words = group.members.map(\.member).joined(separator: " ").singleQuoted
    return """
          \(group.name))
            if ((COMP_CWORD == 2)); then _station_words \(words); return; fi
            command="$command ${COMP_WORDS[2]}" ;;
      """
  }

  private func values(_ command: Command) -> [String] {
    command.options.compactMap { option in
      option.completedValue.map { "    \("\(command.name) --\(option.name)".singleQuoted)) \(call($0)); return ;;" }
    }
  }

  private func options(_ command: Command) -> String {
    let names = (command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
    return "      \(command.name.singleQuoted)) _station_words \(names.singleQuoted) ;;"
  }

  private func operand(_ command: Command) -> String? {
    guard command.completedOperand != .nothing else { return nil }
    return "    \(command.name.singleQuoted)) \(call(command.completedOperand)) ;;"
  }

  private func call(_ words: CompletedWords) -> String {
    switch words {
    case .nothing: ":"
    case .files: "_station_files"
    case .folders: "_station_folders"
    case .trials: "_station_trials"
    case .words(let words): "_station_words \(words.joined(separator: " ").singleQuoted)"
    }
  }
}
