print("station")
