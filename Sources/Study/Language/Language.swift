import Basics
import Synchronization

/// A language of the station's own texts for a participant, by its code in ISO 639-1.
///
/// Its texts are a file of their own in the folder `Texts`, in the form that a study's own translations have.
package enum Language: String, Hashable, Sendable, CaseIterable {
  /// English, unless the settings name another.
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"
  case italian = "it"
  case portuguese = "pt"
  case dutch = "nl"
  case chinese = "zh"
  case japanese = "ja"
  case arabic = "ar"

  /// The language of a BCP 47 tag; `nil` for one that the station does not have.
  package init?(tag: String) { self.init(rawValue: tag.lowercased().prefix { $0 != "-" }.description) }

  /// Whether someone whose first language it is has read the station's texts.
  package var isChecked: Bool { self == .english }

  /// The station's text of a phrase.
  func text(of phrase: Phrase) -> String { Self.texts(in: self)[phrase] ?? "" }

  /// The texts that were read, by language.
  private static let read = Mutex<[Language: [Phrase: String]]>([:])

  private static func texts(in language: Language) -> [Phrase: String] {
    read.withLock { read in
      if let texts = read[language] { return texts }
      let phrases = (try? JSONReader.read(language.file).value)?["phrases"]
      let pairs = Phrase.allCases.compactMap { phrase in
        (phrases?[phrase.rawValue]?.string).map { (phrase, $0) }
      }
      let texts = Dictionary(uniqueKeysWithValues: pairs)
      read[language] = texts
      return texts
    }
  }

  private var file: [UInt8] {
    switch self {
    case .english: PackageResources.en_json
    case .german: PackageResources.de_json
    case .french: PackageResources.fr_json
    case .spanish: PackageResources.es_json
    case .italian: PackageResources.it_json
    case .portuguese: PackageResources.pt_json
    case .dutch: PackageResources.nl_json
    case .chinese: PackageResources.zh_json
    case .japanese: PackageResources.ja_json
    case .arabic: PackageResources.ar_json
    }
  }
}
