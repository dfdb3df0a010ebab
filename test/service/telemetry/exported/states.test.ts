import { describe, expect, it } from 'vitest';
import { exportedOf, statesIn } from '../../../../src/service/telemetry/exported/states.ts';
import { speaksOfFailure } from '../../../../src/service/telemetry/exported/words.ts';
import type { Exported } from '../../../../src/service/telemetry/model.ts';

const START = Date.UTC(2026, 10, 29, 9, 30);
const STEP = 15_000;

/** A series sampled every 15 s from 09:30 UTC on: values and how often each comes. */
function series(
  name: string,
  runs: readonly (readonly [value: number, times: number])[],
  more: Partial<Exported> = {},
): Exported {
  const values = Float64Array.from(
    runs.flatMap(([value, times]) => Array.from({ length: times }, () => value)),
  );
  return {
    name,
    service: 'shop',
    type: 'gauge',
    help: '',
    unit: '',
    labels: { job: 'shop', instance: '10.0.0.1:9100' },
    points: { times: Float64Array.from(values, (_, i) => START + i * STEP), values },
    ...more,
  };
}

const at = (instance: string, more: Record<string, string> = {}) => ({
  labels: { job: 'shop', instance, ...more },
});

/** What is said of these series, with its cause and its confidence. */
const said = (all: readonly Exported[], ...services: string[]) =>
  statesIn(all, new Set(services)).map(({ cause, object, sentence, confidence }) => [
    cause,
    object,
    sentence,
    confidence,
  ]);

describe('down', () => {
  it('says of how many instances', () => {
    const ups = [
      series('up', [[1, 12]], at('a:1')),
      series(
        'up',
        [
          [1, 8],
          [0, 4],
        ],
        at('b:1'),
      ),
    ];
    expect(said(ups)).toEqual([
      [
        'down',
        'app/shop',
        '1 of 2 instances of shop is down since 09:32 UTC: Prometheus no longer reaches it (b:1).',
        0.8,
      ],
    ]);
  });

  it('is down again, since the second time, also where it was down a little before', () => {
    const twice = series('quux_up', [
      [1, 8],
      [0, 8],
      [1, 4],
      [0, 4],
    ]);
    expect(said([twice])).toEqual([
      ['down', 'app/shop', 'shop is down since 09:35 UTC: its exporter says so (`quux_up` is 0).', 0.8],
    ]);
    const flickering = series('quux_up', [
      [1, 8],
      [0, 8],
      [1, 4],
      [0, 1],
    ]);
    expect(said([flickering])).toEqual([]);
  });

  it('believes an exporter, whatever it is called', () => {
    expect(
      said([
        series('quux_up', [
          [1, 8],
          [0, 4],
        ]),
      ]),
    ).toEqual([
      ['down', 'app/shop', 'shop is down since 09:32 UTC: its exporter says so (`quux_up` is 0).', 0.8],
    ]);
  });

  it('says nothing of what came back', () => {
    expect(
      said([
        series('up', [
          [1, 8],
          [0, 2],
          [1, 4],
        ]),
      ]),
    ).toEqual([]);
  });
});

it('tells a state in which something does not work, of the service that a label names', () => {
  const status = (state: string, runs: readonly (readonly [number, number])[]) =>
    series('lb_member_status', runs, { service: 'lb', ...at('lb:1', { pool: 'cart', member: 'c2', state }) });
  const all = [
    status('OFFLINE', [
      [0, 8],
      [1, 4],
    ]),
    status('READY', [
      [1, 8],
      [0, 4],
    ]),
  ];
  expect(said(all, 'cart')).toEqual([
    ['not-working', 'app/cart', 'lb reports member c2 of cart as OFFLINE since 09:32 UTC.', 0.8],
  ]);
});

