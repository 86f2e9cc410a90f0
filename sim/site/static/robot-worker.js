// The robot: firmware and simulator under MicroPython, in real time, in a thread of its own beside the page. Speaks with
// the page as the server of `make sim` does.

import { keepFlash, restoreFlash } from "./flash.js";
import { makeDevices } from "./devices.js";
import { loadMicroPython } from "./micropython.mjs";
import { zip } from "./zip.js";

const HEAP_BYTES = 4 << 20;
const LATE_MS = 100; // so long at a time the robot may catch up; then messages have their turn
const MICROPHONE_BLOCKS_MOST = 200;
const INSIDE_EVERY_MS = 250;
const RATE_HZ = 16000;
const text = new TextEncoder();

let robot = null; // the functions of on_page.Beside
let FS = null;
let speaker = null; // ports to the worklets
let listening = false; // the red button is held
let words = []; // blocks of the microphone that the robot has not heard yet
let timer = 0;
let inside = 0; // the timer that looks inside
let version = "";
let settings = {}; // as they were told last
let flashAtStart = {};
let keepsFlash = true;
let kept = 0; // changes of the flash that are kept
const trace = []; // lines
const pieces = []; // [place in frames, Int16Array]: all that was played
const figures = { busy_ms: 0, longest_ms: 0 };

onmessage = async ({ data }) => {
  if (data.open) {
    try {
      await open(data.open);
    } catch (error) {
      postMessage({ t: "unfit", why: String(error?.message ?? error).slice(0, 300) });
    }
  } else if (data.send) receive(data.send);
  else if (data.speaker) {
    speaker = data.speaker;
    speaker.onmessage = ({ data: { played } }) => act("played", played);
  } else if (data.microphone) {
    data.microphone.onmessage = ({ data: block }) => {
      if (listening && words.length < MICROPHONE_BLOCKS_MOST) words.push(new Int16Array(block));
    };
  } else if ("listening" in data) listening = data.listening;
  else if (data.say) say(data.say);
  else if (data.save) postMessage({ t: "saved", what: data.save, data: await save(data.save) });
  else if (data.figures) postMessage({ t: "figures", ...figures, ...JSON.parse(robot.figures()) });
};

async function open({ seed, language, voice, keep }) {
  const fetched = ["robot.json", "captions.json", voice].map(async (name) => {
    const answer = await fetch(new URL(name, import.meta.url));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  });
  const mp = await loadMicroPython({ heapsize: HEAP_BYTES, stdout: (line) => console.log(line) });
  const [sources, captions, pack] = await Promise.all(fetched);
  FS = mp.FS;
  const bundle = JSON.parse(new TextDecoder().decode(sources));
  version = bundle.version;
  for (const [path, source] of Object.entries(bundle.files)) put(path, source);
  put("captions.json", captions);
  put(`${language}.pack`, pack);
  for (const folder of ["/flash", "/takes"]) FS.mkdir(folder);
  if (keep) keepsFlash = await restoreFlash(FS);
  else keepsFlash = false;
  flashAtStart = filesOf("/flash");
  makeDevices(FS, { play, hear });
  mp.globals.set("tell", tell);
  mp.runPython(`
import sys
sys.path[:] = ["", "/firmware", ".frozen"]
from sim.site.on_page import Beside
beside = Beside({"${language}": "/${language}.pack"}, ${seed}, "${language}", tell)
turn, do, session, figures, flash_writes, words = (
    beside.turn, beside.do, beside.session, beside.figures, beside.flash_writes, beside.words)
`);
  robot = {};
  for (const name of ["turn", "do", "session", "figures", "flash_writes", "words"]) robot[name] = mp.globals.get(name);
  postMessage({
    t: "hello", version, page: 1, plays: true, lang: language, broken: "", switch: "off", state: "off", record_led: false,
    volume: 2, players: 0, race: false, settings, words: JSON.parse(robot.words()), victories: {}, recent: [], keeps: keepsFlash,
  });
  go();
}

function put(path, data) {
  let at = "";
  for (const folder of path.split("/").slice(0, -1)) {
    at += `/${folder}`;
    if (!FS.analyzePath(at).exists) FS.mkdir(at);
  }
  FS.writeFile(`/${path}`, data);
}

function filesOf(folder) {
  const names = FS.readdir(folder).filter((name) => !name.startsWith("."));
  return Object.fromEntries(names.map((name) => [name, FS.readFile(`${folder}/${name}`)]));
}

// ---- time

// Each turn returns to here, where MicroPython may collect garbage.
function go(atOnce = false) {
  clearTimeout(timer);
  const begun = performance.now();
  let wait = 0;
  while (wait <= 0 && performance.now() - begun < LATE_MS) {
    const before = performance.now();
    wait = robot.turn(before, atOnce);
    atOnce = false;
    figures.longest_ms = Math.max(figures.longest_ms, performance.now() - before);
  }
  figures.busy_ms += performance.now() - begun;
  timer = setTimeout(go, Math.max(0, wait));
  if (keepsFlash && robot.flash_writes() !== kept) {
    kept = robot.flash_writes();
    keepFlash(FS).catch(() => {
      keepsFlash = false;
      postMessage({ t: "forgets" });
    });
  }
}

