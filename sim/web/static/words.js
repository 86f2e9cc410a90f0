// What the page says itself, in its languages. What the robot says comes from the robot.

import de from "./words-de.js";
import en from "./words-en.js";
import es from "./words-es.js";
import fr from "./words-fr.js";
import it from "./words-it.js";
import pt from "./words-pt.js";
import score from "./score-words.js";

const WORDS = { es, en, fr, de, pt, it };
for (const [code, more] of Object.entries(score)) Object.assign(WORDS[code], more);

export const LANGUAGES = { es: "Español", en: "English", fr: "Français", de: "Deutsch", pt: "Português", it: "Italiano" };

let language = "en";

export function setLanguage(code) {
  language = code in WORDS ? code : "en";
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-words]")) {
    element.textContent = say(element.dataset.words);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
}

export const getLanguage = () => language;

// The page's words for a key; {x} are filled in.
export function say(key, fill = {}) {
  const text = WORDS[language][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => fill[name] ?? whole);
}

// The page's language at first: the one chosen before, the browser's, the robot's.
export function firstLanguage(robots) {
  const wishes = [remembered(), ...navigator.languages.map((l) => l.slice(0, 2)), robots];
  return wishes.find((wish) => wish in WORDS) ?? "en";
}

// A browser may forbid to keep anything.
function remembered() {
  try {
    return localStorage.getItem("roboto-language");
  } catch {
    return null;
  }
}

export function rememberLanguage(code) {
  try {
    localStorage.setItem("roboto-language", code);
  } catch {
    // then it is asked for anew
  }
}
