import type { Judged } from './kinds-messages.ts';
import { attached, blocked, replied, texted } from './kinds-messages.ts';

/** Alerts in unusual words, written before their reading was looked at. */
export const alertsA: readonly Judged[] = [
  texted('Error: cart-service cannot obtain a lock on orders_2026_11, giving up after 30s', 'firing'),
  texted('checkout.shop.example went dark at 2026-11-18 09:03 UTC: TLS handshake never completes', 'firing', {
    triggeredAt: '2026-11-18T09:03:00Z',
    host: 'checkout.shop.example',
  }),
  texted('PANIC kafka-broker-7 lost its data directory', 'firing'),
  texted(':rotating_light: invoices-worker has not processed a single job in 18 minutes', 'firing'),
  texted('Synthetics: "buy a ticket" journey broke on step 3 (payment form) in eu-west-1', 'firing', {
    region: 'eu-west-1',
  }),
  texted('Redis session-cache-2 evicting keys at 4k/s, hit ratio down to 41 %', 'firing'),
  texted('Certificate of pay.shop.example runs out in 3 days', 'firing'),
  texted('ALERT search-indexer: heap at 97 percent, full GC every 4 s', 'firing'),
  texted('Thanos: the compactor halted with a non-retriable error on block 01HXY', 'firing'),
  texted('prod-mysql-3 refuses new connections (Too many connections)', 'firing'),
  attached(
    { title: 'Order intake has flatlined', text: '0 orders/min for 12 min, normally 45', color: 'danger' },
    'firing',
  ),
  attached(
    {
      title: 'Nightly ledger export did not finish',
      text: 'Step `upload` exited with 137',
      fields: [
        { title: 'Host', value: 'batch-2' },
        { title: 'Severity', value: 'warning' },
      ],
    },
    'firing',
    { host: 'batch-2', severity: 'medium' },
  ),
  blocked(
    ['*Queue depth out of bounds*', '*Queue:* invoices\n*Depth:* 91,204\n*Since:* 2026-11-18 06:14:00 UTC'],
    'firing',
    {
      triggeredAt: '2026-11-18T06:14:00Z',
    },
  ),
  blocked(
    [':red_circle: *API gateway*: 23 % of requests answered with 502', '*Environment:* production'],
    'firing',
    {
      environment: 'production',
    },
  ),
  texted('The watchdog of dc2-edge-router-1 saw no BGP session for 90 s', 'firing'),
  texted('Vault is sealed on vault-1 (prod)', 'firing', { environment: 'prod' }),
  texted('UnhandledPromiseRejection in mailer: getaddrinfo ENOTFOUND smtp.internal', 'firing'),
  texted('WARN disk /var on log-5 will be full in 4 hours', 'firing', { severity: 'medium' }),
  texted('cron "rotate-keys" missed its 03:00 run', 'firing'),
  texted('p99 of POST /checkout is 8.4 s, SLO 1 s', 'firing'),
  texted('etcd member etcd-2 is a learner since 20 minutes and falls ever further behind', 'firing'),
  texted('Lambda image-resizer throttled 1,204 times within 5 minutes', 'firing'),
  texted('Payments declined by acquirer: 38 % (usual: 4 %)', 'firing'),
  texted('Incident raised: nobody can log in to the admin console', 'firing'),
  texted('[SEV2] Slow page loads for customers in Brazil', 'firing', { severity: 'medium' }),
  texted('Back up again: checkout.shop.example answers after 7 minutes', 'resolved'),
  texted('kafka-broker-7 rejoined the cluster, all partitions in sync', 'resolved'),
  texted('✅ Vault unsealed on vault-1', 'resolved'),
  texted('Recovered: p99 of POST /checkout is 410 ms again', 'resolved'),
  attached({ title: 'Order intake is normal again', text: '44 orders/min', color: 'good' }, 'resolved'),
];

