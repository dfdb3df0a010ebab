import { type Measured, measure } from './measure.ts';
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

/** What requests to the embedded service cost with few issues and with many: whole requests, but for the network. */
export async function benchService(sizes: { few: number; many: number }): Promise<Measured[]> {
  const worlds = [sizes.few, sizes.many].map((size) => ({ size, world: fillService(size) }));
  const lines: Measured[] = [];
  let next = 0;
  try {
    for (const { name, times, work } of rows) {
      for (const { size, world } of worlds) {
        const against = size === sizes.few ? undefined : `${name}: ${label(sizes.few)}`;
        const round = async () => {
          for (let i = 0; i < times; i++) await work(world, next++);
        };
        lines.push(await measure(`${name}: ${label(size)}`, times, round, against));
      }
    }
    return lines;
  } finally {
    for (const { world } of worlds) world.close();
  }
}

function label(size: number): string {
  return size.toLocaleString('en-GB');
}
