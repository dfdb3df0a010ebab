import { describe, expect, it } from 'vitest';
import { anEvent, openInbox } from '../support/inboxes.ts';

/** An inbox behind a disk that is full or not; what is done is written down. */
async function behindDisk() {
  const done: string[] = [];
  const disk = { isFull: false };
  const write = async (what: string) => {
    if (disk.isFull) throw new Error('database or disk is full');
    done.push(what);
  };
  const { inbox } = await openInbox({
    change: (store) => ({
      ...store,
      inbox: {
        ...store.inbox,
        add: async (rows) => {
          await write('stored');
          return store.inbox.add(rows);
        },
      },
    }),
    gap: { begins: () => write('a gap begins'), ended: () => void done.push('the gap is read') },
  });
  const accept = (id: string) => inbox.accept(anEvent(id).incoming);
  return { accept, disk, done };
}

describe('a delivery that could not be stored', () => {
  it('leaves a gap, which is written down before the next one is stored, and read', async () => {
    const { accept, disk, done } = await behindDisk();
    await accept('1');
    disk.isFull = true;
    await expect(accept('2')).rejects.toThrow('disk is full');
    disk.isFull = false;
    await accept('3');
    await accept('4');
    expect(done).toEqual(['stored', 'a gap begins', 'the gap is read', 'stored', 'stored']);
  });

  it('is not followed by another while the gap cannot be written down', async () => {
    const { accept, disk, done } = await behindDisk();
    disk.isFull = true;
    await expect(accept('1')).rejects.toThrow('disk is full');
    await expect(accept('2')).rejects.toThrow('disk is full');
    expect(done).toEqual([]);
    disk.isFull = false;
    await accept('3');
    expect(done).toEqual(['a gap begins', 'the gap is read', 'stored']);
  });
});
