// The loudspeaker: samples from the robot to an audio worklet, and back to the robot how many have been played.

const RATE_HZ = 16000;

export class Speaker {
  #context = null;
  #node = null;

  played = 0;
  underruns = 0;

  // report(frames): so many have been played since the last reset().
  constructor(report) {
    this.report = report;
  }

  get isOn() {
    return this.#context?.state === "running";
  }

  // To be called from a click or a key, else the browser keeps it silent. True when it is newly on.
  async start() {
    if (this.isOn) return false;
    if (!this.#context) {
      this.#context = new AudioContext({ sampleRate: RATE_HZ, latencyHint: "interactive" });
      await this.#context.audioWorklet.addModule("static/speaker-worklet.js");
      this.#node = new AudioWorkletNode(this.#context, "speaker", { numberOfInputs: 0, outputChannelCount: [1] });
      this.#node.port.onmessage = ({ data }) => {
        this.played = data.played;
        this.underruns = data.underruns;
        this.report(data.played);
      };
      this.#node.connect(this.#context.destination);
    }
    await this.#context.resume();
    return this.isOn;
  }

  play(samples) {
    this.#node?.port.postMessage({ samples }, [samples]);
  }

  // The last so many frames are never heard: the robot was switched off meanwhile.
  drop(frames) {
    this.#node?.port.postMessage({ drop: frames });
  }

  // The robot counts anew from here.
  reset() {
    this.#node?.port.postMessage({ reset: true });
  }

  // For tests: what is heard, as a node to connect to.
  get node() {
    return this.#node;
  }
}