describe('used up', () => {
  const limited = (
    used: readonly (readonly [number, number])[],
    limit: readonly (readonly [number, number])[],
  ) => [
    series('box_memory_used_bytes', used, { unit: 'By' }),
    series('box_memory_max_bytes', limit, { unit: 'By' }),
  ];

  it('finds the limit by the name', () => {
    expect(
      said(
        limited(
          [
            [20 * 2 ** 20, 8],
            [64 * 2 ** 20, 4],
          ],
          [[64 * 2 ** 20, 12]],
        ),
      ),
    ).toEqual([
      ['used-up', 'app/shop', 'The memory of shop is full since 09:32 UTC: 64 MiB of 64 MiB are used.', 0.8],
    ]);
  });

  it('takes for no limit what more was used than', () => {
    const sessions = (used: number) =>
      limited(
        [
          [4, 8],
          [used, 4],
        ],
        [[20, 12]],
      );
    expect(said(sessions(20)).map(([cause]) => cause)).toContain('used-up');
    expect(said(sessions(22)).map(([cause]) => cause)).not.toContain('used-up');
  });

  it('reads what is left of a size the other way round', () => {
    const disk = at('n:1', { mountpoint: '/data' });
    const all = [
      series(
        'box_filesystem_avail_bytes',
        [
          [2 ** 30, 8],
          [0, 4],
        ],
        { unit: 'By', ...disk },
      ),
      series('box_filesystem_size_bytes', [[2 ** 30, 12]], { unit: 'By', ...disk }),
    ];
    expect(said(all)).toEqual([
      [
        'used-up',
        'app/shop',
        'The filesystem (mountpoint /data) of shop is full since 09:32 UTC: 1 GiB of 1 GiB are used.',
        0.8,
      ],
    ]);
  });

  it('takes nothing for a limit that moves, and nothing for news that always was so', () => {
    expect(
      said(
        limited(
          [
            [20, 8],
            [64, 4],
          ],
          [
            [32, 8],
            [64, 4],
          ],
        ),
      ),
    ).toEqual([]);
    expect(said(limited([[64, 12]], [[64, 12]]))).toEqual([]);
  });

  it('takes the most that there ever was for no limit, and the limit where there are both', () => {
    const used = series('proxy_current_sessions', [
      [3, 8],
      [9, 4],
    ]);
    const mark = series('proxy_max_sessions', [[9, 12]], {
      help: 'Highest value of current sessions encountered since process started',
    });
    expect(said([used, mark])).toEqual([]);
    const limit = series('proxy_limit_sessions', [[500, 12]]);
    expect(said([used, { ...mark, help: '' }, limit])).toEqual([]);
  });
});

it('tells that another certificate is in use, which expires soon', () => {
  const until = (days: number) => START / 1000 + days * 86_400;
  const cert = series(
    'tls_cert_not_after',
    [
      [until(200), 8],
      [until(4), 4],
    ],
    at('https://shop.example'),
  );
  expect(said([cert])).toEqual([
    [
      'expires',
      'app/shop',
      'The certificate of https://shop.example expires in 4 days; until 09:32 UTC it had 200 days left.',
      0.8,
    ],
  ]);
});

it('tells that a time stands still which moved again and again', () => {
  const now = START / 1000;
  const runs = [
    [now, 2],
    [now + 30, 2],
    [now + 60, 2],
    [now + 90, 30],
  ] as const;
  expect(said([series('job_last_success_timestamp_seconds', runs)])).toEqual([
    [
      'stands-still',
      'app/shop',
      '`job_last_success_timestamp_seconds` of shop stands still since 09:31 UTC, for 7.25 min; before, it moved every 30 s.',
      0.6,
    ],
  ]);
});

describe('what else departs', () => {
  it('is told with the words of its help, if they or its name speak of failure', () => {
    const all = [
      series(
        'app_jobs_rejected_total',
        [
          [0, 8],
          [4, 4],
        ],
        { type: 'counter', help: 'Jobs that found no worker.' },
      ),
      series(
        'app_pages_total',
        [
          [1, 8],
          [40, 4],
        ],
        { type: 'counter', help: 'Pages.' },
      ),
    ];
    expect(said(all)).toEqual([
      [
        'departs',
        'app/shop',
        'shop has changed since 09:32 UTC: `app_jobs_rejected_total` (Jobs that found no worker) rose from 0/s to 4/s.',
        0.6,
      ],
    ]);
  });

  it('is nothing where it takes next to none of the time', () => {
    const waiting = (now: number) =>
      series(
        'node_pressure_memory_waiting_seconds_total',
        [
          [0, 8],
          [now, 4],
        ],
        { type: 'counter', unit: 's' },
      );
    expect(said([waiting(0.00001)])).toEqual([]);
    expect(said([waiting(0.2)])).toHaveLength(1);
  });

  it('is nothing where it only moves as much as before', () => {
    expect(
      said([
        series('app_errors', [
          [1, 2],
          [9, 2],
          [2, 3],
          [8, 2],
          [1, 2],
          [10, 3],
        ]),
      ]),
    ).toEqual([]);
  });
});

