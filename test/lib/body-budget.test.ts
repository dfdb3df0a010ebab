import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBodyBudget } from '../../src/lib/body-budget.ts';

const KB = 1024;

describe('the bodies that are read at one time', () => {
  it('hold no more than is allowed together: the oldest is given up', async () => {
    const budget = createBodyBudget(100 * KB);
    const bodies = Array.from({ length: 30 }, () => new PassThrough());
    const read = bodies.map((body) => budget.read(body, 1_000 * KB));
    for (const body of bodies) {
      body.write(Buffer.alloc(10 * KB));
      await new Promise(setImmediate);
      expect(budget.held()).toBeLessThanOrEqual(100 * KB);
    }
    expect(await Promise.all(read.slice(0, 20))).toEqual(Array.from({ length: 20 }, () => 'no_room'));
    for (const body of bodies.slice(20)) body.end();
    expect((await Promise.all(read.slice(20))).map((one) => one.length)).toEqual(
      Array.from({ length: 10 }, () => 10 * KB),
    );
    expect(budget.held()).toBe(0);
  });

  it('leave room for one that arrives at once, however many never end', async () => {
    const budget = createBodyBudget(100 * KB);
    const slow = Array.from({ length: 50 }, () => new PassThrough());
    const given = slow.map((body) => budget.read(body, 1_000 * KB));
    for (const body of slow) body.write(Buffer.alloc(9 * KB));
    await new Promise(setImmediate);
    const genuine = new PassThrough();
    const read = budget.read(genuine, 1_000 * KB);
    genuine.end(Buffer.alloc(20 * KB, 'x'));
    expect(await read).toEqual(Buffer.alloc(20 * KB, 'x'));
    for (const body of slow) body.end();
    await Promise.all(given);
    expect(budget.held()).toBe(0);
  });

  it('hold what their pieces take, however small: one that comes byte by byte is refused early', async () => {
    const budget = createBodyBudget(100 * KB);
    const bodies = Array.from({ length: 4 }, () => new PassThrough({ highWaterMark: 1 }));
    const read = bodies.map((body) => budget.read(body, 64 * KB));
    for (let n = 0; n < 256; n += 1) {
      for (const body of bodies) body.write('x');
      await new Promise(setImmediate);
      expect(budget.held()).toBeLessThanOrEqual(100 * KB);
    }
    for (const body of bodies) body.write('x');
    expect(await Promise.all(read)).toEqual(['no_room', 'no_room', 'no_room', 'broken_off']);
    expect(budget.held()).toBe(0);
  });

  it('are each of a bounded size, and forgotten where the sender leaves', async () => {
    const budget = createBodyBudget(100 * KB);
    const [large, left] = [new PassThrough(), new PassThrough()];
    const read = [budget.read(large, KB), budget.read(left, KB)];
    large.end(Buffer.alloc(2 * KB));
    left.write('x');
    left.destroy();
    expect(await Promise.all(read)).toEqual(['too_large', 'broken_off']);
    expect(budget.held()).toBe(0);
  });
});
