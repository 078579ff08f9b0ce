station analyse first-study --measure meanHeartRate,rmssd --baseline -60:0 --csv > trials.csv
