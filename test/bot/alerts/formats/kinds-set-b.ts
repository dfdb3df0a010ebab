import type { Judged } from './kinds-messages.ts';
import { attached, blocked, replied, texted } from './kinds-messages.ts';

/** Alerts in other unusual words, written when the rules were made, before their reading was looked at. */
export const alertsB: readonly Judged[] = [
  texted('rabbit-2: queue emails has 48k unacked messages and no consumers', 'firing'),
  texted('Disk array R5-03 degraded: drive 4 predicted to fail', 'firing'),
  texted(':warning: pgbouncer on db-proxy-1 hit its client limit (2000/2000)', 'firing'),
  texted('Checkout conversion fell off a cliff: 0.4 % against 3.1 % an hour ago', 'firing'),
  texted('gateway timeout on https://api.shop.example/v1/orders since 2026-11-18T09:03:00Z', 'firing', {
    triggeredAt: '2026-11-18T09:03:00Z',
  }),
  texted('DNS lookups for cache.internal.shop.example return SERVFAIL', 'firing', {
    host: 'cache.internal.shop.example',
  }),
  texted('java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available', 'firing', {
    errorType: 'java.sql.SQLTransientConnectionException',
    errorMessage: 'HikariPool-1 - Connection is not available',
  }),
  texted('Worker pool saturated on media-encoder, 312 jobs waiting, oldest 41 min', 'firing'),
  texted('Failover of orders-db to orders-db-b did not complete within 60 s', 'firing'),
  texted('NTP offset of node-17 is 4.2 s', 'firing'),
  texted('Argo workflow ledger-close/step-4 errored: exit code 2', 'firing'),
  texted('🔥 Black Friday canary: 17 % of add-to-cart calls blow up', 'firing'),
  texted('ssl: certificate for *.shop.example has expired', 'firing'),
  texted('UPS-2 runs on battery, 14 minutes of charge left', 'firing'),
  texted('Deadlocks piling up in billing.invoices (61 in 10 min)', 'firing'),
  attached(
    {
      color: 'danger',
      title: 'Payment webhooks pile up',
      text: '1,912 undelivered',
      fields: [
        { title: 'Environment', value: 'production' },
        { title: 'First seen', value: '2026-11-18 08:51 UTC' },
      ],
    },
    'firing',
    { environment: 'production' },
  ),
  attached(
    {
      title: '[P1] Login is impossible for EU customers',
      text: 'identity-api answers 503 from 3 of 3 probes',
      fields: [{ title: 'Service', value: 'identity-api' }],
    },
    'firing',
    { severity: 'high', service: 'identity-api' },
  ),
  blocked(['*Node not ready*', 'Node `gke-pool-1-7d4f` stopped posting status 6 minutes ago'], 'firing'),
  blocked(
    ['*Heartbeat overdue*', '*Job:* nightly-ledger\n*Expected:* every 24h\n*Last:* 2026-11-17 02:00 UTC'],
    'firing',
  ),
  texted('Error budget of search burns 14x too fast, 6 h until exhausted', 'firing'),
  texted('mongos-3 cannot find a primary for shard rs2', 'firing'),
  texted('5 of 6 replicas of orders-db lag by more than 10 min', 'firing'),
  texted('Traffic to www.shop.example is 80 % below what it was last week at this time', 'firing', {
    host: 'www.shop.example',
  }),
  texted('sidekiq: dead set grew by 400 jobs in a minute', 'firing'),
  texted('ALERT: backup of orders-db is 31 h old (max 26 h)', 'firing'),
  texted('CLEARED: rabbit-2 queue emails has consumers again', 'resolved'),
  texted('www.shop.example reachable again from all 6 locations, outage lasted 12 min', 'resolved', {
    errorMessage: null,
  }),
  texted('UPS-2 is back on mains power', 'resolved'),
  attached({ color: 'good', title: 'Payment webhooks flow again', text: 'Backlog empty' }, 'resolved'),
  texted('OK: NTP offset of node-17 is 3 ms', 'resolved'),
];

