station analyse first-study --by condition --measure meanHeartRate --baseline -60:0
