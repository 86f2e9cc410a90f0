// Buttons that are held by fingers, mice and keys.
//
// A control is closed while anything holds it: a set of sources each. Whatever takes a source away without a word, such
// as losing focus, opens everything, so that no button ever sticks.

const KEYS = {
  Space: "plate",
  Digit1: "record", Digit2: "replay", Digit3: "volume", Digit4: "win", Digit5: "mode",
  Numpad1: "record", Numpad2: "replay", Numpad3: "volume", Numpad4: "win", Numpad5: "mode",
};
const ASSISTED_MS = 150; // a screen reader's click is a press of this length

export class Contacts {
  #sources = new Map(); // control -> set of what holds it
  #buttons = new Map(); // control -> element
  #change;

  // change(control, down) is called when a contact closes or opens; letGo() when all have been opened for safety.
  constructor(buttons, change) {
    this.#change = change;
    for (const button of buttons) this.#wire(button);
    addEventListener("keydown", (event) => this.#keyDown(event));
    addEventListener("keyup", (event) => this.#keyUp(event));
    addEventListener("blur", () => this.letGo());
    addEventListener("pagehide", () => this.letGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.letGo());
  }

  isDown(control) {
    return (this.#sources.get(control)?.size ?? 0) > 0;
  }

  letGo() {
    for (const [control, sources] of this.#sources) {
      for (const source of [...sources]) this.#release(control, source);
    }
  }

  #press(control, source) {
    const sources = this.#sources.get(control);
    sources.add(source);
    if (sources.size === 1) this.#show(control, true);
  }

  #release(control, source) {
    const sources = this.#sources.get(control);
    if (sources.delete(source) && !sources.size) this.#show(control, false);
  }

  #show(control, down) {
    this.#buttons.get(control).classList.toggle("down", down);
    this.#change(control, down);
  }

  #wire(button) {
    const control = button.dataset.control;
    this.#sources.set(control, new Set());
    this.#buttons.set(control, button);
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.#press(control, `pointer ${event.pointerId}`);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => this.#release(control, `pointer ${event.pointerId}`));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click that neither a pointer nor a key made is a screen reader's: it cannot hold, so red is held until the next.
    button.addEventListener("click", (event) => event.detail === 0 && this.#assisted(control, button));
  }

  #assisted(control, button) {
    const source = "assisted";
    if (control !== "record") {
      this.#press(control, source);
      setTimeout(() => this.#release(control, source), ASSISTED_MS);
    } else if (this.#sources.get(control).has(source)) {
      this.#release(control, source);
    } else {
      this.#press(control, source);
    }
    if (control === "record") button.setAttribute("aria-pressed", String(this.isDown(control)));
  }

  #controlOf(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    const focused = target.closest("[data-control]");
    if (focused && (event.code === "Space" || event.code === "Enter")) return focused.dataset.control;
    if (target.closest("input, select, textarea")) return ["radio", "checkbox"].includes(target.type) && event.code !== "Space" ? KEYS[event.code] : null;
    if (event.code === "Space" && target.closest("button, a, summary")) return null;
    return KEYS[event.code] ?? null;
  }

  #keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const control = this.#controlOf(event);
    if (!control) return;
    event.preventDefault();
    if (!event.repeat) this.#press(control, `key ${event.code}`);
  }

  #keyUp(event) {
    const source = `key ${event.code}`;
    for (const [control, sources] of this.#sources) {
      if (sources.has(source)) {
        event.preventDefault(); // else the browser makes a click of it
        this.#release(control, source);
      }
    }
  }
}