/** Bots' follow-ups, reports, announcements: none of them is an alert. */
export const noiseA: readonly Judged[] = [
  texted('Looking into it: the error rate of checkout-api is still high', 'not_an_alert'),
  texted("I'm investigating the checkout-api outage and will report back here", 'not_an_alert'),
  texted('Acknowledged, investigating. checkout-api has been failing since 09:03', 'not_an_alert'),
  texted(
    '*Summary*: checkout errors spiked at 09:03 UTC after deploy 4be1f2c.\n*Probable cause*: a null cart in `payment.ts`.\n*Next steps*: roll back.',
    'not_an_alert',
  ),
  texted(
    ':robot_face: Triage of INC-381: 412 errors in checkout-api, likely caused by the failed migration on orders-db. Confidence: 82 %',
    'not_an_alert',
  ),
  texted(
    'Root cause analysis\n• orders-db ran out of connections at 09:01\n• checkout-api timed out\nRecommendation: raise the pool to 80',
    'not_an_alert',
  ),
  replied('Looks like the same failure as yesterday: orders-db is refusing connections.', 'not_an_alert'),
  replied('I found 3 related alerts: orders-db down, checkout-api 5xx, payments timeouts', 'not_an_alert'),
  texted(
    '*Errors in the last 24 hours*\n```service        errors  change\ncheckout-api      412    +38%\norders-web        120     -4%\npayments           12      0%```',
    'not_an_alert',
  ),
  texted(
    'Daily error counts, 18 Nov\ncheckout-api: 412 errors\norders-web: 120 errors\npayments: 12 errors\nsearch: 0 errors',
    'not_an_alert',
  ),
  texted(
    '*Uptime for November*\nshop.example.com  99.98 %  1 outage\napi.example.com  99.71 %  4 outages\nstatus.example.com  100 %  0 outages',
    'not_an_alert',
  ),
  texted(
    '*SLO status, week 47*\n| Service | Target | Actual | Budget left |\n|---|---|---|---|\n| checkout | 99.9 | 99.4 | -50 % |\n| search | 99.5 | 99.9 | 80 % |',
    'not_an_alert',
  ),
  texted('AWS spend yesterday: $1,204 (+12 %). Top: EC2 $640, RDS $312, S3 $80', 'not_an_alert'),
  texted('Cost report: month to date $48,112, forecast $71,000, 4 % over budget', 'not_an_alert'),
  texted('Deploying checkout-api 1.42.0 to production (fixes the payment timeout errors)', 'not_an_alert'),
  texted(':rocket: kim rolled out orders-web 88 to production: "handle failed payments"', 'not_an_alert'),
  texted(
    'You are subscribed to GitHub status. *Monitoring* - A fix for delayed webhooks has been implemented. Nov 18, 09:31 UTC',
    'not_an_alert',
  ),
  texted(
    '*Status page digest*: 2 updates from your providers\n• Stripe: elevated API errors (resolved)\n• Fastly: degraded performance in Frankfurt (monitoring)',
    'not_an_alert',
  ),
  texted(
    'On-call handover Dana → Sam\nOpen: replication lag on orders-db, flaky disk on log-5\nAlerts this week: 14 (3 critical)',
    'not_an_alert',
  ),
  texted('Shift change: Sam is primary now. Still open: INC-381 checkout failures', 'not_an_alert'),
  blocked(
    [
      '*Top errors today*',
      '1. `TypeError` checkout-api — 412\n2. `TimeoutError` payments — 120\n3. `KeyError` search — 12',
    ],
    'not_an_alert',
  ),
  blocked(
    [
      '*AI summary*',
      'The outage of checkout-api began at 09:03 and was probably caused by orders-db running out of disk.',
    ],
    'not_an_alert',
  ),
  attached(
    {
      title: 'Alert volume by team, last 7 days',
      fields: [
        { title: 'Payments', value: '41 fired, 40 resolved' },
        { title: 'Search', value: '12 fired, 12 resolved' },
        { title: 'Platform', value: '7 fired, 5 resolved' },
      ],
    },
    'not_an_alert',
  ),
  attached(
    {
      title: 'Availability last 30 days',
      text: 'checkout 99.92 %\norders 99.99 %\nsearch 98.10 % (below target)',
    },
    'not_an_alert',
  ),
  texted(
    "We're aware of the failed logins and are working on a fix. Next update in 30 minutes.",
    'not_an_alert',
  ),
  texted('I have opened INC-381 for the checkout failures and paged Dana', 'not_an_alert'),
  texted('Thanks for the report! Our agent is analysing the 5xx errors of checkout-api.', 'not_an_alert'),
  texted(
    'Postgres vacuum report: 12 tables vacuumed, 3 skipped, 1 failed, oldest xid age 120M',
    'not_an_alert',
  ),
  texted(
    'Hypothesis: the latency of search is high because index-3 is rebalancing. Evidence: 2 dashboards, 41 log lines.',
    'not_an_alert',
  ),
  texted('Backup overview 18 Nov: 41 ok, 2 failed (orders-db, log-5), 3 running', 'not_an_alert'),
];
