// The page's end of the connection to the robot, where the robot is in a worker of this page and nowhere else. What the
// rest of the page sees is the same as of sim/web/static/link.js.

const RATE_HZ = 16000;
const SAID_MOST_S = 12; // the House Rule takes 10
const KEPT_NAMES = { scenario: "roboto-session.zip", sound: "roboto-sound.wav", trace: "roboto-trace.jsonl" };
const KEPT_KINDS = { scenario: "application/zip", sound: "audio/wav", trace: "application/jsonl" };

export class Link extends EventTarget {
  #worker = null;
  #query = new URLSearchParams(location.search);
  #alone = false; // no other page of this browser has the robot's flash

  plays = false;
  counts = false; // the score sheet's rules are the table's own, in Python on a computer
  voices = {}; // language -> file
  offline = false; // all is kept for a visit without a network

  async open() {
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
      this.#tell("unfit", { why: "no WebAssembly" });
      return;
    }
    this.voices = await (await fetch(new URL("voices.json", import.meta.url))).json();
    const language = this.#voice();
    this.#alone = await this.#takeFlash();
    const seed = Number(this.#query.get("seed") ?? crypto.getRandomValues(new Uint32Array(1))[0] >>> 2);
    this.#worker = new Worker(new URL("robot-worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#tell("unfit", { why: event.message ?? "" });
    this.#worker.postMessage({ open: { seed, language, voice: this.voices[language], keep: this.#alone && !this.#query.has("fresh") } });
    this.#stayOffline(new URL(this.voices[language], import.meta.url)).catch(() => {}); // it plays all the same
  }

  // Everything is kept by the service worker, the voice by this page, for a visit without a network.
  async #stayOffline(voice) {
    if (!navigator.serviceWorker) return;
    await navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI));
    await navigator.serviceWorker.ready;
    const voices = await caches.open("roboto-voices");
    if (!(await voices.match(voice))) await voices.add(voice);
    this.offline = true;
  }

  send(message) {
    this.#worker?.postMessage({ send: message });
  }

  // Gives the worker the port of a worklet: { speaker: port } or { microphone: port }.
  connect(name, port) {
    this.#worker.postMessage({ [name]: port }, [port]);
  }

  // Whether what the microphone hears goes to the robot.
  listen(on) {
    this.#worker?.postMessage({ listening: on });
  }

  // Lets somebody say a file of sound. Resolves to one line when it cannot be said.
  async say(file) {
    try {
      const sound = await new OfflineAudioContext(1, 1, RATE_HZ).decodeAudioData(await file.arrayBuffer());
      if (sound.duration > SAID_MOST_S) return `the WAV is longer than ${SAID_MOST_S} s`;
      const samples = Int16Array.from(sound.getChannelData(0), (x) => Math.max(-32768, Math.min(32767, Math.round(x * 32768))));
      this.#worker.postMessage({ say: samples }, [samples.buffer]);
      return "";
    } catch {
      return "this file: not a WAV";
    }
  }

  // Lets an anchor save something of the session: "scenario", "sound" or "trace".
  saveBy(anchor, what) {
    anchor.removeAttribute("href");
    anchor.setAttribute("role", "button");
    anchor.tabIndex = 0;
    anchor.onclick = () => this.#save(what);
    anchor.onkeydown = ({ code }) => code === "Enter" && this.#save(what);
  }

  async #save(what) {
    const data = await this.kept(what);
    const anchor = document.createElement("a");
    anchor.download = KEPT_NAMES[what];
    anchor.href = URL.createObjectURL(new Blob([data], { type: KEPT_KINDS[what] }));
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
  }

  // The bytes of something of the session.
  kept(what) {
    return this.#ask({ save: what }, "saved").then(({ data }) => data);
  }

  figures() {
    return this.#ask({ figures: true }, "figures");
  }

  #ask(question, answer) {
    return new Promise((resolve) => {
      this.addEventListener(answer, ({ detail }) => resolve(detail), { once: true });
      this.#worker.postMessage(question);
    });
  }

  // The language of the voice: of the address, chosen before, the browser's.
  #voice() {
    const wishes = [this.#query.get("voice"), stored("roboto-voice"), ...navigator.languages.map((l) => l.slice(0, 2)), "en"];
    return wishes.find((wish) => wish in this.voices) ?? Object.keys(this.voices)[0];
  }

  chooseVoice(language) {
    try {
      localStorage.setItem("roboto-voice", language);
    } catch {
      this.#query.set("voice", language);
    }
    this.#query.delete("voice");
    location.search = this.#query.toString();
  }

  // One page has the flash, for as long as it is open; a second one has a robot of its own, which forgets.
  #takeFlash() {
    if (!navigator.locks) return Promise.resolve(true);
    return new Promise((resolve) => {
      navigator.locks.request("roboto-flash", { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock && new Promise(() => {});
      }).catch(() => resolve(false));
    });
  }

  #receive(message) {
    if (message.t === "hello") message.alone = this.#alone;
    if ("plays" in message) this.plays = message.plays;
    this.#tell(message.t, message);
  }

  #tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }
}

function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
