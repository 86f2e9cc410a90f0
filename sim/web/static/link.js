// The page's end of the connection to the robot: opened with the token in the address, opened again when it is lost.

const RETRY_MS = 1000;
const FORBIDDEN = 403;

export class Link extends EventTarget {
  #worker = new Worker(new URL("link-worker.js", import.meta.url));
  #token = location.hash.slice(1);

  page = 0; // the number that the robot gave this page
  plays = false;
  counts = true; // it can reckon a score sheet
  voices = {}; // that a page may choose; here the robot itself is asked

  constructor() {
    super();
    this.#worker.onmessage = ({ data }) => this.#receive(data);
  }

  open() {
    this.#worker.postMessage({ open: `ws://${location.host}/ws?token=${encodeURIComponent(this.#token)}` });
  }

  send(message) {
    this.#worker.postMessage({ send: message });
  }

  // Gives the worker the port of a worklet: { speaker: port } or { microphone: port }.
  connect(name, port) {
    this.#worker.postMessage({ [name]: port }, [port]);
  }

  // Whether what the microphone hears goes to the robot.
  listen(on) {
    this.#worker.postMessage({ listening: on });
  }

  // Lets somebody say a file of sound. Resolves to one line when it cannot be said.
  async say(file) {
    const answer = await fetch(this.#address("say"), { method: "POST", body: file }).catch(() => null);
    return !answer || answer.ok ? "" : answer.text();
  }

  // Lets an anchor save something of the session: "scenario", "sound" or "trace".
  saveBy(anchor, what) {
    const name = { scenario: "scenario.zip", sound: "sound.wav", trace: "trace.jsonl" }[what];
    anchor.href = this.#address(`session/${name}`);
  }

  // The address of something to be saved, or to be sent to.
  #address(path) {
    return `${path}?token=${encodeURIComponent(this.#token)}&page=${this.page}`;
  }

  // The score sheet of a match: the rules of counting are the table's own (sim/table/kept_score.py). Rejects with one line.
  async count(note) {
    const answer = await fetch(this.#address("score"), { method: "POST", body: JSON.stringify(note) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  #receive(message) {
    if (message.t === "closed") {
      this.#lost();
      return;
    }
    if (message.t === "hello") this.page = message.page;
    if ("plays" in message) this.plays = message.plays;
    this.#tell(message.t, message);
  }

  #tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  async #lost() {
    this.plays = false;
    this.#tell("lost", { refused: await this.#isRefused() });
    setTimeout(() => this.open(), RETRY_MS);
  }

  // A browser does not say why a WebSocket was not opened: ask once more, in a way that does.
  async #isRefused() {
    try {
      const answer = await fetch(this.#address("session/trace.jsonl"), { method: "HEAD" });
      return answer.status === FORBIDDEN;
    } catch {
      return false;
    }
  }
}
