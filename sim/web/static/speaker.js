// The loudspeaker: an audio worklet that the samples reach past the page.

const RATE_HZ = 16000;

export class Speaker {
  #context = null;

  node = null;
  played = 0; // frames, since the robot last began to count
  underruns = 0;

  // connect(port): called once with the port to the worklet.
  constructor(connect) {
    this.connect = connect;
  }

  get isOn() {
    return this.#context?.state === "running";
  }

  // To be called from a click or a key, else the browser keeps it silent. True when it is newly on.
  // It may never answer, where there is no loudspeaker.
  async start() {
    if (this.isOn) return false;
    if (!this.#context) {
      this.#context = new AudioContext({ sampleRate: RATE_HZ, latencyHint: "interactive" });
      await this.#context.audioWorklet.addModule(new URL("speaker-worklet.js", import.meta.url));
      this.node = new AudioWorkletNode(this.#context, "speaker", { numberOfInputs: 0, outputChannelCount: [1] });
      const { port1, port2 } = new MessageChannel();
      this.node.port.postMessage({ port: port1 }, [port1]);
      this.node.port.onmessage = ({ data }) => Object.assign(this, data);
      this.node.connect(this.#context.destination);
      this.connect(port2);
    }
    await this.#context.resume();
    return this.isOn;
  }
}
