// How the robot looks: eyes and mouth follow the talk LED, the lamp the record LED, and cards lie on the tray.

const SYMBOLS = new URL("symbols.svg", import.meta.url).href;
const SVG = "http://www.w3.org/2000/svg";
const MOUTH_BARS = 11;
const CARDS_MAX = 7;
const CARDS = [["red", "#e2474b"], ["yellow", "#f2b632"], ["green", "#3fa05a"], ["blue", "#3f78d8"]];

export class Face {
  #body = document.body;
  #robot = document.getElementById("robot");
  #bars = [];
  #cards = document.getElementById("cards");
  #laid = 0;
  #level = 0;
  #frame = 0;

  constructor() {
    const mouth = document.getElementById("mouth");
    for (let i = 0; i < MOUTH_BARS; i++) {
      const bar = document.createElementNS(SVG, "rect");
      bar.setAttribute("x", 240 - 5 + (i - (MOUTH_BARS - 1) / 2) * 13);
      bar.setAttribute("width", 8);
      bar.setAttribute("rx", 4);
      mouth.append(bar);
      this.#bars.push(bar);
    }
    this.talk(0);
    for (let i = 0; i < 3; i++) this.layCard();
  }

  state(name) {
    this.#body.dataset.state = name;
  }

  // 0 to 255, as the talk LED's brightness.
  talk(level) {
    this.#level = level;
    this.#frame ||= requestAnimationFrame(() => this.#drawTalk());
  }

  #drawTalk() {
    this.#frame = 0;
    const level = this.#level;
    const loud = level / 255;
    this.#robot.style.setProperty("--loud", loud.toFixed(3));
    const middle = (MOUTH_BARS - 1) / 2;
    this.#bars.forEach((bar, i) => {
      const shape = 1 - Math.abs(i - middle) / (middle + 1.5);
      const wobble = 0.75 + 0.25 * Math.cos(i * 2.4 + level / 12);
      const height = 6 + 44 * Math.sqrt(loud) * shape * wobble;
      bar.setAttribute("height", height.toFixed(1));
      bar.setAttribute("y", (274 - height / 2).toFixed(1));
    });
  }

  recording(on) {
    this.#body.classList.toggle("recording", on);
  }

  // A card on the pile, seen as flat as the tray is.
  layCard() {
    const [sign, colour] = CARDS[this.#laid % CARDS.length];
    const turn = ((this.#laid * 67) % 80) - 40;
    const shift = ((this.#laid * 37) % 50) - 25;
    const card = document.createElementNS(SVG, "g");
    const lift = Math.min(this.#cards.childElementCount, CARDS_MAX - 1) * 2;
    card.setAttribute("transform", `translate(${200 + shift} ${72 - lift}) scale(1 .26) rotate(${turn})`);
    card.innerHTML =
      `<rect x="-58" y="-86" width="116" height="180" rx="14" fill="#c9c2b4"/>` +
      `<rect x="-58" y="-90" width="116" height="176" rx="14" fill="#fff"/>` +
      `<rect x="-49" y="-81" width="98" height="158" rx="9" fill="${colour}"/>` +
      `<ellipse rx="34" ry="62" transform="rotate(28)" fill="#fff" opacity=".92"/>` +
      `<use href="${SYMBOLS}#${sign}" x="-24" y="-26" width="48" height="48" fill="${colour}"/>`;
    this.#cards.append(card);
    this.#laid++;
    if (this.#cards.childElementCount > CARDS_MAX) {
      this.#cards.firstElementChild.remove();
      [...this.#cards.children].forEach((each, i) => {
        each.setAttribute("transform", each.getAttribute("transform").replace(/(translate\(\S+) [\d.]+/, `$1 ${72 - i * 2}`));
      });
    }
  }
}
