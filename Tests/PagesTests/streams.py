"""Reads streams of a server to their ends, one after the other: streams.py PORT TOKEN ROUNDS. Prints how many were whole."""

import http.client
import sys

port, token, rounds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
whole = 0
wanted = [f"line {line}" for line in range(1, 21)]
for number in range(rounds):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/participant/stream", headers={"Authorization": f"Bearer {token}"})
    lines = connection.getresponse().read().decode().split("\n")
    connection.close()
    if [line for line in lines if line.startswith("line")] == wanted and lines[-3:] == ["screen 20", "last", ""]:
        whole += 1
    else:
        print(f"round {number}: {lines}", file=sys.stderr)
print(f"{whole} whole")
