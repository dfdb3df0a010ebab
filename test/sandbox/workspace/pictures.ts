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