/** Other follow-ups, reports and announcements. */
export const noiseB: readonly Judged[] = [
  texted('On it. Pulling logs of identity-api now.', 'not_an_alert'),
  texted("I've acknowledged the page for identity-api and am checking the last deploy", 'not_an_alert'),
  texted('We are still seeing timeouts from the acquirer; the vendor has been contacted', 'not_an_alert'),
  texted('Taking a look at the failing payment webhooks', 'not_an_alert'),
  texted(
    'Incident summary: identity-api returned 503 between 08:51 and 09:14. Most likely caused by expired signing keys. 3 customers wrote in.',
    'not_an_alert',
  ),
  texted(
    '*Investigation complete* for alert _Login is impossible_\n*Finding:* signing keys expired at 08:50\n*Suggested action:* rotate the keys',
    'not_an_alert',
  ),
  blocked(
    [
      ':sparkles: *Here is what I found*',
      '• identity-api: 503s from 08:51\n• deploy 77ac1 at 08:49\n• no database errors',
      '_Confidence: high_',
    ],
    'not_an_alert',
  ),
  texted('Possible duplicate of INC-402 (identity-api down, EU). Linked both.', 'not_an_alert'),
  texted('AI triage: P2, team identity, 3 similar incidents in the last 30 days', 'not_an_alert'),
  replied('The failures began right after the release of 08:49, rollback is in progress.', 'not_an_alert'),
  replied(':mag: identity-api is throwing KeyExpiredException on every request', 'not_an_alert'),
  replied('Escalated to Dana, no answer from Sam', 'not_an_alert'),
  texted(
    'Weekly SLO table\n```\nservice     slo     actual   budget\ncheckout    99.9%   99.95%   50%\nidentity    99.9%   99.2%    -700%\n```',
    'not_an_alert',
  ),
  texted(
    '*Uptime report* 1–30 November\nwww.shop.example: 99.98 %, 2 incidents, 9 min down\napi.shop.example: 99.1 %, 7 incidents, 6 h down',
    'not_an_alert',
  ),
  texted(
    'Yesterday in numbers: 1.2M requests, 4,112 errors (0.34 %), p95 412 ms, 2 incidents',
    'not_an_alert',
  ),
  texted('Exceptions by service (7 days)\nidentity-api 1,204\ncheckout-api 412\nsearch 12', 'not_an_alert'),
  attached(
    {
      title: 'Cloud cost report for week 46',
      text: 'Total $12,402, 18 % above week 45',
      fields: [
        { title: 'EC2', value: '$6,402' },
        { title: 'RDS', value: '$3,120' },
        { title: 'S3', value: '$801' },
      ],
    },
    'not_an_alert',
  ),
  attached(
    {
      color: 'warning',
      title: 'Nightly tests: 812 passed, 14 failed, 3 skipped',
      title_link: 'https://ci.example.io/runs/88',
    },
    'not_an_alert',
  ),
  blocked(
    [
      '*On-call report 10–17 Nov*',
      '*Pages:* 14\n*Out of hours:* 6\n*Noisiest alert:* DiskWillFillIn4Hours (5x)',
    ],
    'not_an_alert',
  ),
  texted(
    'Handing the pager to Sam. Watch out for: flaky probe of api.shop.example, db-3 low on disk',
    'not_an_alert',
  ),
  texted(
    'Handoff notes 17 Nov: payment webhooks failed twice, fixed by restart; orders-db replica still slow',
    'not_an_alert',
  ),
  texted(':ship: identity-api v2.14.0 is being deployed to production by lee', 'not_an_alert'),
  texted('Rollout of search-indexer 5.1 paused at 25 % for bake time', 'not_an_alert'),
  texted(
    '*Cloudflare status update*\nInvestigating - We are looking at increased errors in Frankfurt. Nov 18, 09:12 UTC',
    'not_an_alert',
  ),
  texted(
    'Subscription digest: GitHub had 1 incident today (Actions delayed), Stripe 0, Datadog 2',
    'not_an_alert',
  ),
  texted(
    'Scheduled: database maintenance on 2026-11-22 02:00 UTC, expect 10 min of downtime',
    'not_an_alert',
  ),
  texted('Flaky test list, week 47: CartSpec failed 12 times, LoginSpec failed 4 times', 'not_an_alert'),
  texted('Open vulnerabilities per repository: shop 12 (1 critical), infra 3, docs 0', 'not_an_alert'),
  texted('New runbook: what to do when orders-db runs out of connections', 'not_an_alert'),
  texted('Thanks Dana! Closing the loop: the identity outage was caused by expired keys.', 'not_an_alert'),
];
