import { inflateSync } from 'node:zlib';

/** A decoded picture: four bytes a pixel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Decodes a PNG as resvg writes it: 8 bits, RGBA, not interlaced. */
export function decodePng(png: Uint8Array): Pixels {
  const bytes = Buffer.from(png);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (bytes[24] !== 8 || bytes[25] !== 6 || bytes[28] !== 0) throw new Error('This PNG is of another kind.');
  const packed: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(packed));
  const stride = width * 4;
  const rgba = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < stride; x++) {
      const left = x < 4 ? 0 : (rgba[y * stride + x - 4] ?? 0);
      const up = y === 0 ? 0 : (rgba[(y - 1) * stride + x] ?? 0);
      const corner = x < 4 || y === 0 ? 0 : (rgba[(y - 1) * stride + x - 4] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][raw[y * (stride + 1)] ?? 0] ?? 0;
      rgba[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  return { width, height, rgba };
}

/** How many pixels are darker than a middle gray. */
export function darkPixels({ rgba }: Pixels): number {
  let dark = 0;
  for (let at = 0; at < rgba.length; at += 4)
    if ((rgba[at] ?? 255) + (rgba[at + 1] ?? 255) + (rgba[at + 2] ?? 255) < 3 * 128) dark++;
  return dark;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
