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

export const alertsC: readonly Told[] = [
  told(
    'Lighthouse: attachment with markdown body',
    (word: string, color: string, svc: string, value: string, at: string) =>
      card({
        color,
        title: `${word} | Error ratio too high`,
        title_link: 'https://lighthouse.example.io/alerting/rules/err-ratio-5m',
        text: `Service *${svc}* currently at *${value}*\nTriggered: ${at}`,
        fields: fieldsOf({ Team: 'payments', Sev: '2', Cluster: 'eu-prod-1' }),
      }),
    [
      ['Alert', '#ff0000', 'checkout', '7.4 %', '2026-11-18T05:30:11Z'],
      ['Alert', '#ff0000', 'checkout', '9.9 %', '2026-11-18T05:30:11Z'],
      ['Back to normal', '#00ff00', 'checkout', '0.2 %', '2026-11-18T05:30:11Z'],
      ['Alert', '#ff0000', 'invoicing', '7.4 %', '2026-11-18T05:30:11Z'],
    ],
    { title: 'Error ratio too high', triggeredAt: '2026-11-18T05:30:11Z' },
  ),
  told(
    'Sundial: scheduled jobs',
    (head: string, job: string, note: string) =>
      blocks(header(head), section(`Job *${job}*\n${note}`), context('Sundial • production • eu-central-1')),
    [
      ['Job overdue', 'daily-settlement', 'Expected at 04:00, 95 minutes late'],
      ['Job overdue', 'daily-settlement', 'Expected at 04:00, 155 minutes late'],
      ['Job on time again', 'daily-settlement', 'Finished at 06:41'],
      ['Job overdue', 'weekly-settlement', 'Expected at 04:00, 95 minutes late'],
    ],
    { region: 'eu-central-1' },
  ),
  lines('Heimdall one-liners', [
    '❌ [heimdall] gateway-eu: 5 of 6 upstreams unreachable',
    '❌ [heimdall] gateway-eu: 6 of 6 upstreams unreachable',
    '✅ [heimdall] gateway-eu: all upstreams reachable',
    '❌ [heimdall] gateway-us: 5 of 6 upstreams unreachable',
  ]),
  told(
    'Stoker: severity emoji, status in context',
    (mark: string, name: string, status: string, pct: string) =>
      blocks(
        section(`${mark} *${name}*`),
        sectionFields(
          '*Severity*\nCritical',
          `*Status*\n${status}`,
          `*Value*\n${pct}`,
          '*Threshold*\n85%',
          '*Instance*\nkafka-broker-2',
        ),
      ),
    [
      [':fire:', 'Broker disk usage', 'Open', '91%'],
      [':fire:', 'Broker disk usage', 'Open', '94%'],
      [':white_check_mark:', 'Broker disk usage', 'Closed', '60%'],
      [':fire:', 'Broker network usage', 'Open', '91%'],
    ],
    { title: 'Broker disk usage', severity: 'high', host: 'kafka-broker-2' },
  ),
  lines('Tripwire', [
    'tripwire: integrity check of /etc/passwd on bastion-1 FAILED',
    'tripwire: integrity check of /etc/passwd on bastion-1 FAILED',
    'tripwire: integrity check of /etc/passwd on bastion-1 PASSED',
    'tripwire: integrity check of /etc/passwd on bastion-2 FAILED',
  ]),
  lines(
    'Chronos',
    [
      'Clock skew of node cass-4 exceeds 250 ms (currently 412 ms)',
      'Clock skew of node cass-4 exceeds 250 ms (currently 533 ms)',
      'Clock skew of node cass-4 no longer exceeds 250 ms (currently 12 ms)',
      'Clock skew of node cass-5 exceeds 250 ms (currently 412 ms)',
    ],
    { host: 'cass-4' },
  ),
  told(
    'Ledger: pre-formatted table',
    (state: string, acc: string, diff: string) =>
      said(
        `Reconciliation ${state}\n\`\`\`\naccount    : ${acc}\ndifference : ${diff}\ncurrency   : EUR\n\`\`\``,
      ),
    [
      ['mismatch', 'settlement-eu', '1204.11'],
      ['mismatch', 'settlement-eu', '1310.02'],
      ['mismatch resolved', 'settlement-eu', '0.00'],
      ['mismatch', 'settlement-us', '1204.11'],
    ],
    {},
  ),
  lines('Grapevine', [
    'grapevine: cannot reach smtp-relay.acme.example:587 since 05:30',
    'grapevine: cannot reach smtp-relay.acme.example:587 since 05:30, retried 12 times',
    'grapevine: smtp-relay.acme.example:587 reachable after 22 min',
    'grapevine: cannot reach imap.acme.example:993 since 05:30',
  ]),
  lines('percentages with arrows', [
    'cpu@web-12 ↑ 97% (>90%)',
    'cpu@web-12 ↑ 99% (>90%)',
    'cpu@web-12 ↓ 41% (<90%)',
    'cpu@web-13 ↑ 97% (>90%)',
  ]),
  told(
    'Harbour: registry',
    (action: string, image: string, cve: string) =>
      card({
        color: action === 'Vulnerability fixed' ? '#2EB67D' : '#E01E5A',
        title: `${action}: ${cve}`,
        text: `Image \`${image}\` contains openssl 3.0.1`,
        fields: fieldsOf({ Image: image, Severity: 'High', 'First found': '2026-11-17' }),
      }),
    [
      ['Vulnerability found', 'shop/cart', 'CVE-2026-1234'],
      ['Vulnerability found', 'shop/cart', 'CVE-2026-1234'],
      ['Vulnerability fixed', 'shop/cart', 'CVE-2026-1234'],
      ['Vulnerability found', 'shop/cart', 'CVE-2026-9999'],
    ],
    { severity: 'high' },
  ),
  lines('SRE bot', [
    ':rotating_light: SLO at risk: `search/latency` burned 62 % of its monthly error budget',
    ':rotating_light: SLO at risk: `search/latency` burned 71 % of its monthly error budget',
    ':large_green_circle: SLO healthy: `search/latency` burned 71 % of its monthly error budget',
    ':rotating_light: SLO at risk: `cart/latency` burned 62 % of its monthly error budget',
  ]),
  told(
    'Postie: e-mail style with dashes',
    (subject: string, host: string, state: string, info: string) =>
      said(
        `***** Postie *****\nNotification: ${subject}\nHost: ${host}\nService: swap\nState: ${state}\nDate/Time: 2026-11-18 05:30:11\nAdditional info: ${info}`,
      ),
    [
      ['PROBLEM', 'app-17', 'CRITICAL', 'SWAP CRITICAL - 3% free'],
      ['PROBLEM', 'app-17', 'CRITICAL', 'SWAP CRITICAL - 1% free'],
      ['RECOVERY', 'app-17', 'OK', 'SWAP OK - 88% free'],
      ['PROBLEM', 'app-18', 'CRITICAL', 'SWAP CRITICAL - 3% free'],
    ],
    { host: 'app-17', service: 'swap' },
  ),
  lines('VPN', [
    'Tunnel hq ↔ plant-2 is down (DPD timeout)',
    'Tunnel hq ↔ plant-2 is down (no proposal chosen)',
    'Tunnel hq ↔ plant-2 is established',
    'Tunnel hq ↔ plant-3 is down (DPD timeout)',
  ]),
  lines('Printer fleet', [
    'Printer 12 (2nd floor): toner empty',
    'Printer 12 (2nd floor): toner empty',
    'Printer 12 (2nd floor): toner replaced, ready',
    'Printer 14 (2nd floor): toner empty',
  ]),
  lines('object storage', [
    'Bucket media-eu: replication lag 4h 12m, objective 15m',
    'Bucket media-eu: replication lag 5h 02m, objective 15m',
    'Bucket media-eu: replication lag 3m, objective 15m',
    'Bucket media-us: replication lag 4h 12m, objective 15m',
  ]),
  told(
    'Watchman: rich text',
    (emoji: string, words: string, name: string, rest: string) =>
      blocks({
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'emoji', name: emoji },
              { type: 'text', text: ' ' },
              { type: 'text', text: name, style: { bold: true } },
              { type: 'text', text: ` ${words}` },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: rest }] }],
          },
        ],
      }),
    [
      ['red_circle', 'has been failing for 4 minutes', 'checkout-canary', 'host: probe-3'],
      ['red_circle', 'has been failing for 34 minutes', 'checkout-canary', 'host: probe-3'],
      ['large_green_circle', 'has been passing for 2 minutes', 'checkout-canary', 'host: probe-3'],
      ['red_circle', 'has been failing for 4 minutes', 'login-canary', 'host: probe-3'],
    ],
    { host: 'probe-3' },
  ),
  lines('license', [
    'Licence of matlab-pool: 50 of 50 seats taken',
    'Licence of matlab-pool: 50 of 50 seats taken, 3 people waiting',
    'Licence of matlab-pool: 31 of 50 seats taken',
    'Licence of ansys-pool: 50 of 50 seats taken',
  ]),
  lines('GPU', [
    'GPU 3 on dgx-1 throws Xid 79 (fallen off the bus)',
    'GPU 3 on dgx-1 throws Xid 79 (fallen off the bus)',
    'GPU 3 on dgx-1 is back after reset',
    'GPU 5 on dgx-1 throws Xid 79 (fallen off the bus)',
  ]),
  lines(
    'kv lines',
    [
      'event=threshold_breached metric=heap_used target=search-2 value=0.97 limit=0.9 state=breached level=critical',
      'event=threshold_breached metric=heap_used target=search-2 value=0.98 limit=0.9 state=breached level=critical',
      'event=threshold_cleared metric=heap_used target=search-2 value=0.41 limit=0.9 state=ok level=critical',
      'event=threshold_breached metric=heap_used target=search-3 value=0.97 limit=0.9 state=breached level=critical',
    ],
    { severity: 'high' },
  ),
  lines('German sentences', [
    'Der Dienst Bestellungen auf srv-best-2 antwortet nicht mehr',
    'Der Dienst Bestellungen auf srv-best-2 antwortet nicht mehr',
    'Der Dienst Bestellungen auf srv-best-2 antwortet wieder',
    'Der Dienst Rechnungen auf srv-rech-2 antwortet nicht mehr',
  ]),
  told(
    'Quayside: incident card',
    (state: string, key: string, comp: string) =>
      blocks(
        section(`*${state}* · <https://quayside.example.io/incidents/${key}|Payments API returns errors>`),
        section(`Components: ${comp}\nPriority: P1\nEnvironment: production`),
      ),
    [
      ['Investigating', 'qs-88a1', 'payments-api'],
      ['Identified', 'qs-88a1', 'payments-api, ledger'],
      ['Resolved', 'qs-88a1', 'payments-api'],
      ['Investigating', 'qs-88a2', 'payments-api'],
    ],
    {
      severity: 'high',
      environment: 'production',
      alertUrl: 'https://quayside.example.io/incidents/qs-88a1',
    },
  ),
  lines('water', [
    'Pump P-104: discharge pressure 1.2 bar, minimum 2.5 bar',
    'Pump P-104: discharge pressure 0.9 bar, minimum 2.5 bar',
    'Pump P-104: discharge pressure 3.4 bar, minimum 2.5 bar',
    'Pump P-105: discharge pressure 1.2 bar, minimum 2.5 bar',
  ]),
  lines('search cluster', [
    'Elasticsearch cluster logs-eu turned yellow: 12 unassigned shards',
    'Elasticsearch cluster logs-eu turned red: 3 unassigned primaries',
    'Elasticsearch cluster logs-eu turned green',
    'Elasticsearch cluster logs-us turned yellow: 12 unassigned shards',
  ]),
  lines('dead letters', [
    '17 messages in dead-letter queue orders-dlq',
    '42 messages in dead-letter queue orders-dlq',
    'Dead-letter queue orders-dlq is empty again',
    '17 messages in dead-letter queue refunds-dlq',
  ]),
  lines('mobile', [
    'Crash-free sessions of Acme iOS 5.2 fell to 96.1 % (target 99.5 %)',
    'Crash-free sessions of Acme iOS 5.2 fell to 95.4 % (target 99.5 %)',
    'Crash-free sessions of Acme iOS 5.2 recovered to 99.7 % (target 99.5 %)',
    'Crash-free sessions of Acme Android 5.2 fell to 96.1 % (target 99.5 %)',
  ]),
  told(
    'Metronome: two attachments',
    (state: string, color: string, check: string, out: string) =>
      card(
        { color, title: `${check} – ${state}`, fallback: `${check} ${state}` },
        { text: `\`\`\`${out}\`\`\``, fields: fieldsOf({ 'Run by': 'metronome-2' }) },
      ),
    [
      ['failing', 'danger', 'api/login', 'AssertionError: expected 200, got 502'],
      ['failing', 'danger', 'api/login', 'AssertionError: expected 200, got 504'],
      ['passing', 'good', 'api/login', 'ok'],
      ['failing', 'danger', 'api/search', 'AssertionError: expected 200, got 502'],
    ],
    {},
  ),
  lines(
    'exceptions',
    [
      'OrderNotFoundError in orders-worker (v2.3.1): order 8821 does not exist [prod]',
      'OrderNotFoundError in orders-worker (v2.3.1): order 9412 does not exist [prod]',
      '[Resolved] OrderNotFoundError in orders-worker (v2.3.1)',
      'PaymentDeclinedError in billing-worker (v2.3.1): card 8821 declined [prod]',
    ],
    { environment: 'prod' },
  ),
  lines('rates', [
    'login-failures: 412/min, usually 20/min',
    'login-failures: 530/min, usually 20/min',
    'login-failures: 18/min, usually 20/min',
    'payment-failures: 412/min, usually 20/min',
  ]),
  lines('domain', [
    'Domain acme-shop.example expires on 2026-12-01 (in 13 days)',
    'Domain acme-shop.example expires on 2026-12-01 (in 12 days)',
    'Domain acme-shop.example was renewed until 2027-12-01, alert closed',
    'Domain acme-pay.example expires on 2026-12-01 (in 13 days)',
  ]),
  lines(
    'ingress',
    [
      'WARN ingress-nginx: 4xx ratio for shop.acme.example 22% (warn at 10%)',
      'WARN ingress-nginx: 4xx ratio for shop.acme.example 31% (warn at 10%)',
      'OK ingress-nginx: 4xx ratio for shop.acme.example 2% (warn at 10%)',
      'WARN ingress-nginx: 4xx ratio for pay.acme.example 22% (warn at 10%)',
    ],
    { severity: 'medium' },
  ),
];

