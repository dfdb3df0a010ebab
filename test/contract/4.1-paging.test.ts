import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Page } from '../service/support.ts';
import { runs } from '../support/property-runs.ts';
import { filled, numbers, walk } from './paging.ts';

describe('4.1 paging', () => {
  it('says exactly at the boundary whether there is more', async () => {
    const service = await filled(4);
    const first = Page.parse((await service.get('/issues?limit=2')).body);
    const second = Page.parse((await service.get(`/issues?limit=2&startingAfter=${first.after}`)).body);
    const ids = second.data.map(({ uuid }) => uuid);
    expect(second).toEqual({ object: 'list', data: second.data, has_more: false, before: ids[0] });
    const back = Page.parse((await service.get(`/issues?limit=2&endingBefore=${second.before}`)).body);
    expect(back).toEqual({ ...first, has_more: false });
  });

  it('forwards, sees what was there when it began, though new issues arrive between the pages', async () => {
    const service = await filled(7);
    const meanwhile = () => service.create({ environment: 'staging' });
    const way = { parameter: 'startingAfter', meanwhile } as const;
    expect(await walk(service, { ...way, query: 'limit=2' })).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await walk(service, { ...way, query: 'limit=1&search=issue' })).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('backwards, comes to the new issues too, each once and in order', async () => {
    const service = await filled(5);
    const from = Page.parse((await service.get('/issues')).body).data.at(-1)?.uuid;
    let arrivals = 0;
    const meanwhile = async () => {
      if (arrivals++ < 3) await service.create();
    };
    const visited = await walk(service, { query: 'limit=2', parameter: 'endingBefore', from, meanwhile });
    expect(visited).toEqual(Array.from({ length: visited.length }, (_, index) => visited.length + 1 - index));
    expect(visited[0]).toBeGreaterThanOrEqual(6);
  });

  it('goes on where it was after a restart', async () => {
    const service = await filled(5);
    const way = { query: 'limit=2', parameter: 'startingAfter', meanwhile: () => service.restart() } as const;
    expect(await walk(service, way)).toEqual([5, 4, 3, 2, 1]);
  });

  it('refuses the cursor of a deleted issue', async () => {
    const service = await filled(2);
    const { after } = Page.parse((await service.get('/issues?limit=1')).body);
    await service.call('DELETE', `/issues/${after}`);
    expect((await service.get(`/issues?startingAfter=${after}`)).status).toBe(400);
    expect((await service.get(`/issues?endingBefore=${after}`)).status).toBe(400);
  });

  it('takes the cursor of an issue that the filter does not find (any more)', async () => {
    const service = await filled(6);
    const { data } = Page.parse((await service.get('/issues')).body);
    expect(await numbers(service, `environment=staging&startingAfter=${data[1]?.uuid}`)).toEqual([3]);
  });

  it('visits every issue of a filter once, forwards and backwards, for any page size', async () => {
    const service = await filled(17);
    const from = Page.parse((await service.get('/issues?limit=100')).body).data.at(-1)?.uuid;
    const filters = ['', 'environment=staging', 'environment=production', 'search=1', 'status=resolved'];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(...filters),
        async (limit, filter) => {
          const query = `limit=${limit}&${filter}`;
          const all = await numbers(service, filter);
          expect(await walk(service, { query, parameter: 'startingAfter' })).toEqual(all);
          const back = await walk(service, { query, parameter: 'endingBefore', from });
          expect(back).toEqual(all.filter((number) => number > 1));
        },
      ),
      { numRuns: runs(25) },
    );
  });
});
