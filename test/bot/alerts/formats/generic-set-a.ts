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

export const alertsA: readonly Told[] = [
  lines('restarts', [
    'Pod cart-api restarts: 14 in the last 10 min',
    'Pod cart-api restarts: 22 in the last 10 min',
    'Pod cart-api is stable again',
    'Pod mail-api restarts: 14 in the last 10 min',
  ]),
  lines('limits in words', [
    'Connections on pg-main are above the limit (482)',
    'Connections on pg-main are above the limit (491)',
    'Connections on pg-main are below the limit (112)',
    'Connections on pg-users are above the limit (482)',
  ]),
  lines('behind', [
    'Replica pg-replica-2 has fallen behind by 48 s',
    'Replica pg-replica-2 has fallen behind by 93 s',
    'Replica pg-replica-2 has caught up',
    'Replica pg-replica-3 has fallen behind by 48 s',
  ]),
  lines('connections', [
    'redis-sessions: connection refused',
    'redis-sessions: connection refused',
    'redis-sessions: connection restored',
    'redis-carts: connection refused',
  ]),
  lines('a reason that only the failure has', [
    'Backup of orders-db failed: no space left on device',
    'Backup of orders-db failed: no space left on device',
    'Backup of orders-db succeeded again',
    'Backup of users-db failed: no space left on device',
  ]),
  told(
    'a card with a status of its own words',
    (color: string, status: string, node: string, at: string) =>
      card({
        color,
        title: 'Storage pool nearly exhausted',
        title_link: 'https://vault.example.io/ui/overview',
        fields: fieldsOf({
          Machine: node,
          Stage: 'production',
          Level: 'major',
          Status: status,
          'Occurred at': at,
        }),
      }),
    [
      ['#d40e0d', 'Active', 'stor-11', '2026-11-18 05:30:11 UTC'],
      ['#d40e0d', 'Active', 'stor-11', '2026-11-18 06:30:11 UTC'],
      ['#0dd411', 'Cleared', 'stor-11', '2026-11-18 07:30:11 UTC'],
      ['#d40e0d', 'Active', 'stor-12', '2026-11-18 05:30:11 UTC'],
    ],
    {
      title: 'Storage pool nearly exhausted',
      host: 'stor-11',
      environment: 'production',
      severity: 'high',
      triggeredAt: '2026-11-18T05:30:11Z',
    },
  ),
  told(
    'block kit with a headline and fields',
    (mark: string, comp: string, p95: string) =>
      blocks(
        header(`${mark} Slow responses`),
        sectionFields(`*Component*\n${comp}`, '*Env*\nprod', '*Impact*\nHigh', `*p95*\n${p95}`),
        button('Open incident', 'https://watch.example.io/app/home'),
      ),
    [
      ['🔴', 'basket', '2.3 s'],
      ['🔴', 'basket', '2.9 s'],
      ['🟢', 'basket', '0.2 s'],
      ['🔴', 'wishlist', '2.3 s'],
    ],
    { title: 'Slow responses', service: 'basket', environment: 'prod', severity: 'high' },
  ),
  told(
    'an e-mail that was forwarded',
    (state: string, host: string, value: string, date: string) =>
      said(
        `Subject: ${state} - ${host} - Swap usage\nFrom: monitor@example.io\nDate: ${date}\n\nSwap usage on ${host} is now ${value}.\nThis is an automated message.`,
      ),
    [
      ['PROBLEM', 'app-17', '92%', 'Wed, 18 Nov 2026 05:30:11 +0000'],
      ['PROBLEM', 'app-17', '95%', 'Wed, 18 Nov 2026 06:30:11 +0000'],
      ['RECOVERY', 'app-17', '12%', 'Wed, 18 Nov 2026 07:30:11 +0000'],
      ['PROBLEM', 'app-18', '92%', 'Wed, 18 Nov 2026 05:30:11 +0000'],
    ],
    {},
  ),
  told(
    'cron pastes its log',
    (job: string, code: string, text: string) =>
      said(`cron@batch-2: \`${job}\` exited with code ${code}\n\`\`\`\n${text}\n\`\`\``),
    [
      ['sync-prices.sh', '1', 'ERROR 2026-11-18 05:30:11 could not connect to sftp.example.io'],
      ['sync-prices.sh', '2', 'ERROR 2026-11-18 05:40:11 could not connect to sftp.example.io'],
      ['sync-prices.sh', '0 again', 'INFO 2026-11-18 05:50:11 recovered, 412 prices'],
      ['sync-stock.sh', '1', 'ERROR 2026-11-18 05:30:11 could not connect to sftp.example.io'],
    ],
    {},
  ),
  lines('uptime with reasons', [
    ':x: https://pay.example.io is unreachable (ECONNREFUSED)',
    ':x: https://pay.example.io is unreachable (ETIMEDOUT)',
    ':white_check_mark: https://pay.example.io is reachable, outage lasted 4m 12s',
    ':x: https://shop.example.io is unreachable (ECONNREFUSED)',
  ]),
  lines('a queue', [
    'Queue `emails` backlog is growing: 18,204 waiting, oldest 14m',
    'Queue `emails` backlog is growing: 22,874 waiting, oldest 31m',
    'Queue `emails` backlog has drained: 3 waiting, oldest 2s',
    'Queue `invoices` backlog is growing: 18,204 waiting, oldest 14m',
  ]),
  lines('a database', [
    'Deadlocks on `orders-db`: 31/min, threshold 5/min',
    'Deadlocks on `orders-db`: 44/min, threshold 5/min',
    'Deadlocks on `orders-db`: 0/min, threshold 5/min',
    'Deadlocks on `users-db`: 31/min, threshold 5/min',
  ]),
  lines('certificates', [
    '⚠️ TLS certificate of api.example.io will expire in 6 days (2026-11-24)',
    '⚠️ TLS certificate of api.example.io will expire in 5 days (2026-11-24)',
    '✅ TLS certificate of api.example.io was renewed and expires in 89 days',
    '⚠️ TLS certificate of pay.example.io will expire in 6 days (2026-11-24)',
  ]),
  told(
    'security findings',
    (state: string, user: string, count: string) =>
      card({
        color: state === 'Closed' ? 'good' : 'danger',
        author_name: 'Sentinel-X',
        title: 'Brute force against SSH',
        text: `${count} failed logins for ${user}`,
        fields: fieldsOf({
          'Finding state': state,
          Risk: 'Critical',
          User: user,
          'Source IP': '203.0.113.7',
        }),
      }),
    [
      ['New', 'root@bastion-1', '412'],
      ['New', 'root@bastion-1', '512'],
      ['Closed', 'root@bastion-1', '0'],
      ['New', 'root@bastion-2', '412'],
    ],
    { title: 'Brute force against SSH', severity: 'high' },
  ),
  lines('cost', [
    'Cost anomaly: project *ml-lab* spent $1,204 today, expected $210',
    'Cost anomaly: project *ml-lab* spent $1,420 today, expected $210',
    'Cost anomaly ended: project *ml-lab* spent $190 today, expected $210',
    'Cost anomaly: project *web-lab* spent $1,204 today, expected $210',
  ]),
  lines('a data pipeline', [
    'Pipeline `sales_daily`: table is stale, last update 26h ago (SLA 24h)',
    'Pipeline `sales_daily`: table is stale, last update 30h ago (SLA 24h)',
    'Pipeline `sales_daily`: table is fresh, last update 1h ago (SLA 24h)',
    'Pipeline `stock_daily`: table is stale, last update 26h ago (SLA 24h)',
  ]),
  lines('a model', [
    'Model fraud-v3: drift score 0.41 crossed 0.25',
    'Model fraud-v3: drift score 0.52 crossed 0.25',
    'Model fraud-v3: drift score 0.11 back under 0.25',
    'Model churn-v1: drift score 0.41 crossed 0.25',
  ]),
  told(
    'a burn rate',
    (state: string, slo: string, rate: string) =>
      blocks(
        section(`*${state}* SLO *${slo}* is burning ${rate} too fast`),
        context('window 1h / 5m | environment: production | severity: page'),
      ),
    [
      ['BREACHING', 'checkout-availability', '14.4x'],
      ['BREACHING', 'checkout-availability', '16.0x'],
      ['OK', 'checkout-availability', '0.4x'],
      ['BREACHING', 'search-availability', '14.4x'],
    ],
    { environment: 'production', severity: 'high' },
  ),
  told(
    'JSON in a block of code',
    (state: string, svc: string, at: string, value: number) =>
      said(
        `\`\`\`{"status": "${state}", "rule": "error-budget", "service": "${svc}", "env": "prod", "severity": "critical", "value": ${value}, "time": "${at}"}\`\`\``,
      ),
    [
      ['firing', 'cart', '2026-11-18T05:30:11Z', 4.1],
      ['firing', 'cart', '2026-11-18T06:30:11Z', 5.2],
      ['resolved', 'cart', '2026-11-18T07:30:11Z', 0.2],
      ['firing', 'mail', '2026-11-18T05:30:11Z', 4.1],
    ],
    {
      title: 'error-budget',
      service: 'cart',
      environment: 'prod',
      severity: 'high',
      triggeredAt: '2026-11-18T05:30:11Z',
    },
  ),
  told(
    'a table with pipes',
    (state: string, host: string, load: string) =>
      said(`| state | host | check | value |\n|---|---|---|---|\n| ${state} | ${host} | load15 | ${load} |`),
    [
      ['CRIT', 'web-3', '18.2'],
      ['CRIT', 'web-3', '19.9'],
      ['OK', 'web-3', '1.1'],
      ['CRIT', 'web-4', '18.2'],
    ],
    { host: 'web-3' },
  ),
  lines('a thermometer', [
    'Freezer 3 too warm: -11.2 °C',
    'Freezer 3 too warm: -9.8 °C',
    'Freezer 3 back in range: -18.4 °C',
    'Freezer 4 too warm: -11.2 °C',
  ]),
  lines('a network', [
    'BGP session with AS64512 (peer 192.0.2.1) went down on edge-rtr-1',
    'BGP session with AS64512 (peer 192.0.2.1) went down on edge-rtr-1',
    'BGP session with AS64512 (peer 192.0.2.1) came up on edge-rtr-1',
    'BGP session with AS64513 (peer 192.0.2.9) went down on edge-rtr-1',
  ]),
  lines('storage', [
    'RAID array md0 on nas-2 degraded: 1 of 4 disks missing',
    'RAID array md0 on nas-2 degraded: 2 of 4 disks missing',
    'RAID array md0 on nas-2 optimal: 0 of 4 disks missing',
    'RAID array md0 on nas-3 degraded: 1 of 4 disks missing',
  ]),
  lines('German', [
    'KRITISCH: Festplatte auf srv-4 fast voll (96 %)',
    'KRITISCH: Festplatte auf srv-4 fast voll (97 %)',
    'BEHOBEN: Festplatte auf srv-4 fast voll (41 %)',
    'KRITISCH: Festplatte auf srv-5 fast voll (96 %)',
  ]),
  lines('French', [
    'Alerte critique : service paiement indisponible depuis 5 min',
    'Alerte critique : service paiement indisponible depuis 15 min',
    'Résolu : service paiement de nouveau disponible',
    'Alerte critique : service panier indisponible depuis 5 min',
  ]),
  told(
    'a synthetic check',
    (result: string, name: string, step: string) =>
      card({
        color: result === 'FAILED' ? '#e01e5a' : '#2eb67d',
        fallback: `${name}: ${result}`,
        title: `Journey ${name}`,
        title_link: 'https://probe.example.io/journeys',
        text: step,
        fields: fieldsOf({ Result: result, Location: 'Frankfurt' }),
      }),
    [
      ['FAILED', 'buy-a-shirt', 'Step 3 "pay" did not finish within 10 s'],
      ['FAILED', 'buy-a-shirt', 'Step 4 "thanks" did not finish within 10 s'],
      ['PASSED', 'buy-a-shirt', 'All steps passed after 2 failed runs'],
      ['FAILED', 'log-in', 'Step 3 "pay" did not finish within 10 s'],
    ],
    { title: 'Journey buy-a-shirt' },
  ),
  lines('issues with numbers', [
    'Incident 4411 declared: checkout errors in eu-west-1',
    'Incident 4411 update needed: checkout errors in eu-west-1 still ongoing',
    'Incident 4411 resolved: checkout errors in eu-west-1',
    'Incident 4412 declared: search errors in eu-west-1',
  ]),
  lines('throughput', [
    'Throughput of ingest-7 dropped below 100 msg/s (now 12)',
    'Throughput of ingest-7 dropped below 100 msg/s (now 3)',
    'Throughput of ingest-7 rose above 100 msg/s (now 412)',
    'Throughput of ingest-8 dropped below 100 msg/s (now 12)',
  ]),
  lines('a batch job', [
    '[batch] job=settlement run=20261118-3 FAILED after 00:12:44 (exit 137, OOMKilled)',
    '[batch] job=settlement run=20261118-4 FAILED after 00:09:02 (exit 1)',
    '[batch] job=settlement run=20261118-5 RECOVERED after 00:31:10 - was failing for 2 runs',
    '[batch] job=payout run=20261118-3 FAILED after 00:12:44 (exit 137, OOMKilled)',
  ]),
  lines('a device', [
    'Sensor greenhouse-12 offline — last seen 18 min ago, battery 4 %',
    'Sensor greenhouse-12 offline — last seen 48 min ago, battery 4 %',
    'Sensor greenhouse-12 online — last seen 3 s ago, battery 98 %',
    'Sensor greenhouse-14 offline — last seen 18 min ago, battery 4 %',
  ]),
];