export const noiseC: readonly Record<string, unknown>[] = [
  said('Kim started a huddle in #ops'),
  said('Build 5521 of `shop-ui` is green :tada:'),
  said('Reviewers needed: <https://git.example.io/shop/-/merge_requests/77|Draft: handle dead letters>'),
  said('Customer feedback (2 stars): "The app crashes all the time"'),
  said('You have 3 overdue tasks in *Ops board*'),
  said('Lunch is here! :pizza:'),
  said('Deploy window opens at 14:00 UTC'),
  said('Freeze reminder: no deploys from 23 December to 2 January'),
  said('shop 4.12.0 has been deployed to production (12 commits, by Kim)'),
  said('Rolled out feature *fast-pay* to 25 % of users'),
  said('New sign-in from Berlin, Germany'),
  said('Monthly availability: checkout 99.98 %, search 99.91 %'),
  said('Backups: 41 of 41 succeeded last night'),
  said('Kubernetes was upgraded to 1.33 on cluster eu-prod-1'),
  said('Alice and Bob are out of office today'),
  said('Interview with candidate #18 at 15:00'),
  said('Blog: How we survived the worst outage of the year'),
  said('RSS: Cloud provider announces new region in Madrid'),
  said('Status update from vendor: planned network work on Sunday 02:00 UTC'),
  said('Jira: OPS-4411 moved from *In progress* to *Done*'),
  said('Jira: OPS-4412 "Alert when disk is full" was created by Dana'),
  said('Alert rule "High CPU" was changed by Sam: threshold 80 → 90'),
  said('Silence for DiskFull on db-7 created by Dana until 18:00'),
  said('Cron `cleanup-tmp` ran for 3 s, 812 files removed'),
  card({ title: 'Sprint 42 report', text: '31 stories done, 4 bugs open, velocity 40', color: 'good' }),
  card({
    color: '#36a64f',
    title: 'ETL finished',
    fields: fieldsOf({ Rows: '1,204,112', Rejected: 0, Duration: '41 min' }),
  }),
  card({
    title: 'Purchase order PO-8812',
    text: 'Needs your approval',
    fields: fieldsOf({ Amount: '$4,100', 'Requested by': 'Kim' }),
  }),
  blocks(
    header(':wave: Welcome to #alerts-prod'),
    section('This channel shows critical alerts of production. Please keep discussions in threads.'),
  ),
  blocks(
    section('*Trivia*: which country had the first fire brigade?'),
    button('Answer', 'https://trivia.example.io'),
  ),
  blocks(section('Dana set the status of *Checkout* to _Under maintenance_'), context('Status page')),
];
