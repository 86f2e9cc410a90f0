"""The robot in the browser: from press to beep, what an idle robot costs, and whether an hour of
play leaks.

python tests/bench/bench_browser.py [--minutes 60]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from tests.browser import tools  # noqa: E402

PRESSES = 30
IDLE_S = 10.0
SPEED = 40.0  # virtual seconds a second, for the long party

# Notes when a finger comes down, and when the first sample of what follows is given to the audio
# device.
_WATCH = """async () => {
  const node = roboto.speaker.node, context = node.context;
  const code = `registerProcessor("ear", class extends AudioWorkletProcessor {
    quiet = 0;
    process([input]) {
      const heard = input[0] && input[0].some((v) => v !== 0);
      if (heard && this.quiet > 30) this.port.postMessage(Date.now());
      this.quiet = heard ? 0 : this.quiet + 1;
      if (this.quiet === 31) this.port.postMessage(0);
      return true;
    }
  })`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type:
  "text/javascript" }))); const ear = new AudioWorkletNode(context, "ear", { numberOfOutputs: 0 });
  window.delays = [];
  window.silent = true;
  addEventListener("pointerdown", () => { window.pressed = Date.now(); }, true);
  ear.port.onmessage = ({ data }) => {
    window.silent = !data;
    if (data) delays.push(data - window.pressed);
  };
  node.connect(ear);
  return 1000 * (context.baseLatency + context.outputLatency);
}"""


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def browser() -> None:
    path = tools.chromium_path()
    if not path:
        print("chromium is missing: no figures of the page")
        return
    from playwright.sync_api import sync_playwright

    with tools.RobotServer() as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=tools.chromium_arguments()
        )
        page = chromium.new_context(bypass_csp=True).new_page()
        page.goto(server.url)
        page.wait_for_function("() => document.documentElement.dataset.greeted")
        tools.switch_on(page)
        while server.trace()[-1].get("led") != "talk" or server.trace()[-1]["on"]:
            page.wait_for_timeout(200)  # it greets
        page.wait_for_timeout(500)
        output_ms = page.evaluate(_WATCH)
        for n in range(1, PRESSES + 1):
            page.wait_for_function("() => silent")
            tools.press(page, "volume")
            page.wait_for_function("n => delays.length >= n", arg=n)
        _print_delays(page.evaluate("delays"), output_ms)
        page.wait_for_timeout(1000)
        before = _cpu_s(server.process.pid)
        page.wait_for_timeout(1000 * IDLE_S)
        idle = (_cpu_s(server.process.pid) - before) / IDLE_S
        print(f"idle robot, switched on, one page: {100 * idle:.1f} % of a core")
        chromium.close()


def _print_delays(delays_ms: list[float], output_ms: float) -> None:
    p95 = statistics.quantiles(delays_ms, n=20)[-1]
    print(
        f"press to beep, {len(delays_ms)} presses: median {statistics.median(delays_ms):.0f} ms, "
        f"p95 {p95:.0f} ms to the worklet; the browser says {output_ms:.0f} ms more to the ear"
    )


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def long_party(minutes: float) -> None:
    """A driven party at many times the speed; memory at a tenth of it and at its end."""
    from host_tools.voice import ensure_pack
    from sim.audio import read_wav
    from sim.web.live import LiveRobot

    chance = random.Random(1)
    words = [read_wav(tools.DEMO / f"{name}.wav") for name in ("lucia", "hugo", "mateo")]
    counts: dict[str, int] = {}

    def tell(what: str, value: Any) -> None:
        key = value["event"] if what == "event" else what
        counts[key] = counts.get(key, 0) + 1

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "flash").mkdir()
        packs = {"es": ensure_pack("es")}
        robot = LiveRobot(packs, folder / "flash", folder, 1, "es", tell, speed=SPEED)
        robot.start()
        robot.do("switch", "on")
        begun_s, early_mb = time.monotonic(), 0.0
        while robot.now_us < minutes * 60e6:
            if chance.random() < 0.15:
                robot.do("say", chance.choice(words))
            else:
                control = chance.choices(
                    ["plate", "replay", "volume", "win", "mode"], [20, 1, 1, 1, 1]
                )[0]
                robot.do("contact", control, True)
                time.sleep(0.1 / SPEED)
                robot.do("contact", control, False)
            time.sleep(chance.uniform(0.5, 5) / SPEED)
            if not early_mb and robot.now_us > minutes * 6e6:
                early_mb = _resident_mb()
        grown_mb = _resident_mb() - early_mb
        deeds = len(robot.deeds)
        robot.stop()
    print(
        f"{minutes:.0f} min of play in {time.monotonic() - begun_s:.0f} s: {deeds} deeds, "
        f"{counts.get('say', 0)} utterances, {counts.get('record', 0)} recordings, "
        f"{counts.get('fault', 0)} faults; memory {early_mb:.0f} MB after a tenth, "
        f"{grown_mb:+.1f} MB at the end"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Figures of the robot in the browser.")
    parser.add_argument("--minutes", type=float, default=60, help="of the long party (default 60)")
    arguments = parser.parse_args()
    browser()
    long_party(arguments.minutes)
