// The panel beside the robot: what it says, where the game stands, who plays, what happened, what is inside.

import { getLanguage, say } from "./words.js";

const TIMELINE_MAX = 60;
const PATH = ["names", "house_rule", "play", "won"];
const $ = (id) => document.getElementById(id);

export class Panel {
  #names = []; // as typed
  #nicknamed = new Set();
  #players = 0;
  #caption = null; // the last "say" event
  #events = []; // of the timeline
  #state = "off";
  #race = false; // people race, and the robot waits for them
  #victories = new Map(); // player -> how many since it was switched on
  #winner = null; // of the game that has just been won

  // ---- events

  // Takes in one event of the robot's trace; `aloud` is false for those of the past.
  take(event, aloud = true) {
    if (event.event === "state") this.state(event.state);
    if (event.event === "power" && !event.on) this.state("off");
    if (event.event === "say") {
      this.#caption = event;
      if (aloud) this.#showCaption();
      this.race(event.race === true);
    }
    if (event.event === "victory") this.#won(event.player, event.victories);
    if (event.event === "record" && event.result === "stored") this.#recorded(event);
    this.#note(event);
  }

  state(name) {
    this.#state = name;
    this.#race = false;
    this.#winner = null;
    if (name === "names" || name === "demo" || name === "off") {
      this.#players = 0;
      this.#names = [];
      this.#victories.clear();
    }
    if (["names", "house_rule", "demo", "off"].includes(name)) this.#nicknamed.clear();
    this.showState();
    this.#showPlayers();
    if (name === "off" || name === "asleep") {
      this.#caption = null;
      this.#showCaption();
    }
  }

  // So many have recorded their names, before this page came.
  players(count) {
    this.#players = Math.max(this.#players, count);
    this.#showPlayers();
  }

  // The robot waits for a race to end, or no longer.
  race(on) {
    this.#race = on;
    this.showState();
  }

  // player -> victories, before this page came.
  victories(counts) {
    this.#victories = new Map(Object.entries(counts).map(([player, count]) => [Number(player), count]));
    this.#showPlayers();
  }

  clear() {
    this.#events = [];
    $("timeline").replaceChildren();
  }

  // In another language.
  translate() {
    this.showState();
    this.#showCaption();
    this.#showPlayers();
    const events = this.#events;
    this.clear();
    for (const event of events) this.#note(event);
  }

  // ---- what it says

