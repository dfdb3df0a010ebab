import { describe, expect, it } from 'vitest';
import { sizeWords, slackFileAddress, tooLarge } from '../../page/model/files.ts';
import { freshHome } from '../../page/model/home.ts';
import { prepared } from '../../page/model/prepare.ts';

describe('a file on the page', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [9_949, '9.9 kB'],
    [9_960, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [30_000_000, '30 MB'],
  ])('of %i bytes is %s', (bytes, words) => {
    expect(sizeWords(bytes)).toBe(words);
  });

  it('is refused with its size where it is larger than the workspace takes', () => {
    expect([tooLarge([]), tooLarge([{ size: 3_000_000 }])]).toEqual([null, null]);
    expect(tooLarge([{ size: 4_200_000 }])).toBe(
      'This file is 4.2 MB. This workspace accepts 3.0 MB per message: send a smaller one.',
    );
    expect(tooLarge([{ size: 2_000_000 }, { size: 2_000_000 }])).toBe(
      'Together, these files are 4.0 MB. This workspace accepts 3.0 MB per message: send fewer or smaller ones.',
    );
  });

  it('is found by its id and by both of its addresses, and by nothing else', () => {
    const address = '/page-api/files/F0123456789';
    expect(slackFileAddress({ id: 'F0123456789' })).toBe(address);
    expect(slackFileAddress({ url: 'http://127.0.0.1:1/files-pri/T1-F0123456789/a.png' })).toBe(address);
    expect(slackFileAddress({ url: 'http://localhost:3000/files/U1/F0123456789/a.png' })).toBe(address);
    expect(slackFileAddress({ url: 'https://example.com/a.png' })).toBeNull();
    expect(slackFileAddress(undefined)).toBeNull();
    expect(slackFileAddress({ id: '../state' })).toBe('/page-api/files/..%2Fstate');
  });

  it('stands beside a section as any picture does', () => {
    const accessory = { type: 'image', alt_text: 'x', slack_file: { id: 'F0123456789' } };
    expect(prepared({ type: 'section', accessory })).toMatchObject({
      accessory: { image_url: '/page-api/files/F0123456789' },
    });
  });
});

describe('a Home that is fetched', () => {
  const home = (user: string, hash: string) => ({ id: 'V1', user, hash, blocks: [] });
  const published = (user: string, hash: string) => ({ type: 'home' as const, home: home(user, hash) });

  it('gives way to what was published meanwhile for the same person', () => {
    const since = [published('U1', '2'), published('U1', '3'), published('U2', '4')];
    expect(freshHome('U1', home('U1', '1'), since)).toEqual(home('U1', '3'));
    expect(freshHome('U3', null, since)).toBeNull();
  });
});
