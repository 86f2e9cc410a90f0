// The first page in the reader's language.

import { firstLanguage, getLanguage, LANGUAGES, rememberLanguage, setLanguage } from "./words.js";

const language = document.getElementById("language");

function choose(code) {
  setLanguage(code);
  language.value = getLanguage();
  document.getElementById("leaflet").href = `leaflet-${getLanguage()}.html`;
}

language.append(...Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code)));
language.addEventListener("change", () => {
  rememberLanguage(language.value);
  choose(language.value);
});
choose(firstLanguage("en"));
