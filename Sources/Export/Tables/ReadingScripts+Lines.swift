import Basics

extension ReadingScripts {
  /// For DuckDB: macros that read the tables with their types, and two that summarise them.
  static func duckDB(factors: [String]) -> String {
    let macros = ExportTable.allCases.map { table in
      """
      CREATE OR REPLACE TEMP MACRO \(table.rawValue)(folders := ['.']) AS TABLE
      FROM read_json([folder || '/\(table.rawValue)/*/*/*.jsonl' FOR folder IN folders],
        format = 'newline_delimited', filename = true, hive_types = {site: VARCHAR, date: VARCHAR}, columns = {
        \(columns(of: table, factors, separator: ": ", quote: "\"") { "'\(duckDBType($0))'" })});
      """
    }
    return """
      -- Queries for DuckDB over the tables that “station export jsonl” wrote. In this folder:
      --
      --     duckdb -init queries.sql -c "FROM summary('condition')"
      --     duckdb -init queries.sql -c "FROM summary('site', folders := ['.', '../other/lines'])"
      --     duckdb -init queries.sql -c "FROM verdicts()"

      \(macros.joined(separator: "\n\n"))

      -- Beats without artefacts, grouped by a column of the beats: condition, clip, participant, session, trial, sensor,
      -- step, site or date. Beats without a value of the column come last.
      CREATE OR REPLACE TEMP MACRO summary(key, folders := ['.']) AS TABLE
      SELECT COLUMNS(lambda name: name = key), bool_or(simulated) AS simulated, count(DISTINCT trial) AS trials,
        count(*) AS beats, avg(interval_ms) AS mean_ms, stddev_samp(interval_ms) AS sd_ms, min(interval_ms) AS min_ms,
        max(interval_ms) AS max_ms, 60000 / avg(interval_ms) AS rate_per_min
      FROM beats(folders := folders)
      WHERE CASE WHEN trial IS NULL OR interval_ms IS NULL
        THEN error('“' || filename || '” has a row without “trial” or “interval_ms”; export the trials again')
        ELSE artefact IS NULL END
      GROUP BY ALL ORDER BY ALL;

      -- Trials of each site and day by verdict.
      CREATE OR REPLACE TEMP MACRO verdicts(folders := ['.']) AS TABLE
      SELECT site, date, verdict, count(*) AS trials FROM trials(folders := folders) GROUP BY ALL ORDER BY ALL;

      """
  }

  /// For Spark: the program prints what “summary” of the queries for DuckDB gives.
  static func spark(factors: [String]) -> String {
    let schemas = ExportTable.allCases.map { table in
      let columns = columns(of: table, factors, separator: " ", quote: "`", sparkType)
      return "    \"\(table.rawValue)\": \(JSONValue.string(columns + ", site string, date string").text()),"
    }
    return """
      # Reads the tables that “station export jsonl” wrote with Spark: beats = read(spark, "beats")
      #
      # As a program it prints statistics of the beats without artefacts, grouped by a column of the beats: condition, clip,
      # participant, session, trial, sensor, step, site or date. The folders of further exports may follow the column:
      #
      #     spark-submit spark.py site . ../other/lines
      import json
      import sys
      from functools import reduce
      from pathlib import Path

      from pyspark.sql import DataFrame, SparkSession, functions as F

      SCHEMAS = {
      \(schemas.joined(separator: "\n"))
      }


      def read(spark, table, *folders):
          tables = [
              spark.read.schema(SCHEMAS[table]).json(str(Path(folder) / table), mode="FAILFAST")
              for folder in folders or [Path(__file__).resolve().parent]]
          return reduce(DataFrame.unionByName, tables)


      def summary(spark, key="condition", *folders):
          interval = F.col("interval_ms")
          is_damaged = F.col("trial").isNull() | interval.isNull()
          damage = F.raise_error(F.lit("a row has no “trial” or no “interval_ms”; export the trials again"))
          beats = read(spark, "beats", *folders).where(F.when(is_damaged, damage).otherwise(F.col("artefact").isNull()))
          return beats.groupBy(key).agg(
              F.max("simulated").alias("simulated"), F.countDistinct("trial").alias("trials"), F.count("*").alias("beats"),
              F.avg(interval).alias("mean_ms"), F.stddev_samp(interval).alias("sd_ms"), F.min(interval).alias("min_ms"),
              F.max(interval).alias("max_ms"), (60000 / F.avg(interval)).alias("rate_per_min"),
          ).orderBy(F.col(key).asc_nulls_last())


      if __name__ == "__main__":
          spark = SparkSession.builder.appName("station").getOrCreate()
          spark.sparkContext.setLogLevel("ERROR")
          for row in summary(spark, *sys.argv[1:]).collect():
              print(json.dumps(row.asDict(), ensure_ascii=False))

      """
  }

  /// The names and types of a table's columns.
  private static func columns(
    of table: ExportTable, _ factors: [String], separator: String, quote: String, _ type: (ExportField.Kind) -> String
  ) -> String {
    table.fields(factors: factors).map { field in
      quote + field.name.replacing(quote, with: quote + quote) + quote + separator + type(field.kind)
    }.joined(separator: ", ")
  }

  private static func duckDBType(_ kind: ExportField.Kind) -> String {
    switch kind {
    case .string: "VARCHAR"
    case .number: "DOUBLE"
    case .integer: "BIGINT"
    case .boolean: "BOOLEAN"
    case .datetime: "TIMESTAMP"
    }
  }

  private static func sparkType(_ kind: ExportField.Kind) -> String {
    switch kind {
    case .string: "string"
    case .number: "double"
    case .integer: "bigint"
    case .boolean: "boolean"
    case .datetime: "timestamp"
    }
  }
}