export const noiseA: readonly Record<string, unknown>[] = [
  said('Deploy #421 of checkout to production started by Dana'),
  said('✅ Pipeline `main` passed in 12m (812 tests, 0 failures)'),
  said('Issue #77 opened: Support dark mode in the emails'),
  said('Issue #78 opened: Error message of the login form is unclear'),
  said('Sam commented on *Checkout is down*: "thanks, closing"'),
  said('Nightly report: 14 jobs ran, 2 failed, 12 succeeded'),
  said('Weekly digest — 31 alerts, 29 resolved, mean time to recover 14 min'),
  said(':calendar: Incident review starts in 15 minutes in room Ada'),
  said('Release v4.2.0: fixes crash on start, faster search, fewer timeouts'),
  said('PR #812 merged: Retry when the connection is refused'),
  said('Poll: what broke your day? :one: meetings :two: outages :three: nothing'),
  said('Robin has joined the workspace. Welcome!'),
  said('Do you know? You can silence alerts with `/mute 1h`.'),
  said('New lead: ACME Inc. (Enterprise, critical deal)'),
  said('Order #88213 was paid: $120.00'),
  said('Terraform apply finished: 3 added, 0 changed, 0 destroyed'),
  said('Feature flag *new-checkout* is now at 50 % in production'),
  said('Ticket HELP-88 assigned to Dana: printer is offline'),
  said('Maintenance of pg-main begins in 30 minutes, expect short interruptions'),
  said('Maintenance of pg-main is finished'),
  said('Your trial ends in 3 days. Upgrade now and never miss an alert!'),
  said('Night shift handed over to Sam: nothing open'),
  said('Backup of users-db finished: 12 GB in 4 min'),
  said('Canary of search 2.1 is at 10 %, no errors so far'),
  said('Status page was edited by Dana'),
  said('Dependabot opened PR #91: bump left-pad (security fix)'),
  card({
    color: 'good',
    title: 'Deployed cart 1.4.2',
    fields: fieldsOf({ Environment: 'production', By: 'Dana' }),
  }),
  card({ title: 'SLA report October', text: 'Availability 99.95 %, 3 incidents, longest outage 12 min' }),
  blocks(
    header('Retro notes'),
    section('What went wrong: deploy failed twice. What went well: fast rollback.'),
  ),
  blocks(section('*Survey*: how did the last incident go?'), button('Open', 'https://forms.example.io/f/12')),
];
