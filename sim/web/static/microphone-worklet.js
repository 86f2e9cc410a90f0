// The microphone's samples at 16 kHz, int16, in blocks of 10 ms.

import { Resampler } from "./resample.js";

const RATE_HZ = 16000;
const BLOCK_FRAMES = 160;
const BLOCKS_A_REPORT = 4;

class Microphone extends AudioWorkletProcessor {
  #resampler = new Resampler(sampleRate, RATE_HZ);
  #block = new Int16Array(BLOCK_FRAMES);
  #filled = 0;
  #blocks = 0;
  #peak = 0; // since the last report
  #link = null; // to the network

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      this.#link = data.port;
    };
  }

  process([input]) {
    if (!input.length) return true;
    for (const sample of this.#resampler.feed(input[0])) {
      const value = Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
      this.#block[this.#filled++] = value;
      this.#peak = Math.max(this.#peak, Math.abs(value));
      if (this.#filled === BLOCK_FRAMES) this.#send();
    }
    return true;
  }

  #send() {
    const { buffer } = this.#block;
    this.#link?.postMessage(buffer, [buffer]);
    this.#block = new Int16Array(BLOCK_FRAMES);
    this.#filled = 0;
    if (++this.#blocks % BLOCKS_A_REPORT === 0) {
      this.port.postMessage({ frames: this.#blocks * BLOCK_FRAMES, level: this.#peak / 32768 });
      this.#peak = 0;
    }
  }
}

registerProcessor("microphone", Microphone);
