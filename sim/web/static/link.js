// The WebSocket to the robot: opened with the token in the address, opened again when it is lost.

const RETRY_MS = 1000;
const FORBIDDEN = 403;

export class Link extends EventTarget {
  #socket = null;
  #token = location.hash.slice(1);

  page = 0; // the number that the robot gave this page
  plays = false;

  open() {
    const url = `ws://${location.host}/ws?token=${encodeURIComponent(this.#token)}`;
    const socket = (this.#socket = new WebSocket(url));
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => this.#lost();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.isOpen) this.#socket.send(message instanceof ArrayBuffer ? message : JSON.stringify(message));
  }

  // The address of something to be saved.
  address(path) {
    return `${path}?token=${encodeURIComponent(this.#token)}&page=${this.page}`;
  }

  #receive(data) {
    if (data instanceof ArrayBuffer) {
      this.#tell("sound", data);
      return;
    }
    const message = JSON.parse(data);
    if (message.t === "hello") {
      this.page = message.page;
      this.plays = message.plays;
    } else if (message.t === "role") {
      this.plays = message.plays;
    }
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
      const answer = await fetch(this.address("session/trace.jsonl"), { method: "HEAD" });
      return answer.status === FORBIDDEN;
    } catch {
      return false;
    }
  }
}
