"""Reads a strap with bleak: its place on the body, its battery, and so many values of the heart rate."""

import asyncio
import sys

from bleak import BleakClient, BleakScanner


def assigned(number):
    return f"0000{number}-0000-1000-8000-00805f9b34fb"


async def main(count):
    service = assigned("180d")
    device = await BleakScanner.find_device_by_filter(
        lambda device, data: service in data.service_uuids, timeout=60, service_uuids=[service]
    )
    values = asyncio.Queue()
    if device is None:
        raise SystemExit("no strap found")
    async with BleakClient(device) as client:
        for name, number in (("location", "2a38"), ("battery", "2a19")):
            print(name, (await client.read_gatt_char(assigned(number)))[0])
        await client.start_notify(assigned("2a37"), lambda _, value: values.put_nowait(bytes(value)))
        for _ in range(count):
            print((await asyncio.wait_for(values.get(), 60)).hex(" "))


asyncio.run(main(int(sys.argv[1])))
