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
      case .answer: "Choose with a number key or the arrow keys"
      case .answerText: "Type your answer, then press Return"
      case .answerChoice: "Choose with a number key or the arrow keys"
      case .answerChoices: "Move with the arrow keys, mark with the space bar, then press Return"
      case .answerLine: "Choose a place on the line with the arrow keys, the Page keys or a number key"
      case .choose: "Not answered yet: press Return to choose this"
      case .confirm: "Press Return to confirm"
      case .more: "More below: use the arrow keys or Page Down"
      case .volume: "Choose a comfortable level with + and − or the arrow keys, then press Return"
      case .headphones: "Is the noise on the left or on the right? Press ← or →"
      case .headphonesFailed: "Please put the headphones on with L on your left ear, then press Return"
      case .agreement: "Do you agree to take part in this study?"
      case .signature: "Please sign with your full name"
      case .refusal: "You have chosen not to take part. Do you want to end here?"
      case .declined: "You have decided not to take part. Nothing was recorded. Thank you."
      case .yes: "Yes"
      case .no: "No"
      case .missing: "Please answer this question"
      case .outOfRange: "Please choose a number from {minimum} to {maximum}"
      case .tooSmall: "Please enter a number of at least {minimum}"
      case .tooLarge: "Please enter a number of at most {maximum}"
      case .wholeNumber: "Please enter a whole number"
      case .number: "Please enter a number"
      case .date: "Please enter a date as year-month-day, such as 1999-12-31"
      case .tooEarly: "Please enter a date not before {minimum}"
      case .tooLate: "Please enter a date not after {maximum}"
      case .time: "Please enter a time as hours:minutes, such as 08:30"
      case .tooLong: "Please use at most {maximum} characters"
      case .tooFew: "Please choose at least {minimum}"
      case .tooMany: "Please choose at most {maximum}"
      case .paused: "Paused"
      case .wait: "One moment, please"
      case .secondsRemaining: "{seconds} seconds remaining"
      case .end: "This is the end. Thank you."
      }
    case .german:
      switch phrase {
      case .goOn: "Weiter mit der Eingabetaste"
      case .start: "Start mit der Eingabetaste"
      case .finish: "Drücken Sie die Eingabetaste, wenn Sie fertig sind"
      case .answer: "Wählen Sie mit einer Zahlentaste oder den Pfeiltasten"
      case .answerText: "Tippen Sie Ihre Antwort und drücken Sie dann die Eingabetaste"
      case .answerChoice: "Wählen Sie mit einer Zahlentaste oder den Pfeiltasten"
      case .answerChoices:
        "Wechseln Sie mit den Pfeiltasten, markieren Sie mit der Leertaste und drücken Sie dann die Eingabetaste"
      case .answerLine:
        "Wählen Sie mit den Pfeiltasten, den Bildtasten oder einer Zahlentaste eine Stelle auf der Linie"
      case .choose: "Noch nicht beantwortet: Wählen Sie dies mit der Eingabetaste"
      case .confirm: "Bestätigen Sie mit der Eingabetaste"
      case .more: "Unten geht es weiter: Pfeiltasten oder Bild ab"
      case .volume:
        "Wählen Sie mit + und − oder den Pfeiltasten eine angenehme Lautstärke und drücken Sie dann die Eingabetaste"
      case .headphones: "Ist das Rauschen links oder rechts? Drücken Sie ← oder →"
      case .headphonesFailed:
        "Bitte setzen Sie den Kopfhörer mit L auf das linke Ohr und drücken Sie dann die Eingabetaste"
      case .agreement: "Sind Sie mit der Teilnahme an dieser Studie einverstanden?"
      case .signature: "Bitte unterschreiben Sie mit Ihrem vollen Namen"
      case .refusal: "Sie haben sich gegen die Teilnahme entschieden. Möchten Sie hier aufhören?"
      case .declined: "Sie haben sich gegen die Teilnahme entschieden. Es wurde nichts aufgezeichnet. Vielen Dank."
      case .yes: "Ja"
      case .no: "Nein"
      case .missing: "Bitte beantworten Sie diese Frage"
      case .outOfRange: "Bitte wählen Sie eine Zahl von {minimum} bis {maximum}"
      case .tooSmall: "Bitte geben Sie eine Zahl ab {minimum} ein"
      case .tooLarge: "Bitte geben Sie eine Zahl bis {maximum} ein"
      case .wholeNumber: "Bitte geben Sie eine ganze Zahl ein"
      case .number: "Bitte geben Sie eine Zahl ein"
      case .date: "Bitte geben Sie ein Datum als Jahr-Monat-Tag ein, zum Beispiel 1999-12-31"
      case .tooEarly: "Bitte geben Sie ein Datum ab {minimum} ein"
      case .tooLate: "Bitte geben Sie ein Datum bis {maximum} ein"
      case .time: "Bitte geben Sie eine Uhrzeit als Stunden:Minuten ein, zum Beispiel 08:30"
      case .tooLong: "Bitte verwenden Sie höchstens {maximum} Zeichen"
      case .tooFew: "Bitte wählen Sie mindestens {minimum}"
      case .tooMany: "Bitte wählen Sie höchstens {maximum}"
      case .paused: "Pause"
      case .wait: "Einen Augenblick, bitte"
      case .secondsRemaining: "Noch {seconds} Sekunden"
      case .end: "Das ist das Ende. Vielen Dank."
      }
    case .french:
      switch phrase {
      case .goOn: "Appuyez sur Entrée pour continuer"
      case .start: "Appuyez sur Entrée pour commencer"
      case .finish: "Appuyez sur Entrée quand vous avez terminé"
      case .answer: "Choisissez avec une touche numérique ou les touches fléchées"
      case .answerText: "Tapez votre réponse, puis appuyez sur Entrée"
      case .answerChoice: "Choisissez avec une touche numérique ou les touches fléchées"
      case .answerChoices:
        "Déplacez-vous avec les touches fléchées, cochez avec la barre d’espace, puis appuyez sur Entrée"
      case .answerLine: "Choisissez un endroit de la ligne avec les touches fléchées, de page ou numériques"
      case .choose: "Pas encore de réponse : appuyez sur Entrée pour choisir ceci"
      case .confirm: "Appuyez sur Entrée pour confirmer"
      case .more: "La suite est plus bas : touches fléchées ou Page suiv."
      case .volume: "Choisissez un niveau agréable avec + et − ou les touches fléchées, puis appuyez sur Entrée"
      case .headphones: "Le bruit est-il à gauche ou à droite ? Appuyez sur ← ou →"
      case .headphonesFailed: "Veuillez mettre le casque avec L sur l’oreille gauche, puis appuyez sur Entrée"
      case .agreement: "Acceptez-vous de participer à cette étude ?"
      case .signature: "Veuillez signer de votre nom complet"
      case .refusal: "Vous avez choisi de ne pas participer. Voulez-vous arrêter ici ?"
      case .declined: "Vous avez choisi de ne pas participer. Rien n’a été enregistré. Merci."
      case .yes: "Oui"
      case .no: "Non"
      case .missing: "Veuillez répondre à cette question"
      case .outOfRange: "Choisissez un nombre de {minimum} à {maximum}"
      case .tooSmall: "Saisissez un nombre d’au moins {minimum}"
      case .tooLarge: "Saisissez un nombre d’au plus {maximum}"
      case .wholeNumber: "Saisissez un nombre entier"
      case .number: "Saisissez un nombre"
      case .date: "Saisissez une date sous la forme année-mois-jour, par exemple 1999-12-31"
      case .tooEarly: "Saisissez une date à partir du {minimum}"
      case .tooLate: "Saisissez une date jusqu’au {maximum}"
      case .time: "Saisissez une heure sous la forme heures:minutes, par exemple 08:30"
      case .tooLong: "Utilisez au plus {maximum} caractères"
      case .tooFew: "Choisissez au moins {minimum} réponses"
      case .tooMany: "Choisissez au plus {maximum} réponses"
      case .paused: "En pause"
      case .wait: "Un instant, s’il vous plaît"
      case .secondsRemaining: "Encore {seconds} secondes"
      case .end: "C’est la fin. Merci."
      }
    case .spanish:
      switch phrase {
      case .goOn: "Pulse Intro para continuar"
      case .start: "Pulse Intro para empezar"
      case .finish: "Pulse Intro cuando haya terminado"
      case .answer: "Elija con un número o con las flechas"
      case .answerText: "Escriba su respuesta y pulse Intro"
      case .answerChoice: "Elija con un número o con las flechas"
      case .answerChoices: "Muévase con las flechas, marque con la barra espaciadora y pulse Intro"
      case .answerLine: "Elija un punto de la línea con las flechas, las teclas de página o un número"
      case .choose: "Aún sin responder: pulse Intro para elegir esto"
      case .confirm: "Pulse Intro para confirmar"
      case .more: "Hay más abajo: use las flechas o Av Pág"
      case .volume: "Elija un volumen agradable con + y − o con las flechas y pulse Intro"
      case .headphones: "¿El ruido está a la izquierda o a la derecha? Pulse ← o →"
      case .headphonesFailed: "Póngase los auriculares con la L en el oído izquierdo y pulse Intro"
      case .agreement: "¿Acepta participar en este estudio?"
      case .signature: "Firme con su nombre completo"
      case .refusal: "Ha elegido no participar. ¿Quiere terminar aquí?"
      case .declined: "Ha decidido no participar. No se ha registrado nada. Gracias."
      case .yes: "Sí"
      case .no: "No"
      case .missing: "Responda a esta pregunta, por favor"
      case .outOfRange: "Elija un número del {minimum} al {maximum}"
      case .tooSmall: "Escriba un número de al menos {minimum}"
      case .tooLarge: "Escriba un número de como máximo {maximum}"
      case .wholeNumber: "Escriba un número entero"
      case .number: "Escriba un número"
      case .date: "Escriba una fecha como año-mes-día, por ejemplo 1999-12-31"
      case .tooEarly: "Escriba una fecha a partir del {minimum}"
      case .tooLate: "Escriba una fecha hasta el {maximum}"
      case .time: "Escriba una hora como horas:minutos, por ejemplo 08:30"
      case .tooLong: "Escriba como máximo {maximum} caracteres"
      case .tooFew: "Elija al menos {minimum}"
      case .tooMany: "Elija como máximo {maximum}"
      case .paused: "En pausa"
      case .wait: "Un momento, por favor"
      case .secondsRemaining: "Quedan {seconds} segundos"
      case .end: "Hemos terminado. Muchas gracias."
      }
    }
  }
}

extension Language {
  /// The announcement of the last second.
  var oneSecondRemaining: String {
    switch self {
    case .english: "1 second remaining"
    case .german: "Noch 1 Sekunde"
    case .french: "Encore 1 seconde"
    case .spanish: "Queda 1 segundo"
    }
  }
}
