// A zip archive of files as they are (PKWARE APPNOTE 4.3: local headers, central directory, end).

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
const EARLIEST_DAY = 0x21; // 1 January 1980

function crc32(data) {
  let crc = -1;
  for (const byte of data) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

// files: name -> Uint8Array.
export function zip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, data] of Object.entries(files)) {
    const path = new TextEncoder().encode(name);
    const about = [20, 0x800, 0, 0, EARLIEST_DAY, crc32(data), data.length, data.length, path.length, 0];
    const head = fields("4222224442", [0x04034b50, ...about.slice(0, 8), path.length], [2, 0]);
    directory.push(fields("42222224442", [0x02014b50, 20, ...about.slice(0, 8), path.length], [2, 0, 2, 0, 2, 0, 2, 0, 4, 0, 4, at]), path);
    parts.push(head, path, data);
    at += head.length + path.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = Object.keys(files).length;
  parts.push(...directory, fields("42222442", [0x06054b50, 0, 0, count, count, size, at, 0]));
  return new Uint8Array(join(parts));
}

// Numbers of 2 or 4 bytes, little-endian; `more`: further pairs of size and number.
function fields(sizes, numbers, more = []) {
  const all = numbers.map((number, i) => [Number(sizes[i]), number]);
  for (let i = 0; i < more.length; i += 2) all.push([more[i], more[i + 1]]);
  const view = new DataView(new ArrayBuffer(all.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, number] of all) {
    if (size === 2) view.setUint16(at, number, true);
    else view.setUint32(at, number, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

function join(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out.buffer;
}
