import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Page, type TestService, testService } from './support.ts';

async function numbers(service: TestService, query: string): Promise<number[]> {
  return Page.parse((await service.get(`/issues?limit=100&${query}`)).body).data.map(({ number }) => number);
}

async function filled(count: number): Promise<TestService> {
  const service = await testService();
  for (let number = 1; number <= count; number++) {
    await service.create({
      title: `Issue ${number}`,
      environment: number % 3 === 0 ? 'staging' : 'production',
    });
  }
  return service;
}

describe('listing issues', () => {
  it('answers an empty list where there is none', async () => {
    const { get } = await testService();
    expect((await get('/issues')).body).toEqual({ object: 'list', data: [], has_more: false });
  });

  it('answers summaries, newest first, ten where nothing else is asked', async () => {
    const service = await filled(11);
    const { body } = await service.get('/issues');
    const page = Page.parse(body);
    expect(page.data.map(({ number }) => number)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(page).toEqual({ object: 'list', data: page.data, has_more: true, after: page.data.at(-1)?.uuid });
    expect(page.data[0]).toEqual({
      uuid: page.data[0]?.uuid,
      number: 11,
      title: 'Issue 11',
      description: 'One request in five ends with 502',
      severity: 'medium',
      status: 'investigating',
      environment: 'production',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      seedCount: 1,
    });
  });

  it('filters by status and environment, alone and together', async () => {
    const service = await filled(7);
    const page = Page.parse((await service.get('/issues')).body);
    for (const { uuid, number } of page.data) {
      if (number > 3) await service.patch(`/issues/${uuid}`, { status: 'resolved' });
    }
    expect(await numbers(service, 'status=resolved')).toEqual([7, 6, 5, 4]);
    expect(await numbers(service, 'environment=staging')).toEqual([6, 3]);
    expect(await numbers(service, 'environment=STAGING')).toEqual([]);
    expect(await numbers(service, 'status=investigating&environment=staging')).toEqual([3]);
    expect(await numbers(service, 'status=resolved&environment=staging&search=issue')).toEqual([6]);
  });

  it('searches for the very characters in title and description, whatever their case', async () => {
    const service = await testService();
    await service.create({ title: '100% of ÄRGER', description: 'Straße' });
    await service.create({ title: '1000 of Ärger', description: 'under_score ΟΔΟΣ' });
    const search = (text: string) => numbers(service, `search=${encodeURIComponent(text)}`);
    expect(await search('100%')).toEqual([1]);
    expect(await search('r_s')).toEqual([2]);
    expect(await search('ärger')).toEqual([2, 1]);
    expect(await search('STRASSE')).toEqual([1]);
    expect(await search('οδοσ')).toEqual([2]);
    expect(await search("' OR 1=1 --")).toEqual([]);
    expect(await search('ärgerstraße')).toEqual([]);
    expect(await search('ä')).toEqual([2, 1]);
    expect(await search('%')).toEqual([1]);
  });
});

describe('a search of any length', () => {
  it('finds what a plain comparison finds', async () => {
    const service = await testService();
    const texts = [
      'abcabd',
      'a"b*c',
      'ÄbC (near) OR',
      'ab\0cab',
      'the "quoted" -word^2',
      '😀😀😀 smile',
      'aaa',
    ];
    for (const title of texts) await service.create({ title, description: '.' });
    const piece = fc
      .constantFrom(...texts)
      .chain((text) =>
        fc
          .tuple(fc.nat([...text].length - 1), fc.integer({ min: 1, max: 6 }))
          .map(([from, length]) => [...text].slice(from, from + length).join('')),
      );
    await fc.assert(
      fc.asyncProperty(piece, async (search) => {
        const expected = texts
          .map((text, index) => ({ text, number: index + 1 }))
          .filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()))
          .map(({ number }) => number);
        expect(await numbers(service, `search=${encodeURIComponent(search)}`)).toEqual(expected.reverse());
      }),
      { numRuns: 60 },
    );
  });

  it('finds nothing of an issue that was deleted', async () => {
    const service = await testService();
    const { uuid } = await service.create({ title: 'Checkout' });
    await service.call('DELETE', `/issues/${uuid}`);
    await service.create({ title: 'Cart' });
    expect(await numbers(service, 'search=checkout')).toEqual([]);
  });
});

describe('paging', () => {
  it('says exactly at the boundary whether there is more', async () => {
    const service = await filled(4);
    const first = Page.parse((await service.get('/issues?limit=2')).body);
    const second = Page.parse((await service.get(`/issues?limit=2&startingAfter=${first.after}`)).body);
    const ids = second.data.map(({ uuid }) => uuid);
    expect(second).toEqual({ object: 'list', data: second.data, has_more: false, before: ids[0] });
    const back = Page.parse((await service.get(`/issues?limit=2&endingBefore=${second.before}`)).body);
    expect(back).toEqual({ ...first, has_more: false });
  });

  it('keeps its place while new issues arrive', async () => {
    const service = await filled(4);
    const first = Page.parse((await service.get('/issues?limit=2')).body);
    await service.create();
    const second = Page.parse((await service.get(`/issues?limit=2&startingAfter=${first.after}`)).body);
    expect(second.data.map(({ number }) => number)).toEqual([2, 1]);
  });

  it('refuses the cursor of a deleted issue', async () => {
    const service = await filled(2);
    const { after } = Page.parse((await service.get('/issues?limit=1')).body);
    await service.call('DELETE', `/issues/${after}`);
    expect((await service.get(`/issues?startingAfter=${after}`)).status).toBe(400);
    expect((await service.get(`/issues?endingBefore=${after}`)).status).toBe(400);
  });

  it('visits every issue of a filter once, forwards and backwards, for any page size', async () => {
    const service = await filled(17);
    const oldest = Page.parse((await service.get('/issues?limit=100')).body).data.at(-1)?.uuid;
    const filters = ['', 'environment=staging', 'environment=production', 'search=1', 'status=resolved'];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(...filters),
        async (limit, filter) => {
          const all = await numbers(service, filter);
          expect(await walk(service, `limit=${limit}&${filter}`, 'startingAfter', 'after')).toEqual(all);
          const back = await walk(service, `limit=${limit}&${filter}`, 'endingBefore', 'before', oldest);
          expect(back).toEqual(all.filter((number) => number > 1));
        },
      ),
      { numRuns: 25 },
    );
  });
});

async function walk(
  service: TestService,
  query: string,
  parameter: 'startingAfter' | 'endingBefore',
  next: 'after' | 'before',
  from?: string,
): Promise<number[]> {
  const visited: number[] = [];
  let cursor = from;
  for (;;) {
    const at = cursor === undefined ? '' : `&${parameter}=${cursor}`;
    const page = Page.parse((await service.get(`/issues?${query}${at}`)).body);
    const found = page.data.map(({ number }) => number);
    if (next === 'after') visited.push(...found);
    else visited.unshift(...found);
    if (!page.has_more) return visited;
    cursor = page[next];
  }
}
