/// A language of the station's own texts for a participant, by its code in ISO 639-1.
package enum Language: String, Hashable, Sendable, CaseIterable {
  /// English, unless the settings name another.
  case english = "en"
  /// German.
  case german = "de"
  /// French.
  case french = "fr"
  /// Spanish.
  case spanish = "es"

  /// The station's text of a phrase.
  package func text(of phrase: Phrase) -> String {
    switch self {
    case .english:
      switch phrase {
      case .goOn: "Press Return to continue"
      case .start: "Press Return to start"
      case .finish: "Press Return when you are done"
      case .answer: "Choose with the number or arrow keys, then press Return"
      case .outOfRange: "Please choose a number from {minimum} to {maximum}"
      case .paused: "Paused"
      case .secondsRemaining: "{seconds} seconds remaining"
      case .end: "This is the end. Thank you."
      }
    case .german:
      switch phrase {
      case .goOn: "Weiter mit der Eingabetaste"
      case .start: "Start mit der Eingabetaste"
      case .finish: "Drücken Sie die Eingabetaste, wenn Sie fertig sind"
      case .answer: "Wählen Sie mit den Zahlen- oder Pfeiltasten und drücken Sie dann die Eingabetaste"
      case .outOfRange: "Bitte wählen Sie eine Zahl von {minimum} bis {maximum}"
      case .paused: "Pause"
      case .secondsRemaining: "Noch {seconds} Sekunden"
      case .end: "Das ist das Ende. Vielen Dank."
      }
    case .french:
      switch phrase {
      case .goOn: "Appuyez sur Entrée pour continuer"
      case .start: "Appuyez sur Entrée pour commencer"
      case .finish: "Appuyez sur Entrée quand vous avez terminé"
      case .answer: "Choisissez avec les touches numériques ou fléchées, puis appuyez sur Entrée"
      case .outOfRange: "Choisissez un nombre de {minimum} à {maximum}"
      case .paused: "En pause"
      case .secondsRemaining: "Encore {seconds} secondes"
      case .end: "C’est la fin. Merci."
      }
    case .spanish:
      switch phrase {
      case .goOn: "Pulse Intro para continuar"
      case .start: "Pulse Intro para empezar"
      case .finish: "Pulse Intro cuando haya terminado"
      case .answer: "Elija con los números o las flechas y pulse Intro"
      case .outOfRange: "Elija un número del {minimum} al {maximum}"
      case .paused: "En pausa"
      case .secondsRemaining: "Quedan {seconds} segundos"
      case .end: "Hemos terminado. Muchas gracias."
      }
    }
  }
}
