// The speech codec for a page, bit for bit as firmware/roboto/sound/mdct_plain.py, which tells it. TABLES: the
// tables of mdct_tables.py by their names, in base64.
function speechDecoder(TABLES, FAINT, FAINT_QUIET, ONE) {
  const bytes = name => Uint8Array.from(atob(TABLES[name]), c => c.charCodeAt(0));
  const as = (kind, name) => new kind(bytes(name).buffer);
  const edges = bytes("EDGES"), means = bytes("MEANS"), rows = bytes("ROWS"), swap = bytes("SWAP");
  const steps = as(Int32Array, "STEPS"), turn = as(Int16Array, "TURN"), fft = as(Int16Array, "FFT");
  const levels = as(Uint16Array, "LEVELS"), louds = as(Uint16Array, "LOUD"), sizes = as(Uint16Array, "SIZES");
  const rise = as(Int16Array, "WINDOW");
  const bands = edges.length - 1, highFrom = 14, sizesAt = 2 * bands + 2;
  const product = (a, b, c, d) => Math.imul(a, b) + Math.imul(c, d) + 4096 >> 13;

  return (data, start, length, n) => {
    let x = 0, at = start, noise = 1;
    const end = start + (length & ~1), memory = new Uint8Array(sizesAt + 257), off = new Int8Array(bands);
    const bins = new Int32Array(256), re = new Int32Array(128), im = new Int32Array(128);
    const before = new Int32Array(128), number = new Int32Array(256), out = new Float32Array(n);
    const feed = value => {
      x = value >>> 0;
      if (x < 65536) {
        x = x << 16 >>> 0;
        if (at < end) { x = (x | data[at] | data[at + 1] << 8) >>> 0; at += 2; }
      }
    };
    const symbol = (table, row) => {
      const slot = x & 1023;
      let s = row;
      while (slot >= table[s + 1]) s++;
      feed(Math.imul(table[s + 1] - table[s], x >>> 10) + slot - table[s]);
      return s - row;
    };
    const bits = count => {
      const value = x & (1 << count) - 1;
      feed(x >>> count);
      return value;
    };
    const readBins = () => {
      if (!x) { feed(0); feed(x); }
      let low = 0, lowBefore = 0, loud = 0;
      for (let band = 0; band < bands; band++) {
        const third = band >> 3, code = symbol(levels, 34 * third), was = off[band];
        let level = means[band] + (6 * was + 5 * low - 3 * lowBefore >> 3) + (code & 1 ? -(code + 1 >> 1) : code >> 1);
        level = Math.max(0, Math.min(31, level));
        low = off[band] = level - means[band];
        lowBefore = was;
        loud = memory[bands + band] = symbol(louds, 3 * (4 * third + 2 * memory[bands + band] + loud));
        const step = steps[level], first = band < highFrom ? 0 : 17 * 12;
        for (let k = edges[band]; k < edges[band + 1]; k++) {
          const m = sizesAt + k;
          let size = 0, bin, negative;
          if (loud) size = symbol(sizes, first + 17 * rows[2 * memory[m - 1] + memory[m - 2] + memory[m] + memory[m + 1]]);
          memory[m] = size;
          if (size) {
            if (size === 15) { const count = bits(3); size += (1 << count) - 1 + bits(count); }
            bin = size === 1 ? step * ONE >> 8 : step * size;
            negative = bits(1);
          } else {
            bin = step * (loud ? FAINT : FAINT_QUIET) >> 8;
            noise = Math.imul(noise, 69069) + 1 | 0;
            negative = noise < 0;
          }
          bin = bin + 128 >> 8;
          bins[k] = negative ? -bin : bin;
        }
      }
    };
    const transform = place => {
      for (let k = 0; k < 128; k++) {
        const r = bins[2 * k], i = bins[255 - 2 * k], c = turn[2 * k], s = turn[2 * k + 1];
        re[swap[k]] = product(r, c, i, -s);
        im[swap[k]] = product(r, s, i, c);
      }
      for (let half = 1; half < 128; half *= 2)
        for (let j = 0; j < half; j++)
          for (let p = j; p < 128; p += 2 * half) {
            const q = p + half, w = 2 * j * (64 / half);
            let r = re[q], i = im[q];
            if (half > 2) [r, i] = [product(r, fft[w], i, -fft[w + 1]), product(r, fft[w + 1], i, fft[w])];
            else if (j) [r, i] = [i, -r];  // a quarter of a turn needs no multiplication
            re[q] = re[p] - r; im[q] = im[p] - i;
            re[p] += r; im[p] += i;
          }
      for (let k = 0; k < 128; k++) {
        const c = turn[2 * k], s = turn[2 * k + 1];
        number[2 * k] = product(re[k], c, im[k], -s);
        number[255 - 2 * k] = -product(re[k], s, im[k], c);
      }
      for (let j = 0; j < 128; j++) {
        const now = number[128 + j], then = before[127 - j], up = rise[j], down = rise[255 - j];
        for (const [i, y] of [[j, product(up, now, -down, then)], [255 - j, product(-down, now, -up, then)]])
          if (place >= 0 && place + i < n) out[place + i] = Math.max(-32768, Math.min(32767, y)) / 32768;
      }
      before.set(number.subarray(0, 128));
    };
    for (let place = -256; place < n; place += 256) { readBins(); transform(place); }
    return out;
  };
}
