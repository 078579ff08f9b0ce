"""Writes files of sports watches with other implementations into a folder, for comparison with the station's readers.

devices.py FOLDER    an activity of 120 s near 52.3 N, 4.9 E, from 2026-11-20T10:00:00Z in each format, and devices.json:
                     its heart rates and intervals as each implementation reads them
"""
import datetime, json, pathlib, sys

START = datetime.datetime(2026, 11, 20, 10, 0, 0, tzinfo=datetime.timezone.utc)
SECONDS = 120


def rate(second):
    return 60 + second * 7 % 40


def intervals():
    """Intervals in milliseconds that fill the activity, with the second in which each ends."""
    time, beat = 0, 0
    while True:
        interval = 780 + beat * 37 % 90
        time += interval
        if time >= SECONDS * 1000:
            return
        yield interval, time // 1000
        beat += 1


def write_fit(path):
    from fit_tool.fit_file_builder import FitFileBuilder
    from fit_tool.profile.messages.event_message import EventMessage
    from fit_tool.profile.messages.file_id_message import FileIdMessage
    from fit_tool.profile.messages.hrv_message import HrvMessage
    from fit_tool.profile.messages.record_message import RecordMessage
    from fit_tool.profile.messages.session_message import SessionMessage
    from fit_tool.profile.profile_type import FileType, Manufacturer

    builder = FitFileBuilder(auto_define=True, min_string_size=50)
    first = round(START.timestamp() * 1000)
    head = FileIdMessage()
    head.type, head.manufacturer = FileType.ACTIVITY, Manufacturer.DEVELOPMENT.value
    head.serial_number, head.time_created, head.product_name = 0x12345678, first, "Test Watch"
    builder.add(head)
    waiting = list(intervals())
    for second in range(SECONDS):
        while waiting and waiting[0][1] < second:
            beats = HrvMessage()
            beats.time = [waiting.pop(0)[0] / 1000]
            builder.add(beats)
        record = RecordMessage()
        record.timestamp, record.heart_rate = first + 1000 * second, rate(second)
        record.position_lat, record.position_long = 52.3 + second / 1e5, 4.9
        builder.add(record)
    session = SessionMessage()
    session.timestamp, session.start_time = first + 1000 * SECONDS, first
    builder.add(session)
    builder.build().to_file(path)


def read_fit(path):
    import fitdecode, garmin_fit_sdk

    def epoch(time):
        return time.replace(tzinfo=time.tzinfo or datetime.timezone.utc).timestamp()

    found = {"rates": [], "intervals": []}
    with fitdecode.FitReader(path) as reader:
        for frame in reader:
            if not isinstance(frame, fitdecode.FitDataMessage):
                continue
            if frame.name == "record" and frame.get_value("heart_rate", fallback=None) is not None:
                found["rates"].append([epoch(frame.get_value("timestamp")), frame.get_value("heart_rate")])
            if frame.name == "hrv":
                times = frame.get_value("time")
                times = times if isinstance(times, (list, tuple)) else [times]
                found["intervals"] += [round(1000 * time) for time in times if time is not None]
    yield "fitdecode", found
    decoder = garmin_fit_sdk.Decoder(garmin_fit_sdk.Stream.from_file(path))
    assert decoder.is_fit() and decoder.check_integrity()
    # A check reads the stream to its end.
    decoder = garmin_fit_sdk.Decoder(garmin_fit_sdk.Stream.from_file(path))
    messages, errors = decoder.read(merge_heart_rates=False)
    assert not errors, errors
    found = {"rates": [], "intervals": []}
    for record in messages.get("record_mesgs", []):
        if record.get("heart_rate") is not None:
            found["rates"].append([epoch(record["timestamp"]), record["heart_rate"]])
    for beats in messages.get("hrv_mesgs", []):
        times = beats["time"] if isinstance(beats["time"], list) else [beats["time"]]
        found["intervals"] += [round(1000 * time) for time in times if time is not None]
    yield "garmin-fit-sdk", found


def write_gpx(path):
    import gpxpy.gpx
    from xml.etree import ElementTree

    space = "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
    document = gpxpy.gpx.GPX()
    document.creator, document.nsmap = "Test Program", {"gpxtpx": space}
    track = gpxpy.gpx.GPXTrack(name="Home to Work")
    segment = gpxpy.gpx.GPXTrackSegment()
    for second in range(SECONDS):
        time = START + datetime.timedelta(seconds=second)
        point = gpxpy.gpx.GPXTrackPoint(52.3 + second / 1e5, 4.9, elevation=3, time=time)
        # A sensor that is out of reach leaves points without a heart rate.
        if second % 10 != 9:
            extension = ElementTree.Element(f"{{{space}}}TrackPointExtension")
            ElementTree.SubElement(extension, f"{{{space}}}hr").text = str(rate(second))
            point.extensions.append(extension)
        segment.points.append(point)
    track.segments.append(segment)
    document.tracks.append(track)
    with open(path, "w") as file:
        file.write(document.to_xml())


def read_gpx(path):
    import gpxpy

    with open(path) as file:
        document = gpxpy.parse(file)
    found = {"rates": [], "intervals": []}
    for track in document.tracks:
        for segment in track.segments:
            for point in segment.points:
                for extension in point.extensions:
                    for child in extension.iter():
                        if child.tag.endswith("}hr"):
                            found["rates"].append([point.time.timestamp(), int(child.text)])
    yield "gpxpy", found


def write_tcx(path):
    points = "".join(
        f"""
      <Trackpoint>
       <Time>{(START + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S.000Z")}</Time>
       <Position><LatitudeDegrees>{52.3 + second / 1e5}</LatitudeDegrees><LongitudeDegrees>4.9</LongitudeDegrees></Position>
       <HeartRateBpm><Value>{rate(second)}</Value></HeartRateBpm>
      </Trackpoint>"""
        for second in range(SECONDS)
    )
    with open(path, "w") as file:
        file.write(
            f"""<?xml version="1.0" encoding="UTF-8"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <Activities>
  <Activity Sport="Running">
   <Id>2026-11-20T10:00:00.000Z</Id>
   <Lap StartTime="2026-11-20T10:00:00.000Z">
    <TotalTimeSeconds>120</TotalTimeSeconds><DistanceMeters>1.1</DistanceMeters>
    <AverageHeartRateBpm><Value>77</Value></AverageHeartRateBpm>
    <MaximumHeartRateBpm><Value>99</Value></MaximumHeartRateBpm>
    <Track>{points}
    </Track>
    <Notes>Home to Work</Notes>
   </Lap>
   <Creator xsi:type="Device_t"><Name>Test Watch</Name><UnitId>305419896</UnitId></Creator>
  </Activity>
 </Activities>
</TrainingCenterDatabase>
"""
        )


def read_tcx(path):
    import tcxparser

    document = tcxparser.TCXParser(path)
    times = [
        datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc).timestamp()
        for text in document.time_values()
    ]
    rates = document.hr_values()
    yield "python-tcxparser", {"rates": [list(pair) for pair in zip(times, rates)], "intervals": []}


if __name__ == "__main__":
    folder, readings = pathlib.Path(sys.argv[1]), {}
    for form in ("fit", "gpx", "tcx"):
        path = str(folder / f"activity.{form}")
        globals()[f"write_{form}"](path)
        readings[form] = dict(globals()[f"read_{form}"](path))
    (folder / "devices.json").write_text(json.dumps(readings) + "\n")
