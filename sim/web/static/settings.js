// The robot's settings, as the spoken menu has them: in its order, and in its words. A voice that cannot say a game does
// not offer it.

import { getLanguage, say } from "./words.js";

export class Settings {
  #place;
  #choose;
  #settings = {};
  #words = {}; // language -> id of a setting, or value.…, -> text

  // choose(key, value): somebody has chosen.
  constructor(place, choose) {
    this.#place = place;
    this.#choose = choose;
  }

  // settings: key -> { now, may }. The words come once.
  show(settings, words = this.#words) {
    this.#settings = settings;
    this.#words = words;
    for (const [key, { now, may }] of Object.entries(settings)) {
      const field = document.getElementById(key) ?? this.#add(key, may);
      if (field.type === "checkbox") field.checked = now;
      else {
        if ([...field.options].map((option) => option.value).join() !== may.join()) this.#fill(field, may);
        field.value = now;
      }
      field.closest("label").hidden = may.length < 2;
    }
    this.translate();
  }

  translate() {
    const words = this.#words[getLanguage()] ?? {};
    for (const key of Object.keys(this.#settings)) {
      const label = document.getElementById(key).closest("label");
      label.querySelector("span").textContent = key === "gentle" ? say("gentle") : words[key];
      for (const option of label.querySelectorAll("option")) option.textContent = words[`value.${option.value}`];
    }
  }

  #add(key, may) {
    const label = this.#place.appendChild(document.createElement("label"));
    const yesOrNo = typeof may[0] === "boolean";
    const field = document.createElement(yesOrNo ? "input" : "select");
    field.id = key;
    if (yesOrNo) field.type = "checkbox";
    else this.#fill(field, may);
    field.addEventListener("change", () => this.#choose(key, yesOrNo ? field.checked : field.value));
    const words = document.createElement("span");
    label.append(...(yesOrNo ? [field, " ", words] : [words, " ", field]));
    return field;
  }

  #fill(field, may) {
    field.replaceChildren(...may.map((value) => new Option("", value)));
  }
}