describe('what the alert names', () => {
  /** As CloudWatch's exporters name it, each minute, with what else they report on. */
  const rds = (instance: string, metric: string, values: readonly number[]) =>
    series(
      `aws_rds_${metric}`,
      values.map((value) => [value, 1]),
      {
        service: 'yace',
        labels: {
          ...{ job: 'yace', instance: 'yace:5000', region: 'us-east-1' },
          dimension_DBInstanceIdentifier: instance,
          name: `arn:aws:rds:us-east-1:1:db:${instance}`,
        },
      },
    );
  const quiet = rds('users-prod', 'read_iops_average', [9, 9, 9, 8, 9, 9, 9, 8, 9, 9]);
  const told = (all: readonly Exported[], ...stated: string[]) =>
    statesIn(all, new Set(), new Set(stated)).map(({ object, sentence }) => [object, sentence]);

  it('is told either way, first what is nearly used up, by the words of its metrics', () => {
    const all = [
      rds(
        'orders-prod',
        'free_storage_space_minimum',
        [14e9, 14e9, 14e9, 12e9, 10e9, 8e9, 6e9, 4e9, 2e9, 5e8],
      ),
      rds('orders-prod', 'cpuutilization_average', [18, 19, 18, 19, 92, 92, 91, 92, 92, 91]),
      rds('orders-prod', 'disk_queue_depth_average', [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 31, 33, 34, 33]),
      quiet,
    ];
    expect(told(all, 'orders-prod', 'us-east-1')).toEqual([
      [
        'app/orders-prod',
        'orders-prod has changed since 09:30 UTC: the storage space is running out (`aws_rds_free_storage_space_minimum` fell from 14 G to 2 G); the CPU is at 92 % (`aws_rds_cpuutilization_average` rose from 18.5 to 92); `aws_rds_disk_queue_depth_average` rose from 0.1 to 33 at 09:31 UTC.',
      ],
    ]);
    expect(told(all)).toEqual([]);
    // What all have, such as a region, names none of them.
    expect(told(all, 'us-east-1')).toEqual([]);
  });

  it('begins with the first of what is told of it', () => {
    const late = (metric: string) => rds('orders-prod', metric, [...Array(8).fill(0), 9, 9, 9, 9]);
    const early = rds('orders-prod', 'read_iops_average', [3, 3, 3, 3, 3, ...Array(7).fill(12)]);
    expect(told([early, late('a'), late('b'), late('c'), quiet], 'orders-prod')[0]?.[1]).toMatch(
      /^orders-prod has changed since 09:32 UTC: (?:`aws_rds_[abc]` rose from 0 to 9(?:; |\.$)){3}/u,
    );
  });

  it('begins where it collapses, though the first sample was the largest', () => {
    const writes = rds(
      'billing',
      'write_iops_average',
      [3920, 3880, 3700, 3810, 3750, 3690, 3720, 3700, 0, 0, 0, 0],
    );
    expect(told([writes, quiet], 'billing')[0]?.[1]).toContain('billing has changed since 09:32 UTC');
  });

  it('is each of several things, the one that departs furthest first', () => {
    const all = [
      rds('users-prod', 'write_iops_average', [380, 380, 380, 381, 380, 4e3, 4e3, 4e3, 4e3, 4e3]),
      rds('users-prod-replica-1', 'replica_lag_maximum', [15, 15, 15, 15, 15, 1200, 1240, 1240, 1240, 1240]),
      quiet,
    ];
    expect(told(all, 'users-prod', 'users-prod-replica-1')).toEqual([
      [
        'app/users-prod-replica-1',
        'users-prod-replica-1 has changed since 09:31 UTC: `aws_rds_replica_lag_maximum` rose from 15 to 1240; users-prod: `aws_rds_write_iops_average` rose from 380 to 4000.',
      ],
    ]);
  });

  it('is a machine by the host of its address, whose CPU is the part that is not idle', () => {
    const cpu = (mode: string, before: number, now: number) =>
      series(
        'node_cpu_seconds_total',
        [
          [before, 8],
          [now, 4],
        ],
        {
          type: 'counter',
          unit: 's',
          service: 'node',
          labels: { job: 'node', instance: 'web-1:9100', mode },
        },
      );
    const load = series('node_load1', [[1, 12]], {
      service: 'node',
      labels: { job: 'node', instance: 'web-2:9100' },
    });
    const all = [cpu('idle', 0.9, 0.05), cpu('user', 0.1, 0.95), load];
    expect(told(all, 'web-1:9100')).toEqual([
      [
        'app/web-1',
        'web-1 has changed since 09:32 UTC: the CPU is at 95 % (`node_cpu_seconds_total{mode="idle"}` fell from 0.9 cores to 0.05 cores).',
      ],
    ]);
  });
});

describe('what is exported of a thing', () => {
  const names = new Set(['shop']);
  it('is what its target exports and what names it, with what of it departed, counted', () => {
    const still = series('a', [[5, 12]]);
    const moved = series('b', [
      [5, 8],
      [50, 4],
    ]);
    const named = series('c', [[5, 12]], { service: 'exporter', labels: { dbinstance_identifier: 'shop' } });
    const short = series('d', [[5, 3]]);
    const other = series('e', [[5, 12]], { service: 'exporter', labels: {} });
    const { series: compared, departed } = exportedOf('shop', [still, moved, named, short, other], names);
    expect(compared.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(departed.map(({ of }) => of.name)).toEqual(['b']);
  });
});

it('hears of locks, and in blocks and clocks of none', () => {
  const heard = ['db_exclusivelock_count', 'db_locks', 'vm_blocks', 'clock_seconds'].filter((name) =>
    speaksOfFailure(series(name, [[1, 2]])),
  );
  expect(heard).toEqual(['db_exclusivelock_count', 'db_locks']);
});
