// From any rate to another by a windowed sinc (Hann), in a stream: J. O. Smith, "Digital Audio Resampling".

const HALF_TAPS = 16; // zero crossings on each side, at the lower of the two rates
const PHASES = 256;

export class Resampler {
  #step; // input frames an output frame
  #half; // input frames on each side
  #table; // kernel values, PHASES an input frame, from the middle outward
  #history; // the input that is still needed
  #at; // the next output's place in it

  constructor(fromHz, toHz) {
    const cutoff = Math.min(1, toHz / fromHz) * 0.92;
    this.#step = fromHz / toHz;
    this.#half = Math.ceil(HALF_TAPS / Math.min(1, toHz / fromHz));
    this.#table = new Float32Array(this.#half * PHASES + 2);
    for (let i = 0; i < this.#table.length; i++) {
      const x = i / PHASES;
      const sinc = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
      const window = x < this.#half ? 0.5 + 0.5 * Math.cos((Math.PI * x) / this.#half) : 0;
      this.#table[i] = sinc * window;
    }
    this.#history = new Float32Array(this.#half);
    this.#at = this.#half;
  }

  // The output that this much more input allows, as an array of numbers.
  feed(input) {
    const all = new Float32Array(this.#history.length + input.length);
    all.set(this.#history);
    all.set(input, this.#history.length);
    const output = [];
    while (this.#at + this.#half < all.length) {
      output.push(this.#value(all, this.#at));
      this.#at += this.#step;
    }
    const done = Math.max(0, Math.floor(this.#at) - this.#half);
    this.#history = all.slice(done);
    this.#at -= done;
    return output;
  }

  #value(all, at) {
    let sum = 0;
    const last = Math.floor(at + this.#half);
    for (let i = Math.max(0, Math.ceil(at - this.#half)); i <= last; i++) {
      const place = Math.abs(i - at) * PHASES;
      const index = place | 0;
      const part = place - index;
      sum += all[i] * (this.#table[index] * (1 - part) + this.#table[index + 1] * part);
    }
    return sum;
  }
}
