// Table mode: the page stands in for the robot at a real game of cards. Full screen, a big tray, and the screen stays on.

export class Table {
  #lock = null;

  constructor() {
    document.getElementById("table").addEventListener("click", () => this.enter());
    document.getElementById("leave-table").addEventListener("click", () => this.leave());
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement && this.isOn) this.leave();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.isOn) this.#stayAwake(); // the lock is lost with the page's visibility
    });
  }

  get isOn() {
    return document.body.classList.contains("at-table");
  }

  async enter() {
    document.body.classList.add("at-table");
    document.getElementById("leave-table").hidden = false;
    await document.documentElement.requestFullscreen?.().catch(() => {}); // it works in a window, too
    await this.#stayAwake();
  }

  async leave() {
    document.body.classList.remove("at-table");
    document.getElementById("leave-table").hidden = true;
    await this.#lock?.release().catch(() => {});
    this.#lock = null;
    if (document.fullscreenElement) await document.exitFullscreen();
  }

  async #stayAwake() {
    try {
      this.#lock = await navigator.wakeLock?.request("screen");
    } catch {
      this.#lock = null; // the battery is low, or the browser refuses
    }
  }
}
