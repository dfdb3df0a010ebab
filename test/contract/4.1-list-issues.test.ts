import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ISSUE, Page, testService } from '../service/support.ts';
import { runs } from '../support/property-runs.ts';
import { filled, numbers } from './paging.ts';

const UUID = '5f1d7c1e-9a53-4d0e-8f8e-0d6b6f0a1b2c';

describe('4.1 list issues', () => {
  it('answers an empty list where there is none', async () => {
    const { get } = await testService();
    expect((await get('/issues')).body).toEqual({ object: 'list', data: [], has_more: false });
  });

  it('answers summaries, newest first, ten where nothing else is asked', async () => {
    const service = await filled(11);
    const page = Page.parse((await service.get('/issues')).body);
    expect(page.data.map(({ number }) => number)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(page).toEqual({ object: 'list', data: page.data, has_more: true, after: page.data.at(-1)?.uuid });
    expect(page.data[0]).toEqual({
      ...ISSUE,
      uuid: page.data[0]?.uuid,
      number: 11,
      title: 'Issue 11',
      severity: 'medium',
      status: 'investigating',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      seedCount: 1,
    });
  });

  it('4.1 limit: any integer of 1 to 100 bounds the page, all else is refused', async () => {
    const service = await filled(5);
    const limit = fc.oneof(
      fc.integer({ min: -3, max: 120 }).map(String),
      fc.constantFrom('', '01', '1.0', '1e1', '0x1', ' 1', '+1', '9007199254740993', 'ten'),
    );
    await fc.assert(
      fc.asyncProperty(limit, async (text) => {
        const { status, body } = await service.get(`/issues?limit=${encodeURIComponent(text)}`);
        const wanted = /^[1-9]\d?$|^100$/u.test(text) ? Number(text) : null;
        if (wanted === null) {
          expect({ status, body }).toMatchObject({
            status: 400,
            body: { details: { limit: expect.any(String) } },
          });
        } else {
          expect([status, Page.parse(body).data.length]).toEqual([200, Math.min(5, wanted)]);
        }
      }),
      { numRuns: runs(60), examples: [['1'], ['100'], ['101'], ['0']] },
    );
  });

  it('4.1 startingAfter: what is older than that issue, which is not part of the page', async () => {
    const service = await filled(4);
    const { data } = Page.parse((await service.get('/issues')).body);
    expect(await numbers(service, `startingAfter=${data[1]?.uuid}`)).toEqual([2, 1]);
    expect(await numbers(service, `startingAfter=${data[3]?.uuid}`)).toEqual([]);
  });

  it('4.1 endingBefore: what is newer than that issue, the nearest ones', async () => {
    const service = await filled(4);
    const { data } = Page.parse((await service.get('/issues')).body);
    expect(await numbers(service, `endingBefore=${data[2]?.uuid}`)).toEqual([4, 3]);
    expect(await numbers(service, `endingBefore=${data[0]?.uuid}`)).toEqual([]);
    const near = Page.parse((await service.get(`/issues?limit=1&endingBefore=${data[2]?.uuid}`)).body);
    expect([near.data.map(({ number }) => number), near.has_more]).toEqual([[3], true]);
  });

  it.each(['startingAfter', 'endingBefore'])('4.1 %s: no issue, no UUID, nothing', async (parameter) => {
    const { get } = await testService();
    for (const cursor of [UUID, UUID.toUpperCase(), '12', '']) {
      const { status, body } = await get(`/issues?${parameter}=${cursor}`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { details: { [parameter]: expect.any(String) } },
      });
    }
  });

  it('4.1 status, environment: alone and together', async () => {
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

  it.each(['status', 'environment', 'search'])('4.1 %s: empty is refused', async (parameter) => {
    const { get } = await testService();
    const { status, body } = await get(`/issues?${parameter}=`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { details: { [parameter]: expect.any(String) } },
    });
  });

  it('4.1 environment: the very text, whatever it is', async () => {
    const service = await testService();
    const environments = ['prod/eu', 'a&b=c', '100%', "o'hara", ' ', 'ümlaut', '😀', '+', 'PROD/EU'];
    for (const environment of environments) await service.create({ environment });
    const found = await Promise.all(
      environments.map((environment) => numbers(service, `environment=${encodeURIComponent(environment)}`)),
    );
    expect(found).toEqual(environments.map((_, index) => [index + 1]));
  });
});

describe('4.1 search', () => {
  it('4.1 search: the very characters in title and description, whatever their case', async () => {
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
    expect(await search('_')).toEqual([2]);
  });

  it('finds what a plain comparison finds, of any length', async () => {
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
      { numRuns: runs(60) },
    );
  });
});
