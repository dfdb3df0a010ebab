import {
  blocks,
  button,
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

export const alertsE: readonly Told[] = [
  told(
    'Overwatch',
    (state: string, color: string, node: string, val: string) =>
      card({
        color,
        title: `${state}: Node memory pressure`,
        text: `Memory on ${node} at ${val}`,
        fields: fieldsOf({
          Node: node,
          Env: 'staging',
          Severity: 'warning',
          'Started at': '2026-11-18 05:30:11 UTC',
        }),
        actions: [
          { type: 'button', text: 'Runbook', url: 'https://wiki.example.io/mem' },
          { type: 'button', text: 'View alert', url: 'https://ow.example.io/alerts/view' },
        ],
      }),
    [
      ['FIRING', 'danger', 'worker-4', '95 %'],
      ['FIRING', 'danger', 'worker-4', '97 %'],
      ['RESOLVED', 'good', 'worker-4', '44 %'],
      ['FIRING', 'danger', 'worker-5', '95 %'],
    ],
    {
      title: 'Node memory pressure',
      host: 'worker-4',
      environment: 'staging',
      severity: 'medium',
      triggeredAt: '2026-11-18T05:30:11Z',
      alertUrl: 'https://ow.example.io/alerts/view',
    },
  ),
  lines('Kestrel', [
    '🚨 payments-db: replication lag 94s exceeds 30s',
    '🚨 payments-db: replication lag 131s exceeds 30s',
    '✅ payments-db: replication lag 2s, back under 30s',
    '🚨 orders-db: replication lag 94s exceeds 30s',
  ]),
  told(
    'Canarytrap',
    (mark: string, text: string, url: string) =>
      blocks(
        section(`${mark} ${text}`),
        context('synthetic · every 60 s · eu-west-2'),
        button('Open check', url),
      ),
    [
      [':x:', '*Homepage* check failed: HTTP 503', 'https://canary.example.io/checks/hp-1'],
      [':x:', '*Homepage* check failed: timeout after 10 s', 'https://canary.example.io/checks/hp-1'],
      [':white_check_mark:', '*Homepage* check recovered', 'https://canary.example.io/checks/hp-1'],
      [':x:', '*Basket* check failed: HTTP 503', 'https://canary.example.io/checks/bk-2'],
    ],
    { region: 'eu-west-2' },
  ),
  lines(
    'Rotor',
    [
      'WARNING: vibration of turbine-3 is 9.1 mm/s (limit 7.1 mm/s)',
      'WARNING: vibration of turbine-3 is 9.9 mm/s (limit 7.1 mm/s)',
      'CLEARED: vibration of turbine-3 is 4.0 mm/s (limit 7.1 mm/s)',
      'WARNING: vibration of turbine-4 is 9.1 mm/s (limit 7.1 mm/s)',
    ],
    { severity: 'medium' },
  ),
  lines('Bucketwatch', [
    'Bucket `invoices-archive` became publicly readable',
    'Bucket `invoices-archive` is publicly readable since 2 hours - exposure detected',
    'Bucket `invoices-archive` is private again',
    'Bucket `hr-archive` became publicly readable',
  ]),
  told(
    'Tasktide',
    (state: string, job: string, run: string, msg: string) =>
      said(`*Job ${state}*\nName: ${job}\nRun: ${run}\nMessage: ${msg}\nOwner: data-platform`),
    [
      ['failed', 'export-ledger', '88121', 'java.net.SocketTimeoutException: Read timed out'],
      ['failed', 'export-ledger', '88140', 'java.net.SocketTimeoutException: Read timed out'],
      ['recovered', 'export-ledger', '88163', 'finished in 212 s'],
      ['failed', 'import-ledger', '88121', 'java.net.SocketTimeoutException: Read timed out'],
    ],
    { errorMessage: 'java.net.SocketTimeoutException: Read timed out' },
  ),
  lines('Lagoon', [
    'Consumer group fraud-scoring on topic payments: lag 1.2M, growing',
    'Consumer group fraud-scoring on topic payments: lag 1.9M, growing',
    'Consumer group fraud-scoring on topic payments: lag 40, normal',
    'Consumer group mail-sender on topic payments: lag 1.2M, growing',
  ]),
  lines(
    'Sonar tower',
    [
      'Alert #8812 OPEN | High CPU | host app-3.example.io | 96%',
      'Alert #8840 OPEN | High CPU | host app-3.example.io | 98%',
      'Alert #8812 CLOSED | High CPU | host app-3.example.io | 22%',
      'Alert #8813 OPEN | High CPU | host app-4.example.io | 96%',
    ],
    { host: 'app-3.example.io' },
  ),
  told(
    'Mailroom',
    (state: string, rate: string, domain: string) =>
      blocks(
        header(`Mail deliverability: ${state}`),
        sectionFields(`*Domain*\n${domain}`, `*Bounce rate*\n${rate}`, '*Severity*\nSev 2', '*Stage*\nprod'),
      ),
    [
      ['degraded', '12 %', 'news.acme.example'],
      ['degraded', '18 %', 'news.acme.example'],
      ['healthy', '0.4 %', 'news.acme.example'],
      ['degraded', '12 %', 'shop.acme.example'],
    ],
    { severity: 'medium', environment: 'prod' },
  ),
  lines('Switchyard', [
    'Port Gi1/0/7 on access-sw-11 is err-disabled (bpduguard)',
    'Port Gi1/0/7 on access-sw-11 is err-disabled (loopback)',
    'Port Gi1/0/7 on access-sw-11 is up again',
    'Port Gi1/0/9 on access-sw-11 is err-disabled (bpduguard)',
  ]),
  lines('Snapshotter', [
    'Snapshot of vol-0a1b2c failed (quota exceeded)',
    'Snapshot of vol-0a1b2c failed (quota exceeded), attempt 3',
    'Snapshot of vol-0a1b2c OK after 2 failures, recovered',
    'Snapshot of vol-9f8e7d failed (quota exceeded)',
  ]),
  lines('Feature store', [
    'Feature `avg_basket_7d` has 31% nulls, expected below 5%',
    'Feature `avg_basket_7d` has 44% nulls, expected below 5%',
    'Feature `avg_basket_7d` has 1% nulls, expected below 5%',
    'Feature `clicks_24h` has 31% nulls, expected below 5%',
  ]),
  told(
    'Burnwatch',
    (sev: string, svc: string, win: string, status: string) =>
      card({
        color: status === 'ok' ? '#2eb886' : '#a30200',
        title: `Error budget burn - ${svc}`,
        fields: fieldsOf({ Service: svc, Window: win, 'Burn rate': '14.4', Urgency: sev, Status: status }),
        footer: 'burnwatch',
      }),
    [
      ['high', 'cart', '1h', 'burning'],
      ['high', 'cart', '6h', 'burning'],
      ['high', 'cart', '1h', 'ok'],
      ['high', 'search', '1h', 'burning'],
    ],
    { service: 'cart', severity: 'high' },
  ),
  lines('Gatekeeper', [
    'Unauthorized root login on bastion-eu from 203.0.113.9',
    'Unauthorized root login on bastion-eu from 203.0.113.77',
    'Resolved: Unauthorized root login on bastion-eu',
    'Unauthorized root login on bastion-us from 203.0.113.9',
  ]),
  lines('Chiller', [
    'Chiller 2 tripped (high discharge temperature)',
    'Chiller 2 tripped (high discharge temperature)',
    'Chiller 2 running normally',
    'Chiller 3 tripped (high discharge temperature)',
  ]),
  lines('Portuguese', [
    '🔴 Serviço de pagamentos fora do ar (pay-br-1)',
    '🔴 Serviço de pagamentos fora do ar (pay-br-1)',
    '🟢 Serviço de pagamentos voltou ao normal (pay-br-1)',
    '🔴 Serviço de pagamentos fora do ar (pay-br-2)',
  ]),
  lines(
    'German fields',
    [
      'Störung: Datenbank langsam\nServer: db-muc-2\nPriorität: hoch\nUmgebung: Produktion\nZeit: 2026-11-18 05:30:11',
      'Störung: Datenbank langsam\nServer: db-muc-2\nPriorität: hoch\nUmgebung: Produktion\nZeit: 2026-11-18 06:30:11',
      'Entwarnung: Datenbank langsam\nServer: db-muc-2\nPriorität: hoch\nUmgebung: Produktion\nZeit: 2026-11-18 07:30:11',
      'Störung: Datenbank langsam\nServer: db-muc-3\nPriorität: hoch\nUmgebung: Produktion\nZeit: 2026-11-18 05:30:11',
    ],
    { host: 'db-muc-2', triggeredAt: '2026-11-18T05:30:11Z' },
  ),
  lines('Stackhound', [
    'PanicError in ledger-service: nil map write (12 times in 5 min)',
    'PanicError in ledger-service: nil map write (31 times in 5 min)',
    'PanicError in ledger-service: no occurrences in 30 min, resolved',
    'PanicError in wallet-service: nil map write (12 times in 5 min)',
  ]),
  told(
    'Beehive',
    (color: string, text: string) =>
      card({ color, fallback: text, text, author_name: 'Beehive', ts: 1794993262 }),
    [
      ['#cc0000', 'Hive gateway-eu: requests failing at 12/s'],
      ['#cc0000', 'Hive gateway-eu: requests failing at 31/s'],
      ['#00cc44', 'Hive gateway-eu: requests healthy at 0/s'],
      ['#cc0000', 'Hive gateway-us: requests failing at 12/s'],
    ],
    {},
  ),
  lines('Vaultkeeper', [
    'Vault cluster vault-eu is sealed',
    'Vault cluster vault-eu is sealed',
    'Vault cluster vault-eu is unsealed',
    'Vault cluster vault-us is sealed',
  ]),
  lines('Cronitor style', [
    'Heartbeat "sync-prices" has not checked in for 25 minutes',
    'Heartbeat "sync-prices" has not checked in for 55 minutes',
    'Heartbeat "sync-prices" checked in again',
    'Heartbeat "sync-stock" has not checked in for 25 minutes',
  ]),
  lines('Ceph', [
    'ceph-eu: HEALTH_WARN 2 osds down',
    'ceph-eu: HEALTH_ERR 4 osds down',
    'ceph-eu: HEALTH_OK',
    'ceph-us: HEALTH_WARN 2 osds down',
  ]),
  lines('latency spike with from-to', [
    'Latency of geo-api jumped from 40 ms to 912 ms',
    'Latency of geo-api jumped from 40 ms to 1204 ms',
    'Latency of geo-api returned to 41 ms',
    'Latency of map-api jumped from 40 ms to 912 ms',
  ]),
  lines('ingest', [
    'No events from tenant globex for 30 minutes',
    'No events from tenant globex for 90 minutes',
    'Events from tenant globex are flowing again',
    'No events from tenant initech for 30 minutes',
  ]),
  lines('swap partner', [
    "SFTP drop of partner-nordbank is missing today's file",
    "SFTP drop of partner-nordbank is still missing today's file",
    "SFTP drop of partner-nordbank has received today's file",
    "SFTP drop of partner-suedbank is missing today's file",
  ]),
];

export const noiseE: readonly Record<string, unknown>[] = [
  said('`shop-web` build 991 passed on main'),
  said('Kim merged "Handle 503 of the payment provider" into main'),
  said('Release train 48 leaves on Thursday, please finish your tickets'),
  said('3 people are waiting in the support queue'),
  said('Survey results: 81 % are happy with the new office'),
  said('GitLab: pipeline #8812 for main succeeded'),
  said('Dana created the incident channel #inc-2291'),
  said('Knowledge base: "Resolving replication errors" got 12 views'),
  said('Payroll for November has been processed'),
  said('Terraform Cloud: plan for network-prod needs confirmation'),
  said('We hit 10,000 users today! :tada:'),
  said('Certificate for shop.example.io was issued'),
  said('Scale-up: group web now has 8 instances'),
  said('Database migration 0231 completed on orders-db'),
  said('Notion: Sam edited *Outage playbook*'),
  said('Reminder from Robin: check the failed invoices'),
  said('New hire: Alex starts on Monday as SRE'),
  said('Statuspage: maintenance "Database upgrade" completed'),
  said("Today's menu: soup, curry, critical amounts of tiramisu"),
  said('Sales: deal "Initech" moved to Closed Won'),
  said('Alert settings saved by Kim'),
  said('Test notification from Overwatch: if you can read this, it works'),
  card({
    color: 'good',
    title: 'shop-api 3.2.0 released',
    text: '- fix: retry on timeout\n- feat: faster cart',
  }),
  card({ title: 'Capacity report', text: 'db-3: 61 % used, db-4: 44 % used' }),
  blocks(header('Retro on Friday'), section('Bring your ideas on how to reduce alert noise')),
];
