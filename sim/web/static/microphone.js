// The microphone: asked for when the power goes on. It has an AudioContext of its own at the device's rate, since Firefox
// refuses a stream in a context of another rate; the worklet brings it to 16 kHz.

const PATIENCE_MS = 4000; // a context that has not started by then, as without a loudspeaker in Firefox, hears nothing

export class Microphone {
  #context = null;

  state = "off"; // off, asking, on, none
  frames = 0; // at 16 kHz, since the worklet runs
  openedMs = 0;

  // connect(port): called with the port on which the worklet sends blocks of int16; change(): the state is another;
  // heard(level): how loud it is.
  constructor(connect, change, heard) {
    this.connect = connect;
    this.change = change;
    this.heard = heard;
  }

  async start() {
    if (this.state !== "off" && this.state !== "none") return;
    this.#become("asking");
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true },
      });
      this.openedMs = performance.now();
      const [track] = stream.getAudioTracks();
      track.onended = () => this.#end();
      const context = (this.#context = new AudioContext({ latencyHint: "interactive" }));
      await context.audioWorklet.addModule(new URL("microphone-worklet.js", import.meta.url));
      const node = new AudioWorkletNode(context, "microphone", { numberOfOutputs: 0 });
      node.port.onmessage = ({ data }) => {
        if (this.state !== "on" && context === this.#context) this.#become("on");
        this.frames = data.frames;
        this.heard(data.level);
      };
      const { port1, port2 } = new MessageChannel();
      node.port.postMessage({ port: port1 }, [port1]);
      this.connect(port2);
      context.createMediaStreamSource(stream).connect(node);
      context.resume().then(() => context === this.#context && this.#become("on"));
      setTimeout(() => context === this.#context && this.state === "asking" && this.#become("none"), PATIENCE_MS);
    } catch (error) {
      console.warn("no microphone:", error.message);
      this.#end();
    }
  }

  #end() {
    this.#context?.close();
    this.#context = null;
    this.heard(0);
    this.#become("none");
  }

  #become(state) {
    this.state = state;
    this.change();
  }
}
