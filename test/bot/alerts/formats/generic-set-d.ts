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

export const alertsD: readonly Told[] = [
  told(
    'Pulseboard',
    (state: string, color: string, svc: string, err: string, at: string) =>
      card({
        color,
        title: `${state} Checkout latency p99`,
        title_link: 'https://pulseboard.example.io/monitors/mon_48213?from=1794993262',
        text: `p99 latency is ${err} on ${svc}`,
        fields: fieldsOf({
          Environment: 'production',
          Service: svc,
          Host: 'web-07',
          Region: 'eu-west-1',
          Priority: 'P1',
          'Triggered at': at,
        }),
        footer: 'Pulseboard',
      }),
    [
      ['[TRIGGERED]', '#E01E5A', 'checkout-api', '2310 ms', '2026-11-18T05:30:11Z'],
      ['[TRIGGERED]', '#E01E5A', 'checkout-api', '2870 ms', '2026-11-18T05:45:11Z'],
      ['[RECOVERED]', '#2EB67D', 'checkout-api', '210 ms', '2026-11-18T06:30:11Z'],
      ['[TRIGGERED]', '#E01E5A', 'search-api', '2310 ms', '2026-11-18T05:30:11Z'],
    ],
    {
      title: 'Checkout latency p99',
      environment: 'production',
      service: 'checkout-api',
      host: 'web-07',
      region: 'eu-west-1',
      severity: 'high',
      triggeredAt: '2026-11-18T05:30:11Z',
      alertUrl: 'https://pulseboard.example.io/monitors/mon_48213?from=1794993262',
    },
  ),
  told(
    'Sentryfish: exceptions',
    (mark: string, type: string, msg: string, n: string, ver: string) =>
      blocks(
        section(`${mark} *${type}*: ${msg}`),
        sectionFields('*App:*\nshop-web', '*Environment:*\nstaging', `*Release:*\n${ver}`, `*Events:*\n${n}`),
        button('View issue', `https://fish.example.io/shop/issues/${type === 'TypeError' ? 91823 : 91824}`),
      ),
    [
      ['🔴', 'TypeError', "Cannot read properties of undefined (reading 'id')", '14', '4.2.0'],
      ['🔴', 'TypeError', "Cannot read properties of undefined (reading 'id')", '88', '4.2.0'],
      ['✅ Resolved', 'TypeError', "Cannot read properties of undefined (reading 'id')", '88', '4.2.1'],
      ['🔴', 'RangeError', 'Invalid array length', '14', '4.2.0'],
    ],
    {
      service: 'shop-web',
      environment: 'staging',
      version: '4.2.0',
      alertUrl: 'https://fish.example.io/shop/issues/91823',
    },
  ),
  lines(
    'Ratatoskr',
    [
      '[ratatoskr] CRIT host=mx-2 check=mailq value=8412 crit=5000',
      '[ratatoskr] CRIT host=mx-2 check=mailq value=9377 crit=5000',
      '[ratatoskr] OK host=mx-2 check=mailq value=12 crit=5000',
      '[ratatoskr] CRIT host=mx-3 check=mailq value=8412 crit=5000',
    ],
    { host: 'mx-2', severity: 'high' },
  ),
  lines('StatusGator-like', [
    'Stripe API is experiencing a partial outage',
    'Stripe API is experiencing a major outage',
    'Stripe API is operational',
    'Twilio SMS is experiencing a partial outage',
  ]),
  told(
    'Backlogger',
    (head: string, q: string, n: string, age: string) =>
      said(
        `*${head}*\n• Queue: \`${q}\`\n• Depth: ${n}\n• Oldest: ${age}\n• Env: prod\n<https://q.example.io/queues/${q}|Open queue>`,
      ),
    [
      ['⚠️ Queue depth above threshold', 'emails-out', '48,112', '22 min'],
      ['⚠️ Queue depth above threshold', 'emails-out', '51,900', '41 min'],
      ['✅ Queue depth below threshold', 'emails-out', '112', '3 s'],
      ['⚠️ Queue depth above threshold', 'sms-out', '48,112', '22 min'],
    ],
    { environment: 'prod' },
  ),
  lines('NetSentinel', [
    'Packet loss to 10.20.30.40 (pop-fra) is 18% over the last 5 minutes',
    'Packet loss to 10.20.30.40 (pop-fra) is 31% over the last 5 minutes',
    'Packet loss to 10.20.30.40 (pop-fra) is back to 0% over the last 5 minutes',
    'Packet loss to 10.20.30.41 (pop-ams) is 18% over the last 5 minutes',
  ]),
  lines('CertBot watcher', [
    'Certificate for *.acme.example expired 2 days ago!',
    'Certificate for *.acme.example expired 3 days ago!',
    'Certificate for *.acme.example is valid again (89 days left)',
    'Certificate for *.globex.example expired 2 days ago!',
  ]),
  told(
    'Airlift: data pipeline',
    (state: string, task: string, run: string, tryNo: string) =>
      card({
        color: state === 'success' ? 'good' : 'danger',
        pretext: state === 'success' ? ':white_check_mark: Task recovered' : ':x: Task failed',
        fields: fieldsOf({
          DAG: 'sales_hourly',
          Task: task,
          'Execution date': run,
          'Try number': tryNo,
          State: state,
        }),
      }),
    [
      ['failed', 'load_orders', '2026-11-18T05:00:00+00:00', '3'],
      ['failed', 'load_orders', '2026-11-18T06:00:00+00:00', '1'],
      ['recovered', 'load_orders', '2026-11-18T07:00:00+00:00', '1'],
      ['failed', 'load_users', '2026-11-18T05:00:00+00:00', '3'],
    ],
    {},
  ),
  lines(
    'Warden security',
    [
      'HIGH - Unusual API calls by role ci-deployer from 198.51.100.7 in account 123456789012',
      'HIGH - Unusual API calls by role ci-deployer from 198.51.100.9 in account 123456789012',
      'CLOSED - Unusual API calls by role ci-deployer in account 123456789012',
      'HIGH - Unusual API calls by role ops-admin from 198.51.100.7 in account 123456789012',
    ],
    { severity: 'high' },
  ),
  lines('Coldchain', [
    'Cold room 4 (Lyon): 9.1 °C, allowed max 5 °C, for 12 min',
    'Cold room 4 (Lyon): 9.8 °C, allowed max 5 °C, for 32 min',
    'Cold room 4 (Lyon): 3.9 °C, allowed max 5 °C, for 2 min',
    'Cold room 5 (Lyon): 9.1 °C, allowed max 5 °C, for 12 min',
  ]),
  told(
    'Opsbeat: JSON lines',
    (status: string, host: string, usage: string, at: string) =>
      said(
        `{"title": "Filesystem almost full", "state": "${status}", "severity": "warning", "host": "${host}", "mount": "/data", "usage": "${usage}", "region": "us-east-1", "timestamp": "${at}"}`,
      ),
    [
      ['ALERTING', 'files-1', '91%', '2026-11-18T05:30:11Z'],
      ['ALERTING', 'files-1', '93%', '2026-11-18T06:30:11Z'],
      ['OK', 'files-1', '61%', '2026-11-18T07:30:11Z'],
      ['ALERTING', 'files-2', '91%', '2026-11-18T05:30:11Z'],
    ],
    {
      title: 'Filesystem almost full',
      host: 'files-1',
      severity: 'medium',
      region: 'us-east-1',
      triggeredAt: '2026-11-18T05:30:11Z',
    },
  ),
  lines('Synthetic', [
    'Browser check "Login and pay" failed in 3 of 5 locations',
    'Browser check "Login and pay" failed in 5 of 5 locations',
    'Browser check "Login and pay" is passing in all locations',
    'Browser check "Search" failed in 3 of 5 locations',
  ]),
  lines('Postgres bot', [
    'db-main-1: long running transaction (pid 8812, 47 min)',
    'db-main-1: long running transaction (pid 9911, 61 min)',
    'db-main-1: no long running transactions any more',
    'db-main-2: long running transaction (pid 8812, 47 min)',
  ]),
  lines('pods', [
    'Deployment cart in namespace shop has 0/3 ready replicas',
    'Deployment cart in namespace shop has 1/3 ready replicas',
    'Deployment cart in namespace shop has 3/3 ready replicas',
    'Deployment mail in namespace shop has 0/3 ready replicas',
  ]),
  told(
    'Cost guardian',
    (head: string, acct: string, today: string) =>
      blocks(
        header(`💸 ${head}`),
        section(`*Account:* ${acct}\n*Spend today:* ${today}\n*Daily limit:* $500`),
        context('Cost guardian | us-east-1'),
      ),
    [
      ['Spending limit exceeded', 'acme-ml', '$812.20'],
      ['Spending limit exceeded', 'acme-ml', '$960.00'],
      ['Spending back under limit', 'acme-ml', '$120.00'],
      ['Spending limit exceeded', 'acme-web', '$812.20'],
    ],
    { region: 'us-east-1' },
  ),
  lines('deploy health', [
    'Error rate of payments 3.1.0 is 6x higher than before the deploy',
    'Error rate of payments 3.1.0 is 9x higher than before the deploy',
    'Error rate of payments 3.1.0 is normal again',
    'Error rate of invoices 1.8.2 is 6x higher than before the deploy',
  ]),
  lines('logins', [
    ':lock: Account lockouts spiking on idp-eu: 212 in 10 min',
    ':lock: Account lockouts spiking on idp-eu: 401 in 10 min',
    ':unlock: Account lockouts normal on idp-eu: 2 in 10 min',
    ':lock: Account lockouts spiking on idp-us: 212 in 10 min',
  ]),
  lines(
    'Swarm',
    [
      'Node worker-eu-5 went offline',
      'Node worker-eu-5 still offline after 30 minutes',
      'Node worker-eu-5 came back online after 42 minutes',
      'Node worker-eu-6 went offline',
    ],
    { host: 'worker-eu-5' },
  ),
  lines('French sentence', [
    "⚠️ La file d'attente commandes-eu dépasse le seuil (4 812 messages)",
    "⚠️ La file d'attente commandes-eu dépasse le seuil (6 120 messages)",
    "✅ La file d'attente commandes-eu est revenue à la normale (12 messages)",
    "⚠️ La file d'attente factures-eu dépasse le seuil (4 812 messages)",
  ]),
  lines('duplicate primary', [
    'Split brain on redis cluster sessions: two primaries',
    'Split brain on redis cluster sessions: three primaries',
    'Split brain on redis cluster sessions healed',
    'Split brain on redis cluster carts: two primaries',
  ]),
  told(
    'Foghorn: everything in the fallback-like text',
    (word: string, at: string, mem: string, host: string) =>
      said(`${word} | ${at} | memory | ${host} | ${mem} | <https://fog.example.io/hosts|details>`),
    [
      ['🟠 WARNING', '05:30', '88%', 'cache-11'],
      ['🟠 WARNING', '05:40', '89%', 'cache-11'],
      ['🟢 NORMAL', '06:10', '41%', 'cache-11'],
      ['🟠 WARNING', '05:30', '88%', 'cache-12'],
    ],
    { severity: 'medium' },
  ),
  lines(
    'events with numbers',
    [
      'Problem P-26110442: Response time degradation for service BookingFrontend',
      'Problem P-26110442 still open (41 min): Response time degradation for service BookingFrontend',
      'Problem P-26110442 resolved after 52 min: Response time degradation for service BookingFrontend',
      'Problem P-26110443: Response time degradation for service SearchFrontend',
    ],
    { service: 'BookingFrontend' },
  ),
  lines('webcam', [
    'Camera 7 entrance north: no image since 05:30',
    'Camera 7 entrance north: no image since 05:30 (2h)',
    'Camera 7 entrance north: image restored',
    'Camera 9 entrance south: no image since 05:30',
  ]),
  lines('SQL', [
    'Query time on dwh-1 at 412 % of normal',
    'Query time on dwh-1 at 380 % of normal',
    'Query time on dwh-1 at 103 % of normal, recovered',
    'Query time on dwh-2 at 412 % of normal',
  ]),
  told(
    'Handrail: code block with YAML',
    (phase: string, name: string, val: string) =>
      said(
        `Alert update from handrail\n\`\`\`\nname: ${name}\nphase: ${phase}\nvalue: ${val}\ncomponent: ledger\nseverity: major\n\`\`\``,
      ),
    [
      ['firing', 'LedgerWriteStall', '14s'],
      ['firing', 'LedgerWriteStall', '22s'],
      ['resolved', 'LedgerWriteStall', '0s'],
      ['firing', 'LedgerReadStall', '14s'],
    ],
    { service: 'ledger', severity: 'high' },
  ),
  lines('memory leak', [
    ':bangbang: report-renderer leaks memory: 6.1 GB (limit 4 GB)',
    ':bangbang: report-renderer leaks memory: 7.4 GB (limit 4 GB)',
    ':ok: report-renderer memory fine: 1.2 GB (limit 4 GB)',
    ':bangbang: pdf-renderer leaks memory: 6.1 GB (limit 4 GB)',
  ]),
  lines('leader', [
    'etcd cluster core-eu has no leader',
    'etcd cluster core-eu has no leader',
    'etcd cluster core-eu has a leader again',
    'etcd cluster core-us has no leader',
  ]),
  lines('bracketed health', [
    '(!) [prod/eu] orders-consumer lagging 14m behind',
    '(!) [prod/eu] orders-consumer lagging 22m behind',
    '(ok) [prod/eu] orders-consumer in sync',
    '(!) [prod/eu] refunds-consumer lagging 14m behind',
  ]),
  lines('API quota', [
    'Maps API quota: 96 % used, resets in 5 h',
    'Maps API quota: 99 % used, resets in 4 h',
    'Maps API quota: reset, 0 % used',
    'Mail API quota: 96 % used, resets in 5 h',
  ]),
];

