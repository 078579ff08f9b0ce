import Basics

/// Scripts that read the exported tables, which lie beside them.
enum ReadingScripts {
  /// The scripts for tables of a form, by their files' names.
  static func files(_ form: TableExport.Form, factors: [String]) -> [(name: String, text: String)] {
    switch form {
    case .csv: [("read.py", sealed(python)), ("read.R", sealed(r(factors: factors)))]
    case .jsonLines:
      [
        (ExportKind.jsonLines.mark, sealed(duckDB(factors: factors), comment: "--")),
        ("spark.py", sealed(spark(factors: factors))),
      ]
    }
  }

  /// What the last line of a script begins with, behind the mark of a comment: the digest of all lines before follows.
  private static let seal = " written by station, sha256 "

  private static func sealed(_ text: String, comment: String = "#") -> String {
    "\(text)\(comment)\(seal)\(SHA256.digest(of: Array(text.utf8)))\n"
  }

  /// Whether a script is as an export wrote it: the digest in its last line is that of the lines before.
  static func isUnchanged(_ script: [UInt8]) -> Bool {
    let lines = String(decoding: script, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.last == "", let last = lines.dropLast().last, let start = last.firstRange(of: seal) else {
      return false
    }
    let text = lines.dropLast(2).map { $0 + "\n" }.joined()
    return last[start.upperBound...] == SHA256.digest(of: Array(text.utf8)).description
  }

  /// For pandas: the types come from the description.
  private static let python = """
    # Reads the tables of this folder into pandas: tables = read(); tables["beats"]
    #
    # As a program it prints the number of rows of each table, and the mean heart rate of each condition during the stimulus.
    import json
    from pathlib import Path

    import pandas as pd

    TYPES = {"string": "string", "number": "float64", "integer": "Int64", "boolean": "boolean"}


    def read(folder=Path(__file__).resolve().parent):
        folder = Path(folder)
        description = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        tables = {}
        for resource in description["resources"]:
            fields = resource["schema"]["fields"]
            table = pd.read_csv(
                folder / resource["path"],
                dtype={field["name"]: TYPES[field["type"]] for field in fields if field["type"] in TYPES},
                keep_default_na=False, na_values=[""], encoding="utf-8")
            for field in fields:
                if field["type"] == "datetime":
                    table[field["name"]] = pd.to_datetime(table[field["name"]], format="ISO8601", utc=True)
            tables[resource["name"]] = table
        return tables


    if __name__ == "__main__":
        tables = read()
        for name, table in tables.items():
            print(name, len(table))
        if tables["trials"]["simulated"].any():
            print(f"simulated data: {tables['trials']['simulated'].sum()} of {len(tables['trials'])} rows of trials")
        beats, trials = tables["beats"], tables["trials"].set_index("trial")
        length = beats["trial"].map(trials["offset_s"] - trials["onset_s"])
        beats = beats[beats["artefact"].isna() & (beats["onsetTime_s"] >= 0) & (beats["onsetTime_s"] <= length)]
        for condition, part in beats.groupby("condition"):
            print(f"{condition}: {60000 / part['interval_ms'].mean():.3f} /min")

    """

  /// For R without further packages: the columns that R would take for another type are named.
  private static func r(factors: [String]) -> String {
    let tables = ExportTable.allCases.map { table in
      let types = table.fields(factors: factors).map { field in
        switch field.kind {
        case .string, .datetime: "\"character\""
        case .number: "\"numeric\""
        case .integer: "\"integer\""
        // R does not read “true” as a logical value in every version.
        case .boolean: "\"character\""
        }
      }
      return "  \(table.rawValue) = c(\(types.joined(separator: ", ")))"
    }
    let truths = ExportTable.allCases.map { table in
      let names = table.fields(factors: factors).filter { $0.kind == .boolean }.map { "\"\($0.name)\"" }
      return "  \(table.rawValue) = c(\(names.joined(separator: ", ")))"
    }
    return """
      # Reads the tables of this folder into R: tables <- read_tables("FOLDER"); tables$beats
      #
      # As a program (Rscript read.R) it prints the number of rows of each table, and the mean heart rate of each condition
      # during the stimulus.

      column_types <- list(
      \(tables.joined(separator: ",\n"))
      )

      logical_columns <- list(
      \(truths.joined(separator: ",\n"))
      )

      read_tables <- function(folder = ".") {
        tables <- list()
        for (name in names(column_types)) {
          table <- read.csv(
            file.path(folder, paste0(name, ".csv")), colClasses = column_types[[name]], na.strings = "",
            check.names = FALSE, encoding = "UTF-8", fileEncoding = "UTF-8")
          for (column in logical_columns[[name]]) table[[column]] <- table[[column]] == "true"
          if ("start" %in% names(table)) {
            table$start <- as.POSIXct(table$start, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")
          }
          tables[[name]] <- table
        }
        tables
      }

      if (sys.nframe() == 0L) {
        arguments <- commandArgs(FALSE)
        script <- sub("^--file=", "", arguments[grep("^--file=", arguments)])
        tables <- read_tables(dirname(script))
        for (name in names(tables)) cat(name, nrow(tables[[name]]), "\\n")
        simulated <- sum(tables$trials$simulated)
        if (simulated > 0) cat("simulated data:", simulated, "of", nrow(tables$trials), "rows of trials\\n")
        beats <- tables$beats
        trial <- match(beats$trial, tables$trials$trial)
        length <- (tables$trials$offset_s - tables$trials$onset_s)[trial]
        beats <- beats[which(is.na(beats$artefact) & beats$onsetTime_s >= 0 & beats$onsetTime_s <= length), ]
        for (condition in sort(unique(beats$condition))) {
          part <- beats[beats$condition == condition, ]
          cat(sprintf("%s: %.3f /min\\n", condition, 60000 / mean(part$interval_ms)))
        }
      }

      """
  }
}
