import { grid, measure } from './measure.ts';
import { COMMON_WORD, fillService, rareWord, type ServiceWorld } from './service-world.ts';

interface Row {
  name: string;
  /** How often in one round. */
  times: number;
  work: (world: ServiceWorld, i: number) => Promise<unknown>;
}

const page = (query: string) => (world: ServiceWorld) => world.request('GET', `/issues?limit=100&${query}`);

/** A page that begins at the oldest issue but so many: whoever pages by offset pays for all before it. */
const deepPage = (query: string) => (world: ServiceWorld) =>
  page(`${query}&startingAfter=${world.uuids[399]}`)(world);

const rows: readonly Row[] = [
  { name: 'page of 100', times: 10, work: page('') },
  { name: 'page, status', times: 10, work: page('status=resolved') },
  { name: 'page, environment', times: 10, work: page('environment=staging') },
  { name: 'page, both', times: 10, work: page('status=resolved&environment=staging') },
  { name: 'page, status that no issue has', times: 20, work: page('status=muted') },
  { name: 'deep page', times: 10, work: deepPage('') },
  { name: 'deep page, status', times: 10, work: deepPage('status=resolved') },
  { name: 'deep page, environment', times: 10, work: deepPage('environment=staging') },
  { name: 'deep page, both', times: 10, work: deepPage('status=resolved&environment=staging') },
  {
    name: 'search, rare',
    times: 20,
    work: (world, i) => page(`search=${rareWord(spread(world, i))}`)(world),
  },
  {
    name: 'search, rare, both filters',
    times: 20,
    work: (world, i) =>
      page(`search=${rareWord(spread(world, i))}&status=resolved&environment=staging`)(world),
  },
  { name: 'search, in no issue', times: 20, work: page('search=gumshoe-nowhere') },
  { name: 'search, common', times: 10, work: page(`search=${COMMON_WORD}`) },
  {
    name: 'search, common, both filters',
    times: 10,
    work: page(`search=${COMMON_WORD}&status=resolved&environment=staging`),
  },
  { name: 'search, common, deep page', times: 10, work: deepPage(`search=${COMMON_WORD}`) },
  {
    name: 'search, common, status that no issue has',
    times: 10,
    work: page(`search=${COMMON_WORD}&status=muted`),
  },
  { name: 'search, three characters', times: 10, work: page('search=502') },
  {
    name: 'fetch by id',
    times: 50,
    work: (world, i) => world.request('GET', `/issues/${world.uuids[spread(world, i) - 1]}`),
  },
  {
    name: 'fetch by number',
    times: 50,
    work: (world, i) => world.request('GET', `/issues/by_number/${spread(world, i)}`),
  },
  {
    name: 'create',
    times: 30,
    work: (world, i) =>
      world.request('POST', '/issues', {
        title: 'High error ratio on web',
        description: `New ${COMMON_WORD} fail with 503. ${rareWord(1_000_000 + i)}`,
        environment: 'production',
      }),
  },
];

/** A number of an issue, another one each time, spread over all. */
function spread({ uuids }: ServiceWorld, i: number): number {
  return 1 + ((i * 7919) % uuids.length);
}

/** What one kind of request costs with few issues and with many, in microseconds. */
export interface Growth {
  name: string;
  few: number;
  many: number;
}

/** What requests to the embedded service cost with few issues and with many: whole requests, but for the network. */
export async function benchService(sizes: { few: number; many: number }): Promise<Growth[]> {
  const few = await fillService(sizes.few);
  const many = await fillService(sizes.many);
  let next = 0;
  const cost = async ({ name, times, work }: Row, world: ServiceWorld) => {
    const round = async () => {
      for (let i = 0; i < times; i++) await work(world, next++);
    };
    return (await measure(name, times, round)).micros;
  };
  try {
    const growths: Growth[] = [];
    for (const row of rows)
      growths.push({ name: row.name, few: await cost(row, few), many: await cost(row, many) });
    return growths;
  } finally {
    await few.close();
    await many.close();
  }
}

/** The table as text: microseconds at each size, and their ratio. */
export function growthTable(growths: readonly Growth[], sizes: { few: number; many: number }): string {
  const label = (size: number) => `µs at ${size.toLocaleString('en-GB')}`;
  return grid([
    ['embedded service', label(sizes.few), label(sizes.many), 'ratio (asked: ≤ 2)'],
    ...growths.map(({ name, few, many }) => [name, few.toFixed(0), many.toFixed(0), (many / few).toFixed(2)]),
  ]);
}
