import { describe, expect, it } from 'vitest';
import { exportedOf, statesIn } from '../../../../src/service/telemetry/exported/states.ts';
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
        'shop departs from what it was at 09:32 UTC: `app_jobs_rejected_total` (Jobs that found no worker) went from 0/s to 4/s.',
        0.6,
      ],
    ]);
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

it('tells either way of what the alert names, such as a dimension of CloudWatch, also where it falls steadily', () => {
  const runs = [14, 14, 14, 12, 10, 8, 6, 4, 2, 0.5].map((gb) => [gb * 2 ** 30, 1] as const);
  const labels = { job: 'yace', instance: 'yace:5000', dimension_DBInstanceIdentifier: 'orders-prod' };
  const free = series('aws_rds_free_storage_space_bytes', runs, { unit: 'By', labels });
  expect(
    statesIn([free], new Set(), new Set(['orders-prod'])).map(({ object, sentence }) => [object, sentence]),
  ).toEqual([
    [
      'app/orders-prod',
      'orders-prod departs from what it was at 09:30 UTC: `aws_rds_free_storage_space_bytes{dimension_DBInstanceIdentifier="orders-prod"}` went from 14 GiB to 2 GiB.',
    ],
  ]);
  expect(statesIn([free], new Set())).toEqual([]);
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
