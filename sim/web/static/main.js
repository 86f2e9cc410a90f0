// Joins the page's parts: contacts and microphone to the robot, the robot to loudspeaker, face and panel.

import { Contacts } from "./contacts.js";
import { Face } from "./face.js";
import { Link } from "./link.js";
import { Microphone } from "./microphone.js";
import { Panel } from "./panel.js";
import { Score } from "./score.js";
import { Settings } from "./settings.js";
import { Speaker } from "./speaker.js";
import { Table } from "./table.js";
import { firstLanguage, getLanguage, LANGUAGES, rememberLanguage, say, setLanguage } from "./words.js";

const $ = (id) => document.getElementById(id);
const WORDS_AFTER_RELEASE_MS = 150; // what was said before the release is still on its way through the browser

const link = new Link();
const face = new Face();
const panel = new Panel();
const table = new Table();
const score = new Score((note) => link.count(note), () => panel.playerNames());
const speaker = new Speaker((port) => link.connect("speaker", port));
const microphone = new Microphone((port) => link.connect("microphone", port), showMicrophone, showLevel);
const contacts = new Contacts(document.querySelectorAll("[data-control]"), changeContact);
const radios = [...document.querySelectorAll("input[name=switch]")];
let hangUp = 0; // the timer that ends listening

// ---- what people do

function changeContact(control, down) {
  if (control === "record") {
    clearTimeout(hangUp);
    if (down) link.listen(link.plays);
    else hangUp = setTimeout(() => link.listen(false), WORDS_AFTER_RELEASE_MS);
  }
  link.send({ t: "press", control, down });
  if (down) {
    wakeSound();
    if (control === "plate" && link.plays) face.layCard();
    navigator.vibrate?.(8);
  }
}

async function wakeSound() {
  if (await speaker.start()) link.send({ t: "listen" });
  showSound();
}

// Both at once: where there is no loudspeaker, the browser never answers whether it plays, and the microphone must not
// wait for that.
function wakeAll() {
  wakeSound();
  if (link.plays) microphone.start();
}

for (const radio of radios) {
  radio.addEventListener("change", () => {
    link.send({ t: "switch", position: radio.value });
    showSwitch(radio.value);
    if (radio.value !== "off") wakeAll();
  });
}

$("wake-sound").addEventListener("click", wakeAll);

const settings = new Settings($("settings"), (key, value) => link.send({ t: "set", key, value }));

// ---- a WAV in place of the microphone

const red = document.querySelector("[data-control=record]");
red.addEventListener("dragover", (event) => {
  event.preventDefault();
  red.classList.add("offered");
});
red.addEventListener("dragleave", () => red.classList.remove("offered"));
red.addEventListener("drop", (event) => {
  event.preventDefault();
  red.classList.remove("offered");
  if (event.dataTransfer.files.length) sayWav(event.dataTransfer.files[0]);
});
for (const what of ["dragover", "drop"]) addEventListener(what, (event) => event.preventDefault());

async function sayWav(file) {
  const why = await link.say(file);
  showTrouble(why && say("wav_wrong", { why }));
}

// ---- what the robot does

link.addEventListener("hello", ({ detail }) => {
  if (!document.documentElement.dataset.greeted) chooseLanguage(firstLanguage(detail.lang));
  document.documentElement.dataset.greeted = "yes";
  $("version").textContent = `Roboto ${detail.version}`;
  panel.clear();
  for (const event of detail.recent) panel.take(event, false);
  panel.state(detail.state);
  panel.players(detail.players);
  panel.victories(detail.victories);
  panel.race(detail.race);
  settings.show(detail.settings, detail.words);
  face.state(detail.state);
  face.recording(detail.record_led);
  face.talk(0);
  showSwitch(detail.switch);
  showTrouble(detail.broken && say("broken", { why: detail.broken }));
  for (const what of ["scenario", "sound", "trace"]) link.saveBy($(`save-${what}`), what);
  $("open-score").hidden = !link.counts;
  showVoices(detail.lang);
  showBeside(detail);
  if (speaker.isOn) link.send({ t: "listen" });
  if ($("inside").open) link.send({ t: "inside", on: true });
  contacts.letGo();
  showRole();
  showSound();
});

link.addEventListener("event", ({ detail: event }) => {
  panel.take(event);
  if (event.event === "state") face.state(event.state);
  if (event.event === "power" && !event.on) face.state("off");
  if (event.event === "led" && event.led === "record") face.recording(event.on);
  if (event.event === "switch") {
    showSwitch(event.position);
    if (event.position === "off") showTrouble("");
  }
  if (event.event === "press" && event.control === "plate" && !link.plays) face.layCard();
});

