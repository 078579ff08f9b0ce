# One row for each trial and measure, as “station analyse --csv” wrote it.
rows <- read.csv("trials.csv")
trials <- subset(rows, measure == "meanHeartRate" & practice == "false" & verdict != "bad" & !is.na(change))

# A mean for each participant and condition; then their mean over participants.
people <- aggregate(change ~ participant + condition, trials, mean)
means <- aggregate(change ~ condition, people, mean)
means$sd <- aggregate(change ~ condition, people, sd)$change
means$participants <- aggregate(change ~ condition, people, length)$change
print(means, digits = 3)
write.csv(means, "means.csv", row.names = FALSE)

# The means, and a point for each participant.
svg("figure.svg", width = 7, height = 4)
par(mar = c(3, 5, 1, 1))
stripchart(change ~ condition, people, vertical = TRUE, pch = 1, col = "grey40",
           ylab = "change of the heart rate, /min\n(stimulus less the minute before)")
points(seq_len(nrow(means)), means$change, pch = 19, cex = 1.5)
abline(h = 0, lty = 3)
invisible(dev.off())