// ---- from the page

function act(...deed) {
  if (robot?.do(JSON.stringify(deed))) go(true); // the firmware is to see it at once
}

function receive(message) {
  if (!robot) return;
  if (message.t === "press") act("contact", message.control, message.down);
  else if (message.t === "switch") act("switch", message.position);
  else if (message.t === "set") act("set", message.key, message.value);
  else if (message.t === "let_go") act("let_go");
  else if (message.t === "listen") act("listen", 1);
  else if (message.t === "inside") {
    clearInterval(inside);
    inside = message.on ? setInterval(() => act("inside"), INSIDE_EVERY_MS) : 0;
  }
}

// Int16Array: somebody holds the red button and says this.
function say(samples) {
  FS.writeFile("/said", new Uint8Array(samples.buffer));
  act("say", "/said");
}

function hear(most) {
  const heard = new Int16Array(most);
  let n = 0;
  while (words.length && n < most) {
    const block = words.shift();
    const room = most - n;
    if (block.length > room) words.unshift(block.subarray(room));
    heard.set(block.subarray(0, room), n);
    n += Math.min(block.length, room);
  }
  return heard.subarray(0, n);
}

// ---- from the robot

function play(data) {
  const place = new DataView(data.buffer).getUint32(0, true);
  const samples = new Int16Array(data.buffer.slice(4));
  pieces.push([place, samples.slice()]);
  speaker?.postMessage({ samples: samples.buffer }, [samples.buffer]);
}

function drop(frames) {
  while (frames > 0 && pieces.length) {
    const [place, samples] = pieces.pop();
    if (samples.length > frames) pieces.push([place, samples.slice(0, -frames)]);
    frames -= samples.length;
  }
}

function tell(line) {
  const message = JSON.parse(line);
  if (message.t === "event") {
    const { t, event, ...more } = message.event;
    trace.push(JSON.stringify({ t, event, ...more }));
    postMessage({ ...more, t: "event", event, at: t, captions: message.captions });
  } else if (message.t === "drop") {
    drop(message.value);
    speaker?.postMessage({ drop: message.value });
  } else if (message.t === "heard") speaker?.postMessage({ reset: true });
  else if (message.t === "talk") postMessage({ t: "talk", level: message.value });
  else if (message.t === "settings") postMessage({ t: "settings", settings: (settings = message.value) });
  else if (message.t === "broken") postMessage({ t: "broken", why: message.value });
  else postMessage(message);
}

// ---- what can be kept

async function save(what) {
  if (what === "trace") return text.encode(trace.map((line) => `${line}\n`).join(""));
  const { text: scenario, takes, frames } = JSON.parse(robot.session());
  if (what === "sound") return wav(frames, pieces);
  const flash = Object.entries(flashAtStart);
  const command = `python -m sim run session.toml --lang ${/lang = "(\w+)"/.exec(scenario)[1]}${flash.length ? " --flash flash" : ""}`;
  const head = `# A session played in the browser. To replay it, in this folder:  ${command}\n\n`;
  const files = { "session/session.toml": text.encode(head + scenario) };
  for (const name of takes) {
    const pcm = FS.readFile(`/takes/${name}`);
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
    files[`session/${name}.wav`] = wav(samples.length, [[0, samples]]);
  }
  for (const [name, data] of flash) files[`session/flash/${name}`] = data;
  if (flash.length) files["session/flash/.roboto-flash"] = text.encode("The flash of a simulated Roboto.\n");
  return zip(files);
}

// A WAV of so many frames: 16 kHz, 16 bit, mono.
function wav(frames, placed) {
  const out = new DataView(new ArrayBuffer(44 + 2 * frames));
  const word = (at, letters) => [...letters].forEach((letter, i) => out.setUint8(at + i, letter.charCodeAt(0)));
  word(0, "RIFF");
  out.setUint32(4, 36 + 2 * frames, true);
  word(8, "WAVEfmt ");
  out.setUint32(16, 16, true);
  out.setUint16(20, 1, true);
  out.setUint16(22, 1, true);
  out.setUint32(24, RATE_HZ, true);
  out.setUint32(28, 2 * RATE_HZ, true);
  out.setUint16(32, 2, true);
  out.setUint16(34, 16, true);
  word(36, "data");
  out.setUint32(40, 2 * frames, true);
  const sound = new Int16Array(out.buffer, 44);
  for (const [place, samples] of placed) {
    const room = Math.max(0, frames - place);
    sound.set(samples.length > room ? samples.subarray(0, room) : samples, Math.min(place, frames));
  }
  return new Uint8Array(out.buffer);
}
