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

export const alertsB: readonly Told[] = [
  told(
    'Beacon',
    (title: string, color: string, latency: string, probe: string) =>
      card({
        author_name: 'Beacon',
        color,
        title,
        title_link: 'https://beacon.example.io/p/overview',
        text: `Probe from ${probe} took ${latency}`,
        footer: 'Beacon uptime',
      }),
    [
      ['api.acme.example is not answering', '#c0392b', '30.0 s', 'Paris'],
      ['api.acme.example is not answering', '#c0392b', '30.1 s', 'Oslo'],
      ['api.acme.example answers again', '#27ae60', '0.2 s', 'Paris'],
      ['www.acme.example is not answering', '#c0392b', '30.0 s', 'Paris'],
    ],
    { title: 'api.acme.example is not answering' },
  ),
  told(
    'NightOwl',
    (emoji: string, job: string, state: string, took: string) =>
      blocks(
        section(`${emoji} *${job}*`),
        context(`state: ${state} · took ${took} · cluster: batch-eu · env: prod`),
        button('Logs', 'https://owl.example.io/logs/8f2'),
      ),
    [
      [':red_circle:', 'rebuild-search-index', 'failed', '12m'],
      [':red_circle:', 'rebuild-search-index', 'failed', '3m'],
      [':large_green_circle:', 'rebuild-search-index', 'recovered', '41m'],
      [':red_circle:', 'rotate-keys', 'failed', '12m'],
    ],
    { environment: 'prod' },
  ),
  lines('terse pager', [
    'P2 orders-api saturation 94% host=ord-7',
    'P2 orders-api saturation 97% host=ord-7',
    'RESOLVED P2 orders-api saturation 41% host=ord-7',
    'P2 orders-api saturation 94% host=ord-9',
  ]),
  lines('consul-like', [
    'Service "billing" on node billing-03: passing → critical',
    'Service "billing" on node billing-03: warning → critical',
    'Service "billing" on node billing-03: critical → passing',
    'Service "billing" on node billing-04: passing → critical',
  ]),
  lines('switch log', [
    '%LINK-3-UPDOWN: Interface TenGigE0/0/12 on agg-2, changed state to down',
    '%LINK-3-UPDOWN: Interface TenGigE0/0/12 on agg-2, changed state to down',
    '%LINK-3-UPDOWN: Interface TenGigE0/0/12 on agg-2, changed state to up',
    '%LINK-3-UPDOWN: Interface TenGigE0/0/13 on agg-2, changed state to down',
  ]),
  told(
    'a card with everything in fields',
    (fields: Record<string, string | number>) =>
      card({ color: '#E03E2F', fallback: 'Vigil notification', fields: fieldsOf(fields) }),
    [
      [
        {
          Alarm: 'Inlet temperature',
          Condition: 'Raised',
          Hostname: 'rack9-pdu',
          Reading: '38.2 C',
          Datacenter: 'ams3',
        },
      ],
      [
        {
          Alarm: 'Inlet temperature',
          Condition: 'Raised',
          Hostname: 'rack9-pdu',
          Reading: '39.0 C',
          Datacenter: 'ams3',
        },
      ],
      [
        {
          Alarm: 'Inlet temperature',
          Condition: 'Cleared',
          Hostname: 'rack9-pdu',
          Reading: '24.9 C',
          Datacenter: 'ams3',
        },
      ],
      [
        {
          Alarm: 'Inlet temperature',
          Condition: 'Raised',
          Hostname: 'rack4-pdu',
          Reading: '38.2 C',
          Datacenter: 'ams3',
        },
      ],
    ],
    { title: 'Inlet temperature', host: 'rack9-pdu', region: 'ams3' },
  ),
  told(
    'a forwarded ticket of a monitoring mailbox',
    (subject: string, service: string, when: string) =>
      said(
        `*${subject}*\nApplication: ${service}\nUrgency: urgent\nTime: ${when}\nLink: <https://mon.example.io/app/home>`,
      ),
    [
      ['Checkout conversion has collapsed', 'storefront', '2026-11-18 05:30:11'],
      ['Checkout conversion has collapsed', 'storefront', '2026-11-18 06:00:11'],
      ['Checkout conversion is back to its usual level', 'storefront', '2026-11-18 07:00:11'],
      ['Checkout conversion has collapsed', 'marketplace', '2026-11-18 05:30:11'],
    ],
    { service: 'storefront', severity: 'high', triggeredAt: '2026-11-18T05:30:11Z' },
  ),
  lines('a warehouse loader', [
    'load_customers (dag nightly_crm) did not finish by 06:00 UTC',
    'load_customers (dag nightly_crm) did not finish by 06:00 UTC',
    'load_customers (dag nightly_crm) finished, SLA restored',
    'load_invoices (dag nightly_crm) did not finish by 06:00 UTC',
  ]),
  lines('freshness', [
    'Freshness violation: analytics.orders is 7h old (max 2h)',
    'Freshness violation: analytics.orders is 9h old (max 2h)',
    'Freshness ok: analytics.orders is 0.5h old (max 2h)',
    'Freshness violation: analytics.users is 7h old (max 2h)',
  ]),
  lines('replication', [
    'MySQL replication broken on db-eu-2 (Last_SQL_Error: 1062 Duplicate entry)',
    "MySQL replication broken on db-eu-2 (Last_SQL_Error: 1032 Can't find record)",
    'MySQL replication working on db-eu-2 (Seconds_Behind_Master: 0)',
    'MySQL replication broken on db-eu-3 (Last_SQL_Error: 1062 Duplicate entry)',
  ]),
  lines('backup', [
    'No successful backup of vault-prod in 26 hours',
    'No successful backup of vault-prod in 50 hours',
    'Backup of vault-prod is current again',
    'No successful backup of vault-dev in 26 hours',
  ]),
  lines('WAF', [
    ':shield: Attack in progress: 18k req/min from 412 IPs against login.acme.example',
    ':shield: Attack in progress: 31k req/min from 980 IPs against login.acme.example',
    ':shield: Attack over: 200 req/min from 3 IPs against login.acme.example',
    ':shield: Attack in progress: 18k req/min from 412 IPs against api.acme.example',
  ]),
  lines('budget', [
    'Project data-lab has used 104% of its monthly budget ($5,200 of $5,000)',
    'Project data-lab has used 111% of its monthly budget ($5,550 of $5,000)',
    'Project data-lab is within its monthly budget again ($4,900 of $5,000)',
    'Project web-lab has used 104% of its monthly budget ($5,200 of $5,000)',
  ]),
  told(
    'ML watch',
    (state: string, model: string, auc: string) =>
      blocks(
        header(`Model quality ${state}`),
        sectionFields(`*Model:* ${model}`, `*AUC:* ${auc}`, '*Minimum:* 0.80', '*Stage:* live'),
        button('Open monitor', 'https://ml.example.io/m?tab=quality'),
      ),
    [
      ['below minimum', 'churn-2', '0.71'],
      ['below minimum', 'churn-2', '0.69'],
      ['restored', 'churn-2', '0.86'],
      ['below minimum', 'fraud-7', '0.71'],
    ],
    { environment: 'live' },
  ),
  lines('IoT', [
    'Gateway gw-0231 has gone silent (last message 42 min ago)',
    'Gateway gw-0231 has gone silent (last message 97 min ago)',
    'Gateway gw-0231 is talking again',
    'Gateway gw-0232 has gone silent (last message 42 min ago)',
  ]),
  lines('UPS', [
    'UPS-3 on battery, 18 min of runtime left',
    'UPS-3 on battery, 11 min of runtime left',
    'UPS-3 on mains power',
    'UPS-4 on battery, 18 min of runtime left',
  ]),
  told(
    'log alert with pasted lines',
    (state: string, service: string, n: string, line: string) =>
      said(`*${state}* | ${service} | ${n} matches for \`level=fatal\`\n\`\`\`${line}\`\`\``),
    [
      ['TRIGGERED', 'mailer', '41', '2026-11-18T05:30:11Z FATAL smtp: 421 too many connections'],
      ['TRIGGERED', 'mailer', '88', '2026-11-18T05:45:11Z FATAL smtp: 421 too many connections'],
      ['RECOVERED', 'mailer', '0', 'no lines'],
      ['TRIGGERED', 'printer', '41', '2026-11-18T05:30:11Z FATAL smtp: 421 too many connections'],
    ],
    {},
  ),
  lines('rule ids in links', [
    '<https://al.example.io/rules/771|Pod evictions> fired: 14 pods',
    '<https://al.example.io/rules/771|Pod evictions> fired: 19 pods',
    '<https://al.example.io/rules/771|Pod evictions> stopped firing: 0 pods',
    '<https://al.example.io/rules/772|Node evictions> fired: 14 pods',
  ]),
  lines(
    'YAML',
    [
      'alert: TooManyOpenFiles\nstate: pending_fire\nstatus: firing\nhost: files-3\nenv: staging\nvalue: 65000',
      'alert: TooManyOpenFiles\nstate: pending_fire\nstatus: firing\nhost: files-3\nenv: staging\nvalue: 65400',
      'alert: TooManyOpenFiles\nstate: inactive\nstatus: resolved\nhost: files-3\nenv: staging\nvalue: 1200',
      'alert: TooManyOpenFiles\nstate: pending_fire\nstatus: firing\nhost: files-4\nenv: staging\nvalue: 65000',
    ],
    { title: 'TooManyOpenFiles', host: 'files-3', environment: 'staging' },
  ),
  lines('Spanish', [
    '🔴 Servicio de pagos caído en producción',
    '🔴 Servicio de pagos caído en producción',
    '🟢 Servicio de pagos restablecido en producción',
    '🔴 Servicio de correo caído en producción',
  ]),
  lines('Japanese', [
    '【障害】決済API 応答なし (host: pay-1)',
    '【障害】決済API 応答なし (host: pay-1)',
    '【復旧】決済API 応答なし (host: pay-1)',
    '【障害】決済API 応答なし (host: pay-2)',
  ]),
  lines('queue without an adjective', [
    'mail-outbound: 41,201 messages queued (limit 10,000)',
    'mail-outbound: 52,880 messages queued (limit 10,000)',
    'mail-outbound: 312 messages queued (limit 10,000)',
    'mail-inbound: 41,201 messages queued (limit 10,000)',
  ]),
  lines('agents', [
    'Build agents: only 1 of 12 available in pool linux-large',
    'Build agents: only 2 of 12 available in pool linux-large',
    'Build agents: 12 of 12 available again in pool linux-large',
    'Build agents: only 1 of 12 available in pool win-large',
  ]),
  lines('DNS', [
    'Resolver ns2.acme.example returns SERVFAIL for acme.example',
    'Resolver ns2.acme.example returns SERVFAIL for acme.example',
    'Resolver ns2.acme.example answers correctly for acme.example again',
    'Resolver ns3.acme.example returns SERVFAIL for acme.example',
  ]),
  lines('feature', [
    'Webhook deliveries to partner-acme are bouncing (HTTP 410) - 88 in 5 min',
    'Webhook deliveries to partner-acme are bouncing (HTTP 410) - 120 in 5 min',
    'Webhook deliveries to partner-acme are getting through again',
    'Webhook deliveries to partner-globex are bouncing (HTTP 410) - 88 in 5 min',
  ]),
  told(
    'OpsDesk',
    (status: string, n: string, impact: string) =>
      card({
        color: 'warning',
        pretext: `Major incident ${n}`,
        title: `${n}: Card payments declined`,
        text: impact,
        fields: fieldsOf({ 'Incident status': status, Impact: 'High', Owner: 'Payments' }),
      }),
    [
      ['Identified', 'MI-2041', 'About 30 % of card payments are declined.'],
      ['Monitoring', 'MI-2041', 'A fix is rolling out.'],
      ['Resolved', 'MI-2041', 'All payments go through.'],
      ['Identified', 'MI-2042', 'About 30 % of card payments are declined.'],
    ],
    { severity: 'high' },
  ),
  lines('disk', [
    '/var on log-2 will be full in 3 hours',
    '/var on log-2 will be full in 2 hours',
    '/var on log-2 has enough room again',
    '/var on log-5 will be full in 3 hours',
  ]),
  lines('Kubernetes events', [
    'shop/cart-7d4b9c6f8d-xkzqp: Back-off restarting failed container (x14)',
    'shop/cart-7d4b9c6f8d-p2c7z: Back-off restarting failed container (x22)',
    'shop/cart-7d4b9c6f8d-p2c7z: container running and ready, recovered',
    'shop/mail-7d4b9c6f8d-xkzqp: Back-off restarting failed container (x14)',
  ]),
  lines('latency with words', [
    'Search is slow: p95 3.2 s (normally 0.4 s)',
    'Search is slow: p95 4.8 s (normally 0.4 s)',
    'Search is fast again: p95 0.4 s (normally 0.4 s)',
    'Login is slow: p95 3.2 s (normally 0.4 s)',
  ]),
  told(
    'security camera of secrets',
    (title: string, repo: string, sha: string) =>
      card({
        color: title.startsWith('Secret removed') ? 'good' : 'danger',
        title,
        fields: fieldsOf({ Repository: repo, Commit: sha, Severity: 'Critical' }),
      }),
    [
      ['Secret exposed: AWS key in config.yml', 'acme/shop', '9f8e7d6'],
      ['Secret exposed: AWS key in config.yml', 'acme/shop', '1a2b3c4'],
      ['Secret exposed: AWS key in config.yml (resolved)', 'acme/shop', '5e6f7a8'],
      ['Secret exposed: AWS key in config.yml', 'acme/mail', '9f8e7d6'],
    ],
    { severity: 'high' },
  ),
];

