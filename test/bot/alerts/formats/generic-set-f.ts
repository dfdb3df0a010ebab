import {
  blocks,
  card,
  context,
  fieldsOf,
  header,
  lines,
  said,
  section,
  sectionFields,
  type Told,
  told,
} from './generic-messages.ts';

export const alertsF: readonly Told[] = [
  told(
    'Northstar',
    (status: string, color: string, svc: string, rate: string, at: string) =>
      card({
        color,
        title: `High error rate on ${svc}`,
        title_link: 'https://northstar.example.io/alerts/overview',
        fields: fieldsOf({
          Status: status,
          Severity: 'critical',
          Environment: 'prod',
          Service: svc,
          'Error rate': rate,
          Time: at,
        }),
      }),
    [
      ['Firing', '#FF0000', 'basket-api', '12.1%', '2026-11-18T05:30:11Z'],
      ['Firing', '#FF0000', 'basket-api', '14.0%', '2026-11-18T05:40:11Z'],
      ['Resolved', '#00AA00', 'basket-api', '0.1%', '2026-11-18T06:30:11Z'],
      ['Firing', '#FF0000', 'wallet-api', '12.1%', '2026-11-18T05:30:11Z'],
    ],
    {
      title: 'High error rate on basket-api',
      severity: 'high',
      environment: 'prod',
      service: 'basket-api',
      triggeredAt: '2026-11-18T05:30:11Z',
    },
  ),
  told(
    'Datascope',
    (mark: string, head: string, table: string, n: string) =>
      blocks(
        section(`${mark} *${head}*`),
        sectionFields(
          `*Table:*\n${table}`,
          `*Rows:*\n${n}`,
          '*Expected:*\n> 100,000',
          '*Pipeline:*\nnightly_load',
        ),
        context('datascope · warehouse-eu · severity: high'),
      ),
    [
      [':red_circle:', 'Volume check failed', 'fact_orders', '1,204'],
      [':red_circle:', 'Volume check failed', 'fact_orders', '977'],
      [':large_green_circle:', 'Volume check passed', 'fact_orders', '212,004'],
      [':red_circle:', 'Volume check failed', 'fact_returns', '1,204'],
    ],
    { severity: 'high' },
  ),
  lines('Torch', [
    'torch | prod | api-gateway | 5xx 8.2% | threshold 2% | ALERT',
    'torch | prod | api-gateway | 5xx 9.9% | threshold 2% | ALERT',
    'torch | prod | api-gateway | 5xx 0.1% | threshold 2% | OK',
    'torch | prod | auth-gateway | 5xx 8.2% | threshold 2% | ALERT',
  ]),
  lines('Moat', [
    'DDoS mitigation started for 203.0.113.0/24: 41 Gbit/s UDP flood',
    'DDoS mitigation started for 203.0.113.0/24: 88 Gbit/s UDP flood',
    'DDoS mitigation ended for 203.0.113.0/24: attack stopped',
    'DDoS mitigation started for 198.51.100.0/24: 41 Gbit/s UDP flood',
  ]),
  lines('Larder', [
    'Disk /data on elastic-7 is 92% full',
    'Disk /data on elastic-7 is 95% full',
    'Disk /data on elastic-7 is 63% full',
    'Disk /data on elastic-8 is 92% full',
  ]),
  lines('Mast', [
    'Antenna site BER-0412: sector 3 out of service',
    'Antenna site BER-0412: sector 3 out of service',
    'Antenna site BER-0412: sector 3 in service',
    'Antenna site BER-0413: sector 3 out of service',
  ]),
  told(
    'Hourglass',
    (state: string, task: string, late: string) =>
      said(
        `:hourglass: Scheduled task \`${task}\` ${state}\n> last run: 2026-11-17 02:00 UTC\n> late by: ${late}\n> server: cron-2`,
      ),
    [
      ['did not run', 'prune-carts', '3 h'],
      ['did not run', 'prune-carts', '5 h'],
      ['is running on schedule again', 'prune-carts', '0 h'],
      ['did not run', 'prune-users', '3 h'],
    ],
    { host: 'cron-2' },
  ),
  lines('Prism', [
    'ModelServer ranker-v12: prediction latency 812 ms (SLO 200 ms)',
    'ModelServer ranker-v12: prediction latency 1,020 ms (SLO 200 ms)',
    'ModelServer ranker-v12: prediction latency 144 ms (SLO 200 ms)',
    'ModelServer ranker-v13: prediction latency 812 ms (SLO 200 ms)',
  ]),
  lines(
    'Beekeeper',
    [
      '[HIGH] Possible data exfiltration from host fin-ws-22 (4.1 GB to unknown destination)',
      '[HIGH] Possible data exfiltration from host fin-ws-22 (6.8 GB to unknown destination)',
      '[CLOSED] Possible data exfiltration from host fin-ws-22',
      '[HIGH] Possible data exfiltration from host fin-ws-31 (4.1 GB to unknown destination)',
    ],
    { host: 'fin-ws-22', severity: 'high' },
  ),
  told(
    'Tidepool',
    (kind: string, color: string, pool: string, used: string) =>
      card({
        color,
        author_name: 'Tidepool',
        title: 'Connection pool saturation',
        text: `${kind}: pool *${pool}* uses ${used} of 100 connections`,
        footer: 'tidepool v2 | db-eu-1',
      }),
    [
      ['Alert', '#d00', 'orders-rw', '98'],
      ['Alert', '#d00', 'orders-rw', '100'],
      ['Recovery', '#0a0', 'orders-rw', '31'],
      ['Alert', '#d00', 'orders-ro', '98'],
    ],
    { title: 'Connection pool saturation' },
  ),
  lines(
    'Windsock',
    [
      'Elevated latency for region ap-south-1: p95 1.9 s',
      'Elevated latency for region ap-south-1: p95 2.7 s',
      'Latency for region ap-south-1 has returned to normal: p95 0.3 s',
      'Elevated latency for region eu-south-1: p95 1.9 s',
    ],
    { region: 'ap-south-1' },
  ),
  lines('Anvil', [
    'Build farm agent mac-mini-04 disconnected',
    'Build farm agent mac-mini-04 disconnected',
    'Build farm agent mac-mini-04 connected',
    'Build farm agent mac-mini-05 disconnected',
  ]),
  lines(
    'Quorumd',
    [
      'CRITICAL zookeeper ensemble zk-eu: 1 of 3 members alive',
      'CRITICAL zookeeper ensemble zk-eu: 1 of 3 members alive',
      'OK zookeeper ensemble zk-eu: 3 of 3 members alive',
      'CRITICAL zookeeper ensemble zk-us: 1 of 3 members alive',
    ],
    { severity: 'high' },
  ),
  told(
    'Penny',
    (emoji: string, what: string, acct: string, sum: string) =>
      said(
        `${emoji} ${what}\nAccount: ${acct}\nForecast: ${sum}\nBudget: $10,000\n<https://penny.example.io/budgets/b-77|Open budget>`,
      ),
    [
      ['🔴', 'Forecast exceeds budget', 'shared-prod', '$12,400'],
      ['🔴', 'Forecast exceeds budget', 'shared-prod', '$13,100'],
      ['🟢', 'Forecast within budget', 'shared-prod', '$9,800'],
      ['🔴', 'Forecast exceeds budget', 'shared-dev', '$12,400'],
    ],
    {},
  ),
  lines('Spindle', [
    'S.M.A.R.T. warning on nas-5 disk sdc: 48 reallocated sectors',
    'S.M.A.R.T. warning on nas-5 disk sdc: 96 reallocated sectors',
    'S.M.A.R.T. status on nas-5 disk sdc is healthy',
    'S.M.A.R.T. warning on nas-6 disk sda: 48 reallocated sectors',
  ]),
  told(
    'Relay: log line',
    (level: string, msg: string, svc: string, id: string) =>
      said(
        `time="2026-11-18T05:30:11Z" level=${level} msg="${msg}" service=${svc} env=prod request_id=${id}`,
      ),
    [
      ['error', 'upstream unavailable', 'relay-eu', 'a1b2c3'],
      ['error', 'upstream unavailable', 'relay-eu', 'd4e5f6'],
      ['info', 'upstream available again', 'relay-eu', '0f9e8d'],
      ['error', 'upstream unavailable', 'relay-us', 'a1b2c3'],
    ],
    { service: 'relay-eu', environment: 'prod' },
  ),
  lines('Doorbell', [
    'Door sensor warehouse-2 open for 14 minutes',
    'Door sensor warehouse-2 open for 44 minutes',
    'Door sensor warehouse-2 closed',
    'Door sensor warehouse-3 open for 14 minutes',
  ]),
  lines(
    'Italian',
    [
      '🔴 Il server posta-1 non risponde',
      '🔴 Il server posta-1 non risponde',
      '🟢 Il server posta-1 è di nuovo raggiungibile',
      '🔴 Il server posta-2 non risponde',
    ],
    { host: 'posta-1' },
  ),
  told(
    'Compass: incident',
    (state: string, id: string) =>
      blocks(
        header(`${state}: Search results are empty`),
        section(
          `*Incident* <https://compass.example.io/incidents/${id}|#${id}>\n*Severity:* SEV-1\n*Lead:* Kim`,
        ),
      ),
    [
      ['New incident', '5521'],
      ['New incident', '5521'],
      ['Incident resolved', '5521'],
      ['New incident', '5522'],
    ],
    { severity: 'high', alertUrl: 'https://compass.example.io/incidents/5521' },
  ),
  lines('Thread pool', [
    'executor "io-pool" on cart-3: 200/200 threads busy, 812 tasks rejected',
    'executor "io-pool" on cart-3: 200/200 threads busy, 1,400 tasks rejected',
    'executor "io-pool" on cart-3: 41/200 threads busy, 0 tasks rejected',
    'executor "io-pool" on cart-4: 200/200 threads busy, 812 tasks rejected',
  ]),
];