  #showCaption() {
    const element = $("caption");
    const text = this.#caption ? this.#fill(this.#caption.captions[getLanguage()] ?? this.#caption.text) : "";
    if (element.textContent !== text) element.textContent = text;
    document.body.classList.toggle("silent", !text);
  }

  #fill(text) {
    return text
      .replace(/\{(\d+)\}/g, (_, player) => this.#name(Number(player)))
      .replace("[house rule]", say("house_rule_said"));
  }

  #name(player) {
    const name = this.#names[player]?.trim() || say("player", { n: player + 1 });
    return this.#nicknamed.has(player) ? `${name} (${say("nickname")})` : name;
  }

  // Of those who have recorded their names, as far as they were typed.
  playerNames() {
    return Array.from({ length: this.#players }, (_, player) => this.#names[player]?.trim() || say("player", { n: player + 1 }));
  }

  // ---- where the game stands

  showState() {
    const racing = this.#race && this.#state === "play";
    $("hint").textContent = say(racing ? "race_on" : `hint_${this.#state}`);
    document.body.classList.toggle("racing", racing);
    const at = this.#state === "nickname" ? "play" : this.#state;
    const steps = PATH.includes(at) ? PATH : [at];
    $("path").replaceChildren(
      ...steps.map((step) => {
        const item = document.createElement("li");
        item.textContent = say(`state_${step === at ? this.#state : step}`);
        if (step === at) item.setAttribute("aria-current", "step");
        return item;
      }),
    );
  }

  // ---- who plays

  #recorded(event) {
    if (event.what === "name") this.players(event.player + 1);
    if (event.what === "nickname") this.#nicknamed.add(event.player);
  }

  // Whoever is named again in the same game corrects what was said before.
  #won(player, victories) {
    const before = this.#winner;
    if (before !== null && before !== player) this.#victories.set(before, this.#victories.get(before) - 1);
    this.#winner = player;
    this.#victories.set(player, victories);
    this.#showPlayers();
  }

  #showPlayers() {
    const list = $("names");
    $("players").hidden = !this.#players;
    while (list.childElementCount > this.#players) list.lastElementChild.remove();
    for (let i = 0; i < this.#players; i++) {
      const input = list.children[i]?.firstElementChild ?? this.#addPlayer(list, i);
      input.placeholder = say("player", { n: i + 1 });
      input.setAttribute("aria-label", say("player_label", { n: i + 1 }));
      const won = this.#victories.get(i);
      input.nextElementSibling.textContent = won ? `★ ${say("victories", { n: won })}` : "";
    }
  }

  #addPlayer(list, i) {
    const item = document.createElement("li");
    const input = document.createElement("input");
    input.maxLength = 24;
    input.autocomplete = "off";
    input.spellcheck = false;
    input.addEventListener("input", () => {
      this.#names[i] = input.value;
      this.#showCaption();
    });
    const won = document.createElement("span");
    won.className = "victories";
    item.append(input, won);
    list.append(item);
    return input;
  }

  // ---- what happened

  #note(event) {
    const text = this.#line(event);
    if (!text) return;
    this.#events.push(event);
    if (this.#events.length > TIMELINE_MAX) this.#events.shift();
    const item = document.createElement("li");
    item.className = `is-${event.event}`;
    if (event.control) item.dataset.pressed = event.control;
    const time = document.createElement("time");
    time.textContent = clock(event.at);
    const what = document.createElement("span");
    what.textContent = text;
    item.append(time, what);
    const list = $("timeline");
    list.prepend(item);
    if (list.childElementCount > TIMELINE_MAX) list.lastElementChild.remove();
  }

  #line(event) {
    switch (event.event) {
      case "press":
        return say(`press_${event.control}`);
      case "say":
        return `“${this.#fill(event.captions[getLanguage()] ?? event.text)}”`;
      case "tone":
        return `♪ ${say(`tone_${event.tone}`)}`;
      case "record":
        return `${say(`what_${event.what}`)}: ${say(`result_${event.result}`)} (${(event.ms / 1000).toFixed(1)} s)`;
      case "state":
        return `→ ${say(`state_${event.state}`)}`;
      case "switch":
        return say("did_switch", { position: say(event.position) });
      case "power":
        return say(`did_power_${event.on}`);
      case "sleep":
      case "wake":
        return say(`did_${event.event}`);
      case "volume":
        return say("did_volume", { level: event.level });
      case "victory":
        return `★ ${say("did_victory", { name: this.#name(event.player), n: event.victories })}`;
      case "set":
        return say("did_set", { what: settings(event) });
      case "fault":
        return say("did_fault", { what: event.what });
      default:
        return null;
    }
  }

  // ---- what is inside

  showInside(inside) {
    const pins = Object.entries(inside.pins)
      .map(([name, level]) => `<span class="pin" data-level="${level > 0 ? 1 : 0}">${name.toUpperCase()}</span>`)
      .join("");
    const files = inside.files.map(([name, size]) => `<li><code>${escape(name)}</code> ${size} B</li>`).join("");
    $("gauges").innerHTML =
      `<h3>${say("pins")}</h3><p class="pins">${pins}</p>` +
      bar(say("sound_ring"), inside.rings.speaker) +
      bar(say("mic_ring"), inside.rings.microphone) +
      bar(say("recording_ram"), inside.recording, say("not_running")) +
      fact(say("in_flight"), inside.in_flight_ms === null ? "–" : `${inside.in_flight_ms} ms`) +
      fact(say("late"), `${inside.late_ms} ms`) +
      fact(say("uptime"), inside.uptime_s === null ? say("not_running") : `${inside.uptime_s} s`) +
      `<h3>${say("flash")}</h3><ul>${files}</ul>` +
      fact(say("writes"), inside.flash_writes);
  }
}

function settings(event) {
  return Object.entries(event).filter(([key]) => !["t", "at", "event"].includes(key)).map((pair) => pair.join(" = ")).join(", ");
}

function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function escape(text) {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function bar(name, fill, none = say("closed")) {
  if (!fill) return fact(name, none);
  const [used, size] = fill;
  return `<p class="gauge"><span>${name}</span><meter min="0" max="${size}" value="${used}" aria-label="${name}"></meter><b>${used} / ${size}</b></p>`;
}

function fact(name, value) {
  return `<p class="gauge"><span>${name}</span><b>${value}</b></p>`;
}