export const noiseB: readonly Record<string, unknown>[] = [
  said('Robin pushed 3 commits to `main`: "handle broken pipes", "fix failing test", "cleanup"'),
  said('Preview environment for branch `fix-timeouts` is ready: <https://pr-91.example.io>'),
  said('🎉 Dana closed the deal with Globex: $41,000'),
  said('Docs updated: "Troubleshooting failed logins"'),
  said('Scheduled job `rotate-logs` completed in 3.2 s'),
  said('Sam scheduled an event: Disaster recovery exercise, Thursday 10:00'),
  said('1,204 users signed up yesterday, 12 % more than a week ago'),
  said('Standup summary: Dana is working on the outage dashboard, Sam is blocked'),
  said('Your report "Errors by service" is attached'),
  said('New answer on *Why does the pod crash?* by Kim'),
  said('Canary analysis of cart 2.1.0 passed, promoting to 100 %'),
  said('The on-call engineer is now Sam Fox'),
  said('Config change: `max_connections` 200 → 400 on pg-main by Dana'),
  said('Vote for the next offsite: Lisbon, Rome or Oslo?'),
  said('Nightly tests: 1,882 green, 2 flaky'),
  said('Package `left-pad` 2.0.1 was published'),
  said('The incident #882 postmortem document is ready for review'),
  said('Office closed on Monday (public holiday)'),
  said('Support: 14 open tickets, oldest 3 days, 2 urgent'),
  said('Data export requested by ada@example.io is ready to download'),
  said('Rollback of mail 1.9.2 finished'),
  said('A new device signed in to your account: Chrome on Linux'),
  said('Invoice 2026-118 for Globex is due in 7 days'),
  said('Lights off in 5 minutes, please leave the building'),
  card({
    color: '#439FE0',
    title: 'Dana approved change CHG-1182',
    text: 'Restart of the broken proxy tonight',
  }),
  card({
    color: 'good',
    title: 'Load test finished',
    fields: fieldsOf({ Requests: '1.2 M', Errors: '0.01 %', p95: '212 ms' }),
  }),
  blocks(
    header('What is new in Gumshoe 3'),
    section('• Alerts are grouped\n• Fewer false alarms\n• Faster search'),
  ),
  blocks(section('*Question of the day*: what was your worst outage?')),
  blocks(
    section('Capacity planning for Q1: disks will be full in March unless we order now'),
    context('shared by Dana'),
  ),
  said('Migration of tenant acme to cluster eu-2 has started'),
];
