// Device files through which sound passes between MicroPython and the page: a write hands over the memory in which
// Python's buffer lies, a read fills it.

const FIRST_MAJOR = 64; // below are Emscripten's own

// play(Uint8Array): what Python wrote. hear(most): Int16Array of at most so many samples that have come.
export function makeDevices(FS, { play, hear }) {
  make(FS, 0, "/dev/speaker", { write: (memory, at, n) => play(memory.slice(at, at + n)) });
  make(FS, 1, "/dev/microphone", {
    read(memory, at, n) {
      const samples = hear(n >> 1);
      memory.set(new Int8Array(samples.buffer, samples.byteOffset, samples.byteLength), at);
      return samples.byteLength;
    },
  });
}

function make(FS, minor, path, { read, write }) {
  const number = FS.makedev(FIRST_MAJOR + minor, 0);
  FS.registerDevice(number, {
    open() {},
    close() {},
    read: (_stream, memory, at, n) => read(memory, at, n),
    write(_stream, memory, at, n) {
      write(memory, at, n);
      return n;
    },
  });
  FS.mkdev(path, 0o666, number);
}
