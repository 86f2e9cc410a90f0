// A ring of samples between the network and the loudspeaker. It starts when a little has gathered; when it ever runs dry
// in the middle of a sound, it gathers more the next time.

const RING_FRAMES = 32768;
const GATHER_FRAMES = 320; // 20 ms
const GATHER_FRAMES_MAX = 2560; // 160 ms
const FRESH_FRAMES_MAX = 640; // 40 ms: what follows silence, such as a beep, is not kept waiting for long
const QUANTUM_FRAMES = 128;
const REPORT_FRAMES = 256;

class Speaker extends AudioWorkletProcessor {
  #ring = new Float32Array(RING_FRAMES);
  #read = 0; // both count on for ever
  #write = 0;
  #base = 0; // #read at the last reset
  #reported = 0;
  #playing = false;
  #waited = 0;
  #gather = GATHER_FRAMES;
  #underruns = 0;
  #last = 0;

  #link = null; // to the network

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      this.#link = data.port;
      this.#link.onmessage = (event) => this.#receive(event.data);
    };
  }

  #receive(data) {
    if (data.samples) this.#take(new Int16Array(data.samples));
    else if (data.drop) this.#write = Math.max(this.#read, this.#write - data.drop);
    else if (data.reset) {
      this.#base = this.#reported = this.#read = this.#write;
      this.#playing = false;
    }
  }

  #take(samples) {
    for (const sample of samples) this.#ring[this.#write++ % RING_FRAMES] = sample / 32768;
  }

  process(_inputs, [[out]]) {
    const held = this.#write - this.#read;
    if (!this.#playing && held) {
      this.#waited += QUANTUM_FRAMES; // a sound that is shorter starts all the same
      this.#playing = held >= this.#gather || this.#waited >= this.#gather;
    }
    if (this.#playing) this.#fill(out);
    const done = this.#read === this.#write;
    const since = this.#read - this.#reported;
    if (since >= REPORT_FRAMES || (since && done)) {
      this.#reported = this.#read;
      const played = this.#read - this.#base;
      this.#link?.postMessage({ played });
      this.port.postMessage({ played, underruns: this.#underruns });
    }
    return true;
  }

  #fill(out) {
    const frames = Math.min(out.length, this.#write - this.#read);
    for (let i = 0; i < frames; i++) out[i] = this.#last = this.#ring[this.#read++ % RING_FRAMES];
    if (frames === out.length) return;
    this.#playing = false;
    this.#waited = 0;
    if (this.#last !== 0) { // the robot ends every sound with silence: this was no end
      this.#underruns++;
      this.#gather = Math.min(2 * this.#gather, GATHER_FRAMES_MAX);
    } else {
      this.#gather = Math.min(Math.max(this.#gather / 2, GATHER_FRAMES), FRESH_FRAMES_MAX);
    }
  }
}

registerProcessor("speaker", Speaker);
