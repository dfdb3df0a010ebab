import { crc32, deflateSync } from 'node:zlib';
import type { Placement, Sketch } from '../../src/bot/render/pictures/causal-graph/layout.ts';
import type { Studio } from '../../src/bot/render/pictures/studio.ts';

const PIXEL = png(Buffer.from([0, 0x1f, 0x2a, 0x44]));

function png(row: Buffer): Uint8Array {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(row)), chunk('IEND', Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...parts]));
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** One below the other. */
function layout({ boxes, arrows }: Sketch): Placement {
  let height = 0;
  const places = boxes.map((box) => {
    const y = height;
    height += box.height + 20;
    return { x: 0, y };
  });
  const width = Math.max(100, ...boxes.map((box) => box.width));
  const start = { x: 0, y: 0 };
  return {
    width,
    height,
    boxes: places,
    arrows: arrows.map(() => ({ points: [start, start], label: start })),
  };
}

/**
 * In place of the process that draws pictures, in flows that are about everything else: a picture costs half a second of
 * the processor. Each is a PNG of one pixel.
 */
export const pictureStub: Studio = {
  layout: async (sketch) => layout(sketch),
  toPng: async () => PIXEL,
  close: async () => undefined,
};
