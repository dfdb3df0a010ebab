import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { benchService, growthTable } from '../../../src/tools/bench/service.ts';
import { COMMON_WORD, fillService, rareWord } from '../../../src/tools/bench/service-world.ts';
import { Page, temporaryFolder } from '../../service/support.ts';

describe('a service filled with issues', () => {
  it('answers whole requests, has its words where they belong, and refuses what fails', async () => {
    const world = await fillService(420);
    try {
      const list = async (query: string) =>
        Page.parse(JSON.parse(await world.request('GET', `/issues?limit=100&${query}`))).data;
      expect(await list(`search=${rareWord(7)}`)).toMatchObject([{ number: 7 }]);
      expect(await list(`search=${COMMON_WORD}&status=muted`)).toEqual([]);
      expect(await list('status=resolved&environment=staging')).toHaveLength(100);
      expect(await list(`startingAfter=${world.uuids[399]}`)).toHaveLength(100);
      await expect(world.request('GET', '/issues?limit=0')).rejects.toThrow('GET /issues?limit=0: 400');
    } finally {
      await world.close();
    }
  });
});

describe('the bench of the service', () => {
  it('measures every request at both sizes, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    const growths = await benchService({ few: 401, many: 402 });
    expect(growths.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['page, both', 'search, rare', 'fetch by number', 'create']),
    );
    expect(growths.every(({ few, many }) => few > 0 && many > 0)).toBe(true);
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('its table', () => {
  it('shows the ratio of both sizes', () => {
    const growths = [{ name: 'create', few: 200, many: 250 }];
    expect(growthTable(growths, { few: 1_000, many: 100_000 })).toBe(
      [
        'embedded service  µs at 1,000  µs at 100,000  ratio (asked: ≤ 2)',
        'create                    200            250                1.25',
      ].join('\n'),
    );
  });
});
