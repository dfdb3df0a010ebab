import { crc32, deflateSync } from 'node:zlib';
import type { ImageRenderer, PictureSource } from '../../src/bot/render/pictures/image-renderer.ts';
import { readMetric } from '../../src/bot/render/pictures/metric.ts';
import { Artifact } from '../../src/contract/answers.ts';

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

/** Whether there is something to show. */
function shows(source: PictureSource): boolean {
  if (source.kind === 'chart') return readMetric(Artifact.parse(JSON.parse(source.artifact))) !== null;
  const { causalTreeV2, causalTree } = source.results;
  return [causalTreeV2, causalTree].some((graph) => (graph?.nodes?.length ?? 0) > 0);
}

/**
 * In place of the process that draws pictures, in flows that are about everything else: a picture costs half a second of
 * the processor. Each is a PNG of one pixel.
 */
export const pictureStub: ImageRenderer = {
  draw: async (source) => {
    const title = source.kind === 'graph' ? 'Causal graph' : 'Chart';
    return shows(source)
      ? { svg: '<svg/>', width: 1, height: 1, alt: `${title} of a test, times in UTC.`, title }
      : null;
  },
  toPng: async () => PIXEL,
  close: async () => undefined,
};
