// The WebSocket to the robot, in a thread of its own: sound goes from here straight to the audio worklets and back, and
// never waits for the page to be painted.

let socket = null;
let speaker = null; // ports to the worklets
let listening = false; // the red button is held

onmessage = ({ data }) => {
  if (data.open) open(data.open);
  else if (data.send) send(JSON.stringify(data.send));
  else if (data.speaker) {
    speaker = data.speaker;
    speaker.onmessage = ({ data: { played } }) => send(JSON.stringify({ t: "played", frames: played }));
  } else if (data.microphone) {
    data.microphone.onmessage = ({ data: samples }) => listening && send(samples);
  } else if ("listening" in data) listening = data.listening;
};

function open(url) {
  socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => receive(data);
  socket.onclose = () => postMessage({ t: "closed" });
}

function send(data) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(data);
}

function receive(data) {
  if (data instanceof ArrayBuffer) {
    speaker?.postMessage({ samples: data }, [data]);
    return;
  }
  const message = JSON.parse(data);
  // In their place between the samples:
  if (message.t === "heard") speaker?.postMessage({ reset: true });
  else if (message.t === "drop") speaker?.postMessage({ drop: message.frames });
  else postMessage(message);
}
