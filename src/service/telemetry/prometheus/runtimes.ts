import { grouping, INSTANCE_LABELS, SCRAPED, type SignalQuery } from './promql.ts';

/*
 * What managed runtimes measure of their memory, by the words that all of their clients use: a heap that has a maximum, and
 * the time that its collection takes.
 */

const HEAPS = ['heap_', 'jvm_memory_'];
const USED = '_used';
/** How the metric of its maximum differs. */
const MOST = ['max', 'limit'];
/** Where lives what survives collections; the rest of a heap fills and empties all the time. */
const SURVIVORS = '=~".*(?:Old|old|Tenured|ZHeap|Shenandoah).*"';
const SPACES = ['id', 'pool', 'jvm_memory_pool_name', 'space'];

/** Seconds of it in a counter, or a share of the time; what runs beside the program stops nothing. */
const COLLECTION =
  /(?:^|_)gc(?=_)(?!.*(?:concurrent|cpu))\w*(?:_(nano|milli)?seconds_(?:sum|total)|_(overhead|ratio|fraction))$/u;
const DIVIDED: Readonly<Record<string, string>> = { nano: ' / 1e9', milli: ' / 1e3' };

const BY = grouping(SCRAPED);
const OF_ONE = grouping(SCRAPED, ...INSTANCE_LABELS);

export function runtimeQueries(names: ReadonlySet<string>): SignalQuery[] {
  const all = [...names].sort();
  const heaps = all
    .filter((name) => name.includes(USED) && HEAPS.some((word) => name.includes(word)))
    .flatMap((name): SignalQuery[] => {
      const most = MOST.map((word) => name.replace(USED, `_${word}`)).find((one) => names.has(one));
      return most === undefined
        ? []
        : [
            {
              name,
              label: 'heap',
              measure: 'memory',
              unit: 'By',
              place: SCRAPED,
              query: () => `max ${BY} (${survivors(name)})`,
              limit: () => `max ${BY} (${survivors(most)} > 0)`,
            },
          ];
    });
  const collections = all.flatMap((name): SignalQuery[] => {
    const found = COLLECTION.exec(name);
    if (found === null) return [];
    const [, part = '', share] = found;
    const spent = (rate: string) => `sum ${OF_ONE} (rate(${name}[${rate}]))${DIVIDED[part] ?? ''}`;
    return [
      {
        name,
        label: 'time in garbage collection',
        measure: 'gc',
        unit: '1',
        place: SCRAPED,
        query: (rate) => `max ${BY} (${share === undefined ? spent(rate) : name})`,
      },
    ];
  });
  return [...heaps, ...collections];
}

/** The spaces that hold survivors, as far as spaces are told apart. */
function survivors(metric: string): string {
  const whole = `${SPACES.map((label) => `${label}=""`).join(',')},area=~"heap|",jvm_memory_type=~"heap|"`;
  const parts = SPACES.map((label) => `${metric}{${label}${SURVIVORS}}`);
  return `(${[...parts, `${metric}{${whole}}`].join(' or ')})`;
}
