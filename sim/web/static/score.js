// The score sheet of a match: who went out, what was left in the hands. It knows no rule of counting: `count`, put to the
// table's own code, says what a note of the match comes to. Kept in the browser, printed, saved as CSV.

import { getLanguage, say } from "./words.js";

const KEPT = "roboto-score";
const PLAYERS_MIN = 2;
const PLAYERS_MAX = 10;
const NAME_MAX = 24;
const FORMULA = /^[=+\-@\t\r]/; // a spreadsheet would work it out
const FACES = { skip: "⊘", reverse: "⇄", "draw two": "+2", wild: "✦", "wild draw four": "✦ +4", blank: "▢" };

export class Score {
  #count;
  #namesAtTheTable;
  #dialog = document.getElementById("score");
  #kept = null; // { names, way, target, begun, games: [{ out, hands }], now: { out, hands } }
  #sheet = null; // what it comes to
  #trouble = "";
  #asked = 0; // an older answer is of no use

  // count: a note -> a promise of its sheet. namesAtTheTable: the names that the robot has recorded, as typed.
  constructor(count, namesAtTheTable) {
    this.#count = count;
    this.#namesAtTheTable = namesAtTheTable;
    this.#kept = read();
    document.getElementById("open-score").addEventListener("click", () => this.open());
  }

  async open() {
    if (!this.#kept || !this.#kept.begun) this.#kept = this.#fresh();
    this.#dialog.showModal();
    await this.#change();
  }

  translate() {
    if (this.#dialog.open) this.#draw();
  }

  // ---- what is kept

  #fresh(before = this.#kept) {
    const recorded = this.#namesAtTheTable();
    const names = recorded.length >= PLAYERS_MIN ? recorded : before?.names ?? [1, 2, 3].map((n) => say("player", { n }));
    return { names, way: before?.way ?? "winner", target: before?.target ?? 500, begun: false, games: [], now: noHands(names.length) };
  }

  #note() {
    const { names, way, target, games, now } = this.#kept;
    return { way, target, players: names.length, games, now: now.hands };
  }