link.addEventListener("settings", ({ detail }) => settings.show(detail.settings));
link.addEventListener("talk", ({ detail }) => face.talk(detail.level));
link.addEventListener("inside", ({ detail }) => panel.showInside(detail));
link.addEventListener("broken", ({ detail }) => showTrouble(say("broken", { why: detail.why })));
link.addEventListener("role", () => {
  contacts.letGo();
  showRole();
});
link.addEventListener("unfit", ({ detail }) => showTrouble(say("unfit", { why: detail.why })));
link.addEventListener("forgets", () => showBeside({ alone: true, keeps: false }));
link.addEventListener("lost", ({ detail }) => {
  face.talk(0);
  face.recording(false);
  document.body.classList.add("gone");
  $("role").textContent = say(detail.refused ? "refused" : "gone");
});

// ---- what the page shows

function showRole() {
  document.body.classList.remove("gone");
  document.body.classList.toggle("watching", !link.plays);
  $("role").textContent = link.plays ? "" : say("watching");
  for (const control of document.querySelectorAll("[data-control], input[name=switch], #settings :is(input, select)")) control.disabled = !link.plays;
}

function showSwitch(position) {
  for (const radio of radios) radio.checked = radio.value === position;
  $("switch").dataset.position = position;
  $("nudge").hidden = position !== "off";
  showSound();
}

function showSound() {
  const off = radios.find((radio) => radio.checked)?.value === "off";
  $("wake-sound").hidden = off || speaker.isOn;
}

function showMicrophone() {
  const key = { off: "mic_off", asking: "mic_off", on: "mic_on", none: "mic_none" }[microphone.state];
  $("microphone-words").textContent = say(key);
  $("microphone").dataset.state = microphone.state;
  if (microphone.state === "none") $("microphone-words").append(" ", wavChooser());
}

function wavChooser() {
  const label = document.createElement("label");
  label.className = "choose";
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "audio/wav,.wav";
  input.addEventListener("change", () => {
    if (input.files.length) sayWav(input.files[0]);
    input.value = "";
  });
  label.append(say("mic_choose"), input);
  return label;
}

function showTrouble(text) {
  $("trouble").textContent = text || "";
  $("trouble").hidden = !text;
}

// Where the robot is in this page itself.
function showBeside({ alone, keeps }) {
  if (alone === undefined) return;
  $("beside").hidden = false;
  $("beside").dataset.words = alone ? (keeps ? "beside" : "beside_forgets") : "beside_second";
  $("beside").textContent = say($("beside").dataset.words);
}

function showVoices(language) {
  const codes = Object.keys(link.voices);
  $("voices").hidden = !codes.length;
  $("voice").replaceChildren(...codes.map((code) => new Option(LANGUAGES[code], code)));
  $("voice").value = language;
}

function showKeys() {
  const rows = [[say("key_space"), "tray"], ["1", "record"], ["2", "replay"], ["3", "volume"], ["4", "win"], ["5", "mode"]];
  $("keys").replaceChildren(
    ...rows.flatMap(([key, what]) => {
      const term = document.createElement("dt");
      const kbd = document.createElement("kbd");
      kbd.textContent = key;
      term.append(kbd);
      const meaning = document.createElement("dd");
      meaning.textContent = say(`key_${what}`);
      return [term, meaning];
    }),
  );
}

function showLevel(level) {
  $("meter").style.transform = `scaleX(${Math.min(1, Math.sqrt(level)).toFixed(2)})`;
}

// ---- languages

function chooseLanguage(code) {
  setLanguage(code);
  $("language").value = getLanguage();
  panel.translate();
  score.translate();
  settings.translate();
  $("leaflet").href = `leaflet-${getLanguage()}.html`;
  showKeys();
  showMicrophone();
  showRole();
}

$("language").append(...Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code)));
$("language").addEventListener("change", () => {
  rememberLanguage($("language").value);
  chooseLanguage($("language").value);
});
$("voice").addEventListener("change", () => link.chooseVoice($("voice").value));
$("inside").addEventListener("toggle", () => link.send({ t: "inside", on: $("inside").open }));

chooseLanguage(firstLanguage("en"));
$("role").textContent = "";
panel.state("off");
link.open();

// For tests and the curious.
window.roboto = { link, speaker, microphone, contacts, table };