export const noiseF: readonly Record<string, unknown>[] = [
  said('Deploy of `cart` 1.5.0 to staging was approved by Sam'),
  said('Pipeline nightly #412 finished: all green'),
  said('New comment by Kim on SHOP-812: "still failing on my laptop"'),
  said('Backup verification report for November is available'),
  said('Dana started a poll: Which dashboard is broken the most?'),
  said('Reminder: rotate on-call phones'),
  said('Version 2.0 of the mobile app is in review'),
  said('The alert "Disk full" was muted by Sam for 2 hours'),
  said('Incident retro for #5521 is on Thursday'),
  said('Feature `dark-mode` enabled for 10 % of users'),
  said('5 new sign-ups today'),
  said('Kubernetes cronjob cleanup finished successfully'),
  said('PR #99: "Avoid crash on empty cart" needs review'),
  said('Air quality in the office is good today'),
  said('Billing: invoice INV-2291 was paid'),
  said('Schema migration 91 applied to users-db'),
  said('Robin uploaded `crash-logs.zip`'),
  said('Welcome aboard, Alex!'),
  card({ color: 'good', title: 'Release 9.1 is live', text: 'Thanks to everyone who helped' }),
  blocks(header('Numbers of the week'), section('Orders: 12,400\nErrors: 0.1 %\nTickets: 41')),
];
