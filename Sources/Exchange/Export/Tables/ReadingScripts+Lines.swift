import Basics

extension ReadingScripts {
  /// Queries for DuckDB; run in the tables' folder.
  static let duckDB = """
    -- In this folder: duckdb < queries.sql

    -- The beats of each condition without artefacts, as “station summarise” has them.
    SELECT condition, count(DISTINCT trial) AS trials, count(*) AS beats, avg(interval_ms) AS mean_ms,
      stddev_samp(interval_ms) AS sd_ms, min(interval_ms) AS min_ms, max(interval_ms) AS max_ms,
      60000 / avg(interval_ms) AS rate_per_min
    FROM read_json('beats/*/*/*.jsonl', format = 'newline_delimited', hive_partitioning = true)
    WHERE artefact IS NULL
    GROUP BY condition ORDER BY condition;

    -- Trials of each site and day by verdict.
    SELECT site, date, verdict, count(*) AS trials
    FROM read_json('trials/*/*/*.jsonl', format = 'newline_delimited', hive_partitioning = true)
    GROUP BY ALL ORDER BY ALL;

    """

  /// For Spark: the types are given, so that it need not read the tables twice.
  static func spark(factors: [String]) -> String {
    let schemas = ExportTable.allCases.map { table in
      let fields = table.fields(factors: factors).map { field in
        let type =
          switch field.kind {
          case .string: "string"
          case .number: "double"
          case .integer: "bigint"
          case .boolean: "boolean"
          case .datetime: "timestamp"
          }
        return "`\(field.name.replacing("`", with: "``"))` \(type)"
      }
      return "    \"\(table.rawValue)\": \(quoted(fields.joined(separator: ", "))),"
    }
    return """
      # Reads the tables of this folder with Spark: spark-submit spark.py; or beats = read(spark, "beats")
      #
      # As a program it prints the beats of each condition without artefacts, as “station summarise” has them.
      import json
      from pathlib import Path

      from pyspark.sql import SparkSession, functions as F

      SCHEMAS = {
      \(schemas.joined(separator: "\n"))
      }


      def read(spark, table, folder=Path(__file__).resolve().parent):
          return spark.read.schema(SCHEMAS[table]).json(str(Path(folder) / table))


      def summary(spark):
          interval = F.col("interval_ms")
          return (
              read(spark, "beats").where(F.col("artefact").isNull()).groupBy("condition").agg(
                  F.countDistinct("trial").alias("trials"), F.count("*").alias("beats"), F.avg(interval).alias("mean_ms"),
                  F.stddev_samp(interval).alias("sd_ms"), F.min(interval).alias("min_ms"), F.max(interval).alias("max_ms"),
                  (60000 / F.avg(interval)).alias("rate_per_min")).orderBy("condition"))


      if __name__ == "__main__":
          spark = SparkSession.builder.appName("station").getOrCreate()
          spark.sparkContext.setLogLevel("ERROR")
          for row in summary(spark).collect():
              print(json.dumps(row.asDict(), ensure_ascii=False))

      """
  }

  /// A text as a literal of Python, which JSON's are.
  private static func quoted(_ text: String) -> String { JSONValue.string(text).text() }
}