  // Whatever was changed is counted anew, kept and shown.
  async #change() {
    const mine = ++this.#asked;
    keep(this.#kept);
    try {
      const sheet = await this.#count(this.#note());
      if (mine !== this.#asked) return;
      this.#sheet = sheet;
      this.#trouble = "";
      if (!sheet.ways.includes(this.#kept.way)) {
        this.#kept.way = sheet.ways[0];
        return await this.#change();
      }
    } catch (error) {
      if (mine !== this.#asked) return;
      if (!this.#kept.begun && this.#kept.way !== "winner") { // so many cannot play that way
        this.#kept.way = "winner";
        return await this.#change();
      }
      this.#trouble = error.message;
    }
    this.#draw();
  }

  // ---- what is shown

  #draw() {
    const focus = document.activeElement?.dataset?.focus;
    const top = this.#dialog.scrollTop;
    const sheet = this.#sheet;
    this.#dialog.replaceChildren(
      this.#head(),
      this.#trouble ? make("p", { className: "trouble", role: "alert" }, say("score_trouble", { why: this.#trouble })) : "",
      ...(!sheet ? [] : this.#kept.begun ? this.#match(sheet) : [this.#setup(sheet)]),
    );
    this.#dialog.scrollTop = top;
    if (focus) this.#dialog.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  #head() {
    return make(
      "header",
      { className: "score-head" },
      make("h2", { id: "score-title" }, say("score_title")),
      button("score_close", () => this.#dialog.close(), { className: "tool", focus: "close" }),
    );
  }

  // Who plays, and by what method.
  #setup(sheet) {
    const kept = this.#kept;
    const names = kept.names.map((name, who) => {
      const input = make("input", { value: name, maxLength: NAME_MAX, autocomplete: "off", focus: `name-${who}` });
      input.setAttribute("aria-label", say("score_name", { n: who + 1 }));
      input.addEventListener("input", () => {
        kept.names[who] = input.value;
        keep(kept);
      });
      const remove = button("", () => {
        kept.names.splice(who, 1);
        this.#resize();
      }, { className: "tool small", textContent: "×", disabled: kept.names.length <= PLAYERS_MIN, focus: `remove-${who}` });
      remove.setAttribute("aria-label", say("score_remove", { name: this.#name(who) }));
      return make("li", {}, input, remove);
    });
    const ways = sheet.ways.map((way) => {
      const radio = make("input", { type: "radio", name: "score-way", value: way, checked: way === kept.way, focus: `way-${way}` });
      radio.addEventListener("change", () => {
        kept.way = way;
        this.#change();
      });
      const how = say(`score_how_${way}`, { target: kept.target, each: sheet.each });
      return make("label", { className: "score-way" }, radio, make("span", {}, make("b", {}, say(`score_way_${way}`)), make("small", {}, how)));
    });
    const target = make("input", { type: "number", min: 1, max: 100000, step: 1, value: kept.target, inputMode: "numeric", focus: "target" });
    target.addEventListener("change", () => {
      kept.target = whole(target.value, 1, 100000) ?? kept.target;
      this.#change();
    });
    return make(
      "form",
      { className: "score-setup", onsubmit: (event) => event.preventDefault() },
      make("fieldset", {}, make("legend", {}, say("score_players")), make("ol", { className: "score-names" }, ...names),
        button("score_add", () => {
          kept.names.push(say("player", { n: kept.names.length + 1 }));
          this.#resize();
        }, { className: "tool", disabled: kept.names.length >= PLAYERS_MAX, focus: "add" })),
      make("fieldset", {}, make("legend", {}, say("score_way")), ...ways,
        kept.way === "pairs" ? "" : make("label", { className: "score-target" }, `${say("score_target")} `, target, ` ${say("score_points")}`)),
      button("score_begin", () => {
        kept.begun = true;
        kept.names = kept.names.map((_, who) => this.#name(who));
        this.#change();
      }, { className: "tool main", focus: "begin" }),
    );
  }

  #resize() {
    this.#kept.now = noHands(this.#kept.names.length);
    this.#change();
  }

  #match(sheet) {
    return [
      sheet.because ? this.#verdict(sheet) : "",
      this.#table(sheet),
      sheet.with_partner ? this.#accounts(sheet) : "",
      sheet.seated ? this.#nextGame(sheet) : "",
      make("p", { className: "score-how" }, make("b", {}, say(`score_way_${sheet.scoring}`)), " ", this.#how(sheet)),
      make(
        "div",
        { className: "row score-tools" },
        button("score_undo", () => {
          this.#kept.games.pop();
          this.#kept.now = noHands(this.#kept.names.length);
          this.#change();
        }, { className: "tool", disabled: !this.#kept.games.length, focus: "undo" }),
        button("score_print", () => window.print(), { className: "tool", focus: "print" }),
        button("score_csv", () => this.#saveCsv(), { className: "tool", focus: "csv" }),
        button("score_new", () => {
          if (!this.#kept.games.length || window.confirm(say("score_sure"))) {
            this.#kept = this.#fresh();
            this.#change();
          }
        }, { className: "tool", focus: "new" }),
      ),
    ];
  }

  #how(sheet) {
    return say(`score_how_${sheet.scoring}`, { target: sheet.target, each: sheet.each });
  }

  #verdict(sheet) {
    const names = list(sheet.winners.map((who) => this.#name(who)));
    const key = ["score_nobody_wins", "score_wins"][sheet.winners.length] ?? "score_win";
    const points = sheet.points[sheet.winners[0]];
    const why = say(`score_because_${sheet.because}`, { target: sheet.target, points, n: sheet.games.length });
    return make("p", { className: "score-verdict", role: "status" }, make("b", {}, `★ ${say(key, { names })}`), " ", why);
  }

  #table(sheet) {
    const cells = (tag, texts) => texts.map((text) => make(tag, {}, String(text)));
    const rows = sheet.games.map((game, i) =>
      make("tr", {}, rowHead(i + 1), ...sheet.points.map((_, who) => {
        if (!game.seated.includes(who)) return make("td", { className: "absent" }, "–");
        const out = game.out === who;
        return make("td", { className: out ? "out" : "" }, out ? "★ " : "", `${game.points[who]} `, make("small", {}, String(game.sums[who])));
      })));
    const head = make("tr", {}, make("th", { scope: "col" }, say("score_game")), ...this.#kept.names.map((_, who) => make("th", { scope: "col" }, this.#name(who))));
    const sums = make("tr", {}, rowHead(say("score_sum")), ...cells("td", sheet.points));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows), make("tfoot", {}, sums));
    const wide = make("div", { className: "score-table", tabIndex: 0, role: "region", focus: "table" }, table);
    wide.setAttribute("aria-label", say("score_title"));
    return wide;
  }

  #accounts(sheet) {
    const names = this.#kept.names.map((_, who) => this.#name(who));
    const head = make("tr", {}, make("td", {}), ...names.map((name) => make("th", { scope: "col" }, name)));
    const rows = sheet.with_partner.map((row, who) =>
      make("tr", {}, rowHead(names[who]), ...row.map((points, partner) => make("td", {}, who === partner ? "" : String(points)))));
    const wide = make("div", { className: "score-table", tabIndex: 0, role: "region", focus: "accounts" },
      make("table", {}, make("caption", {}, say("score_with")), make("thead", {}, head), make("tbody", {}, ...rows)));
    wide.setAttribute("aria-label", say("score_with"));
    return wide;
  }

  // ---- the next game

  #nextGame(sheet) {
    const { now, names } = this.#kept;
    const half = sheet.seated.length / 2;
    const pairs = sheet.pairs
      ? sheet.seated.slice(0, half).map((who, seat) => `${this.#name(who)} + ${this.#name(sheet.seated[seat + half])}`)
      : [];
    const some = sheet.seated.length < names.length;
    const outs = [...sheet.seated, null].map((who) => {
      const radio = make("input", { type: "radio", name: "score-out", checked: now.out === who, focus: `out-${who}` });
      radio.addEventListener("change", () => {
        now.out = who;
        if (who !== null) now.hands[who] = 0;
        this.#change();
      });
      return make("label", { className: "chip" }, radio, make("span", {}, who === null ? say("score_nobody") : this.#name(who)));
    });
    return make(
      "section",
      { className: "score-next" },
      make("h3", {}, say("score_nth", { n: sheet.games.length + 1 })),
      some ? make("p", { className: "fine" }, say("score_seated", { names: list(sheet.seated.map((who) => this.#name(who))) })) : "",
      sheet.pairs ? make("p", { className: "fine" }, say("score_partners", { pairs: list(pairs) })) : "",
      make("fieldset", { className: "score-out" }, make("legend", {}, say("score_out")), ...outs),
      make("p", {}, say("score_left")),
      ...sheet.seated.filter((who) => who !== now.out).map((who) => this.#hand(sheet, who)),
      button("score_enter", () => this.#enter(), { className: "tool main", disabled: now.out === undefined, focus: "enter" }),
    );
  }

  #hand(sheet, who) {
    const { now } = this.#kept;
    const name = this.#name(who);
    const hand = now.hands[who];
    const cards = Array.isArray(hand) ? hand : [];
    const put = (value) => {
      now.hands[who] = value;
      this.#change();
    };
    const sum = make("input", { type: "number", min: 0, max: 99999, step: 1, inputMode: "numeric", value: sheet.now[who] || "", placeholder: "0", focus: `sum-${who}` });
    sum.setAttribute("aria-label", say("score_sum_of", { name }));
    sum.addEventListener("change", () => put(whole(sum.value, 0, 99999) ?? 0));
    const keys = Object.keys(sheet.values)
      .sort((a, b) => sheet.values[a] - sheet.values[b] || a.length - b.length)
      .map((card) => {
        const key = button("", () => put([...cards, card]), { className: "card-key", focus: `card-${who}-${card}`, title: cardName(card) });
        key.dataset.card = card;
        key.append(...drawn(card));
        return key;
      });
    const back = button("", () => put(cards.slice(0, -1)), { className: "card-key erase", textContent: "⌫", disabled: !cards.length, focus: `back-${who}` });
    back.setAttribute("aria-label", say("score_back"));
    const held = make("p", { className: "held" }, ...cards.map((card) => make("span", { className: "held-card" }, FACES[card] ?? card)));
    held.setAttribute("aria-label", `${say("score_cards_of", { name })}: ${cards.map(cardName).join(", ")}`);
    held.setAttribute("role", "img");
    const box = make("div", { className: "score-hand", role: "group" },
      make("div", { className: "score-whose" }, make("b", {}, name), sum), make("div", { className: "keys-of-cards" }, ...keys, back), cards.length ? held : "");
    box.setAttribute("aria-label", say("score_hand_of", { name }));
    return box;
  }

  async #enter() {
    const { now, games, names } = this.#kept;
    games.push({ out: now.out, hands: now.hands });
    this.#kept.now = noHands(names.length);
    await this.#change();
    this.#dialog.scrollTop = 0;
  }

  #name(who) {
    return this.#kept.names[who].trim() || say("player", { n: who + 1 });
  }

  // ---- as CSV

  #saveCsv() {
    const sheet = this.#sheet;
    const names = this.#kept.names.map((_, who) => this.#name(who));
    const lines = [[say("score_game"), say("score_out"), ...names]];
    sheet.games.forEach((game, i) => {
      lines.push([i + 1, game.out === null ? "" : names[game.out], ...names.map((_, who) => (game.seated.includes(who) ? game.points[who] : ""))]);
    });
    lines.push([say("score_sum"), list(sheet.winners.map((who) => names[who])), ...sheet.points]);
    const text = `\ufeff${lines.map((line) => line.map(csvCell).join(",")).join("\r\n")}\r\n`;
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: "roboto-score.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

function csvCell(value) {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const cardName = (card) => (card in FACES ? say(`card_${card.replaceAll(" ", "_")}`) : card);
// For the eye and for a screen reader.
function drawn(card) {
  const face = make("span", {}, FACES[card] ?? card);
  face.setAttribute("aria-hidden", "true");
  return [face, make("span", { className: "unseen" }, cardName(card))];
}

const list = (texts) => new Intl.ListFormat(getLanguage(), { type: "conjunction" }).format(texts);
const noHands = (n) => ({ out: undefined, hands: Array(n).fill(0) });
const rowHead = (text) => make("th", { scope: "row" }, String(text));

// A whole number that somebody typed, null when it is none.
function whole(text, least, most) {
  const number = Number(text);
  return text !== "" && Number.isInteger(number) && number >= least && number <= most ? number : null;
}

// focus: by what the element is found again after everything was drawn anew.
function make(tag, { focus, role, ...properties }, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  if (focus) element.dataset.focus = focus;
  if (role) element.setAttribute("role", role);
  element.append(...children.filter((child) => child !== ""));
  return element;
}

function button(words, press, properties) {
  const element = make("button", { type: "button", ...(words ? { textContent: say(words) } : {}), ...properties });
  element.addEventListener("click", press);
  return element;
}

// ---- in the browser

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    const good = Array.isArray(kept?.names) && kept.names.length >= PLAYERS_MIN && kept.names.every((name) => typeof name === "string") &&
      Array.isArray(kept.games) && Array.isArray(kept.now?.hands) && kept.now.hands.length === kept.names.length;
    return good ? kept : null;
  } catch {
    return null; // nothing is kept, or the browser keeps nothing
  }
}

function keep(kept) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // then it lasts as long as the page
  }
}
