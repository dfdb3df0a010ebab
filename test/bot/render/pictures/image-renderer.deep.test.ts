import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createImageRenderer,
  type ImageRenderer,
  type ImageRendererOptions,
} from '../../../../src/bot/render/pictures/image-renderer.ts';
import type { Picture } from '../../../../src/bot/render/pictures/picture.ts';
import { page, text } from '../../../../src/bot/render/pictures/svg.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { HARD_CHARTS } from '../../../support/gallery/hard-pictures.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { darkPixels, decodePng } from './png.ts';

const MISBEHAVING = new URL('./programs/misbehaving.ts', import.meta.url);

let renderer: ImageRenderer | undefined;
let problems: string[] = [];

function open(options: Partial<ImageRendererOptions> = {}): ImageRenderer {
  problems = [];
  renderer = createImageRenderer({
    clock: systemClock,
    onProblem: ({ message }) => problems.push(message),
    ...options,
  });
  return renderer;
}

afterEach(async () => await renderer?.close());

function pictureOf(svg: string, width = 300, height = 100): Picture {
  return { svg, width, height, alt: 'A picture.', title: 'Picture' };
}

function written(content: string, width = 300, height = 100): Picture {
  return pictureOf(page(width, height, 'x', text(content, { x: 20, y: 60, size: 40 })), width, height);
}

async function said(picture: string): Promise<string | null> {
  const answer = await renderer?.toPng(pictureOf(picture));
  return answer ? new TextDecoder().decode(answer) : null;
}

function isAlive(pid: string | null): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

describe('a drawn picture', () => {
  it('is twice as large, and its text is really there', async () => {
    const { toPng } = open();
    const [words, nothing] = [await toPng(written('Checkout')), await toPng(written(''))];
    const pixels = decodePng(words ?? new Uint8Array());
    expect([pixels.width, pixels.height]).toEqual([600, 200]);
    expect(darkPixels(pixels)).toBeGreaterThan(2000);
    expect(darkPixels(decodePng(nothing ?? new Uint8Array()))).toBe(0);
    expect(problems).toEqual([]);
  });

  it('has at most 4,096 pixels a side, and is none where nobody could read it', async () => {
    const { toPng } = open();
    const long = decodePng((await toPng(written('Checkout', 300, 3000))) ?? new Uint8Array());
    expect([long.width, long.height]).toEqual([410, 4096]);
    expect(await toPng(written('Checkout', 300, 9000))).toBeNull();
    expect(problems).toEqual([
      'The picture cannot be drawn: “Picture” (300 × 9000) is too large for a picture.',
    ]);
  });

  it('is of a graph or of a metric, and none where there is nothing to show', async () => {
    const { draw } = open();
    const graph = { causalTreeV2: { nodes: [{ id: 'a', title: 'Disk full' }], edges: [] } };
    expect((await draw({ kind: 'graph', results: graph }))?.alt).toBe(
      'Causal graph of 1 node. Nodes: Disk full.',
    );
    expect(await draw({ kind: 'graph', results: {} })).toBeNull();
    const artifact = JSON.stringify(HARD_CHARTS['one point']);
    const chart = await draw({ kind: 'chart', artifact, triggeredAt: undefined });
    expect(chart?.alt).toBe('Chart of disk.free, 14:28:00 UTC on 2 Jun 2026. 3.2 GiB throughout.');
    expect(problems).toEqual([]);
    expect(await draw({ kind: 'chart', artifact: '{"type":', triggeredAt: undefined })).toBeNull();
    expect(problems).toEqual([expect.stringContaining('The picture cannot be drawn')]);
  });

  it('is none where the SVG is broken, and the next one is drawn', async () => {
    const { toPng } = open();
    const [broken, next] = await Promise.all([toPng(pictureOf('<svg')), toPng(written('Checkout'))]);
    expect(broken).toBeNull();
    expect(next).not.toBeNull();
    expect(problems).toEqual([expect.stringContaining('The picture cannot be drawn')]);
  });
});

describe('the drawing process', () => {
  it.each([
    ['hang', 'A picture took longer than 20 seconds to draw and was abandoned.'],
    ['crash', 'The drawing process ended (exit code 7).'],
    ['nonsense', 'The drawing process sent an invalid reply.'],
    ['fail', 'The picture cannot be drawn: no ink'],
  ])('is replaced where it does this: %s', async (what, problem) => {
    const clock = manualClock();
    open({ program: MISBEHAVING, clock });
    const before = await said('pid');
    const answer = said(what);
    if (what === 'hang') {
      await expect.poll(() => clock.sleeping()).toBe(1);
      clock.advance(20_000);
    }
    expect(await answer).toBeNull();
    expect(problems).toEqual([problem]);
    const after = await said('pid');
    expect(after).toMatch(/^\d+$/);
    expect(after).not.toBe(before);
    await expect.poll(() => isAlive(before)).toBe(false);
  });

  it('makes place for a new one after some jobs, whoever asks at the same time', async () => {
    open({ program: MISBEHAVING, jobsPerProcess: 2 });
    const pids = await Promise.all([said('pid'), said('pid'), said('pid'), said('pid'), said('pid')]);
    expect(pids.map((pid) => pids.indexOf(pid))).toEqual([0, 0, 2, 2, 4]);
  });

  it('ends when nothing was asked for a while, and comes back', async () => {
    open({ program: MISBEHAVING, idleMs: 50 });
    const before = await said('pid');
    await expect.poll(() => isAlive(before)).toBe(false);
    expect(await said('pid')).not.toBe(before);
    expect(problems).toEqual([]);
  });

  it('ends with the image renderer, which then draws nothing', async () => {
    const { close } = open({ program: MISBEHAVING });
    const pid = await said('pid');
    await close();
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await said('pid')).toBeNull();
    expect(problems).toEqual(['The image renderer is closed.']);
  });

  it.runIf(existsSync('/proc/self/status'))(
    'uses no more memory after 250 pictures than after 50',
    async () => {
      const { toPng } = open({ jobsPerProcess: 1000 });
      // Undisposed, the pixels of each would be 1.9 MB.
      const picture = written('Checkout', 400, 300);
      for (let i = 0; i < 50; i++) expect(await toPng(picture)).not.toBeNull();
      const [early, ownEarly] = [megabytesOfChild(), process.memoryUsage.rss() / 1e6];
      for (let i = 50; i < 250; i++) expect(await toPng(picture)).not.toBeNull();
      expect(megabytesOfChild() - early).toBeLessThan(150);
      expect(process.memoryUsage.rss() / 1e6 - ownEarly).toBeLessThan(250);
    },
  );
});

/** What the drawing process holds, as Linux tells it. */
function megabytesOfChild(): number {
  const status = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && commandOf(entry).includes('image-renderer-process.ts'))
    .map((entry) => readFileSync(`/proc/${entry}/status`, 'utf8'))
    .find((lines) => lines.includes(`PPid:\t${process.pid}\n`));
  return Number(/VmRSS:\s+(\d+)/.exec(status ?? '')?.[1]) / 1000;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
