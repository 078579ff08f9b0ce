import Basics
import Quantities

extension RunCommand {
  /// A study code (participant or session) given as an option.
  ///
  /// - Parameters:
  ///   - text: the option's value.
  ///   - option: the option's name: `participant`.
  ///   - syntax: the command's.
  /// - Returns: the code.
  /// - Throws: ``UsageError`` with the invalid character and a code that could be used instead.
  static func code(_ text: String, of option: String, _ syntax: CommandSyntax) throws(UsageError) -> String {
    guard !StudyCode.isLegal(text) else { return text }
    let invalid = Arguments.impossible(text.visible, option)
    guard text.utf8.count <= 64 else {
      throw UsageError(
        command: syntax, reason: "\(invalid): \(text.utf8.count) bytes; at most 64 characters are allowed")
    }
    let allowed = "ASCII letters, digits and + are allowed"
    guard let wrong = text.first(where: { !StudyCode.isLegal(String($0)) }) else {
      throw UsageError(command: syntax, reason: "\(invalid): \(allowed)")
    }
    let why = "-_".contains(wrong) ? ", which separates the parts of a BIDS file name (sub-01_ses-2_task-rest)" : ""
    let key = ["participant": "sub-", "session": "ses-"][option].flatMap { text.hasPrefix($0) ? $0 : nil } ?? ""
    let better = String(text.dropFirst(key.count).filter { StudyCode.isLegal(String($0)) })
    let advice = better.isEmpty ? "" : "; for example --\(option) \(better)"
    throw UsageError(
      command: syntax, reason: "\(invalid): it contains “\(String(wrong).visible)”\(why); \(allowed)\(advice)")
  }
}
