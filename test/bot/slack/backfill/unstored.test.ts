import { describe, expect, it } from 'vitest';
import { rememberUnstored } from '../../../../src/bot/slack/backfill/unstored.ts';

const incoming = { body: {}, ack: async () => undefined };

/** An inbox behind a disk that is full or not; what is done is written down. */
function behindDisk() {
  const done: string[] = [];
  const disk = { isFull: false };
  const write = async (what: string) => {
    if (disk.isFull) throw new Error('database or disk is full');
    done.push(what);
  };
  const inbox = rememberUnstored(
    { accept: () => write('stored'), start: () => undefined, stop: async () => undefined },
    { begins: () => write('a gap begins'), ended: () => done.push('the gap is read') },
  );
  return { inbox, disk, done };
}

describe('a delivery that could not be stored', () => {
  it('leaves a gap, which is written down before the next one is stored, and read', async () => {
    const { inbox, disk, done } = behindDisk();
    await inbox.accept(incoming);
    disk.isFull = true;
    await expect(inbox.accept(incoming)).rejects.toThrow('disk is full');
    disk.isFull = false;
    await inbox.accept(incoming);
    await inbox.accept(incoming);
    expect(done).toEqual(['stored', 'a gap begins', 'the gap is read', 'stored', 'stored']);
  });

  it('is not followed by another while the gap cannot be written down', async () => {
    const { inbox, disk, done } = behindDisk();
    disk.isFull = true;
    await expect(inbox.accept(incoming)).rejects.toThrow('disk is full');
    await expect(inbox.accept(incoming)).rejects.toThrow('disk is full');
    expect(done).toEqual([]);
    disk.isFull = false;
    await inbox.accept(incoming);
    expect(done).toEqual(['a gap begins', 'the gap is read', 'stored']);
  });
});
