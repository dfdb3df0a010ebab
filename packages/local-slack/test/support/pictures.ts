import { crc32, deflateSync } from 'node:zlib';

/** A picture as small as it gets: one red dot. */
export const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

/** The first bytes of a picture, which say its size; no browser would draw it. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.from(DOT.subarray(0, 33));
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const part = Buffer.alloc(body.length + 8);
  part.writeUInt32BE(data.length, 0);
  body.copy(part, 4);
  part.writeUInt32BE(crc32(body), body.length + 4);
  return part;
}

/** A picture that can be seen: from blue on the left to orange on the right. */
export function gradient(width: number, height: number): Buffer {
  const line = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) {
    line.set([Math.round((x / width) * 230), 110, Math.round(200 - (x / width) * 180)], 1 + x * 3);
  }
  const header = pngHead(width, height).subarray(16, 29);
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.concat(Array(height).fill(line)));
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([DOT.subarray(0, 8), ...parts]);
}
