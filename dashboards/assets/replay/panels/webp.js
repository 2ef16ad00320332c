// @ts-check
// Combine still WebP pictures into an animated one, by rearranging their RIFF chunks (RFC 9649,
// https://developers.google.com/speed/webp/docs/riff_container). Numbers in it are little-endian.

const HEAD = 12; // "RIFF", size, "WEBP"
const ANIMATED = 0x02;
const COVERS = 0x02; // flag: the frame replaces what is below it, without blending

/** @typedef {{data: Uint8Array, x: number, y: number, width: number, height: number, duration: number}} Still */

/** @param {Uint8Array} bytes @param {number} at */
const nameAt = (bytes, at) => String.fromCharCode(...bytes.subarray(at, at + 4));

/**
 * A chunk: name, size, content, and a zero byte if the content's size is odd.
 * @param {string} name
 * @param {Uint8Array[]} parts
 */
function chunk(name, parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const head = new Uint8Array(8);
  for (let i = 0; i < 4; i += 1) head[i] = name.charCodeAt(i);
  new DataView(head.buffer).setUint32(4, size, true);
  return size % 2 ? [head, ...parts, new Uint8Array(1)] : [head, ...parts];
}

/** Numbers as three bytes each. @param {...number} values */
function triples(...values) {
  const bytes = new Uint8Array(values.length * 3);
  values.forEach((value, i) => bytes.set([value & 255, (value >> 8) & 255, (value >> 16) & 255], i * 3));
  return bytes;
}

/**
 * The picture inside a still WebP, with its header; its profile and metadata are dropped.
 * @param {Uint8Array} bytes
 */
export function pictureIn(bytes) {
  if (nameAt(bytes, 0) !== "RIFF" || nameAt(bytes, 8) !== "WEBP") throw new Error("This is not a WebP.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [];
  for (let at = HEAD; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (["ALPH", "VP8 ", "VP8L"].includes(nameAt(bytes, at))) found.push(bytes.slice(at, end));
    at = end;
  }
  if (!found.length) throw new Error("There is no picture in this WebP.");
  return found.length === 1 ? found[0] : joined(found);
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {Still[]} stills each covers the area that changed since the last one, at even x and y; durations are in milliseconds
 * @returns {Blob} an animation that repeats forever
 */
export function animation(width, height, stills) {
  const size = triples(width - 1, height - 1);
  const parts = [
    ...chunk("VP8X", [Uint8Array.of(ANIMATED, 0, 0, 0), size]),
    ...chunk("ANIM", [new Uint8Array(6)]), // background colour, and number of repeats: 0 is forever
    ...stills.flatMap((still) =>
      chunk("ANMF", [
        triples(still.x / 2, still.y / 2, still.width - 1, still.height - 1, still.duration),
        Uint8Array.of(COVERS),
        still.data,
      ]),
    ),
  ];
  const name = new TextEncoder().encode("WEBP");
  return new Blob(/** @type {BlobPart[]} */ (chunk("RIFF", [name, ...parts])), { type: "image/webp" });
}