export const noiseD: readonly Record<string, unknown>[] = [
  said('Kim Lee deployed `search` v8.1 to *production* :ship:'),
  said('[jenkins] shop-build #812 SUCCESS after 4 min'),
  said('[CI] tests on main: passed'),
  said('New GitHub release: acme/shop v4.13.0 - fixes memory leak in renderer'),
  said('Scheduled downtime for pg-main: Sunday 02:00-03:00'),
  said('Customer Globex renewed their contract'),
  said('Zendesk #88123: "Cannot log in" - assigned to tier 2'),
  said('Daily stand-up starts in 5 minutes'),
  said('Top errors this week: 1. TimeoutError (812) 2. TypeError (401)'),
  said('Uptime last 30 days: 99.97 %'),
  said('Robin is now on call for *payments*'),
  said('Your subscription was renewed'),
  said('Dana reacted to your message'),
  said('Google Calendar: "Incident training" moved to Friday'),
  said('Load balancer config was reloaded'),
  said('Pods of cart were restarted by Kim for the config change'),
  said('Cluster eu-1: 3 nodes added by the autoscaler'),
  said('Weather in Berlin: 4 °C, heavy rain, storm warning in the evening'),
  said('FYI: we raised the alert threshold for queue depth to 10,000'),
  said('Snapshots of 12 volumes created'),
  said('Vault: secret `db/orders` was rotated'),
  said('A/B test *new-button* reached significance: +2.1 % conversion'),
  said('A new article in the handbook: "What to do when the site is down"'),
  said('42 emails were sent to subscribers, 1 bounced'),
  card({
    color: 'good',
    title: 'Deployment succeeded',
    text: 'cart 1.4.3 is running in production',
    fields: fieldsOf({ Commit: '9f8e7d6', Author: 'Kim' }),
  }),
  card({ title: 'Nightly security scan', text: 'No new vulnerabilities found', color: 'good' }),
  card({
    title: 'OPS-771: Replace failing disk in nas-2',
    fields: fieldsOf({ Assignee: 'Sam', Priority: 'Medium', Status: 'In progress' }),
  }),
  blocks(
    header('Weekly on-call summary'),
    section('Pages: 4\nNoise: 1\nLongest incident: 22 min (checkout down)'),
  ),
  blocks(section('*Robin* shared a file: `outage-timeline.pdf`')),
  blocks(
    section('Approve production deploy of cart 1.4.3?'),
    button('Approve', 'https://deploy.example.io/approve/8821'),
  ),
];
