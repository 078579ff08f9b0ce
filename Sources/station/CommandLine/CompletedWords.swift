import Quantities

extension Command {
  /// The script with which a shell completes commands, options and their values.
  static let completion = Command("completion", operands: "bash|zsh", "prints the completion script of a shell") {
    arguments in
    let script =
      switch try arguments.choice(operand: arguments.operands[0], Shell.self, called: "shell") {
      case .bash: BashCompletion(commands: Station.commands).text
      case .zsh: ZshCompletion(commands: Station.commands).text
      }
    Console.standard.write(Array(script.utf8))
    return .done
  }

  private enum Shell: String, CaseIterable {
    case bash
    case zsh
  }
}

/// What a shell offers as completions of a value or an operand.
enum CompletedWords: Hashable, Sendable {
  /// Nothing: a number, a name, a time.
  case nothing
  case files
  case folders
  /// Files, and the identifiers of the trials in `results`.
  case trials
  case words([String])

  /// The completions of a placeholder in the help, `FILE`, `good|suspect` or `[BUNDLE|TRIAL]`, unless an option lists
  /// choices.
  init(_ placeholder: String, choices: [String] = []) {
    guard choices.isEmpty else {
      self = .words(choices)
      return
    }
    let parts = placeholder.split { "[]|… ".contains($0) }.map(String.init)
    func has(_ names: String...) -> Bool { parts.contains { part in names.contains { part.hasPrefix($0) } } }
    let fixed = parts.filter { !$0.contains(where: \.isUppercase) || $0.first?.isLowercase == true }.filter {
      $0.allSatisfy { $0.isLetter || $0 == "-" }
    }
    if has("TYPE") {
      self = .words(fixed + QuantityType.all.map(\.identifier))
    } else if has("BUNDLE", "TRIAL") {
      self = .trials
    } else if has("FILE", "PROTOCOL", "CLIP") {
      self = .files
    } else if has("FOLDER", "RESULTS") {
      self = .folders
    } else {
      self = fixed.isEmpty ? .nothing : .words(fixed)
    }
  }
}

extension Command {
  /// The completions of an operand.
  var completedOperand: CompletedWords { operands.isEmpty ? .nothing : CompletedWords(operands) }

  /// The first word of a name of two words: `chart`.
  var group: String? { name.split(separator: " ").count > 1 ? String(name.prefix { $0 != " " }) : nil }

  /// The last word of its name: `poincare`.
  var member: String { String(name.split(separator: " ").last ?? "") }
}

extension Option {
  /// The completions of its value; `nil` if it takes none.
  var completedValue: CompletedWords? { value.map { CompletedWords($0, choices: choices) } }
}

extension [Command] {
  /// The first words of all commands, each once.
  var firstWords: [String] {
    reduce(into: []) { names, syntax in
      let name = syntax.group ?? syntax.name
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The groups, with the second words of their commands.
  var groups: [(name: String, members: [Command])] {
    firstWords.compactMap { name in
      let members = filter { $0.group == name }
      return members.isEmpty ? nil : (name, members)
    }
  }
}
